//! The files of a revision in a folder of their own, with a compile database that reads them.

use crate::compdb::{CompileCommand, Database};
use crate::diag::Problem;
use crate::tools::git;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// Who asks git, for messages.
const ASKER: &str = "`compare`";

/// What is compared with what.
pub struct Revisions {
    /// The folder of the repository.
    pub top: PathBuf,
    /// The older commit.
    pub older: String,
    /// The newer commit; `None` for the working tree.
    pub newer: Option<String>,
}

/// Understands `REV` and `REV..REV`.
///
/// # Errors
///
/// No git, no repository, no such revision, or three dots.
pub fn revisions(root: &Path, text: &str) -> Result<Revisions, Problem> {
    let (older, newer) = text.split_once("..").map_or((text, None), |(older, newer)| (older, Some(newer)));
    if older.is_empty() || newer.is_some_and(|newer| newer.is_empty() || newer.starts_with('.')) {
        let fix = "write `OLDER..NEWER`, or `OLDER` to compare it with the working tree";
        return Err(Problem::usage("revisions-unclear", format!("`{text}` does not name two revisions"), fix));
    }
    let top = git::top(root, ASKER)?;
    let commit = |revision: &str| git::commit(root, revision, ASKER);
    Ok(Revisions { older: commit(older)?, newer: newer.map(commit).transpose()?, top })
}

/// A revision that was written.
pub struct Tree {
    /// The project's root in it.
    pub root: PathBuf,
    /// The folder of its compile database.
    pub build: PathBuf,
}

impl Tree {
    /// Writes the files of `commit` below `folder`, and a compile database for them after that of the project at
    /// `root`. What git does not keep, such as generated headers in the build folder, is taken from the project.
    ///
    /// # Errors
    ///
    /// Git cannot read the commit, or the folder cannot be written.
    pub fn write(top: &Path, commit: &str, root: &Path, database: &Database, folder: &Path) -> Result<Self> {
        if folder.exists() {
            std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let files = folder.join("files");
        std::fs::create_dir_all(&files).with_context(|| folder.display().to_string())?;
        let files = files.canonicalize()?;
        let top = top.canonicalize().unwrap_or_else(|_| top.to_path_buf());
        git::write_tree(&top, commit, &files, ASKER)?;
        let build = folder.canonicalize()?.join("build");
        std::fs::create_dir_all(&build)?;
        let moved = Moved { top: &top, files: &files };
        let generated = database.path.parent().filter(|folder| **folder != *root && **folder != *top);
        let entries: Vec<Value> =
            database.commands.iter().filter_map(|command| moved.command(command, generated)).collect();
        std::fs::write(build.join("compile_commands.json"), serde_json::to_vec(&entries)?)?;
        let inside = root.strip_prefix(&top).unwrap_or(Path::new(""));
        Ok(Self { root: files.join(inside), build })
    }
}

/// Options whose value is a path, in the next argument or in the same.
const PATHS: [&str; 6] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];

/// Where the files of a repository are in another revision.
struct Moved<'t> {
    top: &'t Path,
    files: &'t Path,
}

impl Moved<'_> {
    /// The place of a file or folder; its old one where the revision does not have it.
    fn path(&self, path: &Path) -> PathBuf {
        let moved = path.strip_prefix(self.top).ok().map(|inside| self.files.join(inside));
        moved.filter(|moved| moved.exists()).unwrap_or_else(|| path.to_path_buf())
    }

    /// The command for the revision; none for a source that it does not have, unless the build generates it.
    fn command(&self, command: &CompileCommand, generated: Option<&Path>) -> Option<Value> {
        let file = self.path(&command.file);
        let is_gone = file == command.file && file.starts_with(self.top);
        if is_gone && !generated.is_some_and(|folder| file.starts_with(folder)) {
            return None;
        }
        let mut arguments = vec![command.compiler.clone()];
        let mut is_path = false;
        for argument in &command.args {
            let attached = PATHS.iter().find_map(|option| Some((option, argument.strip_prefix(option)?)));
            arguments.push(match attached {
                _ if is_path => self.written(&command.directory, argument),
                Some((option, path)) if !path.is_empty() => {
                    format!("{option}{}", self.written(&command.directory, path))
                }
                _ => argument.clone(),
            });
            is_path = attached.is_some_and(|(_, path)| path.is_empty());
        }
        arguments.extend(["-c".to_owned(), file.display().to_string()]);
        Some(json!({"directory": self.path(&command.directory), "file": file, "arguments": arguments}))
    }

    /// A path of a command line, absolute: relative ones start in another folder now.
    fn written(&self, directory: &Path, path: &str) -> String {
        let whole = plain(&directory.join(path));
        let moved = self.path(&whole);
        if moved.exists() { moved.display().to_string() } else { path.to_owned() }
    }
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push::<&OsStr>(part.as_ref()),
        }
        plain
    })
}
