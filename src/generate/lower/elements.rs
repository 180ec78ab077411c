//! Objects that are told how many elements they have, and then what each of them is.

use super::scalars;
use super::writer::{Lowered, Lowering, Made};
use crate::generate::literal;
use crate::model::{Type, TypeKind};
use crate::plan::{Kind, Recipe};

/// The object, every element of it set.
pub(super) fn elements(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Elements { element, lengths, indices, brackets, most, .. } = &recipe.kind else {
        unreachable!("called for what has elements")
    };
    let (name, ty) = (lowering.name(name), lowering.ty(&recipe.ty));
    let at = |places: &[String]| match brackets {
        true => format!("{name}[{}]", places.join("][")),
        false => format!("{name}({})", places.join(", ")),
    };
    if lowering.from_input() {
        let mut counts = Vec::new();
        for _ in lengths {
            let count = lowering.name(if lengths.len() == 1 { "count" } else { "side" });
            lowering.line(format!("const std::size_t {count} = in.size(0, {most});"));
            counts.push(count);
        }
        let told: Vec<String> = lengths.iter().zip(&counts).map(|(ty, count)| converted(lowering, ty, count)).collect();
        let told = told.join(", ");
        let made = lowering.object(&name, &format!("{ty}({told})"), format!("{ty} {name}({told});"));
        let total = counts.join(" * ");
        let place = lowering.name("place");
        lowering.block(format!("for (std::size_t {place} = 0; {place} < {total}; ++{place}) {{"), |inner| {
            let places = match (indices.as_slice(), counts.as_slice()) {
                ([row, column], [_, columns]) => vec![
                    converted(inner, row, &format!("{place} / {columns}")),
                    converted(inner, column, &format!("{place} % {columns}")),
                ],
                (indices, _) => indices.iter().map(|ty| converted(inner, ty, &place)).collect(),
            };
            let value = scalars::expression(inner, &element.recipe)?;
            inner.line(format!("{} = {value};", at(&places)));
            Ok(())
        })?;
        return Ok(made);
    }
    let counts = lengths.iter().map(|_| lowering.draw_size("a number of elements")).collect::<Lowered<Vec<u64>>>()?;
    let told: Vec<String> = lengths.iter().zip(&counts).map(|(ty, count)| number(ty, *count)).collect();
    lowering.line(format!("{ty} {name}({});", told.join(", ")));
    let columns = counts.last().copied().unwrap_or_default();
    for place in 0..counts.iter().product() {
        let places = match indices.as_slice() {
            [row, column] => vec![number(row, place / columns), number(column, place % columns)],
            others => others.iter().map(|ty| number(ty, place)).collect(),
        };
        let value = scalars::expression(lowering, &element.recipe)?;
        lowering.line(format!("{} = {value};", at(&places)));
    }
    Ok(Made::variable(&name))
}

fn converted(lowering: &Lowering<'_>, ty: &Type, value: &str) -> String {
    format!("static_cast<{}>({value})", lowering.ty(ty))
}

/// A literal of the type itself: zero is no null pointer, where that could be meant.
fn number(ty: &Type, value: u64) -> String {
    match &ty.kind {
        TypeKind::Prim(prim) => literal::integer(value.into(), *prim),
        _ => value.to_string(),
    }
}
