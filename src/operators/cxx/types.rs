//! Properties of types that decide what mutants compile.

use super::scene::Scene;
use crate::model::{Access, Class, Function, FunctionKind, Model, Prim, TemplateArg, Type, TypeKind};
use crate::tree::{Entity, Kind, Node, Role};
use crate::types::library::row;
use crate::types::standard::{is_able, is_text};

/// Whether two types are equal, however they are spelled; their own `const` does not matter.
pub(super) fn alike(a: &Type, b: &Type) -> bool {
    match (&a.kind, &b.kind) {
        (TypeKind::Pointer(a), TypeKind::Pointer(b))
        | (TypeKind::LvalueRef(a), TypeKind::LvalueRef(b))
        | (TypeKind::RvalueRef(a), TypeKind::RvalueRef(b)) => a.is_const == b.is_const && alike(a, b),
        (TypeKind::Array(a, n), TypeKind::Array(b, m)) => n == m && alike(a, b),
        (TypeKind::Record { usr: a, args: x, .. }, TypeKind::Record { usr: b, args: y, .. }) => {
            a == b
                && x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| match (x, y) {
                    (TemplateArg::Type(x), TemplateArg::Type(y)) => x.is_const == y.is_const && alike(x, y),
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

/// Neither a reference nor something unknown.
pub(super) fn is_object(ty: &Type) -> bool {
    !matches!(
        ty.kind,
        TypeKind::LvalueRef(_)
            | TypeKind::RvalueRef(_)
            | TypeKind::Dependent(_)
            | TypeKind::Unknown(_)
            | TypeKind::Void
    )
}

/// Of an arithmetic type.
pub(super) fn prim(ty: &Type) -> Option<Prim> {
    match ty.kind {
        TypeKind::Prim(prim) => Some(prim),
        _ => None,
    }
}

/// Whether a value can be made by `{}`.
pub(super) fn defaults(ty: &Type, model: &Model) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) | TypeKind::NullPtr | TypeKind::MemberPointer => {
            true
        }
        TypeKind::Array(of, Some(_)) => defaults(of, model),
        TypeKind::Record { name, usr, args } => match model.classes.get(usr) {
            Some(class) => class_defaults(class, model),
            None => row(model, name).is_some_and(|row| is_able(row.default, args, &|ty| defaults(ty, model))),
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
    if constructors.peek().is_some() {
        return constructors.any(|constructor| {
            constructor.params.iter().all(|param| param.default.is_some())
                && !constructor.is_deleted
                && !constructor.is_explicit
                && !constructor.is_defaulted
                && constructor.access != Some(Access::Private)
        }) || class.constructors(model).any(|constructor| {
            constructor.params.is_empty()
                && constructor.is_defaulted
                && constructor.access != Some(Access::Private)
                && members_default(class, model)
        });
    }
    members_default(class, model)
}

fn members_default(class: &Class, model: &Model) -> bool {
    class.bases.iter().all(|base| defaults(&base.ty, model))
        && class
            .fields
            .iter()
            .filter(|field| !field.is_static)
            .all(|field| !field.ty.is_const && !field.name.is_empty() && defaults(&field.ty, model))
}

/// Whether a value can be copied.
pub(super) fn copies(ty: &Type, model: &Model) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) | TypeKind::NullPtr | TypeKind::MemberPointer => {
            true
        }
        TypeKind::Array(of, _) => copies(of, model),
        TypeKind::Record { name, usr, args } => match model.classes.get(usr) {
            Some(class) => class_copies(class, model),
            None => row(model, name).is_some_and(|row| is_able(row.copies, args, &|ty| copies(ty, model))),
        },
        _ => false,
    }
}

