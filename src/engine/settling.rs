//! Ends a search where more of it would hardly kill more.

use super::SearchJob;
use super::residual_risk::{self, next_look};
use super::shared::{Mapped, SLOT_LIVE, TIMES_SIZE, preallocated, set_shared, shared};
use anyhow::Result;
use std::fs::{self, File};
use std::io::Write;

/// The worker's counts of what the original does, in the folder of the search.
pub(super) const TIMES: &str = "times";
/// What was estimated when: inputs, mutant, inputs that concern it, chance, and the counts.
const ESTIMATES: &str = "estimates.csv";

/// Makes ready for a search that begins, or goes on.
pub(super) fn begin(job: &SearchJob<'_>, shared: &mut Mapped) -> Result<()> {
    if job.before.is_none() || !job.dir.join(TIMES).is_file() {
        preallocated(&job.dir.join(TIMES), TIMES_SIZE)?;
        // There is none where no estimate was made.
        let _ = fs::remove_file(job.dir.join(ESTIMATES));
    }
    if job.residual_risk.is_some() {
        set_shared!(shared, look = next_look(shared!(shared, executions)));
    }
    Ok(())
}

/// Whether the worker, which asks, should end: no live mutant has a chance that is worth more inputs.
pub(super) fn is_settled(job: &SearchJob<'_>, shared: &mut Mapped) -> Result<bool> {
    let executions = shared!(shared, executions);
    set_shared!(shared, look = next_look(executions));
    let Some(most) = job.residual_risk else { return Ok(false) };
    let live = (0..job.slots.len()).filter(|slot| shared!(shared, slot[*slot].state) == SLOT_LIVE);
    let chances: Vec<(usize, f64)> = live.map(|slot| (slot, chance(shared, slot))).collect();
    // What became of them is what an estimate is judged by (bench/residual-risk).
    let often = shared!(shared, often).map(|times| times.to_string()).join(",");
    let mut file = File::options().create(true).append(true).open(job.dir.join(ESTIMATES))?;
    for (slot, chance) in &chances {
        writeln!(file, "{executions},{},{},{chance:.6},{often}", job.slots[*slot].id, met(shared, *slot))?;
    }
    Ok(chances.iter().all(|(_, chance)| *chance < most))
}

/// The chance that as much search again kills a mutant.
pub(super) fn chance(shared: &Mapped, slot: usize) -> f64 {
    residual_risk::chance(met(shared, slot), &shared!(shared, often))
}

/// The inputs that concern a mutant: that changed its value, or else reached it, or else all.
fn met(shared: &Mapped, slot: usize) -> u64 {
    let effort = shared!(shared, slot[slot]);
    [effort.infected, effort.reached, effort.returned].into_iter().find(|met| *met > 0).unwrap_or_default()
}
