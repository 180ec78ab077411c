//! The sanitizer pass over survivors: the inputs that the search kept, in a build of the same driver that reports
//! damage without visible effect.
//!
//! A report in the mutant and none in the original, each time in fresh processes, is a kill. A report in the original
//! is a suspected fault, and the input is ignored.

use super::shared::Shared;
use super::unit_build;
use super::unit_build::Built;
use super::unit_result::is_full;
use super::unit_result::{Finished, Killed};
use crate::build::{CompileFailure, CompileJob, Flavor, Sanitizer};
use crate::compdb::CompileCommand;
use crate::diag::Problem;
use crate::engine::reports::{Report, Rerun, is_damage};
use crate::engine::{Candidate, SearchResult, Slot, SlotEffort};
use crate::model::Usr;
use crate::outcome::{By, How};
use crate::plan::UnitPlan;
use crate::triage::{Confirmed, Judge, Replayed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most runs of mutants per pass, in one process and with a process for each.
const RUNS_MOST: usize = 100_000;
const RUNS_APART_MOST: usize = 1_000;
/// The least and the most inputs that each mutant meets.
const INPUTS: (usize, usize) = (64, 2_000);
/// The time limit of a pass.
const LIMIT: Duration = Duration::from_secs(10);
/// The time limit of a pass with known killing inputs only.
const KNOWN_LIMIT: Duration = Duration::from_secs(1);
/// The most source files besides the unit's that are built with the sanitizer, nearest first.
const SOURCES_MOST: usize = 24;
/// The most suspected faults of the original that are examined.
const FAULTS_MOST: usize = 4;

/// An input with its origin.
pub(super) struct Kept {
    pub bytes: Vec<u8>,
    pub by: By,
}

/// A unit after a search.
#[derive(Clone, Copy)]
pub(super) struct Searched<'s> {
    pub plan: &'s UnitPlan,
    pub command: &'s CompileCommand,
    pub built: &'s Built,
    pub result: &'s SearchResult,
}

/// The survivors of a unit, built with the sanitizer.
struct Checked {
    unit_so: PathBuf,
    slots: Vec<Slot>,
    /// The slot in the search, by slot here.
    of: Vec<usize>,
}

/// Asks the sanitizer about what the search has left alive, on inputs that are not among those `asked` about before;
/// kills go to `finished`. What goes wrong here leaves the mutants alive.
pub(super) fn ask_sanitizer(
    shared: &Shared<'_>,
    searched: Searched<'_>,
    asked: &mut BTreeSet<Vec<u8>>,
    finished: &mut Finished,
) {
    let Searched { plan, built, result, .. } = searched;
    let sanitizer = shared.session.options.sanitizer;
    let never = shared.afl.is_some() || sanitizer == Sanitizer::None || !result.returned || result.interrupted;
    let open = if never { Vec::new() } else { survivors(built, result, finished, sanitizer) };
    if open.is_empty() {
        return;
    }
    if !is_of_interest(shared, plan, open.iter().map(|slot| built.mutants[*slot])) {
        let what = "nothing that it does can damage memory";
        return shared.context.ui.detail(format_args!("{}: no sanitizer pass: {what}", plan.id));
    }
    // What it has killed before it kills again, budget or not.
    let known = known_to_sanitizer(shared, plan).len() * (open.len() + 1);
    let allowed = shared.deadline.for_sanitizer(LIMIT, RUNS_MOST).map(|(time, runs)| (time, runs.max(known)));
    let Some((time, runs)) = allowed.or((known > 0).then_some((KNOWN_LIMIT, known))) else {
        let what = "the total budget is spent";
        return shared.context.ui.detail(format_args!("{}: no sanitizer pass: {what}", plan.id));
    };
    if let Err(why) = ask(shared, searched, &open, (time, runs), asked, finished) {
        let why = format!("{why:#}");
        if is_full(&why) {
            shared.journal.fail(&why);
        }
        shared.context.ui.detail(format_args!("{}: no pass under --sanitizer {sanitizer}: {why}", plan.id));
    }
}

/// Whether a sanitizer is asked about these mutants of a unit, should they live.
pub(super) fn is_of_interest(shared: &Shared<'_>, plan: &UnitPlan, mut mutants: impl Iterator<Item = usize>) -> bool {
    match shared.session.options.sanitizer {
        Sanitizer::None => false,
        Sanitizer::Undefined => true,
        // Leaks are of memory as well; what is undefined may be numbers alone.
        _ => {
            mutants.any(|mutant| brings_memory(&shared.mutants[mutant].diff))
                || shared.memory.can_touch(shared.session, &plan.unit)
        }
    }
}

