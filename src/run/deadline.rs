//! The budget of the whole run, and how much of it is left.

use crate::choices::Budget as Wanted;
use crate::engine::Budget;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The fraction of the whole budget that is reserved for the sanitizer.
const KEPT_PART: u64 = 10;
/// Less time than this counts as none.
const LEAST: Duration = Duration::from_millis(1);

/// The budget of the whole run.
pub struct Deadline {
    total: Option<Total>,
    jobs: u64,
    /// A sanitizer pass will need its reserve.
    keeps: bool,
    /// Mutants of units that have not had their first search.
    waiting: Mutex<u64>,
    /// Inputs reserved by running searches.
    reserved: Mutex<u64>,
}

enum Total {
    /// The end, and the length.
    Time(Mutex<Instant>, Duration),
    /// What is left, and the total.
    Executions(Mutex<u64>, u64),
}

impl Deadline {
    /// For `mutants` mutants and `jobs` parallel units. If `keeps`, a part is reserved for the sanitizer.
    pub fn new(total: Option<Wanted>, mutants: usize, jobs: usize, keeps: bool) -> Self {
        let total = total.map(|total| match total {
            Wanted::Time(time) => Total::Time(Mutex::new(Instant::now() + time), time),
            Wanted::Executions(count) => Total::Executions(Mutex::new(count), count),
        });
        Self { total, jobs: jobs.max(1) as u64, keeps, waiting: Mutex::new(mutants as u64), reserved: Mutex::default() }
    }

    /// Whether the run has a budget.
    pub fn is_set(&self) -> bool {
        self.total.is_some()
    }

    /// What is left for searches: microseconds of one job, or inputs. The maximum without a budget.
    pub fn left(&self) -> u64 {
        let kept = |whole: u64| if self.keeps { whole / KEPT_PART } else { 0 };
        match &self.total {
            None => u64::MAX,
            Some(Total::Time(end, whole)) => {
                let left = lock(end).saturating_duration_since(Instant::now());
                micros(left).saturating_sub(kept(micros(*whole))).saturating_mul(self.jobs)
            }
            Some(Total::Executions(left, whole)) => self.unreserved(left).saturating_sub(kept(*whole)),
        }
    }

    /// The most that one search may take: jobs run in parallel, but none longer than the time left.
    pub fn longest(&self) -> u64 {
        let left = self.left();
        if matches!(self.total, Some(Total::Time(..))) { left / self.jobs } else { left }
    }

    /// `amount` as the budget of a search.
    pub fn slice(&self, amount: u64) -> Budget {
        match &self.total {
            Some(Total::Executions(..)) => Budget::Executions(amount),
            _ => Budget::Time(Duration::from_micros(amount)),
        }
    }

    /// The cost of a search, in the same unit.
    pub fn cost(&self, seconds: f64, executions: u64) -> u64 {
        match &self.total {
            Some(Total::Executions(..)) => executions,
            _ => micros(Duration::try_from_secs_f64(seconds).unwrap_or_default()),
        }
    }

    /// A unit's share of what is left for the units that have not been searched, by its mutants. `None` if nothing is
    /// left.
    pub fn share(&self, mutants: usize) -> Option<u64> {
        let waiting = (*lock(&self.waiting)).max(mutants as u64).max(1);
        let left = self.left();
        let share = u128::from(left) * mutants.max(1) as u128 / u128::from(waiting);
        // Two jobs cannot share one search.
        let share = u64::try_from(share).unwrap_or(u64::MAX).min(self.longest());
        let least = if matches!(self.total, Some(Total::Time(..))) { micros(LEAST) } else { 1 };
        (share >= least).then_some(share)
    }

    /// Marks the first search of a unit as done.
    pub fn had_its_turn(&self, mutants: usize) {
        let mut waiting = lock(&self.waiting);
        *waiting = waiting.saturating_sub(mutants as u64);
    }

    /// The most that each of the `live` mutants of a unit may cost: `wanted`, and at most its part of `share`.
    pub fn limit(&self, wanted: Wanted, live: usize, share: u64) -> Budget {
        let each = share / live.max(1) as u64;
        match (wanted, &self.total) {
            (Wanted::Time(time), Some(Total::Time(..))) => Budget::Time(time.min(Duration::from_micros(each))),
            (Wanted::Time(time), _) => Budget::Time(time),
            (Wanted::Executions(count), Some(Total::Executions(..))) => Budget::Executions(count.min(each)),
            (Wanted::Executions(count), _) => Budget::Executions(count),
        }
    }

    /// Time and runs for a sanitizer pass, reserve included. `None` if all is spent.
    pub fn for_sanitizer(&self, time: Duration, runs: usize) -> Option<(Duration, usize)> {
        match &self.total {
            None => Some((time, runs)),
            Some(Total::Time(end, _)) => {
                let left = lock(end).saturating_duration_since(Instant::now()).min(time);
                (left >= LEAST).then_some((left, runs))
            }
            Some(Total::Executions(left, _)) => {
                let left = usize::try_from(self.unreserved(left)).unwrap_or(usize::MAX).min(runs);
                (left > 0).then_some((time, left))
            }
        }
    }

    /// The spent part, in microseconds or inputs, earlier parts of a resumed run included; 0 without a budget.
    pub fn spent(&self) -> u64 {
        match &self.total {
            None => 0,
            Some(Total::Time(end, whole)) => {
                micros(whole.saturating_sub(lock(end).saturating_duration_since(Instant::now())))
            }
            Some(Total::Executions(left, whole)) => whole.saturating_sub(*lock(left)),
        }
    }

