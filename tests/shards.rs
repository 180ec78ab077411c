//! A run in shards, and what `merge` makes of them.

use crate::support::{Project, files_below};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const BUDGET: [&str; 4] = ["--budget", "3000x", "-j", "1"];

/// Files of one function each, with an easy mutant. That of `e.c` falls on one input only, which no search finds in so
/// little time, but which kills in `a.c`, where it stands in the text.
fn project() -> Project {
    let hidden = 123_456_789_u32.wrapping_mul(2_654_435_761);
    let odd = |name: &str| format!("if (x == 123456789) return 7;\n  return x + {};", name.len());
    let mut files: Vec<(String, String)> = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        let body = match name {
            "a" => odd(name),
            "e" => format!("if ((uint32_t)x * 2654435761u == {hidden}u) return 7;\n  return x + 1;"),
            _ => format!("if (x > {}) return 7;\n  return x + 1;", name.as_bytes()[0]),
        };
        let text = format!("#include <stdint.h>\nint32_t f{name}(int32_t x) {{\n  {body}\n}}\n");
        let file = |line: u32| format!("mutants/{name}.mut.{line}.1_1_1.CRCR.f{name}.c");
        files.push((file(3), text.replace("return 7", "return 8")));
        files.push((file(4), text.replace("x + 1;", "x - 1;")));
        files.push((format!("{name}.c"), text));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Project::of(&files)
}

/// Three files with a function each.
pub fn small() -> Project {
    let text = |name: &str| format!("int f{name}(int x) {{\n  return x > 3 ? 1 : 0;\n}}\n");
    Project::of(&[("a.c", &text("a")), ("b.c", &text("b")), ("c.c", &text("c"))])
}

fn shard(project: &Project, number: u32, of: u32, out: &str) {
    let name = format!("{number}/{of}");
    project.fuzz(&[&BUDGET[..], &["--shard", &name, "-o", out]].concat()).ends_with(0);
}

fn outcome(project: &Project, out: &str) -> Value {
    serde_json::from_str(&project.read(format!("{out}/outcomes.json"))).unwrap()
}

/// What must be the same however many machines there were: of each mutant the verdict, the kill and its input, and all
/// tests.
pub fn results(project: &Project, out: &str) -> (Vec<Value>, BTreeMap<String, String>) {
    let outcome = outcome(project, out);
    let of = |mutant: &Value| {
        let kill = &mutant["kill"];
        let input = kill["input"].as_str().map(|path| std::fs::read(project.root().join(out).join(path)).unwrap());
        let kill: Vec<&Value> = ["how", "by", "executions", "test", "verified"].iter().map(|key| &kill[key]).collect();
        json!([mutant["id"], mutant["status"], kill, input])
    };
    let folder = project.root().join(out).join("tests");
    let tests = files_below(&folder).into_iter().map(|name| (project.read(folder.join(&name)), name));
    (outcome["mutants"].as_array().unwrap().iter().map(of).collect(), tests.map(|(text, name)| (name, text)).collect())
}

#[test]
fn however_many_shards_there_are_together_they_find_what_one_run_finds() {
    let project = project();
    project.fuzz(&[&BUDGET[..], &["-o", "one"]].concat()).ends_with(0);
    let one = results(&project, "one");
    let hidden = one.0.iter().find(|mutant| mutant[0] == "e.mut.3.1_1_1.CRCR.fe.c").unwrap();
    assert_eq!((&hidden[1], &hidden[2][1]), (&json!("killed"), &json!("reuse")), "another file's input kills it");
    for of in if crate::support::takes_all() { &[1, 2, 3, 7][..] } else { &[2, 3] } {
        let of = *of;
        let folders: Vec<String> = (1..=of).map(|number| format!("{of}-{number}")).collect();
        for (number, folder) in folders.iter().enumerate() {
            shard(&project, number as u32 + 1, of, folder);
        }
        let merged = format!("{of}");
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        let run = project.run([&["merge"], &folders[..], &["-o", &merged, "--report", "markdown"]].concat());
        run.ends_with(0);
        let found = results(&project, &merged);
        assert_eq!(found.0, one.0, "{of} shards");
        let differs: Vec<&String> = one.1.keys().filter(|name| found.1.get(*name) != one.1.get(*name)).collect();
        assert!(differs.is_empty() && found.1.len() == one.1.len(), "{of} shards: {differs:?}");
        assert_eq!(outcome(&project, &merged)["merged"], json!({"of": of, "missing": [], "without_results": []}));
        assert!(run.stderr.contains("report: "), "{}", run.stderr);
    }
    let shared = outcome(&project, "3-1")["shard"].clone();
    assert_eq!(shared["files"], json!(["a.c", "b.c", "c.c", "d.c", "e.c"]));
    what_does_not_fit_is_refused_by_name(&project);
}

