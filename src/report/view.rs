//! What every report is made from, and which survivors it shows first.

use super::changes::{Change, Changes};
use super::{details, words};
use crate::outcome::{MutantOutcome, Outcome, TestOutcome};
use std::collections::HashMap;
use std::path::Path;

/// An outcome with the folders that it is about.
#[derive(Clone)]
pub struct View<'o> {
    /// The result.
    pub outcome: &'o Outcome,
    /// The project's root: where its sources are.
    pub root: &'o Path,
    /// The output folder: where tests and inputs are.
    pub output: &'o Path,
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
        Self { outcome, root, output, changes: None, most: None, fails_on_new: false, color: false }
    }

    /// All survivors: new ones first, then those that the search came nearest to.
    pub fn survivors(&self) -> Vec<&'o MutantOutcome> {
        let mut all: Vec<_> = self.outcome.mutants.iter().filter(|mutant| mutant.is_survivor()).collect();
        all.sort_by(|a, b| rank(a).cmp(&rank(b)));
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
        let summary = &self.outcome.summary;
        let survivors = self.survivors();
        let suite = summary
            .suite_score
            .map(|score| format!("the project's tests kill {}, with the new tests ", words::percent(Some(score))));
        let verified = self.outcome.tests.iter().filter(|test| test.verified).count();
        let new = survivors.iter().filter(|mutant| mutant.new == Some(true)).count();
        let new = if self.has_baseline() { format!(", {new} of them new") } else { String::new() };
        let dismissed = match summary.dismissed {
            0 => String::new(),
            number => format!(", {number} dismissed"),
        };
        let (_, score) = self.score();
        format!(
            "{}{} of {} killed, {}{new}{dismissed}, {}",
            suite.unwrap_or_default(),
            words::percent(score),
            words::plural(self.outcome.mutants.iter().filter(|mutant| mutant.status.is_tried()).count(), "mutant"),
            words::plural(survivors.len(), "survivor"),
            words::plural(verified, "proved test"),
        )
    }

    /// The text of a file of the project, unless it is not there.
    pub fn source(&self, file: &Path) -> Option<String> {
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

/// What is looked at first: new, near to being killed, and by place.
fn rank(mutant: &MutantOutcome) -> (bool, u8, &Path, u32, &str) {
    let near = match mutant.effort.map(|effort| (effort.reached, effort.infected)) {
        _ if mutant.is_equal_within_bound() => 4,
        Some((true, Some(true))) => 0,
        Some((true, None)) => 1,
        Some((true, Some(false))) => 2,
        _ => 3,
    };
    (mutant.new != Some(true), near, &mutant.file, mutant.line, &mutant.id)
}