    /// Subtracts what earlier parts of the run have [`spent`](Self::spent).
    pub fn take_off(&mut self, spent: u64) {
        if let Some(Total::Time(end, _)) = &mut self.total {
            let now = Instant::now();
            let end = end.get_mut().unwrap_or_else(PoisonError::into_inner);
            *end = end.checked_sub(Duration::from_micros(spent)).unwrap_or(now).max(now);
        }
        self.spend(spent);
    }

    /// Time that has passed, and was no search's.
    pub fn put_off(&self, time: Duration) {
        if let Some(Total::Time(end, _)) = &self.total {
            *lock(end) += time;
        }
    }

    /// Reserves inputs for a search, so that no parallel search gets them as well. Time passes for all, so it needs
    /// no reservation.
    pub fn reserve(&self, amount: u64) {
        if matches!(self.total, Some(Total::Executions(..))) {
            *lock(&self.reserved) += amount;
        }
    }

    /// Releases a reservation; the search has subtracted what it spent.
    pub fn release(&self, amount: u64) {
        let mut reserved = lock(&self.reserved);
        *reserved = reserved.saturating_sub(amount);
    }

    fn unreserved(&self, left: &Mutex<u64>) -> u64 {
        lock(left).saturating_sub(*lock(&self.reserved))
    }

    /// Subtracts inputs that were run.
    pub fn spend(&self, executions: u64) {
        if let Some(Total::Executions(left, _)) = &self.total {
            let mut left = lock(left);
            *left = left.saturating_sub(executions);
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_budget_is_shared_by_the_mutants_that_wait_and_runs_out() {
        let deadline = Deadline::new(Some(Wanted::Executions(100)), 10, 1, false);
        assert_eq!(deadline.share(2), Some(20), "eight more mutants of other units wait");
        deadline.had_its_turn(2);
        deadline.spend(20);
        assert_eq!((deadline.left(), deadline.share(4)), (80, Some(40)));
        assert_eq!(deadline.limit(Wanted::Executions(1000), 4, 40), Budget::Executions(10));
        deadline.spend(100);
        assert_eq!((deadline.left(), deadline.share(4)), (0, None));
    }

    #[test]
    fn time_that_was_no_searchs_is_not_spent() {
        let hour = Duration::from_secs(3600);
        let mut deadline = Deadline::new(Some(Wanted::Time(hour)), 1, 1, false);
        deadline.take_off(1_800_000_000);
        deadline.put_off(hour / 4);
        let (left, spent) = (deadline.left() / 60_000_000, deadline.spent() / 60_000_000);
        assert!((44..=45).contains(&left) && (15..=16).contains(&spent), "{left} {spent}");
    }

    #[test]
    fn without_a_total_budget_each_mutant_gets_what_is_wanted() {
        let deadline = Deadline::new(None, 10, 2, true);
        let share = deadline.share(3).unwrap();
        assert_eq!(deadline.limit(Wanted::Executions(7), 3, share), Budget::Executions(7));
        let second = Duration::from_secs(1);
        assert_eq!(deadline.for_sanitizer(second, 9), Some((second, 9)));
    }

    #[test]
    fn what_a_search_under_way_was_promised_nobody_else_gets_and_what_it_leaves_over_is_there_again() {
        let mut deadline = Deadline::new(Some(Wanted::Executions(100)), 10, 2, false);
        deadline.take_off(10);
        deadline.reserve(60);
        assert_eq!((deadline.left(), deadline.longest(), deadline.spent()), (30, 30, 10));
        assert_eq!(deadline.for_sanitizer(Duration::from_secs(1), 500), Some((Duration::from_secs(1), 30)));
        deadline.spend(40);
        deadline.release(60);
        assert_eq!((deadline.left(), deadline.spent()), (50, 50));
    }

    #[test]
    fn a_tenth_is_kept_for_the_sanitizer_whose_runs_count() {
        let deadline = Deadline::new(Some(Wanted::Executions(1000)), 1, 1, true);
        assert_eq!((deadline.left(), deadline.share(1)), (900, Some(900)));
        deadline.spend(900);
        assert_eq!((deadline.left(), deadline.share(1)), (0, None));
        let second = Duration::from_secs(1);
        assert_eq!(deadline.for_sanitizer(second, 5000), Some((second, 100)));
        deadline.spend(100);
        assert_eq!(deadline.for_sanitizer(second, 5000), None);
    }

    #[test]
    fn time_is_had_by_all_jobs_at_once_but_by_no_unit_twice() {
        let deadline = Deadline::new(Some(Wanted::Time(Duration::from_secs(100))), 2, 2, false);
        assert!((199_000_000..=200_000_000).contains(&deadline.left()));
        assert!((99_000_000..=100_000_000).contains(&deadline.share(2).unwrap()));
        let (time, runs) = deadline.for_sanitizer(Duration::from_secs(10), 7).unwrap();
        assert_eq!((time, runs), (Duration::from_secs(10), 7));
        let mut deadline = deadline;
        deadline.take_off(200_000_000);
        assert_eq!(deadline.spent(), 100_000_000);
        assert_eq!((deadline.share(1), deadline.for_sanitizer(Duration::from_secs(1), 1)), (None, None));
    }
}
