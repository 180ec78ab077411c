//! What an earlier outcome and people say of mutants: which survivors are new, which mutants are dismissed, and which
//! are likely to be worth a test.

pub mod adopted;
pub mod dismissals;
mod usefulness;

use crate::diag::Problem;
use crate::outcome::{Equivalence, Judgement, MutantOutcome, Outcome, Proof, Status, Summary};
use crate::report::json;
use adopted::Ledger;
use dismissals::Dismissals;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use usefulness::Usefulness;

/// The dismissals and the adopted tests of a project, and the survivors of a baseline.
#[derive(Clone, Debug, Default)]
pub struct Judgements {
    /// The survivors of the baseline, if there is one.
    known: Option<HashSet<String>>,
    dismissals: Dismissals,
    adopted: Ledger,
    /// The operators of the baseline's mutants, by fingerprint.
    operators: HashMap<String, String>,
}

impl Judgements {
    /// Those of the project at `root`.
    ///
    /// # Errors
    ///
    /// A file cannot be read or understood; the baseline is of another project.
    pub fn read(root: &Path, baseline: Option<&Path>) -> anyhow::Result<Self> {
        let baseline = baseline.map(|path| other(root, path)).transpose()?;
        let known = baseline.as_ref().map(|outcome| {
            let survivors = outcome.mutants.iter().filter(|mutant| mutant.is_left());
            survivors.map(|mutant| mutant.key().to_owned()).collect()
        });
        let operators = baseline.iter().flat_map(operators).collect();
        Ok(Self { known, dismissals: Dismissals::read(root)?, adopted: Ledger::read(root)?, operators })
    }

    /// Writes the judgements into an outcome, in place of those that it has.
    pub fn apply(&self, outcome: &mut Outcome) {
        let operators = self.operators.clone().into_iter().chain(operators(outcome)).collect();
        let usefulness = Usefulness::of(&self.adopted.all, self.dismissals.all(), &operators);
        for mutant in &mut outcome.mutants {
            let by_person = mutant.equivalence.as_ref().is_some_and(|equivalence| equivalence.by == Proof::Person);
            if mutant.dismissed.take().is_some() && by_person {
                (mutant.status, mutant.equivalence) = (Status::Live, None);
            }
            if let Some(dismissed) = self.dismissals.of(mutant) {
                // A kill shows that it is not equivalent, whatever a person says.
                if dismissed.judgement == Judgement::Equivalent && mutant.status == Status::Live {
                    mutant.status = Status::Equivalent;
                    mutant.equivalence = Some(Equivalence::by(Proof::Person));
                }
                mutant.dismissed = Some(dismissed);
            }
            let is_new = |known: &HashSet<String>| !known.contains(mutant.key());
            let new = self.known.as_ref().map(is_new).or(mutant.new);
            mutant.new = new.map(|new| new && mutant.is_left());
            mutant.usefulness = usefulness.percent(mutant);
        }
        outcome.summary = Summary::of(&outcome.mutants);
    }

    /// The dismissals whose mutants are gone, as one warning. If the outcome may lack mutants (`whole` is false), only
    /// functions that it has are asked about.
    pub fn gone(&self, outcome: &Outcome, whole: bool) -> Option<Problem> {
        let keys: HashSet<&str> = outcome.mutants.iter().map(MutantOutcome::key).collect();
        let units: HashSet<&str> = outcome.mutants.iter().filter_map(|mutant| mutant.unit.as_deref()).collect();
        let is_gone = |known: &&dismissals::Dismissal| {
            !keys.contains(known.fingerprint.as_str()) && (whole || units.contains(known.unit.as_str()))
        };
        let gone: Vec<_> = self.dismissals.all().iter().filter(is_gone).collect();
        let first = gone.first()?;
        let what = match gone.len() {
            1 => format!("the dismissed mutant `{}` is gone; its dismissal is kept", first.mutant),
            number => {
                format!("{number} dismissed mutants are gone, `{}` first; their dismissals are kept", first.mutant)
            }
        };
        let fix = format!("`motif-cpp dismiss --remove {}` removes it", first.fingerprint);
        Some(Problem::usage("dismissal-gone", what, fix).at(dismissals::FILE_NAME))
    }
}

/// The operators of an outcome's mutants, by fingerprint.
fn operators(outcome: &Outcome) -> impl Iterator<Item = (String, String)> {
    outcome.mutants.iter().map(|mutant| (mutant.key().to_owned(), mutant.operator.clone()))
}

/// Another outcome of the project at `root`: a file, or an output folder.
///
/// # Errors
///
/// It cannot be read, or is of another project.
pub fn other(root: &Path, path: &Path) -> anyhow::Result<Outcome> {
    let outcome = json::read_file(path)?;
    match foreign(root, &outcome) {
        Some(problem) => Err(problem.at(path).into()),
        None => Ok(outcome),
    }
}

