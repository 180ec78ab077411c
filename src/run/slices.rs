//! Searches units in slices: a first slice after the build, more as the schedule says, then the end.
//!
//! Without a budget of the whole run there is one slice, which lasts until the unit's own budget is spent.

use super::calibration::Tried;
use super::conclusion;
use super::schedule::{Schedule, Yield};
use super::shared::Shared;
use super::unit_result::{Finished, GivenUp, Work};
use super::unit_search;
use super::unit_search::{Search, Unit, goes_on};
use crate::choices::Engine;
use crate::compdb::CompileCommand;
use crate::engine::Budget;
use crate::outcome::{Effort, Status};
use crate::plan::UnitPlan;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The first slice is at most this fraction of a unit's share; the rest goes to units that yield.
const FIRST_PART: u64 = 2;
/// The minimum of a later slice, in microseconds and in inputs: a search that continues replays its corpus first.
const LEAST_TIME: u64 = 500_000;
const LEAST_INPUTS: u64 = 5_000;

/// The cost of a search that only repeats known inputs: the worker's start, and an input per mutant, in microseconds.
const KNOWN_TIME: (u64, u64) = (500_000, 10_000);
/// Runs of such a search per input: after a worker's death the next one starts with the first input.
const KNOWN_RUNS: u64 = 2;

/// A unit whose search was left off.
pub struct Underway<'r> {
    plan: UnitPlan,
    command: &'r CompileCommand,
    tried: Tried,
    search: Search<'r>,
    /// The yield and cost at the last count.
    counted: Counted,
    /// Its search has failed.
    given_up: bool,
}

/// The state of a search at a count.
#[derive(Clone, Copy, Default)]
struct Counted {
    kills: u64,
    infected: u64,
    kept: u64,
    cost: u64,
}

/// The units of a run, by number: finished, or with a paused search.
type Place<'r> = Mutex<(Finished, Option<Underway<'r>>)>;

/// Searches a unit that was built: for a first slice, where the whole run has a budget of which this `share` is the
/// unit's, else to the end.
pub(super) fn begin<'r>(
    shared: &Shared<'r>,
    plan: &UnitPlan,
    command: &'r CompileCommand,
    tried: Tried,
    share: u64,
    finished: &mut Finished,
) -> Result<Option<Underway<'r>>, GivenUp> {
    let is_hybrid = shared.session.options.engine == Engine::Hybrid;
    let in_slices = is_hybrid || shared.deadline.is_set() && shared.afl.is_none();
    let (wanted, slots) = (shared.session.options.budget, tried.built.slots.len());
    let least = for_known_inputs(shared, plan, &tried);
    let most = if in_slices { u64::MAX } else { share.max(least.saturating_mul(slots as u64)) };
    let budget = shared.deadline.limit(wanted, slots, most);
    let unit = Unit { plan, command, built: &tried.built };
    let mut search = unit_search::prepare(shared, unit, &tried, budget, finished)?;
    let first = match shared.deadline.is_set() {
        true => in_slices.then(|| shared.deadline.slice((share / FIRST_PART).max(least).max(1))),
        // Then the solver's turn comes.
        false => is_hybrid.then(|| half(budget, slots)),
    };
    unit_search::begin_search(shared, &mut search, unit, first, finished)?;
    let goes_on = goes_on(search.result(), tried.built.slots.len());
    if in_slices {
        shared.deadline.spend(search.result().executions);
        conclusion::look_whether_entered(&tried.built, search.result(), finished);
        let live = if goes_on { search.live() } else { 0 };
        if live > 0 {
            let mut underway =
                Underway { plan: plan.clone(), command, tried, search, counted: Counted::default(), given_up: false };
            underway.counted.cost = cost(shared, &underway);
            slice_is_over(shared, &plan.unit);
            return Ok(Some(underway));
        }
    } else if goes_on && search.is_draft() {
        let gone_on = unit_search::go_on_searching(shared, &mut search, unit, None, finished);
        if gone_on.is_err() {
            unit_search::count_search(&search, finished);
        }
        gone_on?;
    }
    unit_search::end_search(shared, &mut search, unit, finished)?;
    if !in_slices {
        shared.deadline.spend(search.result().executions);
    }
    conclusion::conclude(shared, plan, &tried.built, search.result(), finished);
    Ok(None)
}

