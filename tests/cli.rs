//! The command line itself: help, completions, man page, exit codes, configuration, analyze and scaffold.

use crate::support::Project;

const SOURCE: &str = include_str!("sources/cli/battery.cpp");

fn battery() -> Project {
    Project::of(&[("battery.cpp", SOURCE)])
}

#[test]
fn help_lists_the_commands_that_exist_and_no_others() {
    let run = Project::new().run(["--help"]);
    run.ends_with(0);
    for command in [
        "doctor",
        "analyze",
        "mutate",
        "scaffold",
        "review",
        "fuzz",
        "compare",
        "merge",
        "testgen",
        "report",
        "explain",
        "dismiss",
        "adopt",
        "schema",
        "completions",
        "man",
    ] {
        assert!(run.stdout.contains(&format!("\n  {command} ")), "no `{command}` in:\n{}", run.stdout);
    }
    assert!(Project::new().run(["help", "fuzz"]).stdout.ends_with("--budget 5s\n"));
    assert!(!run.stdout.contains("\n  __parse "), "{}", run.stdout);
}

#[test]
fn what_does_not_exist_is_refused_with_exit_code_2_and_nothing_is_started() {
    let project = battery();
    for line in [
        &["explain"][..],
        &["mutate", "--mutants", "m"],
        &["fuzz", "--engine", "klee"],
        &["fuzz", "--framework", "criterion"],
        &["analyze", "--budget", "1s"],
        &["report", "--format", "sariff"],
        &["dismiss", "m"],
        &[],
    ] {
        let run = project.run(line);
        assert_eq!(run.code, Some(2), "{line:?}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{line:?} printed to standard output");
        assert!(!project.root().join("motif.out").exists(), "{line:?}");
    }
}

#[test]
fn a_misspelled_value_is_answered_with_the_nearest_one() {
    let run = Project::new().run(["fuzz", "--engine", "libfuzer"]);
    run.ends_with(2);
    assert!(run.stderr.contains("error[command-line]") && run.stderr.contains("'libfuzzer'"), "{}", run.stderr);
}

#[test]
fn combinations_that_do_not_exist_are_refused_with_the_reason() {
    let project = battery();
    project.write("mutants/x.cpp", "");
    let mutants = ["--mutants", "mutants"];
    let refused = |options: &[&str], words: &[&str]| {
        let run = project.run(["fuzz"].iter().chain(&mutants).chain(options).copied());
        project.refuses(&run, 2, words);
    };
    refused(&["--compiler", "gcc"], &["its driver is not built with another"]);
    refused(&["--coverage", "laf"], &["--coverage laf", "afl++"]);
    refused(&["--afl-mode", "persistent"], &["--afl-mode persistent", "afl++"]);
    refused(&["--engine", "afl++", "--compiler", "gcc", "--sanitizer", "memory"], &["gcc has no MemorySanitizer"]);
}

#[test]
fn what_is_about_the_projects_own_tests_needs_their_command() {
    let project = battery();
    for option in [["--confidence", "10"], ["--test-timeout", "3s"], ["--build-command", "make"]] {
        let run = project.run(["mutate"].iter().chain(&option));
        project.refuses(&run, 2, &[option[0], "--test-command"]);
    }
    for command in ["mutate", "fuzz"] {
        project.refuses(&project.run([command, "--build-command", "make"]), 2, &["--test-command"]);
    }
    project.refuses(&project.run(["mutate", "--test-command", " "]), 2, &["test-command-empty"]);
}

#[test]
fn explain_without_a_run_says_how_to_get_one() {
    let project = battery();
    project.refuses(&project.run(["explain", "x"]), 2, &["outcome-missing", "fuzz"]);
}

#[test]
fn the_root_that_is_asked_for_must_exist() {
    let project = Project::new();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_motif-cpp"))
        .args(["-C", "nowhere", "analyze"])
        .current_dir(project.root())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("error[root-missing]") && stderr.contains("nowhere"), "{stderr}");
}

#[test]
fn a_broken_configuration_is_no_reason_to_refuse_completions() {
    let project = Project::new();
    project.write("motif.yaml", "budgett: 1s\n");
    project.run(["analyze"]).ends_with(2);
    project.run(["man"]).ends_with(0);
    let run = project.run(["completions", "bash"]);
    run.ends_with(0);
    assert!(run.stdout.contains("--total-budget") && run.stdout.contains("libfuzzer"));
    assert!(!run.stdout.contains("__parse"), "the hidden command is completed");
}

#[test]
fn the_manual_has_every_command_with_its_options() {
    let page = Project::new().run(["man"]).stdout;
    for word in ["MOTIF\\-CPP FUZZ", "MOTIF\\-CPP SCAFFOLD", "\\-\\-total\\-budget", "Exit codes"] {
        assert!(page.contains(word), "no `{word}` in the manual");
    }
    assert!(!page.contains("__parse") && !page.contains("__PARSE"), "the hidden command is in the manual");
}

