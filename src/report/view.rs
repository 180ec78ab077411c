//! What every report is made from, and which survivors it shows first.

use super::changes::{Change, Changes};
use super::{details, words};
use crate::outcome::{MutantOutcome, Outcome, Status, Suite, Summary, TestOutcome};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// An outcome with the folders that it is about.
#[derive(Clone)]
pub struct View<'o> {
    /// The result.
    pub outcome: &'o Outcome,
    /// The project's root: where its sources are.
    pub root: &'o Path,
    /// The user's folder, that paths on the command line are relative to.
    pub project: &'o Path,
    /// The output folder: where tests and inputs are.
    pub output: &'o Path,
    /// The project's root within its repository, for forges.
    pub within: PathBuf,
    /// What changed since another outcome.
    pub changes: Option<Changes>,
    /// The most survivors of a function that are shown to people.
    pub most: Option<usize>,
    /// New survivors are failures of their unit (`junit`).
    pub fails_on_new: bool,
    /// Whether text may have colours.
    pub color: bool,
}

impl<'o> View<'o> {
    /// A view without anything that is optional.
    pub fn new(outcome: &'o Outcome, root: &'o Path, output: &'o Path) -> Self {
        Self {
            outcome,
            root,
            project: root,
            output,
            within: PathBuf::new(),
            changes: None,
            most: None,
            fails_on_new: false,
            color: false,
        }
    }

    /// All survivors, and what is new and has a test: new ones first, then those that the search came nearest to; of
    /// equals those first for whose like people have adopted tests, and those last whose like they dismiss.
    pub fn survivors(&self) -> Vec<&'o MutantOutcome> {
        let key = |mutant: &'o MutantOutcome| {
            // One that nothing is known of is as likely as not.
            let useful = Reverse(mutant.usefulness.unwrap_or(50));
            (is_old(mutant), distance(mutant), useful, &mutant.file, mutant.line, &mutant.id)
        };
        let mut all: Vec<_> = self.outcome.mutants.iter().filter(|mutant| mutant.is_listed()).collect();
        all.sort_by(|a, b| key(a).cmp(&key(b)));
        all
    }

    /// The survivors to look at, and how many are left out: with a baseline only new ones, and of each function at most
    /// as many as asked for.
    pub fn shown(&self) -> (Vec<&'o MutantOutcome>, usize) {
        let mut of_unit: HashMap<&str, usize> = HashMap::new();
        let wanted: Vec<_> = self.survivors().into_iter().filter(|mutant| mutant.new != Some(false)).collect();
        let all = wanted.len();
        let fits = |mutant: &&'o MutantOutcome| {
            let number = of_unit.entry(mutant.unit.as_deref().unwrap_or_default()).or_default();
            *number += 1;
            self.most.is_none_or(|most| *number <= most)
        };
        let shown: Vec<_> = wanted.into_iter().filter(fits).collect();
        let hidden = all - shown.len();
        (shown, hidden)
    }

    /// Whether there was a baseline.
    pub fn has_baseline(&self) -> bool {
        self.outcome.mutants.iter().any(|mutant| mutant.new.is_some())
    }

    /// Mutants with a person's verdict.
    pub fn dismissed(&self) -> impl Iterator<Item = &'o MutantOutcome> {
        self.outcome.mutants.iter().filter(|mutant| mutant.dismissed.is_some())
    }

    /// The change of a mutant since the other outcome.
    pub fn change(&self, mutant: &MutantOutcome) -> Option<Change> {
        self.changes.as_ref()?.of(mutant)
    }

    /// The score that counts, with its name: with the project's own tests where they were run.
    pub fn score(&self) -> (&'static str, Option<f64>) {
        let summary = &self.outcome.summary;
        match summary.combined_score {
            Some(combined) => ("mutation score with the new tests", Some(combined)),
            None => ("mutation score", summary.score),
        }
    }

    /// The result in one line.
    pub fn headline(&self) -> String {
        let taken_over = match self.outcome.mutants.iter().filter(|mutant| mutant.taken_over).count() {
            0 => String::new(),
            number => format!(", {number} taken over from an earlier run"),
        };
        self.suite_headline().unwrap_or_else(|| self.own_headline()) + &taken_over
    }

    fn own_headline(&self) -> String {
        let summary = &self.outcome.summary;
        let survivors = self.survivors();
        let verified = self.outcome.tests.iter().filter(|test| test.verified).count();
        let new = survivors.iter().filter(|mutant| mutant.new == Some(true)).count();
        let new = if self.has_baseline() { format!(", {new} of them new") } else { String::new() };
        let dismissed = match summary.dismissed {
            0 => String::new(),
            number => format!(", {number} dismissed"),
        };
        let (_, score) = self.score();
        format!(
            "{} of {} killed, {}{new}{dismissed}, {}",
            words::percent(score),
            words::plural(self.outcome.mutants.iter().filter(|mutant| mutant.status.is_tried()).count(), "mutant"),
            words::plural(survivors.len(), "survivor"),
            words::plural(verified, "proved test"),
        )
    }

    /// The result in one line where the project's own tests were run: what they kill, what the new tests add, and what
    /// is left, by verdict.
    fn suite_headline(&self) -> Option<String> {
        let Summary { suite_score, combined_score, .. } = self.outcome.summary;
        let met: Vec<_> = self.outcome.mutants.iter().filter(|mutant| mutant.is_of_score()).collect();
        let is_old = |mutant: &&MutantOutcome| mutant.suite == Some(Suite::Killed);
        let (old, rest): (Vec<_>, Vec<_>) = met.iter().copied().partition(is_old);
        let (more, left): (Vec<&MutantOutcome>, Vec<_>) = rest.into_iter().partition(|mutant| mutant.is_proved());
        let share = |score| words::percent(Some(score)).replace(".0 %", " %");
        let mut out =
            format!("{}: your tests kill {} ({})", words::plural(met.len(), "mutant"), old.len(), share(suite_score?));
        let tests = self.outcome.tests.iter().filter(|test| test.verified).count();
        if tests > 0 {
            let (tests, kill) = (words::plural(tests, "new test"), if tests == 1 { "kills" } else { "kill" });
            let _ = write!(out, ", {tests} {kill} {} more ({})", more.len(), share(combined_score?));
        }
        let mut kinds: Vec<(usize, &str)> = LEFT.iter().map(|kind| (0, *kind)).collect();
        left.iter().for_each(|mutant| kinds[kind(mutant)].0 += 1);
        let kinds = kinds.iter().filter(|(number, _)| *number > 0).map(|(number, kind)| format!("{number} {kind}"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let _ = write!(out, ", {} live{}{kinds}", left.len(), if kinds.is_empty() { "" } else { ": " });
        if self.has_baseline() {
            let new = self.survivors().iter().filter(|mutant| mutant.new == Some(true)).count();
            let _ = write!(out, "; {new} new to your tests");
        }
        Some(out)
    }

    /// A file of the project, relative to the repository.
    pub fn in_repository(&self, file: &Path) -> PathBuf {
        self.within.join(file)
    }

    /// The text of a file as the run read it, unless it is not there: of a commit only its own folder has it.
    pub fn source(&self, file: &Path) -> Option<String> {
        if self.outcome.commit.is_some() && self.root == self.project {
            return None;
        }
        Some(String::from_utf8_lossy(&std::fs::read(self.root.join(file)).ok()?).into_owned())
    }

    /// The text of a file of tests, unless it is not there.
    pub fn test_file(&self, file: &Path) -> Option<String> {
        details::test_source(self.output, file.to_str()?)
    }

    /// The tests that kill a mutant.
    pub fn tests_of(&self, mutant: &MutantOutcome) -> Vec<&'o TestOutcome> {
        self.outcome.tests.iter().filter(|test| test.kills.contains(&mutant.id)).collect()
    }
}

