//! Objects cached by content: a compilation is repeated only if its command, its source, or a file that it includes
//! has changed.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The folders in a cache's folder: what each command made of which files, the objects, what is half written.
pub(super) const FOLDERS: [&str; 3] = ["commands", "objects", "scratch"];
/// Results that are remembered per command (for a file edited back and forth).
const REMEMBERED: usize = 8;

/// The cache's folder, with the digests of files that this process has seen.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    seen: Mutex<HashMap<PathBuf, (u64, u128, String)>>,
    /// Results whose content this process has compared with what was made.
    whole: Mutex<HashSet<PathBuf>>,
    /// Of this process, which may share the folder with those of other machines.
    own: String,
    scratch: AtomicU64,
}

/// One result of a command: the files it read, by digest, and the object.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    read: Vec<(PathBuf, String)>,
    object: String,
    /// The digest of the object's content: what was damaged since is made again.
    #[serde(default)]
    content: String,
}

impl Cache {
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let folder = std::path::absolute(folder)?;
        for part in FOLDERS {
            std::fs::create_dir_all(folder.join(part))?;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let own = format!("{}-{now:x}", std::process::id());
        Ok(Self { folder, seen: Mutex::default(), whole: Mutex::default(), own, scratch: AtomicU64::new(0) })
    }

    /// The object of an earlier run of the command `key`, if all files that it read are unchanged, and it is whole.
    pub(super) fn find(&self, key: &str) -> Option<PathBuf> {
        self.fresh(key).map(|entry| self.object(&entry.object))
    }

    fn fresh(&self, key: &str) -> Option<Entry> {
        let fresh =
            |entry: &Entry| entry.read.iter().all(|(file, digest)| self.digest(file).is_some_and(|now| now == *digest));
        self.entries(key).into_iter().rev().find(fresh).filter(|entry| self.is_whole(entry))
    }

    fn is_whole(&self, entry: &Entry) -> bool {
        let object = self.object(&entry.object);
        if self.whole.lock().is_ok_and(|known| known.contains(&object)) {
            return object.is_file();
        }
        let is_whole = content(&object).is_ok_and(|now| now == entry.content);
        if is_whole && let Ok(mut known) = self.whole.lock() {
            known.insert(object);
        }
        is_whole
    }

    /// Says of a result that it was used now.
    pub(super) fn used(&self, key: &str, object: &Path) {
        super::store::used(object);
        super::store::used(&self.folder.join("commands").join(key));
    }

    /// What was read for an object of the command `key`.
    pub(super) fn read_for(&self, key: &str, object: &Path) -> Vec<PathBuf> {
        let entry = self.entries(key).into_iter().find(|entry| self.object(&entry.object) == object);
        entry.into_iter().flat_map(|entry| entry.read).map(|(file, _)| file).collect()
    }

    /// Takes over the result that `other` has of the command `key`. It is one file with two names where both folders
    /// are on one disk, so that it stays here when it goes there.
    pub(super) fn take_from(&self, other: &Self, key: &str) -> Option<PathBuf> {
        let entry = other.fresh(key)?;
        let (theirs, draft) = (other.object(&entry.object), self.scratch("o"));
        std::fs::hard_link(&theirs, &draft).or_else(|_| std::fs::copy(&theirs, &draft).map(drop)).ok()?;
        other.used(key, &theirs);
        let files: Vec<PathBuf> = entry.read.into_iter().map(|(file, _)| file).collect();
        self.keep(key, &files, &draft).inspect_err(|_| _ = std::fs::remove_file(&draft)).ok()
    }

    /// Keeps the object at `made` as the result of the command `key`, which read `files`.
    pub(super) fn keep(&self, key: &str, files: &[PathBuf], made: &Path) -> io::Result<PathBuf> {
        let read: Vec<(PathBuf, String)> =
            files.iter().filter_map(|file| Some((file.clone(), self.digest(file)?))).collect();
        let mut hash = Sha256::new();
        hash.update(key);
        for (file, digest) in &read {
            hash.update(file.as_os_str().as_encoded_bytes());
            hash.update(digest);
        }
        let name = hex(&hash.finalize());
        let object = self.object(&name);
        let content = content(made)?;
        std::fs::rename(made, &object)?;
        if let Ok(mut known) = self.whole.lock() {
            known.insert(object.clone());
        }
        let mut entries = self.entries(key);
        entries.retain(|entry| entry.object != name);
        entries.push(Entry { read, object: name, content });
        let surplus = entries.len().saturating_sub(REMEMBERED);
        entries.drain(..surplus);
        let text = serde_json::to_vec(&entries)?;
        let draft = self.scratch("json");
        std::fs::write(&draft, text)?;
        std::fs::rename(draft, self.folder.join("commands").join(key))?;
        Ok(object)
    }

    /// A unique name in the cache's folder.
    pub(super) fn scratch(&self, extension: &str) -> PathBuf {
        let number = self.scratch.fetch_add(1, Ordering::Relaxed);
        self.folder.join("scratch").join(format!("{}-{number}.{extension}", self.own))
    }

    /// A cached file that is named by its content; a damaged one is written again.
    pub(super) fn file(&self, content: &[u8], extension: &str) -> io::Result<PathBuf> {
        let path = self.folder.join("objects").join(format!("{}.{extension}", hex(&Sha256::digest(content))));
        if std::fs::read(&path).ok().as_deref() != Some(content) {
            let draft = self.scratch(extension);
            std::fs::write(&draft, content)?;
            std::fs::rename(draft, &path)?;
        }
        Ok(path)
    }

