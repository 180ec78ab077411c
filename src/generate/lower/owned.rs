//! Objects that whoever gets them owns, or is lent.

use super::writer::{Lowered, Lowering, Made, Values};
use super::{alternatives, choices, exact, objects, out_params, override_values, ownership, setup_calls, stub};
use crate::cpp::{call, print, raw};
use crate::model::Type;
use crate::model::library::Owner;
use crate::plan::{Kind, Recipe, Yield};
use crate::types::standard::{owner, owns_alone};

/// An expression that yields a pointer which the receiver owns.
pub fn owned(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<String> {
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Construct { constructor, args, .. } => {
            let made = lowering.slots(args)?;
            let list = exact::pass_to(lowering, constructor.as_ref(), args, &made);
            let ty = lowering.ty(ty);
            lowering.constructed_of = made;
            Ok(format!("new {}", print(&call(raw(ty), &list))))
        }
        Kind::Choice { among } => match choices::chosen(lowering, among)? {
            Some(slot) => owned(lowering, &slot.recipe, name),
            None => choices::pointer(lowering, ty, among, name, &|this, slot| owned(this, &slot.recipe, &slot.name)),
        },
        Kind::Then { object, .. } | Kind::SetUp { object, .. } => {
            let made = owned(lowering, &object.recipe, name)?;
            let name = lowering.name(name);
            let ty = lowering.ty(ty);
            lowering.line(format!("{ty} *{name} = {made};"));
            let made = Made::pointer(&name);
            match &recipe.kind {
                Kind::Then { statements, .. } => override_values::told(lowering, statements, &[("$it", &made)]),
                Kind::SetUp { calls, most, .. } => {
                    setup_calls::set_up(lowering, Some((&made, &recipe.ty)), calls, (*most, recipe.overridden))?;
                }
                _ => {}
            }
            Ok(name)
        }
        Kind::Stub { .. } => Ok(stub::stub(lowering, recipe, true, name)?.address()),
        // It is the receiver's, or can't be copied for it.
        Kind::Factory { yields: Yield::Borrowed, .. }
            if ownership::is_abstract(lowering, ty)
                || !ownership::is_defined(lowering, ty)
                || !ownership::can_be_copied(lowering, ty) =>
        {
            Ok(objects::factory(lowering, recipe, name)?.address())
        }
        Kind::Factory { yields: Yield::Through(place), .. } => out_params::handed_over(lowering, recipe, *place, name),
        Kind::Factory { yields: Yield::Smart, function, .. } if gives_unique(lowering, function) => {
            let made = lowering.value(recipe, name)?;
            Ok(format!("{}.release()", made.object.trim_start_matches('*')))
        }
        // It is open, and is closed by whoever owns it.
        Kind::File => Ok(alternatives::file(lowering, name)?.object),
        _ => {
            let made = lowering.value(recipe, name)?;
            Ok(format!("new {}({})", lowering.ty(&recipe.ty), made.object))
        }
    }
}

/// What a shared owner is made of that leads to what somebody else owns: it owns nothing. None for what can be
/// made anew, or copied.
pub(super) fn lent(lowering: &mut Lowering<'_>, ty: &Type, recipe: &Recipe, name: &str) -> Lowered<Option<String>> {
    let is_shared = owner(lowering.model, ty) == Some(Owner::Shared);
    let is_lent = |recipe: &Recipe| {
        let lends = |yields: &Yield| matches!(yields, Yield::Handle | Yield::Reference | Yield::Borrowed);
        match &recipe.kind {
            Kind::SetUp { object, .. } | Kind::Then { object, .. } => {
                matches!(&object.recipe.kind, Kind::Factory { yields, .. } if lends(yields))
            }
            Kind::Factory { yields, .. } => lends(yields),
            _ => false,
        }
    };
    if !is_shared || !is_lent(recipe) || ownership::is_copied(lowering, &recipe.ty) {
        return Ok(None);
    }
    let made = lowering.value(recipe, name)?;
    Ok(Some(format!("std::shared_ptr<void>(), {}", made.address())))
}

/// The function returns a smart pointer that can let go of its object.
fn gives_unique(lowering: &Lowering<'_>, function: &str) -> bool {
    lowering.model.functions.get(function).is_some_and(|f| owns_alone(lowering.model, &f.result))
}
