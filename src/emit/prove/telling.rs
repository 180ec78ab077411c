//! What a prover says while it works: it may take minutes before the first test is proved.

use std::path::{Path, PathBuf};

/// Who is told what is being compiled or tried; nobody by default.
#[derive(Clone, Default)]
pub struct Listener<'a> {
    told: Option<&'a (dyn Fn(&str) + Sync)>,
    root: PathBuf,
}

impl<'a> Listener<'a> {
    /// `told` is told, and of files below `root` the rest of the path.
    pub fn new(told: &'a (dyn Fn(&str) + Sync), root: &Path) -> Self {
        Self { told: Some(told), root: root.to_path_buf() }
    }

    /// Tells what is being tried.
    pub(in crate::emit) fn tell(&self, what: &str) {
        self.told.into_iter().for_each(|told| told(what));
    }

    /// Tells which file was compiled.
    pub(super) fn tell_file(&self, file: &Path) {
        self.tell(&file.strip_prefix(&self.root).unwrap_or(file).to_string_lossy());
    }
}
