//! Containers that are filled one element after the other.

use super::writer::{Lowered, Lowering, Made, Values};
use super::{ownership, scalars};
use crate::plan::{Kind, Recipe, Slot};

/// A value that is put into a container.
pub(super) fn put(lowering: &Lowering<'_>, element: &Slot, made: Made) -> String {
    let is_smart = matches!(element.recipe.kind, Kind::Smart { .. });
    let moved = is_smart || ownership::is_move_only(lowering, &element.ty);
    if moved { format!("std::move({})", made.object) } else { made.object }
}

pub(super) fn sequence(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Sequence { element, least, most } = &recipe.kind else { unreachable!("called for containers") };
    let ty = &recipe.ty;
    let name = lowering.name(name);
    let spelled = lowering.ty(ty);
    let row = crate::types::library::row_of(lowering.model, ty);
    let insert = row.and_then(|row| row.fill.as_deref()).unwrap_or("insert");
    let put = |this: &mut Lowering<'_>, made: Made| {
        let value = put(this, element, made);
        this.line(format!("{name}.{insert}({value});"));
    };
    if lowering.from_input() {
        let sequence = lowering.variable(&name, &spelled, "");
        let counter = lowering.name("n");
        let head = format!("for (std::size_t {counter} = in.size({least}, {most}); {counter} > 0; --{counter}) {{");
        lowering.block(head, |inner| {
            let made = inner.lasting(|inner| inner.value(&element.recipe, "element"))?;
            put(inner, made);
            Ok(())
        })?;
        return Ok(sequence);
    }
    let count = lowering.draw_size("a number of elements")?;
    let simple =
        matches!(element.recipe.kind, Kind::Prim { range: None, .. } | Kind::Enum { .. } | Kind::StdString { .. });
    if simple && row.is_some_and(|row| row.braces) {
        let values: Lowered<Vec<String>> = (0..count).map(|_| scalars::expression(lowering, &element.recipe)).collect();
        let values = values?;
        lowering.line(if values.is_empty() {
            format!("{spelled} {name};")
        } else {
            format!("{spelled} {name} = {{{}}};", values.join(", "))
        });
        return Ok(Made::variable(&name));
    }
    lowering.line(format!("{spelled} {name};"));
    for _ in 0..count {
        let made = lowering.value(&element.recipe, &format!("{name}_element"))?;
        put(lowering, made);
    }
    Ok(Made::variable(&name))
}

/// Rows and columns, every element of them set.
pub(super) fn grid(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Grid { element, most, fixed } = &recipe.kind else { unreachable!("called for rows and columns") };
    let ty = &recipe.ty;
    let name = lowering.name(name);
    let spelled = lowering.ty(ty);
    let grid = lowering.variable(&name, &spelled, "");
    if lowering.from_input() {
        lowering.line(format!("in.grid({name}, {most});"));
        return Ok(grid);
    }
    let (rows, columns) = (lowering.draw_size("rows")?, lowering.draw_size("columns")?);
    if !fixed {
        lowering.line(format!("{name}.resize({rows}, {columns});"));
    }
    for row in 0..rows {
        for column in 0..columns {
            let value = scalars::expression(lowering, &element.recipe)?;
            lowering.line(format!("{name}({row}, {column}) = {value};"));
        }
    }
    Ok(grid)
}
