//! Mutants of our own: `mutate`, its scope and its list, and `fuzz` without mutants.

use crate::support;
use crate::support::{Project, Run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

const RANGE: &str = include_str!("sources/mutate/range.c");

const HEADER: &str = include_str!("sources/mutate/range.hpp");

const USER: &str = include_str!("sources/mutate/user.cpp");

fn c_project() -> Project {
    Project::of(&[("range.c", RANGE)])
}

fn cxx_project() -> Project {
    Project::of(&[("range.hpp", HEADER), ("user.cpp", USER), ("other.cpp", "#include \"range.hpp\"\nRange r;\n")])
}

fn mutate(project: &Project, more: &[&str]) -> Run {
    project.run(["mutate", "-p", "build"].iter().chain(more))
}

fn list(project: &Project) -> Value {
    serde_json::from_str(&project.read("motif.out/mutants.json")).unwrap()
}

fn mutants(list: &Value) -> &Vec<Value> {
    list["mutants"].as_array().unwrap()
}

/// Lines of `--list`, without what follows the place and the operator.
fn listed(project: &Project, more: &[&str]) -> Vec<String> {
    let run = mutate(project, &["--list"].iter().chain(more).copied().collect::<Vec<_>>());
    run.ends_with(0);
    run.stdout.lines().map(str::to_owned).collect()
}

fn lines_of(listed: &[String]) -> BTreeSet<u32> {
    listed.iter().map(|line| line.split(':').nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn the_list_has_everything_of_the_contract_and_two_runs_write_the_same() {
    let project = c_project();
    let run = mutate(&project, &[]);
    run.ends_with(0);
    assert!(run.stdout.contains("operator") && run.stdout.contains("ROR"), "{}", run.stdout);
    let first = project.read("motif.out/mutants.json");
    let list = list(&project);
    for mutant in mutants(&list) {
        let text = |key: &str| mutant[key].as_str().unwrap_or_else(|| panic!("no `{key}` in {mutant}")).to_owned();
        assert!(text("id").starts_with("range/range.mut."), "{mutant}");
        assert_eq!(text("file"), "range.c");
        assert!(["clamp", "twice"].contains(&text("unit").as_str()));
        assert!(["new", "equivalent", "duplicate", "unbuildable"].contains(&text("status").as_str()));
        assert!(text("diff").starts_with("--- a/range.c\n+++ b/range.c\n@@ -"), "{mutant}");
        assert!(mutant["line"].as_u64().unwrap() > 1 && mutant["column"].as_u64().unwrap() > 1);
    }
    let ids: BTreeSet<&str> = mutants(&list).iter().map(|m| m["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), mutants(&list).len(), "an id is there twice");
    assert!(list["dropped"].is_object() && list["seed"] == 0);
    assert!(!project.root().join("motif.out/mutants").exists(), "whole files without --files");
    std::fs::remove_dir_all(project.root().join("motif.out")).unwrap();
    mutate(&project, &["-j", "2"]).ends_with(0);
    assert!(project.read("motif.out/mutants.json") == first, "two runs differ");
}

#[test]
fn whole_files_are_those_to_be_tried_and_old_ones_go() {
    let project = cxx_project();
    mutate(&project, &["--files"]).ends_with(0);
    let check = || {
        let list = list(&project);
        let open: BTreeSet<String> = mutants(&list)
            .iter()
            .filter(|mutant| mutant["status"] == "new")
            .map(|mutant| mutant["id"].as_str().unwrap().to_owned())
            .collect();
        let files: BTreeSet<String> =
            support::files_below(&project.root().join("motif.out/mutants")).into_iter().collect();
        assert_eq!(open, files);
        files
    };
    let all = check();
    assert!(all.iter().any(|id| id.starts_with("range/range.mut.") && id.ends_with(".operator_equal.hpp")), "{all:?}");
    mutate(&project, &["--files", "--unit", "length"]).ends_with(0);
    let some = check();
    assert!(some.len() < all.len() && some.iter().all(|id| id.starts_with("user/")), "{some:?}");
    // A whole file is the original but for the change.
    let list = list(&project);
    let mutant = mutants(&list).iter().find(|mutant| mutant["status"] == "new").unwrap();
    let text = project.read(format!("motif.out/mutants/{}", mutant["id"].as_str().unwrap()));
    let differing = USER.lines().zip(text.lines()).filter(|(old, new)| old != new).count();
    assert_eq!(differing, 1, "{text}");
}

#[test]
fn a_folder_of_others_is_not_mixed_with_ours() {
    let project = c_project();
    project.write("motif.out/mutants/mine.c", "int x;\n");
    let run = mutate(&project, &["--files"]);
    run.ends_with(2);
    assert!(run.stderr.contains("error[mutants-folder-taken]"), "{}", run.stderr);
    assert_eq!(project.read("motif.out/mutants/mine.c"), "int x;\n");
}

#[test]
fn listing_writes_nothing() {
    let project = c_project();
    let lines = listed(&project, &[]);
    assert!(lines.iter().any(|line| line.starts_with("range.c:2:13: ROR in clamp: `<` → `<=`")), "{lines:?}");
    let json = mutate(&project, &["--list", "--format", "json"]);
    assert_eq!(mutants(&serde_json::from_str(&json.stdout).unwrap()).len(), lines.len());
    assert!(!project.root().join("motif.out").exists());
}

#[test]
fn files_units_lines_and_operators_narrow_each_other() {
    let project = cxx_project();
    let all = listed(&project, &[]);
    assert_eq!(lines_of(&listed(&project, &["--file", "*.hpp"])), [5, 6].into());
    assert!(listed(&project, &["--exclude", "*.hpp"]).iter().all(|line| line.starts_with("user.cpp:")));
    assert_eq!(lines_of(&listed(&project, &["--lines", "range.hpp:6"])), [6].into());
    let holds = listed(&project, &["--unit", "Range::holds", "--operators", "ROR"]);
    assert!(!holds.is_empty() && holds.iter().all(|line| line.contains(": ROR in Range::holds")), "{holds:?}");
    let others = listed(&project, &["--operators", "-ROR"]);
    assert!(others.len() < all.len() && others.iter().all(|line| !line.contains(": ROR in ")));
    // A header is mutated once, whoever includes it.
    let distinct: BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn the_configuration_says_the_same_and_the_command_line_wins() {
    let project = cxx_project();
    project.write("motif.yaml", "build-dir: build\nfile: [user.cpp]\noperators: [-SDL]\n");
    let run = project.run(["mutate", "--list"]);
    run.ends_with(0);
    assert!(run.stdout.lines().all(|line| line.starts_with("user.cpp:")), "{}", run.stdout);
    let run = project.run(["mutate", "--list", "--file", "range.hpp"]);
    assert!(run.stdout.lines().all(|line| line.starts_with("range.hpp:")), "{}", run.stdout);
}

#[test]
fn marks_leave_out_and_are_listed_with_their_reasons() {
    let marked = RANGE
        .replace("int twice", "// motif: skip the demo only\nint twice")
        .replace("  if (value < low) {", "  if (value < low) {  // motif: skip checked elsewhere");
    let project = Project::of(&[("range.c", &marked)]);
    let run = mutate(&project, &[]);
    run.ends_with(0);
    assert!(run.stdout.contains("checked elsewhere") && run.stdout.contains("the demo only"), "{}", run.stdout);
    let list = list(&project);
    assert!(mutants(&list).iter().all(|mutant| mutant["unit"] == "clamp" && mutant["line"] != 2), "{list}");
    let skipped = list["skipped"].as_array().unwrap();
    let marks: Vec<(&Value, &Value)> = skipped.iter().map(|mark| (&mark["line"], &mark["reason"])).collect();
    assert_eq!(marks, [(&2.into(), &"checked elsewhere".into()), (&8.into(), &"the demo only".into())]);
    assert!(skipped.iter().all(|mark| mark["mutants"].as_u64().unwrap() > 0));
}

#[test]
fn what_nobody_asserts_on_is_left_out_said_and_counted_and_a_project_adds_to_it() {
    let project = Project::of(&[("arid.cpp", include_str!("sources/mutate/arid.cpp"))]);
    let lines = |skipped: &Value| -> Vec<u64> {
        skipped.as_array().unwrap().iter().map(|mark| mark["line"].as_u64().unwrap()).collect()
    };
    let run = mutate(&project, &[]);
    run.ends_with(0);
    assert!(run.stderr.contains("nobody asserts on: capacity "), "{}", run.stderr);
    assert!(!run.stdout.contains("skipped by marks"), "{}", run.stdout);
    // No operator touches what a macro expands to.
    assert_eq!(lines(&list(&project)["skipped"]), [16, 17]);
    project.write("utility-overrides/arid.yaml", "arid:\n  logging: [\"app::audit\"]\n");
    mutate(&project, &[]).ends_with(0);
    let list = list(&project);
    assert_eq!(lines(&list["skipped"]), [16, 17, 19]);
    assert!(mutants(&list).iter().all(|mutant| mutant["line"].as_u64().unwrap() >= 20), "{list}");
    assert!(list["skipped"][2]["mutants"].as_u64().unwrap() > 1 && list["skipped"][2]["reason"] == "logging (arid)");
    project.write("utility-overrides/arid.yaml", "arid:\n  logging: [\"a[\"]\n");
    let wrong = mutate(&project, &[]);
    wrong.ends_with(2);
    assert!(wrong.stderr.contains("override-arid") && wrong.stderr.contains("arid.yaml:2"), "{}", wrong.stderr);
}

#[test]
fn a_sample_is_as_large_as_asked_and_its_seed_is_recorded() {
    let project = c_project();
    let sample = |seed: &str| {
        mutate(&project, &["--sample", "3", "--seed", seed, "--stratify", "function"]).ends_with(0);
        let list = list(&project);
        assert_eq!(list["seed"].to_string(), seed);
        assert_eq!((&list["sample"]["asked"], &list["sample"]["stratify"]), (&"3".into(), &"function".into()));
        let new = mutants(&list).iter().filter(|mutant| mutant["status"] == "new");
        new.map(|mutant| mutant["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let chosen = sample("1");
    assert_eq!(chosen.len(), 3);
    assert_eq!(chosen, sample("1"));
    assert!((2..6).any(|seed| sample(&seed.to_string()) != chosen));
}

fn git(project: &Project, arguments: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").current_dir(project.root()).args(who).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn only_lines_changed_since_a_revision() {
    let project = c_project();
    git(&project, &["init", "--quiet"]);
    git(&project, &["add", "range.c"]);
    git(&project, &["commit", "--quiet", "-m", "x"]);
    project.write("range.c", &RANGE.replace("int sum = value + value;", "int sum = value * 2 + 0;"));
    assert_eq!(lines_of(&listed(&project, &["--since", "HEAD"])), [9].into());
    git(&project, &["commit", "--quiet", "-am", "y"]);
    let run = mutate(&project, &["--since", "HEAD"]);
    run.ends_with(0);
    assert!(run.stderr.contains("scope-empty") && run.stderr.contains("--since HEAD"), "{}", run.stderr);
    // Given mutants are narrowed as well.
    project.write("mutants/range.mut.9.1_1_1.AOR.twice.c", &project.read("range.c").replace("* 2", "* 3"));
    project
        .write("mutants/range.mut.2.1_1_1.ROR.clamp.c", &project.read("range.c").replace("value < low", "value > low"));
    project.fuzz(&["--since", "HEAD~1", "--budget", "2s"]).ends_with(0);
    assert_eq!(project.outcome().mutants().keys().collect::<Vec<_>>(), [&"range.mut.9.1_1_1.AOR.twice.c"]);
}

#[test]
fn only_lines_that_a_coverage_file_has_as_executed() {
    let project = c_project();
    project.write("covered.info", "TN:\nSF:range.c\nDA:1,4\nDA:2,4\nDA:3,0\nDA:5,0\nDA:8,0\nend_of_record\n");
    assert_eq!(lines_of(&listed(&project, &["--coverage-file", "covered.info"])), [2].into());
    project.write(
        "covered.json",
        "{\"data\":[{\"files\":[{\"filename\":\"range.c\",\"segments\":[[8,22,1,true,true]]}]}]}",
    );
    let lines = lines_of(&listed(&project, &["--coverage-file", "covered.json"]));
    assert!(!lines.is_empty() && lines.iter().all(|line| *line >= 8), "{lines:?}");
}

#[test]
fn tests_and_generated_code_are_left_out_unless_they_are_named() {
    let project = Project::of(&[("range.c", RANGE)]);
    project.write("tests/check.c", "int checked(int x) {\n  return x < 1;\n}\n");
    project.write("build/made.c", "int made(int x) {\n  return x < 1;\n}\n");
    project.database(&["range.c", "tests/check.c", "build/made.c"]);
    let lines = listed(&project, &[]);
    assert!(!lines.is_empty() && lines.iter().all(|line| line.starts_with("range.c:")), "{lines:?}");
    assert!(listed(&project, &["--file", "tests"]).iter().all(|line| line.starts_with("tests/check.c:")));
    assert!(listed(&project, &["--file", "build/made.c"]).iter().all(|line| line.starts_with("build/made.c:")));
}

#[test]
fn a_source_that_does_not_parse_costs_its_own_mutants_only() {
    let project = c_project();
    project.write("broken.c", "int fine(int x) {\n  return x + 1;\n}\nint broken(int x) { return x < ; }\n");
    project.database(&["range.c", "broken.c"]);
    let run = mutate(&project, &["--list"]);
    run.ends_with(0);
    assert!(run.stderr.contains("broken.c"), "{}", run.stderr);
    assert!(run.stdout.lines().all(|line| line.starts_with("range.c:")), "{}", run.stdout);
}

#[test]
fn what_mutate_leaves_is_what_fuzz_takes() {
    let project = c_project();
    mutate(&project, &["--unit", "clamp", "--operators", "ROR"]).ends_with(0);
    std::fs::rename(project.root().join("motif.out"), project.root().join("kept")).unwrap();
    let text = project.read("kept/mutants.json");
    let list: Value = serde_json::from_str(&text).unwrap();
    project.run(["fuzz", "-p", "build", "--mutants", "kept", "--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    for mutant in mutants(&list) {
        let status = outcome.status(mutant["id"].as_str().unwrap());
        match mutant["status"].as_str().unwrap() {
            "new" => assert!(["killed", "live"].contains(&status), "{mutant}: {status}"),
            settled => assert_eq!(settled, status, "{mutant}"),
        }
    }
    assert!(outcome.count("killed") > 0);
}

#[test]
fn what_was_compiled_before_an_interruption_is_kept_and_no_half_list_is_left() {
    let many: String =
        (0..60).map(|n| RANGE.replace("clamp", &format!("clamp{n}")).replace("twice", &format!("t{n}"))).collect();
    let mut project = Project::of(&[("range.c", &many)]);
    let users = tempfile::tempdir().unwrap();
    project.environment.push(("MOTIF_CACHE_DIR".into(), users.path().to_str().unwrap().into()));
    let mut child = project.start(["mutate", "-p", "build", "-j", "1"]);
    let kept = users.path().join("compiled/objects");
    let begun = Instant::now();
    // What the compilers said of a batch, as JSON.
    let is_finding = |file: std::fs::DirEntry| std::fs::read(file.path()).is_ok_and(|text| text.starts_with(b"[{"));
    let compiled = || std::fs::read_dir(&kept).is_ok_and(|files| files.flatten().any(is_finding));
    while !compiled() && begun.elapsed() < Duration::from_secs(120) {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(20));
    }
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(compiled(), "the cache is gone");
    assert!(!project.root().join("motif.out/mutants.json").exists());
    mutate(&project, &["--lines", "1-12"]).ends_with(0);
    assert!(!mutants(&list(&project)).is_empty());
}

#[test]
fn fuzz_without_mutants_makes_them_and_explain_shows_what_became_of_each() {
    let project = c_project();
    let run = project.run(["fuzz", "-p", "build", "--unit", "clamp", "--operators", "ROR", "--budget", "2s"]);
    run.ends_with(0);
    let outcome = project.outcome();
    let of = |status: &str| {
        let found = outcome.mutants().into_iter().find(|(_, mutant)| mutant["status"] == status);
        found.map(|(id, _)| id.to_owned())
    };
    let killed = of("killed").expect("one was killed");
    assert!(outcome.verified(&killed), "{}", outcome.reason(&killed));
    assert_eq!(outcome.mutants()[killed.as_str()]["unit"], "clamp");
    let page = project.read("motif.out/report/index.html");
    assert!(page.contains("return value &lt; high ? high : value;") || page.contains("clamp"), "no diff in the report");
    let shown = project.run(["explain", &killed]);
    shown.ends_with(0);
    for word in ["+++ b/range.c", "unit      clamp", "status    killed", "int value = ", "ASSERT"] {
        assert!(shown.stdout.to_uppercase().contains(&word.to_uppercase()), "no `{word}` in:\n{}", shown.stdout);
    }
    // A part that no other has, and the place, mean the same.
    let name = killed.rsplit('/').next().unwrap();
    assert_eq!(project.run(["explain", name]).stdout, shown.stdout);
    let unknown = project.run(["explain", &killed.replace("range", "rnage")]);
    unknown.ends_with(2);
    assert!(unknown.stderr.contains("error[mutant-unknown]") && unknown.stderr.contains("near"), "{}", unknown.stderr);
    let several = project.run(["explain", "range"]);
    several.ends_with(2);
    assert!(several.stderr.contains("error[mutant-ambiguous]"), "{}", several.stderr);
    let elsewhere = project.run(["explain", "range.c:700"]);
    elsewhere.ends_with(2);
    assert!(elsewhere.stderr.contains("range.c:5"), "{}", elsewhere.stderr);
}

#[test]
fn a_sample_of_a_project_with_many_files_reads_what_it_is_drawn_from() {
    let text = |at: usize| format!("int f{at}(int x, int y) {{ return x * {at} + y; }}\n");
    let files: Vec<(String, String)> = (10..34).map(|at| (format!("f{at}.c"), text(at))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let mut project = Project::of(&files);
    let listed = |project: &Project, sample: &str| {
        let run = project.run(["mutate", "-p", "build", "--list", "--sample", sample]);
        run.ends_with(0);
        let stage = run.stderr.lines().find_map(|line| line.strip_prefix("mutating: ")).unwrap().to_owned();
        (stage.parse::<usize>().unwrap(), run.stdout.lines().count())
    };
    let (read, number) = listed(&project, "1");
    assert!(read <= 12 && number == 1, "{read} files for {number}");
    assert_eq!(listed(&project, "40"), (24, 40), "most files are in it");
    project.environment.push(("MOTIF_OFF".into(), "draw-first".into()));
    assert_eq!(listed(&project, "1"), (24, 1));
}
