//! Bad input of every kind ends with its own message and exit code, and leaves nothing half done.

use crate::support;
use crate::support::{Project, path_without};
use std::time::{Duration, Instant};

const GAUGE: &str = include_str!("sources/bad_input/gauge.c");

/// A project of one C function with one mutant that dies at once.
fn gauge() -> Project {
    let project = Project::of(&[("gauge.c", GAUGE)]);
    project.write("mutants/gauge.mut.5.1_16_1.ROR.gauge.c", &GAUGE.replace("level > 100", "level < 100"));
    project
}

const GAUGE_MUTANT: &str = "gauge.mut.5.1_16_1.ROR.gauge.c";

#[test]
fn the_small_project_of_these_tests_is_a_good_one() {
    let project = gauge();
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    assert!(project.outcome().verified(GAUGE_MUTANT));
}

#[test]
fn no_compile_database() {
    let project = gauge();
    std::fs::remove_dir_all(project.root().join("build")).unwrap();
    project.refuses(&project.fuzz(&[]), 2, &["compile_commands.json"]);
    project.refuses(&project.run(["analyze"]), 2, &["compile_commands.json"]);
}

#[test]
fn a_compile_database_that_is_no_json() {
    let project = gauge();
    project.write("build/compile_commands.json", "[{]");
    project.refuses(&project.fuzz(&[]), 2, &["compile_commands.json"]);
}

#[test]
fn a_compile_database_that_names_files_that_are_gone() {
    let project = gauge();
    std::fs::remove_file(project.root().join("gauge.c")).unwrap();
    project.refuses(&project.fuzz(&[]), 2, &["gauge.c"]);
}

#[test]
fn a_source_that_does_not_parse_costs_its_own_units_only() {
    let project = gauge();
    project.write("broken.c", "int broken(int x) { return x + ; }\n");
    project.write("mutants/broken.mut.1.1_1_1.ICR.broken.c", "int broken(int x) { return x - ; }\n");
    project.database(&["gauge.c", "broken.c"]);
    let run = project.fuzz(&["--budget", "2s"]);
    run.ends_with(0);
    assert!(run.stderr.contains("broken.c"), "no warning in:\n{}", run.stderr);
    let outcome = project.outcome();
    assert!(outcome.verified(GAUGE_MUTANT));
    let broken = "broken.mut.1.1_1_1.ICR.broken.c";
    assert!(["invalid", "no_driver"].contains(&outcome.status(broken)), "{}", outcome.status(broken));
    assert!(!outcome.reason(broken).is_empty());
}

#[test]
fn a_project_of_which_nothing_parses() {
    let project = gauge();
    project.write("gauge.c", "int gauge(int level) { return ; + }\n");
    let run = project.fuzz(&["--budget", "2s"]);
    run.ends_with(4);
    assert!(run.stderr.contains("gauge.c"), "{}", run.stderr);
}

#[test]
fn a_mutant_for_a_file_that_is_not_in_the_project() {
    let project = gauge();
    project.write("mutants/stranger.mut.1.1_1_1.ROR.stranger.c", "int stranger(void) { return 1; }\n");
    let run = project.fuzz(&["--budget", "2s"]);
    run.ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(GAUGE_MUTANT));
    let stranger = "stranger.mut.1.1_1_1.ROR.stranger.c";
    assert_eq!(outcome.status(stranger), "invalid");
    assert!(!outcome.reason(stranger).is_empty());
}

#[test]
fn mutants_none_of_which_belongs_to_the_project() {
    let project = gauge();
    std::fs::rename(
        project.root().join("mutants").join(GAUGE_MUTANT),
        project.root().join("mutants/stranger.mut.5.1_16_1.ROR.gauge.c"),
    )
    .unwrap();
    project.fuzz(&["--budget", "2s"]).ends_with(2);
}

#[test]
fn an_empty_mutant_folder_and_one_that_is_not_there() {
    let project = gauge();
    std::fs::remove_file(project.root().join("mutants").join(GAUGE_MUTANT)).unwrap();
    project.refuses(&project.fuzz(&[]), 2, &["mutants"]);
    std::fs::remove_dir(project.root().join("mutants")).unwrap();
    project.refuses(&project.fuzz(&[]), 2, &["mutants"]);
}

