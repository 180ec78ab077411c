//! Runs the original and its live mutants once more on existing inputs, in a worker that is built with a sanitizer.
//!
//! A report is a candidate only: triage confirms it in fresh processes.

use super::Slot;
use crate::choices::Sanitizer;
use crate::supervise::{self, Confinement};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The job of a sanitizer worker.
#[derive(Debug)]
pub struct Rerun<'r> {
    /// The worker that is built with the sanitizer.
    pub worker: &'r Path,
    /// The unit's shared object, built with the sanitizer.
    pub unit_so: &'r Path,
    /// The mutants.
    pub slots: &'r [Slot],
    /// The inputs, in order.
    pub inputs: &'r [Vec<u8>],
    /// The sanitizer.
    pub sanitizer: Sanitizer,
    /// Run each side in a process of its own: the unit's variables cannot be restored.
    pub apart: bool,
    /// A folder for this job.
    pub dir: &'r Path,
    /// The time limit.
    pub limit: Duration,
}

/// A sanitizer report.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Report {
    /// Index of the input.
    pub input: usize,
    /// Index of the mutant; `None` for the original.
    pub slot: Option<usize>,
    /// Its name: `heap-buffer-overflow`.
    pub report: String,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Reports {
    /// In order of inputs, then of mutants.
    pub reports: Vec<Report>,
    /// The number of runs, of any side.
    pub runs: u64,
    /// All inputs were run.
    pub finished: bool,
    /// CPU seconds.
    #[serde(default)]
    pub cpu_seconds: f64,
}

impl Rerun<'_> {
    /// Runs all sides on all inputs. The first few reports of each mutant are returned.
    ///
    /// # Errors
    ///
    /// The worker cannot be run, or cannot load the unit.
    pub fn run(&self) -> Result<Reports> {
        let inputs = self.dir.join("inputs");
        fs::create_dir_all(&inputs).with_context(|| format!("creating {}", inputs.display()))?;
        for (number, input) in self.inputs.iter().enumerate() {
            fs::write(inputs.join(format!("{number:06}")), input)?;
        }
        let worker = absolute(self.worker)?;
        let mut command = Command::new(&worker);
        command.arg("reports").arg("--unit").arg(absolute(self.unit_so)?);
        for slot in self.slots {
            command.arg("--slot").arg(slot.side.told(slot.number)?);
        }
        command.arg("--inputs").arg(absolute(&inputs)?).arg("--count").arg(self.inputs.len().to_string());
        // Leaks are found when a process ends.
        let leaks = self.sanitizer == Sanitizer::Leak;
        command.args(["--leaks", if leaks { "1" } else { "0" }]);
        command.args(["--apart", if self.apart || leaks { "1" } else { "0" }]);
        command.arg("--seconds").arg(self.limit.as_secs().max(1).to_string());
        let patience = self.limit + Duration::from_secs(30);
        let confinement =
            Confinement { time: Some(patience), ..Confinement::of_worker(&worker)? }.under(self.sanitizer);
        let finished = supervise::run(&command, patience, &confinement)?;
        if finished.timed_out || finished.ended.code != Some(0) {
            let said = String::from_utf8_lossy(&finished.stderr);
            let why = said.lines().next().unwrap_or("no message");
            bail!("the worker under the sanitizer ended with {:?}: {why}", finished.ended);
        }
        let reports: Reports = serde_json::from_slice(&finished.stdout).context("reading what was reported")?;
        Ok(Reports { cpu_seconds: finished.ended.cpu_seconds, ..reports })
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("making {} absolute", path.display()))
}

/// Whether a report is about a memory error, and not about a limit of the sanitizer on allocations.
pub fn is_damage(report: &str) -> bool {
    const OF_SIZE: [&str; 6] = [
        "allocation-size-too-big",
        "out-of-memory",
        "calloc-overflow",
        "reallocarray-overflow",
        "pvalloc-overflow",
        "rss-limit-exceeded",
    ];
    !report.is_empty() && !OF_SIZE.contains(&report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_worker_tells_is_read() {
        let text = r#"{"reports":[{"input":3,"report":"double-free"},{"input":4,"slot":1,"report":"x"}],
            "runs":9,"finished":true}"#;
        let reports: Reports = serde_json::from_str(text).unwrap();
        assert_eq!(reports.reports[0], Report { input: 3, slot: None, report: "double-free".into() });
        assert_eq!(reports.reports[1].slot, Some(1));
    }

    #[test]
    fn asking_for_too_much_memory_is_no_damage() {
        assert!(is_damage("heap-use-after-free") && !is_damage("out-of-memory") && !is_damage(""));
    }
}
