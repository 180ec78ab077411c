//! As much of C++'s lexing as renaming in a copied text needs: identifiers outside comments, strings and
//! character literals.

/// An identifier in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// Offset of its first byte.
    pub start: usize,
    /// The identifier.
    pub text: &'t str,
    /// Stands behind `.` or `->`.
    pub is_member: bool,
    /// Stands on a preprocessor line.
    pub in_directive: bool,
}

/// The identifiers of `text` in order. Comments, string, raw string and character literals are skipped.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    let mut member = false;
    let mut directive = false;
    let mut line_is_empty = true;
    while at < bytes.len() {
        let c = bytes[at];
        match c {
            b'\n' => {
                directive = directive && at > 0 && bytes[at - 1] == b'\\';
                line_is_empty = true;
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(text.len(), |end| at + 2 + end + 2);
                continue;
            }
            b'#' if line_is_empty => {
                directive = true;
                at += 1;
            }
            b'"' => at = string_end(text, at, b'"'),
            // A digit separator is taken care of with its number.
            b'\'' => at = string_end(text, at, b'\''),
            b'0'..=b'9' => {
                at += 1;
                while at < bytes.len()
                    && (bytes[at].is_ascii_alphanumeric()
                        || matches!(bytes[at], b'.' | b'_')
                        || (bytes[at] == b'\'' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric))
                        || (matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')))
                {
                    at += 1;
                }
            }
            c if c == b'_' || c.is_ascii_alphabetic() || c >= 0x80 => {
                let start = at;
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric() || bytes[at] >= 0x80)
                {
                    at += 1;
                }
                let word = &text[start..at];
                if bytes.get(at) == Some(&b'"') && matches!(word, "R" | "LR" | "uR" | "UR" | "u8R") {
                    at = raw_string_end(text, at);
                } else {
                    out.push(Word { start, text: word, is_member: member, in_directive: directive });
                }
            }
            _ => {
                member = c == b'.' && bytes.get(at + 1) != Some(&b'.') || c == b'>' && at > 0 && bytes[at - 1] == b'-';
                line_is_empty &= c.is_ascii_whitespace();
                at += 1;
                if c.is_ascii_whitespace() {
                    member = out.last().is_some() && text[..at].trim_end().ends_with("->");
                }
                continue;
            }
        }
        member = false;
        line_is_empty = false;
    }
    out
}

fn string_end(text: &str, start: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

fn raw_string_end(text: &str, quote: usize) -> usize {
    let Some(open) = text[quote..].find('(') else { return text.len() };
    let close = format!("){}\"", &text[quote + 1..quote + open]);
    text[quote + open..].find(&close).map_or(text.len(), |end| quote + open + end + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<&str> {
        words(text).into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn comments_and_literals_hold_no_words() {
        assert_eq!(spelled("a /* b */ \"c \\\" d\" 'e' R\"x(f )\" g)x\" h // i\nj"), ["a", "h", "j"]);
    }

    #[test]
    fn numbers_with_separators_and_exponents_hold_no_words() {
        assert_eq!(spelled("1'000'000 0x1p-3f 1e+5L 3_km x"), ["x"]);
    }

    #[test]
    fn members_and_directives_are_told_apart() {
        let found = words("a.b c->d e\n#define F g\nh");
        let members: Vec<_> = found.iter().filter(|w| w.is_member).map(|w| w.text).collect();
        assert_eq!(members, ["b", "d"]);
        let directives: Vec<_> = found.iter().filter(|w| w.in_directive).map(|w| w.text).collect();
        assert_eq!(directives, ["define", "F", "g"]);
    }
}
