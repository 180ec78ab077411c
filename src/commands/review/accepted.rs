//! The accepted drivers: a folder per unit in the user's `snapshots/`.

use super::change::Change;
use crate::diag::Problem;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of accepted drivers in the user's project.
pub const FOLDER: &str = "snapshots";
/// The digest of the last rejected change, beside a unit's files.
const REJECTED: &str = ".rejected";

/// Text by file name.
pub type Files = BTreeMap<String, String>;

/// The accepted driver of one unit.
pub struct Entry {
    /// The unit's id when it was accepted.
    pub id: String,
    /// Its files.
    pub files: Files,
}

/// All accepted drivers.
pub struct Accepted {
    folder: PathBuf,
    /// By the name of the unit's folder, its slug at that time.
    pub units: BTreeMap<String, Entry>,
}

impl Accepted {
    /// Reads the accepted drivers; other files in the folder are ignored.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut units = BTreeMap::new();
        for path in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
            let driver = ["driver.cpp", "driver.c"].iter().map(|name| path.join(name)).find(|path| path.is_file());
            let Some(id) = driver.map(|driver| read(&driver)).transpose()?.and_then(|text| id(&text)) else { continue };
            let mut files = Files::new();
            for file in entries(&path)?.into_iter().filter(|file| file.is_file()) {
                if let Some(name) = file.file_name().and_then(|name| name.to_str()).filter(|name| is_driver_file(name))
                {
                    files.insert(name.to_owned(), read(&file)?);
                }
            }
            units.insert(name, Entry { id, files });
        }
        Ok(Self { folder: folder.to_path_buf(), units })
    }

    /// Accepts a change.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn take(&self, change: &Change) -> anyhow::Result<()> {
        let former = change.former.as_deref().map(|name| self.folder.join(name));
        let folder = self.folder.join(&change.slug);
        if !change.new.is_empty() {
            write(|| std::fs::create_dir_all(&folder), &folder)?;
        }
        for (name, text) in &change.new {
            let path = folder.join(name);
            // Atomically.
            let put = || -> std::io::Result<()> {
                let part = folder.join(format!(".{name}.part"));
                std::fs::write(&part, text)?;
                std::fs::rename(&part, &path)
            };
            write(put, &path)?;
        }
        // Files that are not generated any more are deleted; others stay.
        for (place, keep) in former.iter().map(|former| (former, *former == folder)).chain([(&folder, true)]) {
            let stale = change.old.keys().filter(|name| !keep || !change.new.contains_key(*name));
            for name in stale.map(String::as_str).chain([REJECTED]) {
                let path = place.join(name);
                write(|| gone(std::fs::remove_file(&path)), &path)?;
            }
            // A folder with other files is not empty, and stays.
            let _ = std::fs::remove_dir(place);
        }
        Ok(())
    }

    /// Records that this change was rejected.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn refuse(&self, change: &Change) -> anyhow::Result<()> {
        let folder = self.folder.join(change.former.as_ref().unwrap_or(&change.slug));
        let path = folder.join(REJECTED);
        write(|| std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, digest(change) + "\n")), &path)
    }

    /// Whether this change was rejected before.
    pub fn is_rejected(&self, change: &Change) -> bool {
        let path = self.folder.join(change.former.as_ref().unwrap_or(&change.slug)).join(REJECTED);
        std::fs::read_to_string(path).is_ok_and(|text| text.trim() == digest(change))
    }
}

fn digest(change: &Change) -> String {
    let mut all = Sha256::new();
    for (name, text) in &change.new {
        all.update(name);
        all.update([0]);
        all.update(text);
        all.update([0]);
    }
    all.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_driver_file(name: &str) -> bool {
    ["c", "cpp", "h", "hpp"].iter().any(|extension| name.rsplit_once('.').is_some_and(|(_, end)| end == *extension))
}

/// The unit that a driver names.
fn id(driver: &str) -> Option<String> {
    let first = driver.lines().next()?;
    let text = first.strip_prefix("// Drives ").and_then(|rest| rest.strip_suffix(':'));
    let text = text.or_else(|| first.strip_prefix("/* Drives ")?.split_once(": original against").map(|(id, _)| id));
    text.map(str::to_owned)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let found = match std::fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(unusable(folder, &error).into()),
    };
    Ok(found)
}

fn read(path: &Path) -> anyhow::Result<String> {
    // A checkout on another system may use other line ends.
    let text = std::fs::read_to_string(path).map_err(|error| unusable(path, &error))?;
    Ok(text.replace("\r\n", "\n"))
}

fn gone(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn write(put: impl FnOnce() -> std::io::Result<()>, path: &Path) -> anyhow::Result<()> {
    put().map_err(|error| unusable(path, &error).into())
}

fn unusable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage("review-file", error.to_string(), "check the file's permissions").at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(slug: &str, former: Option<&str>, old: &[(&str, &str)], new: &[(&str, &str)]) -> Change {
        let files = |list: &[(&str, &str)]| list.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
        Change {
            slug: slug.into(),
            former: former.map(Into::into),
            id: "f(int)".into(),
            reason: None,
            old: files(old),
            new: files(new),
        }
    }

    const DRIVER: (&str, &str) = ("driver.cpp", "// Drives f(int):\n// more\n");

    #[test]
    fn what_is_accepted_is_read_again_and_what_others_keep_there_is_not() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("theirs")).unwrap();
        std::fs::write(dir.path().join("theirs/a.snap"), "x").unwrap();
        let none = Accepted::read(dir.path()).unwrap();
        none.take(&change("f", None, &[], &[DRIVER, ("TestUtil.hpp", "a\n")])).unwrap();
        let some = Accepted::read(dir.path()).unwrap();
        assert_eq!(some.units.keys().collect::<Vec<_>>(), ["f"]);
        assert_eq!((some.units["f"].id.as_str(), some.units["f"].files.len()), ("f(int)", 2));
    }

    #[test]
    fn what_moved_or_went_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let accepted = Accepted::read(dir.path()).unwrap();
        accepted.take(&change("f", None, &[], &[DRIVER, ("mut_copy.hpp", "a\n")])).unwrap();
        std::fs::write(dir.path().join("f/notes.txt"), "mine").unwrap();
        accepted.take(&change("f_1", Some("f"), &[DRIVER, ("mut_copy.hpp", "a\n")], &[DRIVER])).unwrap();
        let names: Vec<_> = entries(&dir.path().join("f")).unwrap();
        assert_eq!(names, [dir.path().join("f/notes.txt")]);
        assert_eq!(entries(&dir.path().join("f_1")).unwrap(), [dir.path().join("f_1/driver.cpp")]);
        accepted.take(&change("f_1", Some("f_1"), &[DRIVER], &[])).unwrap();
        assert!(!dir.path().join("f_1").exists());
    }

    #[test]
    fn a_rejection_is_of_one_change_only() {
        let dir = tempfile::tempdir().unwrap();
        let accepted = Accepted::read(dir.path()).unwrap();
        let first = change("f", None, &[], &[DRIVER]);
        accepted.take(&first).unwrap();
        let second = change("f", Some("f"), &[DRIVER], &[("driver.cpp", "// Drives f(int):\n// other\n")]);
        assert!(!accepted.is_rejected(&second));
        accepted.refuse(&second).unwrap();
        assert!(accepted.is_rejected(&second) && !accepted.is_rejected(&first));
        accepted.take(&second).unwrap();
        assert!(!dir.path().join("f/.rejected").exists());
    }
}
