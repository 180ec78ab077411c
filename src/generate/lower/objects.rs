//! Objects: constructed, chosen among subtypes, yielded by factories.

use super::factory_calls::is_another;
use super::writer::{Lowered, Lowering, Made, Values};
use super::{choices, exact, factory_calls, fill, out_params, owned};
use crate::cpp::{call, print, raw};
use crate::facts::factories::{gives_share, gives_up_share};
use crate::facts::handles;
use crate::model::{Type, TypeKind};
use crate::plan::c_lifecycle::{are_made, ender, is_made};
use crate::plan::{Kind, Recipe, Slot, Yield};
use crate::types::spelling::value_type;

pub(super) fn construct(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Construct { constructor, args, kept } = &recipe.kind else { unreachable!("called for constructions") };
    let made = lowering.slots(args)?;
    let list = exact::pass_to(lowering, constructor.as_ref(), args, &made);
    let name = lowering.name(name);
    let ty = lowering.ty(&recipe.ty);
    let args = print(&call(raw(""), &list));
    if *kept {
        lowering.line(format!("{ty} &{name} = *new {ty}{args};"));
        return Ok(Made::variable(&name));
    }
    let plain = format!("{ty} {name}{};", if list.is_empty() { "" } else { &args });
    Ok(lowering.object(&name, &format!("{ty}{args}"), plain))
}

/// A pointer to an object; with `given` whoever gets the pointer owns the object.
pub(super) fn pointer(lowering: &mut Lowering<'_>, to: &Slot, given: bool, name: &str) -> Lowered<Made> {
    if lowering.is_c() && is_made(&to.recipe) {
        let made = lowering.value(&to.recipe, name)?.address();
        if let Some(end) = ender(&lowering.lexicon, lowering.model, &to.ty, &to.recipe) {
            let ends = if given { &mut lowering.may_end } else { &mut lowering.at_end };
            ends.push(factory_calls::ends(end, &to.ty, &made));
        }
        return Ok(Made::expression(made));
    }
    if given && lowering.is_c() && matches!(to.recipe.kind, Kind::Array { .. } | Kind::Fields { .. }) {
        return fill::on_heap(lowering, &to.recipe, name);
    }
    if given {
        let made = owned::owned(lowering, &to.recipe, &format!("made_{name}"))?;
        let name = lowering.name(name);
        let ty = lowering.ty(&value_type(&to.ty));
        lowering.line(format!("{ty} *{name} = {made};"));
        return Ok(Made::variable(&name));
    }
    let made = lowering.value(&to.recipe, name)?;
    if lowering.is_c() && matches!(to.recipe.kind, Kind::Fields { .. }) && !to.ty.is_const {
        // (The callee may have filled it.)
        let end = ender(&lowering.lexicon, lowering.model, &to.ty, &to.recipe);
        let ends = end.map(|end| factory_calls::ends(end, &to.ty, &made.address()));
        lowering.may_end.extend(ends);
    }
    // The pointee must be an object: a pointer that is only an expression so far becomes a variable.
    // Its own pointee may be of a subtype, which the declared type must not show.
    let is_pointer = match &to.recipe.kind {
        Kind::Array { .. } => to.recipe.ty.pointee().is_some(),
        Kind::Pointer { .. } => true,
        Kind::Fixed { expression } => to.recipe.ty.pointee().is_some() && !crate::cpp::is_path(expression),
        _ => false,
    };
    if !made.object.starts_with('&') && !is_pointer {
        return Ok(Made::expression(made.address()));
    }
    let pointer = lowering.name(&format!("{name}_pointer"));
    Ok(Made::expression(lowering.set_variable(&pointer, &value_type(&to.ty), &made.object).address()))
}

pub(super) fn pair(lowering: &mut Lowering<'_>, ty: &Type, parts: &[Slot], name: &str) -> Lowered<Made> {
    let made = lowering.slots(parts)?;
    let name = lowering.name(name);
    let ty = lowering.ty(ty);
    let list = exact::pass(lowering, parts, &made).iter().map(print).collect::<Vec<_>>().join(", ");
    Ok(lowering.variable(&name, &ty, &list))
}

pub(super) fn choice(lowering: &mut Lowering<'_>, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
    match choices::chosen(lowering, among)? {
        Some(slot) => {
            let made = lowering.value(&slot.recipe, name)?;
            // (What is not made by functions in all ways is left to the one that was taken.)
            if lowering.is_c() && is_made(&slot.recipe) && !are_made(among) {
                let end = ender(&lowering.lexicon, lowering.model, ty, &slot.recipe);
                lowering.at_end.extend(end.map(|end| factory_calls::ends(end, ty, &made.address())));
            }
            Ok(made)
        }
        None => {
            let made = |this: &mut Lowering<'_>, slot: &Slot| Ok(this.value(&slot.recipe, &slot.name)?.address());
            choices::pointer(lowering, ty, among, name, &made).map(|name| Made::pointer(&name))
        }
    }
}

