//! `analyze --build`: every unit's driver without mutants, built and run on its seeds and for a short search,
//! original against original.
//!
//! It predicts `fuzz`: does a driver build, does it enter the unit and how deep, and is the unit deterministic?

pub mod regions;

use crate::bodies;
use crate::build::{CompileJob, Flavor};
use crate::build_session::{BuildSession, write_files};
use crate::engine::libfuzzer::LibFuzzer;
use crate::engine::{Budget, Candidate, DictEntry, Engine, SearchJob, Side, Slot};
use crate::generate;
use crate::model::{Function, Language, Usr};
use crate::outcome::Home;
use crate::overrides::stamp;
use crate::plan::planner::Planner;
use crate::plan::record_paths::member_at;
use crate::plan::{CALLERS, Departure, OTHER_WAYS, UnitPlan, plan_otherwise, seeds};
use crate::switches::Switches;
use crate::triage::{Judge, Replayed, answer, baseline, fails_throughout};
use regions::{Noting, Regions};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A search that has entered every region continues at least this long, to check determinism.
const AT_LEAST: Duration = Duration::from_millis(300);
/// Rebuilds without unstable members.
const RETRIES: usize = 2;
/// The folder of a unit's search.
const WORK: &str = "work";
/// The interval between looks at a search.
const LOOK: Duration = Duration::from_millis(50);

/// The result for one unit's driver.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Surveyed {
    /// The driver compiles and links.
    pub compiles: bool,
    /// At least one input entered the unit, which returned or threw.
    pub runs: bool,
    /// Two runs gave the same result, on every input tried.
    pub deterministic: bool,
    /// Share of the regions of its body that were entered, 0 to 1.
    pub body_coverage: f64,
    /// A region beyond the first branch was entered, other than an immediate return.
    pub beyond_first_branch: bool,
    /// The first problem.
    pub reason: Option<String>,
    /// It fails on every seed, or while its objects are destroyed.
    #[serde(skip)]
    pub fails: bool,
}

/// Surveys units.
pub struct Survey<'s> {
    planner: Planner<'s>,
    build_session: &'s BuildSession<'s>,
    edited: BTreeMap<String, PathBuf>,
    budget: Budget,
    /// By unit: its file, and the regions of its body.
    regions: BTreeMap<Usr, (PathBuf, Regions)>,
}

impl<'s> Survey<'s> {
    /// Reads the bodies of the units.
    ///
    /// # Errors
    ///
    /// The user interrupted.
    pub fn new(build_session: &'s BuildSession<'s>, units: &[&Function], budget: Budget) -> anyhow::Result<Self> {
        let session = build_session.session;
        let wanted: BTreeSet<&str> = units.iter().map(|function| function.usr.as_str()).collect();
        let files: BTreeSet<PathBuf> =
            units.iter().filter_map(|f| f.definition.as_ref()).map(|d| d.extent.file.clone()).collect();
        let files: Vec<PathBuf> = files.into_iter().collect();
        let stage = build_session.context.ui.stage("reading bodies", files.len());
        let read = bodies::read(build_session.context, session, &files, &|trees| {
            stage.advance(crate::context::shown(&session.options.root, &trees.file));
            let source = std::fs::read(&trees.file).ok()?;
            let mut found = Vec::new();
            for body in trees.bodies.iter().filter(|body| wanted.contains(body.unit.as_str())) {
                let function = session.model.functions.get(&body.unit)?;
                let noting = Noting { cxx: function.language == Language::Cxx, constant: function.is_constexpr };
                found.push((body.unit.clone(), (trees.file.clone(), Regions::of(body, &source, noting))));
            }
            Some(found)
        })?;
        drop(stage);
        let edited = stamp::edited_utilities(&session.options.project);
        let planner = session.planner();
        Ok(Self { build_session, planner, edited, budget, regions: read.into_iter().flatten().collect() })
    }

