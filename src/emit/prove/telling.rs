//! What a prover says while it works.

use super::Prover;
use std::path::Path;

impl<'a> Prover<'a> {
    /// Tells `listener` what is being compiled or tried: it may take minutes before the first test is proved.
    #[must_use]
    pub fn telling(self, listener: &'a (dyn Fn(&str) + Sync)) -> Self {
        Self { listener: Some(listener), ..self }
    }

    /// Tells the listener.
    pub(in crate::emit) fn tell(&self, what: &str) {
        self.listener.into_iter().for_each(|listener| listener(what));
    }

    /// A file as people know it.
    pub(super) fn tell_file(&self, file: &Path) {
        self.tell(&file.strip_prefix(&self.project.root).unwrap_or(file).to_string_lossy());
    }
}