#[test]
fn analyze_lists_every_unit_with_how_or_why_not() {
    let project = battery();
    let run = project.run(["analyze", "-p", "build", "--format", "json"]);
    run.ends_with(0);
    let analysis: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let unit = |id: &str| {
        let units = analysis["units"].as_array().unwrap();
        units.iter().find(|unit| unit["id"] == id).unwrap_or_else(|| panic!("no `{id}` in {}", run.stdout)).clone()
    };
    let drain = unit("sat::Battery::drain(double)");
    assert_eq!(
        (&drain["driver"], &drain["access"], &drain["kind"]),
        (&"generated".into(), &"public".into(), &"method".into())
    );
    assert_eq!((&drain["file"], &drain["line"]), (&"battery.cpp".into(), &5.into()));
    let halved = unit("sat::halved(const sat::Battery &, sat::Context)");
    assert_eq!((&halved["driver"], &halved["access"]), (&"unplannable".into(), &serde_json::Value::Null));
    assert!(halved["reason"].as_str().unwrap().contains("sat::Context"), "{halved}");
    assert_eq!(unit("sat::Battery::Battery(double)")["kind"], "constructor");
    assert_eq!(analysis["summary"], serde_json::json!({ "units": 3, "generated": 2, "unplannable": 1 }));
}

#[test]
fn an_override_opens_a_unit_and_analyze_says_so() {
    let project = battery();
    project.write("utility-overrides/halved.yaml", "function: sat::halved\nparameters:\n  context: {value: nullptr}\n");
    // The parameter has no name in the definition.
    let named = SOURCE.replace("const Battery &, Context) {", "const Battery &, Context context) {");
    project.write("battery.cpp", &named);
    let run = project.run(["analyze", "-p", "build"]);
    run.ends_with(0);
    assert!(run.stdout.contains("overridden   sat::halved"), "{}\n{}", run.stdout, run.stderr);
}

#[test]
fn the_class_hierarchy_is_written_as_a_graph() {
    let project =
        Project::of(&[("a.cpp", "struct Base { virtual ~Base() {} };\nstruct Derived : Base {};\nDerived d;\n")]);
    let dot = project.run(["analyze", "-p", "build", "--graph", "dot"]);
    dot.ends_with(0);
    assert!(dot.stdout.starts_with("digraph") && dot.stdout.contains("Derived"), "{}", dot.stdout);
    let mermaid = project.run(["analyze", "-p", "build", "--graph", "mermaid"]);
    assert!(mermaid.stdout.starts_with("classDiagram") && mermaid.stdout.contains("Derived"), "{}", mermaid.stdout);
    let svg = project.run(["analyze", "-p", "build", "--graph", "svg"]);
    svg.ends_with(0);
    assert!(svg.stdout.contains("<svg ") && svg.stdout.contains("Derived</tspan>"), "{}", svg.stdout);
}

#[test]
fn an_edited_utility_class_is_what_drives() {
    let project = battery();
    project.run(["scaffold", "-p", "build", "sat::Battery::drain"]).ends_with(0);
    let hpp = "utility-overrides/sat_Battery_drain.hpp";
    project.write(hpp, &project.read(hpp).replace("class TestUtil", "/* mine */ class TestUtil"));
    project.write("mutants/battery.mut.5.1_1_1.ASR.drain.cpp", &SOURCE.replace("charge_ -= by", "charge_ += by"));
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    let unit = &outcome.0["units"][0];
    assert_eq!((&unit["driver"], &unit["copy"]), (&"edited".into(), &"image".into()), "{unit}");
    assert_eq!(outcome.status("battery.mut.5.1_1_1.ASR.drain.cpp"), "killed");
    let driven = project.read("motif.out/drivers/sat_Battery_drain/TestUtil.hpp");
    assert!(driven.contains("/* mine */") && !driven.contains("generated by motif-cpp"), "{driven}");
}

#[test]
fn a_unit_that_does_not_exist_is_answered_with_the_nearest_one() {
    let project = battery();
    let run = project.run(["scaffold", "-p", "build", "sat::Battery::drian"]);
    run.ends_with(2);
    assert!(run.stderr.contains("error[unit-unknown]") && run.stderr.contains("sat::Battery::drain"), "{}", run.stderr);
    assert!(!project.root().join("utility-overrides").exists());
}

#[test]
fn colours_follow_the_option() {
    let project = battery();
    let run = project.run(["--color", "always", "analyze", "-p", "build"]);
    assert!(run.stdout.contains("\x1b["), "{}", run.stdout);
    let run = project.run(["--color", "never", "fuzz", "--engine", "x"]);
    assert!(!run.stderr.contains('\x1b'), "{}", run.stderr);
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_motif-cpp"))
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
