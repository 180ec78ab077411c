//! Checks of what the call writes, beside those that tell the mutant: a trial of the test says which places the call
//! has written, and which of an array it has left alone.

use super::{Check, CheckKind, TestCase, naming};
use crate::generate::expect::{Element, Written};
use crate::model::Language;
use std::collections::BTreeMap;
use std::ops::Range;

/// The most checks that are added to a test.
const MOST: usize = 6;
/// From so many on, elements that lie in a row are compared at once.
const ROW: usize = 3;
/// The longest list of values that fits a line, in characters.
const LONGEST: usize = 72;

/// The digit of a place that the call has written.
pub(super) const IS_WRITTEN: u8 = b'1';
/// The digit of a place that holds the value, whoever has written that.
pub(super) const HOLDS: u8 = b'2';

/// The lines of a trial before the call and behind its checks: it ends by a signal where the place number `number` is
/// not as its digit says. `asked` gives the digit.
pub(super) fn trial(written: &Written, asked: &str, language: Language) -> Option<[String; 2]> {
    let Check::Equal { actual, expected, kind } = &written.check else { return None };
    let holds = match (kind, language) {
        (CheckKind::Text, Language::C) => format!("__builtin_strcmp({actual}, {expected}) == 0"),
        _ => format!("({actual}) == {expected}"),
    };
    let before = format!("if ({asked} == {} && ({holds})) __builtin_abort();", char::from(IS_WRITTEN));
    let before = if written.is_of_result { String::new() } else { before };
    Some([before, format!("if ({asked} && !({holds})) __builtin_abort();")])
}

/// Whether a test can be asked so: what asks for files stands in a block of its own.
pub(super) fn can_be_asked(case: &TestCase) -> bool {
    let is_of_file = |check: &Check| match check {
        Check::Equal { actual, .. } => actual.starts_with(crate::generate::lower::files::READS),
        Check::Throws { .. } => true,
    };
    !case.by_hand && !case.checks.iter().any(is_of_file)
}

/// Asks a trial which of the places the call has written, with the choices made that `made` begins with: a digit for
/// each place, behind these. Of an array it is asked as well which hold their value all the same. `passes` says whether
/// the trial does, with such digits; it is asked so often at most, for each of the two.
pub(super) fn ask(places: &[Written], made: &mut [u8], most: usize, passes: &mut dyn FnMut(&[u8]) -> bool) {
    let from = made.len() - places.len();
    let of_array = (0..places.len()).filter(|at| places[*at].element.is_some()).map(|at| at..at + 1);
    let all: Vec<Range<usize>> = std::iter::once(0..places.len()).collect();
    for (digit, mut open) in [(IS_WRITTEN, all), (HOLDS, of_array.collect())] {
        let mut tries = 0;
        while let Some(range) = open.pop().filter(|_| tries < most) {
            let digits = from + range.start..from + range.end;
            if range.is_empty() || made[digits.clone()].contains(&IS_WRITTEN) {
                continue;
            }
            made[digits.clone()].fill(digit);
            tries += 1;
            if passes(made) {
                continue;
            }
            made[digits].fill(b'0');
            if range.len() > 1 {
                let middle = range.start + range.len() / 2;
                open.extend([middle..range.end, range.start..middle]);
            }
        }
    }
}

/// Adds the checks that a trial has shown to hold, a digit for each of the case's places.
pub(super) fn add(case: &mut TestCase, digits: &[u8]) {
    let held: Vec<(Written, u8)> = case.written.iter().cloned().zip(digits.iter().copied()).collect();
    let written = |of: &dyn Fn(&Written) -> bool| held.iter().any(|(it, digit)| *digit == IS_WRITTEN && of(it));
    let told = case.telling.and_then(|at| case.checks.get(at)).and_then(actual).map(str::to_owned);
    let is_told = |it: &Written| {
        let told = told.as_deref().unwrap_or_default();
        let is_of_row = |element: &Element| is_row_of(told, &element.array);
        !it.is_of_result && (actual(&it.check) == Some(told) || it.element.as_ref().is_some_and(is_of_row))
    };
    if written(&is_told) {
        case.name = format!("{}_{}", case.method, naming::outcome(case.how, &case.checks, case.telling, true));
    }
    let mut added = 0;
    for array in arrays(&held) {
        added += usize::from(compare_at_once(case, &held, &array));
    }
    for (it, _) in held.iter().filter(|(_, digit)| *digit == IS_WRITTEN) {
        let is_known = case.checks.iter().any(|check| {
            let array = it.element.as_ref().map_or("", |element| element.array.as_str());
            actual(check) == actual(&it.check) || actual(check).is_some_and(|told| is_row_of(told, array))
        });
        if added < MOST && !is_known {
            case.checks.push(it.check.clone());
            added += 1;
        }
    }
}

