//! The check of an exception: its type, and no more than it takes to tell the mutant from the original.

use super::check::{Check, has_a_name, path_of};
use crate::generate::literal::unhex;
use crate::model::Model;
use serde_json::Value;

/// What a record says of the exception that the call ended with.
struct Thrown {
    ty: String,
    what: Option<String>,
}

fn of(record: &[Value]) -> Option<Thrown> {
    let part = |part: &str| {
        let entry = record.iter().find(|entry| path_of(entry).strip_prefix("exception.") == Some(part))?;
        Some(String::from_utf8_lossy(&unhex(entry.get("text")?.as_str()?)).into_owned())
    };
    Some(Thrown { ty: part("type")?, what: part("what") })
}

/// Whether the call ends with an exception.
pub(super) fn throws(record: &[Value]) -> bool {
    of(record).is_some()
}

/// The exception that the original throws. Its text is checked where only that differs, and its very type where a
/// handler of that type might catch what the mutant throws.
pub(super) fn check(model: &Model, original: &[Value], mutant: Option<&[Value]>) -> Option<Check> {
    let Thrown { ty, what } = of(original)?;
    let other = mutant.and_then(of);
    let text_differs = other.as_ref().is_some_and(|other| other.what != what);
    if !has_a_name(&ty) {
        let ty = if what.is_some() { "std::exception" } else { "..." };
        return Some(Check::Throws { ty: ty.to_owned(), what: what.filter(|_| other.is_some()), exactly: false });
    }
    let exactly = !text_differs && other.is_some_and(|other| other.ty != ty && may_derive(model, &other.ty, &ty));
    Some(Check::Throws { ty, what: what.filter(|_| text_differs), exactly })
}

/// Whether a class may derive from another: the project says, and of a library's nothing is known.
fn may_derive(model: &Model, class: &str, base: &str) -> bool {
    let Some(class) = model.class_named(class) else { return class.starts_with("std::") && base.starts_with("std::") };
    class.bases.iter().any(|of| of.ty.bare_spelling() == base || may_derive(model, of.ty.bare_spelling(), base))
}
