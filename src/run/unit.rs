//! One unit from plan to kills: generate, build (falling back from copy to image), check the baseline, search,
//! judge.

use super::journal::Journal;
use super::memory::Effects;
use super::past::{Done, Past};
use super::probing::Probing;
use super::survivors;
use crate::build::{Builder, CompileJob, Flavor};
use crate::choices::Budget as Wanted;
use crate::compdb::CompileCommand;
use crate::context::Context;
use crate::diag::Problem;
use crate::engine::aflpp::{AflPlusPlus, Image, Parts, SEEDS_MOST, program};
use crate::engine::libfuzzer::LibFuzzer;
use crate::engine::{Budget, Candidate, DictEntry, Engine, Probe, SearchJob, SearchResult, Side, Slot};
use crate::generate::{self, Generated};
use crate::model::{Function, Usr};
use crate::mutant::Mutant;
use crate::outcome::{Copy, Driver, Effort, Kill, Status, SuspectedFault, UnitOutcome};
use crate::overrides::stamp;
use crate::plan::paths::member_at;
use crate::plan::values::Planner;
use crate::plan::{self, UnitPlan, seeds};
use crate::probes::{UnitProbes, Watched};
use crate::session::Session;
use crate::triage::{Judge, Observation, Verdict, baseline, unsteady};
use crate::workshop::{Workshop, write_files};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

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
    pub workshop: &'r Workshop<'r>,
    /// Its graph of ways is made once for all units.
    pub planner: Mutex<Planner<'r>>,
    pub mutants: &'r [Mutant],
    /// What can be noted about the mutants, by unit.
    pub probes: BTreeMap<Usr, UnitProbes>,
    pub probing: Probing,
    pub journal: &'r Journal,
    /// What an earlier part of the run has left.
    pub past: Option<&'r Past>,
    pub afl: Option<AflPlusPlus>,
    pub deadline: Deadline,
    pub memory: Effects,
    /// Utility classes that a person has edited, by the slugs of their units.
    pub edited: BTreeMap<String, PathBuf>,
}

/// The budget of the whole run.
pub struct Deadline {
    end: Option<Instant>,
    executions: Option<Mutex<u64>>,
}

impl Deadline {
    pub fn new(total: Option<Wanted>) -> Self {
        match total {
            None => Self { end: None, executions: None },
            Some(Wanted::Time(time)) => Self { end: Some(Instant::now() + time), executions: None },
            Some(Wanted::Executions(count)) => Self { end: None, executions: Some(Mutex::new(count)) },
        }
    }

    /// What is left for each of `live` mutants; none where nothing is.
    fn limit(&self, wanted: Wanted, live: usize) -> Option<Budget> {
        let live = live.max(1) as u64;
        let mut budget = match wanted {
            Wanted::Time(time) => Budget::Time(time),
            Wanted::Executions(count) => Budget::Executions(count),
        };
        if let (Some(end), Budget::Time(time)) = (self.end, &mut budget) {
            let left = end.saturating_duration_since(Instant::now()) / live as u32;
            *time = (*time).min(left);
            if left < Duration::from_millis(1) {
                return None;
            }
        }
        if let (Some(left), Budget::Executions(count)) = (&self.executions, &mut budget) {
            let left = *left.lock().unwrap_or_else(|p| p.into_inner()) / live;
            *count = (*count).min(left);
            if left == 0 {
                return None;
            }
        }
        Some(budget)
    }

    /// What earlier parts of the run have cost.
    pub fn take_off(&mut self, seconds: f64, executions: u64) {
        if let Some(end) = &mut self.end {
            let now = Instant::now();
            *end = end.checked_sub(Duration::from_secs_f64(seconds)).unwrap_or(now).max(now);
        }
        self.spend(executions);
    }

