//! Findings that are kept for all runs, by everything that they depend on.

use crate::build::{Answers, Builder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Increased whenever the same code would be judged differently.
const FORMAT: u32 = 1;

pub(super) struct Kept<'b> {
    answers: Answers<'b>,
    folder: PathBuf,
}

/// A digest of the parts with separators.
pub(super) fn key(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    hash.update(FORMAT.to_le_bytes());
    hash.update(env!("CARGO_PKG_VERSION"));
    hash.update(super::batch::LEVELS.join(" "));
    hash.update(super::batch::GCC_LEVEL);
    hash.update(crate::build::gcc_version().unwrap_or("none"));
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl<'b> Kept<'b> {
    /// Findings that `builder` keeps; the texts for the compilers are written below `folder`.
    pub fn new(builder: &'b Builder, folder: &Path) -> std::io::Result<Self> {
        Ok(Self { answers: Answers::of(builder), folder: std::path::absolute(folder)? })
    }

    /// The findings that were kept; otherwise those of `find`, which gets a folder for the texts to compile.
    pub fn get<T: Serialize + DeserializeOwned, E>(
        &self,
        key: &str,
        find: impl FnOnce(PathBuf) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(known) = self.answers.get(key).and_then(|text| serde_json::from_slice(&text).ok()) {
            return Ok(known);
        }
        let failed = self.answers.failed_by_chance();
        let texts = self.folder.join(format!("{key}.texts"));
        let found = find(texts.clone());
        let _ = std::fs::remove_dir_all(texts);
        if let Ok(found) = &found
            && failed == self.answers.failed_by_chance()
            && let Ok(text) = serde_json::to_vec(found)
        {
            self.answers.keep(key, &[], &text);
        }
        found
    }
}
