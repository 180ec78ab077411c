//! The files of a revision in a folder of their own, with a compile database that reads them.

use crate::compdb::{CompileCommand, Database};
use crate::diag::Problem;
use crate::mutant::list::ENDINGS;
use crate::tools::git;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;
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
    /// `root`. What git does not keep is the project's: headers in the build folder are read there, those between the
    /// sources are copied. Nothing is copied from the folder `output`.
    ///
    /// # Errors
    ///
    /// Git cannot read the commit, or the folder cannot be written.
    pub fn write(
        top: &Path,
        commit: &str,
        root: &Path,
        database: &Database,
        (output, folder): (&Path, &Path),
    ) -> Result<Self> {
        if folder.exists() {
            std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let files = folder.join("files");
        std::fs::create_dir_all(&files).with_context(|| folder.display().to_string())?;
        let files = files.canonicalize()?;
        let top = top.canonicalize().unwrap_or_else(|_| top.to_path_buf());
        write_all(&top, commit, &files)?;
        let build_folder = database.path.parent().filter(|build| !root.starts_with(build));
        let plain = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let without: Vec<PathBuf> = build_folder.into_iter().chain([output]).map(plain).collect();
        copy_untracked(&top, &files, database, &without)?;
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

/// Writes a commit with its submodules. Of one without that commit, as in a shallow clone, the present one is taken;
/// one that is not there stays away.
fn write_all(top: &Path, commit: &str, files: &Path) -> Result<(), Problem> {
    git::write_tree(top, commit, files, ASKER)?;
    for (path, commit) in git::submodules(top, commit, ASKER)? {
        let (module, files) = (top.join(&path), files.join(&path));
        if module.join(".git").exists() && write_all(&module, &commit, &files).is_err() {
            write_all(&module, "HEAD", &files)?;
        }
    }
    Ok(())
}

/// Copies headers, and sources that git is told to ignore, since both are generated. A source that is merely new is not
/// of the revision. Nothing is taken from the folders in `without`, nor from one at the top that the revision lacks:
/// it may be anything, and include folders are read where they are.
fn copy_untracked(top: &Path, files: &Path, database: &Database, without: &[PathBuf]) -> Result<()> {
    let sources: BTreeSet<&Path> = database.commands.iter().map(|command| command.file.as_path()).collect();
    let ignored: BTreeSet<PathBuf> = git::untracked(top, true, ASKER)?.into_iter().collect();
    for name in git::untracked(top, false, ASKER)? {
        let (from, to) = (top.join(&name), files.join(&name));
        let is_code = name.extension().and_then(OsStr::to_str).is_some_and(|ending| ENDINGS.contains(&ending));
        let is_new = sources.contains(from.as_path()) && !ignored.contains(&name);
        let mut folders = name.components();
        let is_beside =
            matches!((folders.next(), folders.next()), (Some(first), Some(_)) if !files.join(first).is_dir());
        if !is_code || is_new || is_beside || to.exists() || without.iter().any(|folder| from.starts_with(folder)) {
            continue;
        }
        let copied = to.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::copy(&from, &to));
        copied.with_context(|| from.display().to_string())?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::Small;
    use std::process::Command;

    fn git(folder: &Path, arguments: &[&str]) {
        let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"];
        let run = Command::new("git").arg("-C").arg(folder).args(who).args(arguments).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }

    #[test]
    fn a_revision_has_its_submodules_and_the_headers_that_git_does_not_keep() {
        let other = Small::new(&[("k.h", "#define K 1\n"), ("k.c", "")], "");
        git(&other.root, &["init", "--quiet"]);
        git(&other.root, &["add", "k.h"]);
        git(&other.root, &["commit", "--quiet", "-m", "k"]);
        let small = Small::new(&[("lib/q.c", "int f(void);\n"), (".gitignore", "config.h\ngen*\nout\n")], "");
        let top = &small.root;
        git(top, &["init", "--quiet"]);
        git(top, &["submodule", "--quiet", "add", &other.root.display().to_string(), "third"]);
        git(top, &["add", "lib", ".gitignore"]);
        git(top, &["commit", "--quiet", "-m", "older"]);
        std::fs::write(top.join("third/k.h"), "#define K 2\n").unwrap();
        for name in ["lib/config.h", "lib/mine.h", "lib/gen/a.h", "lib/gen.c", "lib/new.c", "top.h", "lib/x.o"] {
            std::fs::create_dir_all(top.join(name).parent().unwrap()).unwrap();
            std::fs::write(top.join(name), name).unwrap();
        }
        for name in ["gen/b.h", "out/c.h"] {
            std::fs::create_dir_all(top.join(name).parent().unwrap()).unwrap();
            std::fs::write(top.join(name), name).unwrap();
        }
        let mut database = Database::load(None, top).unwrap();
        for name in ["lib/gen.c", "lib/new.c"] {
            let file = top.join(name);
            database.commands.push(CompileCommand { file, ..database.commands[0].clone() });
        }
        let folder = top.join("out/cache/compare/older");
        let tree = Tree::write(top, "HEAD", top, &database, (&top.join("out"), &folder)).unwrap();
        let is_there = |name: &&str| tree.root.join(name).exists();
        let there = ["lib/q.c", "third/k.h", "lib/config.h", "lib/mine.h", "lib/gen/a.h", "lib/gen.c", "top.h"];
        assert_eq!(there.iter().copied().filter(is_there).collect::<Vec<_>>(), there);
        let away = ["lib/new.c", "lib/x.o", "gen", "out"];
        assert_eq!(away.iter().copied().filter(is_there).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(std::fs::read_to_string(tree.root.join("third/k.h")).unwrap(), "#define K 1\n");
        assert_eq!(Database::load(Some(&tree.build), &tree.root).unwrap().commands.len(), 2);
    }
}
