//! YAML files of the user: typed reading, with errors that name the line and the nearest known key.

use crate::diag::{Problem, nearest};
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads `file` into a `T`; `code` is the problem's code where the file is not what `T` wants.
pub fn read<T: DeserializeOwned + Default>(file: &Path, code: &'static str) -> Result<(T, String), Problem> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Problem::usage(code, format!("cannot be read: {error}"), "check the path and its permissions").at(file)
    })?;
    let value = parse(&text, code).map_err(|problem| problem.at(file))?;
    Ok((value, text))
}

/// Reads `text` into a `T`. An empty document is `T`'s default.
pub fn parse<T: DeserializeOwned + Default>(text: &str, code: &'static str) -> Result<T, Problem> {
    match serde_yaml::from_str::<Option<T>>(text) {
        Ok(value) => twice(text, code).map_or_else(|| Ok(value.unwrap_or_default()), Err),
        Err(error) => Err(explain(&error, text, code)),
    }
}

/// A key that stands twice in one mapping: a map of `T` would take the last and drop the others without a word.
fn twice(text: &str, code: &'static str) -> Option<Problem> {
    let error = serde_yaml::from_str::<serde_yaml::Value>(text).err()?;
    let message = error.to_string();
    let message = strip_position(&message);
    let problem = Problem::usage(code, message, "say it once");
    let Some(key) = message.split('"').nth(1).filter(|_| message.contains("duplicate entry")) else {
        return Some(problem);
    };
    let lines: Vec<u32> = (1..).zip(text.lines()).filter(|(_, line)| is_key(line, key)).map(|(n, _)| n).collect();
    let line = lines.get(1).or(lines.first()).copied();
    let problem = Problem::usage(code, format!("`{key}` is said twice"), "say it once");
    Some(Problem { line, ..problem })
}

/// Turns serde's error into a problem: the line, what is wrong, the nearest known word.
fn explain(error: &serde_yaml::Error, text: &str, code: &'static str) -> Problem {
    let message = error.to_string();
    let message = strip_position(&message);
    let line = error.location().map(|location| location.line() as u32);
    // serde says: unknown field `x`, expected one of `a`, `b` (or: expected `a`; there are no fields)
    let unknown = ["unknown field `", "unknown variant `"].iter().find_map(|start| {
        let at = message.find(start)?;
        let mut words = message[at + start.len() - 1..].split('`').skip(1).step_by(2);
        Some((words.next()?.to_owned(), words.map(str::to_owned).collect::<Vec<_>>(), start.contains("field")))
    });
    let Some((word, known, is_field)) = unknown else {
        // What begins with a word in quotes is about that word.
        let quoted = message.split_once(": `").and_then(|(_, rest)| rest.split_once('`')).map(|(word, _)| word);
        let line = quoted.zip(line).and_then(|(word, from)| line_of_word(text, word, from)).or(line);
        let problem =
            Problem::usage(code, message, "see the JSON Schema in utility-overrides/ for what can stand here");
        return match line {
            Some(line) => problem.line(line),
            None => problem,
        };
    };
    // What a map's keys may be is an enumeration as well.
    let is_keys = is_field || text.lines().any(|line| is_key(line, &word));
    let noun = if is_keys { "key" } else { "value" };
    let what = match message.split_once(": unknown ") {
        Some((place, _)) => format!("unknown {noun} `{word}` in `{place}`"),
        None => format!("unknown {noun} `{word}`"),
    };
    let list = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
    let fix = match nearest(&word, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? Known here: {list}"),
        None => format!("known here: {list}"),
    };
    let mut problem = Problem::usage(code, what, fix);
    problem.line = if is_keys { key_line(text, &word, line) } else { line };
    problem
}

/// serde_yaml ends its messages with ` at line 3 column 1`.
fn strip_position(message: &str) -> &str {
    match message.rfind(" at line ") {
        Some(at) if message[at + 9..].chars().all(|c| c.is_ascii_digit() || c == ' ' || "column".contains(c)) => {
            &message[..at]
        }
        _ => message,
    }
}

/// The line of `key: …`, nearest to (and rather at or before) the line that the parser points to.
fn key_line(text: &str, key: &str, hint: Option<u32>) -> Option<u32> {
    let lines: Vec<u32> = (1..).zip(text.lines()).filter(|(_, line)| is_key(line, key)).map(|(n, _)| n).collect();
    let Some(hint) = hint else { return lines.first().copied() };
    lines.iter().rev().find(|line| **line <= hint).or(lines.first()).copied().or(Some(hint))
}

