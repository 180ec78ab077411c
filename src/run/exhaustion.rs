//! Survivors of units of numbers: run on every input, in a build without coverage.

use super::shared::Shared;
use super::unit_build;
use super::unit_build::Built;
use super::unit_result::{Finished, Killed, Work};
use crate::choices::{Decide, Engine};
use crate::decide::exhaustion::{Exhaustion, Progress, Tried};
use crate::decide::numbers::Numbers;
use crate::engine::Candidate;
use crate::outcome::{By, Copy, Driver, Equivalence, Home, Proof, Status};
use crate::plan::UnitPlan;
use crate::report::{count, plural};
use crate::switches::Feature;
use crate::triage::{Judge, Replayed, Verdict};
use crate::ui::Stage;
use std::sync::OnceLock;
use std::time::Instant;

/// Stands before why nothing is proved.
pub(super) const UNDECIDED: &str = "; undecided: ";

/// Decides what can be decided; returns its CPU seconds. What goes wrong here leaves the mutants alive.
pub(super) fn decide(shared: &Shared<'_>, finished: &mut [Finished]) -> f64 {
    let session = shared.session;
    let wanted =
        matches!(session.options.decide, Decide::All | Decide::Exhaustion) && session.switches.has(Feature::Decide);
    // That engine is the solver alone.
    if !wanted || shared.afl.is_some() || session.options.engine == Engine::Symbolic {
        return 0.0;
    }
    let mut seconds = 0.0;
    // What was taken over is as decided as it was.
    for (work, finished) in shared.works.iter().zip(finished).filter(|(_, finished)| !finished.taken_over) {
        let open = survivors(finished);
        let Some((plan, numbers)) = of_numbers(finished).filter(|_| !open.is_empty()) else { continue };
        if let Some(besides) = shared.memory.besides(session, &plan.unit) {
            let why = format!("it asks or does more than its arguments and its result tell: {besides}");
            undecided(shared, &plan, &open, &why, finished);
            continue;
        }
        if shared.context.is_interrupted() || shared.journal.failed().is_some() {
            break;
        }
        match unit(shared, work, &plan, &numbers, &open, finished) {
            Ok(spent) => {
                seconds += spent;
                shared.write_down(work, finished);
            }
            Err(why) => undecided(shared, &plan, &open, &format!("{why:#}"), finished),
        }
    }
    seconds
}

/// The plan of a unit of numbers alone, if there is nothing about it that a bare loop does not see.
fn of_numbers(finished: &Finished) -> Option<(UnitPlan, Numbers)> {
    let plan = finished.plan.as_ref()?;
    let steady = finished.outcome.reason.is_none() && !finished.manner.fills && finished.not_compared.is_empty();
    let is_own = finished.outcome.driver != Driver::Edited;
    let numbers = Numbers::of(plan).filter(|_| steady && is_own)?;
    Some((plan.clone(), numbers))
}

/// The mutants that were searched and live.
pub(super) fn survivors(finished: &Finished) -> Vec<usize> {
    let live = finished.statuses.iter().filter(|(_, (status, _))| *status == Status::Live);
    live.map(|(mutant, _)| *mutant).filter(|mutant| finished.efforts.contains_key(mutant)).collect()
}

/// Those of `open` that still live say why nothing is known of them.
pub(super) fn undecided(shared: &Shared<'_>, plan: &UnitPlan, open: &[usize], why: &str, finished: &mut Finished) {
    shared.context.ui.detail(format_args!("{}: its survivors stay undecided: {why}", plan.id));
    for mutant in open {
        if let Some((Status::Live, reason)) = finished.statuses.get_mut(mutant) {
            let reason = reason.get_or_insert_with(|| "no input told it from the original".into());
            // What an earlier part of the run said is said anew.
            reason.truncate(reason.find(UNDECIDED).unwrap_or(reason.len()));
            reason.push_str(&format!("{UNDECIDED}{why}"));
        }
    }
}