fn ask(
    shared: &Shared<'_>,
    searched: Searched<'_>,
    open: &[usize],
    (time, runs): (Duration, usize),
    asked: &mut BTreeSet<Vec<u8>>,
    finished: &mut Finished,
) -> anyhow::Result<()> {
    let Searched { plan, command, built, result } = searched;
    let sanitizer = shared.session.options.sanitizer;
    let folder = shared.session.options.output.join("cache").join("search").join(&plan.slug);
    let mut kept = kept(&folder.join("work"), result)?;
    kept.retain(|kept| !asked.contains(&kept.bytes));
    // What has killed in an earlier part of the run comes first: little may be left to run more.
    let known = known_to_sanitizer(shared, plan);
    kept.sort_by_key(|kept| !known.contains(&kept.bytes));
    if kept.is_empty() {
        return Ok(());
    }
    let worker = match shared.build_session.worker_under(sanitizer) {
        Ok(worker) => worker,
        Err(why) if is_full(&why) => anyhow::bail!(why),
        Err(why) => {
            lacking(shared, sanitizer, &why);
            return Ok(());
        }
    };
    let checked = checked(shared, plan, command, built, open, sanitizer)?;
    let building = shared.builder.thread_cpu_seconds();
    finished.build_seconds += building;
    let apart = result.changes_state || result.forked;
    let most = if apart { RUNS_APART_MOST } else { RUNS_MOST } / (checked.slots.len() + 1);
    // What is left of the whole run's budget has the last word.
    let most = most.clamp(INPUTS.0, INPUTS.1).min((runs / (checked.slots.len() + 1)).max(1));
    let kept = &kept[..kept.len().min(most)];
    let inputs: Vec<Vec<u8>> = kept.iter().map(|kept| kept.bytes.clone()).collect();
    asked.extend(inputs.iter().cloned());
    let dir = folder.join("sanitized");
    let rerun = Rerun {
        worker: &worker,
        unit_so: &checked.unit_so,
        slots: &checked.slots,
        inputs: &inputs,
        sanitizer,
        apart,
        dir: &dir,
        limit: time,
    };
    let seen = rerun.run()?;
    finished.search_seconds += seen.cpu_seconds;
    finished.executions += seen.runs;
    shared.deadline.spend(seen.runs);
    let spent = finished.spent();
    let mut under = Judge::new(&worker, &checked.unit_so, &dir.join("judge"))?;
    let mut plain = Judge::new(&shared.build_session.worker, &built.unit_so, &folder.join("judge"))?;
    let before = finished.kills.len();
    suspected(shared, plan, &seen.reports, &inputs, &mut under, finished)?;
    for (position, slot) in checked.slots.iter().enumerate() {
        let own = seen.reports.iter().filter(|report| report.slot == Some(position) && is_damage(&report.report));
        for report in own {
            let input = &inputs[report.input];
            let counts: &dyn Fn(&str) -> bool = &is_damage;
            let confirmed = under.confirm_report(Some(&Replayed::of(slot)), input, sanitizer, counts)?;
            let Confirmed::Mutant(what) = confirmed else { continue };
            let searched = checked.of[position];
            let side = Replayed::of(&built.slots[searched]);
            let Some(original) = plain.original_on(&side, input)? else { continue };
            let candidate = Candidate {
                slot: searched,
                input: input.clone(),
                by: kept[report.input].by,
                seconds: result.seconds,
                cpu_seconds: 0.0,
                executions: result.executions,
                hint: How::Sanitizer,
            };
            let mutant = built.mutants[searched];
            let outcome = shared.stored(plan, mutant, &candidate, How::Sanitizer, spent)?;
            shared.context.ui.detail(format_args!("{}: {what}", shared.mutants[mutant].id));
            let mutated = original.clone();
            finished.kills.push(Killed { mutant, outcome, original, mutated, unproved: None });
            break;
        }
    }
    finished.triage_seconds += under.cpu_seconds() + plain.cpu_seconds();
    shared.context.ui.detail(format_args!(
        "{}: {} of {} survivors killed under --sanitizer {sanitizer} ({} inputs, {} runs{}; \
         CPU: build {building:.2} s, run {:.2} s, triage {:.2} s)",
        plan.id,
        finished.kills.len() - before,
        checked.slots.len(),
        inputs.len(),
        seen.runs,
        if apart { " apart" } else { "" },
        seen.cpu_seconds,
        under.cpu_seconds() + plain.cpu_seconds(),
    ));
    // Large, and made again from the cache in no time.
    for folder in [dir, shared.build_session.folder(plan).join("sanitized")] {
        let _ = std::fs::remove_dir_all(folder);
    }
    Ok(())
}

