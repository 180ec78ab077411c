//! Numbers in the radix that a reader knows them in: hexadecimal where the changed line has hexadecimal numbers, and
//! where an unsigned number is so large that only its bits can mean anything.

use super::lines::by_quotes;
use super::{Check, CheckKind, TestCase, comment, naming};

/// From here on an unsigned number is a pattern of bits.
const PATTERN: u128 = 1 << 24;
/// Counts and durations end in noughts.
const ROUND: u128 = 100;
/// Below this a number has one digit in either radix.
const ONE_DIGIT: u128 = 16;
/// Below this an input may be a length.
const LENGTHS: u128 = 128;
/// Lines with these have numbers of elements.
const COUNTING: [&str; 8] =
    ["for (", "fwrite(", "fill_n(", "memset(", "memcpy(", "calloc(", "fmemopen(", crate::generate::lower::files::MAKES];
/// What begins a hexadecimal number.
const HEXADECIMAL: &str = "0x";

/// How the numbers of a test are written.
#[derive(Clone, Copy)]
struct Radix {
    /// The changed line has hexadecimal numbers.
    is_hexadecimal: bool,
    /// Their digits are capitals.
    in_capitals: bool,
}

/// Writes the numbers of a test as its reader knows them, and the number in its name with them.
pub(super) fn write_numbers(case: &mut TestCase) {
    let radix = Radix::of(&comment::change(&case.diff).concat());
    for line in case.statements.iter_mut().filter(|line| !COUNTING.iter().any(|said| line.contains(said))) {
        *line = radix.line(line, LENGTHS);
    }
    case.call = case.call.as_ref().map(|call| radix.line(call, LENGTHS));
    let mut is_told = false;
    for check in &mut case.checks {
        let Check::Equal { actual, expected, kind } = check else { continue };
        if let Some((before, (list, behind))) = actual.split_once('{').and_then(|(b, l)| Some((b, l.split_once('}')?)))
            && radix.is_hexadecimal
            && before.contains("memcmp(")
        {
            let list = radix.line(&format!("{{{list}}}"), ONE_DIGIT);
            *actual = format!("{before}{list}{behind}");
        }
        // (So many elements of one value.)
        let is_filled = *kind == CheckKind::Whole && expected.contains(">(");
        if !matches!(kind, CheckKind::Int | CheckKind::Whole) || is_filled {
            continue;
        }
        let was = naming::value(expected, *kind);
        let written = radix.line(&format!("({expected})"), ONE_DIGIT);
        *expected = written[1..written.len() - 1].to_owned();
        let is = naming::value(expected, *kind);
        let said = case.name.strip_prefix(&case.method).filter(|_| was != is && !is_told);
        let words = said.map(|said| (said.split('_').any(|word| word == was), said));
        if let Some((true, said)) = words {
            let words: Vec<&str> = said.split('_').map(|word| if word == was { is.as_str() } else { word }).collect();
            case.name = format!("{}{}", case.method, words.join("_"));
            is_told = true;
        }
    }
}

impl Radix {
    fn of(changed: &str) -> Self {
        let numbers: Vec<&str> = changed
            .split(|c: char| !c.is_alphanumeric())
            .filter_map(|word| word.strip_prefix(HEXADECIMAL).or_else(|| word.strip_prefix("0X")))
            .map(|digits| digits.trim_end_matches(['u', 'U', 'l', 'L']))
            .filter(|digits| digits.len() > 1)
            .collect();
        let in_capitals = numbers.iter().any(|digits| digits.contains(|c: char| c.is_ascii_uppercase()));
        Self { is_hexadecimal: !numbers.is_empty(), in_capitals }
    }