fn class_copies(class: &Class, model: &Model) -> bool {
    if class.definition.is_none() || class.template.is_some() || class.is_abstract {
        return false;
    }
    let methods = || class.methods.iter().filter_map(|usr| model.functions.get(usr));
    let is_copy = |constructor: &crate::model::Function| {
        constructor.is_copy_or_move
            && constructor.params.first().is_some_and(|param| matches!(param.ty.kind, TypeKind::LvalueRef(_)))
    };
    let mut copying = class.constructors(model).filter(|constructor| is_copy(constructor)).peekable();
    if copying.peek().is_some() {
        return copying.any(|copy| !copy.is_deleted && copy.access == Some(Access::Public) && !copy.is_explicit)
            && class
                .constructors(model)
                .all(|copy| !is_copy(copy) || !copy.is_defaulted || members_copy(class, model));
    }
    // A move constructor or assignment deletes the copying ones.
    let moves = methods().any(|method| {
        (method.kind == FunctionKind::Constructor && method.is_copy_or_move || method.name == "operator=")
            && method.params.first().is_some_and(|param| matches!(param.ty.kind, TypeKind::RvalueRef(_)))
    });
    !moves && members_copy(class, model)
}

fn members_copy(class: &Class, model: &Model) -> bool {
    class.bases.iter().all(|base| {
        base.ty.record().and_then(|usr| model.classes.get(usr)).map_or_else(
            || copies(&base.ty, model),
            |of| of.is_abstract && of.template.is_none() && members_copy(of, model) || copies(&base.ty, model),
        )
    }) && class
        .fields
        .iter()
        .filter(|field| !field.is_static)
        .all(|field| matches!(field.ty.kind, TypeKind::LvalueRef(_)) || copies(&field.ty, model))
}

/// Whether the class is complete here: a class that is defined further down may not be.
pub(super) fn is_known(class: &Class, scene: &Scene<'_>) -> bool {
    let Some(definition) = &class.definition else { return false };
    let file = &scene.around.trees.file;
    if definition.file == *file {
        return definition.end <= scene.body.root.span.start;
    }
    // A header that the file includes, directly or not, comes before it.
    reaches(scene, file, &definition.file)
}

fn reaches(scene: &Scene<'_>, from: &std::path::Path, to: &std::path::Path) -> bool {
    let mut seen = std::collections::BTreeSet::from([from]);
    let mut queue = vec![from];
    while let Some(file) = queue.pop() {
        let Some(source) = scene.around.model.files.get(file) else { continue };
        for (_, next) in &source.includes {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                queue.push(next);
            }
        }
    }
    false
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
    match (class.record(), base.record()) {
        (Some(class), Some(base)) => is_child(scene, class, base),
        _ => false,
    }
}

/// Whether everybody can convert objects of `class` to `base`.
pub(super) fn is_child(scene: &Scene<'_>, class: &str, base: &str) -> bool {
    let Some(found) = scene.around.model.classes.get(class) else { return false };
    found.bases.iter().any(|of| {
        of.access == Access::Public && of.ty.record().is_some_and(|usr| usr == base || is_child(scene, usr, base))
    })
}

/// Whether it names an object.
pub(super) fn is_lvalue(node: &Node) -> bool {
    match &node.kind {
        Kind::Name { of, .. } => matches!(of, Entity::Local | Entity::Parameter | Entity::Field | Entity::Global),
        Kind::Member { of, .. } => matches!(of, Entity::Field | Entity::Global),
        Kind::Index => true,
        Kind::Unary { op, postfix: false } => op == "*",
        Kind::Paren => node.children.first().is_some_and(is_lvalue),
        _ => false,
    }
}

/// The arguments of a call or construction.
pub(super) fn arguments(node: &Node) -> Vec<&Node> {
    node.children.iter().filter(|child| child.role == Role::Argument).collect()
}

/// Whether a function takes these arguments; missing ones have defaults.
pub(super) fn takes(scene: &Scene<'_>, function: &Function, arguments: &[&Node]) -> bool {
    arguments.len() <= function.params.len()
        && function.params[arguments.len()..].iter().all(|param| param.default.is_some())
        && arguments.iter().zip(&function.params).all(|(argument, param)| fits(scene, argument, &param.ty))
}
