//! Processes the mutants: several copies, each with a worker, take them one after another.

use super::bench::Bench;
use super::prepare::Prepared;
use super::site::{Builds, Site};
use crate::mutant::made::{Made, Standing};
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// The task for a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// No test reaches it.
    Unreached,
    /// It is in the build under this number.
    Switched(u32),
    /// It needs a build of its own.
    Alone,
}

/// The verdict.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub index: usize,
    pub task: Task,
    pub standing: Standing,
    pub reason: Option<String>,
    pub timed_out: bool,
}

/// Data that all workers share.
pub(super) struct Shop<'s, 'a> {
    pub builds: &'a Builds<'a>,
    pub made: &'s BTreeMap<usize, Made>,
    pub sources: &'s BTreeMap<PathBuf, Vec<u8>>,
    pub prepared: &'s Prepared,
    pub pace: Pace,
}

/// The time limit of the tests. It follows their recent duration: on a machine that has slowed down, live mutants
/// must not time out.
pub(super) struct Pace {
    limit: Duration,
    fixed: bool,
    /// Milliseconds of the last run that passed.
    last: AtomicU64,
}

impl Pace {
    pub(super) fn new(limit: Duration, fixed: bool) -> Self {
        Self { limit, fixed, last: AtomicU64::new(0) }
    }

    pub(super) fn passed(&self, seconds: f64) {
        self.last.store((seconds * 1000.0) as u64, Ordering::Relaxed);
    }

    pub(super) fn limit(&self) -> Duration {
        let now = Duration::from_millis(self.last.load(Ordering::Relaxed)) * super::TIMES;
        if self.fixed { self.limit } else { now.clamp(self.limit, self.limit * 4) }
    }
}

/// Processes the tasks with these sites, of which there will be `workers`; reports in the tasks' order until told to
/// stop. Returns the sites.
pub(super) fn through<'a>(
    shop: &Shop<'_, 'a>,
    sites: Vec<Site<'a>>,
    workers: usize,
    tasks: &[(usize, Task)],
    told: &mut dyn FnMut(Verdict) -> ControlFlow<()>,
) -> anyhow::Result<(Vec<Site<'a>>, bool)> {
    let queue: Mutex<VecDeque<(usize, usize, Task)>> =
        Mutex::new(tasks.iter().enumerate().map(|(turn, (index, task))| (turn, *index, *task)).collect());
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let first_free = sites.len() + 1;
    let mut slots: Vec<Option<Site<'a>>> = sites.into_iter().map(Some).collect();
    slots.resize_with(workers.max(slots.len()), || None);
    let mut failure = None;
    let mut stopped = false;
    let sites = std::thread::scope(|scope| {
        let (queue, stop) = (&queue, &stop);
        let handles: Vec<_> = slots
            .into_iter()
            .enumerate()
            .map(|(slot, site)| {
                let sender = sender.clone();
                let number = first_free.max(slot + 1);
                scope.spawn(move || work(shop, site, number, slot, queue, stop, &sender))
            })
            .collect();
        drop(sender);
        let mut waiting: BTreeMap<usize, Verdict> = BTreeMap::new();
        let mut next = 0;
        for message in receiver {
            match message {
                Ok((turn, verdict)) => {
                    waiting.insert(turn, verdict);
                }
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure = failure.take().or(Some(error));
                }
            }
            while let Some(verdict) = waiting.remove(&next) {
                next += 1;
                if !stopped && told(verdict).is_break() {
                    stopped = true;
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        // Interrupted: known results are kept, though an earlier one is missing.
        if !stopped {
            for verdict in waiting.into_values() {
                stopped |= told(verdict).is_break();
            }
        }
        handles.into_iter().filter_map(|handle| handle.join().ok().flatten()).collect()
    });
    match failure {
        Some(error) if !shop.builds.ground.interrupted.load(Ordering::Relaxed) => Err(error),
        _ => Ok((sites, stopped)),
    }
}

type Message = anyhow::Result<(usize, Verdict)>;

fn work<'a>(
    shop: &Shop<'_, 'a>,
    site: Option<Site<'a>>,
    number: usize,
    slot: usize,
    queue: &Mutex<VecDeque<(usize, usize, Task)>>,
    stop: &AtomicBool,
    sender: &mpsc::Sender<Message>,
) -> Option<Site<'a>> {
    let site = match site.map_or_else(|| shop.builds.site(number), Ok) {
        Ok(site) => site,
        Err(error) => {
            let _ = sender.send(Err(error));
            return None;
        }
    };
    let mut bench = Bench::new(shop, site, slot);
    let next = || {
        if stop.load(Ordering::Relaxed) || shop.builds.ground.interrupted.load(Ordering::Relaxed) {
            return None;
        }
        queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front()
    };
    if let Err(error) = bench.work(next, &mut |turn, verdict| {
        // Nobody receives any more when the run is over.
        let _ = sender.send(Ok((turn, verdict)));
    }) {
        let _ = sender.send(Err(error));
    }
    Some(bench.into_site())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_follows_the_machine_but_not_for_ever() {
        let pace = Pace::new(Duration::from_secs(10), false);
        assert_eq!(pace.limit(), Duration::from_secs(10));
        for (took, limit) in [(1.0, 10), (4.0, 20), (100.0, 40), (0.5, 10)] {
            pace.passed(took);
            assert_eq!(pace.limit(), Duration::from_secs(limit), "{took}");
        }
        let fixed = Pace::new(Duration::from_secs(10), true);
        fixed.passed(9.0);
        assert_eq!(fixed.limit(), Duration::from_secs(10));
    }
}
