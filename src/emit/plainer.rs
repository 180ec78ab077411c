//! The numbers and texts of a test's lines that could be plainer.

use std::ops::Range;

/// The numbers and texts of a line that could be plainer; but for those `as_found`, only such as nobody would write.
pub(super) fn literals(line: &str, as_found: bool) -> impl Iterator<Item = (Range<usize>, Vec<String>)> + '_ {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let from = at;
            match bytes[at] {
                quote @ (b'"' | b'\'') => {
                    at += 1;
                    while at < bytes.len() && bytes[at] != quote {
                        at += 1 + usize::from(bytes[at] == b'\\');
                    }
                    at = (at + 1).min(bytes.len());
                    let text = &line[from..at];
                    // A text of several literals stays.
                    let is_one = quote == b'"' && bytes.get(at) != Some(&b' ') && !line[..from].ends_with("\" ");
                    // Nor does one with its length behind it.
                    let behind = line[at..].strip_prefix(", ").unwrap_or_default();
                    let is_one = is_one && !behind.starts_with(|c: char| c.is_ascii_digit());
                    if is_one && text.len() > 3 && as_found {
                        let is_ascii = text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'\\');
                        let begins = (1..BEGINNINGS.min(text.len() - 2)).filter(|_| is_ascii);
                        let begins = begins.map(|length| format!("\"{}\"", &text[1..=length]));
                        return Some((
                            from..at,
                            ["\"\"", "\"a\""].map(str::to_owned).into_iter().chain(begins).collect(),
                        ));
                    }
                }
                c if c.is_ascii_alphanumeric() || c == b'_' => {
                    let is_part = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'.';
                    let is_exponent = |at: usize| {
                        c.is_ascii_digit()
                            && bytes[at] == b'-'
                            && bytes[at - 1] == b'e'
                            && !line[from..at].contains('x')
                    };
                    while at < bytes.len() && (is_part(bytes[at]) || is_exponent(at)) {
                        at += 1;
                    }
                    let minus =
                        line[..from].ends_with('-') && ["(-", " -"].iter().any(|sign| line[..from].ends_with(sign));
                    let from = from - usize::from(minus);
                    let is_apart = !line[..from].ends_with(['<', '[']);
                    if let Some(simpler) = plainer(&line[from..at], as_found).filter(|_| c.is_ascii_digit() && is_apart)
                    {
                        // The least number of its type is written as a difference: `(-2147483647 - 1)`.
                        let is_least = line[..from].ends_with('(') && line[at..].starts_with(LEAST_ENDS);
                        let whole = if is_least { from - 1..at + LEAST_ENDS.len() } else { from..at };
                        at = whole.end;
                        return Some((whole, simpler));
                    }
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// What follows the number in the least one of its type.
const LEAST_ENDS: &str = " - 1)";

/// The longest beginnings of a text that are tried in its place.
const BEGINNINGS: usize = 7;

/// How many digits a number has that nobody would write.
const DIGITS: usize = 6;

/// Plain numbers of the number's type, unless it is one of them.
fn plainer(number: &str, as_found: bool) -> Option<Vec<String>> {
    let digits = number.trim_start_matches('-');
    let (value, suffix) = digits.split_at(digits.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F']).len());
    let is_decimal = value.chars().all(|c| c.is_ascii_digit() || ".e-".contains(c));
    let is_plain = matches!(value, "0" | "1" | "0.0" | "1.0") && number == digits;
    let is_long = value.contains('e') || value.chars().filter(char::is_ascii_digit).count() >= DIGITS;
    if is_plain || !is_decimal || !(as_found || is_long) {
        return None;
    }
    let point = if value.contains(['.', 'e']) { ".0" } else { "" };
    let plain: &[&str] = match (is_long, suffix.contains(['u', 'U'])) {
        (false, _) => &["0", "1"],
        (true, true) => &["0", "1", "1000"],
        (true, false) => &["0", "1", "-1", "1000", "-1000"],
    };
    Some(plain.iter().map(|number| format!("{number}{point}{suffix}")).collect())
}