    /// The path of a result with this name and kind.
    pub(super) fn result(&self, name: &str, extension: &str) -> PathBuf {
        self.folder.join("objects").join(format!("{name}.{extension}"))
    }

    /// The digest of a file's content; each file is read once unless it changes.
    pub(super) fn digest(&self, file: &Path) -> Option<String> {
        let meta = file.metadata().ok()?;
        let time = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        // There are too many system headers to read; their size and time are enough.
        if file.starts_with("/usr") {
            return Some(format!("{}-{time}", meta.len()));
        }
        let known = self.seen.lock().ok()?.get(file).cloned();
        if let Some((size, then, digest)) = known
            && size == meta.len()
            && then == time
        {
            return Some(digest);
        }
        let digest = hex(&Sha256::digest(std::fs::read(file).ok()?));
        self.seen.lock().ok()?.insert(file.to_path_buf(), (meta.len(), time, digest.clone()));
        Some(digest)
    }

    fn object(&self, name: &str) -> PathBuf {
        self.result(name, "o")
    }

    /// A damaged or foreign file counts as empty.
    fn entries(&self, key: &str) -> Vec<Entry> {
        let text = std::fs::read(self.folder.join("commands").join(key)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }
}

/// A digest of `parts` with separators.
pub(super) fn key<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// The digest of a file's content as it is now.
fn content(file: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut std::fs::File::open(file)?, &mut hash)?;
    Ok(hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files that a compiler's dependency file (`-MD`) names, relative to `directory`; it may have a rule for each, or
/// one that is empty (`-MP`).
pub(super) fn dependencies(text: &str, directory: &Path) -> Vec<PathBuf> {
    let Some((_, list)) = text.split_once(": ") else { return Vec::new() };
    let mut files = Vec::new();
    let mut name = String::new();
    let mut flush = |name: &mut String| {
        let word = std::mem::take(name);
        if !word.is_empty() && !word.ends_with(':') {
            files.push(directory.join(word));
        }
    };
    let mut chars = list.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => {
                chars.next();
                flush(&mut name);
            }
            ('\\', Some(' ' | '#' | '\\')) | ('$', Some('$')) => name.extend(chars.next()),
            (c, _) if c.is_whitespace() => flush(&mut name),
            (c, _) => name.push(c),
        }
    }
    flush(&mut name);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependency_files_are_read_with_their_escapes() {
        let text = "x.o: /a/b.c inc/my\\ header.h \\\n  /c/d$$e.h \\#f.h\n\n/a/b.c:\nx.o: g.h\n";
        let files = dependencies(text, Path::new("/work dir"));
        let names: Vec<_> = files.iter().map(|f| f.to_str().unwrap()).collect();
        assert_eq!(names, ["/a/b.c", "/work dir/inc/my header.h", "/c/d$e.h", "/work dir/#f.h", "/work dir/g.h"]);
    }

    #[test]
    fn a_result_is_found_until_what_it_read_changes_and_again_when_it_changes_back() {
        let root = tempfile::tempdir().unwrap();
        let cache = Cache::open(&root.path().join("cache")).unwrap();
        let header = root.path().join("a.h");
        let made = |text: &str| {
            let object = cache.scratch("o");
            std::fs::write(&object, text).unwrap();
            object
        };
        std::fs::write(&header, "one").unwrap();
        assert_eq!(cache.find("k"), None);
        let first = cache.keep("k", std::slice::from_ref(&header), &made("1")).unwrap();
        assert_eq!(cache.find("k").as_ref(), Some(&first));
        std::fs::write(&header, "three").unwrap();
        assert_eq!(cache.find("k"), None);
        let second = cache.keep("k", std::slice::from_ref(&header), &made("2")).unwrap();
        assert_ne!(first, second);
        std::fs::write(&header, "one").unwrap();
        assert_eq!(cache.find("k"), Some(first));
        std::fs::remove_file(&header).unwrap();
        assert_eq!(cache.find("k"), None);
    }

    #[test]
    fn a_result_with_a_flipped_byte_is_not_found_and_neither_is_one_of_a_damaged_list() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("cache");
        let made = |cache: &Cache| {
            let object = cache.scratch("o");
            std::fs::write(&object, "an object").unwrap();
            cache.keep("k", &[], &object).unwrap()
        };
        let object = made(&Cache::open(&folder).unwrap());
        let is_found = || Cache::open(&folder).unwrap().find("k").is_some();
        for file in [object, folder.join("commands/k")] {
            assert!(is_found());
            let good = std::fs::read(&file).unwrap();
            for at in 0..good.len() {
                let mut bad = good.clone();
                bad[at] ^= 0x10;
                std::fs::write(&file, bad).unwrap();
                // A name in the list may change that nothing looks at.
                assert!(!is_found() || file.ends_with("k"), "byte {at} of {}", file.display());
            }
            std::fs::write(&file, "").unwrap();
            assert!(!is_found());
            made(&Cache::open(&folder).unwrap());
        }
    }

    #[test]
    fn what_was_taken_from_another_cache_stays_when_it_is_removed_there() {
        let root = tempfile::tempdir().unwrap();
        let [users, own] = ["users", "own"].map(|name| Cache::open(&root.path().join(name)).unwrap());
        let object = users.scratch("o");
        std::fs::write(&object, "an object").unwrap();
        let theirs = users.keep("k", &[], &object).unwrap();
        let ours = own.take_from(&users, "k").unwrap();
        std::fs::remove_file(theirs).unwrap();
        assert_eq!(std::fs::read(ours).unwrap(), b"an object");
        assert_eq!(own.take_from(&users, "k"), None);
    }
}
