//! A budget of the whole run: every unit gets a part of it, nothing is spent twice, and inputs make it repeatable.

use crate::support::Project;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const UNITS: u64 = 5;

/// Five functions, each with a mutant that falls at once, one that takes a search, and one that can't fall.
fn project() -> Project {
    let mut text = String::from("#include <stdint.h>\n");
    for n in 1..=UNITS {
        text += &format!("int32_t f{n}(int32_t x) {{\n  if (x == {}) return 0;\n  return x + {n};\n}}\n", n * 111_111);
    }
    let mut files: Vec<(String, String)> = vec![("f.c".into(), text.clone())];
    for n in 1..=UNITS {
        let line = (n - 1) * 4 + 4;
        let (sum, test) = (format!("return x + {n};"), format!("if (x == {}) return 0;", n * 111_111));
        let name = |line: u64, count: u32| format!("mutants/f.mut.{line}.1_1_{count}.ROR.f{n}.c");
        files.push((name(line, 1), text.replace(&sum, &format!("return x - {n};"))));
        files.push((name(line - 1, 2), text.replace(&test, &test.replace("return 0", "return 1"))));
        files.push((name(line, 3), text.replace(&sum, &format!("return {n} + x;"))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Project::of(&files)
}

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["fuzz", "-p", "build", "--mutants", "mutants", "-j", "1", "--seed", "3", "--budget", "90000x"], more].concat()
}

/// What each unit's search has cost, in inputs.
fn inputs(project: &Project) -> BTreeMap<String, u64> {
    let mut inputs: BTreeMap<String, u64> = BTreeMap::new();
    for (_, mutant) in project.outcome().mutants() {
        let met = inputs.entry(mutant["unit"].as_str().unwrap().to_owned()).or_default();
        *met = (*met).max(mutant["effort"]["executions"].as_u64().unwrap_or_default());
    }
    inputs
}

fn journal(project: &Project) -> Vec<Value> {
    let text = std::fs::read_to_string(project.root().join("motif.out/journal.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Inputs of the searches and runs under the sanitizer, of all units that are done.
fn spent(project: &Project) -> u64 {
    executions(&journal(project))
}

fn executions(events: &[Value]) -> u64 {
    events.iter().filter_map(|event| event["done"]["executions"].as_u64()).sum()
}

/// Kills a run with SIGKILL in the slices behind the first ones: all that can fall has fallen, no unit is done.
fn cut_off_in_a_slice(project: &Project, arguments: &[&str]) {
    let mut run = project.start(arguments.to_vec());
    let until = Instant::now() + Duration::from_secs(300);
    loop {
        let journal = journal(project);
        let count = |name: &str| journal.iter().filter(|event| event["event"] == name).count() as u64;
        assert_eq!(count("unit"), 0, "the units ended before the run could be cut off");
        if count("killed") >= 2 * UNITS && count("slice") > UNITS {
            break;
        }
        assert!(Instant::now() < until && run.try_wait().unwrap().is_none(), "the run never came so far");
        std::thread::sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

/// What of the total was spent by the last slice that the journal knows of.
fn spent_in_slices(project: &Project) -> u64 {
    journal(project).iter().rev().find_map(|event| event["spent"]["budget"].as_u64()).unwrap()
}

#[test]
fn every_unit_gets_its_part_of_a_total_budget_and_no_more_is_spent() {
    let project = project();
    project.run(arguments(&["--total-budget", "100000x"])).ends_with(0);
    let inputs = inputs(&project);
    assert_eq!(inputs.len() as u64, UNITS, "{inputs:?}");
    // None of them yields more than the others for long.
    assert!(inputs.values().all(|met| *met > 100_000 / 2 / UNITS), "{inputs:?}");
    assert_eq!(project.outcome().count("killed"), 2 * UNITS);
    // A search ends behind the input that it is at.
    let spent = spent(&project);
    assert!((80_000..=100_100).contains(&spent), "{spent}");
}

#[test]
fn the_same_seed_and_a_total_budget_in_inputs_give_the_same_schedule() {
    let run = |_| {
        let project = project();
        project.run(arguments(&["--total-budget", "60000x"])).ends_with(0);
        let result = |(id, mutant): (&str, &Value)| {
            let effort = &mutant["effort"];
            (
                id.to_owned(),
                mutant["status"].clone(),
                mutant["kill"]["executions"].clone(),
                effort["executions"].clone(),
            )
        };
        project.outcome().mutants().into_iter().map(result).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(2));
}

#[test]
#[ignore = "a long run; make test-all"]
fn the_sanitizers_runs_count() {
    let of = |sanitizer| {
        let project = project();
        project.run(arguments(&["--total-budget", "30000x", "--sanitizer", sanitizer])).ends_with(0);
        (inputs(&project).values().sum::<u64>(), spent(&project))
    };
    let (alone, all) = of("none");
    assert!(alone == all && all <= 30_100, "{alone} {all}");
    // It looks at numbers as well.
    let (searched, all) = of("undefined");
    assert!(searched < all && searched <= 27_100 && all <= 30_100, "{searched} {all}");
}

#[test]
fn a_run_that_was_cut_off_in_a_slice_goes_on_with_what_is_left() {
    let project = project();
    let total = arguments(&["--total-budget", "100000x"]);
    cut_off_in_a_slice(&project, &total);
    let (before, events) = (spent_in_slices(&project), journal(&project).len());
    assert!((40_000..100_000).contains(&before), "{before}");
    project.run([&total[..], &["--resume"]].concat()).ends_with(0);
    assert_eq!((project.outcome().count("killed"), inputs(&project).len() as u64), (2 * UNITS, UNITS));
    let after = executions(&journal(&project)[events..]);
    assert!(after <= 100_100 - before, "{before} inputs before it was cut off, {after} behind");
}

#[test]
#[ignore = "a long run; make test-all"]
fn what_an_earlier_part_has_killed_stays_killed_where_no_budget_is_left() {
    let project = project();
    let total = arguments(&["--total-budget", "100000x"]);
    cut_off_in_a_slice(&project, &total);
    // As if the last slice had been the last of the budget.
    let (path, before) = (project.root().join("motif.out/journal.jsonl"), spent_in_slices(&project));
    let text = std::fs::read_to_string(&path).unwrap();
    let all = text.replace(&format!("\"budget\":{before}}}"), "\"budget\":100000}");
    assert_ne!(text, all);
    std::fs::write(&path, all).unwrap();
    let events = journal(&project).len();
    project.run([&total[..], &["--resume"]].concat()).ends_with(0);
    assert_eq!(project.outcome().count("killed"), 2 * UNITS);
    let after = executions(&journal(&project)[events..]);
    assert!(after < 200 * UNITS, "{after} inputs to see those kills again");
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_search_that_fails_in_a_later_slice_says_so_and_keeps_its_kills_and_costs() {
    let project = project();
    let mut run = project.start(arguments(&["--total-budget", "100000x"]));
    let until = Instant::now() + Duration::from_secs(300);
    let unit = loop {
        if let Some(slice) = journal(&project).iter().find(|event| event["event"] == "slice") {
            break slice["unit"].as_str().unwrap().rsplit('@').next().unwrap().to_owned();
        }
        assert!(Instant::now() < until && run.try_wait().unwrap().is_none(), "no slice came to its end");
        std::thread::sleep(Duration::from_millis(2));
    };
    // Between the first slice of the first unit and its next one lie those of all others.
    let first = project.root().join("motif.out/cache/search").join(&unit);
    std::fs::remove_dir_all(first.join("work/seeds")).unwrap();
    std::fs::write(first.join("work/seeds"), "in the way").unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));

    let outcome = project.outcome();
    let mutants = outcome.mutants();
    let of = |name: &str| mutants.iter().find(|(id, _)| id.contains(name)).unwrap().1;
    let statuses = ["1_1_1", "1_1_3"].map(|name| of(&format!("{name}.ROR.{unit}"))["status"].as_str().unwrap());
    assert_eq!(statuses, ["killed", "error"]);
    let reason = of(&format!("1_1_3.ROR.{unit}"))["reason"].as_str().unwrap();
    assert!(reason.contains("work/seeds"), "{reason}");
    assert_eq!(of(&format!("1_1_1.ROR.{unit}"))["kill"]["verified"], true);
    let done = journal(&project).into_iter().filter(|event| event["event"] == "unit");
    let cost: Vec<u64> = done.map(|event| event["done"]["executions"].as_u64().unwrap()).collect();
    assert!(cost.len() as u64 == UNITS && cost.iter().all(|inputs| *inputs > 1_000), "{cost:?}");
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_total_budget_in_time_reaches_every_unit() {
    let project = project();
    let total = [
        "fuzz",
        "-p",
        "build",
        "--mutants",
        "mutants",
        "--budget",
        "30s",
        "--total-budget",
        "6s",
        "--sanitizer",
        "none",
    ];
    project.run(total).ends_with(0);
    let inputs = inputs(&project);
    assert!(inputs.len() as u64 == UNITS && inputs.values().all(|met| *met > 0), "{inputs:?}");
}

#[test]
fn what_killed_in_one_unit_is_tried_on_others_of_the_same_signature() {
    // Nothing in the second leads to the number but the first.
    let hash = 305_419_896u32.wrapping_mul(2_654_435_761);
    let text = format!(
        "#include <stdint.h>\n\
         uint32_t plain(uint32_t x) {{\n  if (x == 305419896u) return 1;\n  return x / 3;\n}}\n\
         uint32_t hidden(uint32_t x) {{\n  if (x * 2654435761u == {hash}u) return 1;\n  return x / 5;\n}}\n"
    );
    let plain = text.replace("305419896u) return 1", "305419896u) return 2");
    let hidden = text.replace(&format!("{hash}u) return 1"), &format!("{hash}u) return 2"));
    let project = Project::of(&[
        ("f.c", &text),
        ("mutants/f.mut.3.1_1_1.ICR.plain.c", &plain),
        ("mutants/f.mut.7.1_1_1.ICR.hidden.c", &hidden),
    ]);
    project.run(["fuzz", "-p", "build", "--mutants", "mutants", "-j", "1", "--budget", "60000x"]).ends_with(0);
    let outcome = project.outcome();
    let mutants = outcome.mutants();
    let of = |name: &str| &mutants.iter().find(|(id, _)| id.contains(name)).unwrap().1["kill"];
    assert_eq!((&of("plain")["verified"], &of("hidden")["verified"]), (&Value::from(true), &Value::from(true)));
    assert_eq!(of("hidden")["by"], "reuse");
}

#[test]
#[ignore = "a long run; make test-all"]
fn an_estimate_ends_the_search_and_each_survivor_has_its_chance() {
    let project = project();
    let run = |budget: &str, risk: &str, more: &[&str]| {
        let all = ["fuzz", "-p", "build", "--mutants", "mutants", "-j", "1", "--seed", "3", "--decide", "none"];
        project.run([&all, more, &["--budget", budget, "--residual-risk", risk]].concat())
    };
    run("auto", "4", &[]).ends_with(0);
    for (id, mutant) in project.outcome().mutants() {
        let (effort, risk) = (&mutant["effort"], mutant["effort"]["residual_risk"].as_f64());
        assert_eq!(mutant["status"] == "live", risk.is_some(), "{id}: {effort}");
        assert!(risk.is_none_or(|risk| risk > 0.001 && risk < 0.04), "{id}: {effort}");
        assert!(effort["executions"].as_u64().unwrap() < 90_000, "{id}: {effort}");
    }
    let lives = "f.mut.4.1_1_3.ROR.f1.c";
    let text = project.run(["explain", lives]);
    assert!(text.stdout.contains(" % that as much search again kills it, by estimate"), "{}", text.stdout);
    let inputs_of_first = inputs(&project);
    run("auto", "4", &[]).ends_with(0);
    assert_eq!(inputs(&project), inputs_of_first, "the clock has no part in it");
    run("auto", "1", &[]).ends_with(0);
    assert!(inputs(&project).values().sum::<u64>() > inputs_of_first.values().sum(), "a smaller risk takes longer");
    for (budget, more, word) in
        [("auto", &["--engine", "afl++"][..], "--engine libfuzzer"), ("5s", &[], "--residual-risk")]
    {
        let refused = run(budget, "2", more);
        refused.ends_with(2);
        assert!(refused.stderr.contains("options-conflict") && refused.stderr.contains(word), "{}", refused.stderr);
    }
}
