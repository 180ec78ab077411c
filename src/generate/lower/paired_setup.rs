//! What the call under test is to take out, or to look for, is put in before.

use super::*;
use crate::plan::{Given, PairedSetup};

impl Lowering<'_> {
    /// The call that puts an argument of the unit into its object, unless the data leaves it out; `made` are the unit's arguments.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    pub fn put_in(&mut self, put: &PairedSetup, object: Option<&Made>, slots: &[Slot], made: &[Made]) -> Lowered<()> {
        if !self.from_input() {
            return match self.draw()? {
                Draw::Pick(index) if index + 1 == PairedSetup::CHOICES || given(put, made).any(|made| made.is_null) => {
                    Ok(())
                }
                Draw::Pick(_) => self.put(put, object, slots, made),
                other => Err(format!("the replay took {other:?} where the plan puts something in")),
            };
        }
        let pick = if self.is_c() { "motif_take_pick(in, " } else { "in.pick(" };
        // Nothing is put in where null is passed.
        let there: String =
            given(put, made).filter_map(|made| Some(format!(" && !{}", made.unless.as_ref()?))).collect();
        let head = format!("if ({pick}{}) != {}{there})", PairedSetup::CHOICES, PairedSetup::CHOICES - 1);
        let first = self.lines.len();
        let (names, outer) = (self.names.clone(), std::mem::replace(&mut self.scoped, true));
        self.indent += 1;
        self.put(put, object, slots, made)?;
        self.indent -= 1;
        self.scoped = outer;
        self.names = names;
        match &mut self.lines[first..] {
            [only] => *only = format!("{}{head} {}", "  ".repeat(self.indent), only.trim_start()),
            _ => {
                let open = format!("{}{head} {{", "  ".repeat(self.indent));
                self.lines.insert(first, open);
                self.line("}");
            }
        }
        Ok(())
    }

    fn put(&mut self, put: &PairedSetup, object: Option<&Made>, slots: &[Slot], made: &[Made]) -> Lowered<()> {
        let own: Vec<Slot> = put.slots().cloned().collect();
        let values = self.slots(&own)?;
        let mut own = self.pass(&own, &values).into_iter();
        let there: Vec<Made> = made.iter().map(|made| Made { unless: None, ..made.clone() }).collect();
        let passed = self.pass(slots, &there);
        let args: Vec<_> = put
            .args
            .iter()
            .filter_map(|arg| match arg {
                Given::Argument(at) => passed.get(*at).cloned(),
                Given::Own(_) => own.next(),
            })
            .collect();
        let callee = object.map_or_else(|| raw(self.spell(&put.name)), |object| object.member(&put.name));
        self.line(format!("{};", print(&call(callee, &args))));
        Ok(())
    }
}

/// The unit's arguments among those that are put in.
fn given<'s>(put: &'s PairedSetup, made: &'s [Made]) -> impl Iterator<Item = &'s Made> {
    put.args.iter().filter_map(|arg| match arg {
        Given::Argument(at) => made.get(*at),
        Given::Own(_) => None,
    })
}
