//! The summary on one screen.

use super::view::View;
use super::words::{count, percent, plural, reach, seconds, status_words, verdict};
use crate::outcome::{MutantOutcome, Outcome, Status, Suite};
use anyhow::Result;
use std::collections::HashSet;
use std::fmt::Write;

/// The most mutants that are listed by name.
const MOST_LISTED: usize = 12;
/// Columns that a line should not pass.
const WIDTH: usize = 100;

/// The summary.
pub fn render(view: &View) -> Result<String> {
    let (outcome, paint) = (view.outcome, Paint { color: view.color });
    let mut out = String::new();
    let cpu = &outcome.cpu_seconds;
    let all_cpu = cpu.analyse + cpu.suite + cpu.build + cpu.search + cpu.decide + cpu.triage + cpu.prove;
    let line = |out: &mut String, text: &str| {
        let _ = writeln!(out, "{text}");
    };
    let interrupted = if outcome.interrupted { ", interrupted" } else { "" };
    line(
        &mut out,
        &format!(
            "{}: {} in {}, {} ({} CPU{interrupted}), engine {}, seed {}",
            paint.strong(&outcome.tool),
            plural(outcome.mutants.len(), "mutant"),
            plural(outcome.units.len(), "unit"),
            seconds(outcome.wall_seconds),
            seconds(all_cpu),
            outcome.engine,
            outcome.seed
        ),
    );
    if outcome.summary.suite_score.is_some() {
        line(&mut out, &paint.strong(&view.headline()));
    }
    if let Some(merged) = outcome.merged.as_ref().filter(|merged| !merged.missing.is_empty()) {
        for number in &merged.missing {
            line(&mut out, &paint.strong(&format!("shard {number} of {} is missing", merged.of)));
        }
        let files = plural(merged.without_results.len(), "file");
        line(&mut out, &format!("of {files} with mutants nothing is known"));
    }
    line(&mut out, "");
    for status in Status::ALL {
        let number = outcome.mutants.iter().filter(|m| m.status == status).count();
        if number == 0 && !matches!(status, Status::Killed | Status::Live) {
            continue;
        }
        let note = match status {
            Status::Killed => killed_note(outcome),
            Status::Live => live_note(outcome),
            _ => String::new(),
        };
        line(
            &mut out,
            format!("  {} {number:>6}{note}", paint.status(status, &format!("{:<16}", status_words(status))))
                .trim_end(),
        );
    }
    line(&mut out, &format!("  {:<16} {:>8}", "score", paint.strong(&percent(outcome.summary.score))));
    let summary = &outcome.summary;
    for (name, score) in [("own tests", summary.suite_score), ("with new tests", summary.combined_score)] {
        if score.is_some() {
            line(&mut out, &format!("  {name:<16} {:>8}", paint.strong(&percent(score))));
        }
    }
    if view.has_baseline() {
        let new = outcome.mutants.iter().filter(|mutant| mutant.new == Some(true)).count();
        line(&mut out, &format!("  {:<16} {new:>6}", "new survivors"));
    }
    let taken_over = outcome.mutants.iter().filter(|mutant| mutant.taken_over).count();
    if taken_over > 0 {
        line(&mut out, &format!("  {:<16} {taken_over:>6}  from an earlier run", "taken over"));
    }
    if let Some(changes) = &view.changes {
        line(&mut out, &format!("  {:<16} {}", "changes", changes.words()));
    }
    list(&mut out, view, &paint);
    let faults: usize = outcome.units.iter().map(|u| u.suspected_faults.len()).sum();
    if faults > 0 {
        line(&mut out, "");
        line(&mut out, &paint.strong(&format!("Suspected faults of the original: {}", plural(faults, "input"))));
        for unit in outcome.units.iter().filter(|u| !u.suspected_faults.is_empty()).take(MOST_LISTED) {
            let mut kinds: Vec<&str> = unit.suspected_faults.iter().map(|f| f.what.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let place = format!("{}:{}", unit.file.display(), unit.line);
            line(&mut out, &shortened(&format!("  {place}  {}: {}", unit.id, kinds.join(", "))));
        }
    }
    line(&mut out, "");
    line(
        &mut out,
        &paint.dim(&format!(
            "CPU: analyse {}, {}build {}, search {}, {}triage {}, prove {}",
            seconds(cpu.analyse),
            if cpu.suite > 0.0 { format!("your tests {}, ", seconds(cpu.suite)) } else { String::new() },
            seconds(cpu.build),
            seconds(cpu.search),
            if cpu.decide > 0.0 { format!("decide {}, ", seconds(cpu.decide)) } else { String::new() },
            seconds(cpu.triage),
            seconds(cpu.prove)
        )),
    );
    Ok(out)
}

/// How many survivors as much search again would kill, by estimate.
fn live_note(outcome: &Outcome) -> String {
    let chances: Vec<f64> = outcome.mutants.iter().filter_map(|m| m.effort?.residual_risk).collect();
    match chances.iter().sum::<f64>() {
        _ if chances.is_empty() => String::new(),
        few if few < 0.05 => "  as much search again would hardly kill any, by estimate".to_owned(),
        many => format!("  as much search again would kill about {many:.1}, by estimate"),
    }
}

/// How many kills are proved.
fn killed_note(outcome: &Outcome) -> String {
    let kills: Vec<_> = outcome.mutants.iter().filter_map(|m| m.kill.as_ref()).collect();
    let by_suite = outcome.mutants.iter().filter(|m| m.suite == Some(Suite::Killed)).count();
    let suite = (by_suite > 0).then(|| format!("{by_suite} by your tests"));
    let new = match (kills.len(), kills.iter().filter(|k| !k.verified).count()) {
        (0, _) => None,
        (_, 0) if by_suite == 0 => Some("all with a proved test".to_owned()),
        (all, 0) => Some(format!("{all} with a proved test")),
        (all, some) => Some(format!("{} with a proved test, {some} without", all - some)),
    };
    let notes = suite.into_iter().chain(new).collect::<Vec<_>>().join(", ");
    if notes.is_empty() { notes } else { format!("  {notes}") }
}

/// Lists every mutant that needs attention: not killed, equivalent, duplicate or dismissed.
fn list(out: &mut String, view: &View, paint: &Paint) {
    let (shown, hidden) = view.shown();
    let shown: HashSet<&str> = shown.into_iter().map(|mutant| mutant.id.as_str()).collect();
    let is_open = |m: &&MutantOutcome| match m.status {
        Status::Equivalent | Status::Duplicate => false,
        Status::Live | Status::Killed => shown.contains(m.id.as_str()),
        _ => true,
    };
    let mut open: Vec<&MutantOutcome> = view.survivors();
    open.extend(view.outcome.mutants.iter().filter(|mutant| !mutant.is_listed()));
    open.retain(is_open);
    // The tool's own failures come first: nobody should have to search for them.
    let rank = |status: Status| match status {
        Status::Error => 0,
        Status::Live => 1,
        Status::BaselineFailed | Status::NoDriver => 2,
        _ => 3,
    };
    open.sort_by_key(|m| rank(m.status));
    let dismissed: Vec<&MutantOutcome> = view.dismissed().collect();
    if open.is_empty() && dismissed.is_empty() {
        return;
    }
    let _ = writeln!(out);
    let mut entry = |mutant: &MutantOutcome, words: &str, why: Option<String>| {
        let status = paint.status(mutant.status, &format!("{words:<16}"));
        let place = format!("{}:{}", mutant.file.display(), mutant.line);
        let unit = mutant.unit.as_deref().map(|u| format!("  {u}")).unwrap_or_default();
        let _ = writeln!(out, "  {status} {}", shortened(&format!("{place}  {}{unit}", mutant.operator)));
        if let Some(why) = why {
            let _ = writeln!(out, "  {:<16} {}", "", paint.dim(&shortened(&why)));
        }
    };
    for mutant in open.iter().take(MOST_LISTED) {
        let change = view.change(mutant).map(|change| change.words());
        let new = mutant.new.filter(|new| *new).map(|_| "new survivor");
        entry(mutant, change.or(new).unwrap_or(status_words(mutant.status)), why(mutant));
    }
    dismissed.iter().take(MOST_LISTED).for_each(|mutant| entry(mutant, "dismissed", Some(verdict(mutant))));
    let hidden = hidden + open.len().saturating_sub(MOST_LISTED) + dismissed.len().saturating_sub(MOST_LISTED);
    if hidden > 0 {
        let _ = writeln!(out, "  … and {hidden} more");
    }
}

fn why(mutant: &MutantOutcome) -> Option<String> {
    let effort = mutant.effort.filter(|e| mutant.status == Status::Live && e.executions > 0);
    let effort = effort.map(|e| format!("{} inputs in {}, {}", count(e.executions), seconds(e.seconds), reach(&e)));
    match (mutant.reason.as_deref(), effort) {
        (Some(reason), Some(effort)) => Some(format!("{} ({effort})", first_line(reason))),
        (Some(reason), None) => Some(first_line(reason).to_owned()),
        (None, effort) => effort,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn shortened(text: &str) -> String {
    // Text from files must not control the terminal.
    let clean: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    if clean.chars().count() <= WIDTH {
        return clean;
    }
    clean.chars().take(WIDTH - 1).chain(['…']).collect()
}

struct Paint {
    color: bool,
}

impl Paint {
    fn with(&self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn strong(&self, text: &str) -> String {
        self.with("1", text)
    }

    fn dim(&self, text: &str) -> String {
        self.with("2", text)
    }

    fn status(&self, status: Status, text: &str) -> String {
        self.with(
            match status {
                Status::Killed => "32",
                Status::Live => "33",
                Status::Error | Status::NoDriver | Status::BaselineFailed => "31",
                _ => "2",
            },
            text,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::path::Path;

    fn render(outcome: &Outcome, color: bool) -> String {
        let nowhere = Path::new("/nowhere");
        super::render(&View { color, ..View::new(outcome, nowhere, nowhere) }).unwrap()
    }

    #[test]
    fn the_summary_fits_a_screen_and_names_what_is_open() {
        let text = render(&sample::outcome(), false);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("report_text", text));
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn a_thousand_mutants_still_fit() {
        let mut outcome = sample::outcome();
        let live = outcome.mutants[2].clone();
        outcome.mutants.extend(std::iter::repeat_n(live, 1000));
        assert!(render(&outcome, true).lines().count() < 48);
    }

    #[test]
    fn text_from_files_never_steers_the_terminal() {
        let mut outcome = sample::outcome();
        outcome.mutants[2].reason = Some("\u{1b}[2Jgone".into());
        assert!(render(&outcome, false).contains("?[2Jgone"));
    }
}
