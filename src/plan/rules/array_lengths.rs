//! Pointers that bodies take for arrays, and the parameters that say how long those are, as far as the bodies show it.

use super::memory::array_length;
use crate::facts::default_construction::is_default_constructible;
use crate::facts::flexible_members::{Flexible, flexible};
use crate::facts::handles::is_assignable;
use crate::facts::member_lengths;
use crate::facts::member_lengths::Counted;
use crate::lexicon::Lexicon;
use crate::model::{Class, Elements, Field, Language, Param, Prim, Type, TypeKind, Usr};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe};
use crate::types::arithmetic::is_integer;
use crate::types::spelling::value_type;
use crate::types::standard::complex_part;
use crate::types::substitution::Substitution;
use std::collections::BTreeMap;

/// Elements of an array that a parameter counts.
const COUNTED: u64 = 16;
/// Rows and columns of what is both; a place one further on is still there.
const ROWS: u64 = 9;
/// Elements of what has more than rows and columns: loops over four counts go round four times each.
const LAYERS: u64 = 256;
/// Places behind them, for mutants that go one further in the outermost loop.
const LAYER: u64 = 64;
/// So many more than the places that are looked at by their numbers: mutants look further.
const BESIDES: u64 = 2;
/// So many more than a length is compared with.
const BEYOND: u64 = 32;
/// Structures of an array, each of so many bytes at most, and of larger ones.
const STRUCTURES: u64 = 8;
const SMALL: u64 = 64;
const FEW: u64 = 4;
/// So many callees are followed one into the other.
const CALLEES: usize = 4;
/// No body gets more structures than this.
const MOST_STRUCTURES: u64 = 64;

/// The array that bodies take a member for, if they do.
pub(in crate::plan) fn behind_member(
    scope: &UnitScope<'_>,
    field: &Field,
    ty: &Type,
    to: &Type,
    request: Request<'_>,
) -> Option<Result<Recipe, Reason>> {
    let elements = scope.model.elements.get(&field.usr).filter(|elements| elements.many || elements.least > 1)?;
    let least = if elements.many { COUNTED } else { 0 };
    is_plain_number(to).then(|| super::memory::buffer(scope, ty, to, least.max(elements.least + BESIDES), request))
}

/// An array of structures, pointers or arrays; none where they can't be made in an array.
fn structures(
    scope: &UnitScope<'_>,
    ty: &Type,
    to: &Type,
    elements: &Elements,
    request: Request<'_>,
) -> Option<Recipe> {
    let usual = match &to.kind {
        TypeKind::Record { usr, .. } => {
            let class = scope.model.classes.get(usr)?;
            let can_be = class.language == Language::C
                || !class.is_abstract
                    && is_default_constructible(scope.model, class)
                    && is_assignable(scope.model, class);
            if !can_be
                || class.installed.is_some()
                || super::c_lifecycle::made_in_c(scope, to, request.at(0)).recipe().is_some()
            {
                return None;
            }
            usual(to)
        }
        TypeKind::Pointer(_) => FEW,
        TypeKind::Array(of, Some(_)) if matches!(of.kind, TypeKind::Prim(_)) => FEW,
        _ => return None,
    };
    let asked = if elements.least > 0 { elements.least.min(MOST_STRUCTURES) + BESIDES } else { 0 };
    let most = if elements.many { usual.max(asked) } else { asked };
    // Each of many is as its constructor makes it.
    let is_class = scope.model.class_of(to).is_some_and(|class| class.language == Language::Cxx);
    let plain = if is_class { request.without_setup() } else { request };
    let mut recipe = super::memory::buffer(scope, ty, to, most, plain).ok()?;
    let Kind::Array { element, length, .. } = &mut recipe.kind else { return None };
    let length = *length;
    // One of several pointers to numbers leads to a row of them.
    if let Some(number) = to.pointee().filter(|number| is_plain_number(number)) {
        element.recipe = super::memory::buffer(scope, to, number, ROWS, plain).ok()?;
    }
    let is_shell = matches!(&element.recipe.kind, Kind::Construct { args, .. } if args.is_empty());
    let could_be_set_up = || {
        let alone = scope.value(to, request.at(0)).is_ok_and(|alone| matches!(alone.kind, Kind::SetUp { .. }));
        is_shell && alone
    };
    let can_be_set = matches!(
        element.recipe.kind,
        Kind::Fields { .. }
            | Kind::Construct { kept: false, .. }
            | Kind::CString { .. }
            | Kind::Pointer { .. }
            | Kind::Array { .. }
    ) && !could_be_set_up();
    if length == 0 || !can_be_set {
        return None;
    }
    let is_counted = !elements.counted_by.is_empty() || !elements.counted_by_members.is_empty() || elements.in_rows;
    // (What a constructor makes, or members with values of their own, is no entry of zeros.)
    let has_values =
        scope.model.class_of(to).is_some_and(|class| class.fields.iter().any(|field| field.is_initialized));
    let is_made = has_values || matches!(element.recipe.kind, Kind::Construct { .. });
    let is_table = elements.many && !is_counted && !is_made;
    Some(if is_table { table(recipe) } else { recipe })
}

