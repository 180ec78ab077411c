//! What is built once for all runs of a user.

use crate::support::{Project, files_below};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const TEXT: &str = "int twice(int x) { return x * 2; }\n";
const MUTANT: &str = "twice.mut.1.1_1_1.ICR.twice.c";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A run in a new project of a source with one mutant, and what is then in the folder of its worker.
fn run_with(cache: &Path, source: &str) -> Vec<String> {
    let mut project = Project::of(&[(source, TEXT)]);
    let id = MUTANT.replace("twice.c", source);
    project.write(&format!("mutants/{id}"), &TEXT.replace("* 2", "* 3"));
    project.environment.push(("MOTIF_CACHE_DIR".into(), cache.to_str().unwrap().into()));
    project.fuzz(&["--budget", "1000x", "--sanitizer", "none"]).ends_with(0);
    assert!(project.outcome().verified(&id));
    let own = project.root().join("motif.out/cache");
    let workers: Vec<String> = names(&own).into_iter().filter(|name| name.starts_with("worker-")).collect();
    assert_eq!(workers.len(), 1, "{workers:?}");
    names(&own.join(&workers[0]))
}

/// Worker, headers of drivers and headers of GoogleTest take longer than all else in a small run.
#[test]
#[ignore = "a long run; make test-all"]
fn the_first_run_of_a_user_builds_for_all_projects_and_what_is_damaged_is_made_again() {
    let cache = tempfile::tempdir().unwrap();
    let headers = || {
        let objects = std::fs::read_dir(cache.path().join("compiled/objects")).unwrap();
        let objects = objects.map(|entry| entry.unwrap().path());
        let mut headers: Vec<(PathBuf, u64)> = objects
            .filter(|path| std::fs::read(path).unwrap().starts_with(b"CPCH"))
            .map(|path| (path.clone(), path.metadata().unwrap().ino()))
            .collect();
        headers.sort();
        headers
    };
    assert!(run_with(cache.path(), "twice.cpp").contains(&"worker.cpp.o".to_owned()), "the first one builds it");
    let first = headers();
    assert_eq!(first.len(), 3, "the driver's, the test's, and the test's under AddressSanitizer: {first:?}");
    let second = run_with(cache.path(), "twice.cpp");
    assert!(!second.iter().any(|name| name.ends_with(".o")), "{second:?}");
    assert_eq!(headers(), first, "another project finds them, and makes none of its own");
    // One byte of every file, as a disk may do it: the first, one in the middle, or the last.
    for (at, name) in files_below(cache.path()).iter().enumerate() {
        let path = cache.path().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let places = [0, bytes.len() / 2, bytes.len().saturating_sub(1)];
        if let Some(byte) = bytes.get_mut(places[at % 3]) {
            *byte ^= 0x10;
        }
        std::fs::write(&path, bytes).unwrap();
    }
    assert!(run_with(cache.path(), "twice.cpp").contains(&"worker.cpp.o".to_owned()), "it is built again");
}