#[test]
fn mutants_that_are_no_mutants_of_one_function_are_invalid_with_their_reasons() {
    let project = gauge();
    let two = format!("{GAUGE}int second(int x) {{\n  return x + 1;\n}}\n");
    project.write("gauge.c", &two);
    let mutants = [
        ("gauge.mut.1.1_1_1.SAME.gauge.c", two.clone(), "invalid"),
        ("gauge.mut.2.1_1_1.TWO.gauge.c", two.replace("level < 0", "level > 0").replace("x + 1", "x - 1"), "invalid"),
        ("gauge.mut.1.1_1_1.DECL.gauge.c", two.replace("int second(int x)", "int second(long x)"), "invalid"),
        ("gauge.mut.5.1_1_1.SYNTAX.gauge.c", two.replace("level > 100 ?", "level > ?"), "invalid"),
        (GAUGE_MUTANT, two.replace("level > 100", "level < 100"), "killed"),
    ];
    for (id, text, _) in &mutants {
        project.write(&format!("mutants/{id}"), text);
    }
    project.fuzz(&["--budget", "2s", "--framework", "assert"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, status) in &mutants {
        assert_eq!(outcome.status(id), *status, "{id}: {}", outcome.reason(id));
        assert!(*status == "killed" || !outcome.reason(id).is_empty(), "{id}");
    }
}

#[test]
fn mutants_none_of_which_is_one_are_refused_and_so_is_a_framework_for_another_language() {
    let project = gauge();
    project.write(&format!("mutants/{GAUGE_MUTANT}"), GAUGE);
    project.refuses(&project.fuzz(&["--fail-under", "50"]), 2, &["mutants-invalid", GAUGE_MUTANT]);
    project.write(&format!("mutants/{GAUGE_MUTANT}"), &GAUGE.replace("level > 100", "level < 100"));
    project.refuses(&project.fuzz(&["--framework", "gtest"]), 2, &["framework-language", "`gauge` is C"]);
}

#[test]
fn a_mutant_that_does_not_compile_costs_nothing_but_itself() {
    let project = gauge();
    let broken = "gauge.mut.5.1_16_2.VRR.gauge.c";
    project.write(&format!("mutants/{broken}"), &GAUGE.replace("? 100", "? undeclared"));
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(GAUGE_MUTANT));
    assert!(["unbuildable", "invalid"].contains(&outcome.status(broken)), "{}", outcome.status(broken));
    assert!(outcome.reason(broken).contains("undeclared"), "{}", outcome.reason(broken));
}

#[test]
fn a_mutant_that_only_the_projects_own_flags_refuse_is_unbuildable() {
    let project = gauge();
    let strict = project.read("build/compile_commands.json").replace("\"-c\"", "\"-Werror=return-type\",\"-c\"");
    project.write("build/compile_commands.json", &strict);
    let refused = "gauge.mut.5.1_3_1.SDL.gauge.c";
    project.write(&format!("mutants/{refused}"), &GAUGE.replace("return level > 100 ? 100 : level;", ";"));
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(GAUGE_MUTANT));
    assert_eq!(outcome.status(refused), "unbuildable", "{}", outcome.reason(refused));
    assert!(outcome.reason(refused).contains("return"), "{}", outcome.reason(refused));
}

fn mutate(project: &Project, more: &[&str]) -> support::Run {
    project.run(["mutate", "-p", "build"].iter().chain(more))
}

/// The same words are refused by both commands that make mutants, and nothing is left behind.
#[track_caller]
fn neither_takes(project: &Project, more: &[&str], mentions: &[&str]) {
    project.refuses(&mutate(project, more), 2, mentions);
    project.refuses(&project.run(["fuzz", "-p", "build"].iter().chain(more)), 2, mentions);
}

#[test]
fn an_unknown_operator_is_answered_with_the_nearest_and_the_list() {
    neither_takes(&gauge(), &["--operators", "AOR,RORX"], &["operator-unknown", "`RORX`", "`ROR`", "sufficient ("]);
    neither_takes(&gauge(), &["--operators", "-all"], &["operators-none"]);
}