    fn spend(&self, executions: u64) {
        if let Some(left) = &self.executions {
            let mut left = left.lock().unwrap_or_else(|p| p.into_inner());
            *left = left.saturating_sub(executions);
        }
    }
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

/// A unit that is done.
pub struct Finished {
    pub plan: Option<UnitPlan>,
    /// Ways into it, of those first planned, that differ from themselves.
    pub left_out: BTreeSet<usize>,
    pub outcome: UnitOutcome,
    pub statuses: BTreeMap<usize, (Status, Option<String>)>,
    pub efforts: BTreeMap<usize, Effort>,
    pub kills: Vec<Killed>,
    pub search_seconds: f64,
    pub triage_seconds: f64,
    pub executions: u64,
}

impl Finished {
    /// What says that the disk was full: nothing of this is to be believed.
    pub fn full_disk(&self) -> Option<&str> {
        let reasons = self.statuses.values().filter_map(|(_, reason)| reason.as_deref());
        reasons.chain(self.outcome.reason.as_deref()).find(|reason| super::journal::is_full(reason))
    }

    /// One line for the progress.
    pub fn sentence(&self, _mutants: &[Mutant]) -> String {
        format!("{}: {} of {} killed", self.outcome.id, self.kills.len(), self.statuses.len())
    }
}

/// A unit that is built and may be searched.
pub(super) struct Built {
    pub(super) generated: Generated,
    pub(super) unit_so: PathBuf,
    pub(super) slots: Vec<Slot>,
    /// For each slot: the mutant's index.
    pub(super) mutants: Vec<usize>,
    /// By the mutant's index: what the unit's text notes about it.
    watched: BTreeMap<usize, Watched>,
}

/// What the original does on the seeds.
#[derive(Default)]
struct OnSeeds {
    /// It fails on every one, or what it leaves behind can't be taken down.
    fails: bool,
    /// Those on which it differs from itself.
    differs: BTreeSet<usize>,
}

/// Why a unit is not searched.
struct GivenUp {
    driver: Driver,
    status: Status,
    reason: String,
}

impl GivenUp {
    fn unbuildable(reason: impl Into<String>) -> Self {
        Self { driver: Driver::Unbuildable, status: Status::NoDriver, reason: reason.into() }
    }

    fn error(reason: String) -> Self {
        Self { driver: Driver::Unbuildable, status: Status::Error, reason }
    }
}

impl Shared<'_> {
    /// Everything for one unit. Never fails: what goes wrong is the outcome.
    pub fn unit(&self, work: &Work) -> Finished {
        if let Some(done) = self.past.and_then(|past| past.unit(&work.unit)) {
            return self.again(work, done);
        }
        let finished = self.anew(work);
        if let Some(why) = finished.full_disk() {
            self.journal.fail(why);
        }
        // What was cut short is not done.
        if !self.context.is_interrupted() {
            self.journal.unit(Done::of(&work.unit, &finished, self.mutants), self.builder.cpu_seconds());
        }
        finished
    }

    /// A unit that an earlier part of the run is done with.
    fn again(&self, work: &Work, done: &Done) -> Finished {
        let mut finished = done.finished(&work.mutants, self.mutants);
        if done.is_planned() {
            let planner = self.planner.lock().unwrap_or_else(|p| p.into_inner());
            finished.plan = plan::plan_unit(&planner, &work.unit).ok();
        }
        if let Some(plan) = &mut finished.plan {
            leave_out(plan, &finished.left_out);
        }
        finished
    }

    fn anew(&self, work: &Work) -> Finished {
        let function = &self.session.model.functions[&work.unit];
        let mut finished = self.begin(function);
        if self.journal.failed().is_some() {
            self.close(&mut finished, work, Status::Live, Some("the disk was full before it was searched".into()));
            return finished;
        }
        if self.context.is_interrupted() {
            self.close(&mut finished, work, Status::Live, Some("interrupted before it was searched".into()));
            return finished;
        }
        let planned = {
            let planner = self.planner.lock().unwrap_or_else(|p| p.into_inner());
            plan::plan_unit(&planner, &work.unit)
        };
        let plan = match planned {
            Ok(plan) => plan,
            Err(reason) => {
                finished.outcome.driver = Driver::Unplannable;
                finished.outcome.reason = Some(reason.what.clone());
                self.close(&mut finished, work, Status::NoDriver, Some(reason.what));
                return finished;
            }
        };
        finished.outcome.driver = self.driver(&plan);
        let mut plan = plan;
        match self.searched(&mut plan, work, &mut finished) {
            Ok(()) => {}
            Err(given_up) => {
                finished.outcome.driver = given_up.driver;
                finished.outcome.reason = Some(given_up.reason.clone());
                self.close(&mut finished, work, given_up.status, Some(given_up.reason));
            }
        }
        self.close(&mut finished, work, Status::Live, None);
        finished.plan = Some(plan);
        finished
    }

