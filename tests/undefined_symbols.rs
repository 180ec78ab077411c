//! Units that call what nobody defines: drivers of hardware, an operating system, what is built elsewhere.

use crate::support::{Project, all_die, write_mutants};
use std::process::Command;

#[test]
fn undefined_c_functions_are_stubbed_and_the_tests_link_and_pass_without_them() {
    let project = Project::sources("board_support");
    let mutants = [
        ("node.mut.3.1_1_1.ICR.heat.c", "adc_read(3)", "adc_read(2)"),
        ("node.mut.5.1_1_1.ICR.heat.c", "gpio_write(4, 0)", "gpio_write(4, 1)"),
        ("node.mut.6.1_1_1.BWR.heat.c", "ticks & 7", "ticks | 7"),
        ("node.mut.13.1_1_1.ICR.report.c", "data[1] = 0xa5", "data[1] = 0xa4"),
        ("node.mut.20.1_1_1.ROR.take.c", "< 0", "> 0"),
        ("node.mut.21.1_1_1.ICR.take.c", "ticks + 2", "ticks + 3"),
        ("node.mut.22.1_1_1.AOR.take.c", "data[1] + frame.id", "data[1] - frame.id"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let test = project.test_of(&outcome, mutants[3].0);
    assert!(test.contains("int bus_send(const uint8_t *data, size_t length) {"), "{test}");
    assert!(test.contains(" a5}, 2)\\n\") == 0);"), "{test}");
    // `never_called` is defined nowhere, and no test needs it.
    the_tests_pass_in_a_build_of_their_own(&project);
}

fn the_tests_pass_in_a_build_of_their_own(project: &Project) {
    let tests = project.root().join("motif.out/tests");
    let make = format!(
        "cmake -S {0} -B {0}/build && cmake --build {0}/build -j 2 && ctest --test-dir {0}/build",
        tests.display()
    );
    let made = Command::new("sh").args(["-c", &make]).output().unwrap();
    assert!(
        made.status.success(),
        "{}{}",
        String::from_utf8_lossy(&made.stdout),
        String::from_utf8_lossy(&made.stderr)
    );
}

#[test]
fn undefined_symbols_are_reported_with_the_key_that_links_a_library() {
    let text = "void gone(int);\nint run(int n) { gone(n); return n + 1; }\n";
    let project = Project::of(&[("run.c", text)]);
    project.write("mutants/run.mut.2.1_1_1.AOR.run.c", &text.replace("n + 1", "n - 1"));
    let run = project.fuzz(&["--budget", "1s"]);
    run.ends_with(0);
    let said = &run.stderr;
    assert!(said.contains("[undefined]") && said.contains("gone") && said.contains("`link:`"), "{said}");
}

#[test]
fn a_class_whose_source_does_not_parse_costs_only_the_units_that_use_it() {
    let project = Project::sources("broken_source");
    let mutants = [
        ("unit.mut.10.1_1_1.AOR.twice.cpp", "x * 2", "x + 2"),
        ("unit.mut.13.1_1_1.AOR.made.cpp", "made + 1", "made - 1"),
        ("unit.mut.16.1_1_1.AOR.named.cpp", "size() + 1", "size() - 1"),
    ];
    write_mutants(&project, &mutants);
    let run = project.fuzz(&["--budget", "1s"]);
    run.ends_with(0);
    let outcome = project.outcome();
    for id in ["unit.mut.10.1_1_1.AOR.twice.cpp", "unit.mut.13.1_1_1.AOR.made.cpp"] {
        assert!(outcome.status(id) == "killed" && outcome.verified(id), "{id}: {}", outcome.reason(id));
    }
    let named = "unit.mut.16.1_1_1.AOR.named.cpp";
    assert_eq!(outcome.status(named), "baseline_failed");
    assert!(
        outcome.reason(named).contains("it calls `Label::Label(char const*)`, which nobody defines"),
        "{}",
        outcome.reason(named)
    );
    // Their program makes and ends two objects of the class before and after them.
    the_tests_pass_in_a_build_of_their_own(&project);
}

#[test]
fn a_library_that_the_projects_build_links_is_linked_and_not_stubbed() {
    let vendor = tempfile::tempdir().unwrap();
    let (source, library) = (vendor.path().join("vendor.c"), vendor.path().join("libvendor.so"));
    std::fs::write(&source, "int vendor_scale(int n) { return n * 3; }\n").unwrap();
    let built = Command::new("gcc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
    assert!(built.success());
    let project = Project::sources("linked_library");
    let ninja = format!("build own: C_SHARED_LIBRARY level.o\n  LINK_LIBRARIES = -lm {}\n", library.display());
    project.write("build/build.ninja", &ninja);
    let mutants = [("level.mut.3.1_1_1.ICR.level.c", "+ 1", "+ 2")];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(!test.contains("int vendor_scale(int"), "{test}");
    the_tests_pass_in_a_build_of_their_own(&project);
}
