//! The search of a unit's mutants: first in an unoptimised draft, then in the optimised driver for what survives.
//!
//! Optimising costs as much as compiling, in C++ several times as much, and most mutants die by the seeds and first
//! inputs. The sanitizer runs in between: a mutant that only it can kill should not cost a whole budget.

use super::calibration::Tried;
use super::corpus;
use super::corpus::Corpus;
use super::sanitizer_pass;
use super::sanitizer_pass::Searched;
use super::shared::Shared;
use super::shared_inputs;
use super::unit_build;
use super::unit_build::Built;
use super::unit_result::{Finished, GivenUp, Killed, Manner};
use crate::choices::Engine as Chosen;
use crate::compdb::CompileCommand;
use crate::engine::aflpp::SEEDS_MOST;
use crate::engine::libfuzzer::LibFuzzer;
use crate::engine::unsearched::Unsearched;
use crate::engine::{Budget, Candidate, DictEntry, Engine, Fault, SearchJob, SearchResult, Slot};
use crate::outcome::{By, Effort, Status};
use crate::plan::record_paths::member_at;
use crate::plan::{UnitPlan, seeds};
use crate::report::{count, pace};
use crate::session::Session;
use crate::switches::Feature;
use crate::triage::{Judge, Refusal, Replay, Replayed, Verdict, answer};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// The minimum time to search a draft.
const DRAFT_LEAST: Duration = Duration::from_millis(100);
/// The cost of optimising, and of the sanitizer pass before it, in builds of the draft. The draft is searched that
/// long.
const OPTIMISING: f64 = 2.0;
const ASKING: f64 = 2.0;
/// A draft gets at most this fraction of the budget, unless it gets all of it.
const DRAFT_MOST: u32 = 3;
/// The most hanging seeds that are run again.
const HUNG_LOOKED_AT: usize = 2;
/// The seeds on which it is looked what is not compared.
const SEEDS_LOOKED_AT: usize = 2;
/// On so many inputs it is looked where the original differs from itself.
const UNSTEADY_MOST: usize = 3;
/// The search of a draft with a budget in inputs, which must not depend on the clock.
const DRAFT_INPUTS: u64 = 20_000;

/// What a search needs to know of its unit.
#[derive(Clone, Copy)]
pub(super) struct Unit<'u> {
    pub plan: &'u UnitPlan,
    pub command: &'u CompileCommand,
    pub built: &'u Built,
}

/// A unit's search, which can be left off and gone on with.
pub(super) struct Search<'r> {
    job: SearchJob<'r>,
    engine: Box<dyn Engine + Send>,
    judge: Judge,
    result: SearchResult,
    /// Inputs that the sanitizer pass has seen.
    asked: BTreeSet<Vec<u8>>,
    /// The driver it runs with, if it has begun.
    driver: Driven,
    /// The unit's corpus of other engines, and the seeds that come from it.
    corpus: Option<Corpus>,
    of_others: Vec<Vec<u8>>,
    /// Seeds that the solver has found on the way.
    of_solver: Vec<Vec<u8>>,
    /// Seeds that hang.
    hung: Vec<Vec<u8>>,
}

/// The driver of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Driven {
    Nothing,
    Draft,
    Final,
}

impl Search<'_> {
    /// The result so far.
    pub fn result(&self) -> &SearchResult {
        &self.result
    }

    /// Whether the driver is a draft that may still be optimised.
    pub fn is_draft(&self) -> bool {
        self.driver == Driven::Draft
    }

    /// Ends the search from outside.
    pub fn leave_off(&mut self) {
        self.result.interrupted = true;
    }

    /// The number of mutants still searched for: none if each has spent its budget.
    pub fn live(&self) -> usize {
        let live = self.live_slots().len();
        let spent = match self.job.budget {
            Budget::Time(each) => self.result.seconds >= each.as_secs_f64() * live as f64,
            Budget::Executions(each) => self.result.executions >= each.saturating_mul(live as u64),
        };
        if spent || self.result.interrupted || self.result.settled { 0 } else { live }
    }

    /// Goes on with the inputs of the solver as seeds, and without what it has decided about the unit's `mutants`.
    pub fn take_up(&mut self, inputs: Vec<Vec<u8>>, mutants: &[usize], finished: &Finished) {
        count_killed(&mut self.result, mutants, finished);
        for (slot, mutant) in mutants.iter().enumerate() {
            if finished.is_equivalent(*mutant)
                && let Some(effort) = self.result.effort.get_mut(slot)
            {
                effort.reason = Some("it is equivalent".into());
            }
        }
        // Those that killed others stay at the end.
        let at = self.job.seeds.len() - self.job.reused;
        self.job.seeds.splice(at..at, inputs.iter().cloned());
        self.of_solver.extend(inputs);
    }

    /// The slots that are neither killed nor given up.
    pub fn live_slots(&self) -> Vec<usize> {
        (0..self.job.slots.len()).filter(|slot| lives(&self.result, *slot)).collect()
    }

    /// The number of inputs that the search kept because of new coverage.
    pub fn kept(&self) -> u64 {
        kept(&self.job.dir, self.job.seeds.len())
    }
}

