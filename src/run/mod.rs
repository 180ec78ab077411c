//! The stages of `fuzz`: pair mutants, plan units, build and search drivers, prove kills, write tests.
//!
//! This file is the list of stages; each is implemented by the module of its name.

mod batch_drafts;
mod calibration;
mod characters;
mod classes;
mod conclusion;
mod corpus;
mod deadline;
mod decoded_values;
mod drafts;
mod earlier_run;
mod exhaustion;
mod file_helpers;
mod fingerprints;
mod fuzz_targets;
mod guards;
mod identity;
mod include_order;
mod input_names;
pub mod join;
mod journal;
mod kept_files;
mod meeting;
mod memory_effects;
mod mutants;
mod named_constants;
mod opaque_callees;
mod probe_texts;
mod probed_driver;
mod proving;
mod random;
mod reach;
mod read_alike;
mod retry_unproved;
mod sanitizer_pass;
mod schedule;
mod shared;
mod shared_inputs;
mod slices;
mod smallest_set;
mod solver_programs;
mod solving;
mod suite_first;
mod survivors;
mod swallowed;
mod taken_over;
mod test_cases;
mod test_needs;
mod unit;
mod unit_build;
mod unit_result;
mod unit_search;
mod with_source;

use crate::build::{AflFlavor, Sanitizer};
use crate::build_session::BuildSession;
use crate::choices::{Decide, Engine as EngineChoice, ReportFormat};
use crate::context::Context;
use crate::diag::Problem;
use crate::engine::aflpp::AflPlusPlus;
use crate::judgements::Judgements;
use crate::mutant::Mutant;
use crate::options::Options;
use crate::outcome::{
    CpuSeconds, Driver, Effort, Equivalence, MutantOutcome, Outcome, Proof, ShardOutcome, Status, Summary, UnitOutcome,
    UnitSeconds,
};
use crate::report::{Format, View};
use crate::session::{Session, cpu_seconds};
use crate::switches::{Feature, Probing};
use crate::tools::git;
use deadline::Deadline;
use drafts::Groups;
pub use earlier_run::Past;
use fingerprints::fingerprints;
pub use identity::Identity;
use join::Joined;
use journal::Journal;
pub use journal::{Lock, full};
use reach::Reach;
use shared::Shared;
use shared_inputs::Alike;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Instant, SystemTime};
use taken_over::{Before, Now};
pub use unit_result::is_full;
use unit_result::{Finished, Work};

