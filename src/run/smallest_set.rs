//! The smallest set of tests that kills what all of them kill.
//!
//! A proof says which tests of a unit fail on a mutant. Tests are taken by how many mutants without a test they kill;
//! of two that kill as many, the one that reads no private state, then the shorter one. A test that nobody wants to
//! read is only taken for what no other one kills.

use crate::emit::TestCase;
use crate::emit::prove::Proof;
use crate::emit::render::makes_calls_fail;
use crate::outcome::How;
use std::collections::{BTreeMap, BTreeSet};

/// A test of more statements and checks is long.
const LONG: usize = 16;

/// A test, with the mutants that it is proved to kill.
pub(super) struct Candidate {
    case: TestCase,
    kills: BTreeSet<String>,
}

impl Candidate {
    /// Its place among `cases`.
    pub(super) fn place(&self, cases: &[TestCase]) -> Option<usize> {
        cases.iter().position(|case| case.mutant_id == self.case.mutant_id)
    }

    /// Whether it is the test of `case`, which may have been written for another mutant.
    pub(super) fn is_test_of(&self, case: &TestCase) -> bool {
        let text = |case: &TestCase| (case.unit_slug.clone(), case.statements.clone(), case.call.clone());
        text(&self.case) == text(case) && self.case.checks == case.checks
    }

    /// Whether it kills a mutant.
    pub(super) fn kills(&self, mutant_id: &str) -> bool {
        self.kills.contains(mutant_id)
    }
}

/// The tests of `cases` that are proved to kill something.
pub(super) fn candidates(cases: &[TestCase], proofs: &[Proof]) -> Vec<Candidate> {
    let mut kills: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for proof in proofs.iter().filter(|proof| proof.verified) {
        // Journals of before this was noted know of its own test only.
        let own = std::slice::from_ref(&proof.mutant_id);
        let tests = if proof.tests.is_empty() { own } else { &proof.tests };
        for test in tests {
            kills.entry(test).or_default().insert(proof.mutant_id.clone());
        }
    }
    let of =
        |case: &TestCase| kills.remove(case.mutant_id.as_str()).map(|kills| Candidate { case: case.clone(), kills });
    cases.iter().filter_map(of).collect()
}

/// One case for each mutant that the `candidates` kill, in the order of `cases`: the mutant's, with the test that kills
/// it in the smallest set.
pub(super) fn smallest(cases: &[TestCase], candidates: &[Candidate]) -> Vec<TestCase> {
    let mut open: BTreeSet<&str> = candidates.iter().flat_map(|test| &test.kills).map(String::as_str).collect();
    let mut chosen: Vec<&Candidate> = Vec::new();
    let new =
        |test: &Candidate, open: &BTreeSet<&str>| test.kills.iter().filter(|id| open.contains(id.as_str())).count();
    while !open.is_empty() {
        let worth = |test: &&Candidate| {
            let (new, shown) = (new(test, &open), !test.case.private_access);
            let length = std::cmp::Reverse(length(test));
            (new > 0, is_readable(test), new, !makes_calls_fail(&test.case), shown, length)
        };
        // (The last of the best is given; the first is wanted.)
        let Some(best) = candidates.iter().rev().max_by_key(worth) else { break };
        open.retain(|id| !best.kills.contains(*id));
        chosen.push(best);
    }
    // What was taken first may be covered by what was taken later.
    for number in (0..chosen.len()).rev() {
        let may_cover = |test: &Candidate| is_readable(test) || !is_readable(chosen[number]);
        let others = chosen.iter().enumerate().filter(|(other, test)| *other != number && may_cover(test));
        let others = || others.clone().map(|(_, test)| test);
        if chosen[number].kills.iter().all(|id| others().any(|test| test.kills.contains(id))) {
            chosen.remove(number);
        }
    }
    let with_test = |case: &TestCase| {
        // Its own test where that is in the set.
        let kills = |test: &&&Candidate| test.kills.contains(&case.mutant_id);
        let own = chosen.iter().filter(kills).find(|test| test.case.mutant_id == case.mutant_id);
        let test = own.or_else(|| chosen.iter().find(kills))?;
        Some(TestCase {
            mutant_id: case.mutant_id.clone(),
            mutated: case.mutated.clone(),
            operator: case.operator.clone(),
            file: case.file.clone(),
            line: case.line,
            diff: case.diff.clone(),
            ..test.case.clone()
        })
    };
    let mut all: Vec<TestCase> = cases.iter().filter_map(with_test).collect();
    // A test is named after the mutant that it was written for, if it kills that.
    all.sort_by_key(|case| cases.iter().position(|other| other.mutant_id == case.mutant_id));
    all
}

