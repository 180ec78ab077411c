//! Containers and texts that a test compares as a whole, instead of their size and their elements one by one.

use super::asking::Asking;
use super::check::{Check, CheckKind, path_of};
use super::value::check_of;
use crate::generate::literal::Scalar;
use crate::model::{Language, Prim, Type, TypeKind};
use crate::types::compose::type_argument;
use crate::types::library::row_of;
use crate::types::spelling::value_type;
use crate::types::standard::element_type;
use serde_json::Value;
use std::collections::HashMap;

/// The most elements that one check lists.
const MOST: usize = 24;
/// From so many equal elements on, their number is said instead.
const FILL: usize = 4;

/// The check of the outermost container around `path` that can be written in braces, or text, and its place.
pub(super) fn check<'p>(asking: &mut Asking<'_>, record: &[Value], path: &'p str) -> Option<(&'p str, Check)> {
    let ends = path.match_indices(['[', '.']).map(|(at, _)| at);
    for place in ends.map(|at| &path[..at]) {
        let private = asking.private;
        if let Some((actual, ty)) = asking.expression(place) {
            if let Some(expected) = literal(asking, record, place, &ty) {
                return Some((place, Check::equal(actual, expected, CheckKind::Whole)));
            }
            if let Some(expected) = text(record, place, &ty, path) {
                let is_cxx = asking.language == Language::Cxx;
                let actual = if is_cxx { format!("std::string({actual})") } else { actual };
                return Some((place, Check::equal(actual, expected, CheckKind::Text)));
            }
        }
        asking.private = private;
    }
    None
}

/// An array of characters as the text that it begins with, where `path` is a part of that.
fn text(record: &[Value], place: &str, ty: &Type, path: &str) -> Option<String> {
    let (TypeKind::Array(element, _) | TypeKind::Pointer(element)) = &ty.kind else { return None };
    if !matches!(element.kind, TypeKind::Prim(Prim::Char)) {
        return None;
    }
    let at: usize = path.strip_prefix(place)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    let elements: HashMap<&str, &Value> = record.iter().map(|entry| (path_of(entry), entry)).collect();
    let mut text = Vec::new();
    loop {
        let entry = elements.get(format!("{place}[{}]", text.len()).as_str())?;
        let value: Scalar = serde_json::from_value(entry.get("value")?.clone()).ok()?;
        match value.integer()? {
            0 => break,
            other => text.push(u8::try_from(other & 0xff).ok()?),
        }
    }
    (at <= text.len()).then(|| crate::cpp::string_literal(&text))
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
    let mut pair: Option<String> = None;
    let of = element_type(asking.model, ty)?;
    for entry in record.iter().filter(within) {
        let rest = &path_of(entry)[place.len()..];
        let part = rest.strip_prefix(&format!("[{}]", elements.len()))?;
        // (Where there is no order, the element is none that a test could ask for by its place.)
        let of = match (part, &of.kind) {
            ("", _) => &of,
            (".first", TypeKind::Record { args, .. }) => type_argument(args, 0)?,
            (".second", TypeKind::Record { args, .. }) => type_argument(args, 1)?,
            _ => return None,
        };
        let value = value(asking, entry, of)?;
        match part {
            "" => elements.push(value),
            ".first" if pair.is_none() => pair = Some(value),
            _ => {
                let first = pair.take()?;
                elements.push(format!("{{{first}, {value}}}"));
            }
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
fn value(asking: &Asking<'_>, entry: &Value, ty: &Type) -> Option<String> {
    let check = check_of(asking.model, asking.language, String::new(), value_type(ty), entry)?;
    let Check::Equal { expected, kind, .. } = check else { return None };
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
