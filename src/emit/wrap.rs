//! Lines that fit on a screen: statements are broken at the commas of their lists, long texts between two letters.

/// What a line may have before it is broken.
const MOST: usize = 110;
/// What its parts may have.
const WIDTH: usize = 100;
/// A text is not broken for less.
const SHORTEST: usize = 24;

/// A line of code in C or C++ as lines that mean the same; comments and what has no place to be broken stay.
pub(super) fn lines_of(line: &str) -> Vec<String> {
    let indent = line.len() - line.trim_start().len();
    // The line that opens a test is looked for as it is, and so is what a comment stands behind.
    let is_whole = indent == 0 || line.contains("R\"") || line.contains("  // ") || line.ends_with('\\');
    if line.len() <= MOST || is_whole || line[indent..].starts_with(['/', '#', '*']) {
        return vec![line.to_owned()];
    }
    if let Some(lines) = with_body(line, indent) {
        return lines;
    }
    let under = " ".repeat(indent + 4);
    let (mut lines, mut rest): (Vec<String>, String) = (Vec::new(), line.to_owned());
    while rest.len() > WIDTH {
        let Some(place) = place(&rest, !lines.is_empty()) else { break };
        match place {
            Place::Comma(at) => {
                let behind = format!("{under}{}", rest[at..].trim_start());
                rest.truncate(at);
                lines.push(std::mem::replace(&mut rest, behind));
            }
            Place::Text(at) => {
                let behind = format!("{under}\"{}", &rest[at..]);
                rest.truncate(at);
                rest.push('"');
                lines.push(std::mem::replace(&mut rest, behind));
            }
        }
    }
    lines.push(rest);
    lines
}

/// A line that has a lambda expression with several statements in it, with a line for each.
fn with_body(line: &str, indent: usize) -> Option<Vec<String>> {
    let lambda = line.find("[&](")?;
    let open = lambda + line[lambda..].find(" { ")? + 2;
    let (mut depth, mut quote, mut start, mut end) = (0, None, open + 1, None);
    let mut statements = Vec::new();
    let mut bytes = line.bytes().enumerate().skip(open + 1);
    while let Some((at, c)) = bytes.next() {
        match (quote, c) {
            (Some(_), b'\\') => drop(bytes.next()),
            (Some(open), c) if open == c => quote = None,
            (None, b'"' | b'\'') => quote = Some(c),
            (None, b'(' | b'{') => depth += 1,
            (None, b'}') if depth == 0 => {
                end = Some(at);
                break;
            }
            (None, b')' | b'}') => depth -= 1,
            (None, b';') if depth == 0 => {
                statements.push(format!("{}  {}", " ".repeat(indent), line[start..=at].trim_start()));
                start = at + 1;
            }
            _ => {}
        }
    }
    let end = end.filter(|end| statements.len() > 1 && line[start..*end].trim().is_empty())?;
    let rest = format!("{}{}", " ".repeat(indent), &line[end..]);
    let first = std::iter::once(line[..open].to_owned());
    Some(first.chain(statements).chain([rest]).flat_map(|line| lines_of(&line)).collect())
}

enum Place {
    /// Behind a comma.
    Comma(usize),
    /// Inside a text, between two of its letters.
    Text(usize),
}

