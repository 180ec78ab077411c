//! Mutants of the built-in operators: edits of one function, with their standing.

use crate::model::Usr;
use crate::outcome::{Suite, UNREACHED};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Bytes `start..end` of the original become `text`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edit {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
    /// The replacement; bytes, since a source need not be UTF-8.
    pub text: Vec<u8>,
}

/// An edit in a list whose diff is ambiguous: JSON text is UTF-8, so the bytes are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedEdit {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
    /// The replacement, two digits per byte.
    pub hex: String,
}

impl From<&Edit> for ListedEdit {
    fn from(edit: &Edit) -> Self {
        let hex = edit.text.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { start: edit.start, end: edit.end, hex }
    }
}

impl ListedEdit {
    /// The edit; `None` if the digits are invalid.
    pub fn edit(&self) -> Option<Edit> {
        let digits = self.hex.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let text: Option<Vec<u8>> = digits.map(byte).collect();
        Some(Edit { start: self.start, end: self.end, text: text? })
    }
}

/// A change by an operator: sorted, disjoint edits within the function's body or initialisers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Change {
    /// The operator's name.
    pub operator: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// The standing of a mutant before the search, in the words of `mutants.json`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// None yet: to be tried.
    #[default]
    New,
    /// It compiles to the code of the original.
    Equivalent,
    /// It compiles to the code of an earlier mutant.
    Duplicate,
    /// It does not compile.
    Unbuildable,
    /// The project's own tests fail on it.
    KilledByTests,
    /// The project's own tests pass on it.
    Live,
}

impl Standing {
    /// The verdict of the project's own tests, if they were run.
    pub fn suite(self, reason: Option<&str>) -> Option<Suite> {
        match self {
            Standing::KilledByTests => Some(Suite::Killed),
            Standing::Live if reason == Some(UNREACHED) => Some(Suite::NotCovered),
            Standing::Live => Some(Suite::Live),
            _ => None,
        }
    }
}

/// A built-in mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Its id: the path of its file below the mutants' folder
    /// (`DIR/STEM/STEM.mut.LINE.COLUMN_ENDCOLUMN_NUMBER.OPERATOR.FUNCTION.EXT`, the papers' naming).
    pub id: String,
    /// The original, absolute.
    pub file: PathBuf,
    /// Line of the first edit, from 1.
    pub line: u32,
    /// Column of the first edit in bytes, from 1.
    pub column: u32,
    /// The function.
    pub unit: Usr,
    /// The function's id, as `analyze` prints it.
    pub unit_id: String,
    /// Operator and edits.
    pub change: Change,
    /// Its standing.
    pub standing: Standing,
    /// The reason: the compiler's error, the mutant it duplicates, the failing test.
    pub reason: Option<String>,
}

impl Change {
    /// The mutated text.
    pub fn apply(&self, source: &[u8]) -> Vec<u8> {
        splice(source, (0, source.len() as u32), self.edits.iter().map(|edit| (edit.start, edit.end, &edit.text)))
    }
}

/// A part of `source` with edits in place: sorted, disjoint, each from its start and end in the source.
pub fn splice<T: AsRef<[u8]>>(
    source: &[u8],
    (start, end): (u32, u32),
    edits: impl IntoIterator<Item = (u32, u32, T)>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity((end - start) as usize + 64);
    let mut at = start;
    let between = |from: u32, to: u32| source.get(from as usize..to as usize).unwrap_or_default();
    for (from, to, text) in edits {
        out.extend_from_slice(between(at, from));
        out.extend_from_slice(text.as_ref());
        at = to;
    }
    out.extend_from_slice(between(at, end));
    out
}

/// How many bytes two texts have in common, at their beginnings and at their ends.
pub fn common(old: &[u8], new: &[u8]) -> (usize, usize) {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (front, back)
}

/// A unified diff of `old` and `new`, with `name` relative to the project.
pub fn diff(name: &Path, old: &[u8], new: &[u8]) -> String {
    let name = name.display();
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    similar::TextDiff::configure()
        .timeout(std::time::Duration::from_secs(2))
        .diff_lines(old.as_ref(), new.as_ref())
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{name}"), &format!("b/{name}"))
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_place() {
        let edit = |start, end, text: &str| Edit { start, end, text: text.into() };
        let change =
            Change { operator: "AOR".into(), edits: vec![edit(0, 1, "(x)"), edit(2, 3, "-"), edit(5, 5, ";")] };
        assert_eq!(change.apply(b"a + b"), b"(x) - b;");
    }
}
