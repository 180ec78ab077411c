//! Values that are made of their type alone: numbers, enumerators, arrays, what a reference leads to.

use super::memory::element_slot;
use super::rule::ValueRule;
use crate::model::{Type, TypeKind};
use crate::plan::construction_graph::Need;
use crate::plan::{ARRAY_LENGTH, Kind, Reason};
use crate::types::spelling::value_type;

/// `T &`, `T &&`: an object of its own.
pub(super) const REFERENCE: ValueRule = ValueRule {
    is_for: |ty| matches!(ty.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)),
    cost: |graph, ty| graph.value(ty.without_ref()),
    recipe: |scope, ty, request| {
        let to = ty.without_ref();
        scope.value(to, if to.record().is_some() { request } else { request.deeper() })
    },
};

/// An arithmetic type: any value.
pub(super) const NUMBER: ValueRule = ValueRule {
    is_for: |ty| matches!(ty.kind, TypeKind::Prim(_)),
    cost: |_, _| Some(Need::of(1)),
    recipe: |_, ty, _| Ok(Kind::Prim { range: None }.of(value_type(ty))),
};

/// An enumerator; of an opaque or a system enumeration any value of the width.
pub(super) const ENUMERATION: ValueRule = ValueRule {
    is_for: |ty| matches!(ty.kind, TypeKind::Enum(_)),
    cost: |_, _| Some(Need::of(1)),
    recipe: |scope, ty, _| {
        let TypeKind::Enum(usr) = &ty.kind else { return Err(nothing(ty)) };
        let known = scope.model.enums.get(usr).map(|known| known.enumerators_of(ty, scope.model));
        Ok(Kind::Enum { values: known.unwrap_or_default() }.of(value_type(ty)))
    },
};

/// What an object of nothing but `nullptr` costs: there is nothing in it, so that any other is better.
const OF_NOTHING: u32 = 30;

/// `std::nullptr_t`.
pub(super) const NULL: ValueRule = ValueRule {
    is_for: |ty| ty.kind == TypeKind::NullPtr,
    cost: |_, _| Some(Need::of(OF_NOTHING)),
    recipe: |_, ty, _| Ok(Kind::Fixed { expression: "nullptr".into() }.of(ty.clone())),
};

/// `T[n]`: element by element.
pub(super) const ARRAY: ValueRule = ValueRule {
    is_for: |ty| matches!(ty.kind, TypeKind::Array(..)),
    cost: |graph, ty| match &ty.kind {
        TypeKind::Array(element, _) => Some(graph.value(element)?.plus(2)),
        _ => None,
    },
    recipe: |scope, ty, request| {
        let TypeKind::Array(element, length) = &ty.kind else { return Err(nothing(ty)) };
        let length = length.unwrap_or(ARRAY_LENGTH);
        Ok(Kind::Array { element: element_slot(scope, element, request)?, length, text: false }.of(value_type(ty)))
    },
};

/// Types of which no value can be made.
pub(super) const NONE: ValueRule =
    ValueRule { is_for: |_| true, cost: |_, _| None, recipe: |_, ty, _| Err(nothing(ty)) };

/// Why no value of a type can be made.
fn nothing(ty: &Type) -> Reason {
    match &ty.kind {
        TypeKind::Void => Reason::new("a value of type void"),
        TypeKind::Function { .. } => Reason::new("a function can't be made up").needs("parameters.NAME.value"),
        TypeKind::MemberPointer => Reason::new("a pointer to member can't be made up").needs("parameters.NAME.value"),
        TypeKind::Dependent(name) => {
            Reason::new(format!("the template argument for `{name}` is not known")).needs("templates")
        }
        TypeKind::Unknown(what) => Reason::new(format!("libclang does not describe this type ({what})")),
        _ => {
            let reason = Reason::new(format!("nothing is known of what `{}` points to", ty.spelling));
            // An override can't say the type behind two pointers.
            let is_outer = ty.pointee().is_some_and(|to| to.pointee().is_some());
            if is_outer { reason } else { reason.needs("parameters.NAME.type") }
        }
    }
}