/// The verdicts on what neither the project's own tests nor new ones kill.
const LEFT: [&str; 7] = [
    "equivalent",
    "equal within bound",
    "dismissed",
    "killed without a proof",
    "without a driver",
    "not searched",
    "undecided",
];

/// The place of a verdict in [`LEFT`].
fn kind(mutant: &MutantOutcome) -> usize {
    match mutant.status {
        Status::Equivalent => 0,
        _ if mutant.is_equal_within_bound() => 1,
        _ if mutant.dismissed.is_some() => 2,
        Status::Killed => 3,
        Status::NoDriver | Status::BaselineFailed => 4,
        Status::Live if mutant.effort.is_none() => 5,
        _ => 6,
    }
}

fn is_old(mutant: &MutantOutcome) -> bool {
    mutant.new != Some(true)
}

/// How far the search was from a kill.
fn distance(mutant: &MutantOutcome) -> u8 {
    match mutant.effort.map(|effort| (effort.reached, effort.infected)) {
        _ if mutant.is_equal_within_bound() => 4,
        Some((true, Some(true))) => 0,
        Some((true, None)) => 1,
        Some((true, Some(false))) => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_headline_adds_new_tests_to_the_projects_and_says_what_is_left_by_verdict() {
        let mut outcome = sample::outcome();
        let nowhere = Path::new("/nowhere");
        let suites = [Suite::Live, Suite::Live, Suite::Killed, Suite::NotCovered];
        outcome.mutants.iter_mut().zip(suites).for_each(|(mutant, suite)| mutant.suite = Some(suite));
        outcome.mutants[1].kill.as_mut().unwrap().verified = false;
        // The tests have met it, so that it counts.
        let mut equivalent = MutantOutcome { status: Status::Equivalent, ..outcome.mutants[3].clone() };
        outcome.mutants.push(equivalent.clone());
        // The compiler had it out before any test ran.
        equivalent.suite = None;
        outcome.mutants.push(equivalent);
        outcome.summary = Summary::of(&outcome.mutants);
        let whole = "5 mutants: your tests kill 1 (20 %), 1 new test kills 1 more (40 %), 3 live: ".to_owned()
            + "1 equivalent, 1 killed without a proof, 1 undecided";
        assert_eq!(View::new(&outcome, nowhere, nowhere).headline().replace("not searched", "undecided"), whole);
        outcome.tests.clear();
        outcome.mutants.iter_mut().for_each(|mutant| (mutant.suite, mutant.kill) = (Some(Suite::Killed), None));
        outcome.summary = Summary::of(&outcome.mutants);
        outcome.mutants[0].taken_over = true;
        let all = View::new(&outcome, nowhere, nowhere).headline();
        assert_eq!(all, "8 mutants: your tests kill 8 (100 %), 0 live, 1 taken over from an earlier run");
    }
}
