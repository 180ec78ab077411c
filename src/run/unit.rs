//! One unit from plan to kills: settled on a driver, searched, its candidates judged.

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

/// Inputs that are kept of one kind of failure of the original.
const FAULTS_ALIKE: usize = 4;

/// A unit and the numbers of its mutants.
pub struct Work {
    /// The unit.
    pub unit: Usr,
    /// Indexes into the run's mutants.
    pub mutants: Vec<usize>,
}

/// What all units of a run share.
pub struct Shared<'r> {
    pub context: &'r Context,
    pub session: &'r Session,
    pub builder: &'r Builder,
    pub build_session: &'r BuildSession<'r>,
    /// Made once for all units.
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
    pub memory: Effects,
    /// What runs while an image is loaded.
    pub at_load: BTreeSet<Usr>,
    /// Utility classes that a person has edited, by the slugs of their units.
    pub edited: BTreeMap<String, PathBuf>,
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
    /// What was thrown while its objects were made, as it stands behind that no input got into it.
    pub throws: String,
    pub statuses: BTreeMap<usize, (Status, Option<String>)>,
    pub efforts: BTreeMap<usize, Effort>,
    pub kills: Vec<Killed>,
    /// Compiling and linking what its engine runs; the project's own objects are not its.
    pub build_seconds: f64,
    pub search_seconds: f64,
    pub triage_seconds: f64,
    /// Inputs of the search, and runs under a sanitizer.
    pub executions: u64,
}

impl Finished {
    /// What says that the disk was full: nothing of this is to be believed.
    pub fn full_disk(&self) -> Option<&str> {
        let reasons = self.statuses.values().filter_map(|(_, reason)| reason.as_deref());
        reasons.chain(self.outcome.reason.as_deref()).find(|reason| super::journal::is_full(reason))
    }

    /// Adds what another try has cost.
    fn add_costs_of(&mut self, other: &Self) {
        self.build_seconds += other.build_seconds;
        self.search_seconds += other.search_seconds;
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
    /// Everything for one unit; under a budget of the whole run a first slice of its search, and what there is to go
    /// on with. Never fails: what goes wrong is the outcome.
    pub fn unit(&self, work: &Work) -> (Finished, Option<Underway<'r>>) {
        if let Some(done) = self.past.and_then(|past| past.unit(&work.unit)) {
            self.deadline.had_its_turn(work.mutants.len());
            return (self.again(work, done), None);
        }
        // What this thread compiled for another unit that came to nothing is not this one's.
        self.builder.thread_cpu_seconds();
        let (mut finished, underway) = self.anew(work);
        self.count_build(&mut finished);
        self.deadline.had_its_turn(work.mutants.len());
        if underway.is_none() {
            self.write_down(work, &mut finished);
        }
        (finished, underway)
    }

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
            let done = Done::of(&work.unit, finished, self.mutants);
            let built = self.built.get().copied().unwrap_or_else(|| self.builder.cpu_seconds());
            self.journal.unit(done, built, self.deadline.spent());
        }
    }

    /// A unit that an earlier part of the run is done with.
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
            let what = "its driver does not build with objects as tests make them, or put in; they are made otherwise";
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
                let what = "no input gets there through its callers; it is entered directly";
                self.context.ui.detail(format_args!("{}: {what}", plan.id));
                second.add_costs_of(&finished);
                return (second, underway);
            }
        }
        // Its objects may be the reason where a driver does not build, but not where a person has said how, nor where its source does not.
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
                let what = if unbuilt { "its driver does not build" } else { "no input gets there" };
                self.context.ui.detail(format_args!("{}: {what} with such objects; they are made otherwise", plan.id));
                return (second, tried);
            }
            // It costs all the same.
            finished.add_costs_of(&second);
        }
        finished.plan = Some(plan);
        (finished, underway)
    }

    /// A unit that no input got into with the objects first planned; none where there are no others.
    fn otherwise(&self, work: &Work, finished: &mut Finished) -> Option<Option<Underway<'r>>> {
        let mut plan = finished.changes.plan(&self.planner, &work.unit).ok()?;
        let underway = self.tried_out(&mut plan, work, finished);
        finished.plan = Some(plan);
        Some(underway)
    }

    /// A unit that its callers did not lead into; none where going there directly is no better.
    fn directly(&self, work: &Work, finished: &mut Finished) -> Option<Option<Underway<'r>>> {
        let mut plan = plan::plan_directly(&self.planner, &work.unit).ok()?;
        // What was named by a person stays as it was named.
        if plan.is_through_callers() {
            return None;
        }
        let underway = self.tried_out(&mut plan, work, finished);
        finished.plan = Some(plan);
        finished.entered.then_some(underway)
    }

    /// Builds and searches; what goes wrong is the outcome.
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

    /// A unit that can't be searched, or no further. What it has killed by then is killed.
    pub(super) fn give_up(&self, work: &Work, given_up: GivenUp, finished: &mut Finished) {
        finished.outcome.driver = given_up.driver;
        finished.outcome.reason = Some(given_up.reason.clone());
        let killed: Vec<usize> = finished.kills.iter().map(|kill| kill.mutant).collect();
        finished.statuses.extend(killed.into_iter().map(|mutant| (mutant, (Status::Killed, None))));
        self.close(finished, work, given_up.status, Some(given_up.reason));
    }

    /// How the driver comes to be.
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

    /// Builds and searches; a way into the unit that spoils the others is taken out of the plan.
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
        // What has killed before kills again, budget or not.
        if share.is_none() && !self.has_known_kills(&plan.unit) {
            self.close(finished, work, Status::Live, Some("the total budget was spent before it was searched".into()));
            return Ok(None);
        }
        self.begin(plan, command, tried, share.unwrap_or_default(), finished)
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

    /// Whether the search so far has got into the unit.
    pub(super) fn look_whether_entered(&self, built: &Built, result: &SearchResult, finished: &mut Finished) {
        finished.entered = !finished.kills.is_empty() || survivors::entered(&built.watched, result);
    }

    /// What became of the unit's mutants.
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
            self.context.ui.warn(&Problem::untestable("probe-unsound", what, "a fault of this tool: please report it"));
        }
        if result.original_differs {
            finished.outcome.reason = Some("the original differs from itself: its result is not deterministic".into());
        }
    }
}

/// A mutant's id as a relative path that stays where it is put.
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
