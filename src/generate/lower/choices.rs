//! One of several, by the data.

use super::writer::{Lowered, Lowering};
use crate::generate::trace::Draw;
use crate::model::Type;
use crate::plan::Slot;

/// A `switch` over alternatives, by the data; with `lasting` what is made in one is used behind the `switch`.
pub fn alternatives<T>(
    lowering: &mut Lowering<'_>,
    among: &[T],
    lasting: bool,
    write: &mut dyn FnMut(&mut Lowering<'_>, &T) -> Lowered<()>,
) -> Lowered<()> {
    chosen_by(lowering, &lowering.take_pick(among.len() as u64), among, lasting, write)
}

/// A `switch` over ways into the unit; the last one is taken seldom where it is `direct`.
pub fn ways<T>(
    lowering: &mut Lowering<'_>,
    direct: bool,
    among: &[T],
    write: &mut dyn FnMut(&mut Lowering<'_>, &T) -> Lowered<()>,
) -> Lowered<()> {
    let choice = if direct { format!("in.way({})", among.len()) } else { lowering.take_pick(among.len() as u64) };
    chosen_by(lowering, &choice, among, false, write)
}

fn chosen_by<T>(
    lowering: &mut Lowering<'_>,
    choice: &str,
    among: &[T],
    lasting: bool,
    write: &mut dyn FnMut(&mut Lowering<'_>, &T) -> Lowered<()>,
) -> Lowered<()> {
    lowering.line(format!("switch ({choice}) {{"));
    for (index, alternative) in among.iter().enumerate() {
        let label = if index + 1 == among.len() { "default".to_owned() } else { format!("case {index}") };
        lowering.line(format!("  {label}: {{"));
        lowering.indent += 2;
        let outer = lowering.scoped;
        lowering.scoped |= lasting;
        let names = lowering.names.clone();
        write(lowering, alternative)?;
        lowering.names = names;
        lowering.scoped = outer;
        lowering.line("break;");
        lowering.indent -= 2;
        lowering.line("  }");
    }
    lowering.line("}");
    Ok(())
}

/// Statements that one input in two takes.
pub fn sometimes(lowering: &mut Lowering<'_>, put: impl FnOnce(&mut Lowering<'_>) -> Lowered<()>) -> Lowered<()> {
    if lowering.from_input() {
        let pick = lowering.take_pick(2);
        lowering.block(format!("if ({pick} == 1) {{"), put)
    } else if lowering.draw()? == Draw::Pick(1) {
        put(lowering)
    } else {
        Ok(())
    }
}

/// The one that is made, where it is the only one or the replay took it.
pub(super) fn chosen<'s>(lowering: &mut Lowering<'_>, among: &'s [Slot]) -> Lowered<Option<&'s Slot>> {
    if lowering.from_input() && among.len() > 1 {
        return Ok(None);
    }
    Ok(Some(&among[lowering.draw_pick(among.len(), "alternatives")?]))
}

/// A variable that points to what `make` yields for one of several.
pub(super) fn pointer(
    lowering: &mut Lowering<'_>,
    ty: &Type,
    among: &[Slot],
    name: &str,
    make: &dyn Fn(&mut Lowering<'_>, &Slot) -> Lowered<String>,
) -> Lowered<String> {
    let name = lowering.name(name);
    let base = lowering.ty(ty);
    lowering.line(format!("{base} *{name} = {};", lowering.null()));
    alternatives(lowering, among, true, &mut |this, slot| {
        let made = make(this, slot)?;
        this.line(format!("{name} = {made};"));
        Ok(())
    })?;
    Ok(name)
}
