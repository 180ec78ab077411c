//! Merges a person's edit of a generated file with the text generated now.
//!
//! No line is lost: a line that one side adds to the common base is in the result, or in a conflict that shows both
//! sides.

use diffy::{ConflictStyle, IncompleteHunkStyle, MergeOptions};
use similar::{DiffOp, TextDiff};
use std::collections::BTreeMap;

/// Conflict markers, as git writes them: the edit follows `<<<<<<<`, the generated text `=======`.
const OURS: &str = "<<<<<<< yours";
const ANCESTOR: &str = "||||||| generated before";
const MIDDLE: &str = "=======";
const THEIRS: &str = ">>>>>>> generated now";

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The text.
    pub text: String,
    /// The lines on which conflicts start, from 1.
    pub conflicts: Vec<u32>,
}

/// Merges an edit and the text generated now. `base` is the text that was edited; without it, every difference is a
/// conflict.
pub fn merge(base: Option<&str>, yours: &str, generated: &str) -> Merged {
    let text = match base {
        Some(base) => three_way(base, yours, generated),
        None => two_way(yours, generated),
    };
    Merged { conflicts: conflicts(&text), text }
}

/// The lines, from 1, on which conflicts start.
pub fn conflicts(text: &str) -> Vec<u32> {
    // Only a complete set of markers is a conflict: `=======` alone may underline a heading.
    let mut found = Vec::new();
    let mut open = None;
    let mut divided = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("<<<<<<< ") {
            open = Some(number);
            divided = false;
        } else if line == MIDDLE {
            divided = open.is_some();
        } else if line.starts_with(">>>>>>> ") && divided {
            found.extend(open.take());
            divided = false;
        }
    }
    found
}

fn three_way(base: &str, yours: &str, generated: &str) -> String {
    let mut options = MergeOptions::new();
    options.set_conflict_style(ConflictStyle::Diff3).set_incomplete_hunk_style(IncompleteHunkStyle::Git);
    let merged = match options.merge(base, yours, generated) {
        Ok(merged) => merged,
        Err(conflicting) => conflicting.lines().map(labelled).fold(String::new(), |text, line| text + line + "\n"),
    };
    // Checked independently of the library: if in doubt, a person sees both sides in full.
    if keeps_all(base, yours, generated, &merged) { merged } else { two_way(yours, generated) }
}

/// Replaces the library's labels by ours.
fn labelled(line: &str) -> &str {
    match line {
        "<<<<<<< ours" => OURS,
        "||||||| original" => ANCESTOR,
        ">>>>>>> theirs" => THEIRS,
        other => other,
    }
}

/// Whether the result has each line that a side added to the base, as often as that side.
fn keeps_all(base: &str, yours: &str, generated: &str, merged: &str) -> bool {
    let count = |text: &str| -> BTreeMap<String, usize> {
        text.lines().fold(BTreeMap::new(), |mut counts, line| {
            *counts.entry(line.to_owned()).or_default() += 1;
            counts
        })
    };
    let (before, after) = (count(base), count(merged));
    let of = |counts: &BTreeMap<String, usize>, line: &str| counts.get(line).copied().unwrap_or(0);
    [yours, generated].into_iter().all(|side| {
        count(side)
            .iter()
            .all(|(line, times)| *times <= of(&before, line) || of(&after, line) >= *times - of(&before, line))
    })
}

/// Without a base: common lines, and a conflict at every difference.
fn two_way(yours: &str, generated: &str) -> String {
    let diff = TextDiff::from_lines(yours, generated);
    let (old, new) = (diff.old_slices(), diff.new_slices());
    let mut out = String::new();
    let mut put = |line: &str| {
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push('\n');
        }
    };
    for op in diff.ops() {
        if let DiffOp::Equal { .. } = op {
            old[op.old_range()].iter().for_each(|line| put(line));
            continue;
        }
        put(OURS);
        old[op.old_range()].iter().for_each(|line| put(line));
        put(MIDDLE);
        new[op.new_range()].iter().for_each(|line| put(line));
        put(THEIRS);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "class A {\n  int a;\n  int b;\n  int c;\n  int d;\n};\n";

    #[test]
    fn changes_in_different_places_are_both_taken() {
        let yours = BASE.replace("int a;", "int mine;");
        let generated = BASE.replace("int d;", "long d;");
        let merged = merge(Some(BASE), &yours, &generated);
        assert_eq!(merged.text, "class A {\n  int mine;\n  int b;\n  int c;\n  long d;\n};\n");
        assert!(merged.conflicts.is_empty());
    }

    #[test]
    fn changes_in_the_same_place_are_shown_side_by_side_with_what_was_there() {
        let yours = BASE.replace("int b;", "int mine;");
        let generated = BASE.replace("int b;", "long b;");
        let merged = merge(Some(BASE), &yours, &generated);
        assert_eq!(
            merged.text,
            "class A {\n  int a;\n<<<<<<< yours\n  int mine;\n||||||| generated before\n  int b;\n=======\n  long b;\n\
             >>>>>>> generated now\n  int c;\n  int d;\n};\n"
        );
        assert_eq!(merged.conflicts, [3]);
    }

    #[test]
    fn an_edit_that_is_generated_now_is_no_conflict() {
        let yours = BASE.replace("int b;", "long b;");
        assert_eq!(merge(Some(BASE), &yours, &yours), Merged { text: yours.clone(), conflicts: Vec::new() });
    }

    #[test]
    fn without_an_ancestor_each_difference_is_a_conflict() {
        let merged = merge(None, "a\nmine\nb\n", "a\nb\nnew");
        assert_eq!(
            merged.text,
            "a\n<<<<<<< yours\nmine\n=======\n>>>>>>> generated now\nb\n<<<<<<< yours\n=======\nnew\n\
             >>>>>>> generated now\n"
        );
        assert_eq!(merged.conflicts, [2, 7]);
    }

    #[test]
    fn a_heading_is_no_conflict() {
        assert!(conflicts("// Title\n=======\n// >>>>>>> x\n").is_empty());
        assert_eq!(conflicts("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> branch\n"), [2]);
    }

    /// Small texts over few words cover every way in which two edits can touch.
    #[test]
    fn no_line_is_ever_lost() {
        let mut state = 7_u64;
        let mut next = move |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut clean = 0;
        for round in 0..4000 {
            let base: Vec<String> = (0..next(8)).map(|_| format!("{}\n", next(4))).collect();
            let mut edited = |who: &str| -> String {
                let mut lines = base.clone();
                for edit in 0..next(4) {
                    let at = next(lines.len() as u64 + 1) as usize;
                    match next(3) {
                        0 => lines.insert(at, format!("{who} {edit}\n")),
                        1 if at < lines.len() => drop(lines.remove(at)),
                        _ if at < lines.len() => lines[at] = format!("{who} {edit}\n"),
                        _ => {}
                    }
                }
                lines.concat()
            };
            let (yours, generated) = (edited("mine"), edited("new"));
            let merged = merge(Some(&base.concat()), &yours, &generated);
            for line in yours.lines().chain(generated.lines()).filter(|line| line.contains(' ')) {
                assert!(
                    merged.text.lines().any(|kept| kept == line),
                    "round {round}: {line} is lost in\n{}",
                    merged.text
                );
            }
            if merged.conflicts.is_empty() {
                clean += 1;
                assert!(!merged.text.contains("<<<<<<<"), "round {round}: {}", merged.text);
            }
        }
        assert!(clean > 400, "hardly anything merges: {clean} of 4000");
    }
}