/// The inputs by which it has killed in an earlier part of the run.
fn known_to_sanitizer(shared: &Shared<'_>, plan: &UnitPlan) -> Vec<Vec<u8>> {
    shared.known_inputs_of(plan, |kill| kill.how == How::Sanitizer)
}

/// Reports in the original, each kind once.
fn suspected(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    reports: &[Report],
    inputs: &[Vec<u8>],
    under: &mut Judge,
    finished: &mut Finished,
) -> anyhow::Result<()> {
    let mut kinds = BTreeSet::new();
    for report in reports.iter().filter(|report| report.slot.is_none() && is_damage(&report.report)) {
        if kinds.len() == FAULTS_MOST || !kinds.insert(report.report.as_str()) {
            continue;
        }
        let input = &inputs[report.input];
        let confirmed = under.confirm_report(None, input, shared.session.options.sanitizer, &is_damage)?;
        if let Confirmed::Original(what) = confirmed {
            shared.suspect(plan, input, format!("sanitizer: {what}"), finished)?;
        }
    }
    Ok(())
}

/// Builds the driver once more, and the images of those that have one.
fn checked(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    built: &Built,
    open: &[usize],
    sanitizer: Sanitizer,
) -> anyhow::Result<Checked> {
    let flavor = Flavor::Checked(sanitizer);
    let mut options = shared.build_session.options(plan);
    if sanitizer == Sanitizer::Undefined {
        // What is defined to wrap around is not reported.
        options.retain(|option| option != "-fno-strict-overflow");
    }
    let folder = shared.build_session.folder(plan);
    let archive = shared.build_session.archive_under(sanitizer, &plan.source, &behind(shared, plan))?;
    let link = |object: PathBuf, name: &str| -> Result<PathBuf, CompileFailure> {
        let out = folder.join("sanitized").join(name);
        let linked =
            shared.builder.link_unit(&[object], Some(&archive), &shared.build_session.libraries, flavor, &out)?;
        Ok(linked.path)
    };
    let job = |driver: &Path| {
        CompileJob::generated(driver, command, flavor)
            .with(options.iter().cloned())
            .beginning_with(shared.build_session.prefix())
    };
    let driver = folder.join(built.generated.main_file());
    let unit_so = link(shared.builder.compile(&job(&driver))?, "unit.so")?;
    let mut checked = Checked { unit_so, slots: Vec::new(), of: Vec::new() };
    let mut images: BTreeMap<PathBuf, Option<PathBuf>> = BTreeMap::new();
    for index in open {
        let mut slot = built.slots[*index].clone();
        if let Some(path) = slot.side.path().map(Path::to_path_buf) {
            let mutant = Some(&shared.mutants[built.mutants[*index]]);
            let driver = unit_build::image_driver(shared, plan).map_err(anyhow::Error::msg)?;
            let image = || {
                let job = unit_build::mutated(shared, job(&driver), plan, &built.generated, &slot.side, mutant).ok()?;
                let object = shared.builder.compile(&job).ok()?;
                link(object, &format!("image-{}.so", index + 1)).ok()
            };
            // What many are in is built once.
            let Some(image) = images.entry(path).or_insert_with(image).clone() else { continue };
            slot.side.path = Some(image);
        }
        checked.slots.push(slot);
        checked.of.push(*index);
    }
    Ok(checked)
}

