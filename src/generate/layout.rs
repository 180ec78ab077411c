//! How generated text is set: the body that dispatches on the active mutant, and lines that would be too long.

use crate::model::Language;
use std::fmt::Write as _;

/// The longest line of generated code; only what has no place to break may be longer.
const WIDTH: usize = 116;

/// One version of a body.
pub struct Version {
    /// `case 1`, or `default`.
    pub label: String,
    /// A one-line comment.
    pub comment: String,
    /// The body, braces included.
    pub body: String,
}

/// The body that does what the active mutant says. `margin` is the indentation of the line on which the original's
/// body starts.
pub fn dispatching_body(language: Language, margin: &str, versions: &[Version]) -> String {
    let original = versions.last().map_or("", |v| v.body.as_str());
    let (own, step) = indentation(original, margin);
    let mut out = format!("{{\n{own}{step}switch (motif_mutant) {{\n");
    for Version { label, comment, body } in versions {
        let pad = format!("{own}{step}{step}");
        let comment = match language {
            Language::C => format!("/* {} */", comment.replace("*/", "* /")),
            Language::Cxx => format!("// {comment}"),
        };
        let Some((first, rest)) = body.split_once('\n') else {
            let _ = writeln!(out, "{pad}{label}: {body} break;  {comment}");
            continue;
        };
        let rest = shifted(rest, &format!("{step}{step}"));
        if first.trim() == "{" {
            let _ = writeln!(out, "{pad}{label}: {{  {comment}\n{rest} break;");
        } else {
            let _ = writeln!(out, "{pad}{comment}\n{pad}{label}: {first}\n{rest} break;");
        }
    }
    let _ = write!(out, "{own}{step}}}\n{own}}}");
    out
}

/// The indentation of a body's closing brace, and how much deeper its statements are.
fn indentation(body: &str, margin: &str) -> (String, String) {
    let space = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
    let Some((_, rest)) = body.split_once('\n') else {
        return (margin.to_owned(), if margin.is_empty() { "    ".into() } else { margin.to_owned() });
    };
    let own = rest.lines().last().map_or_else(String::new, space);
    let inner = rest.lines().find(|line| !line.trim().is_empty()).map_or_else(String::new, space);
    let step = inner.strip_prefix(own.as_str()).filter(|step| !step.is_empty() && step.len() <= 8);
    let step = step.map_or_else(|| "    ".to_owned(), str::to_owned);
    (own, step)
}

/// The lines with `pad` before each; raw strings, directives and continued lines stay where they are.
fn shifted(text: &str, pad: &str) -> String {
    if text.contains("R\"") || text.lines().any(|l| l.trim_start().starts_with('#')) || text.contains("\\\n") {
        return text.to_owned();
    }
    let line = |line: &str| if line.trim().is_empty() { String::new() } else { format!("{pad}{line}") };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A statement on as many lines as it takes: broken behind commas, further lines indented.
pub fn folded(line: &str) -> String {
    if line.len() <= WIDTH {
        return line.to_owned();
    }
    let margin = line.len() - line.trim_start().len() + 4;
    let mut out = String::new();
    let mut current = String::new();
    for piece in pieces(line) {
        if !current.trim().is_empty() && current.len() + piece.trim_end().len() > WIDTH {
            out.push_str(current.trim_end());
            out.push('\n');
            current = " ".repeat(margin);
        }
        current.push_str(piece);
    }
    out + current.trim_end()
}

/// The parts of a line that end behind a comma, but for commas within literals.
fn pieces(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut escaped = false;
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(open), _) if open == *byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b',') if bytes.get(at + 1) == Some(&b' ') => {
                found.push(&line[start..at + 2]);
                start = at + 2;
            }
            _ => {}
        }
    }
    found.push(&line[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(label: &str, body: &str) -> Version {
        Version { label: label.into(), comment: format!("why {label}"), body: body.into() }
    }

    #[test]
    fn a_dispatching_body_keeps_the_indentation_of_the_file() {
        let body = "{\n        return a;\n    }";
        let text = dispatching_body(
            Language::Cxx,
            "    ",
            &[version("case 1", &body.replace('a', "b")), version("default", body)],
        );
        assert_eq!(
            text,
            "{\n        switch (motif_mutant) {\n            case 1: {  // why case 1\n                return b;\n\
             \x20           } break;\n            default: {  // why default\n                return a;\n\
             \x20           } break;\n        }\n    }"
        );
    }

    #[test]
    fn bodies_of_one_line_stay_on_one_line_and_c_gets_comments_of_c() {
        let text = dispatching_body(Language::C, "", &[version("case 1", "{ f(); }"), version("default", "{ g(); }")]);
        assert_eq!(
            text,
            "{\n    switch (motif_mutant) {\n        case 1: { f(); } break;  /* why case 1 */\n        \
             default: { g(); } break;  /* why default */\n    }\n}"
        );
    }

    #[test]
    fn text_that_means_something_by_its_place_is_not_shifted() {
        let body = "{\n#if A\n  f();\n#endif\n}";
        let text = dispatching_body(Language::C, "", &[version("default", body)]);
        assert!(text.contains("\n#if A\n  f();\n#endif\n} break;"), "{text}");
    }

    #[test]
    fn long_lines_break_behind_commas_but_never_within_a_literal() {
        let long = format!("  f({}\"a, b\", c);", "argument, ".repeat(12));
        let text = folded(&long);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("      ")), "{text}");
        assert!(text.contains("\"a, b\""), "{text}");
        assert_eq!(folded("short(a, b);"), "short(a, b);");
    }
}
