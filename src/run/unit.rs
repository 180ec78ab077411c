//! One unit from plan to kills: calibrated, searched, its candidates judged.

use super::batch_drafts::Groups;
use super::deadline::Deadline;
use super::earlier_run::{Done, Past};
use super::journal::Journal;
use super::memory::Effects;
use super::shared_inputs::Alike;
use super::slices::Underway;
use super::survivors;
use super::unit_build::Built;
use crate::build::Builder;
use crate::build_session::BuildSession;
use crate::context::Context;
use crate::diag::Problem;
use crate::engine::aflpp::AflPlusPlus;
use crate::engine::{Candidate, SearchResult};
use crate::model::{Function, Usr};
use crate::mutant::Mutant;
use crate::outcome::{Driver, Effort, Kill, Status, SuspectedFault, UnitOutcome, UnitSeconds};
use crate::plan::planner::Planner;
use crate::plan::{self, Adjustments, UnitPlan};
use crate::probes::UnitProbes;
use crate::session::Session;
use crate::triage::Observation;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The most inputs that are kept per kind of failure of the original.
const FAULTS_ALIKE: usize = 4;

/// A unit and its mutants.
pub struct Work {
    /// The unit.
    pub unit: Usr,
    /// Indexes into the run's mutants.
    pub mutants: Vec<usize>,
}

/// Data that all units of a run share.
pub struct Shared<'r> {
    pub context: &'r Context,
    pub session: &'r Session,
    pub builder: &'r Builder,
    pub build_session: &'r BuildSession<'r>,
    /// Its construction graph is built once for all units.
    pub planner: Planner<'r>,
    pub mutants: &'r [Mutant],
    pub works: &'r [Work],
    /// The groups of units that share a draft.
    pub groups: Groups,
    /// The probes of the mutants, by unit.
    pub probes: BTreeMap<Usr, UnitProbes>,
    pub journal: &'r Journal,
    /// The earlier part of a resumed run.
    pub past: Option<&'r Past>,
    pub afl: Option<AflPlusPlus>,
    /// CPU seconds of building what all AFL++ programs share.
    pub afl_shared: Mutex<f64>,
    pub deadline: Deadline,
    /// CPU seconds of compilers and linkers until the first proof; unset before that.
    pub built: OnceLock<f64>,
    /// Killing inputs by signature.
    pub alike: Alike,
    pub memory: Effects,
    /// Functions that run while an image is loaded.
    pub at_load: BTreeSet<Usr>,
    /// Edited utility classes, by the slugs of their units.
    pub edited: BTreeMap<String, PathBuf>,
}

/// A kill, with the data for its test.
pub struct Killed {
    /// Index into the run's mutants.
    pub mutant: usize,
    pub outcome: Kill,
    pub original: Observation,
    pub mutated: Observation,
    /// Why the test is not proved.
    pub unproved: Option<String>,
}

/// How a unit's inputs must be run.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Manner {
    /// Refuses inputs after which the original's objects cannot be destroyed.
    pub strict: bool,
    /// Fills stale memory alike for each side.
    pub fills: bool,
}

/// A finished unit.
pub struct Finished {
    pub plan: Option<UnitPlan>,
    pub manner: Manner,
    /// The adjustments of its plan.
    pub changes: Adjustments,
    pub outcome: UnitOutcome,
    /// Some input entered it, as far as known.
    pub entered: bool,
    /// The undefined function it calls, as a suffix of a failure message.
    pub lacks: String,
    /// The exception during construction, as a suffix of a message.
    pub throws: String,
    pub statuses: BTreeMap<usize, (Status, Option<String>)>,
    pub efforts: BTreeMap<usize, Effort>,
    pub kills: Vec<Killed>,
    /// Compiling and linking for its engine, without the project's own objects.
    pub build_seconds: f64,
    pub search_seconds: f64,
    pub triage_seconds: f64,
    /// Inputs of the search, and runs under a sanitizer.
    pub executions: u64,
}

