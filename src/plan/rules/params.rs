//! Parameters: what their names, their neighbours and the bodies say beyond their types.

use super::memory::{are_ends, array_length, buffer, range};
use super::rule::{Found, first};
use crate::facts::given_back::is_given_back;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Param, Prim, Type, TypeKind, Usr};
use crate::plan::names::unique;
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe, Slot};
use crate::types::arithmetic::{is_integer, is_scalar};
use crate::types::compose::pointer;
use crate::types::spelling::{identifier, value_type};
use crate::types::standard::complex_part;
use crate::types::standard::is_made_of_text;
use crate::types::substitution::Substitution;
use std::collections::{BTreeSet, VecDeque};

/// The most elements that an object is told to make room for when it is set up.
const ROOM: u64 = 255;

/// So many callees are asked what they take a pointer for.
const CALLEES: usize = 64;

/// Says how a parameter is made; none where the next rule is to be asked.
pub(super) type ParameterRule = fn(&UnitScope<'_>, &Position<'_>, Request<'_>) -> Found;

/// A parameter among its neighbours.
pub(super) struct Position<'p> {
    param: &'p Param,
    /// Its type, template parameters filled in.
    ty: &'p Type,
    params: &'p [Param],
    /// The arguments for template parameters.
    with: &'p Substitution<'p>,
    /// The arguments before it.
    before: &'p [Slot],
    /// The words of the project.
    lexicon: &'p Lexicon,
    /// The unit whose own parameter it is; none for what only makes or sets up an object.
    unit: Option<&'p str>,
}

