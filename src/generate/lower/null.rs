//! Pointers, plain and smart, that are null now and then.

use super::*;

impl Lowering<'_> {
    /// A pointer that is null now and then. What it would point to is made all the same, so that one input means the
    /// same values either way; a test shows what is passed only.
    pub(super) fn nullable(&mut self, slot: &Slot) -> Lowered<Made> {
        let is_smart = slot.ty.without_ref().record().is_some();
        let (lines, names) = (self.lines.len(), self.names.clone());
        let made = self.there(slot)?;
        if self.from_input() {
            let none = self.name(&format!("no_{}", slot.name));
            let pick = if self.is_c() { "motif_take_pick(in, " } else { "in.pick(" };
            let ty = if self.is_c() { "int" } else { "bool" };
            self.line(format!("const {ty} {none} = {pick}{}) == {};", Slot::NULLS, Slot::NULLS - 1));
            if is_smart && self.ender_of(slot.ty.without_ref()).is_some() {
                self.line(format!("if ({none}) {}.reset();", made.object));
                return Ok(made);
            }
            if is_smart {
                let smart = self.ty(&value_type(slot.ty.without_ref()));
                self.line(format!("if ({none}) {} = {smart}();", made.object));
                return Ok(made);
            }
            return Ok(Made { unless: Some(none), ..made });
        }
        match self.draw()? {
            Draw::Pick(index) if index + 1 == Slot::NULLS => {
                self.lines.truncate(lines);
                self.names = names;
                let name = self.name(&slot.name);
                if is_smart {
                    let declaration = self.declare(&value_type(slot.ty.without_ref()), &name);
                    let ender = self.ender_of(slot.ty.without_ref());
                    let none = ender.map_or_else(String::new, |ender| format!("(nullptr, {ender})"));
                    self.line(format!("{declaration}{none};"));
                    return Ok(Made::variable(&name));
                }
                let declaration = self.declare(&slot.ty, &name);
                self.line(format!("{declaration} = {};", if self.is_c() { "NULL" } else { "nullptr" }));
                Ok(Made { is_null: true, ..Made::variable(&name) })
            }
            Draw::Pick(_) => Ok(made),
            other => Err(format!("the replay took {other:?} where the plan has a pointer that may be null")),
        }
    }
}
