//! Searches a mutant again, in the build of its test, if the test of its kill proves nothing.
//!
//! Undefined and implementation-defined behaviour (large shifts, overflow, endless loops) may distinguish a mutant in
//! an unoptimised driver and not in the project's own build. So the driver is compiled like the test, and the test of
//! each candidate is proved at once. The search ends with a proof, or when the mutant has used up its attempts.

use super::proving::{Attempt, Proving};
use super::sanitizer_pass::kept;
use super::shared::Shared;
use super::slices;
use super::unit_build;
use super::unit_result::{Finished, Killed, Work};
use super::unit_search;
use crate::build::{CompileFailure, CompileJob, Flavor};
use crate::choices::Budget as Wanted;
use crate::emit::prove::Prover;
use crate::engine::libfuzzer::LibFuzzer;
use crate::engine::{Answer, Candidate, Engine, SearchJob, SearchResult, Side, Slot};
use crate::outcome::{By, Home};
use crate::plan::{UnitPlan, seeds};
use crate::triage::{Judge, Replayed, Verdict, answer};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The most inputs of one mutant whose tests are built.
const TRIES: u32 = 8;
/// With a budget in time, tests are built as long as the mutant may be searched, and at least this long.
const TRIED_LEAST: Duration = Duration::from_secs(5);
/// The most inputs of the first search that the mutants meet.
const INPUTS_MOST: usize = 2_000;
/// A mutant gets at least this fraction of its budget.
const LEAST_PART: u32 = 10;

/// A proved kill that replaces an unproved one.
pub(super) struct Replaced {
    pub kill: Killed,
    pub by: Attempt,
}

/// The result of the second search for a unit's mutants.
#[derive(Default)]
pub(super) struct Again {
    pub replaced: Vec<Replaced>,
    /// The mutants without a proof, each with its number of attempts.
    pub left: Vec<(usize, u32)>,
}

/// The driver and the images of the second search.
struct Rebuilt {
    unit_so: PathBuf,
    slots: Vec<Slot>,
    /// The mutant's index, by slot.
    mutants: Vec<usize>,
}

/// The attempts of a mutant so far.
#[derive(Clone, Copy, Default)]
struct Tried {
    times: u32,
    seconds: f64,
}

impl Tried {
    /// Whether the mutant has used up its attempts.
    fn enough(self, wanted: Wanted) -> bool {
        let too_long = match wanted {
            Wanted::Time(time) => self.seconds >= time.max(TRIED_LEAST).as_secs_f64(),
            // A budget in executions must not depend on the clock.
            Wanted::Executions(_) => false,
        };
        self.times >= TRIES || too_long
    }
}

/// Searches for the `open` mutants of a unit once more; what it costs is the unit's.
///
/// # Errors
/// What keeps the unit from being built or run as tests are.
pub(super) fn search_again(
    shared: &Shared<'_>,
    work: &Work,
    open: &[usize],
    proving: &Proving<'_, '_>,
    finished: &mut Finished,
) -> anyhow::Result<Again> {
    let Some(plan) = finished.plan.clone() else { return Ok(Again::default()) };
    let folder = shared.session.options.output.join("cache").join("search").join(&plan.slug);
    let again = folder.join("again");
    let _ = std::fs::remove_dir_all(&again);
    std::fs::create_dir_all(&again)?;
    shared.builder.thread_cpu_seconds();
    let rebuilt = rebuilt(shared, &plan, open, &proving.prover, &again);
    shared.count_build(finished);
    let found = match rebuilt {
        Ok(rebuilt) if !rebuilt.slots.is_empty() => {
            found_again(shared, &plan, work, &rebuilt, (&folder.join("work"), &again), proving, finished)
        }
        Ok(_) => Ok(Again::default()),
        Err(failure) => Err(failure.into()),
    };
    // Large, and made again from the cache in no time.
    let _ = std::fs::remove_dir_all(&again);
    found
}

