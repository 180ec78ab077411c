//! Iterators into containers that are made for them, and lists that are written down.

use super::scalars;
use super::writer::{Lowered, Lowering, Made, Range, Values, hear_sink};
use crate::model::{Model, Type};
use crate::plan::{Entry, Kind, Slot};

use crate::types::iterators::{Approach, STEPS, jumps};

/// A container, and an iterator to its first element or one that appends to it.
pub(super) fn iterator(lowering: &mut Lowering<'_>, range: &Slot, approach: Approach, name: &str) -> Lowered<Made> {
    let (slot, is_of) = (name.to_owned(), &range.recipe);
    // An iterator that is kept keeps the container's address.
    let outer = std::mem::replace(&mut lowering.by_address, true);
    let container = lowering.value(&range.recipe, &format!("{name}_{}", range.name));
    lowering.by_address = outer;
    let mut container = container?.object;
    if let Approach::Own { is_const: true, .. } = approach {
        // Of one that may be changed the same names yield other iterators.
        let constant = lowering.name(&format!("constant_{name}_{}", range.name));
        lowering.line(format!("const auto &{constant} = {container};"));
        container = constant;
    }
    let name = lowering.name(name);
    let value = match approach.ends() {
        Some((first, _)) => format!("{container}.{first}()"),
        None if range.ty.spelling.starts_with("std::") => format!("std::back_inserter({container})"),
        // The container may be of a class that derives from the one that the iterator is for.
        None => format!("std::back_insert_iterator<{}>({container})", lowering.ty(&range.ty)),
    };
    iterator_of(lowering, &name, &value);
    if let Approach::Own { steps: Some(unequal), alone, .. } = approach {
        let steps = steps(lowering, STEPS)?;
        let end = format!("{container}.end()");
        // A driver that needs one has no use for a container without any: behind the last there is nothing to look at.
        if alone {
            // An element is looked at where there is one.
            stepping(
                lowering,
                &steps,
                &unequal.says(&name, &end),
                &[
                    format!("auto next = {name};"),
                    "++next;".into(),
                    format!("if ({}) {name} = next;", unequal.says("next", &end)),
                ],
            );
            // (Of a test it is known.)
            if lowering.from_input() {
                lowering.line(format!("if (!({})) return;", unequal.says(&name, &end)));
            }
        } else {
            stepping(lowering, &steps, &unequal.says(&name, &end), &[format!("++{name};")]);
        }
    }
    let range = Range { container, ty: range.ty.clone(), approach };
    if approach.writes() && !matches!(is_of.kind, Kind::Itself) {
        hear_sink(lowering, format!("<{}>", range.name(&slot)), range.container.clone(), range.ty.clone());
    }
    Ok(Made { range: Some(range), ..Made::variable(&name) })
}

/// `auto name = value;`
fn iterator_of(lowering: &mut Lowering<'_>, name: &str, value: &str) {
    lowering.line(if lowering.lasts() {
        format!("auto &{name} = keep(new auto({value}));")
    } else {
        format!("auto {name} = {value};")
    });
}

/// How often something is done: an expression, `0` where a test does not do it.
fn steps(lowering: &mut Lowering<'_>, most: u64) -> Lowered<String> {
    if lowering.from_input() {
        return Ok(lowering.take_size(most));
    }
    Ok(lowering.draw_size("steps of an iterator")?.to_string())
}

/// Statements that are done so often, as long as something holds.
fn stepping(lowering: &mut Lowering<'_>, steps: &str, condition: &str, statements: &[String]) {
    if steps == "0" {
        return;
    }
    let count = lowering.name("steps");
    lowering.line(format!("for (std::size_t {count} = {steps}; {count} > 0 && {condition}; --{count}) {{"));
    lowering.indent += 1;
    statements.iter().for_each(|statement| lowering.line(statement));
    lowering.indent -= 1;
    lowering.line("}");
}

