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

    /// The cached findings; otherwise those of `find`, which gets a folder for the compiled texts. A damaged file
    /// counts as missing, and findings that cannot be stored are found again next time.
    pub fn get<T: Serialize + DeserializeOwned, E>(
        &self,
        key: &str,
        find: impl FnOnce(PathBuf) -> Result<T, E>,
    ) -> Result<T, E> {
        let file = self.folder.join(format!("{key}.json"));
        let known = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        if let Some(known) = known {
            return Ok(known);
        }
        let texts = self.folder.join(format!("{key}.texts"));
        let found = find(texts.clone());
        let _ = std::fs::remove_dir_all(texts);
        let draft = self.folder.join(format!("{key}.{}", std::process::id()));
        if let Ok(found) = &found
            && let Ok(text) = serde_json::to_vec(found)
            && std::fs::write(&draft, text).is_ok()
        {
            let _ = std::fs::rename(&draft, file);
        }
        found
    }
}
