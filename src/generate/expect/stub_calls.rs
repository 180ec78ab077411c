//! What stubs were called with, where that is an object: a driver compares it member by member, a test notes the
//! members that differ beside the call, as text.

use super::check::{Root, path_of};
use super::path::expression;
use super::{Replayed, TestBody};
use crate::generate::literal::{Scalar, unhex};
use crate::generate::lower::{MOST_NOTED, Made, NOTES, Noted, is_floating, shown};
use crate::model::{Model, Prim, Type, TypeKind};
use crate::plan::UnitPlan;
use crate::plan::record_paths::ARGUMENTS;
use crate::plan::stubs::parameter;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Parts that are told of one call, and of all.
const OF_A_CALL: usize = 2;
const IN_ALL: usize = 6;

/// The names of the methods of stubs that the original or the mutant called; none where the mutant left no record, or
/// where more may have been called than was noted.
pub(super) fn heard(kill: Replayed<'_>) -> Option<BTreeSet<String>> {
    let notes = kill.original.iter().chain(kill.mutant?).filter(|entry| path_of(entry).starts_with(NOTES));
    let text = |entry: &Value| Some(String::from_utf8_lossy(&unhex(entry.get("text")?.as_str()?)).into_owned());
    let name = |note: &str| match note.strip_prefix("operator()(") {
        Some(_) => Some("operator()".to_owned()),
        None => Some(note.split_once('(')?.0.to_owned()),
    };
    let notes: Vec<String> = notes.filter_map(text).collect();
    (notes.len() < MOST_NOTED).then(|| notes.iter().filter_map(|note| name(note)).collect())
}

/// The parts that a test notes, and the original's record with them in the notes of its calls.
pub(super) fn told(kill: Replayed<'_>, test: &mut TestBody) -> (Vec<Noted>, Vec<Value>) {
    let Replayed { model, plan, original, mutant, .. } = kill;
    let mut record = original.to_vec();
    let mut all: Vec<Noted> = Vec::new();
    // Where the mutant failed everything differs: the results say enough.
    let Some(mutant) = mutant else { return (all, record) };
    for entry in original.iter().filter(|entry| path_of(entry).starts_with(ARGUMENTS) && !mutant.contains(entry)) {
        let mut private = false;
        let Some((noted, value)) = noted(model, plan, entry, &mut private) else { continue };
        if all.len() == IN_ALL || all.iter().filter(|other| other.call == noted.call).count() == OF_A_CALL {
            continue;
        }
        let call = format!("{NOTES}[{}]", noted.call);
        let Some(text) = record.iter_mut().find(|entry| path_of(entry) == call).and_then(|entry| entry.get_mut("text"))
        else {
            continue;
        };
        let note = format!(", {} = {value}", noted.place);
        let note: String = note.bytes().map(|byte| format!("{byte:02x}")).collect();
        *text = json!(text.as_str().unwrap_or_default().to_owned() + &note);
        test.reads_private |= private;
        all.push(noted);
    }
    if !all.is_empty() {
        record.retain(|entry| !path_of(entry).starts_with(ARGUMENTS));
    }
    (all, record)
}

/// One part of what a stub was called with, and its value as a stream would write it; none where it can't be said.
fn noted(model: &Model, plan: &UnitPlan, entry: &Value, private: &mut bool) -> Option<(Noted, String)> {
    let path = path_of(entry);
    let (call, rest) = path.strip_prefix(ARGUMENTS)?.strip_prefix('[')?.split_once("].")?;
    let (label, place) = rest.split_once('.')?;
    let name = place.split(['.', '[']).next()?;
    let argument = parameter(name)?;
    let method = plan.stubs_called(model, label).into_iter().next()?;
    let ty = method.params.get(argument)?.without_ref().clone();
    let roots = [Root { name: name.to_owned(), made: Made::expression(name), ty }];
    let (place, ty) = expression(model, place, &roots, private)?;
    let is_range = place.starts_with("std::string(");
    if place.contains(char::is_whitespace) && !is_range {
        return None;
    }
    let (shown, value) = said(entry, &ty, &place)?;
    let is_floating = is_floating(&ty);
    Some((Noted { label: label.to_owned(), call: call.parse().ok()?, argument, place, shown, is_floating }, value))
}

/// The expression that is written to a stream for a value of the record, and the text that it gives.
fn said(entry: &Value, ty: &Type, place: &str) -> Option<(String, String)> {
    let is_null = |null: bool| {
        let shown = format!("({place} == nullptr ? \"nullptr\" : \"&...\")");
        Some((shown, if null { "nullptr" } else { "&..." }.to_owned()))
    };
    if let Some(null) = entry.get("null").and_then(Value::as_bool) {
        return is_null(null);
    }
    if let Some(text) = entry.get("text").and_then(Value::as_str) {
        let bytes = unhex(text);
        let is_string = matches!(&ty.kind, TypeKind::Record { name, .. } if crate::types::standard::is_text(name));
        let is_pointer = matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Array(..)) && !bytes.contains(&0);
        return (is_string || is_pointer)
            .then(|| String::from_utf8(bytes).ok())
            .flatten()
            .map(|text| (place.to_owned(), text));
    }
    let value: Scalar = serde_json::from_value(entry.get("value")?.clone()).ok()?;
    match &ty.kind {
        TypeKind::Pointer(_) if value.kind == "bool" => is_null(value.is_zero()),
        TypeKind::Record { .. } if value.kind == "size" => Some((place.to_owned(), value.integer()?.to_string())),
        TypeKind::Prim(Prim::LongDouble) => None,
        TypeKind::Prim(Prim::Bool) => Some((shown(ty, place)?, (!value.is_zero()).to_string())),
        TypeKind::Prim(Prim::Float | Prim::Double) if value.is_nan() => Some((shown(ty, place)?, "0 (NaN)".into())),
        TypeKind::Prim(Prim::Float) => Some((place.to_owned(), written(f64::from(value.f32()?)))),
        TypeKind::Prim(Prim::Double) => Some((place.to_owned(), written(value.f64()?))),
        TypeKind::Prim(_) | TypeKind::Enum(_) => Some((shown(ty, place)?, value.integer()?.to_string())),
        _ => None,
    }
}

/// A number as a stream writes it with 17 digits.
fn written(value: f64) -> String {
    const DIGITS: i32 = 17;
    if !value.is_finite() || value == 0.0 {
        return format!("{value}");
    }
    let exact = format!("{value:.*e}", DIGITS as usize - 1);
    let (digits, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let short = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..DIGITS).contains(&exponent) {
        return short(&format!("{value:.*}", (DIGITS - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", short(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_a_stream_writes_them() {
        let numbers = [0.1, 1.0, -2.5, 1e16, 1e17, 123456789.125, 1e-4, 1e-5, 5e-324, -0.0, f64::INFINITY, 1.5e300];
        let said: Vec<String> = numbers.into_iter().map(written).collect();
        assert_eq!(
            said,
            [
                "0.10000000000000001",
                "1",
                "-2.5",
                "10000000000000000",
                "1e+17",
                "123456789.125",
                "0.0001",
                "1.0000000000000001e-05",
                "4.9406564584124654e-324",
                "-0",
                "inf",
                "1.5000000000000001e+300",
            ]
        );
    }
}
