//! How a member is compared.

use crate::facts::anonymous_members::{self, holds_pointer};
use crate::model::{Class, Field, Model, Type, TypeKind};
use std::collections::BTreeSet;

/// Why such a union is left out: its bytes may be an address, and nothing says when.
pub(super) const UNION_OF_POINTERS: &str = "a union that may hold a pointer: which member is alive is not known";

/// Why such a union is left out.
pub(super) const UNION_WITH_GAPS: &str =
    "a union of which some bytes are between members: which member is alive is not known";

/// Why a structure is left out that only its own source knows.
pub(super) const OPAQUE: &str = "nothing says what it holds";

/// What a member is to the comparison.
pub(super) enum How<'m> {
    /// By its type.
    Value,
    /// Its members are those of what it stands in.
    Inside(&'m Class),
    /// A union, by a member that is all of it.
    Whole(&'m Field),
    /// Null or not: what it points to is not known to be one readable object.
    Nullness,
    /// Storage of so many bytes (an anonymous union).
    Storage(String, u64),
    /// Left out, with the reason.
    Skip(String),
}

pub(super) fn how<'m>(model: &'m Model, class: &Class, field: &Field, ty: &Type, known: &BTreeSet<String>) -> How<'m> {
    let is_plain = class.is_aggregate || class.language == crate::model::Language::C;
    if field.name.is_empty() {
        if field.bit_width.is_some() {
            return How::Skip(String::new());
        }
        let inner = model.class_of(ty);
        if let Some(inner) =
            anonymous_members::within(model, field).filter(|class| anonymous_members::is_structure(class))
        {
            return How::Inside(inner);
        }
        if let Some(whole) = inner.and_then(|union| anonymous_members::whole(model, union)) {
            return How::Whole(whole);
        }
        let first = inner.and_then(|class| class.fields.iter().find(|f| !f.name.is_empty()));
        if inner.is_some_and(|class| holds_pointer(model, class)) {
            return How::Skip(UNION_OF_POINTERS.into());
        }
        if inner.is_some_and(|class| anonymous_members::has_gaps(model, class)) {
            return How::Skip(UNION_WITH_GAPS.into());
        }
        return match (first, inner.and_then(|c| c.size)) {
            (Some(first), Some(size)) => How::Storage(first.name.clone(), size),
            _ => How::Skip("an unnamed member".into()),
        };
    }
    match &ty.kind {
        TypeKind::Pointer(to) => match &to.kind {
            TypeKind::Record { usr, .. } => {
                // (What another library's object points to need not be an object any more.)
                let of = model.classes.get(usr).filter(|of| of.installed.is_none() && class.installed.is_none());
                let seen = of.is_some() && known.contains(&to.canonical());
                if seen { How::Value } else { How::Nullness }
            }
            _ => How::Nullness,
        },
        TypeKind::Array(_, None | Some(0)) => How::Skip("an array of unknown length".into()),
        TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) => match to.record() {
            Some(usr) if model.classes.get(usr).is_some_and(|c| c.definition.is_some()) => How::Value,
            Some(_) => How::Skip("a reference to a type of another library".into()),
            None => How::Value,
        },
        TypeKind::MemberPointer => How::Skip("a pointer to member".into()),
        // Fixed room for pointers is hardly ever full, and what is not in use need not be initialised.
        TypeKind::Array(element, _) if !is_plain && matches!(element.kind, TypeKind::Pointer(_)) => {
            How::Skip("an array of pointers, which need not be initialised".into())
        }
        _ => How::Value,
    }
}