    /// Builds and runs the driver of one planned unit. Never fails: an error is the result.
    pub fn unit(&self, plan: &UnitPlan) -> Surveyed {
        let mut plan = plan.clone();
        if let Some(utility) = self.edited.get(&plan.slug) {
            plan.follow_utility(utility);
        }
        let mut best = self.once(&plan);
        if !best.compiles && plan.skip_direct_way() {
            best = self.once(&plan);
        }
        if !best.compiles && plan.simplify() {
            best = self.once(&plan);
        }
        for change in [
            UnitPlan::transfer_ownership,
            UnitPlan::ignore_file_state,
            UnitPlan::bound_lengths,
            UnitPlan::skip_paired_setup,
            UnitPlan::transfer_ownership_only,
        ] {
            let mut changed = plan.clone();
            if best.compiles && best.fails && change(&mut changed) {
                let second = self.once(&changed);
                // If it does not build with the adjustment, the first result stands.
                if second.compiles && !second.fails {
                    (best, plan) = (second, changed);
                }
            }
        }
        let reason = best.reason.as_deref().unwrap_or_default();
        let may_build = best.compiles || !plan.is_at_fault(reason);
        let unit = plan.unit.clone();
        let calls = if best.compiles && !best.runs && !plan.is_through_callers() { CALLERS } else { 0 };
        let by_callers = (1..=calls).map(|callers| Departure { callers, ..Departure::default() });
        let own = Departure { own_headers: true, ..Departure::default() };
        let session = self.build_session.session;
        let blames = || plan.blames_another_header(&session.model, &session.options.root, reason);
        let is_own_enough = !best.compiles && blames();
        let own = is_own_enough.then_some(own);
        let otherwise = (1..=OTHER_WAYS).map(|skipped| Departure { skipped, ..Departure::default() });
        let stubs = Some(Departure { stubs: true, ..Departure::default() });
        for departure in own.into_iter().chain(by_callers).chain(otherwise).chain(stubs) {
            if best.runs || !may_build || self.build_session.context.is_interrupted() {
                break;
            }
            let Ok(mut other) = plan_otherwise(&self.planner, &unit, departure) else { continue };
            if !plan.has_direct_way() {
                other.skip_direct_way();
            }
            let second = self.once(&other);
            if second.runs || second.compiles && !best.compiles {
                (best, plan) = (second, other);
            }
        }
        for _ in 0..RETRIES {
            if !best.runs || best.deterministic || !self.steady(&mut plan) {
                break;
            }
            best = self.once(&plan);
        }
        best
    }

    fn once(&self, plan: &UnitPlan) -> Surveyed {
        let mut surveyed = Surveyed::default();
        surveyed.reason = self.surveyed(plan, &mut surveyed).err();
        surveyed
    }

