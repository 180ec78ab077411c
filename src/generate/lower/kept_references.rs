//! Whether objects of the project keep references, so that what is passed by reference must live on.

use crate::model::{Model, Type, TypeKind};
use crate::types::standard::is_text;

/// Whether an object of the project may hold on to what is passed to it by reference.
pub(super) fn keeps_references(model: &Model) -> bool {
    let refers = |ty: &Type| match &ty.kind {
        TypeKind::LvalueRef(to) => to.is_const,
        TypeKind::Record { name, .. } => is_text(name) && name.ends_with("_view"),
        _ => false,
    };
    let own = model.classes.values().filter(|class| class.installed.is_none());
    own.flat_map(|class| &class.fields).any(|field| refers(&field.ty))
}
