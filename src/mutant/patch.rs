//! `mutants.json`: mutants as unified diffs, applied to their originals.

use super::made::{Change, Edit, ListedEdit, Standing};
use super::{Claim, Given, Settled};
use crate::diag::Problem;
use crate::outcome::Status;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};
use std::path::{Component, Path, PathBuf};

#[derive(Deserialize)]
struct List {
    #[serde(default)]
    tool: String,
    mutants: Vec<Listed>,
}

/// A mutant of a list. Lists of other tools may leave out what is optional.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its id: the path of its file below the mutants' folder.
    pub id: String,
    /// The original, relative to the project.
    pub file: PathBuf,
    /// Line of the first change.
    pub line: Option<u32>,
    /// Its column, in bytes.
    pub column: Option<u32>,
    /// The operator.
    pub operator: Option<String>,
    /// The function's id.
    pub unit: Option<String>,
    /// Its status.
    pub status: Option<Standing>,
    /// The reason: the mutant it duplicates, the compiler's error, the failing test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Stays the same while the mutated statement and the name of its function do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// The change as a unified diff.
    pub diff: String,
    /// Another version of the whole file as a diff, for where the change does not compile. Without a change only that
    /// is tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The change as edits, if the source is not UTF-8 and the diff is ambiguous.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<ListedEdit>,
}

impl Listed {
    /// The mutated text; `None` if the source is not the one that was mutated.
    fn mutated(&self, source: &[u8]) -> Option<Vec<u8>> {
        if self.diff.is_empty() && self.whole.is_some() {
            return self.whole(source);
        }
        let by_diff = apply(source, &self.diff)?;
        if self.edits.is_empty() {
            return Some(by_diff);
        }
        let edits: Option<Vec<Edit>> = self.edits.iter().map(ListedEdit::edit).collect();
        let mutated = Change { operator: String::new(), edits: edits? }.apply(source);
        // Their readable parts are equal.
        (String::from_utf8_lossy(&mutated).len() == String::from_utf8_lossy(&by_diff).len()).then_some(mutated)
    }

    fn whole(&self, source: &[u8]) -> Option<Vec<u8>> {
        apply(source, self.whole.as_ref()?)
    }

    /// Its known status, if it need not be tried.
    fn settled(&self) -> Option<Settled> {
        let reason = self.reason.clone().unwrap_or_else(|| "as the list of mutants says".into());
        settled(self.status?, reason, || self.diff.clone())
    }
}

/// The outcome of a mutant with this standing, if it need not be tried.
pub fn settled(standing: Standing, reason: String, diff: impl FnOnce() -> String) -> Option<Settled> {
    let (status, reason) = match standing {
        Standing::Equivalent => (Status::Equivalent, reason),
        Standing::Unbuildable => (Status::Unbuildable, reason),
        // The list only names the other mutant.
        Standing::Duplicate if !reason.contains(' ') => {
            (Status::Duplicate, format!("it compiles to the same code as {reason}"))
        }
        Standing::Duplicate => (Status::Duplicate, reason),
        Standing::KilledByTests => (Status::Killed, reason),
        Standing::New | Standing::Live => return None,
    };
    Some(Settled { status, reason, diff: diff() })
}