/// Half of what the search of a unit may cost.
fn half(budget: Budget, slots: usize) -> Budget {
    match budget {
        Budget::Time(each) => Budget::Time(each.saturating_mul(u32::try_from(slots).unwrap_or(u32::MAX)) / 2),
        Budget::Executions(each) => Budget::Executions((each.saturating_mul(slots as u64) / 2).max(1)),
    }
}

/// The least that the search of a unit must cost for what has killed in an earlier part of the run to kill again.
/// Those kills are in no report yet, and must not be lost where the budget of the whole run is spent.
fn for_known_inputs(shared: &Shared<'_>, plan: &UnitPlan, tried: &Tried) -> u64 {
    if !shared.has_known_kills(&plan.unit) {
        return 0;
    }
    for_inputs(shared, tried.seeds.len() + shared.known_inputs(plan).len())
}

/// The least that a search must cost in which mutants meet so many inputs that are known.
pub(super) fn for_inputs(shared: &Shared<'_>, inputs: usize) -> u64 {
    let inputs = inputs as u64;
    let time = KNOWN_TIME.0 + KNOWN_TIME.1 * inputs;
    shared.deadline.cost(time as f64 / 1e6, KNOWN_RUNS * inputs)
}

/// What slices have spent is written down as they end: their units are not until the budget does.
fn slice_is_over(shared: &Shared<'_>, unit: &str) {
    shared.journal.slice(unit, shared.builder.cpu_seconds(), shared.deadline.spent());
}

/// What the search of a unit has cost so far.
fn cost(shared: &Shared<'_>, underway: &Underway<'_>) -> u64 {
    let result = underway.search.result();
    shared.deadline.cost(result.seconds, result.executions)
}

/// Goes on with the units that are left, in slices where they yield most, until the budget is spent or each
/// unit's own is; `done` is told of each that is done.
pub fn in_slices<'r>(
    shared: &Shared<'r>,
    works: &[Work],
    begun: Vec<(Finished, Option<Underway<'r>>)>,
    done: &(dyn Fn(&Finished) + Sync),
) -> Vec<Finished> {
    let least = shared.deadline.cost(LEAST_TIME as f64 / 1e6, LEAST_INPUTS);
    let mut schedule = Schedule::new(least);
    let mut places: Vec<Place<'r>> = Vec::new();
    for (finished, mut underway) in begun {
        let (live, cost, brought) = match &mut underway {
            Some(underway) => (underway.search.live() as u64, underway.counted.cost, underway.brought(&finished)),
            None => (0, 0, Yield::default()),
        };
        schedule.add(live, cost, brought);
        places.push(Mutex::new((finished, underway)));
    }
    let (schedule, back) = (Mutex::new(schedule), Condvar::new());
    let numbers: Vec<usize> = (0..places.len()).collect();
    if !shared.deadline.is_set() {
        // Each has a budget of its own.
        shared.builder.in_parallel(&numbers, |number| {
            let (finished, underway) = &mut *lock(&places[*number]);
            if let Some(open) = underway.as_mut().filter(|_| !shared.context.is_interrupted()) {
                shared.builder.thread_cpu_seconds();
                open.go_on(shared, &works[*number], None, finished);
                shared.count_build(finished);
            }
        });
    }
    let jobs: Vec<usize> = (0..shared.builder.jobs()).collect();
    shared.builder.in_parallel(&jobs, |_| {
        while let Some((number, amount)) = next(shared, &schedule, &back) {
            // Whatever happens to it, the others must not wait for it.
            let (finished, underway) = &mut *lock(&places[number]);
            let (live, cost, brought) = match underway {
                Some(open) => go_on(shared, &works[number], open, amount, finished),
                None => (0, 0, Yield::default()),
            };
            if live == 0
                && let Some(open) = underway.take()
            {
                end(shared, &works[number], open, finished);
                done(finished);
            }
            shared.deadline.release(amount);
            lock(&schedule).came_back(number, live, cost, brought);
            back.notify_all();
        }
    });
    shared.builder.in_parallel(&numbers, |number| {
        let (finished, underway) = &mut *lock(&places[*number]);
        if let Some(open) = underway.take() {
            end(shared, &works[*number], open, finished);
            done(finished);
        }
    });
    places.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner).0).collect()
}