fn length(test: &Candidate) -> usize {
    test.case.statements.len() + test.case.checks.len()
}

/// Whether a test is short enough to be read, and its input was minimised: that of a hang never is.
fn is_readable(test: &Candidate) -> bool {
    length(test) <= LONG && test.case.how != How::Hang
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::{Check, CheckKind};

    fn case(id: &str, private: bool) -> TestCase {
        let check = Check::equal("result", id, CheckKind::Int);
        TestCase { private_access: private, checks: vec![check], ..TestCase::sample(id) }
    }

    fn proof(id: &str, tests: &[&str]) -> Proof {
        let tests = tests.iter().map(|test| (*test).to_owned()).collect();
        Proof {
            mutant_id: id.into(),
            verified: true,
            reason: String::new(),
            another_may: false,
            tests,
            private: false,
            longer: false,
            unended: false,
            quiet: false,
            left_out: String::new(),
        }
    }

    fn chosen(cases: &[TestCase], proofs: &[Proof]) -> Vec<(String, String)> {
        let test = |case: &TestCase| match &case.checks[0] {
            Check::Equal { expected, .. } => expected.clone(),
            Check::Throws { .. } => String::new(),
        };
        let cases = smallest(cases, &candidates(cases, proofs));
        cases.iter().map(|case| (case.mutant_id.clone(), test(case))).collect()
    }

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(mutant, test)| ((*mutant).to_owned(), (*test).to_owned())).collect()
    }

    #[test]
    fn one_test_that_kills_all_is_enough_and_each_mutant_is_named() {
        let cases = [case("a", false), case("b", false), case("c", false)];
        let proofs = [proof("a", &["a", "b"]), proof("b", &["b"]), proof("c", &["c", "b"])];
        assert_eq!(chosen(&cases, &proofs), pairs(&[("a", "b"), ("b", "b"), ("c", "b")]));
    }

    #[test]
    fn what_hangs_is_only_for_what_nothing_else_kills() {
        let hang = TestCase { how: How::Hang, ..case("a", false) };
        let cases = [hang, case("b", false), case("c", false)];
        let proofs = [proof("a", &["a"]), proof("b", &["a", "b"]), proof("c", &["a", "b"])];
        assert_eq!(chosen(&cases, &proofs), pairs(&[("a", "a"), ("b", "b"), ("c", "b")]));
    }

    #[test]
    fn what_later_tests_cover_is_left_out_and_public_state_is_preferred() {
        let cases = [case("a", true), case("b", false)];
        let both = ["a", "b"];
        assert_eq!(chosen(&cases, &[proof("a", &both), proof("b", &both)]), pairs(&[("a", "b"), ("b", "b")]));
        let names = ["p", "q", "r", "s", "x", "y"];
        let cases = names.map(|name| case(name, false));
        // x kills most; then y and s are needed, which kill all that x does.
        let proofs = [
            proof("p", &["x", "y"]),
            proof("q", &["x", "s"]),
            proof("r", &["y"]),
            proof("s", &["s"]),
            proof("x", &["x", "y", "s"]),
            proof("y", &["y"]),
        ];
        let tests: BTreeSet<String> = chosen(&cases, &proofs).into_iter().map(|(_, test)| test).collect();
        assert_eq!(tests, ["s", "y"].map(str::to_owned).into());
    }

    #[test]
    fn what_was_not_proved_has_no_test_and_an_old_proof_is_of_its_own_test() {
        let cases = [case("a", false), case("b", false)];
        let failed = Proof { verified: false, ..proof("b", &["a"]) };
        assert_eq!(chosen(&cases, &[proof("a", &[]), failed]), pairs(&[("a", "a")]));
    }
}