    /// A line with its values in this radix: what stands alone between brackets, commas and signs of assignment.
    fn line(self, line: &str, least: u128) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for (number, part) in by_quotes(line).enumerate() {
            // (The quote itself stands between the parts.)
            out.push_str(&line[at..at + usize::from(number > 0)]);
            at += usize::from(number > 0) + part.len();
            match number % 2 {
                0 => self.plain(part, least, &mut out),
                _ => out.push_str(part),
            }
        }
        out
    }

    /// Text outside of quotes.
    fn plain(self, text: &str, least: u128, out: &mut String) {
        let is_part = |c: char| c.is_alphanumeric() || "_.".contains(c);
        let mut rest = text;
        while let Some(from) = rest.find(is_part) {
            let (before, word) = rest.split_at(from);
            let (word, behind) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
            out.push_str(before);
            let stands_alone = before.trim_end().ends_with(['(', ',', '=', '{'])
                && behind.trim_start().starts_with([')', ',', ';', '}']);
            match self.number(word, least).filter(|_| stands_alone) {
                Some(number) => out.push_str(&number),
                None => out.push_str(word),
            }
            rest = behind;
        }
        out.push_str(rest);
    }

    /// A decimal number in hexadecimal, where that tells more.
    fn number(self, word: &str, least: u128) -> Option<String> {
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let suffix = &word[digits.len()..];
        let value: u128 = digits.parse().ok().filter(|_| !digits.starts_with(['0', '+']))?;
        // (`3000000000` is a `long`, and `0xb2d05e00` none.)
        if suffix.is_empty() && value > i32::MAX.unsigned_abs().into() {
            return None;
        }
        let is_pattern = suffix.contains(['u', 'U']) && value >= PATTERN && !value.is_multiple_of(ROUND);
        let is_told = self.is_hexadecimal && value >= least || is_pattern;
        let written = if self.in_capitals { format!("{value:X}") } else { format!("{value:x}") };
        is_told.then(|| format!("{HEXADECIMAL}{written}{suffix}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(changed: &str, statements: &[&str], expected: &str) -> TestCase {
        let mut case = TestCase {
            diff: format!("@@ -1 +1 @@\n-{changed}\n+;\n"),
            statements: statements.iter().map(|line| (*line).to_owned()).collect(),
            call: Some("const int result = f(63088, \"200, 300\", 7);".to_owned()),
            checks: vec![Check::equal("result", expected, CheckKind::Int)],
            name: format!("f_returns_{expected}"),
            ..TestCase::sample("m")
        };
        write_numbers(&mut case);
        case
    }

    #[test]
    fn numbers_are_hexadecimal_where_the_changed_line_has_such() {
        let case = written("0x97bf, 0x97e1,", &["unsigned short c = 34129;", "int few[200] = {};"], "38847");
        assert_eq!(case.statements, ["unsigned short c = 0x8551;", "int few[200] = {};"]);
        assert_eq!(case.call.as_deref(), Some("const int result = f(0xf670, \"200, 300\", 7);"));
        assert_eq!(case.checks, [Check::equal("result", "0x97bf", CheckKind::Int)]);
        assert_eq!(case.name, "f_returns_0x97bf");
        assert_eq!(written("mask = 0xFFu;", &["n = 255u;"], "171").statements, ["n = 0xFFu;"]);
    }

    #[test]
    fn other_numbers_stay_as_they_are_but_for_patterns_of_bits() {
        let lines = ["info.format = 3288596497u;", "unsigned long when = 86400000UL;", "int n = 63088;"];
        let case = written("n = 0;", &lines, "38847");
        assert_eq!(
            case.statements,
            ["info.format = 0xc4040011u;", "unsigned long when = 86400000UL;", "int n = 63088;"]
        );
        assert_eq!(
            (case.name.as_str(), case.call.as_deref()),
            ("f_returns_38847", Some("const int result = f(63088, \"200, 300\", 7);"))
        );
        assert_eq!(
            written("n = 0;", &["n = 4294967296u;"], "-7").checks,
            [Check::equal("result", "-7", CheckKind::Int)]
        );
    }
}