/// Runs `fuzz`, without the command line and printing. With what shards have found, which is laid out in the output
/// folder, only what needs all of them is done.
///
/// # Errors
///
/// Bad input (exit 2), a missing tool (3), nothing that could be tested (4).
pub fn fuzz(
    context: &Context,
    session: &Session,
    judgements: &Judgements,
    joined: Option<&Joined>,
) -> anyhow::Result<Outcome> {
    let started = SystemTime::now();
    let clock = Instant::now();
    let options = &session.options;
    let prepared = || -> anyhow::Result<_> {
        let engine = engine(session)?;
        // What shards have left is not asked again.
        if joined.is_none() && (options.decide == Decide::Solver || options.engine.asks_solver()) {
            session.tools.solver()?;
        }
        let libraries = session.libraries()?;
        let builder = session.builder(context)?;
        if let Some(joined) = joined {
            let mutants = mutants::taken_over(context, session, joined)?;
            return Ok((engine, libraries, mutants, Vec::new(), [0.0, 0.0], builder));
        }
        let before = cpu_seconds() - builder.cpu_seconds();
        let (mut mutants, files) = mutants::paired(context, session, &builder)?;
        mutants::framework_serves(session, &mutants)?;
        if !options.are_revisions {
            mutants::refuse_unbuildable(session, &builder, &mut mutants);
        }
        // Reading files for their mutants; what was compiled counts as building.
        let making = (cpu_seconds() - builder.cpu_seconds() - before).max(0.0);
        let suite_seconds = suite_first::suite_first(context, session, &mut mutants)?;
        Ok((engine, libraries, mutants, files, [making, suite_seconds], builder))
    };
    // Locked before anything is written: another run may be using the folder.
    let lock = Lock::take(&options.output)?;
    let identity = Identity::of(session);
    let past = options.resume.then(|| Past::read(&options.output)).transpose()?;
    let kind = match joined.map(|joined| joined.stored.as_deref()) {
        None => identity::Before::Resumed,
        Some(None) => identity::Before::Shards,
        Some(Some(folder)) => identity::Before::Stored(folder),
    };
    if let Some(past) = &past {
        identity.check(&past.identity, &options.output, kind)?;
    }
    let (engine, libraries, mutants, files, [making, suite_seconds], builder) =
        prepared().inspect_err(|error| session.give_up(error))?;
    let base = identity.of_results(session, &proving::own_frameworks(session));
    let Session { model, hierarchy, database, .. } = session;
    let reach = Reach::new(model, hierarchy, &options.root, &database.commands, base);
    // The journal may be the one that is begun anew.
    let baseline = options.survivors.baseline.as_deref().filter(|_| past.is_none());
    let before = baseline.and_then(Before::read);
    let identity = identity.with(&mutants);
    let shard = options.shard.map(|shard| ShardOutcome::of(shard, &identity, &files));
    let now = humantime::format_rfc3339_seconds(started).to_string();
    let journal = match &past {
        Some(past) => {
            identity.check(&past.identity, &options.output, kind)?;
            context.ui.note(format_args!("{} done before", crate::report::plural(past.units(), "unit")));
            Journal::resume(&options.output, &now, past)?
        }
        None => Journal::create(&options.output, &now, identity)?,
    };
    let reasons = mutants.iter().filter_map(|mutant| mutant.pairing.as_ref().err()).map(|(_, why)| why.as_str());
    enough_room(session, reasons)?;
    let before_plans = cpu_seconds();
    let works = works(session, &mutants)?;
    let edited = crate::overrides::stamp::edited_utilities(&options.project);
    let fingerprints = fingerprints(session, &mutants);
    let earlier = match &before {
        Some(before) => {
            // Nothing is built yet, so nobody knows what is undefined: a unit with a stand-in is searched again.
            let planner = session.planner();
            let now = Now {
                session,
                reach: &reach,
                planner: &planner,
                edited: &edited,
                mutants: &mutants,
                fingerprints: &fingerprints,
                works: &works,
            };
            taken_over::taken_over(&now, before)?
        }
        None => None,
    };
    if let Some(earlier) = &earlier {
        journal.took_over(earlier);
        let units = crate::report::plural(earlier.units(), "function");
        context.ui.note(format_args!("{units} of {} unchanged since the baseline: not searched again", works.len()));
    }
    let probing = session.switches.probing;
    let probes = match (&engine, probing) {
        (None, Probing::On | Probing::Check) => probe_texts::read(context, session, &mutants, &works)?,
        // AFL++ has a program per mutant, so there is no run of the original to take notes in.
        _ => BTreeMap::new(),
    };
    let analyse = session.analyse_seconds + making + cpu_seconds() - before_plans;

    let sources = works.iter().filter_map(|work| session.source_of(&work.unit)).collect();
    let mutated = mutants.iter().map(|mutant| mutant.original.clone()).collect();
    let build_session = BuildSession::open(context, session, &builder, libraries, &sources, &mutated)?;
    let failures = build_session.what_links.objects().failures;
    enough_room(session, failures.iter().map(|failure| failure.first_error.as_str()))?;
    let waiting = works.iter().map(|work| work.mutants.len()).sum();
    let asks = engine.is_none() && options.sanitizer != Sanitizer::None;
    let mut deadline = Deadline::new(options.total_budget, waiting, options.jobs.get(), asks);
    let spent = past.as_ref().map(|past| past.spent).unwrap_or_default();
    deadline.take_off(spent.budget);
    // The papers' engine has a program for each unit.
    let share = engine.is_none() && session.switches.has(Feature::Together);
    let groups = if share { Groups::new(session, &works) } else { Groups::default() };
    let shared = Shared {
        context,
        session,
        builder: &builder,
        build_session: &build_session,
        planner: session.planner(),
        mutants: &mutants,
        works: &works,
        groups,
        probes,
        journal: &journal,
        past: past.as_ref().or(earlier.as_ref()),
        afl: engine,
        afl_shared: std::sync::Mutex::default(),
        deadline,
        built: std::sync::OnceLock::new(),
        alike: Alike::default(),
        memory: memory_effects::MemoryEffects::default(),
        at_load: crate::generate::mutated_bodies::at_load(&session.model),
        edited,
        reach: &reach,
    };
    let stage = context.ui.stage("searching", works.len());
    let done = |finished: &Finished| stage.advance(finished.sentence(&mutants));
    let begun = builder.in_parallel(&works, |work| {
        let (finished, underway) = unit::search(&shared, work);
        if underway.is_none() {
            done(&finished);
        }
        (finished, underway)
    });
    let (begun, between) = solving::between(&shared, begun);
    let mut finished = slices::in_slices(&shared, &works, begun, &done);
    drop(stage);
    meeting::meet(&shared, &mut finished);
    // Tests are written in this order, whatever fell first, and whoever found it.
    finished.iter_mut().for_each(|unit| unit.kills.sort_by_key(|kill| kill.mutant));
    if let Some(why) = journal.failed() {
        return Err(full(&why).at(&options.output).into());
    }

    // Each shard has decided what can be decided.
    let decide = match joined {
        Some(_) => 0.0,
        None => between + exhaustion::decide(&shared, &mut finished) + solving::decide(&shared, &mut finished),
    };
    if joined.is_none() {
        swallowed::tell(&shared, &mut finished);
    }
    let before_proofs = (cpu_seconds(), seconds(&finished));
    let built = *shared.built.get_or_init(|| builder.cpu_seconds());
    let build = spent.build + built + build_session.worker_seconds;
    let shared_seconds = match &shared.afl {
        None => build_session.worker_seconds + build_session.what_links.objects().cpu_seconds,
        Some(_) => *shared.afl_shared.lock().unwrap_or_else(|p| p.into_inner()),
    };
    let tests = match &options.fuzz_targets {
        Some((folder, searched)) => {
            let written = fuzz_targets::write(&shared, &finished, &proving::project(&shared), folder, searched)?;
            context.ui.detail(format_args!("{} written", crate::report::plural(written, "fuzz target")));
            Vec::new()
        }
        None => proving::prove(&shared, &mut finished)?,
    };
    // The cost of searching again belongs to units, not to proving.
    let all = |of: &UnitSeconds| of.build + of.search + of.triage;
    let units = seconds(&finished);
    let (build, again) = (build + units.build - before_proofs.1.build, all(&units) - all(&before_proofs.1));
    let prove = (cpu_seconds() - before_proofs.0 - again).max(0.0);
    let UnitSeconds { search, triage, .. } = units;
    let mut outcome = Outcome {
        wall_seconds: spent.wall + clock.elapsed().as_secs_f64(),
        cpu_seconds: CpuSeconds {
            analyse,
            build,
            shared: shared_seconds,
            search,
            decide,
            triage,
            prove,
            suite: suite_seconds,
        },
        units: finished.iter().map(|f| f.outcome.clone()).collect(),
        mutants: outcomes(session, &mutants, fingerprints, &finished),
        tests,
        summary: Summary::default(),
        interrupted: context.is_interrupted(),
        shard,
        merged: joined.map(|joined| joined.merged.clone()),
        ..blank(options, past.as_ref().map_or(now, |past| past.started.clone()))
    };
    if let Some(joined) = joined {
        outcome.cpu_seconds += joined.cpu_seconds;
    }
    outcome.classes = classes::of(session, &outcome.units);
    judgements.apply(&mut outcome);
    leave(&outcome, options, &options.output)?;
    journal.ended(&outcome);
    drop(lock);
    // What a shard can not test, others may: that is for all of them to say.
    if !outcome.interrupted && outcome.shard.is_none() {
        untestable(session, &outcome)?;
    }
    Ok(outcome)
}

