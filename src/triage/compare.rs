//! What the driver's `compare` says of what two fresh processes saw.

use super::Observation;
use super::observation::Aspect;
use crate::supervise::{self, Confinement};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// `compare` runs over two records; what takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// What `compare` said.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Compared {
    /// How many values differ.
    differences: u64,
    /// The paths at which a difference does not count.
    pub left_out: BTreeSet<String>,
}

/// Asks the driver in `unit_so`; the records are written to `folder`.
///
/// # Errors
/// The worker can't be run, or `compare` does not come to an end.
pub(super) fn compare(
    worker: &Path,
    unit_so: &Path,
    folder: &Path,
    [one, other]: [&Observation; 2],
) -> Result<Compared> {
    let absolute =
        |path: &Path| std::path::absolute(path).with_context(|| format!("making {} absolute", path.display()));
    let write = |name: &str, observation: &Observation| -> Result<PathBuf> {
        let path = absolute(&folder.join(name))?;
        fs::write(&path, encoded(observation)?).with_context(|| format!("writing {}", path.display()))?;
        Ok(path)
    };
    let worker = absolute(worker)?;
    let mut command = Command::new(&worker);
    command.arg("compare").arg("--unit").arg(absolute(unit_so)?);
    command.arg("--one").arg(write("compared_original", one)?);
    command.arg("--other").arg(write("compared_mutant", other)?);
    let confinement = Confinement { time: Some(PATIENCE * 4), ..Confinement::of_worker(&worker)? };
    let finished = supervise::run(&command, PATIENCE, &confinement)?;
    if finished.ended.code != Some(0) || finished.stdout.is_empty() {
        let message = String::from_utf8_lossy(&finished.stderr);
        bail!("the driver's `compare` does not come to an end: {}", message.lines().next().unwrap_or("no message"));
    }
    serde_json::from_slice(&finished.stdout).context("reading what `compare` says")
}

impl Compared {
    /// Nothing that counts differs.
    pub(super) fn finds_none(&self) -> bool {
        self.differences == 0
    }
}

/// As runtime/compare.cpp reads it.
fn encoded(observation: &Observation) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for entry in &observation.record {
        let seen = serde_json::to_vec(&entry.seen)?;
        out.push(match entry.part {
            Aspect::Output => 0,
            Aspect::State => 1,
            Aspect::Exception => 2,
        });
        out.extend(entry.path.bytes().filter(|byte| *byte != 0));
        out.push(0);
        out.extend_from_slice(&u32::try_from(seen.len())?.to_le_bytes());
        out.extend_from_slice(&seen);
    }
    Ok(out)
}
