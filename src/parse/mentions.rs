//! Types that signatures, members and bases mention: instantiations of the project's templates, and what belongs to
//! installed libraries, which is read when its turn comes.

use super::enumerations;
use super::names::{is_function, is_reserved};
use super::reader::{Reader, access_of};
use super::type_shapes::is_class;
use super::waiting::Mentioned;
use crate::model::*;
use clang::{Entity, EntityKind};

/// Steps from what the project mentions: the classes that a class is made of, and those that these are made of.
const FAR: usize = 2;

/// Notes that `declaration`, a class that is no file's of the project, was mentioned.
pub(super) fn installed_class<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>) {
    if declaration.get_template().is_none()
        && matches!(declaration.get_kind(), EntityKind::StructDecl | EntityKind::ClassDecl)
    {
        mentioned(reader, declaration, Mentioned::Class(declaration));
    }
}

/// The USR of an instantiation of a class template of an installed library: it is a class of its own. None for the
/// project's and the standard library's.
pub(super) fn installed_instance<'tu>(
    reader: &mut Reader<'tu>,
    ty: clang::Type<'tu>,
    declaration: Entity<'tu>,
) -> Option<Usr> {
    let template = declaration.get_template()?;
    if !is_installed(reader, template) {
        return None;
    }
    mentioned(reader, declaration, Mentioned::Instance(ty, declaration));
    Some(reader.usr(declaration)).filter(|usr| !usr.is_empty())
}

/// The enumerators of an enumeration of an installed library.
pub(super) fn installed_enumeration<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>) {
    let Some(definition) = declaration.get_definition().filter(|_| reader.language == Language::Cxx) else { return };
    let usr = reader.usr(definition);
    // One without a name is its member's.
    let has_name = !reader.own_name(definition).is_empty();
    let named = if has_name { Some(definition) } else { definition.get_semantic_parent() };
    if !reader.model.enums.contains_key(&usr)
        && named.is_some_and(|named| is_installed(reader, named))
        && access_of(definition).is_none_or(|access| access == Access::Public)
    {
        enumerations::enumeration(reader, definition);
    }
}

/// Whether something is an installed library's of C++, and can be named by everybody.
pub(super) fn is_installed<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> bool {
    if reader.language != Language::Cxx || !reader.is_elsewhere(entity) {
        return false;
    }
    let mut scope = Some(entity);
    while let Some(inner) = scope {
        match inner.get_kind() {
            EntityKind::LinkageSpec | EntityKind::UnexposedDecl => {}
            EntityKind::Namespace if inner.is_inline_namespace() => {}
            kind if kind == EntityKind::Namespace || kind == EntityKind::EnumDecl || is_class(kind) => {
                let name = reader.own_name(inner);
                let is_closed = access_of(inner).is_some_and(|access| access != Access::Public);
                if name.is_empty() || is_reserved(&name) || name.starts_with('_') || name == "std" || is_closed {
                    return false;
                }
            }
            // Of a function nobody sees what is within.
            kind if is_function(kind) => return false,
            _ => return true,
        }
        scope = inner.get_semantic_parent();
    }
    true
}

/// Notes, before what waits, that a class derives from one that was mentioned.
pub(super) fn derived_class<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>) {
    let usr = reader.usr(declaration);
    if is_installed(reader, declaration) && reader.installed.seen.insert(usr) {
        reader.installed.queue.push_front((Mentioned::Class(declaration), 0));
    }
}

fn mentioned<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>, what: Mentioned<'tu>) {
    let depth = match (reader.installed.is_reading, reader.installed.depth) {
        (false, _) => 0,
        (true, Some(depth)) if depth < FAR => depth + 1,
        _ => return,
    };
    let usr = reader.usr(declaration);
    if usr.is_empty()
        || reader.installed.seen.contains(&usr)
        || !is_installed(reader, declaration.get_template().unwrap_or(declaration))
    {
        return;
    }
    // A project uses a library's internal classes only through the rest of it.
    let qualified = reader.qualified(declaration);
    let inner = qualified.split("::").any(|part| matches!(part, "detail" | "internal" | "impl" | "priv" | "aux"));
    if inner && depth > 0 {
        return;
    }
    reader.installed.seen.insert(usr);
    reader.installed.queue.push_back((what, depth));
}

/// Notes an instantiation of a template of the project.
pub(super) fn instantiated(reader: &mut Reader<'_>, template: Usr, args: Vec<TemplateArg>) {
    let direct = reader.model.instantiations.get(&template).is_some_and(|known| known.contains(&args));
    let known = match reader.in_instance {
        true => &mut reader.model.inner_instantiations,
        false => &mut reader.model.instantiations,
    };
    if !direct {
        known.entry(template).or_default().insert(args);
    }
}