/// The arrays of numbers that the call has written to.
fn arrays(held: &[(Written, u8)]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (it, digit) in held {
        let Some(element) = it.element.as_ref().filter(|_| *digit == IS_WRITTEN) else { continue };
        if !found.contains(&element.array) {
            found.push(element.array.clone());
        }
    }
    found
}

/// Replaces the checks of single elements by one of all that the call has written, and of the next one that it has not.
fn compare_at_once(case: &mut TestCase, held: &[(Written, u8)], array: &str) -> bool {
    if case.checks.iter().any(|check| actual(check).is_some_and(|told| is_row_of(told, array))) {
        return false;
    }
    let elements = held.iter().filter_map(|(it, digit)| Some((it.element.as_ref()?, &it.check, *digit)));
    let elements: BTreeMap<usize, (&Element, &Check, u8)> = elements
        .filter(|(element, _, digit)| element.array == array && *digit != b'0')
        .map(|(element, check, digit)| (element.at, (element, check, digit)))
        .collect();
    let is_checked = |check: &Check| case.checks.iter().any(|known| actual(known) == actual(check));
    let wanted = elements.iter().filter(|(_, (_, check, digit))| *digit == IS_WRITTEN || is_checked(check));
    let wanted: Vec<usize> = wanted.map(|(at, _)| *at).collect();
    let (Some(first), Some(last)) = (wanted.first().copied(), wanted.last().copied()) else { return false };
    let last = if elements.contains_key(&(last + 1)) { last + 1 } else { last };
    let all: Vec<_> = elements.range(first..=last).map(|(_, known)| known).collect();
    let values: Vec<&str> = all.iter().filter_map(|(_, check, _)| expected(check)).collect();
    let values = values.join(", ");
    if all.len() < ROW || all.len() != last + 1 - first || values.len() > LONGEST {
        return false;
    }
    let of = &all[0].0.of;
    let begin = if first == 0 { array.to_owned() } else { format!("{array} + {first}") };
    let check = match case.language {
        Language::C => {
            let actual = format!("memcmp({begin}, (const {of}[]){{{values}}}, {} * sizeof({of}))", all.len());
            Check::equal(actual, "0", CheckKind::Int)
        }
        Language::Cxx => {
            let actual = format!("std::vector<{of}>({begin}, {array} + {})", last + 1);
            Check::equal(actual, format!("std::vector<{of}>{{{values}}}"), CheckKind::Whole)
        }
    };
    // (Vectors do not compare the signs of zeros.)
    let is_signed = |check: &Check| match check {
        Check::Equal { expected, kind: CheckKind::Float | CheckKind::Double | CheckKind::LongDouble, .. } => {
            !expected.contains(|c: char| ('1'..='9').contains(&c))
        }
        _ => false,
    };
    if case
        .checks
        .iter()
        .any(|known| is_signed(known) && all.iter().any(|(_, check, _)| actual(check) == actual(known)))
    {
        return false;
    }
    let covered: Vec<&str> = all.iter().filter_map(|(_, check, _)| actual(check)).collect();
    let place = case.checks.iter().position(|known| actual(known).is_some_and(|known| covered.contains(&known)));
    case.checks.retain(|known| !actual(known).is_some_and(|known| covered.contains(&known)));
    case.checks.insert(place.unwrap_or(case.checks.len()), check);
    true
}

/// Whether a check compares several elements of an array at once.
fn is_row_of(told: &str, array: &str) -> bool {
    let inside = told.strip_prefix("memcmp(").or_else(|| told.strip_prefix("std::vector<")?.split_once(">(")?.1.into());
    let rest = inside.and_then(|inside| inside.strip_prefix(array)).filter(|_| !array.is_empty());
    rest.is_some_and(|rest| rest.starts_with([',', ' ']))
}

fn actual(check: &Check) -> Option<&str> {
    match check {
        Check::Equal { actual, .. } => Some(actual),
        Check::Throws { .. } => None,
    }
}

