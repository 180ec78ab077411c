//! What is kept for all runs of a user, by content: objects of the project's files, what was read of them, precompiled
//! headers, workers, what makes compilers stand by. Each entry appears whole under its name and is compared with what
//! was made before it is used: runs side by side meet no half of one, and damage costs the time to make it again.

use super::cache::{self, Cache};
use crate::diag::Problem;
use crate::tools::SOLVER_FOLDER;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The size that the store is kept below where nobody says another, in bytes.
pub const SIZE: u64 = 10 << 30;
/// A run that was not told a size looks at the store's when nobody has for so long.
const LOOKED_AT_EVERY: Duration = Duration::from_secs(600);
/// What a run has left half written is removed when it is so old.
const LEFT_OVER: Duration = Duration::from_secs(24 * 3600);
/// Below the store: what compilers made.
const COMPILED: &str = "compiled";
/// Below the store: what was read of projects.
const PARSED: &str = "parsed";
/// Its time says when the store's size was looked at.
const LOOKED_AT: &str = "bounded";
/// By this file programs that make backups know a cache, and the store knows its folder.
const TAG: &str = "CACHEDIR.TAG";
/// What a tag of ours begins with: the first line is every cache's.
const OURS: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                    # This file is a cache directory tag created by motif-cpp.\n";

/// The code of the problem that a folder is something else: whoever named it is mistaken.
pub const TAKEN: &str = "cache-taken";

/// The user's store.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    pub(super) cache: Cache,
    /// The size that was asked for, in bytes.
    limit: Option<u64>,
    /// Held for its lifetime: nobody else empties the store.
    _shared: Option<File>,
}

/// A part of the store, for the user.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Part {
    /// What it is.
    pub name: &'static str,
    /// Its files.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

impl Store {
    /// The store of this process's user, kept below `limit` bytes; none where it is switched off.
    ///
    /// # Errors
    /// It can't be used.
    pub fn of_user(limit: Option<u64>) -> Result<Option<Self>, Problem> {
        let Some(folder) = crate::tools::users_folder(|name| std::env::var_os(name)) else { return Ok(None) };
        Ok(Some(Self::open(&folder)?.below(limit)))
    }

