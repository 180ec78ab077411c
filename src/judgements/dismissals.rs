//! `motif-dismissed.yaml`: mutants that a person has judged, by fingerprint. It is kept under version control.

use crate::diag::Problem;
use crate::outcome::{Dismissed, Judgement, MutantOutcome};
use crate::report::json::write_whole;
use crate::yaml;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file at the project's root.
pub const FILE_NAME: &str = "motif-dismissed.yaml";
const HEAD: &str = "# Mutants that a person has judged: `motif-cpp dismiss --help`. Reports list them.\n";

/// A person's verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dismissal {
    /// The mutant's id when it was dismissed.
    pub mutant: String,
    /// Its unit then.
    #[serde(default)]
    pub unit: String,
    /// Its change in words then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub change: String,
    /// What names it across revisions.
    pub fingerprint: String,
    /// The verdict.
    #[serde(rename = "as")]
    pub judgement: Judgement,
    /// The reason.
    pub reason: String,
    /// Who said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// The dismissals of a project.
#[derive(Clone, Debug, Default)]
pub struct Dismissals {
    all: Vec<Dismissal>,
    text: String,
}

impl Dismissals {
    /// Those of the project at `root`; none if there is no file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is wrong.
    pub fn read(root: &Path) -> Result<Self, Problem> {
        let file = root.join(FILE_NAME);
        if !file.exists() {
            return Ok(Self { all: Vec::new(), text: HEAD.to_owned() });
        }
        let (all, text) = yaml::read::<Vec<Dismissal>>(&file, "dismissals-invalid")?;
        Ok(Self { all, text })
    }

    /// All of them.
    pub fn all(&self) -> &[Dismissal] {
        &self.all
    }

    /// The verdict on a mutant.
    pub fn of(&self, mutant: &MutantOutcome) -> Option<Dismissed> {
        let found = self.all.iter().rev().find(|known| known.fingerprint == mutant.key())?;
        Some(Dismissed { judgement: found.judgement, reason: found.reason.clone(), by: found.by.clone() })
    }

    /// Adds a dismissal, in place of an earlier one of the same mutant.
    ///
    /// # Errors
    ///
    /// It cannot be written as YAML.
    pub fn add(&mut self, new: Dismissal) -> anyhow::Result<()> {
        self.remove(&new.fingerprint)?;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text += &serde_yaml::to_string(std::slice::from_ref(&new))?;
        self.all.push(new);
        self.settle()
    }

    /// Removes the dismissals of a mutant; returns how many there were.
    ///
    /// # Errors
    ///
    /// They cannot be written as YAML.
    pub fn remove(&mut self, fingerprint: &str) -> anyhow::Result<usize> {
        let goes: Vec<bool> = self.all.iter().map(|known| known.fingerprint == fingerprint).collect();
        let removed = goes.iter().filter(|goes| **goes).count();
        if removed == 0 {
            return Ok(0);
        }
        self.all.retain(|known| known.fingerprint != fingerprint);
        // Comments stay: an entry begins with a dash at the margin, and goes on in indented lines.
        let (mut entries, mut inside, mut kept) = (0, false, String::new());
        for line in self.text.split_inclusive('\n') {
            entries += usize::from(line.starts_with('-'));
            inside = line.starts_with('-') || inside && line.starts_with(' ');
            if !(inside && goes.get(entries - 1).is_some_and(|goes| *goes)) {
                kept += line;
            }
        }
        self.text = kept;
        self.settle()?;
        Ok(removed)
    }

    /// Writes the text anew, without its comments, where the edit of it does not say what is known: a list in brackets,
    /// a reason with empty lines.
    fn settle(&mut self) -> anyhow::Result<()> {
        let said = serde_yaml::from_str::<Option<Vec<Dismissal>>>(&self.text).ok().map(Option::unwrap_or_default);
        if said.as_ref() != Some(&self.all) {
            self.text = HEAD.to_owned() + &serde_yaml::to_string(&self.all)?;
        }
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, root: &Path) -> anyhow::Result<()> {
        write_whole(&root.join(FILE_NAME), self.text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dismissal(name: &str) -> Dismissal {
        Dismissal {
            mutant: format!("src/{name}.mut.cpp"),
            unit: "f(int)".into(),
            change: "`<` changed to `<=`".into(),
            fingerprint: name.into(),
            judgement: Judgement::Unwanted,
            reason: "a log:\nnobody: reads it # really".into(),
            by: None,
        }
    }

    fn written(texts: &str) -> (tempfile::TempDir, Dismissals) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), texts).unwrap();
        let read = Dismissals::read(folder.path()).unwrap();
        (folder, read)
    }

    #[test]
    fn what_is_added_is_read_again_and_a_second_verdict_replaces_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut known = Dismissals::read(folder.path()).unwrap();
        known.add(dismissal("a")).unwrap();
        known.add(Dismissal { judgement: Judgement::Equivalent, ..dismissal("a") }).unwrap();
        known.add(dismissal("b")).unwrap();
        known.write(folder.path()).unwrap();
        let again = Dismissals::read(folder.path()).unwrap();
        assert_eq!(again.all(), known.all());
        let verdicts: Vec<_> = again.all().iter().map(|known| (known.fingerprint.as_str(), known.judgement)).collect();
        assert_eq!(verdicts, [("a", Judgement::Equivalent), ("b", Judgement::Unwanted)]);
    }

    #[test]
    fn a_removal_keeps_comments_and_the_other_entries_as_they_are_written() {
        let entry = |name: &str| format!("- {{mutant: {name}, fingerprint: {name},\n  as: unwanted, reason: r}}\n");
        let text = format!("# Ours.\n{}# About b.\n{}\n", entry("a"), entry("b"));
        let (folder, mut known) = written(&text);
        assert_eq!(known.remove("a").unwrap(), 1);
        known.write(folder.path()).unwrap();
        let after = std::fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        assert_eq!(after, format!("# Ours.\n# About b.\n{}\n", entry("b")));
        assert_eq!(known.remove("a").unwrap(), 0);
        let (_folder, mut flow) = written("[{mutant: a, fingerprint: a, as: unwanted, reason: r}]\n");
        assert_eq!(flow.remove("a").unwrap(), 1);
        assert!(flow.all().is_empty() && !flow.text.contains("mutant: a"));
    }

    #[test]
    fn what_is_written_is_read_again_however_the_file_is_laid_out() {
        let flow = "[{mutant: a, fingerprint: a, as: unwanted, reason: r}]\n";
        let deep = "  - {mutant: a, fingerprint: a, as: unwanted, reason: r}\n";
        let spaced = "- mutant: a\n  fingerprint: a\n  as: unwanted\n  reason: |-\n    first\n\n    second\n  by: x\n";
        for text in [flow, deep, spaced, "# Nothing yet.\n"] {
            let (folder, mut known) = written(text);
            let again = |known: &Dismissals| {
                known.write(folder.path()).unwrap();
                Dismissals::read(folder.path()).unwrap().all().to_vec()
            };
            known.add(dismissal("b")).unwrap();
            assert_eq!(again(&known), known.all(), "{text}");
            for name in ["a", "b"] {
                known.remove(name).unwrap();
                assert_eq!(again(&known), known.all(), "{text}");
            }
        }
    }

    #[test]
    fn a_wrong_file_is_an_error_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), "- mutant: a\n  fingerprnt: b\n").unwrap();
        let problem = Dismissals::read(folder.path()).unwrap_err();
        assert_eq!((problem.code, problem.line), ("dismissals-invalid", Some(2)));
        assert!(problem.fix.contains("`fingerprint`"), "{problem}");
    }
}
