//! What an out parameter holds before the call, where the test asks for that very value behind it: another one shows
//! that the unit has written it.

use super::lines::declared;
use super::{Check, TestCase};
use crate::emit::render::has_word;
use crate::model::{Prim, TypeKind};
use crate::types::arithmetic::primitive;
use std::ops::Range;

/// Where the value stands in the declaration `line`, and another one of its type.
pub(super) fn sentinel(case: &TestCase, line: &str) -> Option<(Range<usize>, String)> {
    let name = declared(line)?;
    let from = line.find(&format!(" {name} = "))? + name.len() + " = ".len() + 1;
    let held = line.get(from..)?.strip_suffix(';')?;
    let is_asked = |check: &Check| match check {
        Check::Equal { actual, expected, .. } => actual == name && number(expected) == number(held),
        Check::Throws { .. } => false,
    };
    (number(held).is_some() && case.checks.iter().any(is_asked)).then_some(())?;
    let other = match held {
        "false" => "true".to_owned(),
        "true" => "false".to_owned(),
        _ => {
            let end = held.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(held.len());
            let (digit, point) = (u8::from(number(held) == Some(0.0)), if held.contains('.') { ".0" } else { "" });
            format!("{digit}{point}{}", &held[end..])
        }
    };
    Some((from..from + held.len(), other))
}

/// The most elements of an array whose sentinels a reader takes in.
const MOST: usize = 16;

/// For an array without values of which a test expects a zero, or no text: the statement that gives it others in a
/// trial, and its declaration with them.
pub(super) fn filled(case: &TestCase, line: &str) -> Option<[String; 2]> {
    let name = declared(line)?;
    let (head, value) = line.strip_suffix(';')?.split_once("] = ")?;
    let (declarator, length) = head.rsplit_once('[')?;
    let of = declarator.strip_suffix(name)?.trim_end();
    let length: usize = length.parse().ok().filter(|length| (1..=MOST).contains(length))?;
    let is_asked = |check: &Check| match check {
        Check::Equal { actual, expected, .. } if value == "\"\"" => {
            expected == "\"\"" && (actual == name || *actual == format!("std::string({name})"))
        }
        Check::Equal { actual, expected, .. } => {
            let is_element = actual.strip_prefix(name).is_some_and(|rest| rest.starts_with('['));
            is_element && number(expected) == Some(0.0)
        }
        Check::Throws { .. } => false,
    };
    // (What statements put into it is its content.)
    let is_filled = case.statements.iter().any(|other| other != line && has_word(other, name));
    (case.checks.iter().any(is_asked) && !is_filled).then_some(())?;
    if value == "\"\"" {
        return (length > 1 && of == "char").then(|| [format!("{name}[0] = 'x';"), format!("{head}] = \"x\";")]);
    }
    let of_number = primitive(of).is_some_and(|ty| !matches!(ty.kind, TypeKind::Prim(Prim::Bool)));
    // (What ends in a zero is read up to that.)
    (of_number && !of.contains("char") && matches!(value, "{}" | "{0}")).then(|| {
        let each = format!("for (unsigned motif_at = 0; motif_at < {length}; ++motif_at) {name}[motif_at] = 9;");
        [each, format!("{head}] = {{{}}};", vec!["9"; length].join(", "))]
    })
}

/// The value of a plain literal.
fn number(literal: &str) -> Option<f64> {
    match literal {
        "false" => Some(0.0),
        "true" => Some(1.0),
        _ if !literal.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) => None,
        _ => literal.trim_end_matches(['U', 'L', 'f', 'F']).parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::CheckKind;

    #[test]
    fn an_out_parameter_holds_another_value_before_the_call_than_it_is_asked_for() {
        let asked = |line: &str, expected: &str| {
            let checks = vec![Check::equal("count", expected, CheckKind::Int)];
            let case = TestCase { checks, ..TestCase::sample("m") };
            sentinel(&case, line).map(|(range, other)| format!("{}{other}{}", &line[..range.start], &line[range.end..]))
        };
        assert_eq!(asked("int count = 0;", "0").as_deref(), Some("int count = 1;"));
        assert_eq!(asked("unsigned long count = 5UL;", "5").as_deref(), Some("unsigned long count = 0UL;"));
        assert_eq!(asked("double count = 0.0;", "0.0").as_deref(), Some("double count = 1.0;"));
        assert_eq!(asked("bool count = false;", "false").as_deref(), Some("bool count = true;"));
        assert_eq!(asked("double count = INFINITY;", "INFINITY"), None);
        assert_eq!(asked("int count = 0;", "3"), None);
        assert_eq!(asked("int other = 0;", "0"), None);
        assert_eq!(asked("Counter count = Counter();", "0"), None);
    }

    #[test]
    fn an_array_of_which_a_zero_is_expected_holds_none_before_the_call() {
        let filled = |line: &str, actual: &str, expected: &str| {
            let checks = vec![Check::equal(actual, expected, CheckKind::Int)];
            filled(&TestCase { checks, ..TestCase::sample("m") }, line).map(|[_, line]| line)
        };
        assert_eq!(filled("int out[3] = {};", "out[2]", "0").as_deref(), Some("int out[3] = {9, 9, 9};"));
        assert_eq!(filled("double out[2] = {0};", "out[0]", "0.0").as_deref(), Some("double out[2] = {9, 9};"));
        assert_eq!(filled("char out[9] = \"\";", "out", "\"\"").as_deref(), Some("char out[9] = \"x\";"));
        assert_eq!(filled("int out[3] = {};", "out[2]", "5"), None);
        assert_eq!(filled("int out[3] = {0, 1};", "out[2]", "0"), None);
        assert_eq!(filled("int out[300] = {};", "out[2]", "0"), None);
        assert_eq!(filled("struct item out[3] = {};", "out[2]", "0"), None);
    }
}
