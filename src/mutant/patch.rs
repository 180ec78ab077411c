//! `mutants.json`: mutants as unified diffs, applied to their originals.

use super::{Claim, Given};
use crate::diag::Problem;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

#[derive(Deserialize)]
struct Listed {
    mutants: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    file: PathBuf,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    operator: Option<String>,
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    status: Option<String>,
    diff: String,
}

/// Reads the list and writes each mutated file below `scratch`. Those known to be equivalent, duplicate or
/// unbuildable, or killed by the project's own tests, are left out.
pub(super) fn read(list: &Path, root: &Path, files: &[PathBuf], scratch: &Path) -> Result<Vec<Given>> {
    let broken = |what: String| Problem::usage("mutants-json", what, "write it with `mutate`").at(list);
    let text = std::fs::read(list).with_context(|| list.display().to_string())?;
    let listed: Listed = serde_json::from_slice(&text)
        .map_err(|error| broken(format!("not a list of mutants: {error}")).line(error.line().max(1) as u32))?;
    std::fs::create_dir_all(scratch)?;
    let root = root.canonicalize()?;
    let mut found = Vec::new();
    for (index, entry) in listed.mutants.into_iter().enumerate() {
        if !matches!(entry.status.as_deref(), None | Some("new" | "live")) {
            continue;
        }
        let original = root.join(&entry.file);
        let inside = !entry.file.components().any(|part| part == Component::ParentDir);
        let known = inside.then(|| original.canonicalize().ok()).flatten().filter(|path| files.contains(path));
        let ending = entry.file.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let path = scratch.join(format!("{index}.{ending}"));
        if let Some(original) = &known {
            let source = std::fs::read(original).with_context(|| original.display().to_string())?;
            let mutated = apply(&source, &entry.diff)
                .ok_or_else(|| broken(format!("the diff of `{}` does not fit {}", entry.id, entry.file.display())))?;
            std::fs::write(&path, mutated)?;
        } else {
            std::fs::write(&path, "")?;
        }
        found.push(Given {
            id: entry.id,
            path: path.canonicalize()?,
            original: known,
            claim: Claim { line: entry.line, operator: entry.operator, function: entry.unit },
            filter: None,
        });
    }
    Ok(found)
}

/// Applies a unified diff of one file; none where it does not fit.
fn apply(source: &[u8], diff: &str) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = source.split_inclusive(|&byte| byte == b'\n').collect();
    let mut out: Vec<u8> = Vec::with_capacity(source.len() + 64);
    let mut at = 0;
    let mut hunks = 0;
    let mut left = (0usize, 0usize);
    let mut last_was_added = false;
    for line in diff.split_inclusive('\n') {
        if left == (0, 0) {
            if let Some(header) = line.strip_prefix("@@ -") {
                let (old, new) = header.split_once(" +")?;
                let (old_start, old_count) = range(old)?;
                let (_, new_count) = range(new.split(" @@").next()?)?;
                let start = if old_count == 0 { old_start } else { old_start.checked_sub(1)? };
                lines.get(at..start)?.iter().for_each(|line| out.extend_from_slice(line));
                at = start;
                left = (old_count, new_count);
                hunks += 1;
            } else if line.starts_with("\\ ") && last_was_added && out.last() == Some(&b'\n') {
                out.pop();
            }
            continue;
        }
        let (mark, text) = line.split_at_checked(1)?;
        let same =
            |at: usize| lines.get(at).is_some_and(|known| known.trim_ascii_end() == text.as_bytes().trim_ascii_end());
        match mark {
            " " | "\n" => {
                let known = lines.get(at).filter(|_| mark == "\n" || same(at))?;
                out.extend_from_slice(known);
                at += 1;
                left = (left.0.checked_sub(1)?, left.1.checked_sub(1)?);
                last_was_added = false;
            }
            "-" => {
                same(at).then_some(())?;
                at += 1;
                left.0 = left.0.checked_sub(1)?;
                last_was_added = false;
            }
            "+" => {
                out.extend_from_slice(text.as_bytes());
                left.1 = left.1.checked_sub(1)?;
                last_was_added = true;
            }
            "\\" => {
                if last_was_added && out.last() == Some(&b'\n') {
                    out.pop();
                }
            }
            _ => return None,
        }
    }
    if hunks == 0 || left != (0, 0) {
        return None;
    }
    lines.get(at..)?.iter().for_each(|line| out.extend_from_slice(line));
    Some(out)
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
    fn a_list_of_diffs_becomes_files_and_settled_mutants_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let file = root.join("a.c");
        std::fs::write(&file, "int a;\nint b;\n").unwrap();
        let diff = "--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@\n-int b;\n+int c;\n";
        let list = serde_json::json!({"mutants": [
            {"id": "1", "file": "a.c", "line": 2, "operator": "X", "unit": "f", "status": "new", "diff": diff},
            {"id": "2", "file": "a.c", "status": "equivalent", "diff": diff},
            {"id": "3", "file": "../a.c", "diff": diff},
        ]});
        let path = root.join("mutants.json");
        std::fs::write(&path, list.to_string()).unwrap();
        let found = read(&path, &root, std::slice::from_ref(&file), &root.join("scratch")).unwrap();
        assert_eq!(found.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["1", "3"]);
        assert_eq!(std::fs::read(&found[0].path).unwrap(), b"int a;\nint c;\n");
        assert_eq!((&found[0].original, &found[1].original), (&Some(file), &None));
        std::fs::write(&path, "{\"mutants\": 3}").unwrap();
        let problem = read(&path, &root, &[], &root).unwrap_err().downcast::<Problem>().unwrap();
        assert_eq!(problem.code, "mutants-json");
    }
}
