//! The user's files, read and written atomically.

use crate::diag::Problem;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Result};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The text of a file; `None` if it does not exist.
pub fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(path, &error).into()),
    }
}

/// The names of headers and override files in a folder, which may not exist.
pub fn names(folder: &Path) -> anyhow::Result<BTreeSet<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(unusable(folder, &error).into()),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter(|name| name.ends_with(".hpp") || name.ends_with(".yaml")).collect())
}

/// Writes a file, and creates its folder.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let put = || -> Result<()> {
        std::fs::create_dir_all(folder)?;
        // Atomically: an interruption leaves no partial file.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o644))?;
        file.persist(path)?;
        Ok(())
    };
    put().map_err(|error| unusable(path, &error).into())
}

/// Removes a file if it exists.
pub fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(unusable(path, &error).into()),
        _ => Ok(()),
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> Problem {
    let fix = match error.kind() {
        ErrorKind::InvalidData => "save it as UTF-8",
        _ => "check the file's permissions",
    };
    Problem::usage("scaffold-file", error.to_string(), fix).at(path)
}