impl Finished {
    /// A message about a full disk, after which no result can be trusted.
    pub fn full_disk(&self) -> Option<&str> {
        let reasons = self.statuses.values().filter_map(|(_, reason)| reason.as_deref());
        reasons.chain(self.outcome.reason.as_deref()).find(|reason| super::journal::is_full(reason))
    }

    /// Adds the cost of another attempt.
    fn add_costs_of(&mut self, other: &Self) {
        self.build_seconds += other.build_seconds;
        self.search_seconds += other.search_seconds;
        self.triage_seconds += other.triage_seconds;
        self.executions += other.executions;
        self.outcome.hangs += other.outcome.hangs;
    }

    /// A line of progress.
    pub fn sentence(&self, _mutants: &[Mutant]) -> String {
        format!("{}: {} of {} killed", self.outcome.id, self.kills.len(), self.statuses.len())
    }
}

/// The reason why a unit is not searched.
pub(super) struct GivenUp {
    driver: Driver,
    status: Status,
    reason: String,
}

impl GivenUp {
    pub(super) fn unbuildable(reason: impl Into<String>) -> Self {
        Self { driver: Driver::Unbuildable, status: Status::NoDriver, reason: reason.into() }
    }

    pub(super) fn search(driver: Driver, status: Status, reason: String) -> Self {
        Self { driver, status, reason }
    }

    pub(super) fn error(reason: String) -> Self {
        Self { driver: Driver::Unbuildable, status: Status::Error, reason }
    }
}

impl<'r> Shared<'r> {
    /// Processes one unit. Under a budget of the whole run that includes a first slice of its search, and the result
    /// says how to continue. Never fails: an error is the unit's outcome.
    pub fn unit(&self, work: &Work) -> (Finished, Option<Underway<'r>>) {
        if let Some(done) = self.past.and_then(|past| past.unit(&work.unit)) {
            self.deadline.had_its_turn(work.mutants.len());
            return (self.again(work, done), None);
        }
        // Discard what this thread compiled for another unit's failed draft.
        self.builder.thread_cpu_seconds();
        let (mut finished, underway) = self.anew(work);
        self.count_build(&mut finished);
        self.deadline.had_its_turn(work.mutants.len());
        if underway.is_none() {
            self.write_down(work, &mut finished);
        }
        (finished, underway)
    }

    /// Writes a finished unit to the journal.
    pub(super) fn write_down(&self, work: &Work, finished: &mut Finished) {
        finished.outcome.cpu_seconds = UnitSeconds {
            build: finished.build_seconds,
            search: finished.search_seconds,
            triage: finished.triage_seconds,
        };
        if let Some(why) = finished.full_disk() {
            self.journal.fail(why);
        }
        // An interrupted unit is not finished.
        if !self.context.is_interrupted() {
            let done = Done::of(&work.unit, finished, self.mutants);
            let built = self.built.get().copied().unwrap_or_else(|| self.builder.cpu_seconds());
            self.journal.unit(done, built, self.deadline.spent());
        }
    }

    /// A unit that an earlier part of the run has finished.
    fn again(&self, work: &Work, done: &Done) -> Finished {
        let mut finished = done.finished(&work.mutants, self.mutants);
        if done.is_planned() {
            finished.plan = finished.changes.plan(&self.planner, &work.unit).ok();
        }
        finished
    }

