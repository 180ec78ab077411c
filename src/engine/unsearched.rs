//! No search: the solver is asked about every mutant afterwards (`--engine symbolic`).

use super::{Confirm, Engine, SearchJob, SearchResult, SlotEffort};
use anyhow::Result;

/// Leaves every mutant alive, without an input.
#[derive(Clone, Copy, Debug)]
pub struct Unsearched;

impl Engine for Unsearched {
    fn search(&self, job: &SearchJob<'_>, _: &mut Confirm<'_>) -> Result<SearchResult> {
        let effort = SlotEffort { reason: Some("no search was asked for".into()), ..SlotEffort::default() };
        // Calibration has seen the original return.
        Ok(SearchResult { effort: vec![effort; job.slots.len()], returned: true, ..SearchResult::default() })
    }
}
