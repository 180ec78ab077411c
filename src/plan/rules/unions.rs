//! Unions: one of their members by the data. Numbers, structures and pointers in them are made like any others.

use super::fields::{field_recipe, unnamed};
use crate::facts::anonymous_members::within;
use crate::model::{Class, Field, Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, Slot};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// So many members are among the alternatives: each is code in every driver.
const MOST: usize = 8;

/// A union as one of its members. None where bytes say as much: all members are numbers, or nothing makes one of them.
pub(super) fn one_member(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    with: &Substitution,
    request: Request<'_>,
) -> Option<Recipe> {
    let mut members: Vec<(&Field, Type)> =
        class.fields.iter().filter(|field| !field.is_static).map(|field| (field, with.apply(&field.ty))).collect();
    if members.iter().all(|(_, ty)| is_storage(ty)) || request.is_open(&class.usr) {
        return None;
    }
    // What one member leads to is no value of another.
    if members.iter().any(|(field, _)| scope.field_usage.names(&field.name)) {
        members.retain(|(field, _)| scope.field_usage.names(&field.name) || field.name.is_empty());
    }
    let open = request.opening(&class.usr);
    // One without a name can't lead to itself, but may be how a structure leads to the next of its kind.
    let request = if class.name.is_empty() { request } else { request.inside(&open) };
    let mut among: Vec<Slot> = members
        .iter()
        .filter_map(|(field, member)| {
            let fields = slots(scope, class, (field, member), with, request)?;
            let recipe = Kind::Fields { fields, statements: Vec::new() }.of(value_type(ty));
            Some(Slot::new("made", value_type(ty), recipe))
        })
        .take(MOST)
        .collect();
    match among.len() {
        0 => None,
        1 => among.pop().map(|only| only.recipe),
        _ => Some(Kind::Choice { among }.of(value_type(ty))),
    }
}

fn slots(
    scope: &UnitScope<'_>,
    class: &Class,
    (field, ty): (&Field, &Type),
    with: &Substitution,
    request: Request<'_>,
) -> Option<Vec<Slot>> {
    if let Some(inner) = within(scope.model, field) {
        return unnamed(scope, (inner, ty), with, request).ok().filter(|slots| !slots.is_empty());
    }
    let recipe = field_recipe(scope, class, field, ty, request).ok()??;
    let recipe = super::callbacks::of_member(scope, class, &field.name, recipe);
    Some(vec![Slot::new(field.name.clone(), ty.clone(), recipe)])
}

/// Whether any bytes are a value of this type.
fn is_storage(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) => true,
        TypeKind::Array(element, _) => is_storage(element),
        _ => false,
    }
}