/// The number of inputs in a search's corpus that it found itself. Seeds and shared killing inputs are in there too.
fn kept(dir: &Path, seeds: usize) -> u64 {
    let all = std::fs::read_dir(dir.join("corpus")).map_or(0, |entries| entries.count());
    all.saturating_sub(seeds) as u64
}

/// Makes ready for the search of a unit.
pub(super) fn prepare<'r>(
    shared: &Shared<'r>,
    unit: Unit<'_>,
    tried: &Tried,
    budget: Budget,
    finished: &mut Finished,
) -> Result<Search<'r>, GivenUp> {
    let Unit { plan, command, built } = unit;
    let failed = |error| failed(shared, plan, error);
    let strict = tried.can_be_taken_down();
    finished.manner = Manner { strict, fills: tried.looks_at_stale_memory() };
    let folder = shared.session.options.output.join("cache").join("search").join(&plan.slug);
    let _ = std::fs::remove_dir_all(&folder);
    let known = shared.known_inputs(plan);
    let corpus = corpus::corpus(shared, plan);
    let (seeds, hung) = tried.seeds_and_hung();
    let mut job = SearchJob {
        unit_id: plan.id.clone(),
        dir: folder.join("work"),
        unit_so: built.unit_so.clone(),
        slots: built.slots.clone(),
        seeds,
        reused: 0,
        dictionary: dictionary(shared, plan, &built.mutants),
        budget,
        pauses: Vec::new(),
        residual_risk: residual_risk(shared),
        before: None,
        seed: shared.session.options.seed,
        strict,
        fills: finished.manner.fills,
        interrupted: &shared.context.interrupted,
    };
    let mut judge = Judge::new(&shared.build_session.worker, &built.unit_so, &folder.join("judge")).map_err(failed)?;
    judge.strict = strict;
    if shared.afl.is_some() {
        let filters = built.mutants.iter().map(|mutant| shared.mutants[*mutant].filter);
        job.seeds = seeds::table(plan, &filters.collect::<Vec<_>>());
        job.seeds.truncate(SEEDS_MOST);
    }
    job.seeds.extend(known);
    let of_others = corpus::inputs_of_others(shared, corpus.as_ref(), &job.seeds);
    job.reused = of_others.len();
    job.seeds.extend(of_others.iter().cloned());
    let engine: Box<dyn Engine + Send> = match &shared.afl {
        None if shared.session.options.engine == Chosen::Symbolic => Box::new(Unsearched),
        None => Box::new(LibFuzzer {
            worker: shared.build_session.worker.clone(),
            limit_memory: true,
            found_first: false,
            switches: shared.session.switches.clone(),
        }),
        Some(afl) => {
            // The papers' engine has programs of its own to build and to run. The shared object, and its runs on the
            // seeds, only serve to confirm what it finds.
            finished.triage_seconds += std::mem::take(&mut finished.search_seconds);
            finished.build_seconds = 0.0;
            unit_build::afl_programs(shared, plan, command, built, afl, &mut job)?;
            shared.count_build(finished);
            Box::new(afl.clone())
        }
    };
    let (result, asked) = (SearchResult::default(), BTreeSet::new());
    let of_solver = Vec::new();
    Ok(Search { job, engine, judge, result, asked, driver: Driven::Nothing, corpus, of_others, of_solver, hung })
}

/// Begins the search, with the draft of the driver where there is one to go on with; for no longer than `most`.
pub(super) fn begin_search(
    shared: &Shared<'_>,
    search: &mut Search<'_>,
    unit: Unit<'_>,
    most: Option<Budget>,
    finished: &mut Finished,
) -> Result<(), GivenUp> {
    let draft = match &shared.afl {
        None if shared.session.switches.has(Feature::Draft) => {
            let asks = sanitizer_pass::is_of_interest(shared, unit.plan, unit.built.mutants.iter().copied());
            let factor = if asks { OPTIMISING + ASKING } else { OPTIMISING };
            let worth = factor * unit.built.alone;
            pauses(search.job.budget, search.job.slots.len(), worth, search.job.residual_risk.is_some())
        }
        _ => Vec::new(),
    };
    search.driver = if draft.is_empty() { Driven::Final } else { Driven::Draft };
    search.job.pauses = draft.into_iter().chain(most).collect();
    slice(shared, search, unit, finished)
}

