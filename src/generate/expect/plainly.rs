//! Checks that say no more than they must: the sign of a zero only where it tells, null only where nothing behind it
//! does.

use super::check::{Check, CheckKind, Found, path_of};
use crate::generate::literal::Scalar;
use crate::generate::undefined_symbols::CALLS;
use serde_json::Value;

/// A zero is compared as a number, where the mutant's value is no zero of the other sign.
pub(super) fn leave_out_sign(check: &mut Check, other: Option<&Value>) {
    let Check::Equal { expected, kind, .. } = check else { return };
    let is_floating = matches!(kind, CheckKind::Float | CheckKind::Double | CheckKind::LongDouble);
    if !is_floating || !is_zero(expected) || expected.starts_with('-') {
        return;
    }
    let other: Option<Scalar> = other.and_then(|entry| serde_json::from_value(entry.get("value")?.clone()).ok());
    if other.is_none_or(|other| other.is_zero() || !is_zero(other.text.trim_start_matches('-'))) {
        *kind = CheckKind::Zero;
    }
}

fn is_zero(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    !text.is_empty() && !text.contains(|c: char| ('1'..='9').contains(&c) || ('a'..='d').contains(&c) || c == 'n')
}

/// Of what a mutant that crashes does not come to, the values tell; members and elements say no more.
pub(super) fn leave_out_parts(wanted: &mut Vec<&Value>) {
    wanted.retain(|entry| !path_of(entry).contains(['.', '[']));
}

/// Who compares the text behind a pointer has seen that it is not null.
pub(super) fn leave_out_null(found: &mut Vec<Found>) {
    let texts: Vec<String> = found
        .iter()
        .filter_map(|found| match &found.check {
            Check::Equal { actual, kind: CheckKind::Text, .. } => {
                let inner = actual.strip_prefix("std::string(").and_then(|rest| rest.strip_suffix(')'));
                Some(inner.unwrap_or(actual).to_owned())
            }
            _ => None,
        })
        .collect();
    found.retain(|found| match &found.check {
        Check::Equal { actual, expected, kind: CheckKind::Bool } if matches!(expected.as_str(), "false" | "0") => {
            let pointer = actual.trim_matches(['(', ')']);
            let pointer = pointer.strip_suffix(" == nullptr").or_else(|| pointer.strip_suffix(" == NULL"));
            !pointer.is_some_and(|pointer| texts.iter().any(|text| text == pointer))
        }
        _ => true,
    });
}

/// What stand-ins were called with, an allocator's sizes mostly, is checked where nothing else in public tells.
pub(super) fn leave_out_calls(found: &mut Vec<Found>) {
    let is_of_calls = |found: &Found| matches!(&found.check, Check::Equal { actual, .. } if actual.contains(CALLS));
    if found.iter().any(|found| found.differs && !found.private && !is_of_calls(found)) {
        found.retain(|found| !is_of_calls(found));
    }
}

/// Where a nearer place differs, those along the same member again and again are left out: `result->next->next` tells
/// what the first of them tells.
pub(super) fn leave_out_links(found: &mut Vec<Found>) {
    let repeats = |found: &Found| match &found.check {
        Check::Equal { actual, .. } => {
            let steps: Vec<&str> = actual.split("->").flat_map(|step| step.split('.')).collect();
            let is_again = |pair: &[&str]| pair[0].trim_matches(['(', ')']) == pair[1].trim_matches(['(', ')']);
            steps.windows(2).any(is_again)
        }
        Check::Throws { .. } => false,
    };
    if found.iter().any(|found| found.differs && !found.private && !repeats(found)) {
        found.retain(|found| !repeats(found));
    }
}

