//! What changed since another outcome; mutants are the same if their fingerprints are.

use crate::outcome::{MutantOutcome, Outcome, Status};
use std::collections::{HashMap, HashSet};

/// The change of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Killed now, and not in the other outcome.
    NewlyKilled,
    /// A survivor now, and none in the other outcome, which has it.
    NewlyLive,
    /// The other outcome does not have it.
    New,
}

impl Change {
    /// All of them.
    pub const ALL: [Change; 3] = [Change::NewlyKilled, Change::NewlyLive, Change::New];

    /// The name in data.
    pub fn name(self) -> &'static str {
        match self {
            Change::NewlyKilled => "newly_killed",
            Change::NewlyLive => "newly_live",
            Change::New => "new",
        }
    }

    /// The name for people.
    pub fn words(self) -> &'static str {
        match self {
            Change::NewlyKilled => "newly killed",
            Change::NewlyLive => "newly live",
            Change::New => "new",
        }
    }
}

/// What changed since another outcome.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    of: HashMap<String, Change>,
    /// Mutants that only the other outcome has, as they were.
    pub gone: Vec<MutantOutcome>,
}

impl Changes {
    /// What changed from `old` to `now`.
    pub fn between(old: &Outcome, now: &Outcome) -> Self {
        let mut before: HashMap<&str, Vec<&MutantOutcome>> = HashMap::new();
        old.mutants.iter().for_each(|mutant| before.entry(mutant.key()).or_default().push(mutant));
        // Two operators may make the same change: the one of the same id is meant, if it is there.
        let was = |mutant: &MutantOutcome| {
            let all = before.get(mutant.key())?;
            all.iter().find(|was| was.id == mutant.id).or(all.first()).copied()
        };
        let after: HashSet<&str> = now.mutants.iter().map(MutantOutcome::key).collect();
        let change = |mutant: &MutantOutcome| match was(mutant) {
            None => Some(Change::New),
            Some(was) if mutant.status == Status::Killed && was.status != Status::Killed => Some(Change::NewlyKilled),
            Some(was) if mutant.is_survivor() && !was.is_survivor() => Some(Change::NewlyLive),
            Some(_) => None,
        };
        let of = now.mutants.iter().filter_map(|mutant| Some((mutant.id.clone(), change(mutant)?))).collect();
        let gone = old.mutants.iter().filter(|mutant| !after.contains(mutant.key())).cloned().collect();
        Self { of, gone }
    }

    /// The change of a mutant of the newer outcome.
    pub fn of(&self, mutant: &MutantOutcome) -> Option<Change> {
        self.of.get(&mutant.id).copied()
    }

    /// How many mutants have a change.
    pub fn count(&self, change: Change) -> usize {
        self.of.values().filter(|of| **of == change).count()
    }

    /// The numbers in words.
    pub fn words(&self) -> String {
        let number = |change: Change| format!("{} {}", self.count(change), change.words());
        format!("{}, {} gone", Change::ALL.map(number).join(", "), self.gone.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn mutants_are_compared_by_fingerprint_whatever_their_ids_are() {
        let now = sample::outcome();
        let mut old = sample::outcome();
        old.mutants.iter_mut().for_each(|mutant| mutant.id = format!("elsewhere/{}", mutant.id));
        assert_eq!(Changes::between(&old, &now).words(), "0 newly killed, 0 newly live, 0 new, 0 gone");
        let kill = old.mutants[0].kill.take();
        old.mutants[0].status = Status::Live;
        (old.mutants[2].status, old.mutants[2].kill) = (Status::Killed, kill);
        old.mutants[3].fingerprint = "another".into();
        let changes = Changes::between(&old, &now);
        assert_eq!(changes.words(), "1 newly killed, 1 newly live, 1 new, 1 gone");
        assert_eq!(changes.of(&now.mutants[2]), Some(Change::NewlyLive));
        assert_eq!(changes.of(&now.mutants[1]), None);
    }

    #[test]
    fn of_two_operators_that_make_the_same_change_each_is_compared_with_itself() {
        let mut outcome = sample::outcome();
        let mut duplicate = outcome.mutants[0].clone();
        (duplicate.id, duplicate.status, duplicate.kill) = ("twin".into(), Status::Duplicate, None);
        outcome.mutants.push(duplicate);
        assert_eq!(Changes::between(&outcome, &outcome).words(), "0 newly killed, 0 newly live, 0 new, 0 gone");
    }
}