/// A run without mutants: its result takes the place of an earlier one.
///
/// # Errors
///
/// Another run is using the output folder, or it cannot be written.
pub fn nothing(session: &Session) -> anyhow::Result<Outcome> {
    let options = &session.options;
    let lock = Lock::take(&options.output)?;
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let journal = Journal::create(&options.output, &now, Identity::of(session).with(&[]))?;
    let analyse = session.analyse_seconds;
    let outcome = Outcome { cpu_seconds: CpuSeconds { analyse, ..CpuSeconds::default() }, ..blank(options, now) };
    leave(&outcome, options, &options.output)?;
    journal.ended(&outcome);
    drop(lock);
    Ok(outcome)
}

/// A result that says what was run, and nothing else yet.
fn blank(options: &Options, started: String) -> Outcome {
    let which = options.commit.as_deref().unwrap_or("--dirty");
    Outcome {
        schema: 1,
        tool: format!("motif-cpp {}", env!("CARGO_PKG_VERSION")),
        seed: options.seed,
        engine: options.engine.to_string(),
        started,
        command: command_line(),
        revision: git::line(&options.project, &["describe", "--always", "--tags", which]),
        commit: options.commit.clone(),
        ..Outcome::default()
    }
}

/// Writes a result to an output folder, with the pages that every run leaves.
///
/// # Errors
///
/// The folder cannot be written.
pub fn leave(outcome: &Outcome, options: &Options, output: &Path) -> anyhow::Result<()> {
    crate::report::json::write(outcome, output)?;
    let view =
        View { project: &options.project, most: options.survivors.most, ..View::new(outcome, &options.root, output) };
    for format in [ReportFormat::Html, ReportFormat::Elements] {
        Format::of(format).write(&view, None)?;
    }
    Ok(())
}

