//! Types of libraries as data: what a row of `utility-overrides/builtin/standard.yaml`, or of a user's own, says of
//! one.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The rows of a project, by the qualified name of the type.
pub type Library = BTreeMap<String, Row>;

/// One type of a library. Types in it are written with `$1`, `$2`… for the template arguments, `$self` for the type
/// itself, and `mutable $1` for an argument without its `const`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct Row {
    /// How a value of it is made.
    pub shape: Shape,
    /// Other names of the type: typedefs, and an implementation's own names.
    pub also: Vec<String>,
    /// The header that declares it: `<vector>`.
    pub header: Option<String>,
    /// What it is made of: a name and a type for each part, in the order of the constructor's parameters. `$...` stands
    /// for all template arguments, each a part.
    pub parts: Parts,
    /// The shape and parts are for this first template argument only: `char`.
    pub only: Option<String>,
    /// The shape for every other first argument, and the parts then; without it no value can be made.
    pub otherwise: Option<Box<Row>>,
    /// The method that takes one more element: `push_back`. Without it, `insert`.
    pub fill: Option<String>,
    /// It can be made of its elements in braces, in the order in which `fill` takes them.
    pub braces: bool,
    /// How the elements are compared; without it, from `begin()` to `end()`.
    pub compare: Compare,
    /// How a test asks for an element by its place; without it, it does not.
    pub index: Index,
    /// Its iterators.
    pub iterators: Iterators,
    /// What an iterator adapter does.
    pub adapts: Option<Adapter>,
    /// It only looks at what something else owns.
    pub view: bool,
    /// Whether it owns what it points to.
    pub owner: Option<Owner>,
    /// How a test gets to what it refers to: `lock()->`.
    pub target: Option<String>,
    /// How a test asks for its value, where that is its one part: `count()`.
    pub tells: Option<String>,
    /// A condition can be made of it by itself, and it can be compared with `nullptr` where it points.
    pub condition: bool,
    /// Expressions for the few values that are worth a try, `$self` for the type.
    pub values: Vec<String>,
    /// A stream: whether it can be read, whether it can be written to.
    pub stream: Option<Stream>,
    /// Whether `T{}` is a value.
    pub default: Ability,
    /// Whether values can be copied.
    pub copies: Ability,
    /// It stands for a default template argument of other types: an allocator, an order.
    pub default_argument: bool,
    /// Default template arguments of its own that a person leaves out.
    pub default_arguments: Vec<String>,
    /// The numbers of arguments, a count first, with which parentheses mean another constructor than braces.
    pub counted: Vec<usize>,
    /// Methods with a counterpart that takes and returns the same: `{front: back}`, both ways.
    pub counterparts: BTreeMap<String, String>,
}

/// A name and a type for each part of a type, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts(pub Vec<(String, String)>);

/// How a value of a type is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Nothing is said of how one is made.
    #[default]
    Unknown,
    /// Text of `char`, or a view of it.
    Text,
    /// A stream over memory.
    Stream,
    /// A callable wrapper; the first argument is the function's type.
    Function,
    /// Elements one by one; one part.
    Sequence,
    /// Keys with values one by one; two parts.
    Map,
    /// A fixed number of elements, the second template argument; one part.
    Array,
    /// A constructor call with one value for each part.
    Row,
    /// A value or none; one part.
    Optional,
    /// One of its parts.
    Variant,
    /// An owner of one object; one part.
    Smart,
    /// A few elements in a list that was written down; one part.
    List,
    /// It points into a container.
    Iterator,
    /// Nothing goes into it.
    Empty,
    /// One of its `values`.
    Known,
}

/// How elements are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// From `begin()` to `end()`.
    #[default]
    Elements,
    /// As those of the container that it adapts: it has no `begin()`.
    Underlying,
    /// Member by member, as objects of any class.
    Members,
}

/// How a test asks for an element by its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Index {
    /// It does not: there is no order, or no way in.
    #[default]
    None,
    /// `it[2]`.
    Subscript,
    /// `*std::next(it.begin(), 2)`.
    Iterator,
    /// `std::get<2>(it)`: each part has a type of its own.
    Get,
    /// `it[2]`, which is true or false.
    Bit,
    /// `it.front()`, of the first alone.
    Front,
    /// `it.top()`, of the first alone.
    Top,
}

/// The iterators of a container, each as a type: `std::_List_iterator<$1>`. The first of a list is what its member
/// typedef names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct Iterators {
    /// Those that elements can be changed through; without any, `iterator` is the constant one.
    pub mutable: Vec<String>,
    /// Those that only read.
    pub constant: Vec<String>,
    /// They go any number of steps at once, so that they tell how far they are from the first element.
    pub jump: bool,
}

/// What an iterator adapter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Adapter {
    /// The iterator in its first argument, from the last element to the first.
    Reverse,
    /// It appends to the container that is its first argument.
    Insert,
}

/// Whose an object is that something points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// Its alone, and it can let go of it.
    Sole,
    /// Its own and others'.
    Shared,
    /// Somebody else's.
    Lent,
}

/// What can be done with a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// It is read.
    Read,
    /// It is written to.
    Write,
    /// Both.
    Both,
}

/// Whether something can be done with values of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Nothing is said.
    #[default]
    Unknown,
    /// Always.
    Always,
    /// Where it can be done with values of all template arguments.
    Arguments,
    /// Never.
    Never,
}

/// A function of a library, or a namespace of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct NameRow {
    /// The header that declares it.
    pub header: Option<String>,
    /// Functions that take and return the same, which a mutant may call in its place.
    pub counterparts: Vec<String>,
}

impl Row {
    /// The shape and parts for a first template argument of that spelling; none where no value can be made of it.
    pub fn shaped(&self, first: Option<&str>) -> Option<(Shape, &Parts)> {
        let fits = match (&self.only, first) {
            (Some(only), Some(first)) => first == only,
            _ => true,
        };
        if fits {
            return (self.shape != Shape::Unknown).then_some((self.shape, &self.parts));
        }
        let other = self.otherwise.as_deref()?;
        Some((other.shape, &other.parts))
    }

    /// Whether elements are put into it one by one.
    pub fn is_filled(&self) -> bool {
        matches!(self.shape, Shape::Sequence | Shape::Map)
    }

    /// Whether it has `begin()` and `end()`, with elements between them.
    pub fn is_range(&self) -> bool {
        self.is_filled() && self.compare == Compare::Elements
    }
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Parts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a type for the name of each part: `{key: $1, value: $2}`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = map.next_entry()? {
                    parts.push(part);
                }
                Ok(Parts(parts))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl JsonSchema for Parts {
    fn schema_name() -> Cow<'static, str> {
        "Parts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A type for the name of each part, in order: `{key: $1, value: $2}`.",
            "type": "object", "additionalProperties": { "type": "string" }
        })
    }
}
