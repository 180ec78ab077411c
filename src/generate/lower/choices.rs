//! One of several, by the data.

use super::writer::{Lowered, Lowering};

/// A `switch` over alternatives, by the data; with `lasting` what is made in one is used behind the `switch`.
pub fn alternatives<T>(
    lowering: &mut Lowering<'_>,
    among: &[T],
    lasting: bool,
    write: &mut dyn FnMut(&mut Lowering<'_>, &T) -> Lowered<()>,
) -> Lowered<()> {
    lowering.line(format!("switch ({}) {{", lowering.take_pick(among.len() as u64)));
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
