//! The rules by which values are made, in the order in which they are tried: the first that has a recipe makes the
//! value.
//!
//! A parameter goes through [`PARAMETERS`]; where none of them says more than its type does, its type decides
//! (`values::value`). A record goes through [`RECORDS`], an object of a class through what `construct` finds cheapest.
//! Recursion goes through the methods of [`UnitScope`], so that a rule knows nothing of the rules beside it.

pub(super) mod fields;
pub(super) mod memory;
mod params;
mod values;

use super::request::Request;
use super::unit_scope::{Rules, UnitScope};
use super::{Reason, Recipe};
use crate::model::Type;
use params::Position;

/// What a rule comes to: a recipe, nothing that it could say, or why there can be none.
type Found = Result<Option<Recipe>, Reason>;

type ParameterRule = fn(&UnitScope<'_>, &Position<'_>, Request<'_>) -> Found;

type RecordRule = fn(&UnitScope<'_>, &Type, Request<'_>) -> Found;

/// What a parameter's name, its neighbours and the bodies say of it.
const PARAMETERS: &[(&str, ParameterRule)] = &[
    // `parameters.NAME` in an override file.
    ("parameter override", params::by_override),
    // `f(data, size)`: the size.
    ("length behind its array", params::length_behind_array),
    // `reserve(size)`, where an object is only set up.
    ("room", params::room),
    // `f(at, begin, end)`: the beginning, then the end.
    ("beginning behind a place", params::begin_behind_place),
    ("end behind a place", params::end_behind_place),
    // `f(begin, end)`: the beginning, then the end.
    ("beginning of a range", params::begin),
    ("end of a range", params::end),
    // The same with iterators.
    ("end of a container", params::end_of_container),
    // `f(data, size)`: the data.
    ("array before its length", params::array_before_length),
    // What bodies index, and what bounds the index.
    ("array as bodies show", params::as_bodies_show),
];

/// What makes a record.
const RECORDS: &[(&str, RecordRule)] = &[
    // `types.NAME` in an override file.
    ("type override", values::by_type_override),
    // `construct.NAME`, for a class of another library.
    ("construction override", values::by_foreign_override),
    // The standard library's types, and those that a project has rows for.
    ("row", values::by_row),
    // `Shape<Square>`, of which `Square` is one.
    ("derived class", values::by_derived),
    // A structure of C, an aggregate, a union.
    ("field by field", values::by_fields),
    // A constructor, a factory, a subtype, a stub: the cheapest that works out.
    ("construction", values::by_construction),
];

/// Where rules that need other values start anew.
pub(super) static RULES: Rules = Rules {
    value: values::value,
    object: super::construct::object,
    params: params::params,
    factory: super::construct::factory,
};

/// What the first rule makes that has something to say; the recipe carries the rule's name.
fn first<R: Copy>(rules: &[(&'static str, R)], apply: impl Fn(R) -> Found) -> Found {
    for (name, rule) in rules {
        if let Some(recipe) = apply(*rule)? {
            return Ok(Some(recipe.by(name)));
        }
    }
    Ok(None)
}
