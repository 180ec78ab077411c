//! Histories of objects: the statements of a test or an example, in their order.

use super::factory_calls;
use super::writer::{Lowered, Lowering, Made, Values};
use crate::model::history::Table;
use crate::plan::{Kind, Recipe};

use crate::plan::MinedStep;

/// The steps one after the other; gives what the step `object` yields.
pub(super) fn mined(lowering: &mut Lowering<'_>, steps: &[MinedStep], object: usize) -> Lowered<Made> {
    let outer = std::mem::take(&mut lowering.steps);
    let ends = lowering.at_end.len();
    for step in steps {
        let made = mined_step(lowering, step)?;
        lowering.steps.push(made);
    }
    let made = std::mem::replace(&mut lowering.steps, outer);
    if lowering.scoped {
        // (Out of sight at the end: the memory goes with the input.)
        lowering.at_end.truncate(ends);
    }
    made.into_iter().nth(object).ok_or_else(|| "a history without its object".into())
}

fn mined_step(lowering: &mut Lowering<'_>, step: &MinedStep) -> Lowered<Made> {
    let slot = &step.slot;
    match &slot.recipe {
        Recipe { kind: Kind::Factory { .. }, .. } if !step.kept => {
            let text = factory_calls::factory_call(lowering, &slot.recipe, None)?;
            lowering.line(format!("{text};"));
            Ok(Made::expression(String::new()))
        }
        Recipe { kind: Kind::Pointer { .. }, .. } => {
            let made = lowering.value(&slot.recipe, &slot.name)?;
            Ok(Made::pointer(&made.object))
        }
        recipe => lowering.value(recipe, &slot.name),
    }
}

/// An array that a test writes down.
pub(super) fn table(lowering: &mut Lowering<'_>, table: &Table) -> Made {
    let Table { name, of, text } = table;
    let name = lowering.name(name);
    if lowering.from_input() {
        // It lasts as long as the input: whoever gets it may keep it.
        let written = lowering.name(&format!("{name}_written"));
        lowering.line(format!("const {of} {written}[] = {text};"));
        lowering.line(format!("{of} *{name} = motif_allocate(in, sizeof {written});"));
        lowering.line(format!("memcpy({name}, {written}, sizeof {written});"));
    } else {
        lowering.line(format!("{of} {name}[] = {text};"));
    }
    Made::variable(&name)
}

/// The result of an earlier step; with `owner` the smart pointer that holds it.
pub(super) fn same(lowering: &mut Lowering<'_>, step: usize, owner: bool) -> Lowered<Made> {
    let made = lowering.steps.get(step).cloned().ok_or("a step of a history that there is not")?;
    Ok(if owner { Made::variable(made.object.trim_start_matches('*')) } else { made })
}
