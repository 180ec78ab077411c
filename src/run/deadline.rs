//! The budget of the whole run, and what is left of it.

use crate::choices::Budget as Wanted;
use crate::engine::Budget;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The budget of the whole run.
pub struct Deadline {
    end: Option<Instant>,
    executions: Option<Mutex<u64>>,
}

impl Deadline {
    pub fn new(total: Option<Wanted>) -> Self {
        match total {
            None => Self { end: None, executions: None },
            Some(Wanted::Time(time)) => Self { end: Some(Instant::now() + time), executions: None },
            Some(Wanted::Executions(count)) => Self { end: None, executions: Some(Mutex::new(count)) },
        }
    }

    /// What is left for each of `live` mutants; none where nothing is.
    pub fn limit(&self, wanted: Wanted, live: usize) -> Option<Budget> {
        let live = live.max(1) as u64;
        let mut budget = match wanted {
            Wanted::Time(time) => Budget::Time(time),
            Wanted::Executions(count) => Budget::Executions(count),
        };
        if let (Some(end), Budget::Time(time)) = (self.end, &mut budget) {
            let left = end.saturating_duration_since(Instant::now()) / live as u32;
            *time = (*time).min(left);
            if left < Duration::from_millis(1) {
                return None;
            }
        }
        if let (Some(left), Budget::Executions(count)) = (&self.executions, &mut budget) {
            let left = *left.lock().unwrap_or_else(|p| p.into_inner()) / live;
            *count = (*count).min(left);
            if left == 0 {
                return None;
            }
        }
        Some(budget)
    }

    /// What earlier parts of the run have cost.
    pub fn take_off(&mut self, seconds: f64, executions: u64) {
        if let Some(end) = &mut self.end {
            let now = Instant::now();
            *end = end.checked_sub(Duration::from_secs_f64(seconds)).unwrap_or(now).max(now);
        }
        self.spend(executions);
    }

    /// Takes off what a search has cost.
    pub fn spend(&self, executions: u64) {
        if let Some(left) = &self.executions {
            let mut left = left.lock().unwrap_or_else(|p| p.into_inner());
            *left = left.saturating_sub(executions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_budget_is_shared_by_the_live_mutants_and_runs_out() {
        let deadline = Deadline::new(Some(Wanted::Executions(100)));
        assert_eq!(deadline.limit(Wanted::Executions(1000), 10), Some(Budget::Executions(10)));
        deadline.spend(100);
        assert_eq!(deadline.limit(Wanted::Executions(1000), 10), None);
        assert_eq!(Deadline::new(None).limit(Wanted::Executions(7), 3), Some(Budget::Executions(7)));
    }
}
