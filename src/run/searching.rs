//! The search of a unit's mutants: a draft of the driver first, the optimised driver for what outlives that.
//!
//! Optimising a driver costs as much as compiling it, of C++ several times as much, and most mutants fall within the seeds
//! and the first inputs. The sanitizer is asked in between: what falls by its word alone is not worth a whole budget.

use super::building::Built;
use super::sanitized::Searched;
use super::settling::Tried;
use super::unit::{Finished, GivenUp, Killed, Shared};
use crate::compdb::CompileCommand;
use crate::engine::aflpp::SEEDS_MOST;
use crate::engine::libfuzzer::LibFuzzer;
use crate::engine::{Budget, Candidate, DictEntry, Engine, SearchJob, SearchResult};
use crate::outcome::{By, Status};
use crate::plan::{UnitPlan, seeds};
use crate::run::probing::Probing;
use crate::triage::{Judge, Replayed, Verdict, answer};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

/// A draft is searched for at least so long.
const DRAFT_LEAST: Duration = Duration::from_millis(100);
/// What optimising costs, in builds of the draft: as long as it would take, the draft is searched.
const OPTIMISING: f64 = 2.0;
/// What a draft is searched for where the budget is in inputs: it must not depend on the clock.
const DRAFT_INPUTS: u64 = 20_000;

impl Shared<'_> {
    /// Searches and judges; kills go to `finished`.
    pub(super) fn search(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        tried: &Tried,
        budget: Budget,
        finished: &mut Finished,
    ) -> Result<SearchResult, GivenUp> {
        let failed = |error: anyhow::Error| GivenUp::search(self.driver(plan), Status::Error, format!("{error:#}"));
        let strict = tried.can_be_taken_down();
        let fills = tried.looks_at_stale_memory();
        let built = &tried.built;
        let folder = self.session.options.output.join("cache").join("search").join(&plan.slug);
        let _ = std::fs::remove_dir_all(&folder);
        let known = self.known_inputs(plan);
        let corpus = self.corpus(plan);
        let mut job = SearchJob {
            unit_id: plan.id.clone(),
            dir: folder.join("work"),
            unit_so: built.unit_so.clone(),
            slots: built.slots.clone(),
            seeds: tried.seeds.clone(),
            dictionary: self.dictionary(plan, built),
            budget,
            pause: None,
            before: None,
            seed: self.session.options.seed,
            strict,
            fills,
            interrupted: &self.context.interrupted,
        };
        let mut judge = Judge::new(&self.workshop.worker, &built.unit_so, &folder.join("judge")).map_err(failed)?;
        judge.strict = strict;
        if self.afl.is_some() {
            job.seeds = seeds::table(plan);
            job.seeds.truncate(SEEDS_MOST);
        }
        job.seeds.extend(known);
        let of_others = self.inputs_of_others(corpus.as_ref(), &job.seeds);
        job.seeds.extend(of_others.iter().cloned());
        let engine: Box<dyn Engine> = match &self.afl {
            None => {
                job.pause = pause(budget, job.slots.len(), built.alone);
                Box::new(LibFuzzer {
                    worker: self.workshop.worker.clone(),
                    limit_memory: true,
                    distrust: self.probing == Probing::Check,
                })
            }
            Some(afl) => {
                // The papers' engine has programs of its own to build and to run. The shared object, and its runs on the
                // seeds, only serve to confirm what it finds.
                finished.triage_seconds += std::mem::take(&mut finished.search_seconds);
                finished.build_seconds = 0.0;
                self.afl_programs(plan, command, built, afl, &mut job)?;
                self.count_build(finished);
                Box::new(afl.clone())
            }
        };
        // Of a kill, what the unit had cost when its search began or went on.
        let spent_before = Cell::new(finished.build_seconds + finished.search_seconds);
        let kills: RefCell<Vec<Killed>> = RefCell::default();
        let slots = built.slots.clone();
        let mutants = built.mutants.clone();
        let mut confirm = |candidate: &Candidate| {
            let mutant = mutants[candidate.slot];
            let side = Replayed::of(&slots[candidate.slot]);
            let verdict = judge.judge_seen(&side, &candidate.input, candidate.hint)?;
            if let Verdict::Killed { how, original, mutant: mutated } = &verdict {
                let by = if of_others.contains(&candidate.input) { By::Reuse } else { candidate.by };
                let candidate = Candidate { by, ..candidate.clone() };
                let outcome = self.stored(plan, mutant, &candidate, *how, spent_before.get())?;
                kills.borrow_mut().push(Killed {
                    mutant,
                    outcome,
                    original: (**original).clone(),
                    mutated: (**mutated).clone(),
                    unproved: None,
                });
            }
            Ok(answer(verdict))
        };
        let mut asked = BTreeSet::new();
        let mut result = engine.search(&job, &mut confirm).map_err(failed)?;
        if job.pause.is_some() && goes_on(&result, job.slots.len()) {
            // Its entries are for what is asked about only; what the search has cost is counted at its end.
            finished.kills.append(&mut kills.borrow_mut());
            finished.search_seconds += result.cpu_seconds;
            self.ask_sanitizer(Searched { plan, command, built, result: &result }, &mut asked, finished);
            finished.search_seconds -= result.cpu_seconds;
            count_killed(&mut result, &mutants, finished);
        }
        if job.pause.is_some() && goes_on(&result, job.slots.len()) {
            let live: Vec<usize> = (0..job.slots.len()).filter(|slot| lives(&result, *slot)).collect();
            // An original that has not come back yet hardly will, however fast.
            if result.returned
                && let Err(why) = self.optimise(plan, command, built, &live)
            {
                // What was searched so far serves as well.
                self.context.ui.detail(format_args!("{}: searched on unoptimised: {why}", plan.id));
            }
            self.count_build(finished);
            spent_before.set(finished.build_seconds + finished.search_seconds);
            job.pause = None;
            job.before = Some(result);
            result = engine.search(&job, &mut confirm).map_err(failed)?;
        }
        for note in &result.notes {
            self.context.ui.detail(format_args!("{}: {note}", plan.id));
        }
        let faults = judge.faults(&result.faults).map_err(failed)?;
        for fault in &faults {
            self.suspect(plan, &fault.input, fault.what.clone(), finished).map_err(failed)?;
        }
        finished.kills.append(&mut kills.borrow_mut());
        finished.search_seconds += result.cpu_seconds;
        finished.triage_seconds += judge.cpu_seconds();
        self.ask_sanitizer(Searched { plan, command, built, result: &result }, &mut asked, finished);
        self.leave_for_others(corpus.as_ref(), finished);
        Ok(result)
    }

    /// Literals of the unit, of what stands around it, and of its mutants.
    fn dictionary(&self, plan: &UnitPlan, built: &Built) -> Vec<DictEntry> {
        let mut dictionary: Vec<DictEntry> = plan.literals.iter().chain(&plan.words).map(DictEntry::from).collect();
        for mutant in &built.mutants {
            if let Ok(pairing) = &self.mutants[*mutant].pairing {
                dictionary.extend(pairing.literals.iter().map(DictEntry::from));
            }
        }
        dictionary
    }
}

