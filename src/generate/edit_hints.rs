//! Where a person may edit a utility class: comments that only `scaffold` writes.

use super::job::Job;
use super::lower::Values;
use super::lower::{Lowering, Made};
use crate::plan::Slot;

/// Above the statements that make the object.
pub const OBJECT: &str = "// Edit here: how the object comes to be.";
/// Above the statements that make the arguments.
pub const ARGUMENTS: &str = "// Edit here: which arguments there are, and of which concrete types.";
/// Above the call.
pub const CALL: &str = "// Edit here: calls before the one under test.";
/// Below the call.
pub const SEEN: &str = "// Edit here: what a caller could see afterwards; each `record.` is compared.";

/// Writes the mark above the call; what a person adds there is no neighbour of the call itself, which may change.
pub fn before_call(job: &Job<'_>, lowering: &mut Lowering<'_>) {
    mark(job, lowering, CALL);
    apart(job, lowering);
}

/// Writes the mark below the call.
pub fn after_call(job: &Job<'_>, lowering: &mut Lowering<'_>) {
    apart(job, lowering);
    mark(job, lowering, SEEN);
}

/// An empty line, across which changes of both sides merge without a conflict.
fn apart(job: &Job<'_>, lowering: &mut Lowering<'_>) {
    if job.guided {
        lowering.line("");
    }
}

/// Writes one of the marks, where the class is for a person.
pub fn mark(job: &Job<'_>, lowering: &mut Lowering<'_>, text: &str) {
    if job.guided {
        lowering.line(text);
    }
}

/// Makes the arguments; for a person with an empty line behind each, so that a new argument beside one that was edited
/// merges without a conflict.
///
/// # Errors
/// As for `Lowering::slots`.
pub fn slots(job: &Job<'_>, lowering: &mut Lowering<'_>, slots: &[Slot]) -> Result<Vec<Made>, String> {
    if !job.guided {
        return lowering.slots(slots);
    }
    let mut all = Vec::new();
    for slot in slots {
        all.extend(lowering.slots(std::slice::from_ref(slot))?);
        apart(job, lowering);
    }
    Ok(all)
}
