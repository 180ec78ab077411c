//! After all searches: what lives meets the inputs that killed in units of the same signature in other files.
//!
//! During the search only units of one file share their inputs, so that a file's result does not depend on what else
//! is searched. That is why shards that are merged give what one run gives.

use super::calibration;
use super::shared::Shared;
use super::shared_inputs::{MOST, signature};
use super::unit_result::{Finished, GivenUp, Killed, Work};
use crate::engine::libfuzzer::LibFuzzer;
use crate::engine::{Budget, Candidate, Engine, SearchJob};
use crate::outcome::Status;
use crate::switches::Feature;
use crate::triage::{Judge, Replayed, Verdict, answer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Runs per input: after a worker's death the next one starts with the first input.
const RUNS: u64 = 2;

/// An input with the file of the unit in which it killed.
type Killing = Vec<(PathBuf, Vec<u8>)>;

/// Lets them meet. A shard leaves that to `merge`.
pub(super) fn meet(shared: &Shared<'_>, finished: &mut [Finished]) {
    let Shared { context, session, works, builder, .. } = shared;
    let off = shared.afl.is_some() || !session.switches.has(Feature::Reuse) || session.options.shard.is_some();
    if off || context.is_interrupted() || shared.journal.failed().is_some() {
        return;
    }
    let killing = killing(shared, finished);
    let guests: BTreeMap<usize, Vec<Vec<u8>>> = (0..finished.len())
        .filter(|number| may_meet(&finished[*number]))
        .map(|number| (number, guests(shared, &works[number], &finished[number], &killing)))
        .filter(|(_, inputs)| !inputs.is_empty())
        .collect();
    if guests.is_empty() {
        return;
    }
    let stage = context.ui.stage("sharing inputs", guests.len());
    let places: Vec<Mutex<&mut Finished>> = finished.iter_mut().map(Mutex::new).collect();
    builder.in_parallel(&guests.into_iter().collect::<Vec<_>>(), |(number, inputs)| {
        if context.is_interrupted() {
            return;
        }
        let done = &mut **places[*number].lock().unwrap_or_else(PoisonError::into_inner);
        builder.thread_cpu_seconds();
        let met = met(shared, &works[*number], done, inputs);
        shared.count_build(done);
        stage.advance(&done.outcome.id);
        match met {
            Ok(()) => shared.write_down(&works[*number], done),
            Err(why) => context.ui.detail(format_args!("{}: met no inputs of others: {why}", done.outcome.id)),
        }
    });
}

fn file_of<'s>(shared: &'s Shared<'_>, work: &Work) -> &'s Path {
    let definition = shared.session.model.functions[&work.unit].definition.as_ref();
    definition.map_or(Path::new(""), |definition| &definition.body.file)
}

/// What has killed, by signature.
fn killing(shared: &Shared<'_>, finished: &[Finished]) -> BTreeMap<String, Killing> {
    let mut all: BTreeMap<String, Killing> = BTreeMap::new();
    for (work, done) in shared.works.iter().zip(finished) {
        let mut kills: Vec<&Killed> = done.kills.iter().collect();
        kills.sort_by_key(|kill| kill.mutant);
        let known = all.entry(signature(&shared.session.model.functions[&work.unit])).or_default();
        let stored = |kill: &Killed| std::fs::read(shared.session.options.output.join(&kill.outcome.input)).ok();
        for input in kills.into_iter().filter_map(stored).filter(|input| !input.is_empty()) {
            let entry = (file_of(shared, work).to_path_buf(), input);
            if !known.contains(&entry) {
                known.push(entry);
            }
        }
    }
    all
}

fn may_meet(done: &Finished) -> bool {
    let lives = done.statuses.values().any(|(status, _)| *status == Status::Live);
    !done.taken_over && lives && done.plan.is_some() && done.outcome.copy.is_some() && done.outcome.reason.is_none()
}

/// The inputs of other files that are new to a unit.
fn guests(shared: &Shared<'_>, work: &Work, done: &Finished, killing: &BTreeMap<String, Killing>) -> Vec<Vec<u8>> {
    let file = file_of(shared, work);
    let Some(all) = killing.get(&signature(&shared.session.model.functions[&work.unit])) else { return Vec::new() };
    let seeds = done.plan.as_ref().map(crate::plan::seeds::all).unwrap_or_default();
    let is_own = |input: &Vec<u8>| all.iter().any(|(of, known)| of == file && known == input);
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (of, input) in all {
        if of != file && found.len() < MOST && !is_own(input) && !seeds.contains(input) && !found.contains(input) {
            found.push(input.clone());
        }
    }
    found
}

fn met(shared: &Shared<'_>, work: &Work, done: &mut Finished, inputs: &[Vec<u8>]) -> Result<(), String> {
    let plan = done.plan.clone().ok_or("it has no plan")?;
    let command = shared.session.database.commands.get(plan.command).ok_or("its source has no compile command")?;
    let live = |mutant: &&usize| done.statuses.get(mutant).is_some_and(|(status, _)| *status == Status::Live);
    let open = Work { unit: work.unit.clone(), mutants: work.mutants.iter().filter(live).copied().collect() };
    let tried =
        calibration::as_planned(shared, &plan, command, &open, done).map_err(|GivenUp { reason, .. }| reason)?;
    let folder = shared.session.options.output.join("cache").join("search").join(&plan.slug).join("met");
    let _ = std::fs::remove_dir_all(&folder);
    let runs = Budget::Executions(RUNS * inputs.len() as u64);
    let job = SearchJob {
        unit_id: plan.id.clone(),
        dir: folder.join("work"),
        unit_so: tried.built.unit_so.clone(),
        slots: tried.built.slots.clone(),
        seeds: inputs.to_vec(),
        reused: inputs.len(),
        dictionary: Vec::new(),
        budget: runs,
        pauses: vec![runs],
        residual_risk: None,
        before: None,
        seed: shared.session.options.seed,
        strict: done.manner.strict,
        fills: done.manner.fills,
        interrupted: &shared.context.interrupted,
    };
    let engine = LibFuzzer {
        worker: shared.build_session.worker.clone(),
        limit_memory: true,
        found_first: false,
        switches: shared.session.switches.clone(),
    };
    let said = |error: anyhow::Error| format!("{error:#}");
    let worker = &shared.build_session.worker;
    let mut judge = Judge::new(worker, &tried.built.unit_so, &folder.join("judge")).map_err(said)?;
    judge.strict = done.manner.strict;
    let spent_before = done.spent();
    let mut kills: Vec<Killed> = Vec::new();
    let mut confirm = |candidate: &Candidate| {
        let mutant = tried.built.mutants[candidate.slot];
        let side = Replayed::of(&tried.built.slots[candidate.slot]);
        let verdict = judge.judge_seen(&side, &candidate.input, candidate.hint)?;
        if let Verdict::Killed { how, original, mutant: mutated } = &verdict {
            let outcome = shared.stored(&plan, mutant, candidate, *how, spent_before)?;
            let (original, mutated) = ((**original).clone(), (**mutated).clone());
            kills.push(Killed { mutant, outcome, original, mutated, unproved: None });
        }
        Ok(answer(verdict))
    };
    let result = engine.search(&job, &mut confirm).map_err(said);
    done.statuses.extend(kills.iter().map(|kill| (kill.mutant, (Status::Killed, None))));
    done.kills.append(&mut kills);
    done.triage_seconds += judge.cpu_seconds();
    let _ = std::fs::remove_dir_all(&folder);
    let result = result?;
    done.search_seconds += result.cpu_seconds;
    done.executions += result.executions;
    for (mutant, more) in tried.built.mutants.iter().zip(&result.effort) {
        if let Some(effort) = done.efforts.get_mut(mutant) {
            effort.cpu_seconds += result.cpu_seconds;
            effort.executions += more.executions;
            effort.reached |= more.reached;
            effort.infected = effort.infected.map(|known| known || more.infected.is_some_and(|times| times > 0));
        }
    }
    Ok(())
}
