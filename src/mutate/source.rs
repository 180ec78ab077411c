//! A source file by lines: positions of changes, and their diffs.

use crate::mutant::made::{Change, splice};
use std::fmt::Write;
use std::path::Path;

/// Lines of context in a diff.
const CONTEXT: usize = 3;

/// A file's bytes, and its line starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The bytes as they are on disk.
    pub bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(Self::new(std::fs::read(path)?))
    }

    /// Finds the lines of `bytes`.
    pub fn new(bytes: Vec<u8>) -> Self {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Self { bytes, starts }
    }

    /// Line and column in bytes of an offset, both from 1.
    pub fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        (line as u32, offset - self.starts[line - 1] + 1)
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.place(offset).0
    }

    /// First byte of a line, and its end.
    pub fn line_span(&self, line: u32) -> (u32, u32) {
        let line = (line.max(1) as usize).min(self.starts.len());
        let end = self.starts.get(line).copied().unwrap_or(self.bytes.len() as u32);
        (self.starts[line - 1], end)
    }

    /// First and last line of a change.
    pub fn lines_of(&self, change: &Change) -> (u32, u32) {
        let first = change.edits.first().map_or(1, |edit| self.line(edit.start));
        let last = change.edits.last().map_or(first, |edit| self.line(edit.end.saturating_sub(1).max(edit.start)));
        (first, last.max(first))
    }

    /// The unified diff of a change, with `name` relative to the project. Only the lines around the edits are compared:
    /// a large file has thousands of mutants.
    pub fn diff(&self, name: &Path, change: &Change) -> String {
        let (first, last) = self.lines_of(change);
        let from = (first as usize).saturating_sub(CONTEXT).max(1);
        let to = (last as usize + CONTEXT).min(self.starts.len());
        let old = &self.bytes[self.line_span(from as u32).0 as usize..self.line_span(to as u32).1 as usize];
        let base = self.starts[from - 1];
        let edits = change.edits.iter().map(|edit| (edit.start, edit.end, &edit.text));
        let new = splice(&self.bytes, (base, base + old.len() as u32), edits);
        let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(&new));
        let diff = similar::TextDiff::from_lines(old.as_ref(), new.as_ref());
        let mut out = format!("--- a/{0}\n+++ b/{0}\n", name.display());
        for group in diff.grouped_ops(CONTEXT) {
            let (Some(head), Some(tail)) = (group.first(), group.last()) else { continue };
            let range = |start: usize, end: usize| match end - start {
                // An empty range is named by the line before it.
                0 => format!("{},0", start + from - 1),
                1 => format!("{}", start + from),
                length => format!("{},{length}", start + from),
            };
            let old_range = range(head.old_range().start, tail.old_range().end);
            let new_range = range(head.new_range().start, tail.new_range().end);
            let _ = writeln!(out, "@@ -{old_range} +{new_range} @@");
            for line in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let _ = write!(out, "{}{}", line.tag(), line.value());
                if line.missing_newline() {
                    out.push_str("\n\\ No newline at end of file\n");
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::made::{Edit, diff};

    fn change(edits: &[(u32, u32, &str)]) -> Change {
        let edits = edits.iter().map(|(start, end, text)| Edit { start: *start, end: *end, text: (*text).into() });
        Change { operator: "X".into(), edits: edits.collect() }
    }

    #[test]
    fn a_place_is_a_line_and_a_column_from_1() {
        let source = Source::new(b"ab\n\ncd".to_vec());
        assert_eq!([0, 2, 3, 4, 6].map(|at| source.place(at)), [(1, 1), (1, 3), (2, 1), (3, 1), (3, 3)]);
        assert_eq!(source.lines_of(&change(&[(0, 3, "")])), (1, 1));
        assert_eq!(source.lines_of(&change(&[(0, 5, "")])), (1, 3));
    }

    #[test]
    fn a_diff_of_the_lines_around_is_the_diff_of_the_whole() {
        let text: String = (1..=20).map(|n| format!("line {n};\n")).collect();
        let at = |word: &str| text.find(word).unwrap() as u32;
        let cases = [
            change(&[(at("line 10"), at("line 10") + 4, "LINE")]),
            change(&[(at("line 1;"), at("line 2;"), "")]),
            change(&[(at("line 20"), at("line 20"), "new\n")]),
            change(&[(at("line 3;"), at("line 3;") + 4, "X"), (at("line 15"), at("line 15") + 4, "Y")]),
            change(&[(at("line 5;"), at("line 9;"), "one\ntwo\n")]),
        ];
        for text in [text.clone(), text.trim_end().to_owned(), text.replace('\n', "\r\n").replace("line ", "lin")] {
            let source = Source::new(text.clone().into_bytes());
            for change in &cases {
                if change.edits.iter().all(|edit| edit.end as usize <= text.len()) {
                    let whole = diff(Path::new("a.c"), text.as_bytes(), &change.apply(text.as_bytes()));
                    let ours = source.diff(Path::new("a.c"), change);
                    let body = |diff: &str| diff.lines().map(str::to_owned).collect::<Vec<_>>();
                    assert_eq!(body(&ours), body(&whole), "{change:?}");
                }
            }
        }
    }
}
