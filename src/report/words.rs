//! Verdicts in words, the same in every report.

use crate::outcome::{By, Effort, How, MutantOutcome, Status, Suite, UNREACHED};

/// A status in words.
pub fn status_words(status: Status) -> &'static str {
    match status {
        Status::NoDriver => "no driver",
        Status::BaselineFailed => "baseline failed",
        other => other.name(),
    }
}

/// The difference that killed a mutant.
pub fn difference(how: How) -> &'static str {
    match how {
        How::Output => "another output",
        How::State => "another state",
        How::Exception => "another exception",
        How::Crash => "a crash",
        How::Sanitizer => "a sanitizer's report",
        How::Hang => "a hang",
    }
}

/// Where the killing input came from.
pub fn finder(by: By) -> &'static str {
    match by {
        By::Seed => "a seed",
        By::Search => "the search",
        By::Reuse => "an input of another mutant",
        By::Exhaustion => "trying every input",
        By::Symbolic => "the solver",
    }
}

/// How far the search got with a survivor.
pub fn reach(effort: &Effort) -> &'static str {
    match (effort.reached, effort.infected) {
        (false, _) => "no input reached the changed place",
        (true, Some(false)) => "reached, but its value never changed",
        (true, Some(true)) => "reached, and its value changed, but never the result or the state",
        (true, None) => "reached, but the result never changed",
    }
}

/// The chance that as much search again kills a survivor.
pub fn chance(risk: f64) -> String {
    match risk * 100.0 {
        percent if percent < 0.1 => "below 0.1 %".to_owned(),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// Inputs a CPU second, and the share of them on which the original returned.
pub fn pace(effort: &Effort) -> String {
    let rate = (effort.executions as f64 / effort.cpu_seconds.max(0.01)).round() as u64;
    let share = |returned: u64| returned as f64 / effort.executions.max(1) as f64 * 100.0;
    let returned = effort.returned.map(|returned| format!(", the original returned on {:.0} %", share(returned)));
    format!("{} inputs a CPU second{}", count(rate), returned.unwrap_or_default())
}

/// The verdict on a mutant as one sentence without a full stop.
pub fn verdict(mutant: &MutantOutcome) -> String {
    if let Some(dismissed) = &mutant.dismissed {
        let by = dismissed.by.as_ref().map(|name| format!(" by {name}")).unwrap_or_default();
        return format!("dismissed as {}{by}: {}", dismissed.judgement.name(), dismissed.reason);
    }
    if let Some(kill) = &mutant.kill {
        let proof = if kill.verified { "with a proved test" } else { "without a proof" };
        return format!("killed by {}, found by {}, {proof}", difference(kill.how), finder(kill.by));
    }
    let words = match mutant.suite {
        Some(Suite::Killed) => "killed by the project's own tests",
        Some(Suite::NotCovered) if mutant.status == Status::Live => "live, and not covered by the project's own tests",
        _ => status_words(mutant.status),
    };
    // A reason says more than how far the search got.
    let reach = mutant.effort.as_ref().filter(|_| mutant.status == Status::Live).map(reach);
    match mutant.reason.as_deref().filter(|why| *why != UNREACHED && !why.is_empty()).or(reach) {
        Some(why) => format!("{words}: {why}"),
        None => words.to_owned(),
    }
}

/// The score as a percentage; a dash if there is none.
pub fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", score * 100.0))
}

/// Seconds in a readable unit.
pub fn seconds(value: f64) -> String {
    match value {
        v if !v.is_finite() || v < 0.0 => "–".to_owned(),
        v if v < 9.95 => format!("{v:.1} s"),
        v if v < 120.0 => format!("{v:.0} s"),
        v if v < 7200.0 => format!("{:.0} min", v / 60.0),
        v => format!("{:.1} h", v / 3600.0),
    }
}

/// A count with thousands separators.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 mutant`, `2 mutants`.
pub fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Text on one line: control characters are written as escapes.
pub fn one_line(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
        assert_eq!(seconds(0.04), "0.0 s");
        assert_eq!(seconds(61.0), "61 s");
        assert_eq!(seconds(3600.0), "60 min");
        assert_eq!(percent(Some(2.0 / 3.0)), "66.7 %");
        assert_eq!(percent(None), "–");
        assert_eq!([0.0, 0.0123, 0.0994, 0.1, 1.0].map(chance), ["below 0.1 %", "1.2 %", "9.9 %", "10 %", "100 %"]);
    }
}
