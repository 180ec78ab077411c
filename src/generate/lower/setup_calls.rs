//! Calls that bring an object, or the state of a file, where the data says.

use super::writer::{Lowered, Lowering, Made, Values};
use super::{choices, exact};
use crate::cpp::{call, print, raw};
use crate::generate::trace::Draw;
use crate::plan::SetUpCall;

/// Calls that bring an object into a state: in a driver a loop over what the data picks, in a test those that
/// were picked.
pub(super) fn set_up(
    lowering: &mut Lowering<'_>,
    object: Option<&Made>,
    calls: &[SetUpCall],
    most: u64,
) -> Lowered<()> {
    if lowering.from_input() {
        let counter = lowering.name("calls");
        let (ty, size) = if lowering.is_c() { ("size_t", "motif_take_size(in, ") } else { ("std::size_t", "in.size(") };
        lowering.line(format!("for ({ty} {counter} = {size}0, {most}); {counter} > 0; --{counter}) {{"));
        lowering.indent += 1;
        if let [only] = calls {
            let names = lowering.names.clone();
            let outer = std::mem::replace(&mut lowering.scoped, true);
            set_up_call(lowering, object, only)?;
            lowering.scoped = outer;
            lowering.names = names;
        } else {
            choices::alternatives(lowering, calls, true, &mut |this, call| set_up_call(this, object, call))?;
        }
        lowering.indent -= 1;
        lowering.line("}");
        return Ok(());
    }
    let Draw::Size(count) = lowering.draw()? else { return Err("the replay took no number of calls".into()) };
    for _ in 0..count {
        let index = match calls {
            [_] => 0,
            _ => match lowering.draw()? {
                Draw::Pick(index) if (index as usize) < calls.len() => index as usize,
                other => return Err(format!("the replay took {other:?} where the plan has calls")),
            },
        };
        set_up_call(lowering, object, &calls[index])?;
    }
    Ok(())
}

fn set_up_call(lowering: &mut Lowering<'_>, object: Option<&Made>, step: &SetUpCall) -> Lowered<()> {
    let made = lowering.slots(&step.args)?;
    let mut list = exact::pass_to(lowering, Some(&step.method), &step.args, &made);
    // What has no class takes the object before everything else.
    // A variable that anybody may write to.
    if lowering.model.variables.contains_key(&step.method) {
        let value = list.first().map(print).unwrap_or_default();
        let name = if lowering.is_c() { step.name.clone() } else { format!("::{}", step.name) };
        lowering.line(format!("{name} = {value};"));
        return Ok(());
    }
    let member = object.filter(|_| lowering.model.functions.get(&step.method).is_some_and(|f| f.owner.is_some()));
    if let Some(object) = member {
        lowering.line(format!("{};", print(&call(object.member(&step.name), &list))));
    } else {
        list.splice(..0, object.map(|object| raw(object.address())));
        let version = lowering.versions.as_ref().filter(|(usr, _)| *usr == step.method).map(|(_, name)| *name);
        let callee = version.map_or_else(|| lowering.spell(&step.name), str::to_owned);
        lowering.line(format!("{};", print(&call(raw(callee), &list))));
    }
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
    set_up(lowering, None, &state.calls, crate::plan::UnitState::MOST)
}
