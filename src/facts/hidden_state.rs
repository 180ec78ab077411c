//! Classes of the project whose state lies where no member leads to in the open: behind a pointer to a class that only
//! one source defines, or in a union of which nothing says what is alive. They are compared by what they say when they
//! are asked, like those of other libraries.

use super::anonymous_members::{has_gaps, holds_pointer};
use crate::model::{Class, ClassKind, Function, FunctionKind, Language, Model, Type, TypeKind};
use crate::types::standard::smart_pointee;
use std::path::Path;

/// Whether some of an object's state can't be seen through its members.
pub fn is_hidden(model: &Model, class: &Class) -> bool {
    let is_project = class.installed.is_none() && class.definition.is_some() && !model.is_foreign(class);
    is_project
        && class.language == Language::Cxx
        && class.kind != ClassKind::Union
        && class.fields.iter().any(|field| !field.is_static && hides(model, &field.ty))
}

fn hides(model: &Model, ty: &Type) -> bool {
    let smart = smart_pointee(model, ty);
    let to = ty.pointee().or(smart);
    if let Some(to) = to {
        return matches!(to.kind, TypeKind::Record { .. })
            && model.class_of(to).is_some_and(|class| class.installed.is_none() && is_local(model, class));
    }
    let union = model.class_of(ty).filter(|class| class.kind == ClassKind::Union);
    union.is_some_and(|union| holds_pointer(model, union) || has_gaps(model, union))
}

/// Whether no header says what the class has.
fn is_local(model: &Model, class: &Class) -> bool {
    let is_source = |file: &Path| model.units.iter().any(|unit| unit.main_file == file);
    class.definition.as_ref().is_none_or(|at| is_source(&at.file))
}

/// Whether the method takes nothing and changes nothing, so that an object may be asked by it.
pub fn asks(method: &Function) -> bool {
    method.kind == FunctionKind::Method
        && method.is_const
        && !method.is_deleted
        && method.access == Some(crate::model::Access::Public)
        && method.params.is_empty()
}

/// The type of what lies between the results of `begin()` and `end()`, where an object of the class has both.
pub fn elements(model: &Model, class: &Class) -> Option<Type> {
    let named = |name: &str| class.functions(model).find(|method| method.name == name && asks(method));
    named("end").filter(|end| end.definition.is_some())?;
    let from = named("begin")?.result.without_ref().clone();
    match &from.kind {
        TypeKind::Pointer(to) => Some((**to).clone()),
        // An iterator of the library has its element, or a pointer to it, as its first argument.
        TypeKind::Record { name, .. } if name.starts_with("std::") || name.starts_with("__gnu_cxx::") => {
            let first = from.args().iter().find_map(|arg| arg.ty())?;
            Some(first.pointee().unwrap_or(first).clone())
        }
        _ => None,
    }
}
