//! Processes the mutants: several copies, each with a worker, take them one after another.

use super::prepare::Prepared;
use super::project_copy::{Builds, ProjectCopy};
use super::worker::Worker;
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

/// All that workers share.
pub(super) struct Shared<'s, 'a> {
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
        let now = Duration::from_millis(self.last.load(Ordering::Relaxed)) * super::options::TIMES;
        if self.fixed { self.limit } else { now.clamp(self.limit, self.limit * 4) }
    }
}

/// Does the tasks with these sites, of which there will be `workers`; tells in the tasks' order, until told to stop.
/// Gives back the sites.
pub(super) fn run<'a>(
    shared: &Shared<'_, 'a>,
    copies: Vec<ProjectCopy<'a>>,
    workers: usize,
    tasks: &[(usize, Task)],
    told: &mut dyn FnMut(Verdict) -> ControlFlow<()>,
) -> anyhow::Result<(Vec<ProjectCopy<'a>>, bool)> {
    let queue: Mutex<VecDeque<(usize, usize, Task)>> =
        Mutex::new(tasks.iter().enumerate().map(|(turn, (index, task))| (turn, *index, *task)).collect());
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let first_free = copies.len() + 1;
    let mut slots: Vec<Option<ProjectCopy<'a>>> = copies.into_iter().map(Some).collect();
    slots.resize_with(workers.max(slots.len()), || None);
    let mut failure = None;
    let mut stopped = false;
    let copies = std::thread::scope(|scope| {
        let (queue, stop) = (&queue, &stop);
        let handles: Vec<_> = slots
            .into_iter()
            .enumerate()
            .map(|(slot, copy)| {
                let sender = sender.clone();
                let number = first_free.max(slot + 1);
                scope.spawn(move || work(shared, copy, number, slot, queue, stop, &sender))
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
        Some(error) if !shared.builds.project.interrupted.load(Ordering::Relaxed) => Err(error),
        _ => Ok((copies, stopped)),
    }
}

type Message = anyhow::Result<(usize, Verdict)>;

fn work<'a>(
    shared: &Shared<'_, 'a>,
    copy: Option<ProjectCopy<'a>>,
    number: usize,
    slot: usize,
    queue: &Mutex<VecDeque<(usize, usize, Task)>>,
    stop: &AtomicBool,
    sender: &mpsc::Sender<Message>,
) -> Option<ProjectCopy<'a>> {
    let copy = match copy.map_or_else(|| shared.builds.copy(number), Ok) {
        Ok(copy) => copy,
        Err(error) => {
            let _ = sender.send(Err(error));
            return None;
        }
    };
    let mut worker = Worker::new(shared, copy, slot);
    let next = || {
        if stop.load(Ordering::Relaxed) || shared.builds.project.interrupted.load(Ordering::Relaxed) {
            return None;
        }
        queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front()
    };
    if let Err(error) = worker.work(next, &mut |turn, verdict| {
        // Nobody listens any more when the run is over.
        let _ = sender.send(Ok((turn, verdict)));
    }) {
        let _ = sender.send(Err(error));
    }
    Some(worker.into_copy())
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
