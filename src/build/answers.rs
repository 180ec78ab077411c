//! What compilers said of a text, kept for all runs as objects are: asked again only if the question or a file that was
//! read for it has changed.

use super::Builder;
use super::cache::Cache;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The answers that are kept: in the user's store, or in what serves one output folder alone.
pub struct Answers<'b> {
    builder: &'b Builder,
    cache: &'b Cache,
}

impl<'b> Answers<'b> {
    /// Those that `builder` keeps.
    pub fn of(builder: &'b Builder) -> Self {
        Self { builder, cache: builder.store.as_ref().map_or(&builder.cache, |store| &store.cache) }
    }

    /// How many compilations have failed that might not fail at another time: what was asked meanwhile is not to be
    /// kept if there are more of them afterwards.
    pub fn failed_by_chance(&self) -> u64 {
        self.builder.failed_by_chance.load(Ordering::Relaxed)
    }

    /// The answer to a question, unless a file that was read for it has changed.
    pub fn get(&self, question: &str) -> Option<Vec<u8>> {
        let kept = self.cache.find(question)?;
        self.cache.used(question, &kept);
        std::fs::read(kept).ok()
    }

    /// Keeps an answer for which `files` were read. What can't be kept is asked again.
    pub fn keep(&self, question: &str, files: &[PathBuf], answer: &[u8]) {
        let draft = self.cache.scratch("answer");
        if std::fs::write(&draft, answer).is_err() || self.cache.keep(question, files, &draft).is_err() {
            let _ = std::fs::remove_file(draft);
        }
    }
}