/// The unit whose turn it is; waits where all are being searched. None at the end.
fn next(shared: &Shared<'_>, schedule: &Mutex<Schedule>, back: &Condvar) -> Option<(usize, u64)> {
    let mut schedule = lock(schedule);
    loop {
        if shared.context.is_interrupted() || shared.journal.failed().is_some() {
            return None;
        }
        let left = shared.deadline.left();
        if let Some(next) = schedule.next(left, shared.deadline.longest()) {
            shared.deadline.reserve(next.1);
            return Some(next);
        }
        // Where nothing is left, what is under way may still leave something over.
        if !schedule.may_go_on() {
            return None;
        }
        let waited = back.wait_timeout(schedule, Duration::from_millis(100));
        schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// One slice: what lives then, what it has cost, what it has brought.
fn go_on<'r>(
    shared: &Shared<'r>,
    work: &Work,
    underway: &mut Underway<'r>,
    amount: u64,
    finished: &mut Finished,
) -> (u64, u64, Yield) {
    shared.builder.thread_cpu_seconds();
    let before = underway.search.result().executions;
    underway.go_on(shared, work, Some(shared.deadline.slice(amount)), finished);
    shared.count_build(finished);
    shared.deadline.spend(underway.search.result().executions.saturating_sub(before));
    slice_is_over(shared, &work.unit);
    if underway.given_up {
        return (0, 0, Yield::default());
    }
    let cost = cost(shared, underway);
    let spent = cost.saturating_sub(underway.counted.cost);
    underway.counted.cost = cost;
    // A search that does not get anywhere would be gone on with for ever.
    let live = if spent == 0 { 0 } else { underway.search.live() as u64 };
    (live, spent, underway.brought(finished))
}

/// The end of a unit's search.
fn end<'r>(shared: &Shared<'r>, work: &Work, mut underway: Underway<'r>, finished: &mut Finished) {
    shared.builder.thread_cpu_seconds();
    let Underway { plan, command, tried, search, given_up, .. } = &mut underway;
    let unit = Unit { plan, command, built: &tried.built };
    if *given_up {
        unit_search::count_search(search, finished);
        return shared.write_down(work, finished);
    }
    if shared.context.is_interrupted() {
        search.leave_off();
    }
    match unit_search::end_search(shared, search, unit, finished) {
        Ok(()) => conclusion::conclude(shared, plan, &tried.built, search.result(), finished),
        Err(given_up) => finished.give_up(work, given_up),
    }
    shared.count_build(finished);
    finished.close(work, Status::Live, None);
    shared.write_down(work, finished);
}

impl Underway<'_> {
    /// Searches on, for no longer than `most`; what goes wrong ends the unit.
    fn go_on(&mut self, shared: &Shared<'_>, work: &Work, most: Option<Budget>, finished: &mut Finished) {
        let unit = Unit { plan: &self.plan, command: self.command, built: &self.tried.built };
        if let Err(given_up) = unit_search::go_on_searching(shared, &mut self.search, unit, most, finished) {
            finished.give_up(work, given_up);
            self.given_up = true;
        }
    }

    /// The mutants that live.
    pub fn open(&self) -> Vec<usize> {
        self.search.live_slots().into_iter().map(|slot| self.tried.built.mutants[slot]).collect()
    }

    /// Counts what the search has cost until now to the unit; [`Self::uncount_so_far`] takes it off again, since it is
    /// counted at the end.
    pub fn count_so_far(&self, finished: &mut Finished) {
        let result = self.search.result();
        finished.search_seconds += result.cpu_seconds;
        let (seconds, executions) = (result.seconds, result.executions);
        let effort = Effort { seconds, executions, ..Effort::default() };
        finished.efforts.extend(self.open().into_iter().map(|mutant| (mutant, effort)));
    }

    /// The other way.
    pub fn uncount_so_far(&self, finished: &mut Finished) {
        finished.search_seconds -= self.search.result().cpu_seconds;
        finished.efforts.clear();
    }

    /// Goes on with the inputs of the solver, and without what it has decided.
    pub fn take_up(&mut self, inputs: Vec<Vec<u8>>, finished: &Finished) {
        self.search.take_up(inputs, &self.tried.built.mutants, finished);
    }

    /// The yield since the last count.
    fn brought(&mut self, finished: &Finished) -> Yield {
        let infected =
            self.search.result().effort.iter().filter(|effort| effort.infected.is_some_and(|times| times > 0));
        let (kills, infected, kept) = (finished.kills.len() as u64, infected.count() as u64, self.search.kept());
        let was = self.counted;
        self.counted = Counted { kills, infected, kept, cost: was.cost };
        Yield {
            kills: kills.saturating_sub(was.kills),
            infections: infected.saturating_sub(was.infected),
            coverage: kept.saturating_sub(was.kept),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
