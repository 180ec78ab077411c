//! Where a person may edit a utility class: comments that only `scaffold` writes.

use super::Job;
use super::lower::Lowering;

/// Above the statements that make the object.
pub const OBJECT: &str = "// Edit here: how the object comes to be.";
/// Above the statements that make the arguments.
pub const ARGUMENTS: &str = "// Edit here: which arguments there are, and of which concrete types.";
/// Above the call.
pub const CALL: &str =
    "// Edit here: calls before the one under test, and below it what a caller could see (each `record.` is compared).";

/// Writes one of the marks, where the class is for a person.
pub fn mark(job: &Job<'_>, lowering: &mut Lowering<'_>, text: &str) {
    if job.guided {
        text.split_inclusive(' ').fold(Vec::new(), folded).iter().for_each(|line| lowering.line(line.trim_end()));
    }
}

/// Words into comment lines of a width that fits into the class.
fn folded(mut lines: Vec<String>, word: &str) -> Vec<String> {
    match lines.last_mut() {
        Some(line) if line.len() + word.trim_end().len() <= 96 => line.push_str(word),
        Some(_) => lines.push(format!("// {word}")),
        None => lines.push(word.to_owned()),
    }
    lines
}