/// Goes on with what lives: with the optimised driver, once the sanitizer was asked; for no longer than `most`.
pub(super) fn go_on_searching(
    shared: &Shared<'_>,
    search: &mut Search<'_>,
    unit: Unit<'_>,
    most: Option<Budget>,
    finished: &mut Finished,
) -> Result<(), GivenUp> {
    let Unit { plan, command, built } = unit;
    if search.driver == Driven::Draft {
        // What the search has cost is counted at its end.
        finished.search_seconds += search.result.cpu_seconds;
        let searched = Searched { plan, command, built, result: &search.result };
        sanitizer_pass::ask_sanitizer(shared, searched, &mut search.asked, finished);
        finished.search_seconds -= search.result.cpu_seconds;
        count_killed(&mut search.result, &built.mutants, finished);
        if !goes_on(&search.result, search.job.slots.len()) {
            return Ok(());
        }
        // An original that has not come back yet hardly will, however fast.
        if search.result.returned
            && let Err(why) = unit_build::optimise(shared, plan, command, built, &search.live_slots())
        {
            // What was searched so far serves as well.
            shared.context.ui.detail(format_args!("{}: searched on unoptimised: {why}", plan.id));
        }
        // It may be another driver now, which shows more or less.
        search.judge.forget();
        shared.count_build(finished);
        search.driver = Driven::Final;
    }
    // What others of the same signature died of.
    if shared.session.switches.has(Feature::Reuse) {
        let others = shared.alike.new_to(&signature(shared, plan), &search.job.seeds);
        search.job.reused += others.len();
        search.job.seeds.extend(others);
    }
    search.job.pauses = most.map(|most| added(most, &search.result)).into_iter().collect();
    search.job.before = Some(std::mem::take(&mut search.result));
    let gone_on = slice(shared, search, unit, finished);
    if gone_on.is_err() {
        // What was found and spent until then is so.
        search.result = search.job.before.take().unwrap_or_default();
    }
    gone_on
}

/// Searches until the pause; what is confirmed goes to `finished`.
fn slice(shared: &Shared<'_>, search: &mut Search<'_>, unit: Unit<'_>, finished: &mut Finished) -> Result<(), GivenUp> {
    let Unit { plan, built, .. } = unit;
    // Of a kill, what the unit had cost when its search began or went on.
    let spent_before = finished.spent();
    let Search { job, engine, judge, of_others, of_solver, .. } = search;
    let mut kills: Vec<Killed> = Vec::new();
    let Session { model, hierarchy, .. } = shared.session;
    let mut unsteady: BTreeSet<String> = BTreeSet::new();
    let mut looked_at = 0;
    let mut confirm = |candidate: &Candidate| {
        let mutant = built.mutants[candidate.slot];
        let side = Replayed::of(&built.slots[candidate.slot]);
        let verdict = judge.judge_seen(&side, &candidate.input, candidate.hint)?;
        if let Verdict::Killed { how, original, mutant: mutated } = &verdict {
            // (A seed that was made plainer may have become one that is known.)
            let is_reused = (candidate.by != By::Seed || shared.afl.is_some()) && of_others.contains(&candidate.input);
            let is_solvers = candidate.by == By::Seed && of_solver.contains(&candidate.input);
            let by = match (is_reused, is_solvers) {
                (true, _) => By::Reuse,
                (false, true) => By::Symbolic,
                (false, false) => candidate.by,
            };
            let candidate = Candidate { by, ..candidate.clone() };
            let outcome = shared.stored(plan, mutant, &candidate, *how, spent_before)?;
            let (original, mutated) = ((**original).clone(), (**mutated).clone());
            kills.push(Killed { mutant, outcome, original, mutated, unproved: None });
        }
        let is_unsteady = matches!(verdict, Verdict::Refuted(Refusal::OriginalDiffers | Refusal::ByChance));
        if is_unsteady && looked_at < UNSTEADY_MOST {
            looked_at += 1;
            unsteady.extend(judge.unsteady_places(&candidate.input).unwrap_or_default());
        }
        Ok(answer(verdict))
    };
    let result = engine.search(job, &mut confirm);
    finished.kills.append(&mut kills);
    finished.unsteady.extend(unsteady.iter().filter_map(|place| member_at(model, hierarchy, plan, place)));
    search.result = result.map_err(|error| failed(shared, plan, error))?;
    // Those that fell otherwise have none here.
    let inputs = search.result.kills.iter().map(|kill| &kill.input).filter(|input| !input.is_empty());
    shared.alike.add(&signature(shared, plan), inputs);
    Ok(())
}

