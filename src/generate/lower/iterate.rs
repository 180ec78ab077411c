//! Iterators into containers that are made for them, and lists that are written down.

use super::*;
use crate::model::Model;
use crate::types::iterators::{Approach, STEPS, jumps};

/// The container that an iterator points into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// An expression for it.
    pub container: String,
    /// Its type.
    pub ty: Type,
    /// What the iterator does there.
    pub approach: Approach,
}

impl Range {
    /// Under which name its elements are recorded, by the name of the argument.
    pub fn name(&self, argument: &str) -> String {
        format!("{argument}_range")
    }

    /// How far an iterator is from the first element; none of one that has no place.
    pub fn position(&self, iterator: &str) -> Option<String> {
        let (first, _) = self.approach.ends().filter(|_| self.approach.has_place())?;
        Some(format!("std::distance({}.{first}(), {iterator})", self.container))
    }
}

/// The range of an argument that the result points into as well: iterators of one type, which say by themselves how far they
/// are from its first element.
pub fn position_in<'r>(model: &Model, entry: &Entry, made: &'r [Made]) -> Option<&'r Range> {
    let result = entry.result.as_ref()?;
    let same = |slot: &Slot| slot.ty.without_ref().kind == result.kind;
    let mut all = entry.args.iter().zip(made).filter(|(slot, made)| made.range.is_some() && same(slot));
    let (_, made) = all.next().filter(|_| jumps(model, result))?;
    made.range.as_ref()
}

