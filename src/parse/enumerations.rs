//! Enumerations.

use super::reader::{Reader, access_of};
use super::type_shapes::prim;
use crate::model::*;
use clang::{Entity, EntityKind};

/// Puts an enumeration into the model, if this is its definition.
pub(super) fn enumeration<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    let usr = reader.usr(entity);
    let extent = reader.extent(entity).map(|(extent, ..)| extent);
    let own = reader.own_name(entity);
    reader.declare(entity, &own, &usr);
    if !entity.is_definition() || usr.is_empty() {
        return;
    }
    let underlying =
        entity.get_enum_underlying_type().and_then(|ty| prim(ty.get_canonical_type().get_kind())).unwrap_or(Prim::Int);
    let signed = matches!(
        underlying,
        Prim::Char | Prim::SChar | Prim::Short | Prim::Int | Prim::Long | Prim::LongLong | Prim::WChar
    );
    let qualified = if own.is_empty() { String::new() } else { reader.qualified(entity) };
    let scope = if entity.is_scoped() { qualified.clone() } else { reader.scope_name(entity) };
    let prefix = if scope.is_empty() && !entity.is_scoped() { String::new() } else { format!("{scope}::") };
    let mut enumerators = Vec::new();
    for child in entity.get_children() {
        if child.get_kind() == EntityKind::EnumConstantDecl
            && let (Some(name), Some((value, unsigned))) = (child.get_name(), child.get_enum_constant_value())
        {
            let value = if signed { i128::from(value) } else { i128::from(unsigned) };
            enumerators.push((format!("{prefix}{name}"), value));
        }
    }
    let found = Enum {
        usr: usr.clone(),
        qualified,
        scopes: reader.scopes(entity),
        scoped: entity.is_scoped(),
        underlying,
        enumerators,
        access: access_of(entity),
        definition: extent,
    };
    reader.model.enums.insert(usr, found);
}
