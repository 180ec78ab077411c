//! Which types can be copied, and which only moved.

use super::writer::Lowering;
use crate::model::library::Ability;
use crate::model::{Access, Function, TemplateArg, Type, TypeKind};
use crate::types::standard::{is_of_library, owns_alone};
use std::path::PathBuf;

/// Whether values of this type can't be copied: they own something, or say so.
pub fn is_move_only(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let TypeKind::Record { name, args, usr } = &ty.kind else { return false };
    if is_of_library(lowering.model, name) {
        let inner = |arg: &TemplateArg| matches!(arg, TemplateArg::Type(ty) if is_move_only(lowering, ty));
        let copies = crate::types::library::row(lowering.model, name).map(|row| row.copies).unwrap_or_default();
        let lives_once = copies == Ability::Never || owns_alone(lowering.model, ty);
        return lives_once || copies != Ability::Always && args.iter().any(inner);
    }
    let Some(class) = lowering.model.classes.get(usr) else { return false };
    let moves =
        |f: &Function| f.is_copy_or_move && f.params.iter().any(|p| matches!(p.ty.kind, TypeKind::RvalueRef(_)));
    match class.constructors(lowering.model).find(copies) {
        Some(copy) => copy.is_deleted,
        // A class that declares a move constructor and no copy constructor is not copied.
        None if class.constructors(lowering.model).any(moves) => true,
        None => class.fields.iter().any(|f| !f.is_static && f.ty != *ty && is_move_only(lowering, &f.ty)),
    }
}

/// Whether it is a copy constructor.
fn copies(function: &&Function) -> bool {
    function.is_copy_or_move && function.params.iter().any(|param| param.ty.without_ref().is_const)
}

/// Whether everybody may copy objects of the class.
pub(super) fn is_copied(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let Some(class) = lowering.model.class_of(ty) else { return true };
    let is_open = class.constructors(lowering.model).find(copies).is_none_or(|f| f.access == Some(Access::Public));
    let bases = class.other_bases().all(|base| is_copied(lowering, &base.ty));
    is_open && bases && !class.is_abstract && !is_move_only(lowering, ty)
}

/// Whether a driver can copy objects of the class. It may what only the class may; but what is declared for nobody to
/// call has no body either.
pub(super) fn can_be_copied(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let Some(class) = lowering.model.class_of(ty) else { return true };
    let has_body =
        |f: &Function| !f.is_deleted && (f.access == Some(Access::Public) || f.is_defaulted || f.definition.is_some());
    match class.constructors(lowering.model).find(copies) {
        Some(copy) => has_body(copy),
        None => class.other_bases().all(|base| can_be_copied(lowering, &base.ty)) && !is_move_only(lowering, ty),
    }
}

pub(super) fn is_abstract(lowering: &Lowering<'_>, ty: &Type) -> bool {
    lowering.model.class_of(ty).is_some_and(|class| class.is_abstract)
}

/// Whether the class is more than declared where this is written: a handle's structure may be known to one source only.
pub(super) fn is_defined(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let class = lowering.model.class_of(ty);
    let Some((class, files)) = class.zip(lowering.files) else { return true };
    let at = class.definition.as_ref();
    let is_main = |file: &PathBuf| lowering.model.units.iter().any(|unit| unit.main_file == *file);
    at.is_some_and(|at| files.contains(&at.file) || !is_main(&at.file))
}