/// The end of a search: what the original failed on, and the sanitizer's last word.
pub(super) fn end_search(
    shared: &Shared<'_>,
    search: &mut Search<'_>,
    unit: Unit<'_>,
    finished: &mut Finished,
) -> Result<(), GivenUp> {
    let Unit { plan, command, built } = unit;
    let failed = |error| failed(shared, plan, error);
    for note in &search.result.notes {
        shared.context.ui.detail(format_args!("{}: {note}", plan.id));
    }
    // Who has interrupted the run does not wait for replays of what may hang; of all units under way, at that.
    let hung = search.hung.iter().take(HUNG_LOOKED_AT);
    let hung = hung.map(|input| Fault { input: input.clone(), what: "hang".into() });
    let suspected: Vec<Fault> = hung.chain(search.result.faults.iter().cloned()).collect();
    let suspected = if search.result.interrupted { &[] } else { suspected.as_slice() };
    let faults = search.judge.faults(suspected).map_err(failed);
    finished.not_compared = not_compared(search, &built.slots);
    count_search(search, finished);
    if search.result.executions > 0 {
        let (executions, cpu_seconds) = (search.result.executions, search.result.cpu_seconds);
        let returned = shared.afl.is_none().then_some(search.result.came_back);
        let pace = pace(&Effort { executions, returned, cpu_seconds, ..Effort::default() });
        shared.context.ui.detail(format_args!("{}: {} inputs, {pace}", plan.id, count(executions)));
    }
    for fault in faults? {
        shared.suspect(plan, &fault.input, fault.what, finished).map_err(failed)?;
    }
    sanitizer_pass::ask_sanitizer(
        shared,
        Searched { plan, command, built, result: &search.result },
        &mut search.asked,
        finished,
    );
    corpus::leave_for_others(shared, search.corpus.as_ref(), finished);
    Ok(())
}

/// What of the unit's results is not compared, on the first seed on which it is called; asked for survivors only.
fn not_compared(search: &mut Search<'_>, slots: &[Slot]) -> Vec<String> {
    let survives = |slot: usize| lives(&search.result, slot) && search.result.effort[slot].reached;
    if search.result.interrupted || !(0..slots.len()).any(survives) {
        return Vec::new();
    }
    let seeds = search.job.seeds.iter().take(SEEDS_LOOKED_AT);
    let seen = seeds.filter_map(|seed| search.judge.replay(&Replayed::Original, seed, Replay::default()).ok());
    seen.map(|seen| seen.not_compared()).max_by_key(Vec::len).unwrap_or_default()
}

/// What a search has cost that is over.
pub(super) fn count_search(search: &Search<'_>, finished: &mut Finished) {
    finished.search_seconds += search.result.cpu_seconds;
    finished.triage_seconds += search.judge.cpu_seconds();
    finished.executions += search.result.executions;
    finished.outcome.hangs += search.result.hangs;
}

fn signature(shared: &Shared<'_>, plan: &UnitPlan) -> String {
    let function = &shared.session.model.functions[&plan.unit];
    // What a file's units die of must not depend on which other files are searched here.
    let file = function.definition.as_ref().map(|definition| &definition.body.file);
    format!("{file:?} {}", shared_inputs::signature(function))
}

fn failed(shared: &Shared<'_>, plan: &UnitPlan, error: anyhow::Error) -> GivenUp {
    GivenUp::search(shared.driver(plan), Status::Error, format!("{error:#}"))
}

/// Literals of the unit, of what stands around it, and of its mutants.
pub(super) fn dictionary(shared: &Shared<'_>, plan: &UnitPlan, mutants: &[usize]) -> Vec<DictEntry> {
    if !shared.session.switches.has(Feature::Dictionary) {
        return Vec::new();
    }
    let mut dictionary: Vec<DictEntry> = plan.literals.iter().chain(&plan.words).map(DictEntry::from).collect();
    for mutant in mutants {
        if let Ok(pairing) = &shared.mutants[*mutant].pairing {
            dictionary.extend(pairing.literals.iter().map(DictEntry::from));
        }
    }
    dictionary
}