    /// Leaves members out of the comparison that are unstable on the seeds; false if there are none.
    fn steady(&self, plan: &mut UnitPlan) -> bool {
        let BuildSession { session, worker, .. } = self.build_session;
        let folder = session.options.output.join("cache").join("survey").join(&plan.slug);
        let unit_so = ["noting.so", "unit.so"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        let Some(unit_so) = unit_so else { return false };
        let mut members = Vec::new();
        for number in 0..seeds::all(plan).len() {
            let seed = folder.join(format!("seed-{number:03}"));
            let places = crate::triage::unsteady(worker, &unit_so, &seed).unwrap_or_default();
            members.extend(places.iter().filter_map(|p| member_at(&session.model, &session.hierarchy, plan, p)));
        }
        plan.leave_out(members)
    }

    fn surveyed(&self, plan: &UnitPlan, surveyed: &mut Surveyed) -> Result<(), String> {
        let build_session = self.build_session;
        let folder = build_session.session.options.output.join("cache").join("survey").join(&plan.slug);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let known = self.regions.get(&plan.unit).filter(|(_, regions)| !regions.all.is_empty());
        // If the instrumented text does not compile, the plain one may: then only the entry is known.
        let noting = known.map(|(file, regions)| self.noting(plan, &folder, file, regions));
        let (unit_so, notes) = match noting {
            Some(Ok(built)) => built,
            Some(Err(why)) => {
                build_session.context.ui.detail(format_args!("{}: its regions cannot be instrumented: {why}", plan.id));
                (self.built(plan, &folder, None)?, None)
            }
            None => (self.built(plan, &folder, None)?, None),
        };
        surveyed.compiles = true;
        let seeds = seeds::all(plan);
        let mut paths = Vec::new();
        for (number, seed) in seeds.iter().enumerate() {
            let path = folder.join(format!("seed-{number:03}"));
            std::fs::write(&path, seed).map_err(|e| format!("{}: {e}", path.display()))?;
            paths.push(path);
        }
        let seen = baseline(&build_session.worker, &unit_so, None, &paths).map_err(|e| format!("{e:#}"))?;
        let mut deterministic = seen.inputs.iter().all(|run| run.failure().is_some() || run.deterministic);
        let mut returned = seen.inputs.iter().any(|run| run.failure().is_none());
        let fault = seen.inputs.iter().find_map(|run| run.failure());
        surveyed.fails = fails_throughout(&seen.inputs);
        let entered = |notes: &Option<Notes>| notes.as_ref().map(Notes::entered);
        let strict = !surveyed.fails;
        let searched = self.search(plan, &folder, &unit_so, seeds, strict, &notes)?;
        deterministic &= !searched.original_differs;
        returned |= searched.returned;
        let reached = searched.effort.iter().any(|effort| effort.reached);
        surveyed.deterministic = deterministic;
        match (entered(&notes), known) {
            (Some(entered), Some((_, regions))) => {
                surveyed.runs = returned && entered.first().copied().unwrap_or_default();
                let hit = entered.iter().filter(|was| **was).count();
                surveyed.body_coverage = hit as f64 / entered.len().max(1) as f64;
                surveyed.beyond_first_branch = regions.is_deep(&entered);
            }
            _ => {
                surveyed.runs = returned && reached;
                surveyed.body_coverage = if surveyed.runs { 1.0 } else { 0.0 };
                surveyed.beyond_first_branch = surveyed.runs;
            }
        }
        if !surveyed.runs {
            let fault = fault.or_else(|| searched.faults.first().map(|fault| fault.what.clone()));
            return Err(match (returned, fault) {
                (false, Some(what)) => format!("it fails on every input ({what}){}{}", seen.lacks(), plan.opaque()),
                (false, None) => "no input returned".into(),
                (true, _) => format!("no input entered it{}", seen.throws()),
            });
        }
        if deterministic { Ok(()) } else { Err("it differs from itself: its result is not deterministic".into()) }
    }

    /// Builds the driver with an instrumented text of the unit.
    fn noting(
        &self,
        plan: &UnitPlan,
        folder: &Path,
        file: &Path,
        regions: &Regions,
    ) -> Result<(PathBuf, Option<Notes>), String> {
        let io = |e: std::io::Error| format!("{}: {e}", folder.display());
        // In the folder of the search, where a worker may change files.
        let work = folder.join(WORK);
        std::fs::create_dir_all(&work).map_err(io)?;
        let notes = Notes { path: work.join("regions"), count: regions.all.len() };
        std::fs::write(&notes.path, vec![0; notes.count]).map_err(io)?;
        let noted = folder.join("noted");
        let source = std::fs::read(file).map_err(io)?;
        std::fs::write(&noted, regions.noted(&source)).map_err(io)?;
        std::fs::write(folder.join("motif_regions.h"), DECLARED).map_err(io)?;
        let path = crate::cpp::string_literal(notes.path.as_os_str().as_encoded_bytes());
        let keeper = OPENED.replace("$path", &path).replace("$count", &notes.count.to_string());
        std::fs::write(keeper_file(plan, folder), keeper).map_err(io)?;
        Ok((self.built(plan, folder, Some((file, &noted)))?, Some(notes)))
    }

    /// The unit's shared object; `noted` is a file and its instrumented replacement.
    fn built(&self, plan: &UnitPlan, folder: &Path, noted: Option<(&Path, &Path)>) -> Result<PathBuf, String> {
        let BuildSession { session, builder, .. } = *self.build_session;
        let command = session.database.commands.get(plan.command).ok_or("its source has no compile command")?;
        let mut generated = generate::unit(&session.model, &session.hierarchy, plan, &[], Home::Image)
            .map_err(|why| format!("no driver could be written: {why}"))?;
        stamp::put_edited(&self.edited, &plan.slug, &mut generated.files);
        write_files(folder, &generated.files)?;
        let failed = |failure: crate::build::CompileFailure| failure.to_string();
        let driver = folder.join(generated.main_file());
        let mut job = CompileJob::generated(&driver, command, Flavor::Draft)
            .with(self.build_session.options(plan))
            .beginning_with(self.build_session.prefix());
        let mut objects = Vec::new();
        if let Some((file, noted)) = noted {
            let declared = folder.join("motif_regions.h").display().to_string();
            job = job.replacing(file, noted).with(["-include".to_owned(), declared]);
            let keeper = CompileJob::generated(keeper_file(plan, folder), command, Flavor::DraftMutant);
            objects.push(builder.compile(&keeper).map_err(failed)?);
        }
        objects.insert(0, builder.compile(&job).map_err(failed)?);
        let out = folder.join(if noted.is_some() { "noting.so" } else { "unit.so" });
        self.build_session.link(&plan.source, &objects, Flavor::Draft, &out).map_err(failed)?;
        Ok(out)
    }

    /// Runs the original against itself until every region was entered or the time is over.
    fn search(
        &self,
        plan: &UnitPlan,
        folder: &Path,
        unit_so: &Path,
        seeds: Vec<Vec<u8>>,
        strict: bool,
        notes: &Option<Notes>,
    ) -> Result<crate::engine::SearchResult, String> {
        let enough = AtomicBool::new(false);
        let over = AtomicBool::new(false);
        let job = SearchJob {
            unit_id: plan.id.clone(),
            dir: folder.join(WORK),
            unit_so: unit_so.to_path_buf(),
            slots: vec![Slot {
                number: 1,
                id: plan.id.clone(),
                side: Side::of(Home::Image, unit_so.to_path_buf()),
                probe: None,
            }],
            seeds,
            reused: 0,
            dictionary: plan.literals.iter().chain(&plan.words).map(DictEntry::from).collect(),
            budget: self.budget,
            pauses: Vec::new(),
            residual_risk: None,
            before: None,
            seed: self.build_session.session.options.seed,
            strict,
            fills: false,
            interrupted: &enough,
        };
        let said = |error: anyhow::Error| format!("{error:#}");
        let mut judge = Judge::new(&self.build_session.worker, unit_so, &folder.join("judge")).map_err(said)?;
        let engine = LibFuzzer {
            worker: self.build_session.worker.clone(),
            limit_memory: true,
            found_first: false,
            switches: Switches::default(),
        };
        let mut confirm = |candidate: &Candidate| {
            let verdict = judge.judge(&Replayed::Original, &candidate.input)?;
            Ok(answer(verdict))
        };
        let started = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let full = || notes.as_ref().is_some_and(|notes| notes.entered().iter().all(|was| *was));
                    if self.build_session.context.is_interrupted() || started.elapsed() > AT_LEAST && full() {
                        enough.store(true, Ordering::Relaxed);
                    }
                    std::thread::sleep(LOOK);
                }
            });
            let result = engine.search(&job, &mut confirm).map_err(said);
            over.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// The notes of entered regions: a byte each in a file that all processes of the unit share.
