//! The cache of what was read, for the next run.

use super::job::{Done, on_big_stack, write_whole};
use super::options::ParseOptions;
use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// Raised whenever the reader says something new of the same source.
const FORMAT: u32 = 90;

/// So many bytes before an entry say what it is: their digest.
const SEAL: usize = 32;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The key of `what` is read: everything but the contents of the files.
pub(super) fn key(what: &impl Serialize, options: &ParseOptions) -> String {
    let libclang = options.libclang.clone().or_else(|| std::env::var_os("LIBCLANG_PATH").map(PathBuf::from));
    let stamp = libclang.as_ref().map(|path| stamp(path, false));
    let what = (env!("CARGO_PKG_VERSION"), FORMAT, libclang, stamp, what);
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

/// Stamps of the files that were looked at during one reading of the project: most headers belong to most of its files.
#[derive(Default)]
pub(super) struct Stamps(Mutex<HashMap<PathBuf, String>>);

impl Stamps {
    fn of(&self, path: &Path) -> String {
        let known = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(stamp) = known().get(path) {
            return stamp.clone();
        }
        let stamp = stamp(path, !path.starts_with("/usr"));
        known().insert(path.to_path_buf(), stamp.clone());
        stamp
    }
}

/// The result that is cached under the key, if no file has changed and the entry is as it was written.
pub(super) fn load<T: DeserializeOwned + Send>(dir: &Path, key: &str, stamps: &Stamps) -> Option<Done<T>> {
    let file = dir.join(key);
    let sealed = std::fs::read(&file).ok()?;
    let (seal, packed) = sealed.split_at_checked(SEAL)?;
    if Sha256::digest(packed).as_slice() != seal {
        return None;
    }
    let bytes = lz4_flex::decompress_size_prepended(packed).ok()?;
    let mut rest = bytes.as_slice();
    let inputs: Vec<(PathBuf, String)> = unpack(&mut rest)?;
    if !inputs.iter().all(|(path, stamp)| stamps.of(path) == *stamp) {
        return None;
    }
    let read = on_big_stack(|| unpack(&mut rest).context("damaged")).ok()?;
    // What was used last is kept longest.
    let _ = std::fs::File::open(&file).and_then(|file| file.set_modified(SystemTime::now()));
    Some(Done { read, inputs: inputs.into_iter().map(|(path, _)| path).collect() })
}

fn unpack<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    let mut reader = rmp_serde::Deserializer::new(bytes);
    reader.set_max_depth(usize::MAX);
    T::deserialize(&mut reader).ok()
}

/// Keeps what was read from `inputs`.
pub(super) fn store<T: Serialize + Sync>(
    dir: &Path,
    key: &str,
    inputs: &[PathBuf],
    read: &T,
    stamps: &Stamps,
) -> Result<()> {
    let inputs: Vec<(&PathBuf, String)> = inputs.iter().map(|path| (path, stamps.of(path))).collect();
    let mut bytes = rmp_serde::to_vec_named(&inputs)?;
    on_big_stack(|| {
        let mut writer = rmp_serde::Serializer::new(&mut bytes).with_struct_map();
        writer.unstable_set_max_depth(usize::MAX);
        Ok(read.serialize(&mut writer)?)
    })?;
    let packed = lz4_flex::compress_prepend_size(&bytes);
    std::fs::create_dir_all(dir)?;
    write_whole(&dir.join(key), &[Sha256::digest(&packed).as_slice(), packed.as_slice()].concat())
}
