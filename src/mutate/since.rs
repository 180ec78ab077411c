//! Lines that changed since a git revision.

use crate::diag::Problem;
use crate::tools::git;
use diffy::patch_set::{FileOperation, ParseOptions, PatchSet};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The option, for messages.
const SINCE: &str = "`--since`";

/// The changed code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed(BTreeMap<PathBuf, What>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// The file is new.
    All,
    /// First and last lines, in order.
    Lines(Vec<(u32, u32)>),
}

impl Changed {
    /// Asks git in `root`; files unknown to git are new as a whole.
    ///
    /// # Errors
    ///
    /// No git, no repository, no such revision.
    pub fn since(root: &Path, revision: &str) -> Result<Self, Problem> {
        let top = git::top(root, SINCE)?;
        let commit = git::commit(root, revision, SINCE)?;
        let why = ("git-failed", "git could not compare the working tree with the revision", "");
        // Overrides the user's own settings for diffs.
        let compare = [
            "-c",
            "core.quotePath=true",
            "diff",
            "-U0",
            "-M",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            &commit,
            "--",
        ];
        let diff = git::output(&top, &compare, SINCE, why)?;
        let unknown = git::output(&top, &["ls-files", "--others", "--exclude-standard", "-z"], SINCE, why)?;
        let mut changed = Self::default();
        for patch in PatchSet::parse_bytes(&diff, ParseOptions::gitdiff()).flatten() {
            let name: &[u8] = match patch.operation() {
                FileOperation::Create(name) | FileOperation::Modify { modified: name, .. } => {
                    name.strip_prefix(b"b/").unwrap_or(name)
                }
                FileOperation::Rename { to, .. } | FileOperation::Copy { to, .. } => to,
                FileOperation::Delete(_) => continue,
            };
            let hunks = patch.patch().as_text().map(|text| text.hunks()).unwrap_or_default();
            let new = hunks.iter().map(|hunk| hunk.new_range().range()).filter(|lines| !lines.is_empty());
            let lines: Vec<(u32, u32)> = new.map(|lines| (lines.start as u32, lines.end as u32 - 1)).collect();
            if !lines.is_empty() {
                changed.0.insert(resolved(&top, OsStr::from_bytes(name)), What::Lines(lines));
            }
        }
        for name in unknown.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            changed.0.insert(resolved(&top, OsStr::from_bytes(name)), What::All);
        }
        Ok(changed)
    }

    /// Whether any line of `first..=last` of `file` changed.
    pub fn touches(&self, file: &Path, first: u32, last: u32) -> bool {
        match self.0.get(file) {
            None => false,
            Some(What::All) => true,
            Some(What::Lines(ranges)) => ranges.iter().any(|(from, to)| *from <= last && first <= *to),
        }
    }

    /// Whether anything of `file` changed.
    pub fn touches_file(&self, file: &Path) -> bool {
        self.0.contains_key(file)
    }

    /// The number of changed files.
    pub fn files(&self) -> usize {
        self.0.len()
    }
}

fn resolved(top: &Path, name: &OsStr) -> PathBuf {
    let path = top.join(name);
    path.canonicalize().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    struct Repository(tempfile::TempDir);

    impl Repository {
        fn new() -> Self {
            let repository = Self(tempfile::tempdir().unwrap());
            repository.git(&["init", "--quiet"]);
            repository
        }

        fn root(&self) -> PathBuf {
            self.0.path().canonicalize().unwrap()
        }

        fn git(&self, arguments: &[&str]) {
            let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
            let output = Command::new("git").arg("-C").arg(self.0.path()).args(who).args(arguments).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.root().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn commit(&self) {
            self.git(&["add", "-A"]);
            self.git(&["commit", "--quiet", "-m", "x"]);
        }
    }

    const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

    #[test]
    fn changed_added_renamed_and_new_lines_are_known_and_removed_ones_are_no_lines() {
        let repository = Repository::new();
        for name in ["a.c", "src/b b.c", "src/ä.c", "gone.c", "cut.c"] {
            repository.write(name, TEXT);
        }
        repository.write(".gitignore", "ignored.c\n");
        repository.commit();
        // The content of a line must not be taken for a header.
        repository.write("a.c", &TEXT.replace("two\n", "-- a/x\n++ b/y\n@@ -1 +1 @@\n"));
        repository.git(&["mv", "src/b b.c", "src/c c.c"]);
        repository.write("src/c c.c", &TEXT.replace("seven", "SEVEN"));
        repository.write("src/ä.c", &format!("zero\n{TEXT}"));
        repository.write("cut.c", &TEXT.replace("four\n", ""));
        repository.write("new.c", TEXT);
        repository.write("ignored.c", TEXT);
        std::fs::remove_file(repository.root().join("gone.c")).unwrap();
        let changed = Changed::since(&repository.root(), "HEAD").unwrap();
        let lines = |name: &str| {
            let file = repository.root().join(name);
            (1..=10).filter(|line| changed.touches(&file, *line, *line)).collect::<Vec<_>>()
        };
        assert_eq!(lines("a.c"), [2, 3, 4]);
        assert_eq!(lines("src/c c.c"), [7]);
        assert_eq!(lines("src/ä.c"), [1]);
        assert_eq!(lines("new.c").len(), 10);
        for name in ["cut.c", "gone.c", "ignored.c", "src/b b.c"] {
            assert_eq!(lines(name), [0; 0], "{name}");
        }
        assert!(changed.touches(&repository.root().join("a.c"), 1, 2));
        assert!(!changed.touches(&repository.root().join("a.c"), 5, 20));
    }

    #[test]
    fn the_users_own_settings_do_not_change_what_is_read() {
        let repository = Repository::new();
        repository.write("sub/a.c", TEXT);
        repository.commit();
        for (key, value) in
            [("diff.noprefix", "true"), ("color.diff", "always"), ("diff.context", "5"), ("diff.external", "false")]
        {
            repository.git(&["config", key, value]);
        }
        repository.write("sub/a.c", &TEXT.replace("six", "6"));
        // From a folder inside the repository.
        let changed = Changed::since(&repository.root().join("sub"), "HEAD").unwrap();
        let file = repository.root().join("sub/a.c");
        assert!(changed.touches(&file, 6, 6) && !changed.touches(&file, 1, 5));
    }

    #[test]
    fn no_repository_and_no_such_revision_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Changed::since(folder.path(), "HEAD").unwrap_err().code, "not-a-repository");
        let repository = Repository::new();
        repository.write("a.c", TEXT);
        repository.commit();
        for name in ["nowhere", "--output=x", "", "a.c"] {
            let problem = Changed::since(&repository.root(), name).unwrap_err();
            assert_eq!((problem.code, problem.exit), ("revision-unknown", crate::diag::Exit::Usage), "{name}");
        }
        assert!(!repository.root().join("x").exists());
    }
}