/// The command line as a shell would read it.
fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    shell_words::join(std::iter::once("motif-cpp".to_owned()).chain(arguments))
}

/// The AFL++ engine if requested.
fn engine(session: &Session) -> anyhow::Result<Option<AflPlusPlus>> {
    let options = &session.options;
    if options.engine != EngineChoice::AflPlusPlus {
        return Ok(None);
    }
    let flavor = AflFlavor { compiler: options.compiler, sanitizer: options.sanitizer, coverage: options.coverage };
    Ok(Some(AflPlusPlus::new(&session.tools, flavor, options.afl_mode)?))
}

/// The units with mutants, in the order of their first mutant, with plans; unrequested units are left out.
fn works(session: &Session, mutants: &[Mutant]) -> anyhow::Result<Vec<Work>> {
    let model = &session.model;
    let units = crate::select::units(model);
    let wanted: Option<Vec<&str>> = if session.options.units.is_empty() {
        None
    } else {
        let chosen = crate::select::select(&units, &session.options.units).map_err(crate::context::Problems)?;
        Some(chosen.iter().map(|f| f.usr.as_str()).collect())
    };
    let mut order: Vec<Work> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let Ok(pairing) = &mutant.pairing else { continue };
        if wanted.as_ref().is_some_and(|w| !w.contains(&pairing.unit.as_str())) {
            continue;
        }
        let at = *index.entry(pairing.unit.as_str()).or_insert_with(|| {
            order.push(Work { unit: pairing.unit.clone(), mutants: Vec::new() });
            order.len() - 1
        });
        order[at].mutants.push(number);
    }
    Ok(order)
}

/// The cost of all units.
fn seconds(finished: &[Finished]) -> UnitSeconds {
    // The sum of nothing is -0.
    let sum = |of: fn(&Finished) -> f64| finished.iter().map(of).sum::<f64>() + 0.0;
    UnitSeconds {
        build: sum(|unit| unit.build_seconds),
        search: sum(|unit| unit.search_seconds),
        triage: sum(|unit| unit.triage_seconds),
    }
}

