//! Kinds of types for operators; references are ignored.

use super::Surroundings;
use super::site::Site;
use crate::model::{Prim, Type, TypeKind};

pub(super) fn prim(ty: &Type) -> Option<Prim> {
    match ty.without_ref().kind {
        TypeKind::Prim(prim) => Some(prim),
        _ => None,
    }
}

/// Neither a reference nor something unknown.
pub(super) fn is_object(ty: &Type) -> bool {
    !ty.is_reference() && !matches!(ty.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_) | TypeKind::Void)
}

pub(super) fn is_bool(ty: &Type) -> bool {
    prim(ty) == Some(Prim::Bool)
}

pub(super) fn is_floating(ty: &Type) -> bool {
    matches!(prim(ty), Some(Prim::Float | Prim::Double | Prim::LongDouble))
}

/// Integers and characters; not `bool`, not enumerations.
pub(super) fn is_integer(ty: &Type) -> bool {
    prim(ty).is_some() && !is_bool(ty) && !is_floating(ty)
}

/// Numbers: not `bool`, not enumerations.
pub(super) fn is_number(ty: &Type) -> bool {
    prim(ty).is_some() && !is_bool(ty)
}

/// Numbers and `bool`.
pub(super) fn is_arithmetic(ty: &Type) -> bool {
    prim(ty).is_some()
}

pub(super) fn is_unsigned(ty: &Type) -> bool {
    use Prim::*;
    matches!(prim(ty), Some(UChar | Char8 | Char16 | Char32 | UShort | UInt | ULong | ULongLong | UInt128))
}

/// Smaller than `int`: promoted to `int` by arithmetic.
pub(super) fn is_promoted(ty: &Type) -> bool {
    is_integer(ty) && ty.without_ref().size.is_none_or(|size| size < 4)
}

/// Pointers, arrays, functions, `nullptr_t` and pointers to members.
pub(super) fn is_pointer(ty: &Type) -> bool {
    matches!(
        ty.without_ref().kind,
        TypeKind::Pointer(_)
            | TypeKind::Array(..)
            | TypeKind::Function { .. }
            | TypeKind::NullPtr
            | TypeKind::MemberPointer
    )
}

pub(super) fn is_class(ty: &Type) -> bool {
    matches!(ty.without_ref().kind, TypeKind::Record { .. })
}

/// An enumeration; the result is whether it is scoped.
pub(super) fn enumeration(ty: &Type, around: &Surroundings<'_>) -> Option<bool> {
    match &ty.without_ref().kind {
        TypeKind::Enum(usr) => Some(around.model.enums.get(usr).is_none_or(|known| known.scoped)),
        _ => None,
    }
}

/// Operands of bitwise operators: integers, `bool`, and enumerations that convert to them.
pub(super) fn is_integer_like(site: &Site<'_>, ty: &Type) -> bool {
    is_integer(ty) || is_bool(ty) || enumeration(ty, site.scene.around) == Some(false)
}