    /// The store in `folder`.
    ///
    /// # Errors
    /// `TAKEN`: it has files that are not the store's. Otherwise it can't be written, or others can write to it.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        let unusable = |why: io::Error| {
            let what = format!("what serves every run can't be kept here, and is made again each time: {why}");
            let fix = "name a folder of your own in MOTIF_CACHE_DIR, or switch the cache off with MOTIF_CACHE_DIR=off";
            Problem::usage("cache-unusable", what, fix).at(folder)
        };
        if let Some(foreign) = foreign(folder) {
            let what = format!("this folder is no cache of motif-cpp: it has `{}`", foreign.display());
            let fix = "name a new or an empty folder in MOTIF_CACHE_DIR; MOTIF_CACHE_DIR=off keeps nothing";
            return Err(Problem::usage(TAKEN, what, fix).at(folder));
        }
        Self::open_own(folder).map_err(unusable)
    }

    fn open_own(folder: &Path) -> io::Result<Self> {
        let parts = [PARSED, COMPILED].map(|part| folder.join(part));
        make_private(folder)?;
        is_ours(folder)?;
        if !is_tagged(folder) {
            fs::write(folder.join(TAG), OURS)?;
        }
        for part in &parts {
            make_private(part)?;
            is_ours(part)?;
        }
        let cache = Cache::open(&folder.join(COMPILED))?;
        // Where a system has no locks, nobody is waited for.
        let shared = lock(folder).ok().filter(|file| file.lock_shared().is_ok());
        Ok(Self { folder: folder.to_path_buf(), cache, limit: None, _shared: shared })
    }

    fn below(mut self, limit: Option<u64>) -> Self {
        self.limit = limit;
        self
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where what was read of projects is kept.
    pub fn parsed(&self) -> PathBuf {
        self.folder.join(PARSED)
    }

    /// A folder with these files, named by what they say.
    ///
    /// # Errors
    /// They can't be written.
    pub fn files(&self, files: &[(&str, &str)]) -> io::Result<PathBuf> {
        let name = cache::key(files.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]));
        let folder = self.folder.join(format!("files-{}", &name[..16]));
        for (name, text) in files {
            let path = folder.join(name);
            if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
                continue;
            }
            make_private(&folder)?;
            let mut draft = draft(&folder, 0o666)?;
            io::Write::write_all(&mut draft, text.as_bytes())?;
            draft.persist(&path).map_err(|error| error.error)?;
        }
        Ok(folder)
    }

    /// The program that was kept under this name.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        self.cache.find(name).inspect(|program| self.cache.used(name, program))
    }

    /// Keeps a program.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&self, program: &Path, name: &str) -> io::Result<()> {
        let draft = self.cache.scratch("program");
        copy(program, &draft)?;
        self.cache.keep(name, &[], &draft).inspect_err(|_| _ = fs::remove_file(&draft)).map(drop)
    }

    /// What is there.
    pub fn parts(&self) -> Vec<Part> {
        let part = |name| {
            let files = files_below(&self.folder.join(name));
            Part { name, files: files.len(), bytes: files.iter().map(|(_, found)| found.len()).sum() }
        };
        [COMPILED, PARSED].map(part).into()
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.files_kept().map(|(_, found)| found.len()).sum()
    }

    /// All that it has made: whatever else is in its folder is somebody else's.
    fn files_kept(&self) -> impl Iterator<Item = (PathBuf, Metadata)> {
        entries(&self.folder).filter(|entry| is_own(entry)).flat_map(|entry| files_below(&entry))
    }

    /// Removes what was used longest ago until at most `limit` bytes are left, and what runs that were killed have left
    /// half written. Texts that other runs name on command lines stay.
    pub fn bound(&self, limit: u64) {
        let compiled = self.folder.join(COMPILED);
        let [commands, objects, scratch] = cache::FOLDERS.map(|name| compiled.join(name));
        let now = SystemTime::now();
        let mut total = 0;
        let mut removable = Vec::new();
        for (path, found) in self.files_kept() {
            let time = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            // A clock that was set back has left times that are to come.
            let distance = now.duration_since(time).unwrap_or_else(|ahead| ahead.duration());
            let is_draft =
                path.starts_with(&scratch) || path.file_name().is_some_and(|n| n.as_encoded_bytes()[0] == b'.');
            if is_draft {
                if distance > LEFT_OVER {
                    let _ = fs::remove_file(&path);
                }
                continue;
            }
            total += found.len();
            let is_object = path.starts_with(&objects) && path.extension().is_some_and(|ending| ending == "o");
            if is_object || path.starts_with(self.parsed()) || path.starts_with(&commands) {
                removable.push((time, found.len(), path));
            }
        }
        removable.sort();
        for (_, size, path) in removable {
            if total <= limit {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                total -= size;
            }
        }
        let _ = fs::write(self.folder.join(LOOKED_AT), "");
    }

    /// Removes everything. While other runs work with it, what they name on command lines stays.
    pub fn clear(mut self) {
        self.limit = Some(0);
        self._shared = None;
        let alone = lock(&self.folder).ok().filter(|file| !matches!(file.try_lock(), Err(TryLockError::WouldBlock)));
        if alone.is_some() {
            let stays = |entry: &PathBuf| entry.ends_with(LOCK) || entry.ends_with(TAG) || !is_own(entry);
            for entry in entries(&self.folder).filter(|entry| !stays(entry)) {
                let _ = fs::remove_dir_all(&entry).or_else(|_| fs::remove_file(&entry));
            }
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let looked = fs::metadata(self.folder.join(LOOKED_AT)).and_then(|found| found.modified());
        let is_recent = looked.is_ok_and(|then| then.elapsed().is_ok_and(|since| since < LOOKED_AT_EVERY));
        if self.limit.is_some() || !is_recent {
            self.bound(self.limit.unwrap_or(SIZE));
        }
    }
}

