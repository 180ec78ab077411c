//! What came of proving a kill.

use crate::emit::TestCase;

/// The result of proving one kill.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Proof {
    /// The mutant.
    pub mutant_id: String,
    /// A test passed on the original, twice, and failed on the mutant.
    pub verified: bool,
    /// Why not, where it was not verified; else how the test failed on the mutant.
    pub reason: String,
    /// It is not verified though it was built and run: another input may prove what this one does not.
    #[serde(default)]
    pub another_may: bool,
    /// The tests that fail on it, each by the first mutant that it was written for.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Its test reads private state.
    #[serde(default)]
    pub private: bool,
    /// Its test is as it was before it was shortened.
    #[serde(default)]
    pub longer: bool,
    /// Its test does not end what it made: the original fails where it does.
    #[serde(default)]
    pub unended: bool,
    /// What stands in for functions notes nothing: [`TestCase::is_quiet`].
    #[serde(default)]
    pub quiet: bool,
    /// What its test leaves out: [`TestCase::left_out`].
    #[serde(default)]
    pub left_out: String,
}

pub(super) fn unproved(case: &TestCase, reason: impl Into<String>) -> Proof {
    let (mutant_id, reason) = (case.mutant_id.clone(), reason.into());
    let (private, left_out) = (case.reads_private, case.left_out.clone());
    Proof {
        mutant_id,
        verified: false,
        reason,
        another_may: false,
        tests: Vec::new(),
        private,
        longer: false,
        unended: false,
        quiet: case.is_quiet,
        left_out,
    }
}
