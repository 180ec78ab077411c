//! Skip marks in comments: `// motif: skip REASON`.
//!
//! A mark on a line with code covers that line. A mark on a line of its own covers the whole function, class or
//! statement that follows. `// motif: skip-begin REASON` and `// motif: skip-end` enclose any code.

use super::source::Source;
use crate::diag::{Problem, nearest};
use crate::lex::{self, Kind, Token};
use std::path::Path;

/// A mark with its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line of the mark.
    pub line: u32,
    /// The first byte of its range.
    pub start: u32,
    /// The end of its range.
    pub end: u32,
    /// The reason; may be empty.
    pub reason: String,
}

const WORDS: [&str; 3] = ["skip", "skip-begin", "skip-end"];

struct Comment {
    start: u32,
    end: u32,
    word: String,
    reason: String,
}

/// The marks of a file. `whole` returns the end of a function, class or statement that starts at an offset.
pub fn marks(file: &Path, source: &Source, whole: &dyn Fn(u32) -> Option<u32>) -> (Vec<Mark>, Vec<Problem>) {
    let mut marks = Vec::new();
    let mut problems = Vec::new();
    if !source.bytes.windows(6).any(|word| word == b"motif:") {
        return (marks, problems);
    }
    let tokens = lex::tokens(&source.bytes);
    let wrong = |line: u32, what: String, fix: &str| Problem::usage("skip-mark", what, fix).at(file).line(line);
    let mut open: Option<Comment> = None;
    for comment in comments(&source.bytes, &tokens) {
        let line = source.line(comment.start);
        let mut wrong = |what: String, fix: &str| problems.push(wrong(line, what, fix));
        let needs_reason = comment.word == "skip" || comment.word == "skip-begin" && open.is_none();
        if needs_reason && comment.reason.is_empty() {
            let fix = format!("write `// motif: {} REASON`: the lists show it", comment.word);
            wrong("a mark without a reason".into(), &fix);
        }
        match comment.word.as_str() {
            "skip" => {
                let (start, end) = about(&comment, source, &tokens, whole);
                marks.push(Mark { line, start, end, reason: comment.reason });
            }
            "skip-begin" if open.is_some() => {
                wrong("`motif: skip-begin` within another".into(), "end the first one with `// motif: skip-end`");
            }
            "skip-begin" => open = Some(comment),
            "skip-end" => match open.take() {
                Some(begin) => marks.push(Mark {
                    line: source.line(begin.start),
                    start: begin.start,
                    end: comment.end,
                    reason: begin.reason,
                }),
                None => wrong("`motif: skip-end` without a `skip-begin`".into(), "remove it, or add what begins it"),
            },
            other => {
                let fix = match nearest(other, WORDS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known: {}", WORDS.join(", ")),
                };
                wrong(format!("unknown mark `motif: {other}`"), &fix);
            }
        }
    }
    if let Some(begin) = open {
        let line = source.line(begin.start);
        let what = "`motif: skip-begin` goes on to the end of the file".into();
        problems.push(wrong(line, what, "end it with `// motif: skip-end`"));
        marks.push(Mark { line, start: begin.start, end: source.bytes.len() as u32, reason: begin.reason });
    }
    (marks, problems)
}

/// The range of a `skip`.
fn about(comment: &Comment, source: &Source, tokens: &[Token], whole: &dyn Fn(u32) -> Option<u32>) -> (u32, u32) {
    let is_text = |token: &&Token| token.kind != Kind::DirectiveEnd;
    let line_of = |offset: u32| source.line_span(source.line(offset));
    let (first, last) = (line_of(comment.start).0, line_of(comment.end.saturating_sub(1)).1);
    let at = tokens.partition_point(|token| token.start < first);
    // A token may have started on a line above.
    let reaches_in = at > 0 && tokens[at - 1].end > first;
    if reaches_in || tokens[at..].iter().filter(is_text).take_while(|token| token.start < last).next().is_some() {
        return (first, last);
    }
    let next = tokens[at..].iter().find(|token| is_text(token) && token.start >= comment.end);
    let Some(next) = next else { return (first, last) };
    match whole(next.start) {
        Some(end) => (next.start, end),
        None => line_of(next.start),
    }
}

