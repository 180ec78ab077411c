//! What all units of a run share, and what they keep on disk: inputs and the journal.

use super::deadline::Deadline;
use super::drafts::Groups;
use super::earlier_run::{Done, Past};
use super::input_names::input_of;
use super::journal::Journal;
use super::memory_effects::MemoryEffects;
use super::reach::{self, Reach};
use super::shared_inputs::Alike;
use super::unit_result::{Finished, Work};
use crate::build::Builder;
use crate::build_session::BuildSession;
use crate::context::Context;
use crate::engine::Candidate;
use crate::engine::aflpp::AflPlusPlus;
use crate::model::Usr;
use crate::mutant::Mutant;
use crate::outcome::{Driver, How, Kill, SuspectedFault, UnitSeconds};
use crate::plan::UnitPlan;
use crate::plan::planner::Planner;
use crate::probes::UnitProbes;
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// Inputs that are kept of one kind of failure of the original.
const FAULTS_ALIKE: usize = 4;

/// What all units of a run share.
pub struct Shared<'r> {
    pub context: &'r Context,
    pub session: &'r Session,
    pub builder: &'r Builder,
    pub build_session: &'r BuildSession<'r>,
    /// Its graph of ways is made once for all units.
    pub planner: Planner<'r>,
    pub mutants: &'r [Mutant],
    pub works: &'r [Work],
    /// Which of them share a draft.
    pub groups: Groups,
    /// What can be noted about the mutants, by unit.
    pub probes: BTreeMap<Usr, UnitProbes>,
    pub journal: &'r Journal,
    /// What an earlier part of the run has left.
    pub past: Option<&'r Past>,
    pub afl: Option<AflPlusPlus>,
    /// CPU seconds of building what AFL++'s programs of all units have in common.
    pub afl_shared: Mutex<f64>,
    pub deadline: Deadline,
    /// CPU seconds of compilers and linkers until the first proof; none before that.
    pub built: OnceLock<f64>,
    /// What units of the same signature have died of.
    pub alike: Alike,
    pub memory: MemoryEffects,
    /// What runs while an image is loaded.
    pub at_load: BTreeSet<Usr>,
    /// What results depend on.
    pub reach: &'r Reach,
    /// Utility classes that a person has edited, by the slugs of their units.
    pub edited: BTreeMap<String, PathBuf>,
}

