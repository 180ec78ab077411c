//! Containers that a test compares as a whole, instead of their size and their elements one by one.

use super::asking::Asking;
use super::check::{Check, CheckKind, path_of};
use crate::model::{Type, TypeKind};
use crate::types::library::row_of;
use serde_json::Value;

/// The most elements that one check lists.
const MOST: usize = 24;
/// From so many equal elements on, their number is said instead.
const FILL: usize = 4;

/// The check of the outermost container around `path` that can be written in braces, and the container's place.
pub(super) fn check<'p>(asking: &mut Asking<'_>, record: &[Value], path: &'p str) -> Option<(&'p str, Check)> {
    let ends = path.match_indices(['[', '.']).map(|(at, _)| at);
    for place in ends.map(|at| &path[..at]) {
        let private = asking.private;
        if let Some((actual, ty)) = asking.expression(place)
            && let Some(expected) = literal(asking, record, place, &ty)
        {
            return Some((place, Check::equal(actual, expected, CheckKind::Whole)));
        }
        asking.private = private;
    }
    None
}

/// A container with the elements that the record has.
fn literal(asking: &mut Asking<'_>, record: &[Value], place: &str, ty: &Type) -> Option<String> {
    let TypeKind::Record { .. } = ty.kind else { return None };
    let row = row_of(asking.model, ty).filter(|row| row.braces)?;
    let size = record.iter().find(|entry| path_of(entry).strip_prefix(place) == Some(".size"))?;
    let size: usize = size.get("value")?.get("text")?.as_str()?.parse().ok()?;
    let spelled = ty.bare_spelling();
    if size == 0 {
        return Some(format!("{spelled}{{}}"));
    }
    let within = |entry: &&Value| path_of(entry).strip_prefix(place).is_some_and(|rest| rest.starts_with('['));
    let mut elements: Vec<String> = Vec::new();
    let mut pair: Option<(String, String)> = None;
    for entry in record.iter().filter(within) {
        let rest = &path_of(entry)[place.len()..];
        let value = value(asking, entry)?;
        let at = elements.len();
        match rest.strip_prefix(&format!("[{at}]"))? {
            "" => elements.push(value),
            ".first" if pair.is_none() => pair = Some((format!("[{at}]"), value)),
            ".second" => {
                let (_, first) = pair.take()?;
                elements.push(format!("{{{first}, {value}}}"));
            }
            _ => return None,
        }
    }
    if pair.is_some() || elements.len() != size {
        return None;
    }
    let is_sequence = row.fill.as_deref() == Some("push_back");
    if is_sequence && size >= FILL && elements.iter().all(|element| *element == elements[0]) {
        return Some(format!("{spelled}({size}, {})", elements[0]));
    }
    (size <= MOST).then(|| format!("{spelled}{{{}}}", elements.join(", ")))
}

/// An element that `==` compares as its bits are.
fn value(asking: &mut Asking<'_>, entry: &Value) -> Option<String> {
    let Check::Equal { expected, kind, .. } = asking.check(entry, path_of(entry))? else { return None };
    match kind {
        CheckKind::Text if crate::cpp::holds_nul(&expected) => None,
        CheckKind::Float | CheckKind::Double | CheckKind::LongDouble => {
            let is_zero = !expected.contains(|c: char| ('1'..='9').contains(&c));
            (!is_zero || expected.starts_with("0.0")).then_some(expected).filter(|text| !text.contains("nan"))
        }
        CheckKind::Bool | CheckKind::Int | CheckKind::Enum | CheckKind::Text => {
            let is_null = entry.get("null").is_some();
            (!is_null).then_some(expected)
        }
        CheckKind::Zero | CheckKind::Whole => None,
    }
}