/// Where something else differs, how far two cursors are apart is left out: `parser.pointer - parser.start`. What one
/// of them leads to is no second check: `buffer.last[4]` is `buffer.start[4]`.
pub(super) fn leave_out_cursors(found: &mut Vec<Found>) {
    let is_distance = |found: &Found| matches!(&found.check, Check::Equal { actual, .. } if actual.contains(" - "));
    if found.iter().any(|found| found.differs && !found.private && !is_distance(found)) {
        found.retain(|found| !is_distance(found));
    }
    let element = |check: &Check| match check {
        Check::Equal { actual, expected, .. } => {
            let (pointer, place) = actual.strip_suffix(']')?.rsplit_once('[')?;
            let object = &pointer[..pointer.rfind(['.', '>'])?];
            Some((object.to_owned(), place.to_owned(), expected.clone()))
        }
        Check::Throws { .. } => None,
    };
    let mut known = Vec::new();
    found.retain(|found| match element(&found.check).filter(|_| found.differs) {
        Some(element) if known.contains(&element) => false,
        element => {
            known.extend(element);
            true
        }
    });
}

/// Who compares all elements of an object need not ask it for its size, nor for what else follows from them.
pub(super) fn leave_out_answers(found: &mut Vec<Found>) {
    let texts: Vec<(String, bool)> = found
        .iter()
        .filter_map(|found| match &found.check {
            Check::Equal { actual, kind: CheckKind::Text, .. } => {
                let (begin, end) =
                    actual.strip_prefix("std::string(")?.strip_suffix("end())")?.split_once("begin(), ")?;
                (begin == end).then(|| (begin.to_owned(), found.differs))
            }
            _ => None,
        })
        .collect();
    found.retain(|found| match &found.check {
        Check::Equal { actual, .. } => !texts.iter().any(|(object, differs)| {
            let method = actual.strip_prefix(object.as_str()).and_then(|rest| rest.strip_suffix("()"));
            // (What differs is left out only where the text differs as well.)
            let is_answer = method.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
            is_answer && (*differs || !found.differs)
        }),
        Check::Throws { .. } => true,
    });
}

/// Of private places that differ the one that is nearest to the object is checked, and no element of a buffer where
/// there is something else: the others mostly follow from it.
pub(super) fn leave_one_private(found: &mut Vec<Found>) {
    let cost = |found: &Found| match &found.check {
        Check::Equal { actual, kind, .. } => (actual.contains('['), *kind == CheckKind::Bool, actual.len()),
        Check::Throws { .. } => (false, false, 0),
    };
    let is_private = |found: &Found| found.private && found.differs;
    let Some(best) = found.iter().filter(|found| is_private(found)).map(cost).min() else { return };
    let mut left = false;
    found.retain(|found| {
        let is_best = !left && cost(found) == best;
        left |= is_best && is_private(found);
        !found.private || (is_best && is_private(found))
    });
}