impl Shared<'_> {
    /// A unit that is done with goes to the journal.
    pub(super) fn write_down(&self, work: &Work, finished: &mut Finished) {
        finished.outcome.cpu_seconds = UnitSeconds {
            build: finished.build_seconds,
            search: finished.search_seconds,
            triage: finished.triage_seconds,
        };
        if let Some(why) = finished.full_disk() {
            self.journal.fail(why);
        }
        // What was cut short is not done.
        if !self.context.is_interrupted() {
            let done = Done::of(&work.unit, finished, self.mutants, self.reached(work, finished));
            let built = self.built.get().copied().unwrap_or_else(|| self.builder.cpu_seconds());
            self.journal.unit(done, built, self.deadline.spent());
        }
    }

    /// Digest of all that the result of a unit depends on.
    fn reached(&self, work: &Work, finished: &Finished) -> Option<String> {
        finished.plan.as_ref()?;
        let plan = finished.changes.plan(&self.planner, &work.unit).ok()?;
        let driver = reach::driver(self.session, &self.edited, &plan)?;
        self.reach.digest(&driver, self.session.database.commands.get(plan.command)?)
    }

    /// How the driver comes to be.
    pub(super) fn driver(&self, plan: &UnitPlan) -> Driver {
        match (self.edited.contains_key(&plan.slug), plan.overridden) {
            (true, _) => Driver::Edited,
            (false, true) => Driver::Overridden,
            (false, false) => Driver::Generated,
        }
    }

    /// What this thread has compiled since it was last asked was for this unit.
    pub(super) fn count_build(&self, finished: &mut Finished) {
        finished.build_seconds += self.builder.thread_cpu_seconds();
    }

    pub(super) fn add_afl_shared(&self, seconds: f64) {
        *self.afl_shared.lock().unwrap_or_else(|p| p.into_inner()) += seconds;
    }

    /// Keeps an input on which the original fails; of each kind of failure a few.
    pub(super) fn suspect(
        &self,
        plan: &UnitPlan,
        bytes: &[u8],
        what: String,
        finished: &mut Finished,
    ) -> anyhow::Result<()> {
        let known = &mut finished.outcome.suspected_faults;
        let mut alike = known.iter().filter(|fault| fault.what == what);
        let stored = |fault: &SuspectedFault| std::fs::read(self.session.options.output.join(&fault.input));
        if alike.clone().count() >= FAULTS_ALIKE || alike.any(|fault| stored(fault).is_ok_and(|known| known == bytes)) {
            return Ok(());
        }
        let input = PathBuf::from("inputs").join("faults").join(&plan.slug).join(format!("{:02}", known.len()));
        self.store(&input, bytes)?;
        known.push(SuspectedFault { input, what });
        Ok(())
    }

    fn store(&self, relative: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.session.options.output.join(relative);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(std::fs::write(path, bytes)?)
    }

    /// Keeps the killing input, writes the journal, and makes the outcome's entry; `spent_before` is what the unit had
    /// cost when the search of the candidate began.
    pub(super) fn stored(
        &self,
        plan: &UnitPlan,
        mutant: usize,
        candidate: &Candidate,
        how: How,
        spent_before: f64,
    ) -> anyhow::Result<Kill> {
        if let Some(kill) = self.known_kill(plan, &self.mutants[mutant].id, &candidate.input) {
            return Ok(kill);
        }
        let kill = self.kill(mutant, candidate, how, spent_before);
        self.keep_kill(plan, mutant, &candidate.input, &kill)?;
        Ok(kill)
    }

    /// The outcome's entry of a kill.
    pub(super) fn kill(&self, mutant: usize, candidate: &Candidate, how: How, spent_before: f64) -> Kill {
        Kill {
            how,
            by: candidate.by,
            input: input_of(&self.mutants[mutant].id),
            seconds: candidate.seconds,
            cpu_seconds: spent_before + candidate.cpu_seconds,
            executions: candidate.executions,
            test: None,
            verified: false,
        }
    }

    /// Keeps the killing input, and writes the journal.
    pub(super) fn keep_kill(&self, plan: &UnitPlan, mutant: usize, input: &[u8], kill: &Kill) -> anyhow::Result<()> {
        self.store(&kill.input, input)?;
        self.journal.killed(&self.mutants[mutant].id, &plan.unit, kill);
        self.context.ui.killed(&self.mutants[mutant].id, &plan.id);
        Ok(())
    }

    /// Whether an earlier part of the run has killed mutants of a unit that is not done.
    pub(super) fn has_known_kills(&self, unit: &str) -> bool {
        self.past.is_some_and(|past| past.kills(unit).next().is_some())
    }

    /// The killing inputs that an earlier part of the run has found for a unit.
    pub(super) fn known_inputs(&self, plan: &UnitPlan) -> Vec<Vec<u8>> {
        self.known_inputs_of(plan, |_| true)
    }

    /// Those of them whose kills are such.
    pub(super) fn known_inputs_of(&self, plan: &UnitPlan, such: impl Fn(&Kill) -> bool) -> Vec<Vec<u8>> {
        let kills = self.past.into_iter().flat_map(|past| past.kills(&plan.unit));
        kills
            .filter(|(_, kill)| such(kill))
            .filter_map(|(_, kill)| std::fs::read(self.session.options.output.join(&kill.input)).ok())
            .collect()
    }

    /// The kill as it was found first, where this is the same.
    fn known_kill(&self, plan: &UnitPlan, mutant: &str, input: &[u8]) -> Option<Kill> {
        let (_, kill) = self.past?.kills(&plan.unit).find(|(id, _)| *id == mutant)?;
        let stored = std::fs::read(self.session.options.output.join(&kill.input)).ok()?;
        (stored == input).then(|| kill.clone())
    }
}