impl Lowering<'_> {
    /// A container, and an iterator to its first element or one that appends to it.
    pub(super) fn iterator(&mut self, range: &Slot, approach: Approach, name: &str) -> Lowered<Made> {
        // Whoever keeps the iterator keeps the container's address.
        let outer = std::mem::replace(&mut self.by_address, true);
        let container = self.value(&range.recipe, &format!("{name}_{}", range.name));
        self.by_address = outer;
        let mut container = container?.object;
        if let Approach::Own { is_const: true, .. } = approach {
            // Of one that may be changed the same names yield other iterators.
            let constant = self.name(&format!("constant_{name}_{}", range.name));
            self.line(format!("const auto &{constant} = {container};"));
            container = constant;
        }
        let name = self.name(name);
        let value = match approach.ends() {
            Some((first, _)) => format!("{container}.{first}()"),
            None if range.ty.spelling.starts_with("std::") => format!("std::back_inserter({container})"),
            // The container may be of a class that derives from the one that the iterator is for.
            None => format!("std::back_insert_iterator<{}>({container})", self.ty(&range.ty)),
        };
        self.iterator_of(&name, &value);
        if let Approach::Own { steps: Some(unequal), alone, .. } = approach {
            let steps = self.steps(STEPS)?;
            let end = format!("{container}.end()");
            // A driver that needs one has no use for a container without any: behind the last there is nothing to look at.
            if alone {
                // An element is looked at where there is one.
                self.stepping(
                    &steps,
                    &unequal.says(&name, &end),
                    &[
                        format!("auto next = {name};"),
                        "++next;".into(),
                        format!("if ({}) {name} = next;", unequal.says("next", &end)),
                    ],
                );
                // (Of a test it is known.)
                if self.from_input() {
                    self.line(format!("if (!({})) return;", unequal.says(&name, &end)));
                }
            } else {
                self.stepping(&steps, &unequal.says(&name, &end), &[format!("++{name};")]);
            }
        }
        let range = Some(Range { container, ty: range.ty.clone(), approach });
        Ok(Made { range, ..Made::variable(&name) })
    }

    /// `auto name = value;`
    fn iterator_of(&mut self, name: &str, value: &str) {
        self.line(if self.lasts() {
            format!("auto &{name} = keep(new auto({value}));")
        } else {
            format!("auto {name} = {value};")
        });
    }

    /// How often something is done: an expression, `0` where a test does not do it.
    fn steps(&mut self, most: u64) -> Lowered<String> {
        if self.from_input() {
            return Ok(format!("in.size(0, {most})"));
        }
        match self.draw()? {
            Draw::Size(steps) => Ok(steps.to_string()),
            other => Err(format!("the replay took {other:?} where the plan has steps of an iterator")),
        }
    }

    /// Statements that are done so often, as long as something holds.
    fn stepping(&mut self, steps: &str, condition: &str, statements: &[String]) {
        if steps == "0" {
            return;
        }
        let count = self.name("steps");
        self.line(format!("for (std::size_t {count} = {steps}; {count} > 0 && {condition}; --{count}) {{"));
        self.indent += 1;
        statements.iter().for_each(|statement| self.line(statement));
        self.indent -= 1;
        self.line("}");
    }

    /// The end of a range that begins at the iterator `first`: behind the container's last element, or before.
    pub(super) fn behind(&mut self, range: &Range, first: &str, slot: &Slot) -> Lowered<Made> {
        let name = self.name(&slot.name);
        let (_, end) = range.approach.ends().unwrap_or(("begin", "end"));
        let end = format!("{}.{end}()", range.container);
        self.iterator_of(&name, &end);
        if let Approach::Own { steps: Some(unequal), .. } = range.approach {
            let steps = self.steps(STEPS)?;
            if self.from_input() {
                let count = self.name(&format!("{name}_steps"));
                self.line(format!("if (std::size_t {count} = {steps}) {{"));
                self.indent += 1;
                self.line(format!("{name} = {first};"));
                self.stepping(&format!("{count} - 1"), &unequal.says(&name, &end), &[format!("++{name};")]);
                self.indent -= 1;
                self.line("}");
            } else if let Some(steps) = steps.parse::<u64>().ok().and_then(|steps| steps.checked_sub(1)) {
                self.line(format!("{name} = {first};"));
                self.stepping(&steps.to_string(), &unequal.says(&name, &end), &[format!("++{name};")]);
            }
        }
        Ok(Made::variable(&name))
    }

    /// A list of the first few of some values. Its elements live as long as the name that they were written for, so that a
    /// driver has one list for each length.
    pub(super) fn list(&mut self, ty: &Type, elements: &[Slot], name: &str) -> Lowered<Made> {
        let spelled = self.ty(ty);
        let most = elements.len();
        if !self.from_input() {
            let Draw::Size(count) = self.draw()? else { return Err("the replay took no number of elements".into()) };
            let mut values = Vec::new();
            for (index, slot) in elements.iter().enumerate() {
                let (lines, names) = (self.lines.len(), self.names.clone());
                let made = self.slot(&Slot { name: format!("{name}_{}", slot.name), ..slot.clone() })?;
                if (index as u64) < count {
                    values.push(made.object);
                } else {
                    self.lines.truncate(lines);
                    self.names = names;
                }
            }
            let name = self.name(name);
            self.line(format!("const {spelled} {name} = {{{}}};", values.join(", ")));
            return Ok(Made::variable(&name));
        }
        let count = self.name(&format!("{name}_count"));
        self.line(format!("const std::size_t {count} = in.size(0, {most});"));
        let mut values = Vec::new();
        for slot in elements {
            values.push(self.slot(&Slot { name: format!("{name}_{}", slot.name), ..slot.clone() })?.object);
        }
        let mut lists = Vec::new();
        for length in 0..=most {
            let list = self.name(&format!("{name}_of{length}"));
            self.line(format!("const {spelled} {list} = {{{}}};", values[..length].join(", ")));
            lists.push(list);
        }
        let name = self.name(name);
        let (last, shorter) = lists.split_last().ok_or("a list without a length")?;
        let cases: Vec<String> =
            shorter.iter().enumerate().map(|(length, list)| format!("{count} == {length} ? {list} : ")).collect();
        self.line(format!("const {spelled} {name} = {}{last};", cases.concat()));
        Ok(Made::variable(&name))
    }
}