/// Whether `line` opens the mapping entry `key`, in block or flow style.
fn is_key(line: &str, key: &str) -> bool {
    let mut from = 0;
    while let Some(at) = line[from..].find(key) {
        let (start, end) = (from + at, from + at + key.len());
        let before = line[..start].trim_end_matches(['"', '\'']);
        let after = line[end..].trim_start_matches(['"', '\'']).trim_start();
        let opens = before.is_empty() || before.ends_with([' ', '{', ',', '-', '\t']);
        let closes =
            after.strip_prefix(':').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '{', '[']));
        if opens && closes && !before.contains('#') {
            return true;
        }
        from = end;
    }
    false
}

/// The first line at or after `from` (counted from 1) that has `key` as a mapping key.
pub fn line_of_key(text: &str, key: &str, from: u32) -> Option<u32> {
    (1..).zip(text.lines()).find(|(n, line)| *n >= from && is_key(line, key)).map(|(n, _)| n)
}

/// The first line at or after `from` (counted from 1) that has `word` outside a comment.
pub fn line_of_word(text: &str, word: &str, from: u32) -> Option<u32> {
    let uncommented = |line: &str| match line.split_once(" #") {
        Some((code, _)) => code.contains(word),
        None => !line.trim_start().starts_with('#') && line.contains(word),
    };
    (1..).zip(text.lines()).find(|(n, line)| *n >= from && uncommented(line)).map(|(n, _)| n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Outer {
        budget: Option<String>,
        inner: Option<Inner>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        length: Option<u32>,
        colour: Option<Colour>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
        Green,
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_nearest_known_one() {
        let problem = parse::<Outer>("# first\nbudgett: 10s\n", "yaml").unwrap_err();
        assert_eq!(problem.line, Some(2));
        assert_eq!(problem.what, "unknown key `budgett`");
        assert!(problem.fix.starts_with("did you mean `budget`?"), "{}", problem.fix);
    }

    #[test]
    fn an_unknown_key_deeper_down_is_named_with_its_place() {
        let problem = parse::<Outer>("budget: 1s\ninner:\n  colour: red\n  lenght: 3\n", "yaml").unwrap_err();
        assert_eq!(problem.line, Some(4));
        assert_eq!(problem.what, "unknown key `lenght` in `inner`");
        assert!(problem.fix.starts_with("did you mean `length`?"), "{}", problem.fix);
    }

    #[test]
    fn an_unknown_value_names_the_nearest_known_one() {
        let problem = parse::<Outer>("inner:\n  colour: gren\n", "yaml").unwrap_err();
        assert_eq!(problem.line, Some(2));
        assert!(problem.what.starts_with("unknown value `gren`"), "{}", problem.what);
        assert!(problem.fix.starts_with("did you mean `green`?"), "{}", problem.fix);
    }

    #[test]
    fn a_wrong_type_names_the_line() {
        let problem = parse::<Outer>("budget: 1s\ninner:\n  length: many\n", "yaml").unwrap_err();
        assert_eq!(problem.line, Some(3));
        assert!(problem.what.contains("invalid type"), "{}", problem.what);
    }

    #[test]
    fn broken_yaml_names_the_line() {
        let problem = parse::<Outer>("budget: 1s\n  inner: [\n", "yaml").unwrap_err();
        assert!(problem.line.is_some(), "{problem}");
    }

    #[test]
    fn a_key_that_is_said_twice_is_named_with_its_line() {
        let problem = parse::<std::collections::BTreeMap<String, u32>>("a: 1\nb: 2\na: 3\n", "yaml").unwrap_err();
        assert_eq!((problem.line, problem.what.as_str()), (Some(3), "`a` is said twice"));
    }

    #[test]
    fn an_empty_file_says_nothing() {
        assert!(parse::<Outer>("", "yaml").unwrap().budget.is_none());
        assert!(parse::<Outer>("# only a comment\n", "yaml").unwrap().inner.is_none());
    }

    #[test]
    fn keys_are_found_in_block_and_flow_style_but_not_in_comments() {
        assert!(is_key("  length: 3", "length"));
        assert!(is_key("buf: {length: 3}", "length"));
        assert!(is_key("\"length\": 3", "length"));
        assert!(!is_key("least_length: 3", "length"));
        assert!(!is_key("# length: 3", "length"));
        assert!(is_key("  sat::Mission: [x]", "sat::Mission") && !is_key("  sat::Mission: [x]", "sat"));
        assert_eq!(line_of_word("# Mission\n# x\nclass: Mission\n", "Mission", 1), Some(3));
    }
}