/// Slots for all parameters of a function, template parameters filled in by `with`.
///
/// # Errors
/// The first parameter that can't be made, with its name.
pub(super) fn params(
    rules: &[(&'static str, ParameterRule)],
    scope: &UnitScope<'_>,
    params: &[Param],
    with: &Substitution,
    unit: Option<&str>,
    request: Request<'_>,
) -> Result<Vec<Slot>, Reason> {
    let request = Request { shell_will_do: false, ..request };
    let params = &*with.spread_params(params);
    let mut slots: Vec<Slot> = Vec::new();
    for (index, param) in params.iter().enumerate() {
        let name = unique(&identifier(&param.name, &format!("argument{}", index + 1)), &slots);
        let is_said = unit.is_some_and(|unit| scope.overrides.parameter(unit, &param.name).is_some());
        let seen = if is_said { None } else { seen_as(scope, param) };
        let seen = seen.filter(|seen| is_in_sight(scope, &seen.ty));
        let lexicon = scope.lexicon();
        let of = |ty: &Type| {
            let position = Position { param, ty, params, with, before: &slots, lexicon, unit };
            argument(rules, scope, &position, Request { as_handle: seen.is_some(), ..request })
        };
        let own = with.apply(&param.ty);
        let (ty, declared, recipe) = match seen.as_ref().map(|seen| (with.apply(&seen.ty), seen.is_here)) {
            None => (own.clone(), None, of(&own)),
            Some((seen, _)) if !is_of_structure(&own) => (seen.clone(), None, of(&seen)),
            Some((seen, is_here)) => match scope.value(&own, request.at(0)) {
                // Where the body takes every object for one of these, it is one, whoever makes it.
                Ok(recipe) if is_made_by_function(&recipe) && is_here => (seen, Some(own), Ok(recipe)),
                Ok(recipe) if is_made_by_function(&recipe) => (own, None, Ok(recipe)),
                as_declared => match of(&seen) {
                    Err(_) => (own, None, as_declared),
                    as_seen => (seen, Some(own), as_seen),
                },
            },
        };
        // (A unit that frees on some ways only is driven on the others: there its argument is compared.)
        let is_ender = || unit.is_none() || scope.lexicon().says(&scope.function.name, Role::Ends);
        let is_given_back = || scope.is_in_c() && is_ender() && is_given_back(scope.model, scope.lexicon(), param);
        let recipe = match recipe {
            Ok(recipe) if is_said => recipe.by_override(),
            Ok(recipe) if is_given_back() => super::memory::on_heap(recipe),
            Ok(recipe) => recipe,
            // From here on the callee has defaults: better a shorter call than none.
            Err(_) if param.default.is_some() => break,
            Err(reason) => {
                return Err(Reason {
                    what: format!("parameter `{}` ({}): {}", name, ty.spelling, reason.what),
                    needs: if reason.needs.is_empty() { vec![format!("parameters.{name}")] } else { reason.needs },
                });
            }
        };
        let nullable = super::nullness::may_be_null(scope, param, &recipe, unit);
        if matches!(recipe.kind, Kind::End { .. } | Kind::Behind)
            && let Some(begin) = slots.last_mut()
        {
            begin.nullable = false;
            begin.history = 0;
            super::iterators::may_be_empty(&mut begin.recipe);
        }
        // (What is freed is passed as it was allocated, and what an override says as it says.)
        let history = if is_said || declared.is_some() || is_given_back() {
            0
        } else {
            super::array_lengths::history(param, &ty, &recipe)
        };
        slots.push(Slot { name, ty, declared, recipe, nullable, history });
    }
    super::lengths_elsewhere::bound(scope, params, &mut slots, unit.is_some());
    Ok(slots)
}

/// What bodies cast a pointer to.
struct Seen {
    ty: Type,
    /// The body itself does, in every call.
    is_here: bool,
}

/// What the body casts a pointer to, or else the bodies that it passes it to unchanged, if they agree. Whether it can
/// be changed is for the declaration to say.
fn seen_as(scope: &UnitScope<'_>, param: &Param) -> Option<Seen> {
    let to = param.ty.pointee().filter(|to| to.record().is_some() || matches!(to.kind, TypeKind::Void))?;
    let is_here = param.seen_as.is_some();
    let ty = param.seen_as.as_ref().or_else(|| seen_by_callees(scope, param))?;
    let pointee = ty.pointee()?;
    let is_constant = to.is_const || to.record().is_none();
    let ty = if pointee.is_const && !is_constant { pointer(&value_type(pointee)) } else { ty.clone() };
    Some(Seen { ty, is_here })
}

/// What callees cast a pointer to that is passed on to them unchanged.
fn seen_by_callees<'m>(scope: &UnitScope<'m>, param: &Param) -> Option<&'m Type> {
    let kind = |ty: &Type| ty.pointee().map(|to| to.kind.clone());
    let (mut seen, mut found) = (BTreeSet::new(), None::<&Type>);
    let mut ahead: VecDeque<&(Usr, usize)> = param.handed_to.iter().collect();
    while let Some((callee, place)) = ahead.pop_front().filter(|_| seen.len() < CALLEES) {
        let Some(there) = scope.model.functions.get(callee).and_then(|callee| callee.params.get(*place)) else {
            continue;
        };
        // (A parameter of another type says nothing of this one.)
        if kind(&there.ty) != kind(&param.ty) || !seen.insert((callee, place)) {
            continue;
        }
        match (&there.seen_as, found) {
            (Some(ty), Some(known)) if kind(ty) != kind(known) => return None,
            (Some(ty), _) => found = Some(ty),
            (None, _) => ahead.extend(&there.handed_to),
        }
    }
    found
}

/// A pointer to a structure.
fn is_of_structure(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| to.record().is_some())
}

/// Whether a function of the project makes what the pointer leads to.
fn is_made_by_function(recipe: &Recipe) -> bool {
    matches!(&recipe.kind, Kind::Pointer { to, .. } if super::c_lifecycle::is_made(&to.recipe))
}

/// Whether a driver of the unit can name what a parameter is cast to in a body: that source may be alone in knowing it.
fn is_in_sight(scope: &UnitScope<'_>, ty: &Type) -> bool {
    let mut can = true;
    ty.walk(&mut |part| {
        if let TypeKind::Record { usr, name, .. } = &part.kind {
            let class = scope.model.classes.get(usr);
            can &= crate::types::standard::is_of_library(scope.model, name)
                || name == "_IO_FILE"
                || class.is_some_and(|class| scope.in_reach(class));
        }
    });
    can
}

