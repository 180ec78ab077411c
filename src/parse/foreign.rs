//! Structures of C that belong to no file of the project: those of the operating system and of C libraries (`struct
//! stat`, `sockaddr_in`). What a parameter or a member has of them can be filled and compared like a structure of the
//! project's own.

use super::mentions;
use super::reader::{Reader, measure};
use super::types;
use crate::model::{Class, ClassKind, Language};
use clang::{Entity, EntityKind};

/// Reads the structure `declaration`, which is no file's of the project, if it is plain C with nothing hidden: no
/// members but data, no name that is reserved (`_IO_FILE` is nobody's to fill).
pub(super) fn foreign<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>) {
    let kind = match declaration.get_kind() {
        EntityKind::StructDecl => ClassKind::Struct,
        EntityKind::UnionDecl => ClassKind::Union,
        _ => return mentions::installed_class(reader, declaration),
    };
    let usr = reader.usr(declaration);
    let name = reader.qualified(declaration).to_string();
    let Some(definition) = declaration.get_definition() else { return };
    if reader.language == Language::Cxx && !is_plain(definition) {
        return mentions::installed_class(reader, declaration);
    }
    let known = usr.is_empty() || reader.model.classes.contains_key(&usr);
    // One of a class or a namespace is C++.
    if reader.language == Language::Cxx && name.contains("::") {
        return mentions::installed_class(reader, declaration);
    }
    if known || name.is_empty() || name.starts_with('_') || name.contains("::") || !is_plain(definition) {
        return;
    }
    let Some((extent, ..)) = reader.extent(definition) else { return };
    let mut class = Class {
        usr: usr.clone(),
        qualified: name.clone(),
        kind,
        language: reader.language,
        definition: Some(extent),
        is_aggregate: true,
        // Without a keyword in front, which in C++ none needs.
        aliases: (reader.language == Language::C && reader.named_by_typedef(definition))
            .then(|| name.clone())
            .into_iter()
            .collect(),
        name,
        ..Class::default()
    };
    measure(definition, &mut class);
    class.is_pod = true;
    // Before its members, which may point to it.
    reader.model.classes.insert(usr.clone(), class.clone());
    for child in definition.get_children() {
        let reserved = child.get_name().is_none_or(|name| name.starts_with("__") || name.is_empty());
        if child.get_kind() == EntityKind::FieldDecl && !reserved {
            class.fields.push(types::field(reader, child));
        }
    }
    reader.model.classes.insert(usr, class);
}

/// Whether all its members are data, and it is C: in C++ an empty structure may be a tag with a meaning.
fn is_plain(definition: Entity<'_>) -> bool {
    use EntityKind::*;
    let children = definition.get_children();
    let data =
        |kind| matches!(kind, FieldDecl | StructDecl | UnionDecl | EnumDecl | PackedAttr | UnexposedAttr | AlignedAttr);
    children.iter().any(|child| child.get_kind() == FieldDecl) && children.iter().all(|child| data(child.get_kind()))
}
