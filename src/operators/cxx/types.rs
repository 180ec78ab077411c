//! Properties of types that decide what mutants compile.

use crate::model::library::{Ability, Row};
use crate::model::{Access, Base, Class, Function, FunctionKind, Model, TemplateArg, Type, TypeKind};
use crate::operators::kinds::{is_object, prim};
use crate::operators::site::{Scene, is_lvalue};
use crate::tree::{Kind, Node};
use crate::types::library::row;
use crate::types::standard::{is_able, is_text};
use std::collections::BTreeSet;

/// Whether two types are equal, however they are spelled; their own `const` does not matter.
pub(super) fn alike(a: &Type, b: &Type) -> bool {
    match (&a.kind, &b.kind) {
        (TypeKind::Pointer(a), TypeKind::Pointer(b))
        | (TypeKind::LvalueRef(a), TypeKind::LvalueRef(b))
        | (TypeKind::RvalueRef(a), TypeKind::RvalueRef(b)) => exactly(a, b),
        (TypeKind::Array(a, n), TypeKind::Array(b, m)) => n == m && alike(a, b),
        (TypeKind::Record { usr: a, args: x, .. }, TypeKind::Record { usr: b, args: y, .. }) => {
            a == b
                && x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| match (x, y) {
                    (TemplateArg::Type(x), TemplateArg::Type(y)) => exactly(x, y),
                    (x, y) => x == y,
                })
        }
        (TypeKind::Dependent(a), TypeKind::Dependent(b)) => a == b,
        (TypeKind::Unknown(_), _) | (_, TypeKind::Unknown(_)) => false,
        (TypeKind::MemberPointer, TypeKind::MemberPointer) => a.bare_spelling() == b.bare_spelling(),
        (TypeKind::Function { .. }, TypeKind::Function { .. }) => a.spelling == b.spelling,
        (a, b) => a == b,
    }
}

/// Whether two types are equal, their own `const` included.
pub(super) fn exactly(a: &Type, b: &Type) -> bool {
    a.is_const == b.is_const && alike(a, b)
}

/// Whether a value can be made by `{}`.
pub(super) fn defaults(ty: &Type, model: &Model) -> bool {
    !matches!(ty.kind, TypeKind::Array(_, None))
        && can(ty, model, &|row| row.default, &|class| class_defaults(class, model))
}

/// Whether a value can be copied.
pub(super) fn copies(ty: &Type, model: &Model) -> bool {
    can(ty, model, &|row| row.copies, &|class| class_copies(class, model))
}

/// Whether something can be done with a value, by the rows of libraries and by the project's classes.
fn can(ty: &Type, model: &Model, library: &dyn Fn(&Row) -> Ability, project: &dyn Fn(&Class) -> bool) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) | TypeKind::NullPtr | TypeKind::MemberPointer => {
            true
        }
        TypeKind::Array(of, _) => can(of, model, library, project),
        TypeKind::Record { name, usr, args } => match model.classes.get(usr) {
            Some(class) => project(class),
            None => {
                row(model, name).is_some_and(|row| is_able(library(row), args, &|ty| can(ty, model, library, project)))
            }
        },
        _ => false,
    }
}

/// Whether the class has a default constructor that its own members and those of its children can call.
pub(super) fn class_defaults(class: &Class, model: &Model) -> bool {
    if class.definition.is_none() || class.template.is_some() {
        return false;
    }
    let mut constructors = class.constructors(model).peekable();
    if constructors.peek().is_none() {
        return members_default(class, model);
    }
    constructors.filter(|constructor| constructor.access != Some(Access::Private)).any(|constructor| {
        if constructor.is_defaulted {
            return constructor.params.is_empty() && members_default(class, model);
        }
        let is_usable = !constructor.is_deleted && !constructor.is_explicit;
        is_usable && constructor.params.iter().all(|param| param.default.is_some())
    })
}

fn members_default(class: &Class, model: &Model) -> bool {
    let mut fields = class.fields.iter().filter(|field| !field.is_static);
    class.bases.iter().all(|base| defaults(&base.ty, model))
        && fields.all(|field| !field.ty.is_const && !field.name.is_empty() && defaults(&field.ty, model))
}

