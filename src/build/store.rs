//! What is kept for all runs of a user, by content: precompiled headers, workers, what makes compilers stand by. Each
//! entry appears whole under its name, so that runs side by side meet no half of one; a store that can't be used costs
//! the time to make things again, no more.

use super::cache::{self, Cache};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What nobody has used for so long is removed.
const KEPT_FOR: Duration = Duration::from_secs(60 * 24 * 3600);
/// Below the store: what compilers made.
const COMPILED: &str = "compiled";

/// The user's store.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    pub(super) cache: Cache,
}

impl Store {
    /// The store of this process's user; none where it is switched off or can't be used.
    pub fn of_user() -> Option<Self> {
        Self::open(&users_folder(|name| std::env::var_os(name))?)
    }

    /// The store in `folder`; none where it can't be written, or others can write to it.
    pub fn open(folder: &Path) -> Option<Self> {
        let cache = is_ours(folder).then(|| Cache::open(&folder.join(COMPILED)))?.ok()?;
        Some(Self { folder: folder.to_path_buf(), cache })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
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
            if fs::metadata(&path).is_ok_and(|there| there.len() == text.len() as u64) {
                continue;
            }
            fs::create_dir_all(&folder)?;
            let mut draft = draft(&folder, 0o666)?;
            io::Write::write_all(&mut draft, text.as_bytes())?;
            draft.persist(&path).map_err(|error| error.error)?;
        }
        Ok(folder)
    }

    /// Copies a program into the store, and removes what nobody uses.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&self, program: &Path, kept: &Path) -> io::Result<()> {
        copy(program, kept)?;
        self.remove_unused();
        Ok(())
    }

    /// Removes what has not been used for months.
    pub(super) fn remove_unused(&self) {
        let is_old = |path: &Path| {
            let used = path.metadata().and_then(|found| found.modified());
            used.is_ok_and(|used| used.elapsed().is_ok_and(|since| since > KEPT_FOR))
        };
        for folder in entries(&self.folder) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let worker = folder.join("worker");
            if name.starts_with("worker-") && is_old(if worker.exists() { &worker } else { &folder }) {
                let _ = fs::remove_dir_all(&folder);
            }
        }
        for part in ["commands", "objects", "scratch"] {
            for file in entries(&self.folder.join(COMPILED).join(part)).filter(|file| is_old(file)) {
                let _ = fs::remove_file(file);
            }
        }
    }
}