/// An array that nobody counts ends in an entry of zeros: `for (; option->name; ++option)`.
fn table(recipe: Recipe) -> Recipe {
    match recipe.kind {
        Kind::Array { element, length, .. } => Recipe { kind: Kind::Array { element, length, text: true }, ..recipe },
        _ => recipe,
    }
}

/// The most that a parameter may be which counts elements of others.
fn most(scope: &UnitScope<'_>, params: &[Param], index: usize, request: Request<'_>) -> Option<u64> {
    let of = |param: &Param| {
        let ty = looked_at(param);
        let (to, elements) = (ty.pointee()?, param.elements.as_ref()?);
        let counts = elements.counted_by.len();
        if is_plain_number(to) {
            return Some(match (elements.in_rows, counts) {
                (false, _) => length(elements) - 1,
                (true, ..=2) => ROWS,
                (true, counts) => most_of(LAYERS, true, counts),
            });
        }
        if is_text(param) || bytes_behind(param).is_some() {
            return Some(room(scope.lexicon(), params) - 1);
        }
        match structures(scope, ty, to, elements, request) {
            Some(Recipe { kind: Kind::Array { length, .. }, .. }) => Some(most_of(length, elements.in_rows, counts)),
            // There is one.
            _ => Some(1),
        }
    };
    counted(params, index).filter_map(of).min()
}

/// Members whose places others bound, and those others. By their places in the class.
pub(in crate::plan) fn counted_members(
    scope: &UnitScope<'_>,
    class: &Class,
    with: &Substitution,
    request: Request<'_>,
    is_said: impl Fn(usize) -> bool,
) -> Vec<(usize, Recipe)> {
    let mut found = Vec::new();
    // Of arrays that are not there others decide: who looks behind them may make them first.
    let mut bounds: BTreeMap<usize, (bool, u64, bool)> = BTreeMap::new();
    // Who knows how many there can be looks before he leaps: one more, and one less than none, are for him to refuse.
    let asks_below = |is_place: bool| scope.field_usage.asks_below(is_place);
    let is_refused = |length: u64| scope.field_usage.knows(length);
    for Counted { memory, counts, shown } in member_lengths::counted(scope.model, class) {
        if is_said(memory) {
            continue;
        }
        let ty = with.apply(&class.fields[memory].ty);
        let (mut refused, mut is_there) = (false, true);
        let most = match &ty.kind {
            TypeKind::Array(_, Some(length @ 1..)) if is_refused(*length) && !shown.in_rows => {
                refused = true;
                length + 1
            }
            TypeKind::Array(_, Some(length @ 1..)) if shown.in_rows => most_of(*length, true, counts.len()),
            // All of them may be in use.
            TypeKind::Array(_, Some(length @ 1..)) => length.saturating_sub(u64::from(shown.beyond)),
            TypeKind::Array(..) => match trailing(scope, class, request) {
                Some(recipe) => {
                    let length = array_length(&recipe).unwrap_or_default();
                    found.push((memory, recipe));
                    length.saturating_sub(1)
                }
                None => 0,
            },
            TypeKind::Pointer(to) => match behind_counted(scope, class, memory, (&ty, to), &shown, request) {
                Some((recipe, length)) => {
                    found.push((memory, recipe));
                    if shown.in_rows { most_of(length, true, counts.len()) } else { length - 1 }
                }
                // Nothing leads there, or to one.
                None => {
                    let one = super::fields::field_recipe(scope, class, &class.fields[memory], &ty, request);
                    is_there = matches!(one, Ok(Some(_)));
                    u64::from(is_there)
                }
            },
            _ => continue,
        };
        for count in counts.into_iter().filter(|count| !is_said(*count)) {
            let below = refused || asks_below(shown.beyond);
            let known = bounds.entry(count).or_insert((is_there, most, below));
            *known = match (is_there, known.0) {
                (true, false) => (true, most, below),
                (false, true) => *known,
                _ => (is_there, most.min(known.1), below && known.2),
            };
        }
    }
    let length = |(count, (_, most, below)): (usize, (bool, u64, bool))| {
        let ty = value_type(&with.apply(&class.fields[count].ty));
        let below = below && is_below_nought(&ty);
        let free = scope.field_usage.asks_beyond(&class.fields[count].usr, most);
        (count, Kind::Length { most, free, below }.of(ty))
    };
    found.extend(bounds.into_iter().map(length));
    found
}