fn expected(check: &Check) -> Option<&str> {
    match check {
        Check::Equal { expected, .. } => Some(expected),
        Check::Throws { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the call may write: elements of `out`, and `*count`.
    fn case(language: Language, checks: Vec<Check>) -> TestCase {
        let element = |at: usize, value: &str| Written {
            check: Check::equal(format!("out[{at}]"), value, CheckKind::Int),
            element: Some(Element { array: "out".into(), of: "int".into(), at }),
            is_of_result: false,
        };
        let count = Written { check: Check::equal("count", "3", CheckKind::Int), element: None, is_of_result: false };
        let written = vec![element(0, "7"), element(1, "0"), element(2, "9"), element(3, "5"), element(4, "5"), count];
        TestCase { language, checks, telling: Some(0), written, ..TestCase::sample("m") }
    }

    fn checked(case: &TestCase) -> Vec<(&str, &str)> {
        case.checks.iter().filter_map(|check| Some((actual(check)?, expected(check)?))).collect()
    }

    #[test]
    fn all_that_the_call_writes_is_checked_and_one_element_more() {
        let told = Check::equal("out[2]", "9", CheckKind::Int);
        let mut of_cxx = case(Language::Cxx, vec![Check::equal("result", "1", CheckKind::Int), told.clone()]);
        of_cxx.telling = Some(1);
        // (The second element held that value before the call as well.)
        add(&mut of_cxx, b"121221");
        let row = ("std::vector<int>(out, out + 4)", "std::vector<int>{7, 0, 9, 5}");
        assert_eq!(checked(&of_cxx), [("result", "1"), row, ("count", "3")]);
        assert_eq!(of_cxx.name, "f_writes_9_to_out");
        let mut of_c = case(Language::C, vec![told.clone()]);
        add(&mut of_c, b"121020");
        assert_eq!(checked(&of_c), [("memcmp(out, (const int[]){7, 0, 9}, 3 * sizeof(int))", "0")]);
        let mut apart = case(Language::C, vec![told]);
        add(&mut apart, b"100001");
        assert_eq!(checked(&apart), [("out[2]", "9"), ("out[0]", "7"), ("count", "3")]);
        assert_eq!(apart.name, "", "it was there before");
    }

    #[test]
    fn the_sign_of_a_zero_is_not_lost_in_a_row() {
        let told = Check::equal("out[2]", "0.0", CheckKind::Double);
        let mut signed = case(Language::Cxx, vec![told.clone()]);
        for (at, value) in [(0, "1.0"), (1, "2.0"), (2, "0.0")] {
            signed.written[at].check = Check::equal(format!("out[{at}]"), value, CheckKind::Double);
        }
        let mut plain = signed.clone();
        add(&mut signed, b"111000");
        assert_eq!(checked(&signed), [("out[2]", "0.0"), ("out[0]", "1.0"), ("out[1]", "2.0")]);
        plain.checks[0] = Check::equal("out[2]", "0.0", CheckKind::Zero);
        add(&mut plain, b"111000");
        assert_eq!(plain.checks.len(), 1);
    }

    #[test]
    fn a_trial_is_asked_for_each_place_that_it_does_not_hold_with_together() {
        // The first and the last element are written, the second holds a value all the same, the count does not.
        let is = |digits: &[u8], at: usize, known: &[u8]| digits[at] == b'0' || known.contains(&digits[at]);
        let mut passes = |made: &[u8]| {
            let digits = &made[2..];
            assert_eq!(&made[..2], b"10", "the choices stay");
            is(digits, 0, b"12")
                && is(digits, 1, b"2")
                && (2..4).all(|at| is(digits, at, b""))
                && is(digits, 4, b"12")
                && is(digits, 5, b"")
        };
        let mut made = b"10000000".to_vec();
        ask(&case(Language::C, Vec::new()).written, &mut made, 96, &mut passes);
        assert_eq!(String::from_utf8_lossy(&made), "10120010");
        let mut cut_off = b"10000000".to_vec();
        ask(&case(Language::C, Vec::new()).written, &mut cut_off, 1, &mut passes);
        assert_eq!(String::from_utf8_lossy(&cut_off), "10000020");
    }

    #[test]
    fn what_is_compared_in_a_row_is_not_compared_again() {
        let row = Check::equal("memcmp(out + 1, (const int[]){0, 9}, 2 * sizeof(int))", "0", CheckKind::Int);
        let mut case = case(Language::C, vec![row.clone()]);
        add(&mut case, b"111001");
        assert_eq!(checked(&case)[1..], [("count", "3")]);
        assert!(!is_row_of("memcmp(outer, x, 2)", "out") && !is_row_of("out", ""));
    }

    #[test]
    fn a_trial_ends_where_the_place_is_not_as_its_digit_says() {
        let count = Written { check: Check::equal("count", "3", CheckKind::Int), element: None, is_of_result: false };
        let lines = trial(&count, "asked(4)", Language::C).unwrap();
        assert_eq!(lines[0], "if (asked(4) == 1 && ((count) == 3)) __builtin_abort();");
        assert_eq!(lines[1], "if (asked(4) && !((count) == 3)) __builtin_abort();");
        let text = Check::equal("text", "\"a\"", CheckKind::Text);
        let of_result = Written { check: text, is_of_result: true, ..count };
        let lines = trial(&of_result, "asked(4)", Language::C).unwrap();
        assert_eq!(lines[0], "");
        assert_eq!(lines[1], "if (asked(4) && !(__builtin_strcmp(text, \"a\") == 0)) __builtin_abort();");
    }
}
