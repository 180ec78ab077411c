//! Memory that a pointer leads to: buffers, text, ranges.

use super::c_lifecycle::is_made;
use crate::lexicon::Lexicon;
use crate::model::{Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe, Slot};
use crate::types::arithmetic::{is_character, is_scalar, primitive};
use crate::types::spelling::value_type;

/// A pointer into an array of `length` elements of its own.
pub(in crate::plan) fn buffer(
    scope: &UnitScope<'_>,
    ty: &Type,
    element: &Type,
    length: u64,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    Ok(Kind::Array { element: element_slot(scope, element, request.at(0))?, length, text: false }.of(value_type(ty)))
}

/// The bytes that a `void *` leads to.
pub(in crate::plan) fn bytes(
    scope: &UnitScope<'_>,
    ty: &Type,
    length: u64,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let byte = primitive("unsigned char").expect("an arithmetic type");
    buffer(scope, ty, &byte, length, request)
}

/// The elements between two pointers; text ends with NUL, for callees that look for one all the same.
pub(in crate::plan) fn range(
    scope: &UnitScope<'_>,
    ty: &Type,
    pointee: &Type,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    if is_character(pointee) {
        text_buffer(scope, ty, pointee, request)
    } else {
        buffer(scope, ty, pointee, ARRAY_LENGTH, request)
    }
}

/// A buffer of characters that whoever looks for its end finds.
pub(in crate::plan) fn text_buffer(
    scope: &UnitScope<'_>,
    ty: &Type,
    element: &Type,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let element = element_slot(scope, element, request.at(0))?;
    Ok(Kind::Array { element, length: ARRAY_LENGTH, text: true }.of(value_type(ty)))
}

/// The same memory, allocated for somebody who frees it: an array, a structure that is filled, and those that an array
/// of pointers leads to. What functions make is theirs to allocate.
pub(in crate::plan) fn on_heap(recipe: Recipe) -> Recipe {
    let Recipe { ty, kind, .. } = recipe;
    match kind {
        Kind::Array { element, length, text } if ty.pointee().is_some() => {
            let spelling = format!("{}[{length}]", element.ty.spelling);
            let array = TypeKind::Array(Box::new(element.ty.clone()), Some(length));
            let array = Type { spelling, is_const: false, kind: array, size: None };
            let values = Kind::Array { element, length, text }.of(array.clone());
            let kind = Kind::Pointer { to: Box::new(Slot::new("value", array, values)), given: true };
            Recipe { ty, kind, ..recipe }
        }
        Kind::Array { mut element, length, text } => {
            element.recipe = on_heap(element.recipe);
            Recipe { ty, kind: Kind::Array { element, length, text }, ..recipe }
        }
        Kind::Pointer { to, .. } if matches!(to.recipe.kind, Kind::Fields { .. }) || is_made(&to.recipe) => {
            Recipe { ty, kind: Kind::Pointer { to, given: true }, ..recipe }
        }
        kind => Recipe { ty, kind, ..recipe },
    }
}

pub(in crate::plan) fn element_slot(
    scope: &UnitScope<'_>,
    ty: &Type,
    request: Request<'_>,
) -> Result<Box<Slot>, Reason> {
    let recipe = scope.value(ty, request.deeper())?;
    Ok(Box::new(Slot::new("element", ty.clone(), recipe)))
}

/// Whether two pointers, by their names and types, or by use and their types, are the beginning and the end of one
/// range of scalars.
pub(super) fn are_ends(
    lexicon: &Lexicon,
    (from, begins): (&str, &Type),
    (to, ends): (&str, &Type),
    by_use: bool,
) -> bool {
    let (Some(begins), Some(ends)) = (begins.without_ref().pointee(), ends.without_ref().pointee()) else {
        return false;
    };
    let is_named = || lexicon.are_range_ends(from, to, is_character(begins));
    begins.kind == ends.kind && is_scalar(begins) && (by_use || is_named())
}

pub(in crate::plan) fn array_length(recipe: &Recipe) -> Option<u64> {
    match &recipe.kind {
        Kind::Array { length, .. } => Some(*length),
        _ => None,
    }
}
