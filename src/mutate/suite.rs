//! Runs the project's own tests against each mutant, through one build in which all mutants are switchable.
//!
//! The user's files are not touched: a copy of the project is configured like the original, gets the files with all
//! mutants (`schema`) in place of the originals, and is built and tested. The search is for the survivors.
//!
//! 1. The unmodified copy must build and pass the tests; that run gives the time limit.
//! 2. Each schema is compiled. Mutants that do not compile move to a larger place, or get a build of their own.
//! 3. With the schemata, and no mutant active, the tests must pass again, while the reached alternatives are recorded.
//!    A mutant that no test reaches is live without a run.
//! 4. Each reached mutant is tested; several copies work in parallel, since tests write files.

mod check;
mod cmake;
mod command;
mod copy;
mod options;
mod places;
mod pool;
mod prepare;
mod project_copy;
mod schema;
mod trial;
mod worker;

use crate::build::run::Ended;
use crate::diag::Problem;
use crate::model::Model;
use crate::mutant::made::{Made, Standing};
use crate::tree::Trees;
use anyhow::Context;
use options::TIMES;
pub use options::{Project, SuiteOptions};
use pool::{Task, Verdict};
use schema::Schema;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The limit of the tests on the original, if the user sets none.
const BASELINE_MOST: Duration = Duration::from_secs(2 * 3600);
/// Less is not allowed for a mutant: machines have hiccups.
const LEAST_LIMIT: Duration = Duration::from_secs(5);
/// The most bytes of copies per file.
const COPIES_MOST: usize = 1 << 20;

/// An event of the run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A stage starts.
    Stage(&'a str),
    /// This many mutants will be tested.
    Testing(usize),
    /// The standing of a mutant is known, or (`New`) cannot be determined.
    Judged {
        /// Its index in the list.
        index: usize,
        /// The verdict of the tests.
        standing: Standing,
        /// Why.
        reason: Option<&'a str>,
    },
}

/// The result of the tests over the mutants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteReport {
    /// Mutants on which the tests fail.
    pub killed: usize,
    /// Of these, mutants on which the tests timed out.
    pub timed_out: usize,
    /// Mutants on which the tests pass.
    pub live: usize,
    /// Of these, mutants that no test reaches.
    pub unreached: usize,
    /// Mutants that needed a build of their own.
    pub built_alone: usize,
    /// Mutants that were not tried: stopped, interrupted, or not of this project.
    pub untried: usize,
    /// Builds with switchable mutants.
    pub builds: usize,
    /// The whole run.
    pub wall_seconds: f64,
    /// All builds and tests.
    pub cpu_seconds: f64,
    /// Interrupted by the user; results so far are kept.
    pub interrupted: bool,
}

