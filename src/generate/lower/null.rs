//! Pointers, plain and smart, that are null now and then.

use super::owners;
use super::writer::{Lowered, Lowering, Made, SoFar, Values};
use crate::generate::trace::Draw;
use crate::plan::Slot;
use crate::types::spelling::value_type;

/// A pointer that is null now and then. What it would point to is made all the same, so that one input means the
/// same values either way; a test shows what is passed only.
pub(super) fn nullable(lowering: &mut Lowering<'_>, slot: &Slot) -> Lowered<Made> {
    let is_smart = slot.ty.without_ref().record().is_some();
    let before = SoFar::of(lowering);
    let made = lowering.there(slot)?;
    if lowering.from_input() {
        let none = lowering.name(&format!("no_{}", slot.name));
        let (pick, ty) = (lowering.take_pick(Slot::NULLS), if lowering.is_c() { "int" } else { "bool" });
        lowering.line(format!("const {ty} {none} = {pick} == {};", Slot::NULLS - 1));
        if is_smart && owners::ender_of(lowering, slot.ty.without_ref()).is_some() {
            lowering.line(format!("if ({none}) {}.reset();", made.object));
            return Ok(made);
        }
        if is_smart {
            let smart = lowering.ty(&value_type(slot.ty.without_ref()));
            lowering.line(format!("if ({none}) {} = {smart}();", made.object));
            return Ok(made);
        }
        return Ok(Made { unless: Some(none), ..made });
    }
    match lowering.draw()? {
        Draw::Pick(index) if index + 1 == Slot::NULLS => {
            before.restore(lowering);
            if is_smart {
                let name = lowering.name(&slot.name);
                let declaration = lowering.declare(&value_type(slot.ty.without_ref()), &name);
                let ender = owners::ender_of(lowering, slot.ty.without_ref());
                let none = ender.map_or_else(String::new, |ender| format!("(nullptr, {ender})"));
                lowering.line(format!("{declaration}{none};"));
                return Ok(Made::variable(&name));
            }
            // A person writes it where it is passed.
            let is_pointer = slot.ty.pointee().is_some() && !slot.ty.is_reference();
            if lowering.inlines && !lowering.names_null && is_pointer {
                return Ok(Made { is_null: true, ..Made::expression(lowering.null()) });
            }
            let name = lowering.name(&slot.name);
            let declaration = lowering.declare(slot.declared.as_ref().unwrap_or(&slot.ty), &name);
            lowering.line(format!("{declaration} = {};", lowering.null()));
            Ok(Made { is_null: true, ..Made::variable(&name) })
        }
        Draw::Pick(_) => Ok(made),
        other => Err(format!("the replay took {other:?} where the plan has a pointer that may be null")),
    }
}