/// The problem with an outcome if no file of its mutants is in the project.
pub fn foreign(root: &Path, outcome: &Outcome) -> Option<Problem> {
    let files: HashSet<&Path> = outcome.mutants.iter().map(|mutant| mutant.file.as_path()).collect();
    if files.is_empty() || files.iter().any(|file| root.join(file).is_file()) {
        return None;
    }
    let what = format!("it is of another project: none of its {} source files is here", files.len());
    let fix = "give the outcome of this project, or the project's root with -C";
    Some(Problem::usage("outcome-foreign", what, fix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Suite;
    use crate::report::sample;

    fn project(dismissals: &str, baseline: Option<&Outcome>) -> (tempfile::TempDir, Judgements) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/pos.c"), "").unwrap();
        std::fs::write(folder.path().join(dismissals::FILE_NAME), dismissals).unwrap();
        let path = baseline.map(|outcome| json::write(outcome, folder.path()).unwrap());
        let judgements = Judgements::read(folder.path(), path.as_deref()).unwrap();
        (folder, judgements)
    }

    fn dismissal(outcome: &Outcome, number: usize, verdict: &str) -> String {
        let (key, unit) = (outcome.mutants[number].key(), outcome.mutants[number].unit.as_deref().unwrap());
        format!("- mutant: m{number}\n  unit: '{unit}'\n  fingerprint: '{key}'\n  as: {verdict}\n  reason: r\n")
    }

    #[test]
    fn a_survivor_that_was_killed_or_absent_before_is_new_and_one_that_lived_is_not() {
        let mut before = sample::outcome();
        (before.mutants[2].status, before.mutants[2].kill) = (Status::Killed, before.mutants[0].kill.clone());
        let mut now = sample::outcome();
        let (_folder, judgements) = project("", Some(&before));
        judgements.apply(&mut now);
        let new: Vec<_> = now.mutants.iter().map(|mutant| mutant.new.unwrap()).collect();
        assert_eq!(new, [false, false, true, false, false, false]);
        let (_folder, without) = project("", None);
        let mut plain = sample::outcome();
        without.apply(&mut plain);
        assert!(plain.mutants.iter().all(|mutant| mutant.new.is_none()));
    }

    #[test]
    fn what_only_a_new_test_kills_is_new_until_the_projects_own_do() {
        let mut before = sample::outcome();
        before.mutants.iter_mut().for_each(|mutant| mutant.suite = Some(Suite::Killed));
        let (_folder, judgements) = project("", Some(&before));
        let mut now = sample::outcome();
        now.mutants[0].suite = Some(Suite::Live);
        now.mutants[1].suite = Some(Suite::Killed);
        judgements.apply(&mut now);
        assert_eq!([0, 1].map(|number| now.mutants[number].new), [Some(true), Some(false)]);
        assert!(now.mutants[0].status == Status::Killed && now.mutants[0].is_listed());
        // It was left before.
        let (_folder, judgements) = project("", Some(&now));
        judgements.apply(&mut now);
        assert_eq!(now.mutants[0].new, Some(false));
    }

    #[test]
    fn a_dismissal_never_counts_as_a_kill_and_can_be_taken_back() {
        let before = sample::outcome();
        let texts = dismissal(&before, 2, "equivalent")
            + &dismissal(&before, 3, "unwanted")
            + &dismissal(&before, 0, "equivalent");
        let (_folder, judgements) = project(&texts, None);
        let mut now = before.clone();
        judgements.apply(&mut now);
        let sum = now.summary;
        assert_eq!((sum.killed, sum.live, sum.equivalent, sum.dismissed), (2, 1, 1, 3));
        assert_eq!(now.mutants[2].equivalence.as_ref().unwrap().by, Proof::Person);
        assert!(!now.mutants[3].is_survivor());
        Judgements::default().apply(&mut now);
        assert_eq!(now, before);
    }

    #[test]
    fn dismissals_of_mutants_that_are_gone_are_one_warning() {
        let before = sample::outcome();
        let (_folder, judgements) =
            project(&(dismissal(&before, 2, "unwanted") + &dismissal(&before, 3, "unwanted")), None);
        assert_eq!(judgements.gone(&before, true), None);
        let mut now = before.clone();
        now.mutants.remove(2);
        assert!(judgements.gone(&now, false).unwrap().what.contains("`m2` is gone"));
        now.mutants.clear();
        assert!(judgements.gone(&now, true).unwrap().what.starts_with("2 dismissed mutants are gone"));
        assert_eq!(judgements.gone(&now, false), None);
    }

    #[test]
    fn an_outcome_of_another_project_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = json::write(&sample::outcome(), folder.path()).unwrap();
        let problem = Judgements::read(folder.path(), Some(&path)).unwrap_err().downcast::<Problem>().unwrap();
        assert_eq!(problem.code, "outcome-foreign");
    }
}
