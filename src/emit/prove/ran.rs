//! What became of a test that has run.

use crate::build::run::Ended;
use crate::emit::comment;
use crate::model::Language;
use std::os::unix::process::ExitStatusExt;

/// What is said of a test that had no time left.
pub(super) const TIMED_OUT: &str = "it did not come back in time";

/// A test that has run.
pub(super) struct Ran {
    pub(super) ended: Ended,
    pub(super) cpu_seconds: f64,
    pub(super) said: String,
}

impl Ran {
    /// How it failed, if it did.
    pub(super) fn failure(&self) -> Option<String> {
        match self.ended {
            Ended::Itself(status) if status.success() => None,
            Ended::Itself(status) => Some(match (status.signal(), telling_line(&self.said)) {
                (Some(signal), Some(line)) => format!("signal {signal}: {line}"),
                (Some(signal), None) => format!("signal {signal}"),
                (None, Some(line)) => line,
                (None, None) => status.to_string(),
            }),
            Ended::TimedOut => Some(TIMED_OUT.to_owned()),
            Ended::Interrupted => Some("interrupted".to_owned()),
        }
    }

    /// The check that failed, where it ended by that and by nothing else.
    pub(super) fn failed_check(&self) -> Option<String> {
        let failed = matches!(self.ended, Ended::Itself(status) if !status.success());
        telling_line(&self.said)
            .filter(|line| failed && !["terminate called", "C++ exception"].iter().any(|end| line.contains(end)))
    }
}

/// The line of a test's output that says what failed.
fn telling_line(said: &str) -> Option<String> {
    let marks = [
        "Assertion `",
        ": Failure",
        ": FAILED:",
        ": error: Failure!",
        "error: in \"",
        ": error: Failure in ",
        ":FAIL",
        "ERROR: ",
        "runtime error: ",
        "C++ exception",
        "terminate called",
    ];
    let line = said.lines().find(|line| marks.iter().any(|mark| line.contains(mark)))?;
    let name = |line: &str| line.rsplit('/').next().unwrap_or(line).trim().to_owned();
    Some(comment::safe(&name(line), Language::Cxx))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_tells_is_found_without_its_folder() {
        let said = "[ RUN      ] A.B\n/x/y/a_test.cpp:12: Failure\nExpected equality\n";
        assert_eq!(telling_line(said).as_deref(), Some("a_test.cpp:12: Failure"));
    }
}