/// The file in the store that runs lock.
const LOCK: &str = ".lock";

fn lock(folder: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(folder.join(LOCK))
}

/// Copies a program to where it appears whole, with its folder. The original's time says when it was used last.
///
/// # Errors
/// What the system says; what was at `to` stays.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let folder = to.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let mut draft = draft(folder, 0o777)?;
    io::copy(&mut source, &mut draft)?;
    draft.persist(to).map_err(|error| error.error)?;
    used(from);
    Ok(())
}

/// Says of a file in the store that it was used now.
pub(super) fn used(file: &Path) {
    let _ = File::open(file).and_then(|file| file.set_modified(SystemTime::now()));
}

fn draft(folder: &Path, mode: u32) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().permissions(Permissions::from_mode(mode)).tempfile_in(folder)
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// The files below a folder; what vanishes meanwhile is left out.
fn files_below(folder: &Path) -> Vec<(PathBuf, Metadata)> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => folders.push(path),
                Ok(found) => files.push((path, found)),
                Err(_) => {}
            }
        }
    }
    files
}

/// Makes a folder that is the user's alone, whatever new folders are otherwise.
fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes sure that a folder is nobody else's to write to: what others can put there is not run.
fn is_ours(folder: &Path) -> io::Result<()> {
    let found = fs::metadata(folder)?;
    // SAFETY: geteuid has no preconditions and can't fail.
    if found.uid() != unsafe { libc::geteuid() } || found.mode() & 0o022 != 0 {
        let folder = folder.display();
        return Err(io::Error::other(format!("others can write to it; if nobody has, `chmod -R go-w {folder}`")));
    }
    Ok(())
}

fn is_tagged(folder: &Path) -> bool {
    fs::read(folder.join(TAG)).is_ok_and(|text| text.starts_with(OURS.as_bytes()))
}

/// What says that a folder is no store: without a tag, which stores had not always, anything that no store makes.
fn foreign(folder: &Path) -> Option<PathBuf> {
    if is_tagged(folder) {
        return None;
    }
    let of_others = |folder: PathBuf, is_known: fn(&Path) -> bool| entries(&folder).find(|entry| !is_known(entry));
    let is_part = |entry: &Path| cache::FOLDERS.iter().any(|name| entry.ends_with(name));
    of_others(folder.to_path_buf(), is_own)
        .or_else(|| of_others(folder.join(COMPILED), is_part))
        .or_else(|| of_others(folder.join(PARSED), |entry| has_digest(entry, "", 64) || has_start(entry, ".tmp")))
        .map(|entry| entry.strip_prefix(folder).map(Path::to_path_buf).unwrap_or(entry))
}

/// Whether the store makes this entry of its folder, or did in an earlier version.
fn is_own(entry: &Path) -> bool {
    [COMPILED, PARSED, LOOKED_AT, LOCK, TAG, SOLVER_FOLDER].iter().any(|name| entry.ends_with(name))
        || ["files-", "worker-"].iter().any(|start| has_digest(entry, start, 16))
}

fn has_start(entry: &Path, start: &str) -> bool {
    entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(start.as_bytes()))
}

