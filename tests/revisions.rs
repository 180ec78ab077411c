//! `compare`: the behaviour of two revisions.

use crate::support::Project;
use std::process::Command;

const OLDER: &str = include_str!("sources/revisions/older.c");
const NEWER: &str = include_str!("sources/revisions/newer.c");

fn git(project: &Project, arguments: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let run = Command::new("git").arg("-C").arg(project.root()).args(who).args(arguments).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// A repository whose last commit has the first text.
fn repository(text: &str) -> Project {
    let project = Project::of(&[("lib/gauge.c", text), (".gitignore", "build\nmotif.out\n")]);
    project.database(&["lib/gauge.c"]);
    git(&project, &["init", "--quiet"]);
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "--quiet", "-m", "older"]);
    project
}

fn compare(project: &Project, more: &[&str]) -> crate::support::Run {
    project.run(["compare", "-p", "build", "--budget", "20000x", "--fail-on-difference"].iter().chain(more))
}

#[test]
fn two_commits_are_compared_whatever_the_working_tree_has_and_each_difference_has_a_proved_test() {
    let project = repository(OLDER);
    project.write("lib/gauge.c", NEWER);
    git(&project, &["commit", "--quiet", "-am", "newer"]);
    project.write("lib/gauge.c", "int clamp(int value) { return 7; }\n");
    let run = compare(&project, &["HEAD~1..HEAD"]);
    run.ends_with(1);
    let told: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    for line in [
        "4 changed functions: 2 differ, 1 without a difference, 1 not compared",
        "differs: clamp (lib/gauge.c:8)",
        "differs: level (lib/gauge.c:20)",
        "same: middle (lib/gauge.c:15)",
        "not compared: scale",
        "wide: signature changed from `int wide(int)`",
        "fresh: new",
        "stale: gone",
        "twice: gone",
    ] {
        assert!(told.contains(&line), "no `{line}` in:\n{}", run.stdout);
    }
    assert_eq!(run.stdout.matches("with a proved test").count(), 2, "{}", run.stdout);
    assert!(run.stdout.contains("int value = "), "{}", run.stdout);
}

#[test]
fn a_refactoring_in_the_working_tree_has_no_difference() {
    let project = repository(OLDER);
    let older = "return (a & b) + ((a ^ b) >> 1);";
    assert!(OLDER.contains(older));
    project.write("lib/gauge.c", &OLDER.replace(older, "int half = (a ^ b) >> 1;\n    return half + (a & b);"));
    let run = compare(&project, &["HEAD"]);
    run.ends_with(0);
    assert!(run.stdout.starts_with("1 changed function: 0 differ, 1 without"), "{}", run.stdout);
    // A comment is no change.
    project.write("lib/gauge.c", &OLDER.replace("return", "/* so */ return"));
    let run = compare(&project, &["HEAD"]);
    run.ends_with(0);
    assert!(run.stdout.starts_with("0 changed functions"), "{}", run.stdout);
}

#[test]
fn revisions_that_do_not_exist_are_refused_with_what_to_do() {
    let project = repository(OLDER);
    project.refuses(&compare(&project, &["nowhere"]), 2, &["revision-unknown", "nowhere", "--unshallow"]);
    project.refuses(&compare(&project, &["HEAD..--all"]), 2, &["revision-unknown"]);
    project.refuses(&compare(&project, &["HEAD...HEAD"]), 2, &["revisions-unclear", "OLDER..NEWER"]);
    std::fs::remove_dir_all(project.root().join(".git")).unwrap();
    project.refuses(&compare(&project, &["HEAD"]), 2, &["not-a-repository"]);
}