    fn begin(&self, function: &Function) -> Finished {
        let extent = function.definition.as_ref().map(|d| &d.extent);
        let file = extent.map(|e| e.file.strip_prefix(&self.session.options.root).unwrap_or(&e.file).to_path_buf());
        Finished {
            plan: None,
            left_out: BTreeSet::new(),
            outcome: UnitOutcome {
                id: function.id.clone(),
                file: file.unwrap_or_default(),
                line: extent.map_or(0, |e| e.line),
                kind: plan::entry::kind_name(function).into(),
                driver: Driver::Generated,
                copy: None,
                reason: None,
                suspected_faults: Vec::new(),
            },
            statuses: BTreeMap::new(),
            efforts: BTreeMap::new(),
            kills: Vec::new(),
            search_seconds: 0.0,
            triage_seconds: 0.0,
            executions: 0,
        }
    }

    /// Gives every mutant without a status this one.
    fn close(&self, finished: &mut Finished, work: &Work, status: Status, reason: Option<String>) {
        for mutant in &work.mutants {
            finished.statuses.entry(*mutant).or_insert_with(|| (status, reason.clone()));
        }
    }

    /// Builds and searches; a way into the unit that spoils the others is taken out of the plan.
    fn searched(&self, plan: &mut UnitPlan, work: &Work, finished: &mut Finished) -> Result<(), GivenUp> {
        let command = self
            .session
            .database
            .commands
            .get(plan.command)
            .ok_or_else(|| GivenUp::unbuildable("its source has no compile command"))?;
        let mut seeds = seeds::all(plan);
        // An edited utility class knows the original's names only, which is what an image has.
        let copy = !self.edited.contains_key(&plan.slug);
        let mut built = self.build(plan, command, work, copy, finished)?;
        let mut seen = OnSeeds::default();
        let mut failed = self.check(&built, plan, &seeds, &mut seen, finished);
        let kept = plan.clone();
        if copy && seen.fails && plan.give_away() {
            built = self.build(plan, command, work, copy, finished)?;
            failed = self.check(&built, plan, &seeds, &mut seen, finished);
            if seen.fails {
                // That was not the reason.
                *plan = kept;
                built = self.build(plan, command, work, copy, finished)?;
                failed = self.check(&built, plan, &seeds, &mut seen, finished);
            }
        }
        if copy && !seen.differs.is_empty() && self.steady(plan, &built, &seen.differs) {
            built = self.build(plan, command, work, copy, finished)?;
            failed = self.check(&built, plan, &seeds, &mut seen, finished);
        }
        let unsound: BTreeSet<usize> = seen.differs.iter().filter_map(|seed| seeds::way(plan, &seeds[*seed])).collect();
        if copy && !unsound.is_empty() && unsound.len() < plan.entries.len() {
            leave_out(plan, &unsound);
            finished.left_out = unsound.clone();
            let what = "ways into it differ from themselves, and are left out";
            self.context.ui.detail(format_args!("{}: {} {what}", plan.id, unsound.len()));
            seeds = seeds::all(plan);
            built = self.build(plan, command, work, copy, finished)?;
            failed = self.check(&built, plan, &seeds, &mut seen, finished);
        }
        if let Some(why) = failed
            && built.generated.copy != Copy::Image
        {
            // The copy is not the original's twin: only the real thing will do.
            self.context.ui.detail(format_args!("{}: {why}; building images", plan.id));
            built = self.build(plan, command, work, false, finished)?;
        }
        finished.outcome.copy = Some(built.generated.copy);
        if built.slots.is_empty() {
            return Err(GivenUp::unbuildable("no mutant of it could be built"));
        }
        let built_seconds = self.builder.thread_cpu_seconds();
        let live = built.slots.len();
        let Some(budget) = self.deadline.limit(self.session.options.budget, live) else {
            self.close(finished, work, Status::Live, Some("the total budget was spent before it was searched".into()));
            return Ok(());
        };
        let result = self.search(plan, command, &built, seeds, budget, built_seconds, finished)?;
        self.deadline.spend(result.executions);
        finished.executions = result.executions;
        self.ask_sanitizer(plan, command, &built, &result, built_seconds, finished);
        self.conclude(plan, &built, &result, finished);
        Ok(())
    }