struct Notes {
    path: PathBuf,
    count: usize,
}

impl Notes {
    fn entered(&self) -> Vec<bool> {
        let bytes = std::fs::read(&self.path).unwrap_or_default();
        (0..self.count).map(|at| bytes.get(at).is_some_and(|byte| *byte != 0)).collect()
    }
}

/// The source that opens the notes, in the language of the unit, whose options it is compiled with.
fn keeper_file(plan: &UnitPlan, folder: &Path) -> PathBuf {
    folder.join(if plan.language == Language::Cxx { "regions.cpp" } else { "regions.c" })
}

/// The declarations of the instrumented text.
const DECLARED: &str = "#ifdef __cplusplus\nextern \"C\"\n#else\nextern\n#endif\nunsigned char *motif_regions;\n";

/// Opens the file of notes when the unit is loaded.
const OPENED: &str = "#include \"motif_regions.h\"\n\n#include <fcntl.h>\n#include <sys/mman.h>\n\
#include <unistd.h>\n\n\
    static unsigned char nowhere[$count];\nunsigned char *motif_regions = nowhere;\n\n\
    __attribute__((constructor(101))) static void motif_open_regions(void) {\n  \
    const int file = open($path, O_RDWR | O_CLOEXEC);\n  if (file < 0) return;\n  \
    void *shared = mmap(0, $count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);\n  \
    if (shared != MAP_FAILED) motif_regions = (unsigned char *)shared;\n  close(file);\n}\n";
