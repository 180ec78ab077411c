//! A run that is cut off, by a signal or a full disk, keeps what it has found, and goes on from there.

use crate::support::{self, Project, write_mutants};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

/// Five functions, each with a mutant that falls at once, one that takes a search, and one that can't fall.
fn functions() -> String {
    let mut text = String::from("#include <stdint.h>\n");
    for number in 1..=5 {
        text += &format!(
            "int32_t f{number}(int32_t x) {{\n  if (x == {}) return 0;\n  return x + {number};\n}}\n",
            number * 111_111
        );
    }
    text
}

fn project() -> Project {
    let text = functions();
    let mut files: Vec<(String, String)> = vec![("f.c".into(), text.clone())];
    for number in 1..=5 {
        let line = (number - 1) * 4 + 4;
        let replaced = |from: &str, to: &str| text.replace(from, to);
        let plus = format!("return x + {number};");
        let at = format!("if (x == {}) return 0;", number * 111_111);
        let name = |line: u32, count: u32| format!("mutants/f.mut.{line}.1_1_{count}.ROR.f{number}.c");
        files.push((name(line, 1), replaced(&plus, &format!("return x - {number};"))));
        files.push((name(line - 1, 2), replaced(&at, &at.replace("return 0", "return 1"))));
        files.push((name(line, 3), replaced(&plus, &format!("return {number} + x;"))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Project::of(&files)
}

const OPTIONS: [&str; 6] = ["--budget", "50000x", "--seed", "3", "-j", "1"];

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["fuzz", "-p", "build", "--mutants", "mutants"], &OPTIONS[..], more].concat()
}

/// Status, and of a kill how, by what, when and whether its test is proved, of each mutant.
fn results(project: &Project) -> BTreeMap<String, Value> {
    let outcome = project.outcome();
    let of = |mutant: &Value| {
        let kill = &mutant["kill"];
        let input =
            kill["input"].as_str().map(|path| std::fs::read(project.root().join("motif.out").join(path)).unwrap());
        serde_json::json!([mutant["status"], kill["how"], kill["by"], kill["executions"], kill["verified"], input])
    };
    outcome.mutants().into_iter().map(|(id, mutant)| (id.to_owned(), of(mutant))).collect()
}

fn events(project: &Project, name: &str) -> usize {
    let text = std::fs::read_to_string(project.root().join("motif.out/journal.jsonl")).unwrap_or_default();
    text.matches(&format!("{{\"event\":\"{name}\"")).count()
}

/// Kills a run with SIGKILL as soon as its journal has so many events of a name.
fn cut_off(project: &Project, more: &[&str], event: &str, count: usize) {
    let mut run = project.start(arguments(more));
    let until = Instant::now() + Duration::from_secs(300);
    while events(project, event) < count {
        assert!(Instant::now() < until, "the run never came so far");
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it could be cut off");
        std::thread::sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn a_run_that_is_killed_twice_ends_as_if_it_had_not_been() {
    let whole = project();
    whole.run(arguments(&[])).ends_with(0);
    let expected = results(&whole);
    assert_eq!(whole.outcome().count("killed"), 10, "{expected:?}");

    let project = project();
    cut_off(&project, &[], "unit", 1);
    assert!(!project.root().join("motif.out/outcomes.json").exists(), "it was not cut off in the middle");
    // In the middle of a unit: its first kill is known, the unit is not done.
    let killed = events(&project, "killed");
    cut_off(&project, &["--resume"], "killed", killed + 1);
    let journal = project.root().join("motif.out/journal.jsonl");
    let mut text = std::fs::read(&journal).unwrap();
    text.extend(b"{\"event\":\"killed\",\"mut");
    std::fs::write(&journal, text).unwrap();

    let run = project.run(arguments(&["--resume"]));
    run.ends_with(0);
    assert!(run.stderr.contains("done before"), "{}", run.stderr);
    let found = results(&project);
    let statuses =
        |of: &BTreeMap<String, Value>| of.iter().map(|(id, r)| (id.clone(), r[0].clone())).collect::<Vec<_>>();
    assert_eq!(statuses(&found), statuses(&expected));
    let done: Vec<&String> = found.keys().filter(|id| id.contains(".f1.")).collect();
    assert_eq!(done.len(), 3);
    for id in done {
        assert_eq!(found[id], expected[id], "what was done is taken over as it was");
    }
    assert!(found.values().all(|result| result[0] != "killed" || result[4] == true), "{found:?}");
    for file in ["report/index.html", "tests/CMakeLists.txt"] {
        let path = project.root().join("motif.out").join(file);
        assert!(path.is_file(), "{file} is not there");
    }
    assert_eq!(events(&project, "started"), 1);
    assert_eq!(events(&project, "unit"), 5, "no unit is done twice");
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_run_goes_on_only_as_it_was_begun() {
    let project = project();
    let none = project.run(arguments(&["--resume"]));
    none.ends_with(2);
    assert!(none.stderr.contains("resume-nothing") && none.stderr.contains("motif-cpp fuzz"), "{}", none.stderr);
    assert!(!project.root().join("motif.out").exists());

    cut_off(&project, &[], "unit", 1);
    let refused = |arguments: &[&str], words: &str| {
        let run = project.run(arguments);
        run.ends_with(2);
        assert!(run.stderr.contains("resume-differs") && run.stderr.contains(words), "{}", run.stderr);
        assert_eq!(events(&project, "unit"), 1, "what was found is kept");
    };
    let mut other = arguments(&["--resume"]);
    other[8] = "4";
    refused(&other, "--seed was `3`, and is `4`");
    refused(&arguments(&["--resume", "--total-budget", "5s"]), "--total-budget was not given, and is `5s`");
    refused(&arguments(&["--resume", "f2"]), "UNIT was not given, and is `f2`");
    let text = functions();
    let mutant = "mutants/f.mut.4.1_1_3.ROR.f1.c";
    let kept = project.read(mutant);
    project.write(mutant, &text.replace("return x + 1;", "return 1 - x;"));
    refused(&arguments(&["--resume"]), "the mutants have changed");
    project.write(mutant, &kept);
    project.write("f.c", &format!("{text}\n"));
    refused(&arguments(&["--resume"]), "f.c has changed");
    project.write("f.c", &text);
    // How many jobs there are does not matter.
    let mut jobs = arguments(&["--resume"]);
    jobs[10] = "2";
    project.run(jobs).ends_with(0);
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_does() {
    let project = project();
    let mut run = project.start(arguments(&[]));
    while events(&project, "unit") < 1 {
        std::thread::sleep(Duration::from_millis(2));
    }
    // SAFETY: a signal to a child of ours that has not been waited for.
    unsafe { libc::kill(run.id() as i32, libc::SIGINT) };
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert!(project.outcome().0["interrupted"] == true);
    project.run(arguments(&["--resume"])).ends_with(0);
    let outcome = project.outcome();
    assert_eq!((outcome.count("killed"), outcome.count("live")), (10, 5));
    assert!(outcome.0.get("interrupted").is_none());
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_full_disk_is_an_error_after_which_the_run_goes_on() {
    let mountable = Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success());
    if !mountable {
        println!("skipped: no file system can be mounted here");
        return;
    }
    let project = project();
    let kept = project.root().join("kept");
    let out = project.root().join("small");
    for folder in [&kept, &out] {
        std::fs::create_dir(folder).unwrap();
    }
    // A small disk that is kept as it is when it is full.
    let script = "mount -t tmpfs -o size=\"$1\" none \"$2\" || exit 99; shift; out=$1; kept=$2; shift 2; \
                  \"$@\"; code=$?; cp -a \"$out/.\" \"$kept/\"; exit $code";
    let mut resumed = 0;
    for size in ["300k", "1500k", "2m", "2500k", "3m", "4m"] {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script, "sh", size]).arg(&out).arg(&kept).arg(env!("CARGO_BIN_EXE_motif-cpp"));
        command.arg("-C").arg(project.root()).args(arguments(&["-o"])).arg(&out);
        command.env("MOTIF_CACHE_DIR", support::CACHE);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_ne!(output.status.code(), Some(99), "{said}");
        assert_ne!(output.status.code(), Some(101), "{said}");
        if output.status.code() != Some(0) {
            assert!(said.contains("[disk-full]") || said.contains("[output-unwritable]"), "{size}: {said}");
        }
        println!(
            "{size}: {:?} {}",
            output.status.code(),
            said.lines().find(|line| line.contains("error[")).unwrap_or("")
        );
        let journal = std::fs::read_to_string(kept.join("journal.jsonl")).unwrap_or_default();
        if output.status.code() != Some(0) && journal.contains("{\"event\":\"killed\"") && resumed == 0 {
            // With more room, in a copy of what was kept.
            project.run([&arguments(&["--resume", "-o"])[..], &[kept.to_str().unwrap()]].concat()).ends_with(0);
            let outcome: Value = serde_json::from_str(&project.read("kept/outcomes.json")).unwrap();
            assert_eq!(outcome["summary"]["killed"], 10, "{outcome}");
            // The last line may be half a one.
            let whole = journal.rfind('\n').map_or("", |end| &journal[..=end]);
            assert!(project.read("kept/journal.jsonl").starts_with(whole), "{journal}");
            resumed += 1;
        }
        if resumed == 1 {
            break;
        }
        std::fs::remove_dir_all(&kept).unwrap();
        std::fs::create_dir(&kept).unwrap();
    }
    assert_eq!(resumed, 1, "the disk was never full in the middle of a run");
}

#[test]
fn a_unit_that_is_done_has_the_plan_again_that_it_was_searched_with() {
    // What it is given must be given away, and what is not the same twice left out; its callers do not lead into it.
    let project = Project::sources("adjusted_plan");
    let id = "box.mut.7.1_1_1.AOR.hidden.cpp";
    write_mutants(&project, &[(id, "by + 1", "by - 1")]);
    cut_off(&project, &[], "unit", 1);
    let journal = project.read("motif.out/journal.jsonl");
    assert!(journal.contains("\"transfers_ownership\":true"), "{journal}");
    project.run(arguments(&["--resume"])).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}: {} {:?}", outcome.status(id), outcome.reason(id), outcome.mutants()[id]);
}
