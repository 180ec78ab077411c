//! Recipes to statements: the same walk writes a driver, which takes its values from the fuzzer's bytes, and a
//! regression test, which has them as literals (the draws of a replay tell which).

use crate::cpp::{address_of, print};
use crate::model::TypeKind;
use crate::plan::c_lifecycle::{ender, is_made};
use crate::plan::{Kind, Recipe, Slot};
use crate::types::spelling::value_type;
use writer::{Lowered, gives_away_its_address, kept, take_into};

mod alternatives;
pub(super) mod calls;
pub(super) mod choices;
pub(super) mod exact;
mod factory_calls;
pub(super) mod fill;
mod histories;
mod iterate;
mod null;
mod objects;
mod out_params;
pub(super) mod override_values;
pub(super) mod owned;
mod owners;
pub(super) mod ownership;
pub(super) mod paired_setup;
mod scalars;
pub(super) mod setup_calls;
mod spelling;
mod stub;
mod writer;

pub use iterate::position_in;
pub use stub::{is_floating, shown};
pub use writer::{Lowering, Made, NOTES, Noted, Range, Source, Values, kind};

impl Values for Lowering<'_> {
    fn slots(&mut self, slots: &[Slot]) -> Lowered<Vec<Made>> {
        let mut made: Vec<Made> = Vec::new();
        for slot in slots {
            let before = made.last().or(self.before.as_ref()).cloned();
            made.push(match (&slot.recipe, before) {
                (Recipe { kind: Kind::Behind, .. }, Some(Made { range: Some(range), object, .. })) => {
                    iterate::behind(self, &range, &object, slot)?
                }
                (Recipe { ty, kind: Kind::End { most }, .. }, Some(start)) => {
                    iterate::end(self, ty, *most, &start.object, &slot.name)?
                }
                _ => self.slot(slot)?,
            });
        }
        self.before = made.last().cloned();
        Ok(made)
    }

    fn slot(&mut self, slot: &Slot) -> Lowered<Made> {
        if slot.nullable { null::nullable(self, slot) } else { self.there(slot) }
    }

    fn there(&mut self, slot: &Slot) -> Lowered<Made> {
        let outer = std::mem::replace(&mut self.by_address, gives_away_its_address(&slot.ty));
        let made = self.value(&slot.recipe, &slot.name);
        self.by_address = outer;
        let made = made?;
        let TypeKind::LvalueRef(to) = &slot.ty.kind else { return Ok(made) };
        let is_variable = matches!(
            slot.recipe.kind,
            Kind::CString { .. } | Kind::Pattern { .. } | Kind::Fixed { .. } | Kind::OneOf { .. }
        );
        if to.pointee().is_none() || to.is_const || is_variable {
            return Ok(made);
        }
        // A reference to a pointer binds to a pointer that is a variable; an address or an array's name is none.
        let pointer = self.name(&format!("{}_pointer", slot.name));
        if self.lasts() {
            let ty = self.ty(to);
            self.line(kept(&pointer, &ty, &made.object));
        } else {
            let declaration = self.declare(to, &pointer);
            self.line(format!("{declaration} = {};", made.object));
        }
        Ok(Made::variable(&pointer))
    }

    fn value(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made> {
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Prim { range } => {
                let name = self.name(name);
                let value = scalars::scalar(self, ty)?;
                let declaration = self.declare(ty, &name);
                if self.is_c() && self.from_input() {
                    self.line(format!("{declaration};"));
                    self.line(take_into(&name, ty));
                } else if self.lasts() {
                    let ty = self.ty(ty);
                    self.line(kept(&name, &ty, &value));
                } else if self.from_input() {
                    self.line(format!("auto {name} = {value};"));
                } else {
                    self.line(format!("{declaration} = {value};"));
                }
                if let Some((low, high)) = range {
                    self.line(format!("if (!({name} >= {low})) {name} = {low};"));
                    self.line(format!("if (!({name} <= {high})) {name} = {high};"));
                }
                Ok(Made::variable(&name))
            }
            Kind::Enum { .. } | Kind::Length { .. } => {
                let name = self.name(name);
                let value = scalars::expression(self, recipe)?;
                if self.lasts() {
                    let ty = self.ty(ty);
                    self.line(kept(&name, &ty, &value));
                    return Ok(Made::variable(&name));
                }
                // What is taken says its type already.
                let says = self.from_input() && !self.is_c();
                let declaration = if says { format!("auto {name}") } else { self.declare(ty, &name) };
                self.line(format!("{declaration} = {value};"));
                Ok(Made::variable(&name))
            }
            Kind::CString { .. } => {
                let name = self.name(name);
                let value = scalars::expression(self, recipe)?;
                let declaration = self.declare(ty, &name);
                self.line(format!("{declaration} = {value};"));
                Ok(Made::variable(&name))
            }
            Kind::StdString => {
                let name = self.name(name);
                let value = scalars::expression(self, recipe)?;
                if self.lasts() {
                    self.line(kept(&name, "std::string", &value));
                    return Ok(Made::variable(&name));
                }
                let ty = if self.from_input() { "auto" } else { "std::string" };
                self.line(format!("{ty} {name} = {value};"));
                Ok(Made::variable(&name))
            }
            Kind::Fixed { expression } => {
                if self.is_c() || matches!(ty.kind, TypeKind::NullPtr) {
                    return Ok(Made::variable(expression));
                }
                let name = self.name(name);
                let declaration = self.declare(ty.without_ref(), &name);
                let expression = self.spell(expression);
                self.line(format!("{declaration} = {expression};"));
                Ok(Made::variable(&name))
            }
            Kind::Stream { reads, writes, .. } => alternatives::stream(self, *reads, *writes, name),
            Kind::File => alternatives::file(self, ty, name),
            Kind::End { .. } | Kind::Behind => Err("the end of a range without its beginning".into()),
            Kind::Iterator { range, approach, .. } => iterate::iterator(self, range, *approach, name),
            Kind::Itself => {
                let of = self.itself.as_ref().ok_or("what points into an object that there is none of")?.object.clone();
                if of.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    return Ok(Made::variable(&of));
                }
                let name = self.name(name);
                self.line(format!("auto &{name} = {of};"));
                Ok(Made::variable(&name))
            }
            Kind::List { elements } => iterate::list(self, ty, elements, name),
            Kind::OneOf { expressions } => alternatives::one_of(self, ty.without_ref(), expressions, name),
            Kind::Array { element, length, text } => fill::array(self, ty, element, *length, *text, name),
            Kind::Fields { fields, statements } if fill::asks_for_parts(self, ty) => {
                fill::braced(self, ty, fields, statements, name)
            }
            Kind::Fields { .. } | Kind::Bytes => {
                let name = self.name(name);
                let declaration = self.declare(ty, &name);
                if self.is_c() {
                    // memset, not `= {0}`: the padding is part of what a union's bytes compare.
                    self.line(format!("{declaration};"));
                    self.line(format!("memset(&{name}, 0, sizeof {name});"));
                } else if self.scoped && self.from_input() {
                    let ty = self.ty(ty);
                    self.line(format!("auto &{name} = keep(new {ty}());"));
                } else {
                    self.line(format!("{declaration}{{}};"));
                }
                fill::fill(self, recipe, &name)?;
                Ok(Made::variable(&name))
            }
            Kind::Sequence { element, least, most } => fill::sequence(self, ty, element, (*least, *most), name),
            Kind::Grid { element, most, fixed } => fill::grid(self, ty, element, *most, *fixed, name),
            Kind::Construct { constructor, args, kept } => {
                objects::construct(self, ty, constructor.as_ref(), args, *kept, name)
            }
            Kind::Factory { .. } => objects::factory(self, recipe, name),
            Kind::Choice { among } => objects::choice(self, ty, among, name),
            Kind::Mined { steps, object, .. } => histories::mined(self, steps, *object),
            Kind::Same { step, owner, .. } => histories::same(self, *step, *owner),
            Kind::Pointer { to, given, .. } if self.is_c() && is_made(&to.recipe) => {
                let made = self.value(&to.recipe, name)?.address();
                if let Some(end) = ender(&self.lexicon, self.model, &to.ty, &to.recipe).filter(|_| !given) {
                    self.at_end.push(format!("{}({made});", end.name));
                }
                Ok(Made::expression(made))
            }
            Kind::Pointer { to, given: true, .. } => {
                let made = owned::owned(self, &to.recipe, &format!("made_{name}"))?;
                let name = self.name(name);
                let ty = self.ty(&value_type(&to.ty));
                self.line(format!("{ty} *{name} = {made};"));
                Ok(Made::variable(&name))
            }
            Kind::Pointer { to, .. } => {
                let made = self.value(&to.recipe, name)?;
                // What is pointed to must be an object: a pointer that is only an expression so far becomes one.
                // What it points to in turn may be of a subtype, which the declared type must not show.
                let is_pointer = match &to.recipe.kind {
                    Kind::Array { .. } => to.recipe.ty.pointee().is_some(),
                    Kind::Pointer { .. } => true,
                    Kind::Fixed { expression } => to.recipe.ty.pointee().is_some() && !crate::cpp::is_path(expression),
                    _ => false,
                };
                if !made.object.starts_with('&') && !is_pointer {
                    return Ok(Made::expression(made.address()));
                }
                let pointer = self.name(&format!("{name}_pointer"));
                let to = value_type(&to.ty);
                if self.lasts() {
                    let ty = self.ty(&to);
                    self.line(kept(&pointer, &ty, &made.object));
                } else {
                    let declaration = self.declare(&to, &pointer);
                    self.line(format!("{declaration} = {};", made.object));
                }
                Ok(Made::expression(address_of(&pointer)))
            }
            Kind::Smart { to } => owners::smart(self, ty, to, name),
            Kind::Pair { parts } => {
                let made = self.slots(parts)?;
                let name = self.name(name);
                let ty = self.ty(ty);
                let list = exact::pass(self, parts, &made).iter().map(print).collect::<Vec<_>>().join(", ");
                self.line(if self.lasts() { kept(&name, &ty, &list) } else { format!("{ty} {name}({list});") });
                Ok(Made::variable(&name))
            }
            Kind::Optional { value } => alternatives::optional(self, ty, value, name),
            Kind::Variant { among } => alternatives::variant(self, ty, among, name),
            Kind::Stub { args, methods } => stub::stub(self, ty, args, methods, name),
            Kind::Pattern { pattern } => override_values::pattern(self, ty, pattern, name),
            Kind::Then { object, statements, .. } => {
                let made = self.value(&object.recipe, name)?;
                override_values::told(self, statements, &[("$it", &made)]);
                Ok(made)
            }
            Kind::SetUp { object, calls, most, .. } => {
                let made = self.value(&object.recipe, name)?;
                setup_calls::set_up(self, Some(&made), calls, *most)?;
                Ok(made)
            }
        }
    }
}