/// The folder of what is kept for all runs of a user, after the XDG base directory specification: `MOTIF_CACHE_DIR`,
/// `$XDG_CACHE_HOME/motif-cpp` or `$HOME/.cache/motif-cpp`. None where `MOTIF_CACHE_DIR` is empty or `off`, or none of
/// them is an absolute path.
pub fn users_folder(environment: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(asked) = environment("MOTIF_CACHE_DIR") {
        return absolute((asked != OsStr::new("off")).then_some(asked));
    }
    let base = absolute(environment("XDG_CACHE_HOME")).or_else(|| {
        Some(absolute(environment("HOME"))?.join(".cache")).filter(|base| base.parent() != Some(Path::new("/")))
    });
    Some(base?.join("motif-cpp"))
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

/// Whether the folder is there, or could be made, and is nobody else's to write to: what others can put there is not
/// run.
fn is_ours(user: &Path) -> bool {
    let found = fs::create_dir_all(user).and_then(|()| fs::metadata(user));
    // SAFETY: geteuid has no preconditions and can't fail.
    found.is_ok_and(|found| found.uid() == unsafe { libc::geteuid() } && found.mode() & 0o002 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(given: &[(&str, &str)]) -> Option<PathBuf> {
        users_folder(|name| given.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_users_folder_is_the_one_named_or_that_of_the_desktop_standard() {
        let all = [("MOTIF_CACHE_DIR", "/kept"), ("XDG_CACHE_HOME", "/xdg"), ("HOME", "/home/a")];
        assert_eq!(folder_of(&all), Some("/kept".into()));
        assert_eq!(folder_of(&all[1..]), Some("/xdg/motif-cpp".into()));
        assert_eq!(folder_of(&all[2..]), Some("/home/a/.cache/motif-cpp".into()));
        assert_eq!(
            folder_of(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/home/a")]),
            Some("/home/a/.cache/motif-cpp".into())
        );
    }

    #[test]
    fn there_is_no_users_folder_where_it_is_switched_off_or_nobody_has_a_home() {
        for none in [
            &[("MOTIF_CACHE_DIR", "off"), ("HOME", "/home/a")][..],
            &[("MOTIF_CACHE_DIR", ""), ("HOME", "/a")],
            &[],
            &[("HOME", "/")],
        ] {
            assert_eq!(folder_of(none), None, "{none:?}");
        }
    }

    #[test]
    fn a_worker_is_copied_whole_with_its_folder_and_counts_as_used() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("worker"), root.path().join("worker-a/worker"));
        fs::write(&from, "a program").unwrap();
        let old = SystemTime::now() - 2 * KEPT_FOR;
        File::options().write(true).open(&from).unwrap().set_modified(old).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"a program");
        assert_eq!(to.metadata().unwrap().mode() & 0o100, 0o100, "it can be run");
        assert!(from.metadata().unwrap().modified().unwrap().elapsed().unwrap() < KEPT_FOR);
        assert!(copy(&root.path().join("missing"), &to).is_err());
        assert_eq!(fs::read(&to).unwrap(), b"a program");
    }

    #[test]
    fn a_folder_that_everybody_writes_to_is_not_trusted() {
        let root = tempfile::tempdir().unwrap();
        assert!(is_ours(&root.path().join("new/folder")));
        let open = root.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
        assert!(!is_ours(&open));
    }

    #[test]
    fn what_has_not_been_used_for_months_is_removed_and_nothing_else_is() {
        let user = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - 2 * KEPT_FOR;
        for (name, is_old) in [("worker-a", true), ("worker-b", false), ("other", true)] {
            fs::create_dir(user.path().join(name)).unwrap();
            let file = File::create(user.path().join(name).join("worker")).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
        }
        Store::open(user.path()).unwrap().remove_unused();
        let left: Vec<bool> =
            ["worker-a", "worker-b", "other"].iter().map(|name| user.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn precompiled_headers_go_when_nobody_has_used_them_for_months() {
        let user = tempfile::tempdir().unwrap();
        let store = Store::open(user.path()).unwrap();
        let [old, new] = ["old", "new"].map(|text| store.cache.file(text.as_bytes(), "o").unwrap());
        let long_ago = SystemTime::now() - 2 * KEPT_FOR;
        File::options().write(true).open(&old).unwrap().set_modified(long_ago).unwrap();
        store.remove_unused();
        assert_eq!([old.exists(), new.exists()], [false, true]);
        File::options().write(true).open(&new).unwrap().set_modified(long_ago).unwrap();
        used(&new);
        store.remove_unused();
        assert!(new.exists(), "it was used meanwhile");
    }

    #[test]
    fn files_lie_in_a_folder_of_their_content_and_are_mended() {
        let user = tempfile::tempdir().unwrap();
        let store = Store::open(user.path()).unwrap();
        let folder = store.files(&[("a.hpp", "int a;\n")]).unwrap();
        assert_eq!(fs::read(folder.join("a.hpp")).unwrap(), b"int a;\n");
        assert_ne!(store.files(&[("a.hpp", "int b;\n")]).unwrap(), folder);
        fs::write(folder.join("a.hpp"), "in").unwrap();
        assert_eq!(store.files(&[("a.hpp", "int a;\n")]).unwrap(), folder);
        assert_eq!(fs::read(folder.join("a.hpp")).unwrap(), b"int a;\n");
    }
}