fn class_copies(class: &Class, model: &Model) -> bool {
    if class.definition.is_none() || class.template.is_some() || class.is_abstract {
        return false;
    }
    let is_copy = |constructor: &Function| {
        constructor.is_copy_or_move
            && constructor.params.first().is_some_and(|param| matches!(param.ty.kind, TypeKind::LvalueRef(_)))
    };
    let copying: Vec<&Function> = class.constructors(model).filter(|constructor| is_copy(constructor)).collect();
    if !copying.is_empty() {
        let is_usable = |copy: &&Function| !copy.is_deleted && copy.access == Some(Access::Public) && !copy.is_explicit;
        return copying.iter().any(is_usable)
            && copying.iter().all(|copy| !copy.is_defaulted || members_copy(class, model));
    }
    // A move constructor or assignment deletes the copying ones.
    let moves = class.methods.iter().filter_map(|usr| model.functions.get(usr)).any(|method| {
        (method.kind == FunctionKind::Constructor && method.is_copy_or_move || method.name == "operator=")
            && method.params.first().is_some_and(|param| matches!(param.ty.kind, TypeKind::RvalueRef(_)))
    });
    !moves && members_copy(class, model)
}

fn members_copy(class: &Class, model: &Model) -> bool {
    let base_copies = |base: &Base| {
        let class = base.ty.record().and_then(|usr| model.classes.get(usr));
        class.is_some_and(|of| of.is_abstract && of.template.is_none() && members_copy(of, model))
            || copies(&base.ty, model)
    };
    let mut fields = class.fields.iter().filter(|field| !field.is_static);
    class.bases.iter().all(base_copies)
        && fields.all(|field| matches!(field.ty.kind, TypeKind::LvalueRef(_)) || copies(&field.ty, model))
}

/// Whether the class is complete here: a class that is defined further down may not be.
pub(super) fn is_known(class: &Class, scene: &Scene<'_>) -> bool {
    let Some(definition) = &class.definition else { return false };
    let file = &scene.around.trees.file;
    if definition.file == *file {
        return definition.end <= scene.body.root.span.start;
    }
    // A header that the file includes, directly or not, comes before it.
    let mut seen = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        let includes = scene.around.model.files.get(file).map(|source| source.includes.as_slice());
        let new = includes.unwrap_or_default().iter().map(|(_, next)| next).filter(|next| seen.insert(*next));
        open.extend(new);
    }
    seen.contains(&definition.file)
}

/// Whether an argument can be passed to a parameter of this type, by conversions that certainly exist.
pub(super) fn fits(scene: &Scene<'_>, argument: &Node, parameter: &Type) -> bool {
    let Some(ty) = scene.ty(argument) else { return false };
    let given = ty.without_ref();
    match &parameter.kind {
        TypeKind::LvalueRef(to) if !to.is_const => {
            is_lvalue(argument) && !given.is_const && (alike(given, to) || derives(scene, given, to))
        }
        TypeKind::LvalueRef(to) => {
            alike(given, to) || derives(scene, given, to) || converts(scene, argument, given, to)
        }
        TypeKind::RvalueRef(_) => false,
        _ if is_object(parameter) => {
            alike(given, parameter) && (prim(given).is_some() || copies(given, scene.around.model))
                || converts(scene, argument, given, parameter)
        }
        _ => false,
    }
}

/// Conversions of values without a compiler warning about loss.
fn converts(scene: &Scene<'_>, argument: &Node, from: &Type, to: &Type) -> bool {
    match (&from.kind, &to.kind) {
        (TypeKind::Prim(_), TypeKind::Prim(_)) => true,
        (TypeKind::NullPtr, TypeKind::Pointer(_)) => true,
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
            (b.is_const || !a.is_const) && (alike(a, b) || matches!(b.kind, TypeKind::Void) || derives(scene, a, b))
        }
        (TypeKind::Array(a, _), TypeKind::Pointer(b)) => (b.is_const || !a.is_const) && alike(a, b),
        (TypeKind::Array(..), TypeKind::Record { name, .. }) => argument.kind == Kind::Text && is_text(name),
        _ => false,
    }
}

/// Whether a class derives from another by public inheritance, as far as known.
pub(super) fn derives(scene: &Scene<'_>, class: &Type, base: &Type) -> bool {
    class.record().zip(base.record()).is_some_and(|(class, base)| is_child(scene, class, base))
}

/// Whether everybody can convert objects of `class` to `base`.
pub(super) fn is_child(scene: &Scene<'_>, class: &str, base: &str) -> bool {
    let Some(found) = scene.around.model.classes.get(class) else { return false };
    found.bases.iter().any(|of| {
        of.access == Access::Public && of.ty.record().is_some_and(|usr| usr == base || is_child(scene, usr, base))
    })
}

/// Whether a function takes these arguments; missing ones have defaults.
pub(super) fn takes(scene: &Scene<'_>, function: &Function, arguments: &[&Node]) -> bool {
    arguments.len() <= function.params.len()
        && function.params[arguments.len()..].iter().all(|param| param.default.is_some())
        && arguments.iter().zip(&function.params).all(|(argument, param)| fits(scene, argument, &param.ty))
}
