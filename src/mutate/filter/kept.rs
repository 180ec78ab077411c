//! Cached findings, keyed by everything that they depend on.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Increased whenever the same code would be judged differently.
const FORMAT: u32 = 1;

pub(super) struct Kept {
    folder: PathBuf,
}

/// A digest of the parts with separators.
pub(super) fn key(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    hash.update(FORMAT.to_le_bytes());
    hash.update(super::batch::LEVELS.join(" "));
    hash.update(super::batch::GCC_LEVEL);
    hash.update(crate::build::gcc_version().unwrap_or("none"));
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Kept {
    pub fn new(folder: &Path) -> std::io::Result<Self> {
        let folder = std::path::absolute(folder)?;
        std::fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    pub fn find<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        // A damaged file counts as missing.
        serde_json::from_slice(&std::fs::read(self.file(key)).ok()?).ok()
    }

    /// A finding that cannot be stored is found again next time.
    pub fn keep<T: Serialize>(&self, key: &str, found: &T) {
        let draft = self.folder.join(format!("{key}.{}", std::process::id()));
        if let Ok(text) = serde_json::to_vec(found)
            && std::fs::write(&draft, text).is_ok()
        {
            let _ = std::fs::rename(&draft, self.file(key));
        }
    }

    /// A folder for the compiled texts.
    pub fn folder(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.texts"))
    }

    /// Removes that folder.
    pub fn clear(&self, key: &str) {
        let _ = std::fs::remove_dir_all(self.folder(key));
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}
