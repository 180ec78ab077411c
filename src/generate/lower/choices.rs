//! One of several, by the data.

use super::writer::{Lowered, Lowering};
use crate::generate::trace::Draw;
use crate::plan::Slot;

pub(super) fn picked(lowering: &mut Lowering<'_>, among: &[Slot]) -> Lowered<usize> {
    match lowering.draw()? {
        Draw::Pick(index) if (index as usize) < among.len() => Ok(index as usize),
        other => Err(format!("the replay took {other:?} where the plan has alternatives")),
    }
}

/// A `switch` over alternatives, by the data; with `lasting` what is made in one is used behind the `switch`.
pub fn alternatives<T>(
    lowering: &mut Lowering<'_>,
    among: &[T],
    lasting: bool,
    write: &mut dyn FnMut(&mut Lowering<'_>, &T) -> Lowered<()>,
) -> Lowered<()> {
    let pick = if lowering.is_c() {
        format!("motif_take_pick(in, {})", among.len())
    } else {
        format!("in.pick({})", among.len())
    };
    lowering.line(format!("switch ({pick}) {{"));
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
