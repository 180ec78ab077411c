//! Objects: constructed, chosen among subtypes, yielded by factories.

use super::writer::{Lowered, Lowering, Made, Values};
use super::{choices, exact, factory_calls, out_params};
use crate::cpp::{call, print, raw};
use crate::facts::handles;
use crate::model::{Type, TypeKind, Usr};
use crate::plan::{Kind, Recipe, Slot, Yield};
use crate::types::spelling::value_type;

pub(super) fn construct(
    lowering: &mut Lowering<'_>,
    ty: &Type,
    constructor: Option<&Usr>,
    args: &[Slot],
    kept: bool,
    name: &str,
) -> Lowered<Made> {
    let made = lowering.slots(args)?;
    let list = exact::pass_to(lowering, constructor, args, &made);
    let name = lowering.name(name);
    let ty = lowering.ty(ty);
    let args = print(&call(raw(""), &list));
    if kept {
        lowering.line(format!("{ty} &{name} = *new {ty}{args};"));
    } else if lowering.scoped && lowering.from_input() {
        lowering.line(format!("auto &{name} = keep(new {ty}{args});"));
    } else if list.is_empty() {
        lowering.line(format!("{ty} {name};"));
    } else {
        lowering.line(format!("{ty} {name}{args};"));
    }
    Ok(Made::variable(&name))
}

pub(super) fn choice(lowering: &mut Lowering<'_>, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
    if among.len() == 1 {
        return lowering.value(&among[0].recipe, name);
    }
    if !lowering.from_input() {
        let index = choices::picked(lowering, among)?;
        return lowering.value(&among[index].recipe, name);
    }
    let name = lowering.name(name);
    let base = lowering.ty(ty);
    let null = if lowering.is_c() { "NULL" } else { "nullptr" };
    lowering.line(format!("{base} *{name} = {null};"));
    choices::alternatives(lowering, among, true, &mut |this, slot| {
        let made = this.value(&slot.recipe, &slot.name)?;
        this.line(format!("{name} = {};", made.address()));
        Ok(())
    })?;
    Ok(Made::pointer(&name))
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
    let ty = lowering.ty(ty);
    let mark = if *yields == Yield::Reference { '&' } else { '*' };
    let made = match (drops_const, lowering.is_c()) {
        (false, _) => made,
        (true, true) => format!("({ty} {mark}){made}"),
        (true, false) => format!("const_cast<{ty} {mark}>({made})"),
    };
    match yields {
        Yield::Value if lowering.scoped && lowering.from_input() => {
            lowering.line(format!("auto &{name} = keep(new {ty}({made}));"));
            Ok(Made::variable(&name))
        }
        Yield::Value => {
            lowering.line(format!("{ty} {name} = {made};"));
            Ok(Made::variable(&name))
        }
        Yield::Reference => {
            lowering.line(format!("{ty} &{name} = {made};"));
            Ok(Made::variable(&name))
        }
        Yield::Borrowed | Yield::Owned => {
            lowering.line(format!("{ty} *{name} = {made};"));
            factory_calls::give_up_on_null(lowering, &name);
            Ok(Made::pointer(&name))
        }
        Yield::Smart => {
            if lowering.scoped && lowering.from_input() {
                let smart = result.map_or_else(String::new, |r| lowering.ty(&value_type(r.without_ref())));
                lowering.line(format!("auto &{name} = keep(new {smart}({made}));"));
            } else {
                lowering.line(format!("auto {name} = {made};"));
            }
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
            } else if lowering.scoped && lowering.from_input() {
                let smart = result.map_or_else(String::new, |r| lowering.ty(&value_type(r.without_ref())));
                lowering.line(format!("auto &{handle} = keep(new {smart}({made}));"));
            } else {
                lowering.line(format!("auto {handle} = {made};"));
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
