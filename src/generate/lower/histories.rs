//! Histories of objects: the statements of a test or an example, in their order.

use super::*;
use crate::plan::MinedStep;

impl Lowering<'_> {
    /// The steps one after the other; gives what the step `object` yields.
    pub(super) fn mined(&mut self, steps: &[MinedStep], object: usize) -> Lowered<Made> {
        let outer = std::mem::take(&mut self.steps);
        for step in steps {
            let made = self.mined_step(step)?;
            self.steps.push(made);
        }
        let made = std::mem::replace(&mut self.steps, outer);
        made.into_iter().nth(object).ok_or_else(|| "a history without its object".into())
    }

    fn mined_step(&mut self, step: &MinedStep) -> Lowered<Made> {
        let slot = &step.slot;
        match &slot.recipe {
            Recipe { kind: Kind::Factory { .. }, .. } if !step.kept => {
                let text = self.factory_call(&slot.recipe, None)?;
                self.line(format!("{text};"));
                Ok(Made::expression(String::new()))
            }
            Recipe { kind: Kind::Pointer { given: true, .. }, .. } => {
                let made = self.value(&slot.recipe, &slot.name)?;
                Ok(Made::pointer(&made.object))
            }
            recipe => self.value(recipe, &slot.name),
        }
    }

    /// What an earlier step has yielded; with `owner` the smart pointer that holds it.
    pub(super) fn same(&mut self, step: usize, owner: bool) -> Lowered<Made> {
        let made = self.steps.get(step).cloned().ok_or("a step of a history that there is not")?;
        Ok(if owner { Made::variable(made.object.trim_start_matches('*')) } else { made })
    }
}
