//! Variables and parameters of a body, told apart by where they are declared: two loops may have an `i` each.

use clang::{Entity, TypeKind};

/// The key of a variable or parameter in the facts of one body. It has no `@`, unlike USRs.
pub(super) fn key(declaration: Entity<'_>) -> Option<String> {
    let declaration = declaration.get_canonical_entity();
    let at = declaration.get_location()?.get_expansion_location();
    Some(format!("{}#{}", declaration.get_name()?, at.offset))
}

/// The kind of an expression's or variable's type without typedefs.
pub(super) fn canonical_kind(entity: Entity<'_>) -> Option<TypeKind> {
    Some(entity.get_type()?.get_canonical_type().get_kind())
}