/// The elements of a flexible array member, where there is room for them.
pub(super) fn trailing(scope: &UnitScope<'_>, class: &Class, request: Request<'_>) -> Option<Recipe> {
    let Flexible { field, element, .. } = flexible(class).filter(|_| request.has_room(&class.usr))?;
    let least = scope.model.elements.get(&field.usr).map_or(0, |elements| elements.least + BESIDES);
    let usual = match &element.kind {
        TypeKind::Prim(_) if is_plain_number(element) => COUNTED,
        TypeKind::Prim(_) => ARRAY_LENGTH,
        _ => usual(element),
    };
    let length = usual.max(least);
    let spelling = format!("{}[{length}]", element.spelling);
    let kind = TypeKind::Array(Box::new(element.clone()), Some(length));
    let ty = Type { spelling, is_const: false, kind, size: None };
    let text = crate::types::arithmetic::is_character(element);
    let element = super::memory::element_slot(scope, element, request).ok()?;
    Some(Kind::Array { element, length, text }.of(ty))
}

fn behind_counted(
    scope: &UnitScope<'_>,
    class: &Class,
    memory: usize,
    (ty, to): (&Type, &Type),
    shown: &Elements,
    request: Request<'_>,
) -> Option<(Recipe, u64)> {
    let is_open = to.record().is_some_and(|usr| request.is_open(usr));
    let recipe = match to.kind {
        TypeKind::Prim(_) => super::memory::range(scope, ty, to, request).ok()?,
        _ if is_open => return None,
        _ => {
            super::fields::field_recipe(scope, class, &class.fields[memory], ty, request).ok()??;
            structures(scope, ty, to, shown, request)?
        }
    };
    let length = array_length(&recipe)?;
    Some((recipe, length))
}

/// The array, or its length, that the body shows a parameter to be; none where it shows nothing.
pub(in crate::plan) fn as_bodies_show(
    scope: &UnitScope<'_>,
    params: &[Param],
    index: usize,
    ty: &Type,
    request: Request<'_>,
) -> Result<Option<Recipe>, Reason> {
    let Some(param) = params.get(index) else { return Ok(None) };
    if let Some(elements) = bytes_behind(param).filter(|elements| elements.many || elements.least > 1)
        && ty.pointee().is_some_and(|to| to.kind == TypeKind::Void)
    {
        let length = elements.before + length(elements).max(room(scope.lexicon(), params));
        return super::memory::bytes(scope, ty, length, request).map(Some);
    }
    if let Some(to) = ty.pointee()
        && let Some(elements) = &param.elements
        && (is_plain_number(to) || is_memory(to))
        && (elements.many || elements.least > 1 || elements.before > 0)
    {
        // Nobody knows how many elements a callee without a body reads.
        let has_body = |usr: &Usr| scope.model.functions.get(usr).is_some_and(|f| f.definition.is_some());
        let is_open = param.handed_to.iter().any(|(callee, _)| !has_body(callee));
        let least = if is_memory(to) { room(scope.lexicon(), params) } else { 0 };
        let least = least.max(if is_open { ARRAY_LENGTH } else { 0 });
        let length = elements.before + length(elements).max(least);
        return super::memory::buffer(scope, ty, to, length, request).map(Some);
    }
    if let Some(to) = ty.pointee()
        && let Some(elements) = &param.elements
        && (elements.many || elements.least > 1)
        && let Some(recipe) = structures(scope, ty, to, elements, request)
    {
        return Ok(Some(recipe));
    }
    let Some(most) = most(scope, params, index, request) else { return Ok(None) };
    // A signed count is negative now and then.
    let count = |ty: &Type| Kind::Length { most, free: false, below: is_below_nought(ty) }.of(value_type(ty));
    match &ty.kind {
        TypeKind::Prim(prim) if is_integer(*prim) => Ok(Some(count(ty))),
        _ => match (ty.pointee(), scope.value(ty, request.at(0))?) {
            (Some(number), Recipe { ty, kind: Kind::Pointer { mut to, given }, .. })
                if matches!(to.recipe.kind, Kind::Prim { .. }) =>
            {
                to.recipe = count(number);
                Ok(Some(Kind::Pointer { to, given }.of(ty)))
            }
            _ => Ok(None),
        },
    }
}