/// The driver as tests are built, and images of the mutants: the same, with the mutated file.
fn rebuilt(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    open: &[usize],
    prover: &Prover<'_>,
    out: &Path,
) -> Result<Rebuilt, CompileFailure> {
    let driver = unit_build::image_driver(shared, plan).map_err(|why| CompileFailure::tool(&plan.source, why))?;
    let command = &shared.session.database.commands[plan.command];
    let mut options = shared.build_session.options(plan);
    // In a test nothing is said about what overflows.
    options.retain(|option| option != "-fno-strict-overflow");
    let archive = prover.archive_without(&plan.source)?;
    let job = |flavor| {
        CompileJob::generated(&driver, command, flavor)
            .with(options.iter().cloned())
            .beginning_with(shared.build_session.prefix())
    };
    let link = |object: PathBuf, flavor, name: &str| -> Result<PathBuf, CompileFailure> {
        let libraries = &shared.build_session.libraries;
        Ok(shared.builder.link_unit(&[object], Some(&archive), libraries, flavor, &out.join(name))?.path)
    };
    let unit_so = link(shared.builder.compile(&job(Flavor::Tested))?, Flavor::Tested, "unit.so")?;
    let mut rebuilt = Rebuilt { unit_so, slots: Vec::new(), mutants: Vec::new() };
    for (position, index) in open.iter().enumerate() {
        let mutant = &shared.mutants[*index];
        let image = shared.builder.compile(&job(Flavor::Plain).replacing(&mutant.original, &mutant.path));
        let name = format!("image-{}.so", position + 1);
        // Its test was built: what does not build here is the driver's fault, and no other mutant's.
        let Ok(path) = image.and_then(|object| link(object, Flavor::Plain, &name)) else { continue };
        let (number, id) = (position as u32 + 1, mutant.id.clone());
        rebuilt.slots.push(Slot { number, id, side: Side::of(Home::Image, path), probe: None });
        rebuilt.mutants.push(*index);
    }
    Ok(rebuilt)
}

fn found_again(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    rebuilt: &Rebuilt,
    (searched, again): (&Path, &Path),
    proving: &Proving<'_, '_>,
    finished: &mut Finished,
) -> anyhow::Result<Again> {
    let options = &shared.session.options;
    let input_of = |kill: &Killed| std::fs::read(options.output.join(&kill.outcome.input)).ok();
    let mut refuted: BTreeSet<(usize, Vec<u8>)> = BTreeSet::new();
    let mut killing = Vec::new();
    for kill in &finished.kills {
        let Some(input) = input_of(kill) else { continue };
        if rebuilt.mutants.contains(&kill.mutant) {
            refuted.insert((kill.mutant, input.clone()));
        }
        killing.push(input);
    }
    let (inputs, reused) = inputs(plan, searched, &killing)?;
    let job = SearchJob {
        unit_id: plan.id.clone(),
        dir: again.join("work"),
        unit_so: rebuilt.unit_so.clone(),
        slots: rebuilt.slots.clone(),
        reused,
        dictionary: unit_search::dictionary(shared, plan, &work.mutants),
        budget: shared.deadline.limit(
            left_of(options.budget, &finished.kills, &rebuilt.mutants),
            rebuilt.slots.len(),
            u64::MAX,
        ),
        pauses: Vec::new(),
        residual_risk: unit_search::residual_risk(shared),
        before: None,
        seed: options.seed,
        strict: finished.manner.strict,
        fills: finished.manner.fills,
        interrupted: &shared.context.interrupted,
        seeds: inputs,
    };
    // What is known meets the mutants whatever is left of the whole run's budget: kills are at stake.
    let most = shared.deadline.longest().max(slices::for_inputs(shared, job.seeds.len()));
    let job = SearchJob {
        pauses: shared.deadline.is_set().then(|| shared.deadline.slice(most)).into_iter().collect(),
        ..job
    };
    // What was made plain may be what proves nothing: it is tried behind what was found.
    let switches = shared.session.switches.clone();
    let engine =
        LibFuzzer { worker: shared.build_session.worker.clone(), limit_memory: true, found_first: true, switches };
    let mut judge = Judge::new(&shared.build_session.worker, &rebuilt.unit_so, &again.join("judge"))?;
    judge.strict = finished.manner.strict;

    let spent_before = finished.spent();
    let mut tried = vec![Tried::default(); rebuilt.mutants.len()];
    let mut replaced: Vec<Replaced> = Vec::new();
    let efforts = &finished.efforts;
    let mut confirm = |candidate: &Candidate| -> anyhow::Result<Answer> {
        let mutant = rebuilt.mutants[candidate.slot];
        let known = || Answer::Unproved { reason: "its test is no proof".into(), give_up: false };
        if refuted.contains(&(mutant, candidate.input.clone())) {
            return Ok(known());
        }
        let verdict = judge.judge(&Replayed::of(&rebuilt.slots[candidate.slot]), &candidate.input)?;
        let Verdict::Killed { how, original, mutant: mutated } = verdict else { return Ok(answer(verdict)) };
        let before = efforts.get(&mutant).copied().unwrap_or_default();
        let by = if killing.contains(&candidate.input) { By::Reuse } else { candidate.by };
        let candidate = Candidate {
            by,
            seconds: before.seconds + candidate.seconds,
            executions: before.executions + candidate.executions,
            ..candidate.clone()
        };
        let outcome = shared.kill(mutant, &candidate, how, spent_before);
        let kill = Killed { mutant, outcome, original: *original, mutated: *mutated, unproved: None };
        let started = Instant::now();
        let proved = proving.try_one(plan, &kill)?;
        let tried = &mut tried[candidate.slot];
        // (A minimised input is tried for a mutant that has its proof.)
        if !replaced.iter().any(|found| found.kill.mutant == mutant) {
            tried.times += 1;
            tried.seconds += started.elapsed().as_secs_f64();
        }
        let reason = match proved {
            Ok(by) if by.proof.verified => {
                shared.keep_kill(plan, mutant, &candidate.input, &kill.outcome)?;
                // (The minimised input comes second.)
                replaced.retain(|found| found.kill.mutant != mutant);
                replaced.push(Replaced { kill, by });
                return Ok(Answer::Killed);
            }
            Ok(by) => by.proof.reason,
            Err(why) => why,
        };
        refuted.insert((mutant, candidate.input));
        Ok(Answer::Unproved { reason, give_up: tried.enough(options.budget) })
    };
    shared.deadline.reserve(most);
    let result = engine.search(&job, &mut confirm);
    // Compilers that worked for proofs are not the unit's.
    shared.builder.thread_cpu_seconds();
    let result = result.inspect_err(|_| shared.deadline.release(most))?;
    shared.deadline.spend(result.executions);
    shared.deadline.release(most);
    count(&result, &judge, &rebuilt.mutants, finished);
    let left = rebuilt.mutants.iter().zip(&tried).filter(|(mutant, _)| {
        // What was cut short may yet be found by a run that goes on.
        !result.interrupted && !replaced.iter().any(|found| found.kill.mutant == **mutant)
    });
    let left = left.map(|(mutant, tried)| (*mutant, tried.times)).collect();
    Ok(Again { replaced, left })
}

