//! Pointers that bodies take for arrays, and the parameters that say how long those are, as far as the bodies show it.

use super::values::{Planner, is_integer, value_type};
use super::{ARRAY_LENGTH, Reason, Recipe};
use crate::model::{Elements, Field, Param, Prim, Type, TypeKind, Usr};

/// Elements of an array that a parameter counts.
const COUNTED: u64 = 16;
/// Rows and columns of what is both; a place one further on is still there.
const ROWS: u64 = 9;
/// So many more than the places that are looked at by their numbers: mutants look further.
const BESIDES: u64 = 2;

impl Planner<'_> {
    /// The array that bodies take a member for, if they do.
    pub(super) fn behind_member(&self, field: &Field, ty: &Type, to: &Type) -> Option<Result<Recipe, Reason>> {
        let elements = self.model.elements.get(&field.usr).filter(|elements| elements.many || elements.least > 1)?;
        let least = if elements.many { COUNTED } else { 0 };
        is_plain_number(to).then(|| self.buffer(ty, to, least.max(elements.least + BESIDES)))
    }

    /// The array, or its length, that the body shows a parameter to be; none where it shows nothing.
    pub(super) fn as_bodies_show(&self, params: &[Param], index: usize, ty: &Type) -> Result<Option<Recipe>, Reason> {
        let Some(param) = params.get(index) else { return Ok(None) };
        if let Some(to) = ty.pointee()
            && let Some(elements) = &param.elements
            && (is_plain_number(to) || is_memory(to))
            && (elements.many || elements.least > 1)
        {
            // What callees without a body look at nobody knows.
            let has_body = |usr: &Usr| self.model.functions.get(usr).is_some_and(|f| f.definition.is_some());
            let is_open = param.handed_to.iter().any(|(callee, _)| !has_body(callee));
            let least = if is_open || is_memory(to) { ARRAY_LENGTH } else { 0 };
            return self.buffer(ty, to, length(elements).max(least)).map(Some);
        }
        let most = match most(params, index, true) {
            Some(most) => most,
            // Text and bytes, of which there are a hundred.
            None if most(params, index, false).is_some() => ARRAY_LENGTH - 1,
            None => return Ok(None),
        };
        // What has a sign is asked for it at times.
        let below = |ty: &Type| matches!(ty.kind, TypeKind::Prim(prim) if super::values::is_signed(prim));
        let count = |ty: &Type| Recipe::Length { ty: value_type(ty), most, below: below(ty) };
        match &ty.kind {
            TypeKind::Prim(prim) if is_integer(*prim) => Ok(Some(count(ty))),
            _ => match (ty.pointee(), self.value(ty, 0)?) {
                (Some(number), Recipe::Pointer { ty, mut to, given }) if matches!(to.recipe, Recipe::Prim { .. }) => {
                    to.recipe = count(number);
                    Ok(Some(Recipe::Pointer { ty, to, given }))
                }
                _ => Ok(None),
            },
        }
    }
}

/// Numbers that are neither characters nor bytes.
fn is_plain_number(to: &Type) -> bool {
    matches!(to.kind, TypeKind::Prim(_)) && !super::values::is_character(to) && !is_memory(to)
}

/// Whether bodies say of the parameter what its name may only hint at: that it counts numbers, or is an array of such.
pub(super) fn is_shown(params: &[Param], index: usize) -> bool {
    let Some(param) = params.get(index) else { return false };
    let is_array = || param.elements.as_ref().is_some_and(|elements| elements.many && !elements.counted_by.is_empty());
    match param.ty.pointee() {
        Some(to) if is_plain_number(to) => is_array(),
        Some(_) => false,
        None => most(params, index, true).is_some(),
    }
}

/// Bytes, which are a hundred wherever they are.
fn is_memory(to: &Type) -> bool {
    matches!(to.kind, TypeKind::Prim(Prim::UChar | Prim::SChar))
}

/// So many elements the array gets.
fn length(elements: &Elements) -> u64 {
    let usual = match (elements.many, elements.in_rows, elements.counted_by.is_empty()) {
        (false, ..) => 0,
        (true, false, false) => COUNTED,
        _ => ARRAY_LENGTH,
    };
    usual.max(if elements.least > 0 { elements.least + BESIDES } else { 0 })
}

/// The most that a parameter may be which counts elements of others.
fn most(params: &[Param], index: usize, is_number: bool) -> Option<u64> {
    let counted = (params.iter())
        .filter(|param| param.ty.pointee().is_some_and(is_plain_number) == is_number)
        .filter_map(|param| param.elements.as_ref())
        .filter(|elements| elements.counted_by.contains(&index));
    let most = |elements: &Elements| match (elements.in_rows, elements.counted_by.len()) {
        (false, _) => length(elements) - 1,
        (true, ..=2) => ROWS,
        (true, 3) => 4,
        (true, _) => 2,
    };
    counted.map(most).min()
}
