//! One mutant on one screen: its change, its status, and the reason for it.

use super::details;
use super::place::Place;
use super::words::{chance, count, difference, finder, pace, reach, seconds, status_words};
use crate::outcome::{MutantOutcome, Outcome, Status, Suite};
use std::fmt::Write;
use std::path::Path;

/// The most lines of a diff, a test, or a list of values.
const MOST_LINES: usize = 40;

/// The mutant as text; details are read from the output folder.
pub fn render(outcome: &Outcome, mutant: &MutantOutcome, output: &Path, color: bool) -> String {
    let paint = |code: &str, text: &str| {
        if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    };
    let mut out = String::new();
    let _ = writeln!(out, "{}", paint("1", &clean(&mutant.id)));
    let mut fact = |name: &str, text: String| {
        let _ = writeln!(out, "  {name:<9} {}", clean(&text));
    };
    let start = Place::of(mutant).start;
    fact("place", format!("{}:{}:{}", mutant.file.display(), start.line, start.column));
    fact("operator", mutant.operator.clone());
    if let Some(unit) = &mutant.unit {
        fact("unit", unit.clone());
    }
    let tone = match mutant.status {
        Status::Killed => "32",
        Status::Live => "33",
        Status::Error | Status::NoDriver | Status::BaselineFailed => "31",
        _ => "2",
    };
    let _ = writeln!(out, "  {:<9} {}", "status", paint(tone, status_words(mutant.status)));
    if let Some(suite) = mutant.suite {
        let suite = match suite {
            Suite::Killed => "your tests kill it",
            Suite::Live => "your tests pass on it",
            Suite::NotCovered => "your tests do not reach it",
        };
        let _ = writeln!(out, "  {:<9} {suite}", "suite");
    }
    if let Some(reason) = &mutant.reason {
        block(&mut out, "reason", reason);
    }
    if let Some(kill) = &mutant.kill {
        let proof = if kill.verified { "with a proved test" } else { "without a proof" };
        let _ = writeln!(out, "  {:<9} by {}, found by {}, {proof}", "killed", difference(kill.how), finder(kill.by));
        let (inputs, time) = (count(kill.executions), seconds(kill.seconds));
        let _ = writeln!(out, "  {:<9} {inputs} inputs, {time}, {} CPU", "after", seconds(kill.cpu_seconds));
    } else if let Some(effort) = &mutant.effort {
        let (inputs, time) = (count(effort.executions), seconds(effort.seconds));
        let _ = writeln!(out, "  {:<9} {inputs} inputs in {time}: {}", "search", reach(effort));
        let _ = writeln!(out, "  {:<9} {}", "pace", pace(effort));
        if let Some(risk) = effort.residual_risk {
            let _ = writeln!(out, "  {:<9} {} that as much search again kills it, by estimate", "chance", chance(risk));
        }
    }
    if let Some(proof) = mutant.equivalence.as_ref().filter(|proof| !proof.assumptions.is_empty()) {
        block(&mut out, "assumes", &proof.assumptions.join("\n"));
    }
    if let Some(dismissed) = &mutant.dismissed {
        let by = dismissed.by.as_ref().map(|name| format!(" by {name}")).unwrap_or_default();
        block(&mut out, "dismissed", &format!("as {}{by}: {}", dismissed.judgement.name(), dismissed.reason));
    }
    if let Some(unit) = mutant.unit.as_ref().and_then(|id| outcome.units.iter().find(|unit| unit.id == *id))
        && let Some(reason) = &unit.reason
    {
        block(&mut out, "driver", reason);
    }
    if !mutant.diff.is_empty() {
        out.push('\n');
        for line in limited(&mutant.diff) {
            let code = match line.as_bytes().first() {
                Some(b'+') if !line.starts_with("+++") => "32",
                Some(b'-') if !line.starts_with("---") => "31",
                Some(b'@') => "36",
                _ => "2",
            };
            let _ = writeln!(out, "{}", paint(code, &line));
        }
    }
    if let Some(kill) = &mutant.kill {
        input(&mut out, &kill.input, output);
        if let Some(test) = &kill.test {
            let _ = writeln!(out, "\ntest {}", clean(test));
            for line in details::test_source(output, test).iter().flat_map(|text| limited(text)) {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    out
}

/// The killing input: as values where they were stored, as bytes otherwise.
pub fn input(out: &mut String, input: &Path, output: &Path) {
    let _ = writeln!(out, "\ninput {}", clean(&input.display().to_string()));
    let values = details::decoded(output, input).unwrap_or_default();
    for value in values.iter().take(MOST_LINES) {
        let text = match (value.kind.is_empty(), value.name.is_empty(), value.value.is_empty()) {
            (true, true, _) => value.value.clone(),
            (false, _, true) => format!("{} {}", value.kind, value.name),
            (true, false, _) => format!("{} = {}", value.name, value.value),
            (false, _, false) => format!("{} {} = {}", value.kind, value.name, value.value),
        };
        let _ = writeln!(out, "  {}", on_one_line(&text));
    }
    if values.len() > MOST_LINES {
        let _ = writeln!(out, "  … and {} more", values.len() - MOST_LINES);
    }
    if let Some((bytes, length)) = details::bytes(output, input).filter(|_| values.is_empty()) {
        let _ = writeln!(out, "  {length} bytes: {bytes}");
    }
}

fn block(out: &mut String, name: &str, text: &str) {
    for (n, line) in limited(text).into_iter().enumerate() {
        let _ = writeln!(out, "  {:<9} {line}", if n == 0 { name } else { "" });
    }
}

fn limited(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(clean).collect();
    if lines.len() <= MOST_LINES {
        return lines;
    }
    let more = format!("… and {} more lines", lines.len() - MOST_LINES);
    lines.into_iter().take(MOST_LINES).chain([more]).collect()
}

/// Text from files must not control the terminal.
pub fn clean(text: &str) -> String {
    let harmless = |c: char| !c.is_control() || c == '\t';
    text.trim_end_matches('\r').chars().map(|c| if harmless(c) { c } else { '?' }).collect()
}

/// A C++ value on one line: a line break between values becomes a space, one in a literal is escaped.
fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', Some(_)) => {
                out.push(c);
                out.extend(chars.next());
            }
            ('"' | '\'', None) => {
                quote = Some(c);
                out.push(c);
            }
            (c, Some(end)) if c == end => {
                quote = None;
                out.push(c);
            }
            ('\n', None) => {
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                if !out.ends_with([' ', '(', '{']) && !chars.peek().is_some_and(|c| matches!(c, ')' | '}')) {
                    out.push(' ');
                }
            }
            (c, Some(_)) if c.is_control() => match c {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                // Always three digits: a following digit would be read as part of the escape.
                c => {
                    for byte in c.to_string().bytes() {
                        let _ = write!(out, "\\{byte:03o}");
                    }
                }
            },
            _ => out.push(c),
        }
    }
    clean(&out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_killed_mutant_shows_its_change_its_input_and_its_test() {
        let folder = tempfile::tempdir().unwrap();
        sample::write_details(folder.path());
        let outcome = sample::outcome();
        let killed = outcome.mutants.iter().find(|mutant| mutant.kill.is_some()).unwrap();
        let text = render(&outcome, killed, folder.path(), false);
        for word in [
            "+  return a < b",
            "TEST(ChargeableModule",
            "status    killed",
            "sat::StaticMission(3.5)",
            "unit      sat::",
        ] {
            assert!(text.contains(word), "no `{word}` in:\n{text}");
        }
        assert!(text.lines().count() < 60 && !text.contains('\u{1b}'), "{text}");
        assert!(render(&outcome, killed, folder.path(), true).contains("\u{1b}[32m+  return"));
    }

    #[test]
    fn a_live_mutant_shows_how_far_the_search_got() {
        let outcome = sample::outcome();
        let live = outcome.mutants.iter().find(|mutant| mutant.status == Status::Live).unwrap();
        let text = render(&outcome, live, Path::new("/nowhere"), false);
        assert!(text.contains("1,204,311 inputs in 2.5 s: reached"), "{text}");
        assert!(text.contains("501,796 inputs a CPU second, the original returned on 80 %"), "{text}");
        assert!(text.contains("-  return a <= b"), "{text}");
    }

    #[test]
    fn a_value_is_one_line_of_cpp_whatever_is_in_it() {
        let cases = [
            ("int[3] a = {1,\n    2,\n  3\n}", "int[3] a = {1, 2, 3}"),
            ("{\n  'a', '\n', '\\''\n}", "{'a', '\\n', '\\''}"),
            ("\"x\ty\u{7}1\\\"\n\"", "\"x\\ty\\0071\\\"\\n\""),
            ("\"a\"\n    \"b\"", "\"a\" \"b\""),
            ("\u{1b}[2J", "?[2J"),
        ];
        for (text, expected) in cases {
            assert_eq!(on_one_line(text), expected);
        }
    }

    #[test]
    fn text_from_files_never_steers_the_terminal() {
        let mut outcome = sample::outcome();
        outcome.mutants[2].diff = "+\u{1b}[2Jgone\n".into();
        outcome.mutants[2].reason = Some("x\ny\u{7}".into());
        let text = render(&outcome, &outcome.mutants[2], Path::new("/nowhere"), false);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text:?}");
    }
}
