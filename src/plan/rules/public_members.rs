//! Members that anybody may set, as calls that set an object up: `record.epoch = 5.0`. A record that was only
//! constructed has the values of its constructor, and its unit meets no others.

use crate::facts::member_lengths;
use crate::model::{Access, Class, Field, Language, Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, SetUpCall, Slot};
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;

/// The most members that the data chooses among.
const CHOICES: usize = 8;
/// The most that are set besides the calls.
const MOST: u64 = 5;

/// How many calls there may be, where so many are expected without members.
pub(super) fn most(calls: u64, members: usize) -> u64 {
    calls + (members as u64).min(MOST)
}

/// Assignments to the public members at which the unit looks, those of public bases included.
pub(super) fn assignments<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Vec<SetUpCall> {
    let Some(usage) = scope.field_usage.of_class(scope.model, scope.hierarchy, class) else { return Vec::new() };
    let open = request.opening(&class.usr);
    let inside = request.without_setup().inside(&open);
    let (mut calls, mut queue): (Vec<SetUpCall>, Vec<&'m Class>) = (Vec::new(), vec![class]);
    while let Some(class) = queue.pop() {
        let bases = class.bases.iter().filter(|base| base.access == Access::Public && !base.is_virtual);
        let bases = bases.filter_map(|base| scope.model.classes.get(base.ty.record()?));
        queue.extend(bases.filter(|base| base.template.is_none()));
        if !scope.in_reach(class) {
            continue;
        }
        let bound = bound(scope, class, with);
        let is_open = |(place, field): &(usize, &Field)| {
            let is_public = class.language == Language::C || field.access == Access::Public;
            is_public && !bound.contains(place) && may_be_assigned(field) && usage.names(&field.name)
        };
        for (_, field) in class.fields.iter().enumerate().filter(is_open) {
            let ty = with.apply(&field.ty);
            let recipe = scope.value(&ty, inside.at(0)).ok();
            let Some(recipe) = recipe.filter(|recipe| is_plain(&recipe.kind)) else { continue };
            if calls.iter().all(|call| call.name != field.name) {
                let value = Slot::new(format!("{}_value", field.name), ty, recipe);
                calls.push(SetUpCall { method: field.usr.clone(), name: field.name.clone(), args: vec![value] });
            }
        }
    }
    calls.truncate(CHOICES);
    calls
}

fn is_plain(kind: &Kind) -> bool {
    matches!(kind, Kind::Prim { .. } | Kind::Enum { .. } | Kind::StdString)
}

/// Whether a value can be put into it, which nobody else holds.
fn may_be_assigned(field: &Field) -> bool {
    let is_value = |ty: &Type| matches!(ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Record { .. });
    let ty = &field.ty;
    !field.is_static && !field.name.is_empty() && !ty.is_const && !ty.spelling.contains("volatile") && is_value(ty)
}

/// The places of members that say how much memory another one has: they change together with it.
fn bound(scope: &UnitScope<'_>, class: &Class, with: &Substitution) -> BTreeSet<usize> {
    let by_name = member_lengths::extents(scope.lexicon(), class, with).into_iter();
    let by_name = by_name.flat_map(|extent| [Some(extent.count), extent.room].into_iter().flatten());
    let by_bodies = member_lengths::counted(scope.model, class).into_iter().flat_map(|counted| counted.counts);
    by_name.chain(by_bodies).collect()
}