/// When the search of a draft ends; none where the whole budget is no more than that. `build_seconds` is what the draft
/// cost to build.
fn pause(budget: Budget, live: usize, build_seconds: f64) -> Option<Budget> {
    match budget {
        Budget::Time(each) => {
            let most = Duration::from_secs_f64(OPTIMISING * build_seconds.max(0.0)).max(DRAFT_LEAST);
            (each.saturating_mul(u32::try_from(live).unwrap_or(u32::MAX)) > most).then_some(Budget::Time(most))
        }
        Budget::Executions(each) => {
            (each.saturating_mul(live as u64) > DRAFT_INPUTS).then_some(Budget::Executions(DRAFT_INPUTS))
        }
    }
}

/// Adds what fell otherwise to what the search has killed, so that it does not go on about it.
fn count_killed(result: &mut SearchResult, mutants: &[usize], finished: &Finished) {
    for (slot, mutant) in mutants.iter().enumerate() {
        let Some(kill) = finished.kills.iter().find(|kill| kill.mutant == *mutant) else { continue };
        if lives(result, slot) {
            result.kills.push(Candidate {
                slot,
                input: Vec::new(),
                by: kill.outcome.by,
                seconds: kill.outcome.seconds,
                cpu_seconds: kill.outcome.cpu_seconds,
                executions: kill.outcome.executions,
                hint: kill.outcome.how,
            });
        }
    }
}

/// Neither killed nor given up.
fn lives(result: &SearchResult, slot: usize) -> bool {
    let given_up = result.effort.get(slot).is_some_and(|effort| effort.reason.is_some());
    !given_up && !result.kills.iter().any(|kill| kill.slot == slot)
}

/// Whether there is anything left to search for.
fn goes_on(result: &SearchResult, slots: usize) -> bool {
    !result.interrupted && (0..slots).any(|slot| lives(result, slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SlotEffort;

    #[test]
    fn a_draft_is_searched_as_long_as_optimising_would_take_and_by_inputs_where_those_are_counted() {
        let time = |seconds| Budget::Time(Duration::from_secs_f64(seconds));
        assert_eq!(pause(time(10.0), 1, 0.7), Some(time(1.4)));
        assert_eq!(pause(time(10.0), 1, 0.0), Some(Budget::Time(DRAFT_LEAST)), "what was in the cache cost nothing");
        assert_eq!(pause(time(0.3), 1, 0.7), None, "the whole budget is less than that");
        assert_eq!(pause(time(0.3), 8, 0.7), Some(time(1.4)));
        let inputs = Budget::Executions;
        assert_eq!(pause(inputs(1000), 4, 0.7), None);
        assert_eq!(pause(inputs(100_000), 4, 0.7), Some(inputs(DRAFT_INPUTS)));
    }

    #[test]
    fn a_search_goes_on_for_what_was_neither_killed_nor_given_up() {
        let given_up = SlotEffort { reason: Some("refuted".into()), ..SlotEffort::default() };
        let mut result = SearchResult { effort: vec![SlotEffort::default(), given_up], ..SearchResult::default() };
        assert!(lives(&result, 0) && !lives(&result, 1) && goes_on(&result, 2));
        result.interrupted = true;
        assert!(!goes_on(&result, 2));
        result.interrupted = false;
        result.effort.remove(0);
        assert!(!goes_on(&result, 1));
    }
}