#[test]
fn a_scope_that_is_empty_says_which_filter_emptied_it() {
    let project = gauge();
    project.write("idle.c", "int idle;\n");
    project.database(&["gauge.c", "idle.c"]);
    neither_takes(&project, &["--lines", "gauge.c:90-99"], &["lines-missing", "gauge.c ends at line"]);
    // Nothing to do is no error: there is an outcome without mutants.
    let empty = |more: &[&str], words: &[&str]| {
        for run in
            [mutate(&project, more), project.run(["fuzz", "-p", "build", "--fail-under", "50"].iter().chain(more))]
        {
            run.ends_with(0);
            words.iter().for_each(|words| assert!(run.stderr.contains(words), "{}", run.stderr));
        }
        assert_eq!(
            (project.outcome().mutants().len(), &project.outcome().0["summary"]["score"]),
            (0, &serde_json::Value::Null)
        );
    };
    empty(&["--lines", "gauge.c:1"], &["scope-empty", "`--lines gauge.c:1-1` leaves none of"]);
    empty(&["--file", "idle.c", "--sample", "3"], &["scope-empty", "`--file idle.c`"]);
    empty(&["--exclude", "*.c"], &["scope-empty", "`--exclude *.c` leaves none of 1 file"]);
}

#[test]
fn files_units_and_lines_that_are_not_there_are_named_with_what_is_near() {
    let project = gauge();
    neither_takes(&project, &["--file", "guage.c"], &["file-unknown", "`guage.c`", "did you mean `gauge.c`?"]);
    neither_takes(&project, &["--file", "src/["], &["file-pattern"]);
    neither_takes(&project, &["--unit", "guage"], &["unit-unknown", "`gauge`"]);
    neither_takes(&project, &["--unit", "gauge.c"], &["unit-unknown", "`--file gauge.c`"]);
    neither_takes(&project, &["--file", "gauge"], &["file-unknown", "`--unit gauge`"]);
    neither_takes(&project, &["--lines", "guage.c:1-2"], &["file-unknown", "`gauge.c`"]);
    neither_takes(&project, &["--lines", "9-2"], &["command-line", "9-2"]);
    project.write("other.c", "int other(int x) { return x + 1; }\n");
    project.database(&["gauge.c", "other.c"]);
    neither_takes(&project, &["--lines", "1-2"], &["lines-ambiguous", "gauge.c:1-2"]);
}

#[test]
fn a_revision_that_is_not_there_and_a_folder_without_git() {
    let mut project = gauge();
    neither_takes(&project, &["--since", "HEAD"], &["not-a-repository", "--since"]);
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git").current_dir(project.root()).args(arguments).status();
        assert!(done.unwrap().success());
    };
    git(&["init", "--quiet"]);
    neither_takes(&project, &["--since", "v1.0"], &["revision-unknown", "v1.0"]);
    let path = path_without(|name| name == "git");
    project.environment.push(("PATH".into(), path.path().to_str().unwrap().into()));
    project.refuses(&mutate(&project, &["--since", "HEAD"]), 3, &["git-missing"]);
}

#[test]
fn a_coverage_file_of_other_sources_names_the_first_few_of_them() {
    let project = gauge();
    let foreign = |n: u32| format!("TN:\nSF:/elsewhere/src/part{n}.c\nDA:1,1\nend_of_record\n");
    project.write("other.info", &(1..=5).map(foreign).collect::<String>());
    let words = ["coverage-foreign", "other.info", "/elsewhere/src/part1.c", "2 more"];
    neither_takes(&project, &["--coverage-file", "other.info"], &words);
    project.write("none.info", "no coverage at all\n");
    neither_takes(&project, &["--coverage-file", "none.info"], &["coverage-file", "none.info"]);
    neither_takes(&project, &["--coverage-file", "gone.info"], &["coverage-file", "gone.info"]);
    project.write("cold.info", "SF:gauge.c\nDA:1,0\nDA:2,0\nDA:5,0\nend_of_record\n");
    let cold = mutate(&project, &["--coverage-file", "cold.info"]);
    cold.ends_with(0);
    assert!(cold.stderr.contains("scope-empty") && cold.stderr.contains("cold.info"), "{}", cold.stderr);
}

