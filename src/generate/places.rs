//! Outputs that point into an array which the unit was given: the end of what was parsed, the place of a match. How far
//! they stand from its first element says what no text behind them does.

use super::lower::Made;
use crate::model::{Type, TypeKind};
use crate::plan::record_paths::DISTANCE;
use crate::plan::{Entry, Kind, Slot};

/// An output, and the argument whose array it may point into.
pub struct Place<'e> {
    /// The name under which the distance is recorded.
    pub label: String,
    /// The argument that hands the output out; none for the result.
    pub out: Option<usize>,
    /// The argument with the array.
    pub array: usize,
    /// The pointer's type.
    pub ty: &'e Type,
    by_reference: bool,
}

/// Pointers that a call gives, and arrays of the same elements that it takes. Which of them point into one only running
/// tells.
pub fn places(entry: &Entry) -> Vec<Place<'_>> {
    let results = entry.result.iter().map(|ty| (None, "return", ty));
    let outs = entry.args.iter().enumerate().filter_map(|(at, slot)| Some((Some(at), slot.name.as_str(), out(slot)?)));
    let mut all = Vec::new();
    for (out, name, ty) in results.chain(outs) {
        let Some(to) = pointed(ty) else { continue };
        let arrays = entry.args.iter().enumerate().filter(|(at, slot)| Some(*at) != out && is_array(slot, to));
        all.extend(arrays.map(|(array, slot)| Place {
            label: format!("{name}{DISTANCE}{}", slot.name),
            out,
            array,
            ty,
            by_reference: out.is_some_and(|at| entry.args[at].ty.is_reference()),
        }));
    }
    all
}

impl Place<'_> {
    /// The pointer; `result` is what the call's is kept in.
    pub fn pointer(&self, made: &[Made], result: &str) -> String {
        match self.out {
            None => result.to_owned(),
            Some(at) if self.by_reference => made[at].object.clone(),
            Some(at) => crate::cpp::dereference(&made[at].object),
        }
    }
}

/// The elements that a pointer is to, where they are numbers or characters.
fn pointed(ty: &Type) -> Option<&Type> {
    let TypeKind::Pointer(to) = &ty.kind else { return None };
    (matches!(to.kind, TypeKind::Prim(_)) && !to.spelling.contains("volatile")).then_some(&**to)
}

/// The pointer that a parameter hands out.
fn out(slot: &Slot) -> Option<&Type> {
    let to = match &slot.ty.kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) if !to.is_const => &**to,
        _ => return None,
    };
    // (What the callee owns it may have freed.)
    let is_made =
        !matches!(slot.recipe.kind, Kind::Fixed { .. } | Kind::OneOf { .. } | Kind::Pointer { given: true, .. });
    (is_made && pointed(to).is_some()).then_some(to)
}

/// Whether an argument is an array of such elements, or a text.
fn is_array(slot: &Slot, to: &Type) -> bool {
    let is_filled = matches!(slot.recipe.kind, Kind::Array { .. } | Kind::CString { .. } | Kind::Pattern { .. });
    is_filled && pointed(&slot.ty).is_some_and(|own| own.kind == to.kind)
}
