//! A sanitizer's word on what the search has kept: the original and its live mutants once more, in a worker that is
//! built with the sanitizer, on inputs that are there already.
//!
//! What is reported here is a candidate only: triage asks again, in fresh processes.

use super::Slot;
use crate::choices::Sanitizer;
use crate::supervise::{self, Confinement};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What is run.
#[derive(Debug)]
pub struct Rerun<'r> {
    /// The worker that is built with the sanitizer.
    pub worker: &'r Path,
    /// The unit's shared object, built with it.
    pub unit_so: &'r Path,
    /// The mutants.
    pub slots: &'r [Slot],
    /// What they meet, in this order.
    pub inputs: &'r [Vec<u8>],
    /// The sanitizer.
    pub sanitizer: Sanitizer,
    /// Each run in a process of its own: what the unit does to its variables can't be put back.
    pub apart: bool,
    /// A folder for this alone.
    pub dir: &'r Path,
    /// When to leave off.
    pub limit: Duration,
}

/// Something that a sanitizer reported.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Report {
    /// Index of the input.
    pub input: usize,
    /// Index of the mutant; none where it was the original.
    pub slot: Option<usize>,
    /// In the sanitizer's words: `heap-buffer-overflow`.
    pub report: String,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Reports {
    /// In order of the inputs, and of the mutants below each.
    pub reports: Vec<Report>,
    /// Runs of any side.
    pub runs: u64,
    /// All inputs were met.
    pub finished: bool,
    /// CPU seconds.
    #[serde(default)]
    pub cpu_seconds: f64,
}

impl Rerun<'_> {
    /// Runs all sides on all inputs. Of each mutant the first few reports are told.
    ///
    /// # Errors
    /// The worker can't be run, or can't load the unit.
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
        // What is left behind shows at the end of a process.
        let leaks = self.sanitizer == Sanitizer::Leak;
        command.args(["--leaks", if leaks { "1" } else { "0" }]);
        command.args(["--apart", if self.apart || leaks { "1" } else { "0" }]);
        command.arg("--seconds").arg(self.limit.as_secs().max(1).to_string());
        let patience = self.limit + Duration::from_secs(30);
        let confinement =
            Confinement { time: Some(patience), ..Confinement::of_worker(&worker)? }.under(self.sanitizer);
        let finished = supervise::run(command, patience, &confinement)?;
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

/// Whether a report is about what code does wrong, and not about how much memory it asked for: a limit of the
/// sanitizer's is no fault of a mutant.
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
        let text = r#"{"reports":[{"input":3,"report":"double-free"},{"input":4,"slot":1,"report":"x"}],"runs":9,"finished":true}"#;
        let reports: Reports = serde_json::from_str(text).unwrap();
        assert_eq!(reports.reports[0], Report { input: 3, slot: None, report: "double-free".into() });
        assert_eq!(reports.reports[1].slot, Some(1));
    }

    #[test]
    fn asking_for_too_much_memory_is_no_damage() {
        assert!(is_damage("heap-use-after-free") && !is_damage("out-of-memory") && !is_damage(""));
    }
}
