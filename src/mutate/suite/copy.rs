//! Copies the user's project, to build and test the copy.

use crate::diag::Problem;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Names that are never copied: version-control histories.
const HISTORIES: &[&str] = &[".git", ".hg", ".svn", ".jj"];
/// Compiler output beside the sources: in the copy it could seem newer than its source.
const LEFTOVERS: &[&str] = &["o", "lo", "obj", "d", "gch", "pch", "gcno", "gcda"];

/// Copies the tree `from` to `to`, which must not exist, without the folders and files in `left`, which are absolute.
pub(super) fn tree(from: &Path, to: &Path, left: &[PathBuf]) -> Result<(), Problem> {
    let failed = |error: io::Error| {
        let what = format!("the project can't be copied to {}: {error}", to.display());
        Problem::usage("suite-copy", what, "free some space there, or give another output folder with -o").at(from)
    };
    folder(from, to, from, to, left).map_err(failed)
}

fn folder(from: &Path, to: &Path, root: &Path, copy: &Path, left: &[PathBuf]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let name = entry.file_name();
        let kind = entry.file_type()?;
        if left.contains(&path) || HISTORIES.iter().any(|history| name == *history) {
            continue;
        }
        if kind.is_dir() {
            // Another build folder.
            if !path.join("CMakeCache.txt").is_file() {
                folder(&path, &target, root, copy, left)?;
            }
        } else if kind.is_symlink() {
            let aim = fs::read_link(&path)?;
            let aim = aim.strip_prefix(root).map(|inside| copy.join(inside)).unwrap_or(aim);
            std::os::unix::fs::symlink(aim, &target)?;
        } else if kind.is_file() && !path.extension().is_some_and(|ext| LEFTOVERS.iter().any(|left| ext == *left)) {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_builds_and_leftovers_stay_behind_and_links_stay_within() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("a");
        for file in ["src/a.c", "src/a.o", ".git/HEAD", "build/CMakeCache.txt", "build/x", "out/1/a.c", "sub/.git"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        std::os::unix::fs::symlink(root.join("src/a.c"), root.join("absolute.c")).unwrap();
        std::os::unix::fs::symlink("src/a.c", root.join("relative.c")).unwrap();
        let copy = root.join("out/1/copy");
        tree(&root, &copy, &[root.join("out")]).unwrap();
        let mut names: Vec<_> = fs::read_dir(&copy).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["absolute.c", "relative.c", "src", "sub"]);
        assert_eq!(fs::read_dir(copy.join("src")).unwrap().count(), 1);
        assert_eq!(fs::read_dir(copy.join("sub")).unwrap().count(), 0);
        assert_eq!(fs::read_link(copy.join("absolute.c")).unwrap(), copy.join("src/a.c"));
        assert_eq!(fs::read_to_string(copy.join("relative.c")).unwrap(), "src/a.c");
    }
}
