//! What different sources call alike is told apart: structures and helpers of C files, functions of several programs,
//! and what tests put in the place of the real thing.

use crate::support::{Project, all_die};
use std::process::Command;

/// Twice `struct state` and twice `reset()`, `helper()` of two files with one name.
const C_FILES: &[(&str, &str)] = &[
    (
        "heater.c",
        "struct state { int level; struct state *next; };\nstatic int reset(int level) { return level + 1; }\n\
         int heater_level(const struct state *s) {\n  int sum = 0;\n  for (; s; s = s->next) sum += s->level;\n  return sum + reset(1);\n}\n",
    ),
    (
        "valve.c",
        "struct state { double open, limit; char name[8]; };\nstatic int reset(int level) { return level * 3; }\n\
         double valve_open(const struct state *s) {\n  return s->open * s->limit + reset(2) + s->name[0];\n}\n",
    ),
    ("a/util.c", "static int twice(int n) { return n * 2; }\nint a_twice(int n) { return twice(n) + 1; }\n"),
    ("b/util.c", "static int twice(int n) { return n + n + 1; }\nint b_twice(int n) { return twice(n) + 2; }\n"),
];

#[test]
fn structures_and_helpers_that_c_files_call_alike_are_each_their_own() {
    let project = Project::of(C_FILES);
    project.database(&["heater.c", "valve.c", "a/util.c", "b/util.c"]);
    let mutants = [
        ("heater.mut.5.1_1_1.AOR.heater_level.c", "sum += s->level", "sum -= s->level"),
        ("heater.mut.2.1_1_1.AOR.reset.c", "level + 1", "level - 1"),
        ("valve.mut.4.1_1_1.AOR.valve_open.c", "s->open * s->limit", "s->open + s->limit"),
        ("valve.mut.2.1_1_1.AOR.reset.c", "level * 3", "level + 3"),
        ("a/util.mut.1.1_1_1.AOR.twice.c", "n * 2", "n * 3"),
        ("b/util.mut.1.1_1_1.AOR.twice.c", "n + n + 1", "n + n - 1"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let units = [1, 3].map(|at: usize| outcome.mutants()[mutants[at].0]["unit"].as_str().unwrap().to_owned());
    assert_eq!(units, ["reset [heater.c]", "reset [valve.c]"]);
}

#[test]
fn what_tests_put_in_the_place_of_a_function_takes_nobodys_place_and_programs_may_have_functions_of_one_name() {
    let program = |name: &str| {
        format!(
            "#include <string>\nstruct Options {{ int level = 0; int {name} = 3; int total() const {{ return level + {name}; }} }};\n\
             int parse(Options &options, const std::string &text) {{\n  if (text == \"-{name}\") options.level = 4;\n  \
             return options.{name} + 2;\n}}\nint main() {{\n  Options options;\n  return parse(options, \"\");\n}}\n"
        )
    };
    let clock = "#pragma once\nclass Clock {\n public:\n  explicit Clock(int base) : base_(base) {}\n  long now() const;\n\n private:\n  \
                 int base_;\n};\nint board_temperature(int channel);\n";
    let project = Project::of(&[
        ("clock.h", clock),
        ("clock.cpp", "#include \"clock.h\"\nlong Clock::now() const { return base_ * 60L; }\n"),
        ("board.cpp", "#include \"clock.h\"\nint board_temperature(int channel) { return channel * 3 + 1; }\n"),
        (
            "heater.cpp",
            "#include \"clock.h\"\nint heater_level(const Clock &clock, int channel) {\n  if (clock.now() > 600) return 0;\n  \
             return board_temperature(channel) > 20 ? 1 : 2;\n}\n",
        ),
        (
            "a_mocks/clock_mock.cpp",
            "#include \"../clock.h\"\nlong Clock::now() const { return 42; }\nint board_temperature(int channel) { return channel ? 7 : 9; }\n",
        ),
        ("one.cpp", &program("one")),
        ("two.cpp", &program("two")),
    ]);
    project.database(&["a_mocks/clock_mock.cpp", "clock.cpp", "board.cpp", "heater.cpp", "one.cpp", "two.cpp"]);
    let mutants = [
        ("heater.mut.3.1_1_1.ICR.heater_level.cpp", "> 600", "> 6000"),
        ("heater.mut.4.1_1_1.ICR.heater_level.cpp", "> 20", "> 25"),
        ("board.mut.2.1_1_1.AOR.board_temperature.cpp", "* 3 + 1", "* 3 - 1"),
        ("one.mut.2.1_1_1.AOR.total.cpp", "level + one", "level - one"),
        ("two.mut.4.1_1_1.ICR.parse.cpp", "level = 4", "level = 5"),
        ("two.mut.5.1_1_1.AOR.parse.cpp", "options.two + 2", "options.two - 2"),
    ];
    all_die(&project, "1s", &mutants);
    // Whatever the linker makes of an archive: the tests' own lists say who counts.
    let build = project.root().join("build-tests");
    let run = |command: &mut Command| {
        let output = command.current_dir(project.root()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), said)
    };
    for mutant in [None, Some("mutants/board.mut.2.1_1_1.AOR.board_temperature.cpp")] {
        let mut configure = Command::new("cmake");
        configure.args(["-S", "motif.out/tests", "-B"]).arg(&build);
        configure.args(mutant.map(|file| format!("-DMOTIF_MUTANT={}", project.root().join(file).display())));
        let (done, said) = run(&mut configure);
        assert!(done, "{said}");
        let (done, said) = run(Command::new("cmake").arg("--build").arg(&build).args(["-j", "2"]));
        assert!(done, "{said}");
        let (passed, said) = run(Command::new("ctest").arg("--test-dir").arg(&build));
        assert_eq!(passed, mutant.is_none(), "{said}");
    }
}