/// Reads the list, and writes the mutated file of each mutant to try below `scratch`.
pub(super) fn read(list: &Path, root: &Path, files: &[PathBuf], scratch: &Path) -> Result<Vec<Given>> {
    let broken = |what: String| Problem::usage("mutants-json", what, "write it with `mutate`").at(list);
    let text = std::fs::read(list).with_context(|| list.display().to_string())?;
    let listed: List = serde_json::from_slice(&text)
        .map_err(|error| broken(format!("not a list of mutants: {error}")).line(error.line().max(1) as u32))?;
    std::fs::create_dir_all(scratch)?;
    let root = root.canonicalize()?;
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    // Built-in mutants were compiled when they were listed.
    let is_ours = listed.tool.starts_with("motif-cpp ");
    for (index, entry) in listed.mutants.into_iter().enumerate() {
        if !seen.insert(entry.id.clone()) {
            return Err(broken(format!("`{}` is there twice", entry.id)).into());
        }
        let original = root.join(&entry.file);
        let inside = !entry.file.components().any(|part| part == Component::ParentDir);
        let known = inside.then(|| original.canonicalize().ok()).flatten().filter(|path| files.contains(path));
        let settled = entry.settled().filter(|_| known.is_some());
        let suite = entry.status.and_then(|standing| standing.suite(entry.reason.as_deref()));
        let ending = entry.file.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let path = scratch.join(format!("{index}.{ending}"));
        let mut whole = None;
        match &known {
            Some(original) if settled.is_none() => {
                let source = std::fs::read(original).with_context(|| original.display().to_string())?;
                let mutated = entry.mutated(&source).ok_or_else(|| {
                    broken(format!("the diff of `{}` does not fit {}", entry.id, entry.file.display()))
                })?;
                std::fs::write(&path, mutated)?;
                whole = entry.whole.as_ref().map(|_| path.clone());
                if let Some(text) = entry.whole(&source).filter(|_| !entry.diff.is_empty()) {
                    let other = scratch.join(format!("{index}.whole.{ending}"));
                    std::fs::write(&other, text)?;
                    whole = Some(other);
                }
            }
            Some(_) => {}
            None => std::fs::write(&path, "")?,
        }
        found.push(Given {
            id: entry.id,
            path: path.canonicalize().unwrap_or(path),
            whole: whole.map(|path| path.canonicalize().unwrap_or(path)),
            original: known,
            claim: Claim { line: entry.line, operator: entry.operator, function: entry.unit },
            filter: None,
            is_ours,
            settled,
            suite,
        });
    }
    Ok(found)
}

/// A hunk of a unified diff.
struct Hunk<'d> {
    /// The lines of the original before it.
    start: usize,
    /// Its lines, each apart from its mark.
    lines: Vec<(&'d str, &'d str)>,
}

/// The hunks of a unified diff of one file; `None` if it is broken.
fn hunks(diff: &str) -> Option<Vec<Hunk<'_>>> {
    let mut hunks: Vec<Hunk<'_>> = Vec::new();
    let mut left = (0usize, 0usize);
    for line in diff.split_inclusive('\n') {
        if left == (0, 0) && !line.starts_with("\\ ") {
            let Some((old, new)) = line.strip_prefix("@@ -").and_then(|head| head.split_once(" +")) else { continue };
            let ((start, count), (_, new_count)) = (range(old)?, range(new.split(" @@").next()?)?);
            let start = if count == 0 { start } else { start.checked_sub(1)? };
            hunks.push(Hunk { start, lines: Vec::new() });
            left = (count, new_count);
            continue;
        }
        let (mark, text) = line.split_at_checked(1)?;
        let (old, new) = match mark {
            "-" => (1, 0),
            "+" => (0, 1),
            " " | "\n" => (1, 1),
            "\\" => (0, 0),
            _ => return None,
        };
        left = (left.0.checked_sub(old)?, left.1.checked_sub(new)?);
        hunks.last_mut()?.lines.push((mark, text));
    }
    (left == (0, 0)).then_some(hunks)
}

/// Applies a unified diff of one file; `None` if it does not fit.
pub fn apply(source: &[u8], diff: &str) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = source.split_inclusive(|&byte| byte == b'\n').collect();
    let mut out: Vec<u8> = Vec::with_capacity(source.len() + 64);
    let (mut at, mut was_added) = (0, false);
    let mut unreadable: VecDeque<&[u8]> = VecDeque::new();
    let hunks = hunks(diff).filter(|hunks| !hunks.is_empty())?;
    for hunk in hunks {
        lines.get(at..hunk.start)?.iter().for_each(|line| out.extend_from_slice(line));
        at = hunk.start;
        for (mark, text) in hunk.lines {
            // Bytes that are not UTF-8 are replaced in the diff.
            let is_same = |known: &[u8]| {
                known.trim_ascii_end() == text.as_bytes().trim_ascii_end()
                    || String::from_utf8_lossy(known).trim_ascii_end() == text.trim_ascii_end()
            };
            let known = lines.get(at).filter(|known| mark == "\n" || is_same(known));
            match mark {
                "-" => {
                    let chunks = known?.utf8_chunks().map(|chunk| chunk.invalid());
                    unreadable.extend(chunks.filter(|bytes| !bytes.is_empty()));
                    at += 1;
                }
                "+" => {
                    for (n, part) in text.split(char::REPLACEMENT_CHARACTER).enumerate() {
                        if n > 0 {
                            // Unreadable bytes of the old line stay in place.
                            let before = unreadable.pop_front();
                            out.extend_from_slice(before.unwrap_or("\u{fffd}".as_bytes()));
                        }
                        out.extend_from_slice(part.as_bytes());
                    }
                }
                // No newline at the end of the file.
                "\\" => drop(out.pop_if(|byte| was_added && *byte == b'\n')),
                _ => {
                    out.extend_from_slice(known?);
                    at += 1;
                    unreadable.clear();
                }
            }
            was_added = mark == "+";
        }
    }
    lines.get(at..)?.iter().for_each(|line| out.extend_from_slice(line));
    Some(out)
}