    /// Leaves out of the comparison what is not the same twice on the seeds; false where there is nothing of that
    /// kind.
    fn steady(&self, plan: &mut UnitPlan, built: &Built, differing: &BTreeSet<usize>) -> bool {
        let folder = self.workshop.folder(plan).join("seeds");
        let mut members = Vec::new();
        for number in differing {
            let seed = folder.join(format!("seed-{number:03}"));
            let places = unsteady(&self.workshop.worker, &built.unit_so, &seed).unwrap_or_default();
            let Session { model, hierarchy, .. } = self.session;
            members.extend(places.iter().filter_map(|place| member_at(model, hierarchy, plan, place)));
        }
        plan.leave_out(members)
    }

    /// Whether the copy differs from the original where no mutant is active. Seeds on which the original fails
    /// are suspected faults, however soon the search ends; what it does on the others goes to `on_seeds`.
    fn check(
        &self,
        built: &Built,
        plan: &UnitPlan,
        seeds: &[Vec<u8>],
        on_seeds: &mut OnSeeds,
        finished: &mut Finished,
    ) -> Option<String> {
        let folder = self.workshop.folder(plan).join("seeds");
        let mut paths = Vec::new();
        std::fs::create_dir_all(&folder).ok()?;
        for (number, seed) in seeds.iter().enumerate() {
            let path = folder.join(format!("seed-{number:03}"));
            std::fs::write(&path, seed).ok()?;
            paths.push(path);
        }
        let seen = baseline(&self.workshop.worker, &built.unit_so, &paths).ok()?;
        finished.outcome.suspected_faults.clear();
        for (seed, run) in seeds.iter().zip(&seen.inputs) {
            let Some(what) = run.failure() else { continue };
            self.suspect(plan, seed, what, finished).ok()?;
        }
        let differs = seen.inputs.iter().map(|run| run.failure().is_none() && !run.deterministic);
        on_seeds.differs = differs.enumerate().filter(|(_, differs)| *differs).map(|(seed, _)| seed).collect();
        on_seeds.fails = seen.inputs.iter().all(|run| run.failure().is_some() || run.outcome.late);
        let differs = seen.inputs.iter().any(|run| run.failure().is_none() && run.deterministic && !run.copy_agrees);
        differs.then(|| "the copy differs from the original with no mutant active".to_owned())
    }

    /// How the driver comes to be.
    fn driver(&self, plan: &UnitPlan) -> Driver {
        match (self.edited.contains_key(&plan.slug), plan.overridden) {
            (true, _) => Driver::Edited,
            (false, true) => Driver::Overridden,
            (false, false) => Driver::Generated,
        }
    }

    /// The utility class that a person has edited, in the place of the generated one.
    fn put_edited(&self, plan: &UnitPlan, generated: &mut Generated) {
        let Some(path) = self.edited.get(&plan.slug) else { return };
        let (Some((_, text)), Ok(own)) =
            (generated.files.iter_mut().find(|(name, _)| name == "TestUtil.hpp"), std::fs::read_to_string(path))
        else {
            return;
        };
        *text = stamp::unstamped(&own).to_owned();
    }