fn unit(
    shared: &Shared<'_>,
    work: &Work,
    plan: &UnitPlan,
    numbers: &Numbers,
    open: &[usize],
    finished: &mut Finished,
) -> anyhow::Result<f64> {
    let begun = Instant::now();
    let options = &shared.session.options;
    let folder = options.output.join("cache").join("decide").join(&plan.slug);
    std::fs::create_dir_all(&folder)?;
    shared.builder.thread_cpu_seconds();
    let home = if finished.outcome.copy == Some(Copy::Image) { Home::InPlace } else { Home::Copy };
    let built = unit_build::bare(shared, plan, work, open, home, &folder).map_err(anyhow::Error::msg)?;
    shared.count_build(finished);
    let (all, stage) = (numbers.words(count), OnceLock::<Stage>::new());
    let progress = |progress| match progress {
        Progress::Begun(parts, seconds) => {
            let what = format!("{}: {all}, about {seconds:.0} CPU s", plan.id);
            shared.context.ui.detail(&what);
            stage.get_or_init(|| shared.context.ui.stage("deciding", parts)).advance_by(0, what);
        }
        Progress::Part => stage.get().into_iter().for_each(|stage| stage.advance(&plan.id)),
    };
    let tried = Exhaustion {
        worker: &shared.build_session.worker,
        unit_so: &built.unit_so,
        slots: &built.slots,
        strict: finished.manner.strict,
        notes: &folder.join("tried.json"),
        jobs: options.jobs.get(),
        budget: options.exhaustion_budget,
        interrupted: &shared.context.interrupted,
        progress: &progress,
    }
    .run()?;
    drop(stage);
    let seconds = begun.elapsed().as_secs_f64();
    let refuted = kills(shared, plan, &built, &tried, seconds, finished)?;
    // The same worker sees more than it sees again: then nothing that it has not seen can be trusted.
    if let Some(why) = refuted {
        undecided(shared, plan, open, &why, finished);
        return Ok(tried.cpu_seconds);
    }
    let tool = format!("clang {} -O1", shared.builder.clang().version);
    for slot in &tried.same {
        let mutant = built.mutants[*slot];
        let (why, proof) = proof(&all, &tried, &tool);
        finished.statuses.insert(mutant, (Status::Equivalent, Some(why)));
        finished.equivalences.insert(mutant, proof);
    }
    if let Some(why) = &tried.why {
        undecided(shared, plan, open, why, finished);
    }
    let (same, found) = (tried.same.len(), tried.found.len());
    let said = format!("{} of {} equivalent, {found} killed", same, plural(open.len(), "survivor"));
    shared.context.ui.detail(format_args!("{}: {said}, {:.1} CPU s", plan.id, tried.cpu_seconds));
    Ok(tried.cpu_seconds)
}

/// Judges what was found like any candidate; kills go to `finished`. What refutes one is returned.
fn kills(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    built: &Built,
    tried: &Tried,
    seconds: f64,
    finished: &mut Finished,
) -> anyhow::Result<Option<String>> {
    let folder = shared.session.options.output.join("cache").join("decide").join(&plan.slug);
    let mut judge = Judge::new(&shared.build_session.worker, &built.unit_so, &folder.join("judge"))?;
    judge.strict = finished.manner.strict;
    let spent = finished.spent();
    let mut refuted = None;
    for found in &tried.found {
        let verdict = judge.judge(&Replayed::of(&built.slots[found.slot]), &found.input)?;
        let Verdict::Killed { how, original, mutant: mutated } = verdict else {
            refuted = Some(format!("{} differs in the loop over all inputs only", built.slots[found.slot].id));
            continue;
        };
        let mutant = built.mutants[found.slot];
        let before = finished.efforts.get(&mutant).copied().unwrap_or_default();
        let candidate = Candidate {
            slot: found.slot,
            input: found.input.clone(),
            by: By::Exhaustion,
            seconds: before.seconds + seconds,
            cpu_seconds: tried.cpu_seconds,
            executions: before.executions,
            hint: found.hint(),
        };
        let outcome = shared.stored(plan, mutant, &candidate, how, spent)?;
        finished.kills.push(Killed { mutant, outcome, original: *original, mutated: *mutated, unproved: None });
        finished.statuses.insert(mutant, (Status::Killed, None));
        if let Some(effort) = finished.efforts.get_mut(&mutant) {
            (effort.reached, effort.infected) = (true, Some(true));
        }
    }
    finished.triage_seconds += judge.cpu_seconds();
    Ok(refuted)
}

/// What is proved, in words and for scripts.
fn proof(all: &str, tried: &Tried, tool: &str) -> (String, Equivalence) {
    let but = match tried.failed {
        0 => String::new(),
        failed => format!("; the original fails on {} of them, which count for nothing", count(failed)),
    };
    let mut assumptions = vec![format!("this build: {tool}, with the project's other options"), all.to_owned()];
    if tried.failed > 0 {
        assumptions.push(format!("without {} inputs on which the original fails", count(tried.failed)));
    }
    assumptions.push("`errno` and floating-point exceptions are not compared".into());
    let proof = Equivalence {
        tool: Some(tool.to_owned()),
        assumptions,
        cpu_seconds: tried.cpu_seconds,
        ..Equivalence::by(Proof::Exhaustion)
    };
    (format!("the same result for {all}, this build, {tool}{but}"), proof)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_says_which_inputs_of_which_build_and_on_how_many_the_original_fails() {
        let all = "all 256 values of `c`";
        let tried = Tried { inputs: 256, ..Tried::default() };
        let (why, evidence) = proof(all, &tried, "clang 19.1.7 -O1");
        assert_eq!(why, "the same result for all 256 values of `c`, this build, clang 19.1.7 -O1");
        assert_eq!((evidence.by, evidence.bound, evidence.assumptions.len()), (Proof::Exhaustion, None, 3));
        let (why, evidence) = proof(all, &Tried { failed: 1000, ..tried }, "t");
        assert!(why.ends_with("; the original fails on 1,000 of them, which count for nothing"), "{why}");
        assert_eq!(evidence.assumptions.len(), 4);
    }
}
