//! Workers in the user's cache: building one takes seconds, and depends on no project.

use super::worker::{WorkerTools, build_worker, worker_folder};
use anyhow::Result;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Workers that were not used for this long are removed.
const KEPT_FOR: Duration = Duration::from_secs(60 * 24 * 3600);

/// The user's cache, after the XDG base directory specification: `MOTIF_CACHE_DIR`, `$XDG_CACHE_HOME/motif-cpp` or
/// `$HOME/.cache/motif-cpp`. `None` if `MOTIF_CACHE_DIR` is empty or `off`, or if none is an absolute path.
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

/// The worker for `tools`, in this run's folder `own`: copied from the user's cache, or built and stored there. An
/// unusable cache only costs the time to build.
///
/// # Errors
///
/// As [`build_worker`], for `own`.
pub fn kept_worker(tools: &WorkerTools, user: Option<&Path>, own: &Path) -> Result<PathBuf> {
    let worker = worker_folder(tools, own).join("worker");
    let Some(kept) = user.filter(|user| is_ours(user)).map(|user| worker_folder(tools, user).join("worker")) else {
        return build_worker(tools, own);
    };
    if worker.is_file() || copy(&kept, &worker).is_ok() {
        return Ok(worker);
    }
    let built = build_worker(tools, own)?;
    if copy(&built, &kept).is_ok() {
        user.map(remove_unused);
    }
    Ok(built)
}

/// Copies a program and its folder atomically. The original's modification time records its last use.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let folder = to.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let mut draft = tempfile::Builder::new().permissions(Permissions::from_mode(0o777)).tempfile_in(folder)?;
    io::copy(&mut source, &mut draft)?;
    draft.persist(to).map_err(|error| error.error)?;
    let _ = source.set_modified(SystemTime::now());
    Ok(())
}

/// Whether the folder exists or can be created, and nobody else may write to it: files that others can replace must
/// not be run.
fn is_ours(user: &Path) -> bool {
    let found = fs::create_dir_all(user).and_then(|()| fs::metadata(user));
    // SAFETY: geteuid has no preconditions and cannot fail.
    found.is_ok_and(|found| found.uid() == unsafe { libc::geteuid() } && found.mode() & 0o002 == 0)
}

fn remove_unused(user: &Path) {
    let Ok(entries) = fs::read_dir(user) else { return };
    for folder in entries.flatten().map(|entry| entry.path()) {
        let is_one = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("worker-"));
        let used = folder.join("worker").metadata().or_else(|_| folder.metadata()).and_then(|found| found.modified());
        let is_old = used.is_ok_and(|used| used.elapsed().is_ok_and(|since| since > KEPT_FOR));
        if is_one && is_old {
            let _ = fs::remove_dir_all(&folder);
        }
    }
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
        remove_unused(user.path());
        let left: Vec<bool> =
            ["worker-a", "worker-b", "other"].iter().map(|name| user.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true]);
    }
}