/// The source files whose functions the unit may come to, the nearest first.
fn behind(shared: &Shared<'_>, plan: &UnitPlan) -> Vec<PathBuf> {
    let (model, hierarchy) = (&shared.session.model, &shared.session.hierarchy);
    let objects = shared.build_session.what_links.objects();
    let mut sources = Vec::new();
    let mut seen: BTreeSet<Usr> = BTreeSet::from([plan.unit.clone()]);
    let mut open: VecDeque<Usr> = seen.iter().cloned().collect();
    while let Some(usr) = open.pop_front() {
        if sources.len() == SOURCES_MOST {
            break;
        }
        let Some(definition) = model.functions.get(&usr).and_then(|function| function.definition.as_ref()) else {
            continue;
        };
        let file = &definition.body.file;
        if *file != plan.source && !sources.contains(file) && objects.object_of(file).is_some() {
            sources.push(file.clone());
        }
        for called in &definition.calls {
            for next in std::iter::once(called.clone()).chain(hierarchy.overriders(called)) {
                if seen.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
    }
    sources
}

/// Said once: without the sanitizer's library there is nothing to ask.
fn lacking(shared: &Shared<'_>, sanitizer: Sanitizer, why: &str) {
    static SAID: std::sync::Once = std::sync::Once::new();
    SAID.call_once(|| {
        let what = format!("survivors are no pass under --sanitizer {sanitizer}: {why}");
        let fix = "install the compiler's runtime libraries (libclang-rt-dev), or give `--sanitizer none`";
        shared.context.ui.warn(&Problem::untestable("sanitizer-missing", what, fix));
    });
}

/// Whether a change adds tokens that may concern memory.
fn brings_memory(diff: &str) -> bool {
    const WORDS: [&str; 8] = ["[", "->", "new", "delete", "alloc", "free", "mem", "str"];
    let count = |sign: char, word: &str| -> usize {
        let lines = diff.lines().skip_while(|line| !line.starts_with("@@")).filter(|line| line.starts_with(sign));
        lines.map(|line| line.matches(word).count()).sum()
    };
    WORDS.iter().any(|word| count('+', word) > count('-', word))
}

/// The live slots that may have done something that only the sanitizer sees.
fn survivors(built: &Built, result: &SearchResult, finished: &Finished, sanitizer: Sanitizer) -> Vec<usize> {
    let lives = |index: &usize| !finished.kills.iter().any(|kill| kill.mutant == built.mutants[*index]);
    let slots = (0..built.slots.len()).filter(lives);
    slots.filter(|index| result.effort.get(*index).is_some_and(|effort| may_differ(effort, sanitizer))).collect()
}

/// Whether the mutant was reached, and may have changed a value. Equal values may still come from undefined
/// behaviour.
fn may_differ(effort: &SlotEffort, sanitizer: Sanitizer) -> bool {
    effort.reached && (effort.infected != Some(0) || sanitizer == Sanitizer::Undefined)
}

/// The seeds, the inputs that the search kept, and other mutants' killing inputs; in an order that depends on their
/// bytes alone.
pub(super) fn kept(work: &Path, result: &SearchResult) -> std::io::Result<Vec<Kept>> {
    let mut all: Vec<Kept> = Vec::new();
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut add = |bytes: Vec<u8>, by: By| {
        if seen.insert(bytes.clone()) {
            all.push(Kept { bytes, by });
        }
    };
    for (folder, by) in [("seeds", By::Seed), ("corpus", By::Search), ("infecting", By::Search)] {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(work.join(folder)).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            add(std::fs::read(file)?, by);
        }
        if by == By::Seed {
            result.kills.iter().for_each(|kill| add(kill.input.clone(), kill.by));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_reached_and_may_have_made_a_difference_is_asked_about() {
        let effort = |reached, infected| SlotEffort { reached, infected, ..SlotEffort::default() };
        let asked = |effort| may_differ(&effort, Sanitizer::Address);
        assert!(asked(effort(true, None)) && asked(effort(true, Some(3))));
        assert!(!asked(effort(true, Some(0))) && !asked(effort(false, None)));
        assert!(may_differ(&effort(true, Some(0)), Sanitizer::Undefined));
    }

    #[test]
    fn a_change_that_brings_an_index_or_a_call_of_memorys_is_told_by_its_diff() {
        let diff = |before: &str, after: &str| format!("--- a/new.c\n+++ b/news.c\n@@ -1 +1 @@\n-{before}\n+{after}\n");
        assert!(brings_memory(&diff("x = 1;", "x = y[1];")) && brings_memory(&diff("f(p);", "free(p);")));
        assert!(!brings_memory(&diff("x = y[1] + a;", "x = y[1] * a;")) && !brings_memory(&diff("free(p);", ";")));
    }

    #[test]
    fn each_input_is_kept_once_seeds_first() {
        let work = tempfile::tempdir().unwrap();
        for (name, text) in [("seeds/0", "b"), ("seeds/1", "a"), ("corpus/x", "a"), ("corpus/y", "c")] {
            std::fs::create_dir_all(work.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(work.path().join(name), text).unwrap();
        }
        let kept = kept(work.path(), &SearchResult::default()).unwrap();
        let shown: Vec<_> = kept.iter().map(|k| (String::from_utf8_lossy(&k.bytes).into_owned(), k.by)).collect();
        assert_eq!(shown, [("b".into(), By::Seed), ("a".into(), By::Seed), ("c".into(), By::Search)]);
    }
}
