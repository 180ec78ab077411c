//! Arguments that a test writes where they are passed: a number, an enumerator, a text. A driver needs variables for
//! them, as they come from its input; a person writes none.

use super::kept_references::may_be;
use super::scalars;
use super::writer::{Lowered, Lowering, Made};
use crate::model::{Prim, Type, TypeKind};
use crate::plan::{Kind, Slot};
use crate::types::standard::complex_part;

/// The argument as an expression, where a test may write it in the call.
pub(super) fn argument(lowering: &mut Lowering<'_>, slot: &Slot) -> Lowered<Option<Made>> {
    if lowering.from_input()
        || !lowering.inlines
        || lowering.named.contains(&slot.name)
        || !takes_a_value(lowering, slot)
    {
        return Ok(None);
    }
    let value = scalars::expression(lowering, &slot.recipe)?;
    // (What null takes the place of is read all the same.)
    if slot.nullable
        && lowering.draw_pick(Slot::NULLS as usize, "a pointer that may be null")? + 1 == Slot::NULLS as usize
    {
        return Ok(Some(Made { is_null: true, ..Made::expression(lowering.null()) }));
    }
    Ok(Some(Made::expression(value)))
}

/// Whether the parameter takes the value of a literal that is just of its type, and keeps no address of it.
fn takes_a_value(lowering: &Lowering<'_>, slot: &Slot) -> bool {
    let is_kept = |to: &Type| lowering.kept_references.iter().any(|kept| may_be(kept, to));
    let ty = match &slot.ty.kind {
        TypeKind::LvalueRef(to) if to.is_const && !is_kept(to) => to,
        TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) => return false,
        _ => &slot.ty,
    };
    match &slot.recipe.kind {
        Kind::Prim { range: None } | Kind::Length { .. } => match ty.kind {
            TypeKind::Prim(prim) => lowering.is_c() || has_literals(prim),
            _ => false,
        },
        Kind::Pair { .. } => complex_part(ty).is_some(),
        Kind::Enum { .. } => matches!(ty.kind, TypeKind::Enum(_)),
        Kind::CString { .. } => {
            matches!(&ty.kind, TypeKind::Pointer(to) if to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)))
        }
        Kind::StdString { .. } => ty.record().is_some() || matches!(&ty.kind, TypeKind::Record { .. }),
        _ => false,
    }
}

/// Whether C++ has literals of just this type: of another, an overload might take them.
fn has_literals(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Bool
            | Prim::Char
            | Prim::Int
            | Prim::UInt
            | Prim::Long
            | Prim::ULong
            | Prim::LongLong
            | Prim::ULongLong
            | Prim::Float
            | Prim::Double
            | Prim::LongDouble
    )
}
