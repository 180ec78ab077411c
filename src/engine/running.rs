//! A worker of the default engine while it runs.

use crate::supervise::Watched;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// The time a worker may take to exit.
const FAREWELL: Duration = Duration::from_secs(1);

/// One worker while it runs.
pub(super) struct Running {
    pub process: Watched,
    pub to: ChildStdin,
    pub from: ChildStdout,
    pub started: Instant,
    /// Time in triage, while the worker waits.
    pub waited: Duration,
    /// Killed by us, for lack of progress.
    pub killed: bool,
    /// How much was done, and when that became more.
    pub progress: (u64, Instant),
}

impl Running {
    /// Ends a worker that closed its pipe: it is about to exit, unless its unit closed the pipe and would run for
    /// ever.
    pub fn end_soon(&mut self) {
        let until = Instant::now() + FAREWELL;
        while !self.process.has_ended() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.process.kill();
    }

    /// How long it has searched, as a budget in time counts it.
    pub fn searched(&self) -> Duration {
        self.process.computing(self.started.elapsed().saturating_sub(self.waited))
    }
}