/// Whether a name is `start` and so many hexadecimal digits.
fn has_digest(entry: &Path, start: &str, digits: usize) -> bool {
    let digest = entry.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_prefix(start));
    digest.is_some_and(|digest| digest.len() == digits && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_copied_whole_with_its_folder_and_counts_as_used() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("worker"), root.path().join("worker-a/worker"));
        fs::write(&from, "a program").unwrap();
        File::open(&from).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"a program");
        assert_eq!(to.metadata().unwrap().mode() & 0o100, 0o100, "it can be run");
        assert_ne!(from.metadata().unwrap().modified().unwrap(), SystemTime::UNIX_EPOCH);
        assert!(copy(&root.path().join("missing"), &to).is_err());
        assert_eq!(fs::read(&to).unwrap(), b"a program");
    }

    #[test]
    fn a_folder_that_others_write_to_is_not_trusted() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("new/folder");
        let mode = |path: &Path, bits| fs::set_permissions(path, Permissions::from_mode(bits)).unwrap();
        let opens = || Store::open(&folder).map(drop).map_err(|problem| problem.code);
        assert_eq!(opens(), Ok(()));
        for part in ["", "compiled", "parsed"].map(|part| folder.join(part)) {
            assert_eq!(part.metadata().unwrap().mode() & 0o777, 0o700, "whatever the umask is");
            for (bits, expected) in [(0o775, Err("cache-unusable")), (0o757, Err("cache-unusable")), (0o755, Ok(()))] {
                mode(&part, bits);
                assert_eq!(opens(), expected, "{bits:o} {}", part.display());
            }
        }
    }

    #[test]
    fn a_folder_that_is_something_else_is_refused_and_left_as_it_is() {
        let root = tempfile::tempdir().unwrap();
        // A project, a home, the cache of another tool, data by names that the store has too.
        for (folder, file) in [
            ("project", "src/a.c"),
            ("home", ".profile"),
            ("target", TAG),
            ("target", "debug/a.o"),
            ("data", "parsed/2024.csv"),
            ("objects", "compiled/a.o"),
        ] {
            let file = root.path().join(folder).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "Signature: 8a477f597d28d172789f06886806bc55\n# by cargo\n").unwrap();
        }
        for folder in ["project", "home", "target", "data", "objects"].map(|name| root.path().join(name)) {
            let before: Vec<PathBuf> = files_below(&folder).into_iter().map(|(path, _)| path).collect();
            assert_eq!(Store::open(&folder).unwrap_err().code, TAKEN, "{}", folder.display());
            let after: Vec<PathBuf> = files_below(&folder).into_iter().map(|(path, _)| path).collect();
            assert_eq!(after, before);
        }
    }

    #[test]
    fn a_new_store_is_tagged_and_so_is_one_of_an_earlier_version_or_with_a_damaged_tag() {
        let user = tempfile::tempdir().unwrap();
        let (store, _) = used_at(user.path(), [1, 2, 3]);
        store.files(&[("a.hpp", "int a;\n")]).unwrap();
        fs::write(store.parsed().join(cache::key([])), "").unwrap();
        drop(store);
        let tag = user.path().join(TAG);
        assert!(fs::read_to_string(&tag).unwrap().starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
        fs::create_dir(user.path().join("worker-0123456789abcdef")).unwrap();
        fs::write(&tag, "Sig").unwrap();
        Store::open(user.path()).unwrap();
        assert!(is_tagged(user.path()));
        fs::remove_file(&tag).unwrap();
        Store::open(user.path()).unwrap();
        assert!(is_tagged(user.path()));
    }

    #[test]
    fn what_the_user_puts_beside_the_parts_of_a_store_stays() {
        let user = tempfile::tempdir().unwrap();
        drop(Store::open(user.path()).unwrap());
        let theirs = [".profile", "a.o", "src/commands/list", "src/.hidden"].map(|name| user.path().join(name));
        for file in &theirs {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "mine").unwrap();
            File::open(file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let store = Store::open(user.path()).unwrap();
        assert_eq!(store.size(), 0);
        store.bound(0);
        store.clear();
        assert!(theirs.iter().all(|file| file.exists()));
        assert!(is_tagged(user.path()) && !user.path().join(COMPILED).exists());
    }

    /// A store of three results, used at these seconds.
    fn used_at(root: &Path, times: [u64; 3]) -> (Store, Vec<PathBuf>) {
        let store = Store::open(root).unwrap();
        let kept = |at: u64| {
            let draft = store.cache.scratch("o");
            fs::write(&draft, [0; 1000]).unwrap();
            let object = store.cache.keep(&format!("key{at}"), &[], &draft).unwrap();
            let when = SystemTime::UNIX_EPOCH + Duration::from_secs(at);
            let list = store.folder.join("compiled/commands").join(format!("key{at}"));
            [&object, &list].into_iter().for_each(|file| File::open(file).unwrap().set_modified(when).unwrap());
            object
        };
        let objects = times.map(kept).to_vec();
        (store, objects)
    }

    #[test]
    fn what_was_used_longest_ago_goes_first_and_a_clock_that_was_set_back_changes_nothing_for_the_rest() {
        let user = tempfile::tempdir().unwrap();
        let to_come = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() + 1_000_000;
        let (store, objects) = used_at(user.path(), [2000, 1000, to_come]);
        let there = || objects.iter().map(|object| object.exists()).collect::<Vec<_>>();
        store.bound(store.size());
        assert_eq!(there(), [true, true, true]);
        store.bound(store.size() - 1000);
        assert_eq!(there(), [true, false, true], "the second was used first");
        store.bound(0);
        assert_eq!(there(), [false, false, false]);
        assert_eq!(store.cache.find("key2000"), None);
    }

    #[test]
    fn what_a_killed_run_left_half_written_goes_after_a_day() {
        let user = tempfile::tempdir().unwrap();
        let store = Store::open(user.path()).unwrap();
        let left = [store.cache.scratch("o"), store.parsed().join(".tmpXYZ"), store.cache.scratch("d")];
        left.iter().for_each(|file| fs::write(file, "half").unwrap());
        left[..2].iter().for_each(|file| File::open(file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap());
        store.bound(SIZE);
        assert_eq!(left.map(|file| file.exists()), [false, false, true]);
    }

    #[test]
    fn clearing_leaves_nothing_but_what_other_runs_name() {
        let user = tempfile::tempdir().unwrap();
        let (store, objects) = used_at(user.path(), [1, 2, 3]);
        let text = store.files(&[("a.hpp", "int a;\n")]).unwrap();
        let other = Store::open(user.path()).unwrap();
        store.clear();
        assert!(text.exists() && !objects[0].exists());
        let list = other.cache.file(b"fun:*", "txt").unwrap();
        drop(other);
        Store::open(user.path()).unwrap().clear();
        assert!(!text.exists() && !list.exists());
    }

    #[test]
    fn a_store_that_was_told_a_size_is_below_it_at_the_end_of_each_run() {
        let user = tempfile::tempdir().unwrap();
        let (store, objects) = used_at(user.path(), [1, 2, 3]);
        store.bound(SIZE);
        drop(store);
        assert!(objects[0].exists());
        let limit = Some(1800);
        drop(Store::open(user.path()).unwrap().below(limit));
        assert_eq!(objects.iter().map(|object| object.exists()).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn a_damaged_program_is_not_there() {
        let (user, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let program = made.path().join("worker");
        fs::write(&program, "a program").unwrap();
        Store::open(user.path()).unwrap().keep(&program, "worker-a").unwrap();
        let kept = Store::open(user.path()).unwrap().program("worker-a").unwrap();
        fs::write(kept, "a pr0gram").unwrap();
        assert_eq!(Store::open(user.path()).unwrap().program("worker-a"), None);
    }

    #[test]
    fn files_lie_in_a_folder_of_their_content_and_are_mended() {
        let user = tempfile::tempdir().unwrap();
        let store = Store::open(user.path()).unwrap();
        let folder = store.files(&[("a.hpp", "int a;\n")]).unwrap();
        assert_eq!(fs::read(folder.join("a.hpp")).unwrap(), b"int a;\n");
        assert_ne!(store.files(&[("a.hpp", "int b;\n")]).unwrap(), folder);
        fs::write(folder.join("a.hpp"), "int b;\n").unwrap();
        assert_eq!(store.files(&[("a.hpp", "int a;\n")]).unwrap(), folder);
        assert_eq!(fs::read(folder.join("a.hpp")).unwrap(), b"int a;\n");
    }
}