/// What the mutants meet first: seeds, then what the first search kept, and what killed others; and how many of
/// them the last are.
fn inputs(plan: &UnitPlan, searched: &Path, killing: &[Vec<u8>]) -> anyhow::Result<(Vec<Vec<u8>>, usize)> {
    let mut inputs = seeds::all(plan);
    let mut reused = killing.to_vec();
    for found in kept(searched, &SearchResult::default())? {
        if !inputs.contains(&found.bytes) && !reused.contains(&found.bytes) && reused.len() < INPUTS_MOST {
            reused.push(found.bytes);
        }
    }
    let count = reused.len();
    inputs.extend(reused);
    Ok((inputs, count))
}

/// The remaining budget per mutant, on average.
fn left_of(wanted: Wanted, kills: &[Killed], mutants: &[usize]) -> Wanted {
    let kills = kills.iter().filter(|kill| mutants.contains(&kill.mutant));
    let outcomes = kills.map(|kill| (kill.outcome.seconds, kill.outcome.executions));
    let (mut count, mut seconds, mut executions) = (0_u32, 0.0, 0);
    for (after, inputs) in outcomes {
        (count, seconds, executions) = (count + 1, seconds + after, executions + inputs);
    }
    let each = count.max(1);
    match wanted {
        Wanted::Time(time) => {
            let gone = Duration::try_from_secs_f64(seconds / f64::from(each)).unwrap_or(time);
            Wanted::Time(time.saturating_sub(gone).max(time / LEAST_PART))
        }
        Wanted::Executions(inputs) => {
            let gone = executions / u64::from(each);
            Wanted::Executions(inputs.saturating_sub(gone).max(inputs / u64::from(LEAST_PART)).max(1))
        }
    }
}

/// Adds the cost of the search.
fn count(result: &SearchResult, judge: &Judge, mutants: &[usize], finished: &mut Finished) {
    finished.search_seconds += result.cpu_seconds;
    finished.triage_seconds += judge.cpu_seconds();
    finished.executions += result.executions;
    finished.outcome.hangs += result.hangs;
    for (mutant, more) in mutants.iter().zip(&result.effort) {
        if let Some(effort) = finished.efforts.get_mut(mutant) {
            effort.seconds += result.seconds;
            effort.cpu_seconds += result.cpu_seconds;
            effort.executions += more.executions;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutants_tests_are_tried_a_number_of_times_and_where_the_budget_is_a_time_for_so_long() {
        let (time, inputs) = (Wanted::Time(Duration::from_secs(60)), Wanted::Executions(1));
        let after = |times, seconds| Tried { times, seconds };
        assert!(!after(TRIES - 1, 59.0).enough(time) && after(TRIES, 0.0).enough(time));
        assert!(after(1, 60.0).enough(time) && !after(1, 60.0).enough(inputs));
        let short = Wanted::Time(Duration::from_secs(1));
        assert!(!after(1, 4.9).enough(short) && after(1, 5.0).enough(short));
    }
}