/// Runs the tests against the mutants in `which`, in this order; those that are not `New` are skipped. `trees` gives a
/// file's trees; without them its mutants are built one by one. `told` receives every event and may stop the run.
///
/// # Errors
/// No mutants, a command that would test the original, an original that does not build or fails its tests, tests that
/// do not run what was built.
pub fn run(
    mutants: &mut [Made],
    which: &[usize],
    project: &Project<'_>,
    options: &SuiteOptions,
    trees: &mut dyn FnMut(&Path) -> Vec<Trees>,
    told: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> anyhow::Result<SuiteReport> {
    let started = Instant::now();
    let mut seen = BTreeSet::new();
    let wanted = which.iter().copied().filter(|index| mutants[*index].standing == Standing::New && seen.insert(*index));
    let (mine, foreign): (Vec<usize>, Vec<usize>) =
        wanted.partition(|index| mutants[*index].file.starts_with(project.root));
    if mine.is_empty() {
        let what = match foreign.first() {
            Some(first) => format!("no mutant is of a file of the project ({})", mutants[*first].file.display()),
            None => "there are no mutants to run the tests against".into(),
        };
        return Err(Problem::usage("suite-empty", what, "widen the scope of the mutants").into());
    }
    let builds = project_copy::Builds::new(project, options)?;
    let mut journal = Journal::create(&builds.folder)?;
    let known = which.iter().map(|index| &mutants[*index]);
    known.filter(|made| made.standing != Standing::New).for_each(|made| journal.judged(made, false));
    let made: BTreeMap<usize, Made> = mine.iter().map(|index| (*index, mutants[*index].clone())).collect();
    let mut report = SuiteReport { untried: foreign.len() + mine.len(), ..SuiteReport::default() };
    let mut judged =
        |report: &mut SuiteReport, verdict: Verdict, told: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>| {
            report.count(&verdict);
            let made = &mut mutants[verdict.index];
            (made.standing, made.reason) = (verdict.standing, verdict.reason);
            journal.judged(made, verdict.task == Task::Alone);
            told(Event::Judged { index: verdict.index, standing: made.standing, reason: made.reason.as_deref() })
        };

    let mut flow = told(Event::Stage("building the original"));
    let mut copy = builds.copy(1)?;
    let (limit, build_seconds, seconds) = baseline(&mut copy, options)?;

    let mut sources = BTreeMap::new();
    for one in made.values() {
        if !sources.contains_key(&one.file) {
            let text = std::fs::read(&one.file).with_context(|| format!("reading {}", one.file.display()))?;
            sources.insert(one.file.clone(), text);
        }
    }
    let mut schemas = schemas(&made, &sources, project.model, trees);
    let batches = batches(&mine, &schemas, options.enough);
    let mut copies = vec![copy];
    let mut alone = Vec::new();
    let count = batches.len();
    let mut most_workers = 1;
    for (nth, batch) in batches.into_iter().enumerate() {
        if flow.is_break() || project.interrupted.load(Ordering::Relaxed) {
            break;
        }
        let _ = told(Event::Stage("building with all mutants"));
        let wanted = batch.iter().copied().collect();
        let most = limit.max(Duration::from_secs_f64(seconds * 10.0));
        let mut preparer = prepare::Preparer::new(&mut copies[0], &mut schemas, most);
        let prepared = match preparer.prepare(&wanted) {
            Err(_) if nth > 0 && project.interrupted.load(Ordering::Relaxed) => break,
            prepared => prepared?,
        };
        report.builds += preparer.builds;
        if !prepared.loaded {
            return Err(untouched(options).into());
        }
        let mut tasks: Vec<(usize, Task)> = Vec::new();
        for index in batch {
            match prepared.numbers.get(&index) {
                Some(_) if !prepared.reached.contains(&index) => tasks.push((index, Task::Unreached)),
                Some(number) => tasks.push((index, Task::Switched(*number))),
                None if options.enough.is_some() => tasks.push((index, Task::Alone)),
                None => alone.push(index),
            }
        }
        if nth + 1 == count {
            tasks.extend(alone.drain(..).map(|index| (index, Task::Alone)));
        }
        let limit = options.timeout.unwrap_or_else(|| allowance(seconds.max(prepared.seconds)));
        let pace = pool::Pace::new(limit, options.timeout.is_some());
        let workers = workers(&tasks, seconds, build_seconds, options.jobs).max(copies.len());
        most_workers = most_workers.max(workers);
        let shared = pool::Shared { builds: &builds, made: &made, sources: &sources, prepared: &prepared, pace };
        flow = told(Event::Testing(tasks.iter().filter(|(_, task)| *task != Task::Unreached).count()));
        if flow.is_continue() {
            let mut tell = |verdict| judged(&mut report, verdict, told);
            let (back, stopped) = pool::run(&shared, copies, workers, &tasks, &mut tell)?;
            copies = back;
            if stopped || copies.is_empty() {
                flow = ControlFlow::Break(());
            }
        }
    }
    // Only the logs and the journal are useful afterwards; after an error, the copies are too.
    for number in 1..=most_workers {
        let _ = std::fs::remove_dir_all(builds.folder.join(number.to_string()));
    }
    report.cpu_seconds = copies.iter().map(|copy| copy.cpu_seconds).sum();
    report.interrupted = project.interrupted.load(Ordering::Relaxed);
    report.wall_seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Builds and tests the copy as it is: the time limit, what building took, what the tests took.
fn baseline(copy: &mut project_copy::ProjectCopy<'_>, options: &SuiteOptions) -> anyhow::Result<(Duration, f64, f64)> {
    let started = Instant::now();
    let (built, log) = copy.build()?;
    if !built {
        return Err(project_copy::failed("suite-build", "the original does not build in a copy of the project", &log));
    }
    let build_seconds = started.elapsed().as_secs_f64();
    let log = copy.builds.log("baseline");
    let most = options.timeout.unwrap_or(BASELINE_MOST);
    let ran = copy.first_test(most, &log)?;
    if ran.ended == Ended::Interrupted {
        return Err(crate::session::interrupted().into());
    }
    if !ran.passed() {
        let why = trial::reason(&ran, &log, most);
        let what = format!("the original fails its own tests ({why}), so they cannot judge mutants:");
        let fix = "run the test command at the project's root; it must pass there, and in a copy of the project";
        let what = what + &trial::last_lines(&log);
        return Err(Problem::usage("suite-baseline", what, fix).at(&log).into());
    }
    Ok((options.timeout.unwrap_or_else(|| allowance(ran.seconds)), build_seconds, ran.seconds))
}

/// The limit of the tests for a mutant, from their time on the original.
fn allowance(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds * f64::from(TIMES)).max(LEAST_LIMIT)
}

fn untouched(options: &SuiteOptions) -> Problem {
    let what = format!(
        "`{}` passes, but runs nothing that was built from the mutated files in the copy of the project",
        options.test_command
    );
    let fix = "the command is run at the root of the copy: let it run the programs of the copy's build folder, and \
    keep \
               the environment (MOTIF_MUTANT, MOTIF_REACHED); or mutate the files that the tests are of";
    Problem::usage("suite-untouched", what, fix)
}

/// The schemata of all files.
fn schemas(
    made: &BTreeMap<usize, Made>,
    sources: &BTreeMap<PathBuf, Vec<u8>>,
    model: &Model,
    trees: &mut dyn FnMut(&Path) -> Vec<Trees>,
) -> BTreeMap<PathBuf, Schema> {
    // The compiler may evaluate such functions, where nothing can be switched.
    let fixed = |unit: &str| model.functions.get(unit).is_some_and(|function| function.is_constexpr);
    let mut schemas = BTreeMap::new();
    for (file, source) in sources {
        let mine: Vec<(usize, &Made)> =
            made.iter().filter(|(_, one)| one.file == *file).map(|(index, one)| (*index, one)).collect();
        let trees = trees(file).into_iter().find(|trees| trees.file == *file).unwrap_or_default();
        schemas.insert(file.clone(), Schema::new(source.clone(), &trees, &mine, &fixed));
    }
    schemas
}

/// Splits the mutants, so that no file grows too large for a compiler, and no more are built than `enough`.
fn batches(order: &[usize], schemas: &BTreeMap<PathBuf, Schema>, enough: Option<usize>) -> Vec<Vec<usize>> {
    let weights: BTreeMap<usize, (usize, usize)> = schemas
        .values()
        .enumerate()
        .flat_map(|(file, schema)| schema.mutants().map(move |index| (index, (file, schema.weight(index)))))
        .collect();
    let mut batches = vec![Vec::new()];
    let mut grown = vec![0; schemas.len()];
    for index in order {
        let weight = weights.get(index);
        let is_heavy = weight.is_some_and(|(file, weight)| grown[*file] > 0 && grown[*file] + weight > COPIES_MOST);
        if is_heavy || batches.last().zip(enough).is_some_and(|(batch, enough)| batch.len() >= enough.max(1)) {
            batches.push(Vec::new());
            grown.fill(0);
        }
        if let Some((file, weight)) = weight {
            grown[*file] += weight;
        }
        if let Some(batch) = batches.last_mut() {
            batch.push(*index);
        }
    }
    batches
}

/// The number of copies worth building.
fn workers(tasks: &[(usize, Task)], test: f64, build: f64, jobs: usize) -> usize {
    let switched = tasks.iter().filter(|(_, task)| matches!(task, Task::Switched(_))).count() as f64;
    let alone = tasks.iter().filter(|(_, task)| *task == Task::Alone).count() as f64;
    // A build of one file is estimated as a fifth of a whole one.
    let work = switched * test + alone * (test + build / 5.0);
    let wall = |count: usize| work / count as f64 + build * (count - 1) as f64;
    let most = jobs.clamp(1, tasks.len().max(1));
    (1..=most).min_by(|a, b| wall(*a).total_cmp(&wall(*b))).unwrap_or(1)
}

impl SuiteReport {
    fn count(&mut self, verdict: &Verdict) {
        self.untried = self.untried.saturating_sub(1);
        self.unreached += usize::from(verdict.task == Task::Unreached);
        self.built_alone += usize::from(verdict.task == Task::Alone);
        self.timed_out += usize::from(verdict.timed_out);
        match verdict.standing {
            Standing::KilledByTests => self.killed += 1,
            Standing::Live => self.live += 1,
            _ => {}
        }
    }
}

/// `suite/journal.jsonl`: one line per mutant, as results arrive.
struct Journal(std::fs::File);

/// The verdicts of an interrupted run with this output folder, by mutant; none if there was none.
pub fn known(output: &Path) -> HashMap<String, (Standing, Option<String>)> {
    #[derive(Deserialize)]
    struct Line {
        mutant: String,
        status: Standing,
        reason: Option<String>,
    }
    let text = std::fs::read(output.join("suite").join("journal.jsonl")).unwrap_or_default();
    // The last line may be torn.
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    lines.map(|line| (line.mutant, (line.status, line.reason))).collect()
}

impl Journal {
    fn create(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join("journal.jsonl");
        let file = std::fs::create_dir_all(folder).and_then(|()| std::fs::File::create(&path));
        file.map(Self).map_err(|error| {
            Problem::usage("output-unwritable", error.to_string(), "make it writable, or give another with -o")
                .at(&path)
        })
    }

    fn judged(&mut self, made: &Made, built_alone: bool) {
        let line = json!({
            "mutant": made.id, "status": made.standing, "reason": made.reason, "built_alone": built_alone,
        });
        // One write per line: a reader never sees half of one. A full disk shows when the mutants are written.
        let _ = self.0.write_all(format!("{line}\n").as_bytes());
    }
}