/// The recipe for the argument: the first of `rules` that has one, else a value of its type.
fn argument(
    rules: &[(&'static str, ParameterRule)],
    scope: &UnitScope<'_>,
    position: &Position<'_>,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    match first(rules, |rule| rule.0, |rule| rule.1(scope, position, request))? {
        Some(recipe) => Ok(recipe),
        None => scope.value(position.ty, request.at(0)),
    }
}

impl Position<'_> {
    fn index(&self) -> usize {
        self.before.len()
    }

    fn is_integer(&self) -> bool {
        matches!(self.ty.without_ref().kind, TypeKind::Prim(prim) if is_integer(prim))
    }

    /// Whether the parameter at `from` and the one behind it are the beginning and the end of one range of scalars.
    fn ends(&self, from: usize) -> bool {
        let (Some(from_param), Some(to)) = (self.params.get(from), self.params.get(from + 1)) else { return false };
        let (begins, ends) = (self.with.apply(&from_param.ty), self.with.apply(&to.ty));
        are_ends(self.lexicon, (&from_param.name, &begins), (&to.name, &ends), to.ends == Some(from))
    }

    /// Whether the parameter is a place in the range that the next two are the ends of.
    fn is_place(&self, at: usize) -> bool {
        let kind = |param: &Param| self.with.apply(&param.ty).without_ref().kind.clone();
        self.lexicon.says(&self.params[at].name, Role::Place)
            && self.ends(at + 1)
            && kind(&self.params[at]) == kind(&self.params[at + 1])
    }

    /// How many elements the array has that was made for the parameter `back` places before this one.
    fn length_of(&self, back: usize) -> Option<u64> {
        let at = self.index().checked_sub(back)?;
        let slot = self.before.get(at)?;
        array_length(&slot.recipe).map(|length| length - slot.history)
    }

    fn end(&self, most: u64) -> Recipe {
        Kind::End { most }.of(value_type(self.ty.without_ref()))
    }
}

/// A value from an override file.
pub(super) fn by_override(scope: &UnitScope<'_>, position: &Position<'_>, request: Request<'_>) -> Found {
    let Some(unit) = position.unit else { return Ok(None) };
    super::overrides::overridden_param(scope, unit, &position.param.name, position.ty, position.before, request)
}

/// A text that names a file, where files are opened: such a file is there.
pub(super) fn file_name(scope: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let to = position.ty.without_ref();
    let is_text = match &to.kind {
        TypeKind::Pointer(to) => to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Record { name, .. } => is_made_of_text(name) && (to.is_const || *to == *position.ty),
        _ => false,
    };
    let is_named = position.param.opened && is_text && position.lexicon.says(&position.param.name, Role::File);
    // No two units have the same file, and no file of a user's is called so.
    let unit = || crate::plan::entry::slug(scope.model, scope.function);
    let name = || format!("motif_{}_{}", unit(), identifier(&position.param.name, "file"));
    Ok(is_named.then(|| Kind::FileName { name: name() }.of(value_type(to))))
}

/// A length behind its array: what it counts bounds it.
pub(super) fn length_behind_array(scope: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let (params, index) = (position.params, position.index());
    let is_named = |previous: &Slot| position.lexicon.is_length(&position.param.name, Some(&previous.name));
    let is_length = position.is_integer()
        && position.before.last().is_some_and(is_named)
        && !super::array_lengths::is_shown(params, index);
    let most = position.length_of(1).filter(|_| is_length);
    // A name says less than what bodies do with it, and nothing of what a set-up needs.
    let ty = position.ty.without_ref();
    let is_word = matches!(ty.kind, TypeKind::Prim(prim) if crate::types::arithmetic::prim_size(prim) <= 8);
    let free = position.unit.is_some() && is_word && !super::array_lengths::is_bounded(scope, params, index);
    Ok(most.map(|most| Kind::Length { most, free, below: false }.of(value_type(ty))))
}

/// An index into an array of a said length, which the body does not check: most often one that is in it.
pub(super) fn index(_: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let ty = position.ty.without_ref();
    let is_word = matches!(ty.kind, TypeKind::Prim(prim) if crate::types::arithmetic::prim_size(prim) <= 8);
    let most = position.param.greatest_index.filter(|most| *most > 0 && position.is_integer() && is_word);
    // (The body may come to other ways first.)
    let free = position.unit.is_some();
    Ok(most.map(|most| Kind::Length { most, free, below: false }.of(value_type(ty))))
}

