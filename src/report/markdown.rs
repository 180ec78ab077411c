//! Markdown for a merge request: what is new, and the proved tests as a patch, folded in.

use super::place::Place;
use super::view::View;
use super::words::{plural, verdict};
use crate::outcome::MutantOutcome;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The longest parts, in bytes: a comment on a merge request has at most 65,536 characters.
const MOST_PATCH: usize = 40_000;
const MOST_SURVIVORS: usize = 18_000;
const MOST_DISMISSED: usize = 4_000;

/// The summary.
pub fn render(view: &View) -> Result<String> {
    let (shown, mut hidden) = view.shown();
    let mut out = format!("### motif-cpp: {}\n\n", text(&view.headline()));
    if let Some(changes) = &view.changes {
        let _ = writeln!(out, "Since the other outcome: {}.\n", changes.words());
    }
    let new = if view.has_baseline() { "new survivor" } else { "survivor" };
    let _ = match shown.len() + hidden {
        0 => writeln!(out, "No {new}s."),
        number => writeln!(out, "**{}**", plural(number, new)),
    };
    out.push('\n');
    for mutant in shown {
        let change = view.change(mutant).map(|change| format!(" ({})", change.words())).unwrap_or_default();
        let line = item(mutant, &change);
        let fits = |more: usize| out.len() + more <= MOST_SURVIVORS;
        if !fits(line.len()) {
            hidden += 1;
            continue;
        }
        let diff = folded("the change", &fenced("diff", &mutant.diff), "  ");
        let with_diff = !mutant.diff.is_empty() && fits(line.len() + diff.len());
        out += &line;
        if with_diff {
            out += &diff;
        }
    }
    if hidden > 0 {
        let _ = writeln!(out, "\n{} not shown.", plural(hidden, "more survivor"));
    }
    let mut dismissed = String::new();
    for line in view.dismissed().map(|mutant| item(mutant, "")) {
        if dismissed.len() + line.len() > MOST_DISMISSED {
            dismissed += "- …\n";
            break;
        }
        dismissed += &line;
    }
    if !dismissed.is_empty() {
        out += &folded(&format!("{} dismissed", view.dismissed().count()), &dismissed, "");
    }
    let patch = patch(view);
    let tests = plural(view.outcome.tests.iter().filter(|test| test.verified).count(), "proved test");
    if patch.len() > MOST_PATCH {
        let _ = writeln!(out, "\nThe {tests} are too long to be shown here: they are in the output folder.");
    } else if !patch.is_empty() {
        out += &folded(&format!("{tests} as a patch (`git apply`)"), &fenced("diff", &patch), "");
    }
    Ok(out)
}

fn item(mutant: &MutantOutcome, note: &str) -> String {
    let place = Place::of(mutant);
    let at = code(&format!("{}:{}:{}", mutant.file.display(), place.start.line, place.start.column));
    let (unit, change) = (code(mutant.unit.as_deref().unwrap_or("?")), place.words_with(code));
    format!("- {at} {} in {unit}{note}: {change}. {}\n", text(&mutant.operator), text(&verdict(mutant)))
}

/// The files of proved tests as a patch that adds them.
pub fn patch(view: &View) -> String {
    let files: BTreeSet<_> = view.outcome.tests.iter().filter(|test| test.verified).map(|test| &test.file).collect();
    let mut out = String::new();
    for file in files {
        let Some(text) = view.test_file(file) else { continue };
        let (file, lines) = (file.display(), text.lines().count());
        let _ = write!(out, "diff --git a/{file} b/{file}\nnew file mode 100644\n--- /dev/null\n+++ b/{file}\n");
        let _ = writeln!(out, "@@ -0,0 +1,{lines} @@");
        text.split_inclusive('\n').for_each(|line| out += &format!("+{line}"));
        if !text.ends_with('\n') {
            out += "\n\\ No newline at end of file\n";
        }
    }
    out
}

fn folded(title: &str, body: &str, indent: &str) -> String {
    let body: String =
        format!("\n{body}\n").lines().map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n").collect();
    format!("{indent}<details><summary>{title}</summary>\n{body}{indent}</details>\n")
}

/// A block whose fence is longer than any row of backticks in it.
fn fenced(language: &str, body: &str) -> String {
    let fence = "`".repeat(longest_row(body).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", body.trim_end_matches('\n'))
}

/// A code span, whatever is in it.
fn code(text: &str) -> String {
    let text = super::words::one_line(text);
    let fence = "`".repeat(longest_row(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn longest_row(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Plain text that mentions nobody and formats nothing.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in super::words::one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
