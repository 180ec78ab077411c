//! What an out parameter holds before the call, where the test asks for that very value behind it: another one shows
//! that the unit has written it.

use super::lines::declared;
use super::{Check, TestCase};
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
}
