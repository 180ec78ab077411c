//! Problems as the user sees them: a code, a place, what is wrong and what to do; and the exit codes.

use std::fmt;
use std::path::{Path, PathBuf};

/// The exit codes that users script against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Done, but below `--fail-under`, or `--check` found a difference.
    Below = 1,
    /// The command line, the configuration, an override, the compile database or the mutant list is wrong.
    Usage = 2,
    /// A tool that is needed is missing or too old.
    Tool = 3,
    /// No unit could be tested.
    NothingTested = 4,
    /// Interrupted; what was found is kept.
    Interrupted = 130,
}

/// One thing that is wrong, with where and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A stable code such as `compdb-missing`, for scripts and searches.
    pub code: &'static str,
    /// The file it is about, where there is one.
    pub file: Option<PathBuf>,
    /// The line in `file`, counted from 1.
    pub line: Option<u32>,
    /// What is wrong.
    pub what: String,
    /// What the user can do about it.
    pub fix: String,
    /// The exit code that this problem alone would lead to.
    pub exit: Exit,
}

impl Problem {
    /// A problem that is the caller's to mend (exit 2).
    pub fn usage(code: &'static str, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { code, file: None, line: None, what: what.into(), fix: fix.into(), exit: Exit::Usage }
    }

    /// A missing or unusable tool (exit 3).
    pub fn tool(code: &'static str, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { exit: Exit::Tool, ..Self::usage(code, what, fix) }
    }

    /// Nothing could be tested (exit 4).
    pub fn untestable(code: &'static str, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { exit: Exit::NothingTested, ..Self::usage(code, what, fix) }
    }

    /// Adds the file that the problem is about.
    #[must_use]
    pub fn at(mut self, file: impl AsRef<Path>) -> Self {
        self.file = Some(file.as_ref().to_path_buf());
        self
    }

    /// Adds the line in the file, counted from 1.
    #[must_use]
    pub fn line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] ", self.code)?;
        if let Some(file) = &self.file {
            write!(f, "{}", file.display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            write!(f, ": ")?;
        }
        write!(f, "{}", self.what)?;
        if !self.fix.is_empty() {
            write!(f, "\n  = help: {}", self.fix)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// Names the candidate nearest to `word`, for "did you mean" hints; none when nothing is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + word.len().max(candidate.len()) / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_says_where_what_and_what_to_do() {
        let problem =
            Problem::usage("yaml-key", "unknown key `budgett`", "did you mean `budget`?").at("motif.yaml").line(3);
        assert_eq!(
            problem.to_string(),
            "[yaml-key] motif.yaml:3: unknown key `budgett`\n  = help: did you mean `budget`?"
        );
    }

    #[test]
    fn a_near_word_is_suggested_and_a_far_one_is_not() {
        assert_eq!(nearest("budgett", ["seed", "budget"]), Some("budget"));
        assert_eq!(nearest("xyz", ["seed", "budget"]), None);
    }
}