    /// Generates and builds; with `copy` the source copy is tried first.
    fn build(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        work: &Work,
        copy: bool,
        finished: &mut Finished,
    ) -> Result<Built, GivenUp> {
        let Session { model, hierarchy, .. } = self.session;
        let mutants: Vec<&Mutant> = work.mutants.iter().map(|n| &self.mutants[*n]).collect();
        let mut generated = generate::unit(model, hierarchy, plan, &mutants, copy)
            .map_err(|why| GivenUp::unbuildable(format!("no driver could be written: {why}")))?;
        self.put_edited(plan, &mut generated);
        if let Some(why) = &generated.copy_reason {
            self.context.ui.detail(format_args!("{}: {why}", plan.id));
        }
        let folder = self.workshop.folder(plan);
        // What an earlier way of copying has left would only confuse a reader.
        let _ = std::fs::remove_dir_all(&folder);
        write_files(&folder, &generated.files).map_err(GivenUp::error)?;
        let archive = self.workshop.archive(&plan.source).map_err(|f| GivenUp::unbuildable(f.to_string()))?;
        let driver = folder.join(generated.main_file());
        let job = CompileJob::generated(&driver, command, Flavor::Search).with(self.workshop.options(plan));
        let unit_so = folder.join("unit.so");
        let mut watched = BTreeMap::new();
        let linked = self.compiled(plan, &job).and_then(|(object, seen)| {
            watched = seen;
            self.builder.link_unit(&[object], Some(&archive), self.workshop.libraries, Flavor::Search, &unit_so)
        });
        if let Err(failure) = linked {
            if generated.copy != Copy::Image {
                self.context.ui.detail(format_args!("{}: {failure}; building images", plan.id));
                return self.build(plan, command, work, false, finished);
            }
            return Err(GivenUp::unbuildable(failure.to_string()));
        }
        let is_header = self.session.model.functions.get(&plan.unit).and_then(|f| f.definition.as_ref());
        let is_header = is_header.is_some_and(|definition| definition.body.file != plan.source);
        if generated.reaches_out && is_header {
            // Callers that were compiled elsewhere have the original's text without notes.
            let dispatched = work.mutants.iter().zip(&generated.sides);
            for (index, _) in dispatched.filter(|(_, side)| **side != generate::Side::Image) {
                watched.remove(index);
            }
        }
        let mut slots = Vec::new();
        let mut indexes = Vec::new();
        for (position, side) in generated.sides.iter().enumerate() {
            let index = work.mutants[position];
            let id = self.mutants[index].id.clone();
            let probe = watched.get(&index).map(|seen| Probe { reached: seen.reached, infected: seen.infected });
            match side {
                generate::Side::Dispatch(number) => slots.push(Slot { number: *number, id, side: Side::Copy, probe }),
                generate::Side::Image => match self.image(plan, command, &self.mutants[index], position, &archive) {
                    Ok(path) => slots.push(Slot { number: position as u32 + 1, id, side: Side::Image(path), probe }),
                    Err(why) => {
                        finished.statuses.insert(index, (Status::NoDriver, Some(why)));
                        continue;
                    }
                },
            }
            indexes.push(index);
        }
        Ok(Built { generated, unit_so, slots, mutants: indexes, watched })
    }

    /// The driver against the mutated file, in a shared object of its own.
    fn image(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        mutant: &Mutant,
        position: usize,
        archive: &Path,
    ) -> Result<PathBuf, String> {
        let driver = self.image_driver(plan)?;
        let job = CompileJob::generated(&driver, command, Flavor::Mutant)
            .with(self.workshop.options(plan))
            .replacing(&mutant.original, &mutant.path);
        let object = self.builder.compile(&job).map_err(|f| f.to_string())?;
        let out = self.workshop.folder(plan).join(format!("image-{}.so", position + 1));
        self.builder
            .link_unit(&[object], Some(archive), self.workshop.libraries, Flavor::Mutant, &out)
            .map_err(|f| f.to_string())?;
        Ok(out)
    }

