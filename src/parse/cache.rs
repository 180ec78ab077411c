//! The cache of what was read, for the next run.

use super::job::{Job, from_json, write_whole};
use super::options::ParseOptions;
use anyhow::Result;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Raised whenever the reader says something new of the same source.
const FORMAT: u32 = 30;

#[derive(Serialize, Deserialize)]
struct Kept<T> {
    inputs: Vec<(PathBuf, String)>,
    read: T,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The key: everything but the contents of the files.
pub(super) fn key(job: &Job, options: &ParseOptions) -> String {
    let libclang = options.libclang.clone().or_else(|| std::env::var_os("LIBCLANG_PATH").map(PathBuf::from));
    let stamp = libclang.as_ref().map(|path| stamp(path, false));
    let what = (env!("CARGO_PKG_VERSION"), FORMAT, libclang, stamp, job);
    hex(&Sha256::digest(serde_json::to_vec(&what).unwrap_or_default()))
}

/// A stamp of a file's contents: a hash for the project's files, size and time for the system's.
fn stamp(path: &Path, contents: bool) -> String {
    if contents {
        return std::fs::read(path).map(|bytes| hex(&Sha256::digest(bytes))).unwrap_or_default();
    }
    let Ok(meta) = path.metadata() else { return String::new() };
    let time = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!("{}:{}", meta.len(), time.as_nanos())
}

fn stamp_input(path: &Path) -> String {
    stamp(path, !path.starts_with("/usr"))
}

/// The result that is cached under the key, if no file has changed.
pub(super) fn load<T: DeserializeOwned + Send>(dir: &Path, key: &str) -> Option<T> {
    let kept: Kept<T> = from_json(&std::fs::read(dir.join(format!("{key}.json"))).ok()?).ok()?;
    kept.inputs.iter().all(|(path, stamp)| stamp_input(path) == *stamp).then_some(kept.read)
}

/// Keeps what was read from `inputs`.
pub(super) fn store<T: Serialize>(dir: &Path, key: &str, inputs: &[PathBuf], read: &T) -> Result<()> {
    std::fs::create_dir_all(dir)?;
    let inputs = inputs.iter().map(|path| (path.clone(), stamp_input(path))).collect();
    write_whole(&dir.join(format!("{key}.json")), &serde_json::to_vec(&Kept { inputs, read })?)
}