/// The end of a range that begins at the iterator `first`: behind the container's last element, or before.
pub(super) fn behind(lowering: &mut Lowering<'_>, range: &Range, first: &str, slot: &Slot) -> Lowered<Made> {
    let name = lowering.name(&slot.name);
    let (_, end) = range.approach.ends().unwrap_or(("begin", "end"));
    let end = format!("{}.{end}()", range.container);
    iterator_of(lowering, &name, &end);
    if let Approach::Own { steps: Some(unequal), .. } = range.approach {
        let steps = steps(lowering, STEPS)?;
        if lowering.from_input() {
            let count = lowering.name(&format!("{name}_steps"));
            lowering.line(format!("if (std::size_t {count} = {steps}) {{"));
            lowering.indent += 1;
            lowering.line(format!("{name} = {first};"));
            stepping(lowering, &format!("{count} - 1"), &unequal.says(&name, &end), &[format!("++{name};")]);
            lowering.indent -= 1;
            lowering.line("}");
        } else if let Some(steps) = steps.parse::<u64>().ok().and_then(|steps| steps.checked_sub(1)) {
            lowering.line(format!("{name} = {first};"));
            stepping(lowering, &steps.to_string(), &unequal.says(&name, &end), &[format!("++{name};")]);
        }
    }
    Ok(Made::variable(&name))
}

/// A list of the first few of some values. Its elements live as long as the name that they were written for, so that a
/// driver has one list for each length.
pub(super) fn list(lowering: &mut Lowering<'_>, ty: &Type, elements: &[Slot], name: &str) -> Lowered<Made> {
    let spelled = lowering.ty(ty);
    let most = elements.len();
    if !lowering.from_input() {
        let count = lowering.draw_size("a number of elements")?;
        let mut values = Vec::new();
        for (index, slot) in elements.iter().enumerate() {
            let (lines, names) = (lowering.lines.len(), lowering.names.clone());
            let sinks = lowering.sinks.len();
            let made = lowering.slot(&Slot { name: format!("{name}_{}", slot.name), ..slot.clone() })?;
            if (index as u64) < count {
                values.push(made.object);
            } else {
                lowering.lines.truncate(lines);
                lowering.sinks[sinks..].iter_mut().for_each(|made| made.written = None);
                lowering.names = names;
            }
        }
        let name = lowering.name(name);
        lowering.line(format!("const {spelled} {name} = {{{}}};", values.join(", ")));
        return Ok(Made::variable(&name));
    }
    let count = lowering.name(&format!("{name}_count"));
    lowering.line(format!("const std::size_t {count} = in.size(0, {most});"));
    let mut values = Vec::new();
    for slot in elements {
        values.push(lowering.slot(&Slot { name: format!("{name}_{}", slot.name), ..slot.clone() })?.object);
    }
    let mut lists = Vec::new();
    for length in 0..=most {
        let list = lowering.name(&format!("{name}_of{length}"));
        lowering.line(format!("const {spelled} {list} = {{{}}};", values[..length].join(", ")));
        lists.push(list);
    }
    let name = lowering.name(name);
    let (last, shorter) = lists.split_last().ok_or("a list without a length")?;
    let cases: Vec<String> =
        shorter.iter().enumerate().map(|(length, list)| format!("{count} == {length} ? {list} : ")).collect();
    lowering.line(format!("const {spelled} {name} = {}{last};", cases.concat()));
    Ok(Made::variable(&name))
}

/// The end of a range that begins at `start`.
pub(super) fn end(lowering: &mut Lowering<'_>, ty: &Type, most: u64, start: &str, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let declaration = lowering.declare(ty, &name);
    let length = scalars::length(lowering, most)?;
    lowering.line(format!("{declaration} = {start} + {length};"));
    Ok(Made::variable(&name))
}

/// The object that the unit is called on.
pub(super) fn itself(lowering: &mut Lowering<'_>, name: &str) -> Lowered<Made> {
    let object = &lowering.itself.as_ref().ok_or("what points into an object that there is none of")?.object;
    if object.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Ok(Made::variable(object));
    }
    let object = object.clone();
    let name = lowering.name(name);
    lowering.line(format!("auto &{name} = {object};"));
    Ok(Made::variable(&name))
}

/// The range of an argument that the result points into as well: iterators of one type, which say by themselves how far
/// they are from its first element.
pub fn position_in<'r>(model: &Model, entry: &Entry, made: &'r [Made]) -> Option<&'r Range> {
    let result = entry.result.as_ref()?;
    let same = |slot: &Slot| slot.ty.without_ref().kind == result.kind;
    let mut all = entry.args.iter().zip(made).filter(|(slot, made)| made.range.is_some() && same(slot));
    let (_, made) = all.next().filter(|_| jumps(model, result))?;
    made.range.as_ref()
}