#[test]
fn a_list_of_mutants_that_is_broken_or_of_another_version_of_the_sources() {
    let project = gauge();
    let taken = |text: &str, mentions: &[&str]| {
        project.write("list/mutants.json", text);
        let run = project.run(["fuzz", "-p", "build", "--mutants", "list"]);
        project.refuses(&run, 2, mentions);
    };
    taken("{", &["mutants-json", "list/mutants.json:1"]);
    let entry = |diff: &str, status: &str| {
        serde_json::json!({"mutants": [{"id": "m", "file": "gauge.c", "status": status, "diff": diff}]}).to_string()
    };
    taken(&entry("--- a/gauge.c\n+++ b/gauge.c\n@@ -2 +2 @@\n-  x\n+  y\n", "new"), &["mutants-json", "does not fit"]);
    taken(&entry("", "odd"), &["mutants-json", "odd"]);
}

#[test]
fn an_override_with_an_unknown_key_names_the_nearest_one_and_its_line() {
    let project = gauge();
    project.write("utility-overrides/gauge.yaml", "function: gauge\nparametres:\n  level:\n    range: [0, 10]\n");
    project.refuses(&project.fuzz(&[]), 2, &["parametres", "parameters", "gauge.yaml:2"]);
}

#[test]
fn an_override_for_an_unknown_class() {
    let project = Project::sample("satellite");
    project.write("utility-overrides/x.yaml", "class: sat::ChargableModule\n");
    project.refuses(&project.fuzz(&[]), 2, &["sat::ChargableModule", "sat::ChargeableModule", "x.yaml:1"]);
}

#[test]
fn an_override_with_a_subtype_that_is_not_one() {
    let project = Project::sample("satellite");
    let text = "class: sat::ChargeableModule\nsubtypes:\n  sat::Mission: [sat::Vector3]\n";
    project.write("utility-overrides/x.yaml", text);
    project.refuses(&project.fuzz(&[]), 2, &["sat::Vector3", "sat::Mission", "x.yaml:3"]);
}

#[test]
fn a_configuration_with_an_unknown_key_names_the_nearest_one() {
    let project = gauge();
    project.write("motif.yaml", "seed: 1\nbudgett: 10s\n");
    project.refuses(&project.fuzz(&[]), 2, &["budgett", "budget", "motif.yaml:2"]);
}

#[test]
fn an_original_that_crashes_on_every_input() {
    let text = "#include <stdlib.h>\nint doomed(int x) {\n  abort();\n  return x + 1;\n}\n";
    let project = Project::of(&[("doomed.c", text)]);
    let id = "doomed.mut.4.1_12_1.AOR.doomed.c";
    project.write(&format!("mutants/{id}"), &text.replace("x + 1", "x - 1"));
    project.fuzz(&["--budget", "2s"]).ends_with(4);
    let outcome = project.outcome();
    assert_eq!(outcome.status(id), "baseline_failed");
    assert!(!outcome.reason(id).is_empty());
}

