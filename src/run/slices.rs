//! Searches units in slices: a first slice after the build, more as the schedule says, then the end.
//!
//! Without a budget of the whole run there is one slice, which lasts until the unit's own budget is spent.

use super::calibration::Tried;
use super::schedule::{Schedule, Yield};
use super::unit::{Finished, GivenUp, Shared, Work};
use super::unit_build::Built;
use super::unit_search::{Search, goes_on};
use crate::compdb::CompileCommand;
use crate::outcome::Status;
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

/// A search's data about its unit.
#[derive(Clone, Copy)]
pub(super) struct Unit<'u> {
    pub plan: &'u UnitPlan,
    pub command: &'u CompileCommand,
    pub built: &'u Built,
}

/// A unit whose search is paused.
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

impl<'r> Shared<'r> {
    /// Searches a built unit: for a first slice of its `share` if the whole run has a budget, else to the end.
    pub(super) fn begin(
        &self,
        plan: &UnitPlan,
        command: &'r CompileCommand,
        tried: Tried,
        share: u64,
        finished: &mut Finished,
    ) -> Result<Option<Underway<'r>>, GivenUp> {
        let in_slices = self.deadline.is_set() && self.afl.is_none();
        let (wanted, slots) = (self.session.options.budget, tried.built.slots.len());
        let least = self.for_known_inputs(plan, &tried);
        let most = if in_slices { u64::MAX } else { share.max(least.saturating_mul(slots as u64)) };
        let budget = self.deadline.limit(wanted, slots, most);
        let unit = Unit { plan, command, built: &tried.built };
        let mut search = self.prepare(unit, &tried, budget, finished)?;
        let first = in_slices.then(|| self.deadline.slice((share / FIRST_PART).max(least).max(1)));
        self.begin_search(&mut search, unit, first, finished)?;
        let goes_on = goes_on(search.result(), tried.built.slots.len());
        if in_slices {
            self.deadline.spend(search.result().executions);
            self.look_whether_entered(&tried.built, search.result(), finished);
            let live = if goes_on { search.live() } else { 0 };
            let hopeless = plan.is_through_callers() && !finished.entered;
            if live > 0 && !hopeless {
                let mut underway = Underway {
                    plan: plan.clone(),
                    command,
                    tried,
                    search,
                    counted: Counted::default(),
                    given_up: false,
                };
                underway.counted.cost = self.cost(&underway);
                self.slice_is_over(&plan.unit);
                return Ok(Some(underway));
            }
        } else if goes_on && search.is_draft() {
            let gone_on = self.go_on_searching(&mut search, unit, None, finished);
            if gone_on.is_err() {
                self.count_search(&search, finished);
            }
            gone_on?;
        }
        self.end_search(&mut search, unit, finished)?;
        if !in_slices {
            self.deadline.spend(search.result().executions);
        }
        self.conclude(plan, &tried.built, search.result(), finished);
        Ok(None)
    }

    /// The minimum cost that lets the kills of an earlier part of the run happen again. They are in no report yet,
    /// and must not be lost when the budget of the whole run is spent.
    fn for_known_inputs(&self, plan: &UnitPlan, tried: &Tried) -> u64 {
        if !self.has_known_kills(&plan.unit) {
            return 0;
        }
        self.for_inputs(tried.seeds.len() + self.known_inputs(plan).len())
    }

    /// The minimum cost of a search in which mutants meet this many known inputs.
    pub(super) fn for_inputs(&self, inputs: usize) -> u64 {
        let inputs = inputs as u64;
        let time = KNOWN_TIME.0 + KNOWN_TIME.1 * inputs;
        self.deadline.cost(time as f64 / 1e6, KNOWN_RUNS * inputs)
    }

    /// Records the cost of slices as they end: their units are finished only when the budget is.
    fn slice_is_over(&self, unit: &str) {
        self.journal.slice(unit, self.builder.cpu_seconds(), self.deadline.spent());
    }

    /// The cost of a unit's search so far.
    fn cost(&self, underway: &Underway<'_>) -> u64 {
        let result = underway.search.result();
        self.deadline.cost(result.seconds, result.executions)
    }

    /// Continues the remaining units in slices until the budget, or each unit's own, is spent. Calls `done` for each
    /// finished unit.
    pub fn in_slices(
        &self,
        works: &[Work],
        begun: Vec<(Finished, Option<Underway<'r>>)>,
        done: &(dyn Fn(&Finished) + Sync),
    ) -> Vec<Finished> {
        let least = self.deadline.cost(LEAST_TIME as f64 / 1e6, LEAST_INPUTS);
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
        let jobs: Vec<usize> = (0..self.builder.jobs()).collect();
        self.builder.in_parallel(&jobs, |_| {
            while let Some((number, amount)) = self.next(&schedule, &back) {
                // If this slice fails, the others must not wait for it.
                let (finished, underway) = &mut *lock(&places[number]);
                let (live, cost, brought) = match underway {
                    Some(open) => self.go_on(&works[number], open, amount, finished),
                    None => (0, 0, Yield::default()),
                };
                if live == 0
                    && let Some(open) = underway.take()
                {
                    self.end(&works[number], open, finished);
                    done(finished);
                }
                self.deadline.release(amount);
                lock(&schedule).came_back(number, live, cost, brought);
                back.notify_all();
            }
        });
        let numbers: Vec<usize> = (0..places.len()).collect();
        self.builder.in_parallel(&numbers, |number| {
            let (finished, underway) = &mut *lock(&places[*number]);
            if let Some(open) = underway.take() {
                self.end(&works[*number], open, finished);
                done(finished);
            }
        });
        places.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner).0).collect()
    }

    /// The next unit; waits while all are being searched. `None` at the end.
    fn next(&self, schedule: &Mutex<Schedule>, back: &Condvar) -> Option<(usize, u64)> {
        let mut schedule = lock(schedule);
        loop {
            if self.context.is_interrupted() || self.journal.failed().is_some() {
                return None;
            }
            let left = self.deadline.left();
            if let Some(next) = schedule.next(left, self.deadline.longest()) {
                self.deadline.reserve(next.1);
                return Some(next);
            }
            // Searches in progress may leave some of their reservation.
            if !schedule.may_go_on() {
                return None;
            }
            let waited = back.wait_timeout(schedule, Duration::from_millis(100));
            schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Runs one slice; returns live mutants, cost and yield.
    fn go_on(
        &self,
        work: &Work,
        underway: &mut Underway<'r>,
        amount: u64,
        finished: &mut Finished,
    ) -> (u64, u64, Yield) {
        self.builder.thread_cpu_seconds();
        let before = underway.search.result().executions;
        let slice = Some(self.deadline.slice(amount));
        let Underway { plan, command, tried, search, .. } = underway;
        let unit = Unit { plan, command, built: &tried.built };
        let gone_on = self.go_on_searching(search, unit, slice, finished);
        self.count_build(finished);
        self.deadline.spend(search.result().executions.saturating_sub(before));
        self.slice_is_over(&work.unit);
        if let Err(given_up) = gone_on {
            self.give_up(work, given_up, finished);
            underway.given_up = true;
            return (0, 0, Yield::default());
        }
        let cost = self.cost(underway);
        let spent = cost.saturating_sub(underway.counted.cost);
        underway.counted.cost = cost;
        // A search without progress would be continued for ever.
        let live = if spent == 0 { 0 } else { underway.search.live() as u64 };
        (live, spent, underway.brought(finished))
    }

    /// Ends a unit's search.
    fn end(&self, work: &Work, mut underway: Underway<'r>, finished: &mut Finished) {
        self.builder.thread_cpu_seconds();
        let Underway { plan, command, tried, search, given_up, .. } = &mut underway;
        let unit = Unit { plan, command, built: &tried.built };
        if *given_up {
            self.count_search(search, finished);
            return self.write_down(work, finished);
        }
        if self.context.is_interrupted() {
            search.leave_off();
        }
        match self.end_search(search, unit, finished) {
            Ok(()) => self.conclude(plan, &tried.built, search.result(), finished),
            Err(given_up) => self.give_up(work, given_up, finished),
        }
        self.count_build(finished);
        self.close(finished, work, Status::Live, None);
        self.write_down(work, finished);
    }
}

impl Underway<'_> {
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
