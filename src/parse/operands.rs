//! The operands of a body's expressions: which variables and members they name, and what constants they are.

use super::literals::integer;
use super::variables::{canonical_kind, key};
use clang::{Entity, EntityKind};
use std::collections::BTreeSet;

/// Gives the text between two expressions.
pub(super) type Between<'b, 'tu> = dyn FnMut(Entity<'tu>, Entity<'tu>) -> Option<String> + 'b;

/// The variables, parameters and members in an expression.
pub(super) fn names(entity: Entity<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![entity];
    while let Some(entity) = open.pop() {
        found.extend(named(entity));
        // (Whose member it is bounds nothing.)
        if !matches!(entity.get_kind(), EntityKind::MemberRefExpr) || named(entity).is_none() {
            open.extend(entity.get_children());
        }
    }
    found
}

/// A variable or parameter by its key, a number among members by its USR.
pub(super) fn named(entity: Entity<'_>) -> Option<String> {
    let target = entity.get_reference()?;
    match (entity.get_kind(), target.get_kind()) {
        (EntityKind::DeclRefExpr, EntityKind::VarDecl | EntityKind::ParmDecl) => key(target),
        (EntityKind::MemberRefExpr, EntityKind::FieldDecl) if is_whole_number(entity) => {
            target.get_usr().map(|usr| usr.0)
        }
        _ => None,
    }
}

/// The value of a constant; none if it is negative.
pub(super) fn constant(entity: Entity<'_>) -> Option<u64> {
    u64::try_from(integer(entity)?).ok()
}

/// The expression without parentheses and conversions.
pub(super) fn bare(entity: Entity<'_>) -> Entity<'_> {
    let is_around = matches!(entity.get_kind(), EntityKind::ParenExpr | EntityKind::UnexposedExpr);
    match entity.get_children()[..] {
        [inner] if is_around => bare(inner),
        _ => entity,
    }
}

fn is_whole_number(entity: Entity<'_>) -> bool {
    use clang::TypeKind::{Int, Long, LongLong, SChar, Short, UChar, UInt, ULong, ULongLong, UShort};
    const KINDS: [clang::TypeKind; 10] = [Int, UInt, Long, ULong, LongLong, ULongLong, Short, UShort, UChar, SChar];
    canonical_kind(entity).is_some_and(|kind| KINDS.contains(&kind))
}

pub(super) fn is_pointer(entity: Entity<'_>) -> bool {
    use clang::TypeKind::{ConstantArray, IncompleteArray, Pointer};
    matches!(canonical_kind(entity), Some(Pointer | ConstantArray | IncompleteArray))
}