/// Goes on with the folders of the test above: three shards, of which a run was merged.
fn what_does_not_fit_is_refused_by_name(project: &Project) {
    let refused = |folders: &[&str], code: &str, words: &[&str]| {
        let run = project.run([&["merge"], folders, &["-o", "refused"]].concat());
        run.ends_with(2);
        for word in [&[code], words].concat() {
            assert!(run.stderr.contains(word), "`{word}` is not in {}", run.stderr);
        }
        assert!(!project.root().join("refused").exists(), "a folder was left behind");
    };
    refused(&["3-1", "3-3", "never"], "shard-missing", &["never: there is no result"]);
    refused(&["3-1", "3-3"], "shard-missing", &["2/3"]);
    refused(&["3-1", "3-2", "3-3", "3-2"], "shard-doubled", &["shard 2 is there twice"]);
    refused(&["3-1", "2-2"], "shard-differs", &["2-2", "of 2 shards, not of 3"]);
    refused(&["one"], "shard-none", &["not of a shard"]);

    is_not_mixed_with_others(project, &["3-1", "3-2", "3-3"]);

    let run = project.run(["merge", "3-1", "3-3", "-o", "part", "--allow-missing"]);
    run.ends_with(0);
    assert!(run.stderr.contains("of 3 shards: 2"), "{}", run.stderr);
    let part = outcome(project, "part");
    let without = part["merged"]["without_results"].as_array().unwrap();
    assert_eq!((&part["merged"]["missing"], without.is_empty()), (&json!([2]), false));
    assert!(run.stdout.contains("shard 2 of 3 is missing"), "{}", run.stdout);

    let journal = project.root().join("3-2/journal.jsonl");
    let text = std::fs::read(&journal).unwrap();
    let end = text[..text.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    std::fs::write(&journal, &text[..end - 20]).unwrap();
    refused(&["3-1", "3-2", "3-3"], "shard-unfinished", &["3-2", "truncated"]);
    std::fs::write(&journal, &text[..end]).unwrap();
    refused(&["3-1", "3-2", "3-3"], "shard-unfinished", &["3-2", "has no end"]);
    std::fs::write(&journal, &text).unwrap();

    project.write("d.c", &project.read("d.c").replace("return x + 1", "return 1 + x"));
    let all = ["3-1", "3-2", "3-3"];
    refused_here(project, &all);
    project.fuzz(&[&BUDGET[..], &["--shard", "2/3", "-o", "3-2"]].concat()).ends_with(0);
    refused(&all, "shard-differs", &["d.c has changed", "3-2"]);
}

/// A folder of the user's is no place for what is merged.
fn is_not_mixed_with_others(project: &Project, folders: &[&str]) {
    project.write("mine/inputs/a", "mine");
    let run = project.run([&["merge"], folders, &["-o", "mine"]].concat());
    run.ends_with(2);
    assert!(run.stderr.contains("error[output-taken]: mine: "), "{}", run.stderr);
    assert_eq!(files_below(&project.root().join("mine")), ["inputs/a"]);
}

/// The shards agree, and the sources are others by now.
fn refused_here(project: &Project, folders: &[&str]) {
    let run = project.run([&["merge"], folders, &["-o", "late"]].concat());
    run.ends_with(2);
    assert!(run.stderr.contains("shard-differs") && run.stderr.contains("d.c has changed"), "{}", run.stderr);
}

#[test]
fn lists_of_mutants_that_were_made_in_shards_are_one_list_when_merged() {
    let project = project();
    let mutate = |more: &[&str]| project.run([&["mutate", "-p", "build", "--files"], more].concat()).ends_with(0);
    mutate(&["-o", "one"]);
    for number in ["1", "2"] {
        mutate(&["-o", number, "--shard", &format!("{number}/2")]);
    }
    let list = |out: &str| -> Value { serde_json::from_str(&project.read(format!("{out}/mutants.json"))).unwrap() };
    project.run(["merge", "1", "2", "-o", "both"]).ends_with(0);
    let (one, both) = (list("one"), list("both"));
    for key in ["mutants", "operators", "dropped", "skipped"] {
        assert_eq!(one[key], both[key], "{key}");
    }
    let files = |out: &str| files_below(&project.root().join(out).join("mutants"));
    assert_eq!(files("one"), files("both"));
    is_not_mixed_with_others(&project, &["1", "2"]);
    let run = project.run(["merge", "1", "-o", "refused"]);
    run.ends_with(2);
    assert!(run.stderr.contains("2/2"), "{}", run.stderr);
}

#[test]
fn shards_with_nothing_but_invalid_mutants_end_as_one_run_does_when_merged() {
    let project = small();
    for name in ["a", "b"] {
        project.write(&format!("mutants/{name}.mut.2.1_1_1.ROR.f{name}.c"), &project.read(format!("{name}.c")));
    }
    let one = project.fuzz(&[&BUDGET[..], &["-o", "one"]].concat());
    one.ends_with(2);
    shard(&project, 1, 2, "1");
    shard(&project, 2, 2, "2");
    let merged = project.run(["merge", "1", "2", "-o", "merged"]);
    merged.ends_with(2);
    let said = |text: &str| text.lines().find(|line| line.starts_with("error")).map(str::to_owned);
    assert!(said(&one.stderr).is_some() && said(&one.stderr) == said(&merged.stderr), "{}", merged.stderr);
    assert!(!project.root().join("merged").exists());
}

#[test]
fn numbers_may_be_as_large_as_numbers_can_be() {
    let project = small();
    let most = u32::MAX;
    let all: u64 = u64::MAX;
    let mutate = |shard: &str, out: &str| {
        project.run(["mutate", "-p", "build", "--sample", &all.to_string(), "--shard", shard, "-o", out]).ends_with(0);
    };
    mutate(&format!("1/{most}"), "first");
    mutate(&format!("{most}/{most}"), "last");
    let mutants = |out: &str| outcome_of_list(&project, out)["mutants"].as_array().unwrap().len();
    assert!(mutants("first") > 0 && mutants("last") == 0);
    let run = project.run(["merge", "first", "last", "-o", "merged", "--allow-missing"]);
    run.ends_with(2);
    assert!(run.stderr.contains(&format!("shard 2/{most}, ")) && run.stderr.len() < 1000, "{}", run.stderr);
}

fn outcome_of_list(project: &Project, out: &str) -> Value {
    serde_json::from_str(&project.read(format!("{out}/mutants.json"))).unwrap()
}
