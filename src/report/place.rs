//! Where a mutant changes its file, to the column: read from its diff.

use crate::outcome::MutantOutcome;

/// A position in the original file. Lines and columns start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in bytes, as compilers count it.
    pub column: u32,
    /// The column in UTF-16 code units, as editors and browsers count it.
    pub utf16: u32,
}

/// A mutant's first change, widened to whole tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its start.
    pub start: Position,
    /// Behind its end.
    pub end: Position,
    /// The text in the original.
    pub old: String,
    /// The text in the mutant.
    pub new: String,
    /// There are changes elsewhere in the file as well.
    pub more: bool,
}

impl Place {
    /// The place of a mutant; the start of its line if its diff shows no change.
    pub fn of(mutant: &MutantOutcome) -> Self {
        let Some((line, old, new, more)) = first_change(&mutant.diff) else {
            let start = Position { line: mutant.line.max(1), column: 1, utf16: 1 };
            return Self { start, end: start, old: String::new(), new: String::new(), more: false };
        };
        // Lines that go begin behind their indentation.
        let indent = old.len() - old.trim_start().len();
        let (start, cut) = if new.is_empty() { (indent, 0) } else { narrowed(&old, &new) };
        let at = |end: usize| {
            let before = &old[..end];
            let last = before.rsplit('\n').next().unwrap_or_default();
            let lines = before.matches('\n').count() as u32;
            let utf16 = last.encode_utf16().count() as u32 + 1;
            Position { line: line + lines, column: last.len() as u32 + 1, utf16 }
        };
        let end = old.len() - cut;
        let text = |whole: &str| whole.get(start..whole.len() - cut).unwrap_or_default().to_owned();
        Self { start: at(start), end: at(end), old: text(&old), new: text(&new), more }
    }

    /// The change in a few words: `<=` changed to `<`.
    pub fn words(&self) -> String {
        self.words_with(|text| format!("`{text}`"))
    }

    /// The same, with source text as `code` writes it.
    pub fn words_with(&self, code: impl Fn(&str) -> String) -> String {
        let short = |text: &str| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let cut = text.char_indices().nth(60).map(|(at, _)| format!("{}…", &text[..at]));
            cut.unwrap_or(text)
        };
        let more = if self.more { ", and more" } else { "" };
        match (short(&self.old), short(&self.new)) {
            (old, new) if old.is_empty() && new.is_empty() => "changed".to_owned(),
            (old, new) if old.is_empty() => format!("inserted {}{more}", code(&new)),
            (old, new) if new.is_empty() => format!("removed {}{more}", code(&old)),
            (old, new) => format!("{} changed to {}{more}", code(&old), code(&new)),
        }
    }
}

/// The line, the removed and the added text of the first change, and whether there are others.
fn first_change(diff: &str) -> Option<(u32, String, String, bool)> {
    let (mut line, mut first, mut done, mut more) = (None, 0, false, false);
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for text in diff.lines() {
        if let Some(rest) = text.strip_prefix("@@ -") {
            line = rest.split([',', ' ']).next().and_then(|number| number.parse::<u32>().ok());
            done = first > 0;
            continue;
        }
        let Some(line) = &mut line else { continue };
        match (text.as_bytes().first(), done) {
            (Some(b'-' | b'+'), true) => more = true,
            (Some(sign @ (b'-' | b'+')), false) => {
                first = if first == 0 { *line } else { first };
                if *sign == b'-' { old.push(&text[1..]) } else { new.push(&text[1..]) }
            }
            (Some(b'\\'), _) => continue,
            _ => done = first > 0,
        }
        *line += u32::from(text.as_bytes().first() != Some(&b'+'));
    }
    (first > 0).then(|| (first.max(1), old.join("\n"), new.join("\n"), more))
}

/// The lengths of what two texts have in common at their start and their end, without parts of tokens.
fn narrowed(old: &str, new: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let mut start: usize = old.chars().zip(new.chars()).take_while(same).map(length).sum();
    let rest = old[start..].chars().rev().zip(new[start..].chars().rev());
    let mut cut: usize = rest.take_while(same).map(length).sum();
    let changed = [&old[start..old.len() - cut], &new[start..new.len() - cut]];
    let joins =
        |c: char, ends: [Option<char>; 2]| class(c) != 0 && ends.iter().flatten().any(|end| class(*end) == class(c));
    let (firsts, lasts) = (changed.map(|text| text.chars().next()), changed.map(|text| text.chars().next_back()));
    while let Some(c) = old[..start].chars().next_back().filter(|c| joins(*c, firsts)) {
        start -= c.len_utf8();
    }
    while let Some(c) = old[old.len() - cut..].chars().next().filter(|c| joins(*c, lasts)) {
        cut -= c.len_utf8();
    }
    (start, cut)
}

/// Characters of one class make one token: words and numbers, or operators.
fn class(c: char) -> u8 {
    match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        '<' | '>' | '=' | '!' | '&' | '|' | '+' | '-' | '*' | '/' | '%' | '^' => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn place(old: &str, new: &str) -> Place {
        let mut mutant = sample::outcome().mutants[2].clone();
        let signed = |sign: char, text: &str| text.lines().map(|line| format!("{sign}{line}\n")).collect::<String>();
        mutant.diff =
            format!("--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@\n int f() {{\n{}{} }}\n", signed('-', old), signed('+', new));
        Place::of(&mutant)
    }

    #[test]
    fn a_change_is_found_to_the_token() {
        let cases = [
            ("  if (a <= b)", "  if (a < b)", (4, 9), "<=", "<"),
            ("  return count + 1;", "  return counter + 1;", (4, 10), "count", "counter"),
            ("  return x;", "", (4, 3), "return x;", ""),
            ("", "  abort();", (4, 1), "", "  abort();"),
            ("f(a,\n  b);", "f(a,\n  c);", (5, 3), "b", "c"),
        ];
        for (old, new, at, from, to) in cases {
            let place = place(old, new);
            assert_eq!((place.start.line, place.start.column), at, "{old}");
            assert_eq!((place.old.as_str(), place.new.as_str(), place.more), (from, to, false));
        }
    }

    #[test]
    fn columns_are_bytes_for_compilers_and_utf_16_for_browsers() {
        let place = place("s = \"𝄞ü\" + a;", "s = \"𝄞ü\" + b;");
        assert_eq!((place.start.column, place.start.utf16, place.end.utf16), (16, 13, 14));
    }

    #[test]
    fn without_a_change_the_place_is_its_line() {
        let mut mutant = sample::outcome().mutants[2].clone();
        mutant.diff.clear();
        assert_eq!(Place::of(&mutant).start.line, 20);
        assert_eq!(Place::of(&mutant).words(), "changed");
    }
}