    /// A driver without copies, beside the one with copies where there is one.
    pub(super) fn image_driver(&self, plan: &UnitPlan) -> Result<PathBuf, String> {
        let Session { model, hierarchy, .. } = self.session;
        let mut generated = generate::unit(model, hierarchy, plan, &[], false)?;
        self.put_edited(plan, &mut generated);
        let folder = self.workshop.folder(plan).join("image");
        if !folder.is_dir() {
            write_files(&folder, &generated.files)?;
        }
        Ok(folder.join(generated.main_file()))
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is the job's")]
    fn search(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        built: &Built,
        seeds: Vec<Vec<u8>>,
        budget: Budget,
        built_seconds: f64,
        finished: &mut Finished,
    ) -> Result<SearchResult, GivenUp> {
        let failed = |error: anyhow::Error| GivenUp {
            driver: self.driver(plan),
            status: Status::Error,
            reason: format!("{error:#}"),
        };
        let output = &self.session.options.output;
        let folder = output.join("cache").join("search").join(&plan.slug);
        let _ = std::fs::remove_dir_all(&folder);
        let mut dictionary: Vec<DictEntry> = plan.literals.iter().map(DictEntry::from).collect();
        for mutant in &built.mutants {
            if let Ok(pairing) = &self.mutants[*mutant].pairing {
                dictionary.extend(pairing.literals.iter().map(DictEntry::from));
            }
        }
        let known = self.known_inputs(plan);
        let mut job = SearchJob {
            unit_id: plan.id.clone(),
            dir: folder.join("work"),
            unit_so: built.unit_so.clone(),
            slots: built.slots.clone(),
            seeds,
            dictionary,
            budget,
            seed: self.session.options.seed,
            interrupted: &self.context.interrupted,
        };
        let mut judge = Judge::new(&self.workshop.worker, &built.unit_so, &folder.join("judge")).map_err(failed)?;
        let engine: Box<dyn Engine> = match &self.afl {
            None => {
                job.seeds.extend(known);
                Box::new(LibFuzzer {
                    worker: self.workshop.worker.clone(),
                    limit_memory: true,
                    distrust: self.probing == Probing::Check,
                })
            }
            Some(afl) => {
                job.seeds = seeds::table(plan);
                job.seeds.truncate(SEEDS_MOST);
                job.seeds.extend(known);
                self.afl_programs(plan, command, built, afl, &mut job)?;
                Box::new(afl.clone())
            }
        };
        let mut kills: Vec<Killed> = Vec::new();
        let slots = built.slots.clone();
        let mut confirm = |candidate: &Candidate| {
            let mutant = built.mutants[candidate.slot];
            let side = crate::triage::Replayed::of(&slots[candidate.slot]);
            let verdict = judge.judge_seen(&side, &candidate.input, candidate.hint)?;
            if let Verdict::Killed { how, original, mutant: mutated } = &verdict {
                let outcome = self.stored(plan, mutant, candidate, *how, built_seconds)?;
                kills.push(Killed {
                    mutant,
                    outcome,
                    original: (**original).clone(),
                    mutated: (**mutated).clone(),
                    unproved: None,
                });
            }
            Ok(crate::triage::answer(verdict))
        };
        let result = engine.search(&job, &mut confirm).map_err(failed)?;
        let faults = judge.faults(&result.faults).map_err(failed)?;
        for fault in &faults {
            self.suspect(plan, &fault.input, fault.what.clone(), finished).map_err(failed)?;
        }
        finished.kills = kills;
        finished.search_seconds = result.cpu_seconds;
        finished.triage_seconds = judge.cpu_seconds();
        Ok(result)
    }

    /// One AFL++ program for each mutant, as the papers build them.
    fn afl_programs(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        built: &Built,
        afl: &AflPlusPlus,
        job: &mut SearchJob<'_>,
    ) -> Result<(), GivenUp> {
        let folder = self.workshop.folder(plan).join("afl");
        std::fs::create_dir_all(&folder).map_err(|e| GivenUp::unbuildable(e.to_string()))?;
        let driver = self.workshop.folder(plan).join(built.generated.main_file());
        let image_driver = self.image_driver(plan).map_err(GivenUp::unbuildable)?;
        let parts = |image| Parts {
            driver: &driver,
            command,
            extra: self.workshop.options(plan),
            commands: &self.session.database.commands,
            excluded: vec![plan.source.as_path()],
            libraries: self.workshop.libraries,
            runtime: &self.workshop.runtime,
            image,
        };
        let unbuilt = |failure: crate::build::CompileFailure| GivenUp::unbuildable(failure.to_string());
        let unit = folder.join("unit");
        program(self.builder, afl.flavor(), &parts(None), &unit).map_err(unbuilt)?;
        job.unit_so = unit;
        for (position, slot) in job.slots.iter_mut().enumerate() {
            if let Side::Image(path) = &mut slot.side {
                let mutant = &self.mutants[built.mutants[position]];
                let image = Image { driver: &image_driver, original: &mutant.original, mutated: &mutant.path };
                let out = folder.join(format!("image-{}", position + 1));
                program(self.builder, afl.flavor(), &parts(Some(image)), &out).map_err(unbuilt)?;
                *path = out;
            }
        }
        Ok(())
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
        if known.iter().filter(|fault| fault.what == what).count() >= FAULTS_ALIKE {
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

    /// Keeps the killing input, writes the journal, and makes the outcome's entry.
    pub(super) fn stored(
        &self,
        plan: &UnitPlan,
        mutant: usize,
        candidate: &Candidate,
        how: crate::outcome::How,
        built_seconds: f64,
    ) -> anyhow::Result<Kill> {
        let id = &self.mutants[mutant].id;
        let input = PathBuf::from("inputs").join(safe_name(id));
        if let Some(kill) = self.known_kill(plan, id, &candidate.input) {
            return Ok(kill);
        }
        self.store(&input, &candidate.input)?;
        let kill = Kill {
            how,
            by: candidate.by,
            input,
            seconds: candidate.seconds,
            cpu_seconds: built_seconds + candidate.cpu_seconds,
            executions: candidate.executions,
            test: None,
            verified: false,
        };
        self.journal.killed(id, &plan.unit, &kill);
        Ok(kill)
    }

    /// The killing inputs that an earlier part of the run has found for a unit.
    fn known_inputs(&self, plan: &UnitPlan) -> Vec<Vec<u8>> {
        let kills = self.past.into_iter().flat_map(|past| past.kills(&plan.unit));
        kills.filter_map(|(_, kill)| std::fs::read(self.session.options.output.join(&kill.input)).ok()).collect()
    }

    /// The kill as it was found first, where this is the same.
    fn known_kill(&self, plan: &UnitPlan, mutant: &str, input: &[u8]) -> Option<Kill> {
        let (_, kill) = self.past?.kills(&plan.unit).find(|(id, _)| *id == mutant)?;
        let stored = std::fs::read(self.session.options.output.join(&kill.input)).ok()?;
        (stored == input).then(|| kill.clone())
    }

    fn conclude(&self, plan: &UnitPlan, built: &Built, result: &SearchResult, finished: &mut Finished) {
        for (position, mutant) in built.mutants.iter().enumerate() {
            let effort = result.effort.get(position);
            let killed = finished.kills.iter().any(|k| k.mutant == *mutant);
            let reached = effort.is_some_and(|e| e.reached) || killed;
            let executions = effort.map_or(result.executions, |e| e.executions);
            finished.efforts.insert(
                *mutant,
                Effort { seconds: result.seconds, executions, reached, infected: survivors::infected(killed, effort) },
            );
            let status = if killed {
                (Status::Killed, None)
            } else if !result.returned && !result.interrupted {
                let what = result.faults.first().map_or("fails", |f| f.what.as_str());
                (Status::BaselineFailed, Some(format!("the original fails on every input ({what}){}", plan.opaque())))
            } else {
                let reason = effort.and_then(|e| e.reason.clone());
                let reason = reason.or_else(|| survivors::why(built.watched.get(mutant), effort, result));
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

/// Takes ways into a unit out of its plan.
fn leave_out(plan: &mut UnitPlan, ways: &BTreeSet<usize>) {
    let mut way = 0..;
    plan.entries.retain(|_| way.next().is_none_or(|way| !ways.contains(&way)));
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

    #[test]
    fn a_total_budget_is_shared_by_the_live_mutants_and_runs_out() {
        let deadline = Deadline::new(Some(Wanted::Executions(100)));
        assert_eq!(deadline.limit(Wanted::Executions(1000), 10), Some(Budget::Executions(10)));
        deadline.spend(100);
        assert_eq!(deadline.limit(Wanted::Executions(1000), 10), None);
        assert_eq!(Deadline::new(None).limit(Wanted::Executions(7), 3), Some(Budget::Executions(7)));
    }
}
