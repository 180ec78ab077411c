//! `--baseline` of a run that is still there: what has not changed is not searched again.

use crate::support::{Project, Run};
use serde_json::Value;
use std::collections::BTreeMap;

const SOURCE: &str = "#include \"scale.h\"
static int half(int x) { return x / 2; }
int thrice(int x) { return 3 * (x & 255); }
int both(int x) { return half(x & 255) + thrice(x); }
int lone(int x) { if (x > 10) return SCALE; return x & 3; }
";

fn project() -> Project {
    Project::of(&[("a.c", SOURCE), ("scale.h", "#define SCALE 7\n")])
}

fn fuzz(project: &Project, output: &str, more: &[&str]) -> Run {
    let options = [
        "fuzz",
        "-p",
        "build",
        "--budget",
        "2000x",
        "--framework",
        "assert",
        "-j",
        "1",
        "--operators",
        "ror,aor,icr",
        "-o",
        output,
    ];
    let run = project.run([&options[..], more].concat());
    run.ends_with(0);
    run
}

fn outcome(project: &Project, output: &str) -> Value {
    serde_json::from_str(&project.read(format!("{output}/outcomes.json"))).unwrap()
}

/// Of each function how many of its mutants were taken over, and of how many.
fn taken_over(outcome: &Value) -> BTreeMap<String, (usize, usize)> {
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for mutant in outcome["mutants"].as_array().unwrap().iter().filter(|mutant| !mutant["effort"].is_null()) {
        let entry = found.entry(mutant["unit"].as_str().unwrap().to_owned()).or_default();
        entry.0 += usize::from(mutant["taken_over"] == true);
        entry.1 += 1;
    }
    found
}

/// The functions of which everything was taken over; of the others nothing may be.
fn functions(outcome: &Value) -> Vec<String> {
    let all = taken_over(outcome);
    assert!(all.values().all(|(taken, of)| *taken == 0 || taken == of), "{all:?}");
    all.into_iter().filter(|(_, (taken, _))| *taken > 0).map(|(unit, _)| unit).collect()
}

/// What is said of each mutant, but for where it stands.
fn verdicts(outcome: &Value) -> Vec<(String, String, bool)> {
    let mutants = outcome["mutants"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |m: &Value| (text(&m["fingerprint"]), text(&m["status"]), m["kill"]["verified"] == true);
    mutants.map(of).collect()
}

#[test]
fn what_has_not_changed_is_taken_over_and_what_reaches_a_change_is_searched_again() {
    let project = project();
    fuzz(&project, "one", &[]);
    let first = outcome(&project, "one");
    assert_eq!(functions(&first), [""; 0]);
    let baseline = ["--baseline", "one/outcomes.json"];

    // Lines and a comment are no change, whatever is called by its line.
    project.write("a.c", &SOURCE.replace("static", "\n/* by two */\n\nstatic"));
    let run = fuzz(&project, "two", &baseline);
    let second = outcome(&project, "two");
    assert_eq!(functions(&second), ["both", "half", "lone", "thrice"]);
    assert_eq!(verdicts(&first), verdicts(&second));
    assert_eq!(second["cpu_seconds"]["search"], 0.0);
    assert!(run.stderr.contains("4 functions of 4 unchanged since the baseline"), "{}", run.stderr);
    assert!(run.stdout.contains("taken over") && run.stdout.contains("from an earlier run"), "{}", run.stdout);
    let mutants = second["mutants"].as_array().unwrap();
    let killed: Vec<&Value> = mutants.iter().filter(|mutant| mutant["status"] == "killed").collect();
    assert!(!killed.is_empty());
    for mutant in killed {
        let id = mutant["id"].as_str().unwrap();
        let input = mutant["kill"]["input"].as_str().unwrap();
        assert!(input.ends_with(id) && project.root().join("two").join(input).is_file(), "{mutant}");
        let test = project.read(format!("two/{}", mutant["kill"]["test"].as_str().unwrap().split('#').next().unwrap()));
        assert!(test.contains("assert("), "{test}");
    }

    // The run that took over serves the next one, into its own folder too.
    project.write("a.c", &SOURCE.replace("x / 2", "x / 4"));
    fuzz(&project, "two", &["--baseline", "two/outcomes.json"]);
    assert_eq!(functions(&outcome(&project, "two")), ["lone", "thrice"]);
    fuzz(&project, "three", &["--baseline", "two/outcomes.json"]);
    assert_eq!(functions(&outcome(&project, "three")), ["both", "half", "lone", "thrice"]);
    project.write("a.c", SOURCE);
    project.write("scale.h", "#define SCALE 9\n");
    fuzz(&project, "four", &["--baseline", "two/outcomes.json"]);
    assert_eq!(functions(&outcome(&project, "four")), [""; 0]);
}

#[test]
#[ignore = "a long run; make test-all"]
fn another_search_another_run_and_an_outcome_alone_take_nothing_over() {
    let project = project();
    fuzz(&project, "one", &[]);
    let nothing = |output: &str, more: &[&str]| {
        fuzz(&project, output, more);
        assert_eq!(functions(&outcome(&project, output)), [""; 0], "{more:?}");
    };
    nothing("seed", &["--seed", "1", "--baseline", "one/outcomes.json"]);
    std::fs::copy(project.root().join("one/outcomes.json"), project.root().join("alone.json")).unwrap();
    nothing("alone", &["--baseline", "alone.json"]);
    // The outcome of another run beside this one's journal.
    std::fs::create_dir(project.root().join("mixed")).unwrap();
    std::fs::copy(project.root().join("one/journal.jsonl"), project.root().join("mixed/journal.jsonl")).unwrap();
    let other = project.read("one/outcomes.json").replacen("\"started\": \"2", "\"started\": \"1", 1);
    project.write("mixed/outcomes.json", &other);
    nothing("mix", &["--baseline", "mixed/outcomes.json"]);
    // An input that is gone is no reason to fail, or to believe.
    std::fs::remove_dir_all(project.root().join("one/inputs")).unwrap();
    fuzz(&project, "gone", &["--baseline", "one/outcomes.json"]);
    let killed = |mutant: &&Value| mutant["status"] == "killed" && mutant["taken_over"] == true;
    let gone = outcome(&project, "gone");
    assert_eq!(gone["mutants"].as_array().unwrap().iter().filter(killed).count(), 0);
    // A part of the mutants is taken over as well as all.
    fuzz(&project, "all", &[]);
    fuzz(&project, "part", &["--baseline", "all/outcomes.json", "--unit", "lone"]);
    assert_eq!(functions(&outcome(&project, "part")), ["lone"]);
}
