//! The compiler's errors, and the copy that each belongs to.

use crate::mutate::compiler_messages::Message;
use crate::mutate::schema::{Owner, Schema};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Options for parseable messages: one line each, with resolved places.
pub(super) const OPTIONS: &[&str] = &[
    "-ferror-limit=0",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-ftemplate-backtrace-limit=0",
    "-Xclang",
    "-fno-diagnostics-use-presumed-location",
];

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    /// Its text.
    pub message: String,
    /// Line in the compiled text.
    pub line: usize,
    /// The copy at fault, if known.
    pub owner: Option<Owner>,
    /// The error is inside the owner's text; otherwise only a note refers to it.
    pub is_direct: bool,
}

/// The errors in the compiler's output about a schema, compiled in `directory`.
pub(super) fn complaints(stderr: &str, schema: &Schema, directory: &Path) -> Vec<Complaint> {
    let mut real: HashMap<&str, PathBuf> = HashMap::new();
    let mut found: Vec<Complaint> = Vec::new();
    for read in stderr.lines().filter_map(Message::read) {
        let path = real
            .entry(read.file)
            .or_insert_with(|| directory.join(read.file).canonicalize().unwrap_or_else(|_| PathBuf::from(read.file)));
        let owner = schema.owner(path, read.line as usize, read.column);
        if let Some(message) = read.error() {
            let (message, line, is_direct) = (message.to_string(), read.line as usize, owner.is_some());
            found.push(Complaint { message, line, owner, is_direct });
        } else if read.text.starts_with("note: ")
            && let Some(last) = found.last_mut().filter(|last| last.owner.is_none())
        {
            last.owner = owner;
        }
    }
    found
}