/// First and last line of the original that a diff changes, and the column in bytes of the first difference.
pub fn changed(diff: &str) -> Option<((u32, u32), u32)> {
    let mut touched: Vec<usize> = Vec::new();
    let (mut old, mut new): (Option<&str>, Option<&str>) = (None, None);
    for hunk in hunks(diff)? {
        let mut at = hunk.start + 1;
        for (mark, text) in hunk.lines {
            let text = text.trim_end_matches(['\n', '\r']);
            touched.extend((mark == "-" || mark == "+" && old.is_none()).then_some(at));
            match mark {
                "-" => drop(old.get_or_insert(text)),
                "+" => drop(new.get_or_insert(text)),
                _ => {}
            }
            at += usize::from(!matches!(mark, "+" | "\\"));
        }
    }
    let common = match (old, new) {
        (Some(old), Some(new)) => old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count(),
        (Some(old), None) => old.len() - old.trim_start().len(),
        _ => 0,
    };
    let (first, last) = (touched.iter().min()?, touched.iter().max()?);
    Some(((*first as u32, *last as u32), common as u32 + 1))
}

/// `12,3` or `12`: start and count.
fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Suite, UNREACHED};

    #[test]
    fn a_diff_is_applied_and_one_that_does_not_fit_is_refused() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let new = "a\nb\nX\nY\nd\ne\nf\ng\ni\n";
        let diff = similar::TextDiff::from_lines(old, new).unified_diff().context_radius(1).to_string();
        assert_eq!(apply(old.as_bytes(), &diff).as_deref(), Some(new.as_bytes()));
        assert_eq!(apply(b"a\nb\nZ\nd\n", &diff), None);
        assert_eq!(apply(old.as_bytes(), ""), None);
    }

    #[test]
    fn the_lines_of_a_diff_are_those_it_takes_away_or_adds_to() {
        let old = "a\nb\n  c = 1;\nd\ne\nf\ng\nh\ni\n";
        let lines = |new: &str| changed(&crate::mutant::made::diff(Path::new("a.c"), old.as_bytes(), new.as_bytes()));
        assert_eq!(lines(&old.replace("c = 1", "c = 2")), Some(((3, 3), 7)));
        assert_eq!(lines(&old.replace("  c = 1;\nd\n", "")), Some(((3, 4), 3)));
        assert_eq!(lines(&old.replace("i\n", "i\nj\n")), Some(((10, 10), 1)));
        assert_eq!(changed(""), None);
    }

    #[test]
    fn bytes_that_are_no_text_stay_as_they_are() {
        let old = b"/* caf\xe9 */\nint a; // \xfc\xe4\nint b; /* \xe9 */\n";
        let new = b"/* caf\xe9 */\nlong a; // \xfc\xe4\nint b; /* \xe9 */\n";
        let diff = crate::mutant::made::diff(Path::new("a.c"), old, new);
        assert_eq!(apply(old, &diff).as_deref(), Some(&new[..]));
    }

    #[test]
    fn of_bytes_that_a_diff_can_not_tell_apart_the_edits_say_which_stay() {
        let old = b"int a = f(\"\xe9\") + f(\"\xe4\");\n";
        let new = b"int a = f(\"\xe4\");\n";
        let diff = crate::mutant::made::diff(Path::new("a.c"), old, new);
        let entry = |edits: serde_json::Value| -> Listed {
            serde_json::from_value(serde_json::json!({"id": "1", "file": "a.c", "diff": diff, "edits": edits})).unwrap()
        };
        let edits = serde_json::json!([{"start": 8, "end": 17, "hex": ""}]);
        assert_eq!(entry(edits).mutated(old).as_deref(), Some(&new[..]));
        assert_eq!(entry(serde_json::json!([{"start": 8, "end": 17, "hex": "zz"}])).mutated(old), None);
        let edit = Edit { start: 1, end: 2, text: b"\xff\x00a".to_vec() };
        assert_eq!(ListedEdit::from(&edit).edit(), Some(edit));
    }

    fn list(mutants: serde_json::Value) -> (tempfile::TempDir, Result<Vec<Given>>) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let file = root.join("a.c");
        std::fs::write(&file, "int a;\nint b;\n").unwrap();
        let path = root.join("mutants.json");
        std::fs::write(&path, serde_json::json!({ "mutants": mutants }).to_string()).unwrap();
        let found = read(&path, &root, std::slice::from_ref(&file), &root.join("scratch"));
        (dir, found)
    }

    const DIFF: &str = "--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-int b;\n+int c;\n";

    #[test]
    fn a_list_of_diffs_becomes_files_and_what_is_settled_keeps_its_status() {
        let (dir, found) = list(serde_json::json!([
            {"id": "1", "file": "a.c", "line": 2, "operator": "X", "unit": "f", "status": "new", "diff": DIFF},
            {"id": "2", "file": "a.c", "status": "equivalent", "reason": "same code at -O1", "diff": DIFF},
            {"id": "3", "file": "../a.c", "diff": DIFF},
            {"id": "4", "file": "a.c", "status": "killed_by_tests", "reason": "Twice.Four fails", "diff": DIFF},
            {"id": "5", "file": "a.c", "status": "live", "diff": DIFF},
            {"id": "6", "file": "a.c", "status": "duplicate", "reason": "1", "diff": DIFF},
            {"id": "7", "file": "a.c", "status": "unbuildable", "diff": DIFF},
            {"id": "8", "file": "a.c", "status": "live", "reason": UNREACHED, "diff": DIFF},
        ]));
        let givens = found.unwrap();
        let statuses: Vec<_> =
            givens.iter().map(|m| (m.id.as_str(), m.settled.as_ref().map(|s| (s.status, s.reason.as_str())))).collect();
        assert_eq!(
            statuses,
            [
                ("1", None),
                ("2", Some((Status::Equivalent, "same code at -O1"))),
                ("3", None),
                ("4", Some((Status::Killed, "Twice.Four fails"))),
                ("5", None),
                ("6", Some((Status::Duplicate, "it compiles to the same code as 1"))),
                ("7", Some((Status::Unbuildable, "as the list of mutants says"))),
                ("8", None),
            ]
        );
        let suite: Vec<_> = givens.iter().filter_map(|given| Some((given.id.as_str(), given.suite?))).collect();
        assert_eq!(suite, [("4", Suite::Killed), ("5", Suite::Live), ("8", Suite::NotCovered)]);
        assert_eq!(std::fs::read(&givens[0].path).unwrap(), b"int a;\nint c;\n");
        let file = dir.path().canonicalize().unwrap().join("a.c");
        assert_eq!((&givens[0].original, &givens[2].original), (&Some(file), &None));
    }

    #[test]
    fn a_list_that_is_none_is_refused() {
        let code = |mutants| list(mutants).1.unwrap_err().downcast::<Problem>().unwrap().what;
        assert!(code(serde_json::json!(3)).contains("not a list"));
        let entry = serde_json::json!({"id": "1", "file": "a.c", "diff": DIFF});
        assert!(code(serde_json::json!([entry, entry])).contains("twice"));
        let strange = serde_json::json!([{"id": "1", "file": "a.c", "status": "odd", "diff": DIFF}]);
        assert!(code(strange).contains("odd"));
        let stale = serde_json::json!([{"id": "1", "file": "a.c", "diff": DIFF.replace("int b", "int d")}]);
        assert!(code(stale).contains("does not fit"));
    }
}
