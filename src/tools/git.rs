//! What git knows of a project.

use crate::diag::Problem;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first line that git prints in `folder`; `None` without git or a repository.
pub fn line(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").current_dir(folder).args(arguments).output().ok().filter(|run| run.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// What git prints in `folder`; `asker` is the option or command that needs it, and `code`, `what` and `fix` make the
/// problem if git fails.
///
/// # Errors
///
/// No git (exit 3), or git fails (exit 2).
pub fn output(
    folder: &Path,
    arguments: &[&str],
    asker: &str,
    (code, what, fix): (&'static str, &str, &str),
) -> Result<Vec<u8>, Problem> {
    said(Command::new("git").arg("-C").arg(folder).args(arguments), asker, (code, what, fix))
}

/// The folder of the repository that `folder` is in.
///
/// # Errors
///
/// No git, no repository.
pub fn top(folder: &Path, asker: &str) -> Result<PathBuf, Problem> {
    let what = format!("{asker} needs a git repository");
    let fix = if asker == "`--since`" { "leave `--since` out, or name lines with `--lines`" } else { "" };
    let top = output(folder, &["rev-parse", "--show-toplevel"], asker, ("not-a-repository", &what, fix))?;
    Ok(PathBuf::from(OsStr::from_bytes(top.trim_ascii_end())))
}

/// The commit of a revision. Resolved before use, it cannot be an option or a file name.
///
/// # Errors
///
/// No git, no such revision.
pub fn commit(folder: &Path, revision: &str, asker: &str) -> Result<String, Problem> {
    let name = format!("{revision}^{{commit}}");
    let what = format!("git knows no revision `{revision}`");
    let fix = "give a commit, a branch or a tag; a shallow clone may not have it (`git fetch --unshallow`)";
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &name];
    let commit = output(folder, &arguments, asker, ("revision-unknown", &what, fix))?;
    Ok(String::from_utf8_lossy(commit.trim_ascii_end()).into_owned())
}

/// Writes the files of a commit below `tree`. The user's index and working tree stay as they are.
///
/// # Errors
///
/// Git cannot read the commit, as in a partial clone, or write the files.
pub fn write_tree(top: &Path, commit: &str, tree: &Path, asker: &str) -> Result<(), Problem> {
    let fix = "a shallow or partial clone may lack it: `git fetch --unshallow`";
    let what = format!("the files of {commit} can't be written");
    let index = tree.with_extension("index");
    let prefix = format!("--prefix={}/", tree.display());
    for arguments in [["read-tree", commit].as_slice(), &["checkout-index", "--all", "--force", &prefix]] {
        let mut command = Command::new("git");
        command.arg("-C").arg(top).args(arguments).env("GIT_INDEX_FILE", &index);
        said(&mut command, asker, ("revision-unreadable", &what, fix))?;
    }
    // It was only needed in between.
    let _ = std::fs::remove_file(index);
    Ok(())
}

/// The submodules of a commit by their paths, each with its commit.
///
/// # Errors
///
/// Git cannot read the commit.
pub fn submodules(top: &Path, commit: &str, asker: &str) -> Result<Vec<(PathBuf, String)>, Problem> {
    let what = format!("the files of {commit} can't be listed");
    let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit];
    let listed = output(top, &arguments, asker, ("revision-unreadable", &what, "check it with `git fsck`"))?;
    let one = |entry: &[u8]| {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        let commit = entry[..tab].strip_prefix(b"160000 commit ")?;
        Some((PathBuf::from(OsStr::from_bytes(&entry[tab + 1..])), String::from_utf8_lossy(commit).into_owned()))
    };
    Ok(listed.split(|byte| *byte == 0).filter_map(one).collect())
}

/// The files below `top` that git does not keep, relative to it: all, or only those that it is told to ignore.
///
/// # Errors
///
/// Git cannot read its index.
pub fn untracked(top: &Path, ignored: bool, asker: &str) -> Result<Vec<PathBuf>, Problem> {
    let more: &[&str] = if ignored { &["--ignored", "--exclude-standard"] } else { &[] };
    let arguments = [["ls-files", "--others", "-z"].as_slice(), more].concat();
    let (what, fix) = ("the files that git does not keep can't be listed", "check it with `git status`");
    let listed = output(top, &arguments, asker, ("repository-unreadable", what, fix))?;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect())
}

fn said(command: &mut Command, asker: &str, (code, what, fix): (&'static str, &str, &str)) -> Result<Vec<u8>, Problem> {
    let output = command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").output().map_err(|error| {
        Problem::tool("git-missing", format!("{asker} asks git, which can't be run: {error}"), "install git")
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| !line.trim().is_empty()).map(|line| format!(": {}", line.trim()));
    Err(Problem::usage(code, what.to_owned() + &first.unwrap_or_default(), fix))
}