/// How much room an object is to make, where it only has to be set up: four billion elements would take the search up.
pub(super) fn room(_: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let is_wide = |ty: &Type| matches!(ty.kind, TypeKind::Prim(prim) if crate::types::arithmetic::prim_size(prim) > 1);
    let is_room = position.unit.is_none()
        && position.is_integer()
        && is_wide(position.ty)
        && position.lexicon.says(&position.param.name, Role::Length);
    Ok(is_room.then(|| Kind::Length { most: ROOM, free: false, below: false }.of(value_type(position.ty))))
}

/// The beginning of a range behind a place in it: the place is its first element.
pub(super) fn begin_behind_place(_: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let is_behind = position.index().checked_sub(1).is_some_and(|at| position.is_place(at));
    Ok(position.length_of(1).filter(|_| is_behind).map(|_| position.end(0)))
}

/// The end of a range that a place in it was made for.
pub(super) fn end_behind_place(_: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let is_behind = position.index().checked_sub(2).is_some_and(|at| position.is_place(at));
    Ok(position.length_of(2).filter(|_| is_behind).map(|most| position.end(most)))
}

/// The beginning of a range, or a place in it: an array.
pub(super) fn begin(scope: &UnitScope<'_>, position: &Position<'_>, request: Request<'_>) -> Found {
    let ty = position.ty.without_ref();
    match ty.pointee() {
        Some(to) if position.ends(position.index()) || position.is_place(position.index()) => {
            range(scope, ty, to, request).map(Some)
        }
        _ => Ok(None),
    }
}

/// The end of a range behind its beginning.
pub(super) fn end(_: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let is_end = position.index().checked_sub(1).is_some_and(|before| position.ends(before));
    Ok(position.length_of(1).filter(|_| is_end).map(|most| position.end(most)))
}

/// An iterator behind one into the same container: its end.
pub(super) fn end_of_container(scope: &UnitScope<'_>, position: &Position<'_>, _: Request<'_>) -> Found {
    let is_end = |previous: &&Slot| {
        matches!(previous.recipe.kind, Kind::Iterator { .. })
            && (crate::types::iterators::are_one_range(scope.model, &previous.ty, position.ty)
                || super::iterators::are_one_own_range(previous, position.ty))
    };
    Ok(position.before.last().filter(is_end).map(|_| Kind::Behind.of(value_type(position.ty.without_ref()))))
}

/// Text or numbers with a length behind them: a buffer, which may hold NULs.
pub(super) fn array_before_length(scope: &UnitScope<'_>, position: &Position<'_>, request: Request<'_>) -> Found {
    let Some(next) = position.params.get(position.index() + 1) else { return Ok(None) };
    let counts = matches!(next.ty.kind, TypeKind::Prim(prim) if is_integer(prim))
        && position.lexicon.is_length(&next.name, Some(&position.param.name));
    match position.ty.pointee() {
        Some(to)
            if counts
                && (is_scalar(to) || complex_part(to).is_some())
                && !super::array_lengths::is_shown(position.params, position.index()) =>
        {
            let is_bytes = to.size == Some(1);
            let length =
                if is_bytes { super::array_lengths::room(position.lexicon, position.params) } else { ARRAY_LENGTH };
            let before = position.param.elements.as_ref().map_or(0, |elements| elements.before);
            buffer(scope, position.ty, to, before + length, request).map(Some)
        }
        _ => Ok(None),
    }
}

/// A buffer beside one whose length the body asks for.
pub(super) fn buffer_beside_others(scope: &UnitScope<'_>, position: &Position<'_>, request: Request<'_>) -> Found {
    super::array_lengths::beside_others(scope, position.params, position.ty, request).transpose()
}

/// The array, or its length, that the bodies show the parameter to be.
pub(super) fn as_bodies_show(scope: &UnitScope<'_>, position: &Position<'_>, request: Request<'_>) -> Found {
    super::array_lengths::as_bodies_show(scope, position.params, position.index(), position.ty, request)
}
