//! The project's own tests first, the search for what they leave, and what is said of both.

use crate::support::Project;

const SOURCE: &str = include_str!("sources/one_command/lib.c");
const CHECK: &str = include_str!("sources/one_command/check.c");
const CMAKE: &str = include_str!("sources/one_command/CMakeLists.txt");
const TESTS: [&str; 4] = ["-p", "build", "--test-command", "ctest --test-dir build"];

fn project() -> Project {
    let project = Project::new();
    for (file, text) in [("lib.c", SOURCE), ("check.c", CHECK), ("CMakeLists.txt", CMAKE)] {
        project.write(file, text);
    }
    project.configure();
    project
}

#[test]
fn fuzz_searches_what_the_projects_tests_leave_and_counts_both() {
    let project = project();
    let fuzz = |more: &[&str]| project.run(["fuzz", "--budget", "3000x"].iter().chain(&TESTS).chain(more));
    let run = fuzz(&["--operators", "ROR,AOR", "--fail-under", "95", "--report", "markdown=-"]);
    // One that never differs is left.
    run.ends_with(0);
    let headline = run.stderr.lines().find(|line| line.starts_with("23 mutants: ")).unwrap_or_default();
    assert!(headline.starts_with("23 mutants: your tests kill 10 (43.5 %), "), "{}", run.stdout);
    assert!(headline.ends_with(" new tests kill 12 more (95.7 %), 1 live: 1 undecided"), "{headline}");
    assert!(run.stdout.starts_with(&format!("### motif-cpp: {headline}\n")), "{}", run.stdout);
    let page = project.read("motif.out/report/index.html");
    assert!(page.contains("your tests kill 10 (43.5 %)"), "not in the page");
    let outcome = project.outcome();
    for (id, mutant) in outcome.mutants() {
        match mutant["suite"].as_str() {
            Some("killed") => assert!(mutant["status"] == "killed" && mutant["kill"].is_null(), "{id}"),
            Some(suite) => {
                assert!(mutant["effort"].is_object() || mutant["kill"].is_object(), "{id}: {mutant}");
                let covered = mutant["unit"] == "clamp";
                assert_eq!(suite, if covered { "live" } else { "not_covered" }, "{id}");
            }
            None => assert!(["equivalent", "duplicate"].contains(&mutant["status"].as_str().unwrap()), "{id}"),
        }
    }
    assert!((outcome.0["summary"]["suite_score"].as_f64().unwrap() - 10.0 / 23.0).abs() < 1e-9);
    assert!(outcome.0["cpu_seconds"]["suite"].as_f64().unwrap() > 0.0);
    project.run(["report", "--fail-under", "96"]).ends_with(1);

    // What the tests have said is not asked again.
    let resumed = fuzz(&["--operators", "ROR,AOR", "--resume"]);
    resumed.ends_with(0);
    assert!(!resumed.stderr.contains("building the original"), "{}", resumed.stderr);
    assert!(resumed.stdout.contains(headline), "{}", resumed.stdout);
    fuzz(&["--operators", "ROR,AOR", "--resume", "--build-command", "true"]).ends_with(2);

    // All that is left can be nothing.
    let twice = fuzz(&["--unit", "twice", "--operators", "AOR"]);
    twice.ends_with(0);
    assert!(twice.stdout.contains("\n4 mutants: your tests kill 4 (100 %), 0 live\n"), "{}", twice.stdout);
}

#[test]
fn mutate_names_what_the_tests_leave_and_the_next_command_which_goes_on_from_there() {
    let project = project();
    let run =
        project.run(["mutate", "--unit", "clamp", "--unit", "idle", "--operators", "AOR,ROR"].iter().chain(&TESTS));
    run.ends_with(0);
    for words in [
        "  survived     lib.c:2:13: ROR in clamp: `<` → `<=`\n",
        "  not covered  lib.c:11:12: AOR in idle: `+` → `-`\n",
        "\n  motif-cpp fuzz -p build --mutants motif.out\n",
    ] {
        assert!(run.stdout.contains(words), "no `{words}` in:\n{}", run.stdout);
    }
    let report = project.run(["report"]).stdout;
    assert!(report.contains("\n14 mutants: your tests kill 6 (42.9 %), 8 live: 8 not searched\n"), "{report}");
    let explained = project.run(["explain", "lib.mut.11.12_13_1.AOR"]).stdout;
    assert!(explained.contains("suite     your tests do not reach it"), "{explained}");
    let fuzzed = project.run(["fuzz", "-p", "build", "--mutants", "motif.out", "--budget", "3000x"]);
    fuzzed.ends_with(0);
    assert!(fuzzed.stdout.contains("\n14 mutants: your tests kill 6 (42.9 %), "), "{}", fuzzed.stdout);
    assert!(fuzzed.stdout.contains(" kill 8 more (100 %), 0 live\n"), "{}", fuzzed.stdout);
}