/// How many elements of the array of numbers that a parameter gets stand before the one that is passed.
pub(super) fn history(param: &Param, ty: &Type, recipe: &Recipe) -> u64 {
    let before = param.elements.as_ref().map_or(0, |elements| elements.before);
    let is_of_numbers = |to: &Type| is_plain_number(to) || is_memory(to) || to.kind == TypeKind::Void;
    let are_numbers = ty.pointee().is_some_and(is_of_numbers);
    match recipe.kind {
        Kind::Array { length, text: false, .. } if are_numbers && before < length => before,
        _ => 0,
    }
}

/// So many structures of a type an array has at least, where it is to have many.
pub fn usual(structure: &Type) -> u64 {
    if structure.size.is_some_and(|size| size <= SMALL) { STRUCTURES } else { FEW }
}

/// Numbers that are neither characters nor bytes.
fn is_plain_number(to: &Type) -> bool {
    let is_number = matches!(to.kind, TypeKind::Prim(_)) || complex_part(to).is_some();
    is_number && !crate::types::arithmetic::is_character(to) && !is_memory(to)
}

/// Whether bodies say of the parameter that it bounds places in the array before it: they count with it, or pass both
/// to a function without a body, such as `memcpy`, or to one that does so.
pub(in crate::plan) fn is_bounded(scope: &UnitScope<'_>, params: &[Param], index: usize) -> bool {
    counted(params, index).next().is_some()
        || index.checked_sub(1).is_some_and(|array| bounds(scope, params, array, index, CALLEES))
}

/// Whether bodies pass the array and the length to a function that counts the one with the other, or that has no body.
pub(super) fn bounds(scope: &UnitScope<'_>, params: &[Param], array: usize, length: usize, callees: usize) -> bool {
    let pairs = params[array].handed_to.iter().flat_map(|(callee, array)| {
        let same = params[length].handed_to.iter().filter(move |(other, _)| other == callee);
        same.map(move |(_, length)| (callee, *array, *length))
    });
    pairs.into_iter().any(|(callee, array, length)| {
        match scope.model.functions.get(callee).filter(|f| f.definition.is_some()) {
            None => true,
            Some(_) if callees == 0 => false,
            Some(f) => {
                let counts = |elements: &Elements| elements.counted_by.contains(&length);
                f.params.get(array).and_then(|param| param.elements.as_ref()).is_some_and(counts)
                    || array.max(length) < f.params.len() && bounds(scope, &f.params, array, length, callees - 1)
            }
        }
    })
}

/// Whether bodies say of the parameter what its name may only hint at: that it counts numbers, or is an array of such.
pub(in crate::plan) fn is_shown(params: &[Param], index: usize) -> bool {
    let Some(param) = params.get(index) else { return false };
    let is_array = || param.elements.as_ref().is_some_and(|elements| elements.many && !elements.counted_by.is_empty());
    match looked_at(param).pointee() {
        Some(to) if is_plain_number(to) => is_array(),
        Some(_) => false,
        None => counted(params, index).any(|param| !is_text(param)),
    }
}

/// What a body shows of the bytes behind a `void *`.
fn bytes_behind(param: &Param) -> Option<&Elements> {
    let is_untyped = param.seen_as.is_none() && param.ty.pointee().is_some_and(|to| to.kind == TypeKind::Void);
    param.elements.as_ref().filter(|_| is_untyped)
}

/// Bytes, which are a hundred wherever they are.
fn is_memory(to: &Type) -> bool {
    matches!(to.kind, TypeKind::Prim(Prim::UChar | Prim::SChar))
}

