//! What of the project is compiled: nothing that the units under test do not need.

use crate::support::{Project, write_mutants};
use std::fs;
use std::process::Command;

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
#[ignore = "a long run; make test-all"]
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

/// Compiles all sources as the compile database then says, position-independent, with the objects beside it, and what
/// CMake writes about their options.
fn build(project: &Project) {
    let folder = project.root();
    project.write("build/flags.make", "CXX_FLAGS = -std=c++17 -fPIC\n");
    let sources = ["reading", "gauge", "limits", "clamp"];
    let entries = sources.map(|name| {
        let command = format!("c++ -std=c++17 -fPIC -c {name}.cpp -o build/{name}.o");
        serde_json::json!({"directory": folder, "file": format!("{name}.cpp"), "command": command})
    });
    project.write("build/compile_commands.json", &serde_json::to_string(&entries).unwrap());
    for entry in &entries {
        let command = entry["command"].as_str().unwrap().split(' ').collect::<Vec<_>>();
        let done = Command::new(command[0]).args(&command[1..]).current_dir(folder).status();
        assert!(done.unwrap().success(), "{entry}");
    }
}

#[test]
fn objects_of_the_projects_own_build_serve_until_their_sources_change() {
    let project = Project::sources("what_links");
    let mutant = ("reading.mut.7.1_1_1.ICR.reading.cpp", "raw % 1000", "raw % 1001");
    write_mutants(&project, &[mutant]);
    build(&project);
    // Not that of the file under test.
    for (changed, taken) in [(None, Some(3)), (Some("clamp.cpp"), Some(2)), (Some("gauge.hpp"), None)] {
        if let Some(file) = changed {
            let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
            fs::File::options().append(true).open(project.root().join(file)).unwrap().set_modified(later).unwrap();
        }
        let run = project.fuzz(&["-v", "--budget", "2s", "-o", &format!("{}.out", changed.unwrap_or("first"))]);
        run.ends_with(0);
        match taken {
            Some(taken) => {
                let said = format!("objects of the project's own build, used as they are: {taken}\n");
                assert!(run.stderr.contains(&said), "{}", run.stderr);
            }
            None => assert!(!run.stderr.contains("own build"), "{}", run.stderr),
        }
        assert!(run.stdout.contains("all with a proved test"), "{}", run.stdout);
    }
}
