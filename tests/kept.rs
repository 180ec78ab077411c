//! What is built once for all runs of a user.

use crate::support::Project;
use std::path::Path;

const TEXT: &str = "int twice(int x) { return x * 2; }\n";
const MUTANT: &str = "twice.mut.1.1_1_1.ICR.twice.c";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A run in a new project, and what lies in the folder of its worker.
fn run_with(cache: &Path) -> Vec<String> {
    let mut project = Project::of(&[("twice.c", TEXT)]);
    project.write(&format!("mutants/{MUTANT}"), &TEXT.replace("* 2", "* 3"));
    project.environment.push(("MOTIF_CACHE_DIR".into(), cache.to_str().unwrap().into()));
    project.fuzz(&["--budget", "1000x", "--sanitizer", "none"]).ends_with(0);
    assert!(project.outcome().verified(MUTANT));
    let own = project.root().join("motif.out/cache");
    let workers: Vec<String> = names(&own).into_iter().filter(|name| name.starts_with("worker-")).collect();
    assert_eq!(workers.len(), 1, "{workers:?}");
    names(&own.join(&workers[0]))
}

#[test]
fn the_worker_is_built_by_the_first_run_of_a_user_and_copied_by_those_that_follow() {
    let cache = tempfile::tempdir().unwrap();
    assert!(run_with(cache.path()).contains(&"worker.cpp.o".to_owned()), "the first one builds it");
    let second = run_with(cache.path());
    assert!(!second.iter().any(|name| name.ends_with(".o")), "{second:?}");
    let kept = names(cache.path());
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(names(&cache.path().join(&kept[0])), ["worker"]);
}

#[test]
fn a_folder_whose_name_has_commas_and_blanks_is_as_good_as_any() {
    let project = Project::of(&[("twice.c", TEXT)]);
    project.write(&format!("mutants/{MUTANT}"), &TEXT.replace("* 2", "* 3"));
    project.fuzz(&["--budget", "1000x", "-o", "out, of mutator,dictionary"]).ends_with(0);
    let outcome = project.read("out, of mutator,dictionary/outcomes.json");
    assert!(outcome.contains("\"verified\": true"), "{outcome}");
}

#[test]
fn a_cache_that_can_not_be_written_to_costs_the_time_to_build_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(run_with(&file.join("below")).contains(&"worker.cpp.o".to_owned()));
    assert!(run_with(Path::new("off")).contains(&"worker.cpp.o".to_owned()));
}
