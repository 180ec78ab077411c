//! Recipes to statements: the same walk writes a driver, which takes its values from the fuzzer's bytes, and a
//! regression test, which has them as literals (the draws of a replay tell which).

use crate::model::TypeKind;
use crate::plan::{Kind, Recipe, Slot};
use crate::types::standard::complex_part;
use writer::{Lowered, gives_away_its_address};

mod adapter;
mod alternatives;
pub(super) mod calls;
pub(super) mod choices;
mod complex;
mod containers;
mod elements;
pub(super) mod exact;
pub(super) mod factory_calls;
pub mod files;
pub(super) mod fill;
mod histories;
mod inline;
mod iterate;
mod kept_references;
mod members;
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
mod union_members;
mod writer;

pub use iterate::position_in;
pub use stub::{MOST_NOTED, is_floating, shown};
pub use writer::{Lowering, Made, MadeFile, NOTES, Noted, Range, Sink, Source, Values, kind};

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
                _ => match inline::argument(self, slot)? {
                    Some(made) => made,
                    None => self.slot(slot)?,
                },
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
        Ok(self.set_variable(&pointer, to, &made.object))
    }

    fn value(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made> {
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Prim { .. }
            | Kind::Enum { .. }
            | Kind::Length { .. }
            | Kind::CString { .. }
            | Kind::StdString { .. } => scalars::variable(self, recipe, name),
            Kind::Fixed { expression } => alternatives::fixed(self, ty, expression, name),
            Kind::Stream { reads, writes, .. } => alternatives::stream(self, *reads, *writes, name),
            Kind::File => alternatives::file(self, name),
            Kind::FileName { name: file } => files::name(self, ty, file, name),
            Kind::End { .. } | Kind::Behind => Err("the end of a range without its beginning".into()),
            Kind::Iterator { range, approach, .. } => iterate::iterator(self, range, *approach, name),
            Kind::Itself => iterate::itself(self, name),
            Kind::List { elements } => iterate::list(self, ty, elements, name),
            Kind::OneOf { expressions } => alternatives::one_of(self, ty.without_ref(), expressions, name),
            Kind::Array { .. } => fill::array(self, recipe, name),
            Kind::Fields { .. } if fill::asks_for_parts(self, ty) => fill::braced(self, recipe, name),
            Kind::Fields { .. } | Kind::Bytes => fill::zeroed(self, recipe, name),
            Kind::Sequence { .. } => containers::sequence(self, recipe, name),
            Kind::Grid { .. } => containers::grid(self, recipe, name),
            Kind::Elements { .. } => elements::elements(self, recipe, name),
            Kind::Construct { .. } => objects::construct(self, recipe, name),
            Kind::Factory { .. } => objects::factory(self, recipe, name),
            Kind::Choice { .. } if fill::is_union(self, ty) => fill::zeroed(self, recipe, name),
            Kind::Choice { among } => objects::choice(self, ty, among, name),
            Kind::Mined { steps, object, .. } => histories::mined(self, steps, *object),
            Kind::Same { step, owner, .. } => histories::same(self, *step, *owner),
            Kind::Pointer { to, given, .. } => objects::pointer(self, to, *given, name),
            Kind::Smart { to } => owners::smart(self, ty, to, name),
            Kind::Pair { .. } if complex_part(ty).is_some() => scalars::variable(self, recipe, name),
            Kind::Pair { parts } => objects::pair(self, ty, parts, name),
            Kind::Optional { value } => alternatives::optional(self, ty, value, name),
            Kind::Variant { among } => alternatives::variant(self, ty, among, name),
            Kind::Stub { .. } => stub::stub(self, recipe, false, name),
            Kind::Table { table } => Ok(histories::table(self, table)),
            Kind::Pattern { pattern } => override_values::pattern(self, ty, pattern, name),
            Kind::Then { object, statements, .. } => {
                let made = self.value(&object.recipe, name)?;
                override_values::told(self, statements, &[("$it", &made)]);
                Ok(made)
            }
            Kind::SetUp { object, calls, most, .. } => {
                let made = self.value(&object.recipe, name)?;
                setup_calls::set_up(self, Some((&made, &recipe.ty)), calls, (*most, recipe.overridden))?;
                Ok(made)
            }
        }
    }
}
