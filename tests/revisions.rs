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
    let project = Project::of(&[("lib/gauge.c", text), (".gitignore", "build\nmotif.out\nlib/config.h\n")]);
    project.write("lib/config.h", "typedef int reading;\n");
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
    // Overrides are the user's, and need not fit what the revision has.
    project.write("utility-overrides/clamp.yaml", "function: clamp\nparameters:\n  value: {range: [200, 300]}\n");
    project.write("utility-overrides/stale.yaml", "function: stale\nparameters:\n  it: {range: [1, 2]}\n");
    let run = compare(&project, &["HEAD~1..HEAD", "--report", "markdown=out.md"]);
    run.ends_with(1);
    let told: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    for line in [
        "5 changed functions: 2 differ, 3 without a difference, 0 not compared",
        "differs: clamp (lib/gauge.c:9)",
        "differs: level (lib/gauge.c:21)",
        "same: middle (lib/gauge.c:16)",
        "same: scale (lib/gauge.c:25)",
        "same: step (lib/gauge.c:31)",
        "changed outside functions: lib/gauge.c",
        "wide: signature changed from `int wide(int)`",
        "fresh: new",
        "stale: gone",
        "twice: gone",
    ] {
        assert!(told.contains(&line), "no `{line}` in:\n{}", run.stdout);
    }
    assert_eq!(run.stdout.matches("with a proved test").count(), 2, "{}", run.stdout);
    // One calls what is gone, the other uses a macro that is.
    assert_eq!(run.stdout.matches("compared with the older file as a whole").count(), 2, "{}", run.stdout);
    assert!(run.stdout.contains("its older body calls `twice`, which is gone"), "{}", run.stdout);
    let one =
        project.run(["compare", "-p", "build", "--budget", "1000x", "-o", "one", "--unit", "clamp", "HEAD~1..HEAD"]);
    let others = ["scale", "fresh", "stale", "twice", "wide", "step"];
    assert!(others.iter().all(|other| !one.stdout.contains(other)), "{}", one.stdout);
    assert!(one.stdout.contains("differs: clamp"), "{}", one.stdout);
    assert!(run.stdout.contains("if (!(value <= 300)) value = 300"), "{}", run.stdout);
    // What is kept is of the project, and shows no text that is not the revision's.
    assert!(project.read("out.md").contains("gauge"));
    let lists = project.read("motif.out/tests/CMakeLists.txt");
    assert!(lists.contains("${CMAKE_CURRENT_SOURCE_DIR}/../..") && !lists.contains("cache"), "{lists}");
    let texts = |run: crate::support::Run| (run.stdout.contains("long wide(long"), run.stdout.contains("return 7;"));
    assert!(project.read("motif.out/report/elements.json").contains("long wide(long"));
    assert_eq!(texts(project.run(["report", "--format", "elements"])), (false, false));
    let run = project.run(["testgen", "-p", "build"]);
    run.ends_with(2);
    assert!(run.stderr.contains("it works after `fuzz`"), "{}", run.stderr);
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_refactoring_in_the_working_tree_has_no_difference() {
    let project = repository(OLDER);
    let strict = project.read("build/compile_commands.json").replace("\"-c\"", "\"-Wall\",\"-Werror\",\"-c\"");
    project.write("build/compile_commands.json", &strict);
    let (older, head) = ("return (a & b) + ((a ^ b) >> 1);", "int middle(");
    assert!(OLDER.contains(older) && OLDER.contains(head));
    // Beside the older body nobody calls the helper, which is a warning.
    let helper = format!("static int half(int a, int b) {{ return (a ^ b) >> 1; }}\n{head}");
    let newer = OLDER.replace(older, "return half(a, b) + (a & b);").replace(head, &helper);
    project.write("lib/gauge.c", &newer);
    let run = compare(&project, &["HEAD"]);
    run.ends_with(0);
    assert!(run.stdout.starts_with("1 changed function: 0 differ, 1 without"), "{}", run.stdout);
    assert_eq!(project.outcome().mutants().len(), 1);
    // A comment is no change, and the result says so.
    project.write("lib/gauge.c", &OLDER.replace("return", "/* so */ return"));
    let run = compare(&project, &["HEAD", "--report", "junit=out.xml"]);
    run.ends_with(0);
    assert!(run.stdout.starts_with("0 changed functions"), "{}", run.stdout);
    assert!(project.outcome().mutants().is_empty() && project.root().join("out.xml").is_file());
    // What nothing can be said of is told with the rest.
    project.write("lib/gauge.c", &OLDER.replace("return (a & b)", "__builtin_trap();\n    return (a & b)"));
    let run = compare(&project, &["HEAD"]);
    run.ends_with(4);
    assert!(run.stdout.contains("\nnot compared: middle") && run.stderr.contains("nothing-tested"), "{}", run.stdout);
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
