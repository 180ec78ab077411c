//! Factories that come in several forms: `polygon(dimension)` makes an empty one, `polygon(ring)` one that has something in it.
//!
//! The cheapest form asks for least, so that objects of it are shells on which every method returns at once. Where another form of the
//! same name takes text, elements or objects, the data chooses between the two: what is empty is worth a try as well.

use super::values::Planner;
use super::ways::Way;
use super::{Recipe, Yield};
use crate::model::{Access, Function, Model, Type, TypeKind};

/// So many fuller forms are tried.
const FORMS: usize = 3;

impl<'m> Planner<'m> {
    /// An object of `class` from a fuller form of the factory that `made` comes from; none where there is none, or nothing to choose.
    /// The class is being made, and nothing else is.
    pub(super) fn fuller(&self, ty: &Type, made: &Recipe, depth: usize) -> Option<Recipe> {
        let Recipe::Factory { function, .. } = made else { return None };
        let said = ty
            .record()
            .and_then(|usr| self.model.classes.get(usr))
            .is_some_and(|class| self.overrides.makes(&class.qualified));
        if said || self.full.get() || self.bare.get() || self.open.borrow().len() > 1 {
            return None;
        }
        let ways = self.ways.borrow_mut().to(ty, self.source.get(), false);
        let empty = self.model.functions.get(function)?;
        let mut forms: Vec<_> = ways.iter().filter_map(|(_, way)| fuller_form(self.model, empty, way)).collect();
        forms.sort_by_key(|(form, _)| vagueness(self.model, form));
        let mut forms = forms.into_iter().take(FORMS);
        self.full.set(true);
        let recipe = forms.find_map(|(form, yields)| self.factory(ty, form, yields, depth).ok());
        self.full.set(false);
        recipe
    }

    /// Within a fuller object the parts are fuller, too: what makes an empty one goes behind its fuller form.
    pub(super) fn fuller_first(&self, ways: &mut [(u32, Way<'m>)]) {
        let Some((_, Way::Factory(empty, _))) = ways.first().filter(|_| self.full.get()) else { return };
        let forms =
            ways.iter().enumerate().filter_map(|(at, (_, way))| Some((at, fuller_form(self.model, empty, way)?.0)));
        if let Some((at, _)) = forms.min_by_key(|(at, form)| (vagueness(self.model, form), *at)) {
            ways[..=at].rotate_right(1);
        }
    }
}

/// A form of the same factory that has something to put into its object, where `empty` has not.
fn fuller_form<'m>(model: &Model, empty: &Function, way: &Way<'m>) -> Option<(&'m Function, Yield)> {
    let Way::Factory(function, yields) = way else { return None };
    let is_form = function.name == empty.name && function.owner == empty.owner && function.scopes == empty.scopes;
    (is_form && !fills(model, empty) && fills(model, function)).then_some((function, *yields))
}

/// Whether a function takes text, elements, or objects.
fn fills(model: &Model, function: &Function) -> bool {
    function.params.iter().any(|param| {
        let mut found = false;
        param.ty.walk(&mut |ty| {
            let of_project =
                ty.record().and_then(|usr| model.classes.get(usr)).is_some_and(|class| class.definition.is_some());
            found |= of_project || holds_elements(ty);
        });
        found
    })
}

/// How little a form says of what it takes: elements of classes that can be made as they are, then objects of such, then anything of a kind.
fn vagueness(model: &Model, function: &Function) -> u32 {
    let mut vague = 2;
    for param in &function.params {
        let (mut elements, mut is_abstract) = (false, false);
        param.ty.walk(&mut |ty| {
            elements |= holds_elements(ty);
            is_abstract |= ty.record().and_then(|usr| model.classes.get(usr)).is_some_and(|class| class.is_abstract);
        });
        vague = vague.min(if is_abstract { 2 } else { u32::from(!elements) });
    }
    vague
}

fn holds_elements(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Record { name, .. } if matches!(
        name.as_str(),
        "std::vector" | "std::list" | "std::deque" | "std::set" | "std::map" | "std::basic_string" | "std::string"
    ))
}

/// Whether objects of the class can be made of elements.
pub(super) fn takes_elements(model: &Model, ty: &Type) -> bool {
    let class = ty.record().and_then(|usr| model.classes.get(usr));
    let open = |ctor: &&Function| ctor.access == Some(Access::Public) && !ctor.is_deleted;
    class.is_some_and(|class| {
        class
            .constructors(model)
            .filter(open)
            .any(|ctor| ctor.params.iter().any(|param| holds_elements(param.ty.without_ref())))
    })
}
