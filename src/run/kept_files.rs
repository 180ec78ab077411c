//! Whether a `FILE *` that a test passes may be kept by what it calls, so that it must stay open.

use crate::model::{Class, Function, Model, Type, TypeKind};
use std::collections::BTreeSet;

/// Whether a function's object, another argument, its result or a variable of the project may keep a file.
pub(super) fn may_keep(model: &Model, callee: &Function) -> bool {
    let is_plain = matches!(callee.result.kind, TypeKind::Void | TypeKind::Prim(_) | TypeKind::Enum(_));
    let owner = callee.owner.as_ref().and_then(|owner| model.classes.get(owner));
    let arguments = callee.params.iter().filter_map(|param| class_behind(model, &param.ty));
    let mut seen = BTreeSet::new();
    !is_plain
        || owner.into_iter().chain(arguments).any(|class| holds(model, class, &mut seen))
        || model.variables.values().any(|variable| is_file(&variable.ty))
}

fn is_file(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| to.bare_spelling().ends_with("FILE"))
}

fn class_behind<'m>(model: &'m Model, ty: &Type) -> Option<&'m Class> {
    model.class_of(ty.pointee().unwrap_or(ty.without_ref())).filter(|class| class.installed.is_none())
}

/// Whether a class, a base of it or a part of it has a member for a file.
fn holds<'m>(model: &'m Model, class: &'m Class, seen: &mut BTreeSet<&'m str>) -> bool {
    if !seen.insert(&class.qualified) {
        return false;
    }
    let bases = class.other_bases().filter_map(|base| model.class_of(&base.ty));
    let parts = class.fields.iter().filter_map(|field| class_behind(model, &field.ty));
    class.fields.iter().any(|field| is_file(&field.ty)) || bases.chain(parts).any(|class| holds(model, class, seen))
}