/// So many characters or bytes each buffer among the parameters gets: a hundred, or more where the body asks whether a
/// length is. Where the same length may count what is none, a hundred.
pub(super) fn room(lexicon: &Lexicon, params: &[Param]) -> u64 {
    let is_other = |to: &Type| is_plain_number(to) || matches!(to.kind, TypeKind::Void) && !to.is_const;
    if params.iter().any(|param| param.ty.pointee().is_some_and(is_other)) {
        return ARRAY_LENGTH;
    }
    let is_length = |index: &usize| {
        let array = index.checked_sub(1).map(|before| params[before].name.as_str());
        lexicon.is_length(&params[*index].name, array) || counted(params, *index).next().is_some()
    };
    let asked = (0..params.len()).filter(is_length).map(|index| params[index].asked).max();
    asked.filter(|asked| *asked > 0).map_or(0, |asked| asked + BEYOND).max(ARRAY_LENGTH)
}

/// A buffer that is filled beside others of which the body asks how long they are: it is as long as they are.
pub(super) fn beside_others(
    scope: &UnitScope<'_>,
    params: &[Param],
    ty: &Type,
    request: Request<'_>,
) -> Option<Result<Recipe, Reason>> {
    let to = ty.pointee().filter(|to| !to.is_const && (crate::types::arithmetic::is_character(to) || is_memory(to)))?;
    let length = room(scope.lexicon(), params);
    (length > ARRAY_LENGTH).then(|| super::memory::buffer(scope, ty, to, length, request))
}

/// So many elements the array gets.
fn length(elements: &Elements) -> u64 {
    let usual = match (elements.many, elements.in_rows, elements.counted_by.is_empty()) {
        (false, ..) => 0,
        (true, false, false) => COUNTED,
        (true, true, _) if elements.counted_by.len() > 2 => LAYERS + LAYER,
        _ => ARRAY_LENGTH,
    };
    usual.max(if elements.least > 0 { elements.least + BESIDES } else { 0 })
}

fn is_below_nought(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(prim) if crate::types::arithmetic::is_signed(prim))
}

/// The parameters whose elements one counts.
pub(super) fn counted(params: &[Param], index: usize) -> impl Iterator<Item = &Param> {
    let counts = move |elements: &Elements| elements.counted_by.contains(&index);
    params.iter().filter(move |param| param.elements.as_ref().is_some_and(counts))
}

/// The type of a parameter; of a pointer to nothing, the one that the body takes it for.
fn looked_at(param: &Param) -> &Type {
    let is_untyped = param.ty.pointee().is_some_and(|to| to.kind == TypeKind::Void);
    param.seen_as.as_ref().filter(|_| is_untyped).unwrap_or(&param.ty)
}

/// Text or bytes.
fn is_text(param: &Param) -> bool {
    let is_number = |to: &Type| matches!(to.kind, TypeKind::Prim(_));
    looked_at(param).pointee().is_some_and(|to| is_number(to) && !is_plain_number(to))
}

/// The most that each of `counts` may be that bound the places of `length` elements together.
fn most_of(length: u64, in_rows: bool, counts: usize) -> u64 {
    match (in_rows, counts) {
        (false, _) => length.saturating_sub(1),
        (true, ..=1) => length.min(ROWS),
        (true, counts) => (1..=ROWS).rev().find(|most| most.pow(counts as u32) <= length).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;
    use crate::plan::Kind;
    use crate::plan::planner::Planner;

    #[test]
    fn a_length_that_a_callee_passes_to_memcpy_with_its_array_is_never_more_than_there_is() {
        let model = read_c(
            "void *memcpy(void *to, const void *from, unsigned long n);\nvoid note(unsigned long n);\n\
             static void copy(const char *from, unsigned long n) { char to[8]; memcpy(to, from, n); }\n\
             static void twice(const char *from, unsigned long n) { copy(from, n); copy(from, n); }\n\
             void put(const char *key, unsigned long key_len) { twice(key, key_len); }\n\
             static void count(const char *from, unsigned long n) { note(n); }\n\
             void look(const char *key, unsigned long key_len) { count(key, key_len); }\n\
             unsigned sum(const void *data, unsigned k) { const unsigned char *p = data; unsigned s = 0; while (k--) \
             s += *p++; return s; }\n",
        );
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let is_free = |unit: &str| {
            let unit = model.functions.values().find(|f| f.name == unit).unwrap();
            let plan = crate::plan::plan_unit(&planner, &unit.usr).unwrap();
            let Kind::Length { free, .. } = plan.entries[0].args[1].recipe.kind else { panic!("{plan:?}") };
            free
        };
        assert_eq!([is_free("put"), is_free("look"), is_free("sum")], [false, true, false]);
    }
}
