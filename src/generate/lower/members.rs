//! Members of structures as what can be set.

use super::writer::Lowering;
use crate::model::{Type, TypeKind};
use crate::types::spelling::value_type;

/// The place of a member of an object, or of what a pointer leads to.
pub(super) fn member(object: &str, name: &str) -> String {
    if name.is_empty() {
        return object.to_owned();
    }
    object.strip_prefix('*').map_or_else(|| format!("{object}.{name}"), |pointer| format!("{pointer}->{name}"))
}

/// A member of C as an lvalue that can be set, be it constant: the object is not, and nobody has read it yet.
pub(super) fn assignable(lowering: &Lowering<'_>, ty: &Type, place: String) -> String {
    let pointer = |ty: &Type| lowering.declare(&value_type(ty), "*");
    match &ty.kind {
        _ if !lowering.is_c() => place,
        TypeKind::Array(element, _) if element.is_const => format!("(({}){place})", pointer(element)),
        _ if ty.is_const => format!("(*({})&{place})", pointer(ty)),
        _ => place,
    }
}
