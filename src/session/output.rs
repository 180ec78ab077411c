//! The output folder is disposable: it must be nothing that people keep.

use crate::compdb::Database;
use crate::diag::Problem;
use crate::options::{DEFAULT_OUTPUT, Options};
use std::fs::{DirEntry, File};
use std::io::Read;
use std::path::Path;

/// What the lock of an output folder says, from before anything else is written.
pub const MARK: &str = "motif-cpp\n";
/// The lock that only one run can have.
pub const LOCK: &str = ".lock";
/// By these a folder is known that a run has left: files, and what stands near their beginnings.
const MARKS: [(&str, &str); 4] = [
    (LOCK, "motif-cpp"),
    ("journal.jsonl", "{\"event\":\""),
    ("outcomes.json", "\"tool\": \"motif-cpp "),
    ("mutants.json", "\"tool\": \"motif-cpp "),
];
/// Marks stand in so many bytes.
const BEGINNING: u64 = 1024;

/// Refuses an output folder that is the project, has sources of it, or anything that no run has left.
///
/// # Errors
/// What it is instead.
pub fn check(options: &Options, database: &Database) -> Result<(), Problem> {
    let output = options.output.canonicalize().unwrap_or_else(|_| options.output.clone());
    let refused = |what: String| {
        let fix = "give a folder of its own with -o, which may be deleted at any time; the default is motif.out";
        Err(Problem::usage("output-is-source", what, fix).at(&options.output))
    };
    // `compare` writes a revision there, and has checked the project itself.
    if options.root.starts_with(output.join("cache").join("compare")) {
        return Ok(());
    }
    if options.root.starts_with(&output) {
        return refused("the output folder is the project, or has it in it".into());
    }
    let source = database.commands.iter().map(|command| &command.file).find(|file| file.starts_with(&output));
    if let Some(source) = source {
        return refused(format!("the output folder has sources of the project, such as {}", source.display()));
    }
    is_disposable(&options.output)
}

/// Refuses a folder that has anything in it, and was left by no run: tests, for one, replace what is there. The default
/// folder is the tool's by its name.
///
/// # Errors
/// What is there.
pub fn is_disposable(output: &Path) -> Result<(), Problem> {
    let is_marked = |(name, text): (&str, &str)| {
        let mut beginning = Vec::new();
        let read = File::open(output.join(name)).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
        read.is_ok() && String::from_utf8_lossy(&beginning).contains(text)
    };
    if output.ends_with(DEFAULT_OUTPUT) || MARKS.into_iter().any(is_marked) {
        return Ok(());
    }
    let entries = std::fs::read_dir(output).into_iter().flatten().flatten();
    // Earlier versions have left an empty lock.
    let is_empty_lock =
        |entry: &DirEntry| entry.file_name() == LOCK && entry.metadata().is_ok_and(|found| found.len() == 0);
    let others = entries.filter(|entry| !is_empty_lock(entry)).map(|entry| entry.file_name());
    let Some(name) = others.min() else { return Ok(()) };
    let what = format!("no run of motif-cpp has left this folder, which has `{}` in it", name.display());
    let fix = "give a new or an empty folder with -o: what is in an output folder may be replaced and removed";
    Err(Problem::usage("output-taken", what, fix).at(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_anything_in_it_is_no_output_folder_unless_a_run_left_it() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let refused = |name: &str, files: &[(&str, &str)]| {
            for (file, text) in files {
                let file = root.join(name).join(file);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, text).unwrap();
            }
            is_disposable(&root.join(name)).err().map(|problem| problem.what)
        };
        std::fs::create_dir(root.join("empty")).unwrap();
        let list = "{\n  \"schema\": 1,\n  \"tool\": \"motif-cpp 0.1.0\",";
        let ours: [(&str, &[(&str, &str)]); 8] = [
            ("new", &[]),
            ("empty", &[]),
            ("motif.out", &[("mutants/a.c", "")]),
            ("begun", &[(".lock", MARK), ("cache/a", "")]),
            ("not-begun", &[(".lock", "")]),
            ("interrupted", &[("journal.jsonl", "{\"event\":\"started\",\"time\":\"\"}\n"), ("tests/a.c", "")]),
            ("done", &[("outcomes.json", list), ("tests/a.c", "")]),
            ("listed", &[("mutants.json", list), ("mutants/a.c", "")]),
        ];
        for (name, files) in ours {
            assert_eq!(refused(name, files), None, "{name}");
        }
        let of_others: [(&str, &[(&str, &str)]); 6] = [
            ("lock-of-others", &[(".lock", "4711")]),
            ("mine", &[("tests/mine.c", ""), ("z", "")]),
            ("locked", &[("tests/mine.c", ""), (".lock", "")]),
            ("database", &[("tests/mine.c", ""), ("journal.jsonl", "{}\n")]),
            ("mutator", &[("tests/mine.c", ""), ("mutants.json", "{\"mutants\": []}")]),
            ("results", &[("tests/mine.c", ""), ("outcomes.json", "{\"tool\": \"other 1\"}")]),
        ];
        for (name, files) in of_others {
            assert!(refused(name, files).is_some(), "{name}");
        }
        assert!(refused("mine", &[]).unwrap().contains("`tests`"));
    }
}
