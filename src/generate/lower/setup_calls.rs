//! Calls that bring an object, or the state of a file, where the data says.

use super::writer::{Lowered, Lowering, Made, Values};
use super::{choices, containers, exact, factory_calls, out_params, scalars};
use crate::cpp::{call, print, raw};
use crate::model::Type;
use crate::plan::SetUpCall;
use crate::plan::rules::links_c::is_link;

/// Calls that bring an object into a state: in a driver a loop over what the data picks, in a test those that
/// were picked. There are usually so many at most; where a person says so, never more.
pub(super) fn set_up(
    lowering: &mut Lowering<'_>,
    object: Option<(&Made, &Type)>,
    calls: &[SetUpCall],
    (usual, is_limit): (u64, bool),
) -> Lowered<()> {
    if lowering.from_input() {
        let counter = lowering.name("calls");
        let (ty, size) = match lowering.is_c() {
            true if is_limit => ("size_t", lowering.take_size(usual)),
            true => ("size_t", format!("motif_take_calls(in, {usual})")),
            false if is_limit => ("std::size_t", lowering.take_size(usual)),
            false => ("std::size_t", format!("in.calls({usual})")),
        };
        let head = format!("for ({ty} {counter} = {size}; {counter} > 0; --{counter}) {{");
        return lowering.block(head, |inner| {
            let [only] = calls else {
                return choices::alternatives(inner, calls, true, &mut |this, call| set_up_call(this, object, call));
            };
            let names = inner.names.clone();
            inner.lasting(|inner| set_up_call(inner, object, only))?;
            inner.names = names;
            Ok(())
        });
    }
    for _ in 0..lowering.draw_size("a number of calls")? {
        let index = lowering.draw_pick(calls.len(), "calls")?;
        set_up_call(lowering, object, &calls[index])?;
    }
    Ok(())
}

fn set_up_call(lowering: &mut Lowering<'_>, object: Option<(&Made, &Type)>, step: &SetUpCall) -> Lowered<()> {
    let (object, ty) = object.unzip();
    let is_known = |usr| lowering.model.functions.contains_key(usr) || lowering.model.variables.contains_key(usr);
    if let (Some(object), [value], true) = (object, step.args.as_slice(), step.fills) {
        let made = lowering.value(&value.recipe, &value.name)?;
        let value = containers::put(lowering, value, made);
        lowering.line(format!("{}({value});", print(&object.member(&step.name))));
        return Ok(());
    }
    // A member that anybody may set.
    if let (Some(object), [value], false) = (object, step.args.as_slice(), is_known(&step.method)) {
        // Always, though it be zero: the constructor may have said otherwise.
        let value = match lowering.from_input() {
            _ if is_link(value) => {
                let made = lowering.slots(&step.args)?;
                exact::pass_to(lowering, None, &step.args, &made).first().map(print).unwrap_or_default()
            }
            // (Its value is copied: it need not last.)
            true if lowering.is_c() => lowering.there(value)?.object,
            true => lowering.value(&value.recipe, &value.name)?.object,
            false => scalars::expression(lowering, &value.recipe)?,
        };
        lowering.line(format!("{} = {value};", print(&object.member(&step.name))));
        return Ok(());
    }
    let made = lowering.slots(&step.args)?;
    let mut list = exact::pass_to(lowering, Some(&step.method), &step.args, &made);
    // A variable that anybody may write to.
    if lowering.model.variables.contains_key(&step.method) {
        let value = list.first().map(print).unwrap_or_default();
        let name = if lowering.is_c() { step.name.clone() } else { format!("::{}", step.name) };
        lowering.line(format!("{name} = {value};"));
        return Ok(());
    }
    let member = object.filter(|_| lowering.model.functions.get(&step.method).is_some_and(|f| f.owner.is_some()));
    let is_nodiscard = lowering.model.functions.get(&step.method).is_some_and(|f| f.is_nodiscard);
    let written = if let Some(object) = member {
        print(&call(object.member(&step.name), &list))
    } else {
        // A free function takes the object as its first argument.
        let callee = lowering.model.functions.get(&step.method).filter(|_| lowering.is_c());
        let first = callee.and_then(|f| f.params.first()).zip(ty);
        let declared = first.map_or_else(String::new, |(param, ty)| factory_calls::as_declared(param, ty));
        list.splice(..0, object.map(|object| raw(format!("{declared}{}", object.address()))));
        let version = lowering.versions.as_ref().filter(|(usr, _)| *usr == step.method).map(|(_, name)| *name);
        let callee = version.map_or_else(|| lowering.spell(&step.name), str::to_owned);
        print(&call(raw(callee), &list))
    };
    out_params::dropping(lowering, &written, is_nodiscard);
    Ok(())
}

/// Calls of functions beside the unit that may change what their file remembers.
///
/// # Errors
/// The trace does not fit the plan.
pub fn remember(lowering: &mut Lowering<'_>, state: &crate::plan::UnitState) -> Lowered<()> {
    if state.calls.is_empty() {
        return Ok(());
    }
    set_up(lowering, None, &state.calls, (crate::plan::UnitState::MOST, false))
}