#[test]
fn an_original_that_crashes_on_some_inputs_is_suspected_and_its_mutants_still_die() {
    let text = "int ratio(int part, int whole) {\n  return part / whole + 1;\n}\n";
    let project = Project::of(&[("ratio.c", text)]);
    let id = "ratio.mut.2.1_1_1.AOR.ratio.c";
    project.write(&format!("mutants/{id}"), &text.replace("+ 1", "- 1"));
    project.fuzz(&["--budget", "3s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}", outcome.reason(id));
    let suspected = outcome.0["units"][0]["suspected_faults"].as_array().map_or(0, Vec::len);
    assert!(suspected > 0, "the division by zero is not listed: {}", outcome.0["units"][0]);
}

#[test]
fn no_clang() {
    let mut project = gauge();
    let path = path_without(|name| name.contains("clang"));
    project.environment.push(("PATH".into(), path.path().to_str().unwrap().into()));
    project.refuses(&project.fuzz(&[]), 3, &["clang", "install"]);
}

#[test]
fn no_afl() {
    let mut project = gauge();
    let path = path_without(|name| name.starts_with("afl-"));
    project.environment.push(("PATH".into(), path.path().to_str().unwrap().into()));
    project.refuses(&project.fuzz(&["--engine", "afl++"]), 3, &["afl", "install"]);
}

#[test]
fn what_was_found_before_an_interruption_is_kept() {
    let project = gauge();
    // Equivalent, so that the search would go on for its whole budget.
    project.write("mutants/gauge.mut.2.1_13_1.ROR.gauge.c", &GAUGE.replace("level < 0", "level <= 0"));
    let mut child = project.start(["fuzz", "-p", "build", "--mutants", "mutants", "--budget", "120s"]);
    let journal = project.root().join("motif.out/journal.jsonl");
    let begun = Instant::now();
    let found = || std::fs::read_to_string(&journal).is_ok_and(|text| text.contains(GAUGE_MUTANT));
    while !found() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(100));
    }
    let interrupted = Instant::now();
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(interrupted.elapsed() < Duration::from_secs(20), "it took {:?} to stop", interrupted.elapsed());
    let outcome = project.outcome();
    assert_eq!(outcome.0["interrupted"], true);
    assert_eq!(outcome.status(GAUGE_MUTANT), "killed");
}

#[test]
fn a_second_run_on_the_same_output_folder_is_refused_and_the_first_goes_on() {
    let project = gauge();
    project.write("mutants/gauge.mut.2.1_13_1.ROR.gauge.c", &GAUGE.replace("level < 0", "level <= 0"));
    let mut first = project.start(["fuzz", "-p", "build", "--mutants", "mutants", "--budget", "8s"]);
    let begun = Instant::now();
    while !project.root().join("motif.out/journal.jsonl").exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let second = project.fuzz(&["--budget", "1s"]);
    second.ends_with(2);
    assert!(second.stderr.contains("output-locked") && second.stderr.contains("motif.out"), "{}", second.stderr);
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert!(project.outcome().verified(GAUGE_MUTANT));
}

#[test]
fn an_output_folder_that_cannot_be_made_is_named() {
    let project = gauge();
    project.write("occupied", "a file, not a folder");
    let run = project.fuzz(&["-o", "occupied/out"]);
    run.ends_with(2);
    assert!(run.stderr.contains("occupied/out"), "{}", run.stderr);
    assert!(!run.stderr.contains("error[internal]"), "{}", run.stderr);
}

#[test]
fn an_output_folder_that_is_somebody_elses_is_refused_by_every_command_and_left_as_it_is() {
    let project = gauge();
    let root = project.root();
    for file in ["mine/tests/mine.c", "mine/shards/1", "mine/inputs/a"] {
        project.write(file, "mine");
    }
    let before = support::files_below(root);
    for (command, more) in [("fuzz", &[][..]), ("fuzz", &["--executor", "slurm"]), ("mutate", &[]), ("testgen", &[])] {
        let run = project.run([&[command, "-p", "build", "-o", "mine"], more].concat());
        project.refuses(&run, 2, &["error[output-taken]: mine: ", "`inputs`"]);
    }
    project.refuses(&project.fuzz(&["-o", "."]), 2, &["error[output-is-source]: .: "]);
    assert_eq!(support::files_below(root), before);
}

#[test]
fn a_disk_that_is_full_is_an_error_that_names_the_file() {
    let project = gauge();
    let limited = project.run_with_small_files(2048, ["fuzz", "-p", "build", "--mutants", "mutants", "--budget", "1s"]);
    assert_ne!(limited.code, Some(0), "{}", limited.stderr);
    assert!(limited.code.is_some(), "killed by a signal: {}", limited.stderr);
    assert!(limited.stderr.contains("motif.out") && limited.stderr.contains("error["), "{}", limited.stderr);
    assert!(!limited.stderr.contains("error[internal]"), "{}", limited.stderr);
}
