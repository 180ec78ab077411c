//! Iterators that a method takes into its own object: where to erase, where to insert. One into another container would
//! be an error of the caller's.

use super::unit_scope::UnitScope;
use super::{Kind, Slot};
use crate::lexicon::Role;
use crate::model::{Class, Function, Type};
use crate::plan::rules::setup_calls::public_methods;
use crate::types::iterators::{Approach, Unequal};
use crate::types::records::alike;
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// The names of methods that take the elements between two iterators from elsewhere.
const TAKES_FROM: [Role; 3] = [Role::Adds, Role::Sets, Role::CopiesIn];

/// Has the iterators among the arguments of `method` point into the object of `class` that it is called on, where that
/// has such.
pub(super) fn point_into_itself<'m>(
    scope: &UnitScope<'m>,
    method: &Function,
    class: &'m Class,
    with: &Substitution,
    object: &Type,
    slots: &mut [Slot],
) {
    // The operands of an operator are on a par.
    if method.name.starts_with("operator") {
        return;
    }
    let lexicon = scope.lexicon();
    let mut rest = slots;
    while let Some((first, behind)) = rest.split_first_mut() {
        rest = behind;
        let is_told = scope.overrides.parameter(&method.id, &first.name).is_some();
        let Some(is_const) = own_begin(scope, class, with, first).filter(|_| !is_told) else { continue };
        let ty = value_type(first.ty.without_ref());
        let end = match rest.first_mut() {
            Some(next) if matches!(next.recipe.kind, Kind::Behind | Kind::End { .. }) => Some(next),
            _ => None,
        };
        if end.is_none() || !lexicon.begins(&method.name, TAKES_FROM) {
            let range = Kind::Itself.of(object.clone());
            let range = Slot::new("range", object.clone(), range);
            let alone = end.is_none() && !lexicon.begins(&method.name, Role::Inserts);
            let steps = match &first.recipe.kind {
                Kind::Iterator { approach: Approach::Own { steps, .. }, .. } => *steps,
                _ => Some(Unequal::Differ),
            };
            let approach = Approach::Own { is_const, steps, alone };
            first.recipe = Kind::Iterator { range: Box::new(range), approach }.of(ty.clone());
            first.nullable = false;
            end.into_iter().for_each(|end| end.recipe = Kind::Behind.of(ty.clone()));
        } else {
            rest = &mut rest[1..];
        }
    }
}

/// Whether the class has `begin()` and `end()` that yield what a slot holds, and whether it has them as a constant
/// object only.
pub(super) fn own_begin<'m>(scope: &UnitScope<'m>, class: &'m Class, with: &Substitution, slot: &Slot) -> Option<bool> {
    let wanted = value_type(slot.ty.without_ref());
    // Any pointer may be anything.
    let is_called_so = scope.lexicon().says(&slot.ty.spelling, Role::Iterator);
    let may_be_one = matches!(slot.recipe.kind, Kind::Iterator { .. }) || (is_called_so && wanted.pointee().is_some());
    if !may_be_one {
        return None;
    }
    let methods = public_methods(scope.model, class);
    let yields = |name: &str, is_const: bool| {
        methods.iter().any(|f| {
            let plain = f.name == name && f.params.is_empty() && f.is_const == is_const && !f.is_deleted;
            plain && alike(&value_type(with.apply(&f.result).without_ref()), &wanted)
        })
    };
    [false, true].into_iter().find(|is_const| yields("begin", *is_const) && yields("end", *is_const))
}