fn outcomes(
    session: &Session,
    mutants: &[Mutant],
    fingerprints: Vec<String>,
    finished: &[Finished],
) -> Vec<MutantOutcome> {
    let root = &session.options.root;
    let mut out = Vec::new();
    let mut fingerprints = fingerprints.into_iter();
    for (number, mutant) in mutants.iter().enumerate() {
        let fingerprint = fingerprints.next().unwrap_or_default();
        let done = finished.iter().find(|f| f.statuses.contains_key(&number));
        let unit =
            mutant.pairing.as_ref().ok().and_then(|p| session.model.functions.get(&p.unit)).map(|f| f.id.clone());
        let unit = unit.or_else(|| mutant.unit.clone());
        let mut outcome = MutantOutcome {
            id: mutant.id.clone(),
            file: relative(root, &mutant.original),
            line: mutant.line,
            operator: mutant.operator.clone(),
            unit,
            status: Status::Live,
            reason: None,
            kill: None,
            effort: None,
            diff: mutant.diff.clone(),
            equivalence: None,
            fingerprint,
            suite: mutant.suite,
            new: None,
            dismissed: None,
            usefulness: None,
            taken_over: done.is_some_and(|done| done.taken_over),
        };
        match (&mutant.pairing, done) {
            (Err((status, reason)), _) => {
                outcome.status = *status;
                outcome.reason = Some(reason.clone());
                outcome.equivalence = (*status == Status::Equivalent).then(|| Equivalence::by(Proof::Compiler));
            }
            // It belongs to a unit that was not requested.
            (Ok(_), None) => continue,
            (Ok(_), Some(done)) => {
                let (status, reason) = &done.statuses[&number];
                outcome.status = *status;
                outcome.reason = reason.clone();
                outcome.equivalence = done.equivalences.get(&number).cloned();
                let risk = |effort: &Effort| effort.residual_risk.filter(|_| *status == Status::Live);
                let effort = done.efforts.get(&number);
                outcome.effort = effort.map(|effort| Effort { residual_risk: risk(effort), ..*effort });
                if let Some(kill) = done.kills.iter().find(|k| k.mutant == number) {
                    outcome.kill = Some(kill.outcome.clone());
                    outcome.reason = kill.unproved.as_ref().map(|why| format!("the test is not proved: {why}"));
                }
            }
        }
        out.push(outcome);
    }
    out
}

/// Ends the run if failures were caused by a full disk.
fn enough_room<'t>(session: &Session, mut reasons: impl Iterator<Item = &'t str>) -> Result<(), Problem> {
    reasons.find(|why| is_full(why)).map_or(Ok(()), |why| Err(full(why).at(&session.options.output)))
}

fn relative(root: &Path, path: &Path) -> std::path::PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_path_buf()
}

/// Exit 4 if no unit at all could be tested.
fn untestable(session: &Session, outcome: &Outcome) -> anyhow::Result<()> {
    let tried = outcome.mutants.iter().any(|m| matches!(m.status, Status::Killed | Status::Live | Status::Equivalent));
    if tried || outcome.units.is_empty() {
        return Ok(());
    }
    let first: Option<&UnitOutcome> = outcome.units.iter().find(|u| u.reason.is_some());
    let why = first.map_or_else(String::new, |u| format!("; {}: {}", u.id, u.reason.as_deref().unwrap_or_default()));
    let crashed = outcome.mutants.iter().any(|m| m.status == Status::BaselineFailed);
    let fix = if crashed {
        "the original fails on every input: give it valid arguments in utility-overrides/ (motif-cpp scaffold)"
    } else if outcome.units.iter().all(|u| u.driver == Driver::Unplannable) {
        "`motif-cpp analyze` lists what each unit lacks"
    } else {
        "see the logs in the output folder"
    };
    let what = format!("no unit could be tested ({} tried){why}", outcome.units.len());
    let _ = session;
    Err(Problem::untestable("nothing-tested", what, fix).into())
}
