//! The rules by which values are made, in the order in which they are tried.
//!
//! - A parameter goes through `PARAMETERS`: its name, its neighbours and the bodies may say more than its type does.
//! - A value whose type alone is known goes to the rule of `VALUES` that is for the type.
//! - A record goes through `RECORDS`: the first that knows it makes it.
//! - An object of a class is made by the cheapest of its `WAYS` that works out. `objects::object` has the whole order:
//!   what an override says, what an installed library needs, and the last resorts.
//!
//! A rule stands in one file with what its values cost. The construction graph asks for costs, the planner for recipes,
//! both by these lists. Rules know each other only through the methods of `UnitScope`, which start here again.

pub mod array_lengths;
pub mod c_lifecycle;
pub mod callbacks;
pub mod constructors;
pub mod derived;
mod elements;
mod factories;
pub mod fields;
mod installed;
pub mod iterators;
mod lengths_elsewhere;
pub mod links_c;
pub mod memory;
mod non_empty;
mod nullness;
mod objects;
mod option_structs;
pub mod overrides;
mod params;
mod pointers;
pub mod private_constructors;
mod public_members;
mod rows;
mod rule;
pub mod setup_calls;
mod setup_calls_c;
pub mod stubs;
mod subtypes;
mod unions;
mod values;

use super::construction_graph::{Builder, CostRules, Need, WaysRule};
use super::request::Request;
use super::unit_scope::{Rules, UnitScope};
use super::{Reason, Recipe};
use crate::model::{Type, TypeKind};
use params::ParameterRule;
use rule::{RecordRule, ValueRule, first};

/// The parameters of functions. Only the type decides on the cost of an argument.
const PARAMETERS: &[(&str, ParameterRule)] = &[
    // `parameters.NAME` in an override file.
    ("parameter override", params::by_override),
    // `load(path)`: the name of a file with something in it.
    ("name of a file", params::file_name),
    // `f(data, size)`: the size.
    ("length behind its array", params::length_behind_array),
    // `RANKS[mode]`
    ("index into a table", params::index),
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
    // The arrays that bodies index, and the parameters that bound the index.
    ("array as bodies show", params::as_bodies_show),
    // `f(out, data, size)`, where the body asks for a greater size than usual.
    ("buffer beside others", params::buffer_beside_others),
];

/// Values by their type: the first that is for the type. What means more than its type says stands first: text before a
/// buffer of characters, both before memory. `types.NAME` in an override file comes before all of them.
const VALUES: &[ValueRule] = &[
    values::REFERENCE,
    values::NUMBER,
    values::ENUMERATION,
    values::NULL,
    values::ARRAY,
    pointers::TEXT,
    pointers::BUFFER,
    pointers::FILE,
    pointers::CALLBACK,
    pointers::MEMORY,
    pointers::OBJECT,
    RECORD,
    // `void`, pointers to members, types that nobody knows.
    values::NONE,
];

/// Records: classes, structures, unions.
const RECORDS: &[RecordRule] = &[
    // `construct.NAME` in an override file, for a class of another library.
    overrides::FOREIGN,
    // The standard library's types, and those that a project has rows for.
    rows::ROW,
    // `Shape<Square>`, of which `Square` is one.
    derived::DERIVED_FROM_ITSELF,
    // A structure of C, an aggregate, a union.
    fields::FIELDS,
    // An object of a class, by the cheapest of `WAYS`.
    objects::CONSTRUCTION,
];

/// The ways to an object of a class. Their costs decide, and among equals their order; but fields of a structure
/// (`RECORDS`) and subtypes of an abstract class (`objects`) come before all others that work out.
const WAYS: &[WaysRule] = &[
    // `construct.NAME` in an override file.
    overrides::ways,
    // A matrix of an installed library.
    installed::ways,
    // A structure of C, an aggregate, a union.
    fields::ways,
    // A concrete subtype of an abstract class.
    subtypes::ways,
    // A public constructor.
    constructors::ways,
    // A class that is made up for an interface, or where only subclasses may construct.
    stubs::ways,
    // A handle of a derived class.
    derived::ways,
    // A function, or a method of another object, that yields one.
    factories::ways,
];

/// A record is made by the first of [`RECORDS`] that knows it.
const RECORD: ValueRule = ValueRule {
    is_for: |ty| ty.record().is_some(),
    cost: |graph, ty| RECORDS.iter().find_map(|rule| (rule.cost)(graph, ty))?,
    recipe: |scope, ty, request| {
        first(RECORDS, |rule| rule.name, |rule| (rule.recipe)(scope, ty, request))?.ok_or_else(|| {
            let TypeKind::Record { name, .. } = &ty.kind else { unreachable!("the rule is for records") };
            Reason::new(format!("`{name}` is not a class of the project")).needs(format!("construct.{name}"))
        })
    },
};

/// The rules, as the planner and the graph ask them.
pub(super) static RULES: Rules = Rules {
    value,
    object: objects::object,
    params: |scope, params, with, unit, request| params::params(PARAMETERS, scope, params, with, unit, request),
    factory: factories::recipe,
    costs: CostRules { value: cost, ways: WAYS },
};

/// How deep a value may be made of others before the search gives up on a branch.
const DEPTH: usize = 8;

/// The one rule for values of a type.
fn rule_for(ty: &Type) -> &'static ValueRule {
    VALUES.iter().find(|rule| (rule.is_for)(ty)).unwrap_or(&values::NONE)
}

/// The cost of a value of type `ty`.
fn cost(graph: &mut Builder<'_, '_>, ty: &Type) -> Option<Need> {
    (rule_for(ty).cost)(graph, ty)
}

/// A recipe for a value of type `ty`.
fn value(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    if request.depth > DEPTH {
        return Err(Reason::new(format!("`{}` is nested too deep", ty.spelling)));
    }
    match overrides::told_of_type(scope, ty)? {
        Some(recipe) => Ok(recipe),
        None => (rule_for(ty).recipe)(scope, ty, Request { shell_will_do: false, ..request }),
    }
}
