//! The compiler's errors, and the copy that each belongs to.

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
    /// What the compiler says.
    pub message: String,
    /// Line in the compiled text.
    pub line: usize,
    /// The copy at fault, if known.
    pub owner: Option<Owner>,
    /// The error is inside the owner's text; otherwise only a note refers to it.
    pub is_direct: bool,
}

/// `file:line:column: kind: message`.
fn parts(line: &str) -> Option<(&str, usize, usize, &str, &str)> {
    for kind in ["fatal error", "error", "note"] {
        let Some(at) = line.find(&format!(": {kind}: ")) else { continue };
        let (place, message) = (&line[..at], &line[at + kind.len() + 4..]);
        let mut fields = place.rsplitn(3, ':');
        let column = fields.next()?.parse().ok()?;
        let number = fields.next()?.parse().ok()?;
        return Some((fields.next()?, number, column, kind, message));
    }
    None
}

/// The errors in the compiler's output about a schema, compiled in `directory`.
pub(super) fn complaints(stderr: &str, schema: &Schema, directory: &Path) -> Vec<Complaint> {
    let mut real: HashMap<String, PathBuf> = HashMap::new();
    let mut owner = |file: &str, line, column| {
        let path = real
            .entry(file.to_string())
            .or_insert_with(|| directory.join(file).canonicalize().unwrap_or_else(|_| PathBuf::from(file)));
        schema.owner(path, line, column)
    };
    let mut found: Vec<Complaint> = Vec::new();
    for line in stderr.lines() {
        let Some((file, number, column, kind, message)) = parts(line) else { continue };
        let whose = owner(file, number, column);
        if kind != "note" {
            let is_direct = whose.is_some();
            found.push(Complaint { message: message.to_string(), line: number, owner: whose, is_direct });
        } else if let Some(last) = found.last_mut()
            && last.owner.is_none()
            && let Some(whose) = whose
        {
            last.owner = Some(whose);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_apart_from_the_right() {
        assert_eq!(
            parts("/a b/c:d.cpp:12:7: error: expected ';': here"),
            Some(("/a b/c:d.cpp", 12, 7, "error", "expected ';': here"))
        );
        assert_eq!(
            parts("/a.h:1:2: note: in instantiation of x"),
            Some(("/a.h", 1, 2, "note", "in instantiation of x"))
        );
        assert_eq!(parts("1 error generated."), None);
    }
}
