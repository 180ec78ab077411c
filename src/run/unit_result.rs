//! What a run knows of one unit: its mutants, what became of them, its kills, and why it was given up.

use crate::build::CompileFailure;
use crate::model::{Function, Usr};
use crate::mutant::Mutant;
use crate::outcome::{Driver, Effort, Equivalence, Kill, Status, UnitOutcome, UnitSeconds};
use crate::plan::{self, Adjustments, UnitPlan};
use crate::triage::Observation;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A unit and the numbers of its mutants.
pub struct Work {
    /// The unit.
    pub unit: Usr,
    /// Indexes into the run's mutants.
    pub mutants: Vec<usize>,
}

/// A kill with what its test is written from.
pub struct Killed {
    /// Index into the run's mutants.
    pub mutant: usize,
    pub outcome: Kill,
    pub original: Observation,
    pub mutated: Observation,
    /// Why the test is not proved.
    pub unproved: Option<String>,
}

/// How a unit's inputs have to be run.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Manner {
    /// Those after which the original's objects can't be taken down are no good.
    pub strict: bool,
    /// Memory that nobody has written to holds the same for each side.
    pub fills: bool,
}

/// A unit that is done.
pub struct Finished {
    pub plan: Option<UnitPlan>,
    pub manner: Manner,
    /// How it departs from the plan that was made first.
    pub changes: Adjustments,
    pub outcome: UnitOutcome,
    /// Some input got into it, as far as can be told.
    pub entered: bool,
    /// What it calls that nobody defines, as it stands behind what the original fails with.
    pub lacks: String,
    /// Results that are not compared, by their paths.
    pub not_compared: Vec<String>,
    /// Members (class and name) in which the search saw the original differ from itself.
    pub unsteady: BTreeSet<(String, String)>,
    /// What was thrown while its objects were made, as it stands behind that no input got into it.
    pub throws: String,
    pub statuses: BTreeMap<usize, (Status, Option<String>)>,
    pub efforts: BTreeMap<usize, Effort>,
    pub kills: Vec<Killed>,
    /// Proofs that mutants behave like the original.
    pub equivalences: BTreeMap<usize, Equivalence>,
    /// What the solver said of those that it was asked about between two parts of the search, and could not decide.
    pub asked: BTreeMap<usize, String>,
    /// CPU seconds of the solver before the search went on.
    pub solver_seconds: f64,
    /// Compiling and linking what its engine runs; the project's own objects are not its.
    pub build_seconds: f64,
    pub search_seconds: f64,
    pub triage_seconds: f64,
    /// Inputs of the search, and runs under a sanitizer.
    pub executions: u64,
    /// An earlier run has found all of it.
    pub taken_over: bool,
}

impl Finished {
    /// What says that the disk was full: nothing of this is to be believed.
    pub fn full_disk(&self) -> Option<&str> {
        let reasons = self.statuses.values().filter_map(|(_, reason)| reason.as_deref());
        reasons.chain(self.outcome.reason.as_deref()).find(|reason| is_full(reason))
    }

    /// What it has cost by now, as `kill.cpu_seconds` counts.
    pub(super) fn spent(&self) -> f64 {
        self.build_seconds + self.search_seconds + self.solver_seconds
    }

    /// Whether the mutant is proved to behave like the original, without a bound.
    pub(super) fn is_equivalent(&self, mutant: usize) -> bool {
        self.equivalences.get(&mutant).is_some_and(|proof| proof.bound.is_none())
    }

    /// A unit of which nothing is known yet.
    pub(super) fn blank(function: &Function, root: &Path) -> Self {
        let extent = function.definition.as_ref().map(|d| &d.extent);
        let file = extent.map(|e| e.file.strip_prefix(root).unwrap_or(&e.file).to_path_buf());
        Self {
            plan: None,
            manner: Manner::default(),
            changes: Adjustments::default(),
            entered: false,
            lacks: String::new(),
            not_compared: Vec::new(),
            unsteady: BTreeSet::new(),
            throws: String::new(),
            outcome: UnitOutcome {
                id: function.id.clone(),
                file: file.unwrap_or_default(),
                line: extent.map_or(0, |e| e.line),
                kind: plan::entry::kind_name(function).into(),
                driver: Driver::Generated,
                copy: None,
                reason: None,
                cpu_seconds: UnitSeconds::default(),
                hangs: 0,
                suspected_faults: Vec::new(),
            },
            statuses: BTreeMap::new(),
            efforts: BTreeMap::new(),
            kills: Vec::new(),
            equivalences: BTreeMap::new(),
            asked: BTreeMap::new(),
            solver_seconds: 0.0,
            build_seconds: 0.0,
            search_seconds: 0.0,
            triage_seconds: 0.0,
            executions: 0,
            taken_over: false,
        }
    }