/// The comments with marks.
fn comments(source: &[u8], tokens: &[Token]) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0usize;
    let ends = tokens.iter().filter(|token| token.end > token.start);
    let gaps: Vec<(usize, usize)> = ends
        .map(|token| {
            let gap = (at, token.start as usize);
            at = token.end as usize;
            gap
        })
        .collect();
    for (start, end) in gaps.into_iter().chain([(at, source.len())]) {
        let mut from = start;
        while from + 1 < end {
            let rest = &source[from..end];
            let length = match rest {
                [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
                [b'/', b'*', ..] => rest[2..].windows(2).position(|w| w == b"*/").map_or(rest.len(), |at| at + 4),
                _ => {
                    from += 1;
                    continue;
                }
            };
            let text = String::from_utf8_lossy(&rest[..length]);
            let text = text.strip_suffix("*/").unwrap_or(&text);
            let text = text.trim_start_matches(['/', '*', '!', '<']).trim();
            if let Some(said) = text.strip_prefix("motif:") {
                let said = said.trim_start();
                let (word, reason) = said.split_once(|c: char| c.is_whitespace() || c == ':').unwrap_or((said, ""));
                found.push(Comment {
                    start: from as u32,
                    end: (from + length) as u32,
                    word: word.to_owned(),
                    reason: reason.split_whitespace().collect::<Vec<_>>().join(" "),
                });
            }
            from += length;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text in each mark's range, and the problems.
    fn read(text: &str) -> (Vec<(String, String)>, Vec<String>) {
        let source = Source::new(text.as_bytes().to_vec());
        // A statement or function ends with the first `}` of its line's depth; enough for these texts.
        let whole = |start: u32| {
            let rest = &text[start as usize..];
            rest.starts_with(['i', 'f']).then(|| start + rest.find("\n}").map_or(rest.len(), |at| at + 2) as u32)
        };
        let (marks, problems) = marks(Path::new("a.c"), &source, &whole);
        let text = |mark: &Mark| text[mark.start as usize..mark.end as usize].trim().to_owned();
        (
            marks.iter().map(|mark| (text(mark), mark.reason.clone())).collect(),
            problems.iter().map(|problem| format!("{}: {}", problem.line.unwrap(), problem.what)).collect(),
        )
    }

    fn one(text: &str) -> (String, String) {
        let (mut marks, problems) = read(text);
        assert_eq!((marks.len(), problems), (1, Vec::new()), "{text}");
        marks.remove(0)
    }

    #[test]
    fn a_mark_behind_code_is_about_its_line() {
        let (text, reason) = one("a;\nb; // motif: skip only a hint\nc;\n");
        assert_eq!((text.as_str(), reason.as_str()), ("b; // motif: skip only a hint", "only a hint"));
        assert!(one("a;\n/* motif: skip x */ b;\r\nc;\n").0.ends_with("b;"));
    }

    #[test]
    fn a_mark_on_its_own_line_is_about_what_follows_as_a_whole() {
        let function = "int f() {\n  a;\n}\nint g;\n";
        for comment in ["// motif: skip hash\n", "/// motif: skip hash\n// more\n\n", "/* motif: skip\n   hash */\n"] {
            let (text, reason) = one(&format!("z;\n{comment}{function}"));
            assert_eq!((text.as_str(), reason.as_str()), ("int f() {\n  a;\n}", "hash"));
        }
        // Anything else is the next line.
        assert_eq!(one("// motif: skip x\nz = 1; y;\nw;\n").0, "z = 1; y;");
        assert_eq!(one("a;\n// motif: skip: last\n").1, "last");
    }

    #[test]
    fn a_stretch_is_what_begin_and_end_enclose() {
        let (text, reason) = one("a;\n// motif: skip-begin tables\nb;\nc;\n// motif: skip-end\nd;\n");
        assert!(text.contains("b;\nc;") && !text.contains("a;") && !text.contains("d;"), "{text}");
        assert_eq!(reason, "tables");
    }

    #[test]
    fn text_that_only_looks_like_a_mark_is_none() {
        for text in ["char *s = \"// motif: skip x\";\n", "// see motif: skip\n", "// motifs: skip x\n", "int motif;\n"]
        {
            assert_eq!(read(text), (Vec::new(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn marks_that_are_wrong_are_said_to_be() {
        let problems = |text: &str| read(text).1;
        assert_eq!(problems("a; // motif: skip\n"), ["1: a mark without a reason"]);
        assert_eq!(problems("\n// motif: skp x\na;\n"), ["2: unknown mark `motif: skp`"]);
        assert_eq!(problems("// motif: skip-end\n").len(), 1);
        let (marks, problems) = read("// motif: skip-begin x\na;\n// motif: skip-begin y\nb;\n");
        assert_eq!((marks.len(), problems.len()), (1, 2));
        assert!(marks[0].0.ends_with("b;"));
    }
}
