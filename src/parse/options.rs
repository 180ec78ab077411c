//! How the project is read.

use super::namesakes;
use crate::compdb::{CompileCommand, Database};
use crate::model::Namesakes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// How the project is read.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// The shared library; none for the one that is found by itself.
    pub libclang: Option<PathBuf>,
    /// Where what was read is kept; none to keep nothing.
    pub cache_dir: Option<PathBuf>,
    /// Processes at a time.
    pub jobs: usize,
    /// The project's root.
    pub root: PathBuf,
    /// Only these main files.
    pub only: Option<Vec<PathBuf>>,
    /// Our own program, started as `PROGRAM __parse JOB`; none to read within this process.
    pub self_exe: Option<PathBuf>,
    /// Entities of the same name that the model tells apart, as [`project`](super::project) found them.
    pub namesakes: Namesakes,
}

impl ParseOptions {
    /// A result of reading the unit of `command`, with the names that the model has.
    pub(super) fn named<T: Serialize + DeserializeOwned + Send>(&self, command: &CompileCommand, value: T) -> T {
        match self.namesakes.get(&command.file) {
            Some(names) => namesakes::renamed(value, names),
            None => value,
        }
    }

    /// Files below these folders are the project's, unless they are system headers.
    pub(super) fn roots(&self, database: &Database) -> Vec<PathBuf> {
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.clone());
        let mut roots = vec![root.clone()];
        for folder in database.commands.iter().filter_map(|command| command.file.parent()) {
            if !folder.starts_with(&root) && !is_installed(folder, &root) && !roots.iter().any(|known| known == folder)
            {
                roots.push(folder.to_path_buf());
            }
        }
        roots
    }
}

/// Folders that packages are installed to.
pub(super) const INSTALLED: [&str; 3] = ["/usr", "/opt", "/nix/store"];

/// Whether `path` belongs to what is installed, of which a project with that root is no part. A project's own sources
/// may stand beside its root; one that is itself below such a folder has what is there.
pub(super) fn is_installed(path: &Path, root: &Path) -> bool {
    INSTALLED.iter().any(|folder| path.starts_with(folder) && !root.starts_with(folder))
}
