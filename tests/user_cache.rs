//! What is built once for all runs of a user.

use crate::support::Project;
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
fn the_first_run_of_a_user_builds_the_worker_and_the_headers_for_all_projects_and_a_damaged_header_is_made_again() {
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
    assert_eq!(first.len(), 2, "the driver's and the test's: {first:?}");
    let second = run_with(cache.path(), "twice.cpp");
    assert!(!second.iter().any(|name| name.ends_with(".o")), "{second:?}");
    let kept: Vec<String> = names(cache.path()).into_iter().filter(|name| name.starts_with("worker-")).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(names(&cache.path().join(&kept[0])), ["worker"]);
    assert_eq!(headers(), first, "another project finds them, and makes none of its own");
    for (path, _) in &first {
        std::fs::write(path, "CPCH, and nothing else").unwrap();
    }
    run_with(cache.path(), "twice.cpp");
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
    assert!(run_with(&file.join("below"), "twice.c").contains(&"worker.cpp.o".to_owned()));
}