    fn anew(&self, work: &Work) -> (Finished, Option<Underway<'r>>) {
        let function = &self.session.model.functions[&work.unit];
        let mut finished = self.blank(function);
        if self.journal.failed().is_some() {
            self.close(&mut finished, work, Status::Live, Some("the disk was full before it was searched".into()));
            return (finished, None);
        }
        if self.context.is_interrupted() {
            self.close(&mut finished, work, Status::Live, Some("interrupted before it was searched".into()));
            return (finished, None);
        }
        let plan = match plan::plan_unit(&self.planner, &work.unit) {
            Ok(plan) => plan,
            Err(reason) => {
                finished.outcome.driver = Driver::Unplannable;
                finished.outcome.reason = Some(reason.what.clone());
                self.close(&mut finished, work, Status::NoDriver, Some(reason.what));
                return (finished, None);
            }
        };
        let mut plan = plan;
        let mut plain = plan.clone();
        let mut underway = self.tried_out(&mut plan, work, &mut finished);
        if finished.outcome.driver == Driver::Unbuildable && !self.context.is_interrupted() && plain.simplify() {
            let what = "its driver does not build with objects as in tests, or inserted ones; constructing others";
            self.context.ui.detail(format_args!("{}: {what}", plan.id));
            let mut second = self.blank(function);
            second.changes.ignores_histories = true;
            second.changes.skips_paired_setup = true;
            second.changes.ignores_file_state = true;
            underway = self.tried_out(&mut plain, work, &mut second);
            second.add_costs_of(&finished);
            (plan, finished) = (plain, second);
        }
        if plan.is_through_callers() && !finished.entered && !self.context.is_interrupted() {
            let mut second = self.blank(function);
            second.changes.enters_directly = true;
            if let Some(underway) = self.directly(work, &mut second) {
                let what = "no input enters it through its callers; calling it directly";
                self.context.ui.detail(format_args!("{}: {what}", plan.id));
                second.add_costs_of(&finished);
                return (second, underway);
            }
        }
        // Other objects may help if a driver does not build; not if a person chose them, or if the source itself does
        // not build.
        let reason = finished.outcome.reason.as_deref().unwrap_or_default();
        let unbuilt = finished.outcome.driver == Driver::Unbuildable && !plan.is_at_fault(reason);
        let built = finished.outcome.driver == Driver::Generated && underway.is_none();
        for others in 1..=plan::OTHER_WAYS {
            if finished.entered || !(built || unbuilt) || self.context.is_interrupted() {
                break;
            }
            let mut second = self.blank(function);
            second.changes.skipped_constructions = others;
            second.changes.enters_directly = !plan.is_through_callers();
            let Some(tried) = self.otherwise(work, &mut second) else { break };
            second.add_costs_of(&finished);
            let is_better = unbuilt && second.outcome.driver == Driver::Generated;
            if second.entered || is_better {
                let what = if unbuilt { "its driver does not build" } else { "no input enters it" };
                self.context.ui.detail(format_args!("{}: {what} with these objects; constructing others", plan.id));
                return (second, tried);
            }
            // The failed attempt has its cost too.
            finished.add_costs_of(&second);
        }
        finished.plan = Some(plan);
        (finished, underway)
    }