/// The chance below which a search is settled, with `--budget auto`.
pub(super) fn residual_risk(shared: &Shared<'_>) -> Option<f64> {
    shared.session.options.residual_risk.map(|risk| risk.0 / 100.0)
}

/// The ends of a draft's search; none if the whole budget is shorter. `worth` is the cost of the alternative in CPU
/// seconds. What is ended by an estimate (`is_estimated`) depends on the clock only where inputs take long.
fn pauses(budget: Budget, live: usize, worth: f64, is_estimated: bool) -> Vec<Budget> {
    match budget {
        Budget::Time(each) => {
            let worth = Duration::from_secs_f64(worth.max(0.0)).max(DRAFT_LEAST);
            let all = each.saturating_mul(u32::try_from(live).unwrap_or(u32::MAX));
            if all <= worth {
                return Vec::new();
            }
            if is_estimated {
                return vec![Budget::Executions(DRAFT_INPUTS), Budget::Time(all / DRAFT_MOST)];
            }
            vec![Budget::Time(worth.min(all / DRAFT_MOST).max(DRAFT_LEAST))]
        }
        Budget::Executions(each) if each.saturating_mul(live as u64) > DRAFT_INPUTS => {
            vec![Budget::Executions(DRAFT_INPUTS)]
        }
        Budget::Executions(_) => Vec::new(),
    }
}

/// The end of a search that has cost `result` and may go on for `most`.
fn added(most: Budget, result: &SearchResult) -> Budget {
    match most {
        Budget::Time(time) => Budget::Time(Duration::try_from_secs_f64(result.seconds).unwrap_or_default() + time),
        Budget::Executions(count) => Budget::Executions(result.executions + count),
    }
}

/// Marks mutants that were killed by other means, so that the search does not continue for them.
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

/// Whether the mutant is neither killed nor given up.
pub(super) fn lives(result: &SearchResult, slot: usize) -> bool {
    let given_up = result.effort.get(slot).is_some_and(|effort| effort.reason.is_some());
    !given_up && !result.kills.iter().any(|kill| kill.slot == slot)
}

/// Whether any mutant is left to search for.
pub(super) fn goes_on(result: &SearchResult, slots: usize) -> bool {
    !result.interrupted && !result.settled && (0..slots).any(|slot| lives(result, slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SlotEffort;

    #[test]
    fn a_draft_is_searched_as_long_as_optimising_would_take_and_by_inputs_where_those_are_counted() {
        let time = |seconds| Budget::Time(Duration::from_secs_f64(seconds));
        let pauses_of = |budget, live, worth| pauses(budget, live, worth, false);
        assert_eq!(pauses_of(time(10.0), 1, 1.4), [time(1.4)]);
        assert_eq!(pauses_of(time(9.0), 1, 6.0), [time(3.0)], "what is optimised has most of the budget");
        assert_eq!(pauses_of(time(10.0), 1, 0.0), [Budget::Time(DRAFT_LEAST)], "what was in the cache cost nothing");
        assert_eq!(pauses_of(time(0.3), 1, 1.4), [], "the whole budget is less than that");
        assert_eq!(pauses_of(time(0.3), 20, 1.4), [time(1.4)]);
        assert_eq!(pauses_of(time(0.11), 1, 0.0), [Budget::Time(DRAFT_LEAST)]);
        let inputs = Budget::Executions;
        assert_eq!(pauses_of(inputs(1000), 4, 0.7), []);
        assert_eq!(pauses_of(inputs(100_000), 4, 0.7), [inputs(DRAFT_INPUTS)]);
        assert_eq!(pauses(time(9.0), 1, 1.4, true), [inputs(DRAFT_INPUTS), time(3.0)]);
    }

    #[test]
    fn seeds_and_what_others_died_of_are_no_new_coverage() {
        let work = tempfile::tempdir().unwrap();
        assert_eq!(kept(work.path(), 2), 0, "it has not begun");
        std::fs::create_dir(work.path().join("corpus")).unwrap();
        ["000000", "000001", "found"].iter().for_each(|name| {
            std::fs::write(work.path().join("corpus").join(name), name).unwrap();
        });
        assert_eq!((kept(work.path(), 2), kept(work.path(), 3)), (1, 0));
    }

    #[test]
    fn a_slice_begins_where_the_last_one_ended() {
        let time = |seconds| Budget::Time(Duration::from_secs(seconds));
        let inputs = Budget::Executions;
        let result = SearchResult { executions: 5, seconds: 3.0, ..SearchResult::default() };
        assert_eq!((added(time(2), &result), added(inputs(2), &result)), (time(5), inputs(7)));
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