    /// Gives every mutant without a status this one.
    pub(super) fn close(&mut self, work: &Work, status: Status, reason: Option<String>) {
        for mutant in &work.mutants {
            self.statuses.entry(*mutant).or_insert_with(|| (status, reason.clone()));
        }
    }

    /// A unit that can't be searched, or no further. What it has killed by then is killed.
    pub(super) fn give_up(&mut self, work: &Work, given_up: GivenUp) {
        self.outcome.driver = given_up.driver;
        self.outcome.reason = Some(given_up.reason.clone());
        let killed: Vec<usize> = self.kills.iter().map(|kill| kill.mutant).collect();
        self.statuses.extend(killed.into_iter().map(|mutant| (mutant, (Status::Killed, None))));
        self.close(work, given_up.status, Some(given_up.reason));
    }

    /// Adds what another try has cost.
    pub(super) fn add_costs_of(&mut self, other: &Self) {
        self.build_seconds += other.build_seconds;
        self.search_seconds += other.search_seconds;
        self.solver_seconds += other.solver_seconds;
        self.triage_seconds += other.triage_seconds;
        self.executions += other.executions;
        self.outcome.hangs += other.outcome.hangs;
    }

    /// One line for the progress.
    pub fn sentence(&self, _mutants: &[Mutant]) -> String {
        format!("{}: {} of {} killed", self.outcome.id, self.kills.len(), self.statuses.len())
    }
}

/// Why a unit is not searched.
pub(super) struct GivenUp {
    pub(super) driver: Driver,
    pub(super) status: Status,
    pub(super) reason: String,
}

impl GivenUp {
    pub(super) fn unbuildable(reason: impl Into<String>) -> Self {
        Self { driver: Driver::Unbuildable, status: Status::NoDriver, reason: reason.into() }
    }

    /// The compiler's error, paths relative to the project.
    pub(super) fn uncompiled(failure: &CompileFailure, root: &Path) -> Self {
        let short = |text: &str| text.replace(&format!("{}/", root.display()), "");
        let (error, what) = (short(&failure.first_error), short(&failure.what.display().to_string()));
        let named = error.contains(&what);
        Self::unbuildable(if named { error } else { format!("{error} ({what} does not build)") })
    }

    pub(super) fn search(driver: Driver, status: Status, reason: String) -> Self {
        Self { driver, status, reason }
    }

    pub(super) fn error(reason: String) -> Self {
        Self { driver: Driver::Unbuildable, status: Status::Error, reason }
    }
}

/// Words by which the system, compilers and linkers say that there is no room.
const NO_ROOM: [&str; 3] = ["No space left on device", "Disk quota exceeded", "File too large"];

/// Whether something failed for want of room on the disk.
pub fn is_full(what: &str) -> bool {
    NO_ROOM.iter().any(|words| what.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FailureKind;

    #[test]
    fn the_reason_for_no_driver_begins_with_the_compilers_error_and_names_each_file_once() {
        let failure = |what: &str, error: &str| CompileFailure {
            what: what.into(),
            kind: FailureKind::Refused,
            first_error: error.to_owned(),
            stderr: String::new(),
            command: Vec::new(),
        };
        let reason = |failure: &CompileFailure| GivenUp::uncompiled(failure, Path::new("/p")).reason;
        let one = failure("/p/motif.out/drivers/f/unit.cpp", "/p/motif.out/drivers/f/unit.cpp:3:1: error: no");
        assert_eq!(reason(&one), "motif.out/drivers/f/unit.cpp:3:1: error: no");
        let other = failure("/p/motif.out/drivers/f/unit.cpp", "/p/src/f.hpp:3:1: error: no");
        assert_eq!(reason(&other), "src/f.hpp:3:1: error: no (motif.out/drivers/f/unit.cpp does not build)");
    }
}
