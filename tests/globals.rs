//! What a file remembers between calls: variables that functions leave changed, and those that earlier calls have set.

mod support;

use support::{Project, all_die};

const MODE: &str = "#include <stdlib.h>\nint verbose;\nstatic int mode = 2;\nstatic unsigned short samples[4];\nstatic unsigned used;\n\
    void set_mode(int m) {\n  mode = m & 7;\n}\nint moded(int x) {\n  return mode == 5 ? x * 2 : x;\n}\n\
    int level(int x) {\n  return x > 3 ? verbose * x : x;\n}\n\
    void add_sample(unsigned short raw) {\n  if (used < 4) samples[used++] = raw;\n}\n\
    int average(void) {\n  long sum = 0;\n  if (used == 0) return -1;\n  if (used > 4) abort();\n  \
    for (unsigned i = 0; i < used; ++i) sum += samples[i];\n  return (int)(sum / used);\n}\n";

#[test]
fn in_c_what_functions_beside_it_have_left_is_there_when_a_unit_is_called_and_what_it_leaves_is_compared() {
    let project = Project::of(&[("mode.c", MODE)]);
    let mutants = [
        ("mode.mut.7.1_1_1.ICR.set_mode.c", "m & 7", "m & 6"),
        ("mode.mut.10.1_1_1.AOR.moded.c", "x * 2", "x * 3"),
        ("mode.mut.13.1_1_1.AOR.level.c", "verbose * x", "verbose + x"),
        ("mode.mut.16.1_1_1.UOI.add_sample.c", "= raw;", "= ~raw;"),
        ("mode.mut.22.1_1_1.AOR.average.c", "sum / used", "sum + used"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let how = outcome.mutants()[mutants[0].0]["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{}", how.split('#').next().unwrap()));
    assert!(test.contains("#include \"mode.c\"") && test.contains("assert(mode == "), "{test}");
}

#[test]
fn variables_of_namespaces_are_set_by_their_functions_and_those_that_only_anybody_else_sets_by_the_data() {
    let text = "namespace thermal {\nint verbosity = 1;\nnamespace {\nbool armed = false;\n}\n\
                void arm(bool on) {\n  armed = on;\n}\nint limit(int at) {\n  return armed ? at + 1 : at;\n}\n\
                int report(int level) {\n  return level > 2 ? verbosity * level : level;\n}\n}\n";
    let project = Project::of(&[("thermal.cpp", text)]);
    let mutants = [
        ("thermal.mut.7.1_1_1.UOI.arm.cpp", "armed = on", "armed = !on"),
        ("thermal.mut.10.1_1_1.AOR.limit.cpp", "at + 1", "at - 1"),
        ("thermal.mut.13.1_1_1.AOR.report.cpp", "verbosity * level", "verbosity + level"),
    ];
    all_die(&project, "1s", &mutants);
}