/// Where to break: behind the last comma of a list in parentheses or braces, else in a text that is too long. What
/// `goes_on` begins inside of a list.
fn place(line: &str, goes_on: bool) -> Option<Place> {
    let bytes = line.as_bytes();
    let first = line.len() - line.trim_start().len();
    let (mut depth, mut quote, mut comma, mut text) = (usize::from(goes_on), None, None, None);
    let mut begun = first;
    let mut at = first;
    while at < bytes.len() && at < WIDTH {
        let c = bytes[at];
        match quote {
            Some(_) if c == b'\\' => {
                let end = at + escape(&bytes[at..]);
                if quote == Some(b'"') && at > begun + SHORTEST && end < WIDTH && line.is_char_boundary(end) {
                    text = Some(end);
                }
                at = end;
                continue;
            }
            Some(q) if c == q => quote = None,
            Some(b'"') if at > begun + SHORTEST && line.is_char_boundary(at) => text = Some(at),
            Some(_) => {}
            None => match c {
                // What stands behind a statement stays as it is.
                b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => break,
                // (Between two digits it parts them.)
                b'\'' if at > 0 && bytes[at - 1].is_ascii_digit() => {}
                b'"' | b'\'' => (quote, begun, text) = (Some(c), at, None),
                b'(' | b'{' => depth += 1,
                b')' | b'}' => depth = depth.saturating_sub(1),
                b',' if depth > 0 && bytes.get(at + 1) == Some(&b' ') => comma = Some(at + 1),
                _ => {}
            },
        }
        at += 1;
    }
    // A text that begins late moves to the next line as a whole.
    let is_late = comma.is_some_and(|comma| comma > WIDTH / 2);
    match (comma, text.filter(|_| quote == Some(b'"'))) {
        (Some(comma), _) if is_late => Some(Place::Comma(comma)),
        (_, Some(text)) => Some(Place::Text(text)),
        (Some(comma), None) => Some(Place::Comma(comma)),
        (None, None) => None,
    }
}

/// How long an escape is: `\n`, `\x1b`, `\033`.
fn escape(text: &[u8]) -> usize {
    let digits = |from: usize, is: fn(&u8) -> bool| text[from..].iter().take_while(|c| is(c)).count();
    match text.get(1) {
        Some(b'u') => 6.min(text.len()),
        Some(b'U') => 10.min(text.len()),
        Some(b'x') => 2 + digits(2, u8::is_ascii_hexdigit),
        Some(b'0'..=b'7') => 1 + digits(1, |c| (b'0'..=b'7').contains(c)).min(3),
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statements_of_a_lambda_expression_stand_on_lines_of_their_own() {
        let line = "  const int result = [&](int va_count, ...) -> int { va_list list; va_start(list, va_count); int \
                    result = f(\"; }\", list); va_end(list); return result; }(3, 0, \"\", 0.0);";
        let lines = lines_of(line);
        assert_eq!(lines[0], "  const int result = [&](int va_count, ...) -> int {");
        assert_eq!(lines[3], "    int result = f(\"; }\", list);");
        assert_eq!((lines.len(), lines[6].as_str()), (7, "  }(3, 0, \"\", 0.0);"));
    }

    #[test]
    fn a_long_call_is_broken_at_its_commas_and_a_short_one_is_not() {
        let args = vec!["argument"; 20].join(", ");
        let lines = lines_of(&format!("  const int result = call({args});"));
        assert!(lines.len() == 3 && lines.iter().all(|line| line.len() <= WIDTH), "{lines:?}");
        assert!(lines[0].ends_with(',') && lines[1].starts_with("      argument"), "{lines:?}");
        assert_eq!(lines_of("f(a, b);"), ["f(a, b);"]);
        let comment = format!("// {}", "a, ".repeat(60));
        assert_eq!(lines_of(&comment), std::slice::from_ref(&comment));
        let head = format!("TEST(Suite, {});", vec!["argument"; 20].join(", "));
        assert_eq!(lines_of(&head), std::slice::from_ref(&head));
        let behind = format!("  f(a);  {comment}");
        assert_eq!(lines_of(&behind), [behind]);
    }

    #[test]
    fn a_long_text_is_broken_behind_an_escape_and_never_inside_of_one() {
        let text = format!("  char s[400] = \"{}\";", "\\x1b,\\n".repeat(40));
        let lines = lines_of(&text);
        let inner = |line: &String| line.split('"').nth(1).unwrap_or_default().to_owned();
        assert!(lines.len() > 2 && lines.iter().all(|line| line.matches('"').count() == 2), "{lines:?}");
        assert_eq!(lines.iter().map(inner).collect::<String>(), "\\x1b,\\n".repeat(40));
        assert!(lines.iter().map(inner).all(|part| !part.starts_with(['x', 'n', '1', 'b'])), "{lines:?}");
    }

    #[test]
    fn what_has_no_place_to_be_broken_stays() {
        let name = "a".repeat(200);
        assert_eq!(lines_of(&name), std::slice::from_ref(&name));
        let types = format!("std::map<{name}, int> all;");
        assert_eq!(lines_of(&types), [types]);
    }
}
