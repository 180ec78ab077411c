//! What the call under test writes, beside what tells the mutant: a reviewer wants a test to fail as well where another
//! element of the same array is wrong. Which of these places the call really writes, a trial of the test says.

use super::asking::Asking;
use super::check::{Check, CheckKind, path_of};
use super::plainly::leave_out_sign;
use super::whole;
use crate::model::{Language, Prim, Type, TypeKind};
use crate::plan::record_paths::DISTANCE;
use crate::plan::{Entry, Kind, Recipe};
use serde_json::Value;

/// The most places of one argument, or of the result.
const MOST: usize = 24;

/// The longest value that is told.
const LONGEST: usize = 200;

/// A place that the call may have written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// That it has the value which the original left there.
    pub check: Check,
    /// Where it is an element of an array of numbers: the array.
    pub element: Option<Element>,
    /// It is a part of the result, so there is nothing to ask before the call.
    pub is_of_result: bool,
}

/// The array of numbers that an element is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The expression of the array.
    pub array: String,
    /// How the type of its elements is spelled.
    pub of: String,
    /// The index of the element.
    pub at: usize,
}

/// The places of out arguments and of the result that everybody sees, as the original leaves them. `is_hidden` says
/// which are as private as a member.
pub(super) fn places(
    mut asking: Asking<'_>,
    original: &[Value],
    entry: &Entry,
    is_hidden: &dyn Fn(&str) -> bool,
) -> Vec<Written> {
    let is_out = |ty: &Type| ty.pointee().or_else(|| referred(ty)).is_some_and(|to| !to.is_const);
    let outs = entry.args.iter().filter(|slot| is_out(&slot.ty));
    let outs = outs.map(|slot| (slot.name.as_str(), asking.language == Language::C && !is_data(&slot.recipe)));
    let mut found = Vec::new();
    for (name, has_state) in outs.chain([("return", false)]).collect::<Vec<_>>() {
        let of_it = |path: &str| {
            let part = path.strip_prefix(name).filter(|rest| is_part(rest, name == "return"));
            part.is_some_and(|rest| !(has_state && rest.contains('.')))
        };
        let mut whole_places: Vec<&str> = Vec::new();
        let before = found.len();
        for entry in original.iter().filter(|entry| of_it(path_of(entry))) {
            let path = path_of(entry);
            let is_within = |place: &&str| path.strip_prefix(place).is_some_and(|rest| rest.starts_with(['[', '.']));
            if entry.get("null").is_some() || is_hidden(path) || whole_places.iter().any(is_within) {
                continue;
            }
            asking.private = false;
            let check = match whole::check(&mut asking, original, path) {
                Some((place, check)) => {
                    whole_places.push(place);
                    Some(check)
                }
                None => asking.check(entry, path).or_else(|| asking.buffer(entry, None, path)),
            };
            let Some(mut check) = check.filter(|check| !asking.private && is_plain(check)) else { continue };
            // (A part of the result that is nothing was mostly never computed.)
            if name == "return" && is_nothing(&check) {
                continue;
            }
            leave_out_sign(&mut check, None);
            let element = element(&mut asking, path);
            found.push(Written { check, element, is_of_result: name == "return" });
            if found.len() - before == MOST {
                break;
            }
        }
    }
    found
}

/// Whether the members of an object are data of its user's. Of one that functions make ready, they are its own
/// business, though C can't hide them.
fn is_data(recipe: &Recipe) -> bool {
    match &recipe.kind {
        Kind::Pointer { to, .. } => is_data(&to.recipe),
        Kind::Array { element, .. } => is_data(&element.recipe),
        Kind::Fields { .. } | Kind::Prim { .. } | Kind::Enum { .. } | Kind::Bytes => true,
        _ => false,
    }
}

/// What a reference refers to.
fn referred(ty: &Type) -> Option<&Type> {
    matches!(ty.kind, TypeKind::LvalueRef(_)).then(|| ty.without_ref())
}

/// Whether the rest of a place is the value itself, or a part of it. (The result itself is checked in any case.)
fn is_part(rest: &str, is_result: bool) -> bool {
    let is_itself = rest.is_empty() && !is_result;
    (is_itself || rest.starts_with(['[', '.'])) && !rest.contains(DISTANCE) && !rest.contains(".<")
}

/// A value that `==` compares, and that a reader takes in at once.
fn is_plain(check: &Check) -> bool {
    let Check::Equal { actual, expected, kind } = check else { return false };
    let is_floating = matches!(kind, CheckKind::Float | CheckKind::Double | CheckKind::LongDouble);
    let is_nan = is_floating && expected.to_ascii_lowercase().contains("nan");
    let is_negative_zero = expected.starts_with("-0.0") && !expected.contains(|c: char| ('1'..='9').contains(&c));
    let is_cut = *kind == CheckKind::Text && crate::cpp::holds_nul(expected);
    // (The storage of a union is as its members lie in it.)
    let is_storage = actual.starts_with("memcmp(") || actual.starts_with("std::memcmp(");
    let is_one = !is_nan && !is_negative_zero && !is_cut && !is_storage;
    is_one && actual != expected && expected.len() <= LONGEST
}

/// A zero, false, or nothing in it.
fn is_nothing(check: &Check) -> bool {
    let Check::Equal { expected, kind, .. } = check else { return false };
    let is_number = !matches!(kind, CheckKind::Text | CheckKind::Whole | CheckKind::Enum);
    let is_zero = is_number && !expected.contains(|c: char| ('1'..='9').contains(&c));
    is_zero && !expected.contains(['\'', 't', 'I', 'x']) || expected == "\"\"" || expected.ends_with("{}")
}

/// The array of numbers that a place is an element of.
fn element(asking: &mut Asking<'_>, path: &str) -> Option<Element> {
    let (place, at) = path.strip_suffix(']')?.rsplit_once('[')?;
    let (_, of) = asking.expression(path)?;
    let (array, ty) = asking.expression(place)?;
    let TypeKind::Prim(prim) = of.kind else { return None };
    let is_floating = matches!(prim, Prim::Float | Prim::Double | Prim::LongDouble);
    // (By their bytes nobody would compare floating-point numbers.)
    let is_apart = matches!(prim, Prim::Bool | Prim::Char) || is_floating && asking.language == Language::C;
    let is_array = matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Array(..));
    (is_array && !is_apart).then_some(())?;
    Some(Element { array, of: of.bare_spelling().to_owned(), at: at.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_an_empty_text_and_a_container_without_elements_are_nothing() {
        let is_nothing = |expected: &str, kind| is_nothing(&Check::equal("x", expected, kind));
        for zero in ["0", "0u", "0L", "false"] {
            assert!(is_nothing(zero, CheckKind::Int), "{zero}");
        }
        assert!(is_nothing("0.0", CheckKind::Double) && is_nothing("\"\"", CheckKind::Text));
        assert!(is_nothing("std::vector<int>{}", CheckKind::Whole));
        assert!(!is_nothing("10", CheckKind::Int) && !is_nothing("true", CheckKind::Bool));
        assert!(!is_nothing("'a'", CheckKind::Int) && !is_nothing("INFINITY", CheckKind::Double));
        assert!(!is_nothing("RED", CheckKind::Enum) && !is_nothing("\"0\"", CheckKind::Text));
        assert!(!is_nothing("std::vector<int>{0}", CheckKind::Whole));
    }
}