    /// Retries a unit that no input entered with other objects; `None` if there are none.
    fn otherwise(&self, work: &Work, finished: &mut Finished) -> Option<Option<Underway<'r>>> {
        let mut plan = finished.changes.plan(&self.planner, &work.unit).ok()?;
        let underway = self.tried_out(&mut plan, work, finished);
        finished.plan = Some(plan);
        Some(underway)
    }

    /// Retries a unit that no caller entered by calling it directly; `None` if that is no better.
    fn directly(&self, work: &Work, finished: &mut Finished) -> Option<Option<Underway<'r>>> {
        let mut plan = plan::plan_directly(&self.planner, &work.unit).ok()?;
        // A person's choice of entries stays.
        if plan.is_through_callers() {
            return None;
        }
        let underway = self.tried_out(&mut plan, work, finished);
        finished.plan = Some(plan);
        finished.entered.then_some(underway)
    }

    /// Builds and searches; an error becomes the outcome.
    fn tried_out(&self, plan: &mut UnitPlan, work: &Work, finished: &mut Finished) -> Option<Underway<'r>> {
        finished.outcome.driver = self.driver(plan);
        let underway = self.searched(plan, work, finished).unwrap_or_else(|given_up| {
            self.give_up(work, given_up, finished);
            None
        });
        if underway.is_none() {
            self.close(finished, work, Status::Live, None);
        }
        underway
    }

    /// Ends a unit that cannot be searched further. Its kills so far count.
    pub(super) fn give_up(&self, work: &Work, given_up: GivenUp, finished: &mut Finished) {
        finished.outcome.driver = given_up.driver;
        finished.outcome.reason = Some(given_up.reason.clone());
        let killed: Vec<usize> = finished.kills.iter().map(|kill| kill.mutant).collect();
        finished.statuses.extend(killed.into_iter().map(|mutant| (mutant, (Status::Killed, None))));
        self.close(finished, work, given_up.status, Some(given_up.reason));
    }

    /// The origin of the driver.
    pub(super) fn driver(&self, plan: &UnitPlan) -> Driver {
        match (self.edited.contains_key(&plan.slug), plan.overridden) {
            (true, _) => Driver::Edited,
            (false, true) => Driver::Overridden,
            (false, false) => Driver::Generated,
        }
    }

    fn blank(&self, function: &Function) -> Finished {
        let extent = function.definition.as_ref().map(|d| &d.extent);
        let file = extent.map(|e| e.file.strip_prefix(&self.session.options.root).unwrap_or(&e.file).to_path_buf());
        Finished {
            plan: None,
            manner: Manner::default(),
            changes: Adjustments::default(),
            entered: false,
            lacks: String::new(),
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
            build_seconds: 0.0,
            search_seconds: 0.0,
            triage_seconds: 0.0,
            executions: 0,
        }
    }

    /// Gives every mutant without a status this one.
    pub(super) fn close(&self, finished: &mut Finished, work: &Work, status: Status, reason: Option<String>) {
        for mutant in &work.mutants {
            finished.statuses.entry(*mutant).or_insert_with(|| (status, reason.clone()));
        }
    }

    /// Builds and searches; removes an entry from the plan if it spoils the others.
    fn searched(
        &self,
        plan: &mut UnitPlan,
        work: &Work,
        finished: &mut Finished,
    ) -> Result<Option<Underway<'r>>, GivenUp> {
        let command = self
            .session
            .database
            .commands
            .get(plan.command)
            .ok_or_else(|| GivenUp::unbuildable("its source has no compile command"))?;
        let tried = self.settle(plan, command, work, finished)?;
        finished.outcome.copy = Some(tried.built.generated.copy);
        if tried.built.slots.is_empty() {
            return Err(GivenUp::unbuildable("no mutant of it could be built"));
        }
        self.count_build(finished);
        let share = self.deadline.share(work.mutants.len());
        // Known kills are repeated whatever the budget.
        if share.is_none() && !self.has_known_kills(&plan.unit) {
            self.close(finished, work, Status::Live, Some("the total budget was spent before it was searched".into()));
            return Ok(None);
        }
        self.begin(plan, command, tried, share.unwrap_or_default(), finished)
    }

    /// Adds this thread's compilation since the last call to the unit.
    pub(super) fn count_build(&self, finished: &mut Finished) {
        finished.build_seconds += self.builder.thread_cpu_seconds();
    }

    pub(super) fn add_afl_shared(&self, seconds: f64) {
        *self.afl_shared.lock().unwrap_or_else(|p| p.into_inner()) += seconds;
    }

    /// Keeps an input on which the original fails; a few per kind of failure.
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

    /// Keeps the killing input, writes the journal, and makes the entry of the outcome. `spent_before` is what the
    /// unit had cost when the search of the candidate began.
    pub(super) fn stored(
        &self,
        plan: &UnitPlan,
        mutant: usize,
        candidate: &Candidate,
        how: crate::outcome::How,
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
    pub(super) fn kill(
        &self,
        mutant: usize,
        candidate: &Candidate,
        how: crate::outcome::How,
        spent_before: f64,
    ) -> Kill {
        Kill {
            how,
            by: candidate.by,
            input: PathBuf::from("inputs").join(safe_name(&self.mutants[mutant].id)),
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
        Ok(())
    }

    /// Whether an earlier part of the run has killed mutants of this unfinished unit.
    pub(super) fn has_known_kills(&self, unit: &str) -> bool {
        self.past.is_some_and(|past| past.kills(unit).next().is_some())
    }

    /// Killing inputs of a unit from an earlier part of the run.
    pub(super) fn known_inputs(&self, plan: &UnitPlan) -> Vec<Vec<u8>> {
        self.known_inputs_of(plan, |_| true)
    }

    /// Those whose kills satisfy `such`.
    pub(super) fn known_inputs_of(&self, plan: &UnitPlan, such: impl Fn(&Kill) -> bool) -> Vec<Vec<u8>> {
        let kills = self.past.into_iter().flat_map(|past| past.kills(&plan.unit));
        kills
            .filter(|(_, kill)| such(kill))
            .filter_map(|(_, kill)| std::fs::read(self.session.options.output.join(&kill.input)).ok())
            .collect()
    }

    /// The kill as first found, if it is the same.
    fn known_kill(&self, plan: &UnitPlan, mutant: &str, input: &[u8]) -> Option<Kill> {
        let (_, kill) = self.past?.kills(&plan.unit).find(|(id, _)| *id == mutant)?;
        let stored = std::fs::read(self.session.options.output.join(&kill.input)).ok()?;
        (stored == input).then(|| kill.clone())
    }

    /// Records whether the search has entered the unit.
    pub(super) fn look_whether_entered(&self, built: &Built, result: &SearchResult, finished: &mut Finished) {
        finished.entered = !finished.kills.is_empty() || survivors::entered(&built.watched, result);
    }

    /// Sets the status of the unit's mutants.
    pub(super) fn conclude(&self, plan: &UnitPlan, built: &Built, result: &SearchResult, finished: &mut Finished) {
        self.look_whether_entered(built, result, finished);
        for (position, mutant) in built.mutants.iter().enumerate() {
            let effort = result.effort.get(position);
            let killed = finished.kills.iter().any(|k| k.mutant == *mutant);
            let reached = effort.is_some_and(|e| e.reached) || killed;
            let executions = effort.map_or(result.executions, |e| e.executions);
            finished.efforts.insert(
                *mutant,
                Effort {
                    seconds: result.seconds,
                    cpu_seconds: effort.and_then(|e| e.cpu_seconds).unwrap_or(result.cpu_seconds),
                    executions,
                    reached,
                    infected: survivors::infected(killed, effort),
                },
            );
            let status = if killed {
                (Status::Killed, None)
            } else if !result.returned && !result.interrupted {
                let what = result.faults.first().map_or("fails", |f| f.what.as_str());
                let said = format!("the original fails on every input ({what}){}{}", finished.lacks, plan.opaque());
                (Status::BaselineFailed, Some(said))
            } else {
                let reason = effort.and_then(|e| e.reason.clone());
                let why = || {
                    let why = survivors::why(built.watched.get(mutant), effort, result)?;
                    let throws = if finished.entered { "" } else { finished.throws.as_str() };
                    Some(why + throws)
                };
                let reason = reason.or_else(why);
                (Status::Live, reason.or_else(|| result.interrupted.then(|| "interrupted".to_owned())))
            };
            finished.statuses.insert(*mutant, status);
        }
        for slot in &result.unforeseen {
            let id = &self.mutants[built.mutants[*slot]].id;
            let what = format!("{id} was killed on an input on which its probe did not fire");
            self.context.ui.warn(&Problem::untestable("probe-unsound", what, "a bug of this tool: please report it"));
        }
        if result.original_differs {
            finished.outcome.reason = Some("the original differs from itself: its result is not deterministic".into());
        }
    }
}

/// A mutant's id as a relative path that cannot leave its folder.
fn safe_name(id: &str) -> PathBuf {
    let parts = id.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let path: PathBuf = parts.map(|part| part.replace(|c: char| c.is_control(), "_")).collect();
    if path.as_os_str().is_empty() { PathBuf::from("mutant") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_id_stays_in_the_inputs_folder() {
        assert_eq!(safe_name("../../etc/pass\nwd"), PathBuf::from("etc/pass_wd"));
        assert_eq!(safe_name("src/a.mut.1.cpp"), PathBuf::from("src/a.mut.1.cpp"));
        assert_eq!(safe_name("../.."), PathBuf::from("mutant"));
    }
}
