//! The output folder is disposable: it must be nothing that people keep.

use crate::compdb::Database;
use crate::diag::Problem;
use crate::options::{DEFAULT_OUTPUT, Options};
use std::path::{Path, PathBuf};

/// Any of these is in an output folder of an earlier run.
const OURS: [&str; 4] = [".lock", "outcomes.json", "journal.jsonl", "mutants.json"];
/// Files by which a folder of sources is known.
const SOURCES: [&str; 12] = ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp", "tcc", "C"];
/// So many entries of a folder are looked at.
const LOOKED_AT: usize = 5000;

/// Refuses an output folder that is the project, or has sources of it.
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
    if let Some(source) = source.cloned().or_else(|| foreign_source(&output, &options.root)) {
        return refused(format!("the output folder has sources of the project, such as {}", source.display()));
    }
    Ok(())
}

/// A source or header in a folder of the project that is no output folder.
fn foreign_source(output: &Path, root: &Path) -> Option<PathBuf> {
    let is_default = output == root.join(DEFAULT_OUTPUT);
    if is_default || !output.starts_with(root) || OURS.iter().any(|name| output.join(name).exists()) {
        return None;
    }
    let (mut folders, mut looked_at) = (vec![output.to_path_buf()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            looked_at += 1;
            if looked_at > LOOKED_AT {
                return None;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| SOURCES.iter().any(|known| extension == *known)) {
                return Some(path);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_sources_is_no_output_folder_unless_a_run_left_it() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let found = |name: &str| foreign_source(&root.join(name), root).is_some();
        for name in ["include/a", "motif.out/mutants", "out/tests", "build"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        for file in ["include/a/b.hpp", "motif.out/mutants/a.c", "out/tests/a.c", "out/.lock", "build/x.o"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        assert_eq!(["include", "motif.out", "out", "build", "new"].map(found), [true, false, false, false, false]);
        assert_eq!(foreign_source(&root.join("include"), Path::new("/elsewhere")), None);
    }
}