#[test]
fn the_cache_is_shown_bounded_and_cleared_and_analyze_leaves_nothing_in_the_project() {
    let cache = tempfile::tempdir().unwrap();
    let mut project = Project::of(&[("twice.c", TEXT)]);
    project.environment.push(("MOTIF_CACHE_DIR".into(), cache.path().to_str().unwrap().into()));
    let before = files_below(project.root());
    project.run(["analyze", "-p", "build"]).ends_with(0);
    assert_eq!(files_below(project.root()), before);
    let bytes = |more: &[&str]| {
        let run = project.run(["cache", "--format", "json"].iter().chain(more));
        run.ends_with(0);
        let shown: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(shown["folder"], cache.path().to_str().unwrap());
        shown["bytes"].as_u64().unwrap()
    };
    let all = bytes(&[]);
    assert!(all > 100);
    let kept = files_below(&cache.path().join("parsed"));
    assert_eq!(kept.len(), 2, "the file, and the project: {kept:?}");
    let left = bytes(&["--cache-size", &(all - 1).to_string()]);
    assert!(0 < left && left < all, "{left} of {all}");
    project.run(["analyze", "-p", "build", "--cache-size", "0"]).ends_with(0);
    assert_eq!(bytes(&[]), 0);
    project.run(["analyze", "-p", "build"]).ends_with(0);
    let text = project.run(["cache"]).stdout;
    assert!(text.contains("parsed") && text.contains("of at most 10.00 GiB"), "{text}");
    assert_eq!(bytes(&["--clear"]), 0);
    project.environment.push(("MOTIF_CACHE_DIR".into(), "off".into()));
    assert!(project.run(["cache"]).stdout.contains("switched off"));
    project.run(["cache", "--clear", "--cache-size", "1G"]).ends_with(2);
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_folder_whose_name_has_commas_and_blanks_is_as_good_as_any() {
    let project = Project::of(&[("twice.c", TEXT)]);
    project.write(&format!("mutants/{MUTANT}"), &TEXT.replace("* 2", "* 3"));
    project.fuzz(&["--budget", "1000x", "-o", "out, of mutator,dictionary"]).ends_with(0);
    let outcome = project.read("out, of mutator,dictionary/outcomes.json");
    assert!(outcome.contains("\"verified\": true"), "{outcome}");
}

/// What a program that shows a run reads: the lines of standard output, of which the schema has all that there are.
#[test]
fn with_json_events_standard_output_has_what_happens_and_nothing_else() {
    let project = Project::of(&[("twice.c", TEXT)]);
    project.write(&format!("mutants/{MUTANT}"), &TEXT.replace("* 2", "* 3"));
    let run = project.fuzz(&["--budget", "1000x", "--sanitizer", "none", "--json-events"]);
    run.ends_with(0);
    let schema = serde_json::from_str(include_str!("../docs/events.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let events: Vec<serde_json::Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    events.iter().for_each(|event| assert!(schema.is_valid(event), "{event}"));
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("begin", "end"));
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
    let stages = |event: &str| of(event).iter().map(|event| event["stage"].clone()).collect::<Vec<_>>();
    assert_eq!(stages("stage"), stages("stage-end"), "stages of this run come one after another");
    assert!(
        ["reading", "building", "searching", "proving"]
            .iter()
            .all(|stage| stages("progress").contains(&(*stage).into()))
    );
    assert_eq!((of("kill")[0]["mutant"].as_str(), of("kill")[0]["kills"].as_u64()), (Some(MUTANT), Some(1)));
    assert!(of("output")[0]["text"].as_str().unwrap().contains("killed"));
    assert_eq!(of("end")[0]["exit"], 0);
    let refused = project.run(["fuzz", "--json-events", "-p", "nowhere"]);
    refused.ends_with(2);
    let last: serde_json::Value = serde_json::from_str(refused.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["exit"]), (&"end".into(), &2.into()));
    assert!(refused.stdout.contains("\"compdb-missing\""), "{}", refused.stdout);
}

#[test]
fn a_cache_that_can_not_be_written_to_costs_the_time_to_build_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(run_with(&file.join("below"), "twice.c").contains(&"worker.cpp.o".to_owned()));
}

#[test]
fn a_cache_that_can_not_be_used_is_warned_of_and_where_it_is_asked_for_an_error() {
    let mut project = Project::of(&[("twice.c", TEXT)]);
    project.write("file", "");
    project.environment.push(("MOTIF_CACHE_DIR".into(), "file/below".into()));
    let run = project.run(["analyze", "-p", "build"]);
    run.ends_with(0);
    assert!(run.stderr.contains("warning[cache-unusable]"), "{}", run.stderr);
    let run = project.run(["cache"]);
    run.ends_with(2);
    assert!(run.stderr.contains("error[cache-unusable]"), "{}", run.stderr);
    // A folder that is something else is not emptied, and nothing is put into it.
    project.environment.push(("MOTIF_CACHE_DIR".into(), ".".into()));
    let before = files_below(project.root());
    for arguments in [&["cache"][..], &["cache", "--clear"], &["analyze", "-p", "build", "--cache-size", "0"]] {
        project.refuses(&project.run(arguments), 2, &["error[cache-taken]: .: ", "MOTIF_CACHE_DIR=off"]);
    }
    assert_eq!(files_below(project.root()), before);
}
