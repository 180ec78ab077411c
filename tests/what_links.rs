//! What of the project is compiled: nothing that the units under test do not need.

use crate::support::{Project, write_mutants};
use std::fs;

/// All that the folder of generated tests says about what to build.
fn build_files(project: &Project) -> String {
    let folder = project.root().join("motif.out/tests");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_of_the_build = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it != "cpp" && it != "c");
    files.filter(is_of_the_build).map(|path| fs::read_to_string(path).unwrap_or_default()).collect()
}

#[test]
fn what_no_unit_under_test_needs_is_neither_compiled_nor_linked_into_the_tests() {
    let project = Project::sources("what_links");
    let mutants = [
        ("reading.mut.7.1_1_1.ICR.reading.cpp", "raw % 1000", "raw % 1001"),
        ("reading.mut.7.2_2_1.AOR.reading.cpp", "+ 7", "- 7"),
    ];
    write_mutants(&project, &mutants);
    let run = project.fuzz(&["--budget", "2s"]);
    run.ends_with(0);
    assert!(!run.stderr.contains("unneeded.cpp"), "{}", run.stderr);
    let outcome = project.outcome();
    for (id, ..) in mutants {
        assert!(outcome.verified(id), "{}", outcome.reason(id));
    }
    let said = build_files(&project);
    for needed in ["gauge.cpp", "limits.cpp", "clamp.cpp"] {
        assert!(said.contains(needed), "{needed} in {said}");
    }
    for left_out in ["unneeded.cpp", "twice.cpp", "doubled.cpp"] {
        assert!(!said.contains(left_out), "{left_out} in {said}");
    }
}

#[test]
fn where_the_model_does_not_say_who_defines_a_symbol_all_of_the_project_is_compiled() {
    let project = Project::sources("what_links");
    let mutant = ("doubled.mut.4.1_1_1.ICR.doubled.cpp", "% 1000", "% 1001");
    write_mutants(&project, &[mutant]);
    let run = project.fuzz(&["--budget", "2s"]);
    run.ends_with(0);
    assert!(run.stderr.contains("unneeded.cpp"), "{}", run.stderr);
    let outcome = project.outcome();
    assert!(outcome.verified(mutant.0), "{}", outcome.reason(mutant.0));
    assert!(build_files(&project).contains("twice.cpp"));
}

#[test]
fn a_source_that_defines_a_symbol_by_an_attribute_is_found_by_its_text() {
    let project = Project::sources("what_links");
    let mutant = ("shifted.mut.4.1_1_1.ICR.shifted.cpp", "* 2", "* 3");
    write_mutants(&project, &[mutant]);
    let run = project.fuzz(&["--budget", "2s"]);
    run.ends_with(0);
    assert!(!run.stderr.contains("unneeded.cpp") && !run.stderr.contains("[undefined]"), "{}", run.stderr);
    let outcome = project.outcome();
    assert!(outcome.verified(mutant.0), "{}", outcome.reason(mutant.0));
    assert!(build_files(&project).contains("offsets.cpp"));
}