pub(super) fn factory(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Recipe { ty, kind: Kind::Factory { function, yields, .. }, .. } = recipe else {
        unreachable!("called for factories")
    };
    match yields {
        Yield::Through(place) => return out_params::handed_out(lowering, recipe, *place, name),
        Yield::InPlace(place) => return out_params::made_ready(lowering, recipe, *place, name),
        _ => {}
    }
    let made = factory_calls::factory_call(lowering, recipe, None)?;
    let name = lowering.name(name);
    let result = lowering.model.functions.get(function).map(|f| &f.result);
    // Only looked at through the factory's own `const`, or the caller's promise not to change it is dropped:
    // the object itself is not const.
    let yields_const = result.and_then(|r| r.pointee().or(Some(r.without_ref()))).is_some_and(|to| to.is_const);
    let drops_const = yields_const && !ty.is_const && !matches!(yields, Yield::Value | Yield::Smart | Yield::Handle);
    // What C hides behind a handle.
    let is_seen = lowering.is_c() && *yields == Yield::Borrowed && result.is_some_and(|r| is_another(r, ty));
    let drops_const = drops_const || is_seen;
    let ty = lowering.ty(ty);
    let mark = if *yields == Yield::Reference { '&' } else { '*' };
    let made = match (drops_const, lowering.is_c()) {
        (false, _) => made,
        (true, true) => format!("({ty} {mark}){made}"),
        (true, false) => format!("const_cast<{ty} {mark}>({made})"),
    };
    let smart = |lowering: &Lowering<'_>| {
        result.map_or_else(String::new, |result| lowering.ty(&value_type(result.without_ref())))
    };
    match yields {
        Yield::Value => Ok(lowering.object(&name, &format!("{ty}({made})"), format!("{ty} {name} = {made};"))),
        Yield::Reference => {
            lowering.line(format!("{ty} &{name} = {made};"));
            Ok(Made::variable(&name))
        }
        Yield::Borrowed => {
            // A handle of C is declared as its maker says: `XML_Parser parser = XML_ParserCreate(NULL);`.
            let is_handle = |result: &&Type| lowering.is_c() && !drops_const && !result.spelling.contains('*');
            let declaration = match result.filter(is_handle) {
                Some(handle) => lowering.declare(&value_type(handle), &name),
                None => format!("{ty} *{name}"),
            };
            lowering.line(format!("{declaration} = {made};"));
            factory_calls::give_up_on_null(lowering, &name);
            let maker = lowering.model.functions.get(function).filter(|f| gives_share(&lowering.lexicon, f));
            let end = maker.and_then(|_| gives_up_share(&lowering.lexicon, lowering.model, &recipe.ty));
            lowering.may_end.extend(end.map(|end| format!("{name}->{}();", end.name)));
            Ok(Made::pointer(&name))
        }
        Yield::Smart => {
            lowering.object(&name, &format!("{}({made})", smart(lowering)), format!("auto {name} = {made};"));
            let of_old =
                result.is_some_and(|r| crate::types::standard::is_unconditional(lowering.model, r.without_ref()));
            factory_calls::give_up_on_null(lowering, &if of_old { format!("{name}.get()") } else { name.clone() });
            Ok(Made::smart(&name))
        }
        Yield::Handle => {
            let handle = lowering.name(&format!("{name}_handle"));
            let is_looked_at = result.is_some_and(|r| matches!(r.kind, TypeKind::LvalueRef(_)));
            if is_looked_at {
                lowering.line(format!("const auto &{handle} = {made};"));
            } else {
                lowering.object(&handle, &format!("{}({made})", smart(lowering)), format!("auto {handle} = {made};"));
            }
            if !lowering.from_input() {
                lowering.line(format!("{ty} &{name} = *{handle};"));
                return Ok(Made::variable(&name));
            }
            let grip = result.map_or_else(Default::default, |r| handles::grip(lowering.model, r.without_ref()));
            if grip.says {
                lowering.line(format!("if (!{handle}) return;"));
            }
            let arrow = if grip.is_raw { format!("{handle}.operator->()") } else { format!("&*{handle}") };
            lowering.line(format!("{ty} *{name} = {arrow};"));
            factory_calls::give_up_on_null(lowering, &name);
            Ok(Made::pointer(&name))
        }
        Yield::Through(_) | Yield::InPlace(_) => unreachable!("written above"),
    }
}