/// Whether a check looks into a buffer that is not there: null is passed in its place.
pub(super) fn is_of_nothing(check: &Check, setup: &[String], call: &str) -> bool {
    let Check::Equal { actual, .. } = check else { return false };
    let heads = ["std::string(", "std::memcmp(", "memcmp("];
    let inside = heads.iter().find_map(|head| actual.strip_prefix(head)).unwrap_or(actual);
    let inside =
        inside.strip_prefix("std::vector<").and_then(|row| row.split_once(">(")).map_or(inside, |(_, row)| row);
    let name = inside.split([',', ')', ' ']).next().unwrap_or(inside);
    let is_null = |line: &String| ["NULL", "nullptr"].iter().any(|null| line.ends_with(&format!("{name} = {null};")));
    setup.iter().any(is_null) && !call.contains(&format!("&{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_sign_of_a_zero_is_checked_where_it_is_all_that_differs() {
        let kind = |text: &str| {
            let bytes = if text == "-0" { "0000000000000080" } else { "000000000000f03f" };
            let other = json!({ "value": { "kind": "double", "bytes": bytes, "text": text } });
            let mut check = Check::equal("x", "0.0", CheckKind::Double);
            leave_out_sign(&mut check, Some(&other));
            check
        };
        assert_eq!(kind("-0"), Check::equal("x", "0.0", CheckKind::Double));
        assert_eq!(kind("1"), Check::equal("x", "0.0", CheckKind::Zero));
        assert!(!["NAN", "-INFINITY", "0x1p-3"].into_iter().any(is_zero) && is_zero("0.0F"));
    }

    #[test]
    fn what_allocators_were_asked_for_and_far_links_are_checked_where_nothing_else_tells() {
        let found = |actual: &str, differs| Found {
            check: Check::equal(actual, "1", CheckKind::Int),
            private: false,
            local: false,
            differs,
        };
        let near = [found("result->next", true), found("result->next->next->type", true), found(CALLS, true)];
        let left = |mut all: Vec<Found>| {
            leave_out_calls(&mut all);
            leave_out_links(&mut all);
            all.len()
        };
        assert_eq!(left(near.to_vec()), 1);
        assert_eq!(left(near[1..].to_vec()), 1);
        assert_eq!(left(near[2..].to_vec()), 1);
        assert_eq!(left(vec![found("result->next", false), near[1].clone()]), 2);
    }

    #[test]
    fn cursors_into_one_buffer_are_one_check_and_none_beside_a_member() {
        let left = |all: &[(&str, &str)]| {
            let found = |(actual, expected): &(&str, &str)| Found {
                check: Check::equal(*actual, *expected, CheckKind::Int),
                private: false,
                local: false,
                differs: true,
            };
            let mut all: Vec<Found> = all.iter().map(found).collect();
            leave_out_cursors(&mut all);
            all.len()
        };
        assert_eq!(left(&[("(raw.pointer - raw.start)", "3L")]), 1);
        assert_eq!(left(&[("(raw.pointer - raw.start)", "3L"), ("parser.encoding", "1")]), 1);
        assert_eq!(left(&[("raw.start[4]", "48"), ("raw.last[4]", "48"), ("raw.last[5]", "48")]), 2);
        assert_eq!(left(&[("raw.start[4]", "48"), ("raw.last[4]", "49"), ("list[4]", "48")]), 3);
    }

    #[test]
    fn of_private_places_the_nearest_is_checked() {
        let found = |actual: &str, private| Found {
            check: Check::equal(actual, "1", CheckKind::Int),
            private,
            local: false,
            differs: private,
        };
        let mut all = vec![
            found("result", false),
            found("object._document->_line", true),
            found("object._line", true),
            found("object._m[0]", true),
        ];
        leave_one_private(&mut all);
        let left: Vec<_> = all.into_iter().map(|found| found.check).collect();
        assert_eq!(left, [found("result", false).check, found("object._line", true).check]);
    }

    #[test]
    fn who_compares_all_elements_asks_for_nothing_that_follows_from_them() {
        let found = |actual: &str, kind, differs| Found {
            check: Check::equal(actual, "\"e\"", kind),
            private: false,
            local: false,
            differs,
        };
        let all = [
            found("std::string(result.begin(), result.end())", CheckKind::Text, true),
            found("result.checksum()", CheckKind::Int, true),
            found("other.checksum()", CheckKind::Int, true),
            found("result.next().checksum()", CheckKind::Int, true),
        ];
        let mut left = all.to_vec();
        leave_out_answers(&mut left);
        let left: Vec<_> = left.into_iter().map(|found| found.check).collect();
        assert_eq!(left, [all[0].check.clone(), all[2].check.clone(), all[3].check.clone()]);
        let mut alike =
            vec![found("std::string(result.begin(), result.end())", CheckKind::Text, false), all[1].clone()];
        leave_out_answers(&mut alike);
        assert_eq!(alike.len(), 2, "it may be all that differs");
    }

    #[test]
    fn a_pointer_is_not_asked_for_null_before_its_text() {
        let found = |actual: &str, expected: &str, kind| {
            let check = Check::equal(actual, expected, kind);
            Found { check, private: false, local: false, differs: true }
        };
        let mut all = vec![
            found("result == nullptr", "false", CheckKind::Bool),
            found("other == nullptr", "false", CheckKind::Bool),
            found("std::string(result)", "\"\"", CheckKind::Text),
        ];
        leave_out_null(&mut all);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].check, Check::equal("other == nullptr", "false", CheckKind::Bool));
    }
}
