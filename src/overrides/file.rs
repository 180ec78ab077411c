//! The content of an override file, as typed hooks.

use super::pattern::Format;
use crate::lexicon::arid::Patterns;
use crate::lexicon::{Role, Row};
use crate::model::library::Library;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de;
use serde::{Deserialize, Deserializer};
use serde_yaml::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Overrides of motif-cpp for one function, one class or the whole project. C++ types and expressions are written as
/// in the project's code, with all their namespaces.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct OverrideFile {
    /// Limits the hooks to this function: its id as `motif-cpp analyze` lists it, or its qualified name (then for
    /// every overload).
    pub function: Option<String>,
    /// Limits the hooks to the methods of this class.
    pub class: Option<String>,
    /// For a function that is not public: the functions through which it is called, instead of those that are found.
    pub through: Vec<String>,
    /// For a class, the concrete subtypes to use: `sat::Mission: [sat::StaticMission]`.
    pub subtypes: BTreeMap<String, Names>,
    /// For a class template, its arguments: `sat::DynamicMission: [sat::Landmark]`.
    pub templates: BTreeMap<String, TemplateArguments>,
    /// For a class, how its objects are constructed.
    pub construct: BTreeMap<String, ConstructHook>,
    /// For a parameter of the function (or of the class's methods), its argument.
    pub parameters: BTreeMap<String, ParameterHook>,
    /// For a type, its values wherever one is needed: `sat::Percent: {range: [0, 100]}`. A type is named as in the
    /// code, by a typedef or its own name.
    pub types: BTreeMap<String, ValueHook>,
    /// For a class that is a container, or a type of another library: what it is made of, and how it is filled and
    /// compared. The rows of the standard library that ship have the same form.
    pub library: Library,
    /// For a class, calls that bring an object into a state worth testing, chosen by the data, wherever one is made.
    pub sequences: BTreeMap<String, SequenceHook>,
    /// The function's result.
    pub result: Option<ResultHook>,
    /// For a structure, how its pointer fields are filled: `Frame: {samples: {length: 16}}`.
    pub fields: BTreeMap<String, BTreeMap<String, FieldHook>>,
    /// Fields that are not compared, and why: `sat::Clock::ticks_: "wall time"`.
    pub exclude: BTreeMap<String, String>,
    /// Statements that reset global state between the two calls.
    pub reset: Vec<String>,
    /// Statements right before the call under test; `$object` is the receiver, `$NAME` the argument for the parameter
    /// `NAME`.
    pub before: Vec<String>,
    /// Words of this project's names, beside those that the tool knows: `length: [quantity, n items]`. They hold for
    /// the whole project.
    #[schemars(schema_with = "roles")]
    pub lexicon: BTreeMap<Role, Vec<Row>>,
    /// Names of functions and macros whose calls nobody asserts on, by kind: `logging: ["audit::*"]`. No mutants are
    /// made of them, in the whole project.
    pub arid: Patterns,
}

/// One name, or a list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

/// The arguments of a class template: types, or values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateArguments(pub Vec<String>);

/// The construction of a class's objects. At most one of `constructor`, `factory` and `expression`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct ConstructHook {
    /// The constructor to call, by its parameter types: `(double, int)`.
    pub constructor: Option<String>,
    /// The function or method to call instead: its qualified name, or its id.
    pub factory: Option<String>,
    /// An expression that is the object: `sat::Battery::full()`.
    pub expression: Option<String>,
    /// The arguments in order. Missing ones at the end are planned.
    pub args: Vec<ArgumentHook>,
    /// Statements after construction; `$it` is the object.
    pub then: Vec<String>,
}

/// The value that an override gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OverrideValue {
    /// A fixed expression.
    Value(String),
    /// An arithmetic value within inclusive bounds.
    Range(String, String),
    /// One of several expressions.
    OneOf(Vec<String>),
    /// Text that matches a regular expression.
    Pattern(String),
}

/// An argument: an expression (`3.5`), inclusive bounds (`[0, 100]`), `null` for any value, or a hook as for types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentHook(pub Option<OverrideValue>);

/// The value of a parameter or type; exactly one key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct ValueHook {
    /// A fixed expression.
    pub value: Option<Text>,
    /// Inclusive bounds of an arithmetic value.
    pub range: Option<Range>,
    /// One of these expressions, chosen by the data.
    pub one_of: Vec<Text>,
    /// For text: a regular expression that it matches.
    pub pattern: Option<String>,
    /// For text: its format.
    pub format: Option<Format>,
}

impl ValueHook {
    /// The value that is set; `None` for none or several.
    pub fn told(&self) -> Option<OverrideValue> {
        let Self { value, range, one_of, pattern, format } = self;
        let list: Vec<String> = one_of.iter().map(|text| text.0.clone()).collect();
        let ways = [
            value.as_ref().map(|text| OverrideValue::Value(text.0.clone())),
            range.as_ref().map(|range| OverrideValue::Range(range.0.clone(), range.1.clone())),
            (!list.is_empty()).then_some(OverrideValue::OneOf(list)),
            pattern.clone().map(OverrideValue::Pattern),
            format.map(|format| OverrideValue::Pattern(format.pattern().to_owned())),
        ];
        let mut ways = ways.into_iter().flatten();
        ways.next().filter(|_| ways.next().is_none())
    }
}

/// Calls between construction and use.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct SequenceHook {
    /// The methods to choose among.
    pub calls: Vec<CallHook>,
    /// The most calls; 4 by default. The data chooses their number, possibly none.
    #[schemars(range(min = 1, max = 64))]
    pub most: Option<u64>,
}

/// A method by its name (or by its id where it is overloaded), or with arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallHook {
    /// The method's name or id.
    pub method: String,
    /// The arguments in order. Missing ones at the end are planned.
    pub args: Vec<ArgumentHook>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
struct CallWithArguments {
    /// The method's name or id.
    method: String,
    /// The arguments in order. Missing ones at the end are planned.
    #[serde(default)]
    args: Vec<ArgumentHook>,
}

/// The argument of a parameter.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct ParameterHook {
    /// The number of elements in the array behind the pointer.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "elements")]
    pub length: Option<u64>,
    /// For an array that the callee allocates and returns through this parameter: its minimum number of elements.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "elements")]
    pub least_length: Option<u64>,
    /// A fixed expression.
    pub value: Option<Text>,
    /// Inclusive bounds of an arithmetic value.
    pub range: Option<Range>,
    /// One of these expressions, chosen by the data.
    pub one_of: Vec<Text>,
    /// For text: a regular expression that it matches.
    pub pattern: Option<String>,
    /// For text: its format.
    pub format: Option<Format>,
    /// For a `void *`: the type that it points to.
    #[serde(rename = "type")]
    pub pointee: Option<String>,
    /// For an array: the parameter that holds its length.
    pub pair_with: Option<String>,
    /// For a container of the standard library: its number of elements, `[least, most]`.
    #[schemars(inner(range(max = 1000)))]
    pub size: Option<[u64; 2]>,
}

impl ParameterHook {
    /// The hook of the value itself.
    pub fn value_hook(&self) -> ValueHook {
        let Self { value, range, one_of, pattern, format, .. } = self.clone();
        ValueHook { value, range, one_of, pattern, format }
    }
}

/// The returned value.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct ResultHook {
    /// For a returned array: its minimum number of elements.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "elements")]
    pub least_length: Option<u64>,
}

/// The value of a structure's pointer field.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct FieldHook {
    /// The number of elements in the array behind the pointer.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "elements")]
    pub length: Option<u64>,
    /// For a `void *`: the type that it points to.
    #[serde(rename = "type")]
    pub pointee: Option<String>,
    /// Statements that initialise the field; `$it` is the structure.
    pub init: Vec<String>,
}

/// A C++ expression that YAML may take for a number or a truth value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub String);

/// Inclusive bounds, as C++ expressions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range(pub String, pub String);

/// The schema of words by their roles.
fn roles(generator: &mut SchemaGenerator) -> Schema {
    let row = generator.subschema_for::<Row>();
    let role = |(role, purpose): (Role, String)| {
        let name =
            serde_json::to_value(role).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default();
        (name, serde_json::json!({ "description": purpose, "type": "array", "items": row }))
    };
    let roles: serde_json::Map<_, _> = crate::lexicon::purposes().into_iter().map(role).collect();
    json_schema!({ "type": "object", "properties": roles, "additionalProperties": false })
}

/// A number of elements; arrays are locals of the driver, so there is an end to them.
fn elements<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match Option::<u64>::deserialize(deserializer)? {
        Some(count) if !(1..=1_000_000).contains(&count) => {
            Err(de::Error::custom(format!("expected a number of elements from 1 to 1000000, not {count}")))
        }
        count => Ok(count),
    }
}

/// Reads any scalar as text, a list of scalars, or nothing.
enum Loose {
    Nothing,
    One(String),
    Many(Vec<Loose>),
    Value(ValueHook),
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::Null => Loose::Nothing,
            Value::Bool(value) => Loose::One(value.to_string()),
            Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(value) if !value.is_finite() => {
                    let why = "write infinities and NaN as C++ expressions, such as \"INFINITY\"";
                    return Err(de::Error::custom(why));
                }
                Some(value) => Loose::One(format!("{value:?}")),
                None => Loose::One(number.to_string()),
            },
            Value::String(text) => Loose::One(text.trim().to_owned()),
            Value::Sequence(list) => {
                let list: Result<_, _> = list.into_iter().map(Loose::deserialize).collect();
                Loose::Many(list.map_err(de::Error::custom)?)
            }
            hook => Loose::Value(ValueHook::deserialize(hook).map_err(de::Error::custom)?),
        })
    }
}

impl Loose {
    fn scalar<E: de::Error>(self, wanted: &str) -> Result<String, E> {
        match self {
            Loose::One(text) if !text.is_empty() => Ok(text),
            _ => Err(E::custom(format!("expected {wanted}"))),
        }
    }

    fn scalars<E: de::Error>(self, wanted: &str) -> Result<Vec<String>, E> {
        match self {
            Loose::Many(list) => list.into_iter().map(|value| value.scalar(wanted)).collect(),
            one => Ok(vec![one.scalar(wanted)?]),
        }
    }

    fn range<E: de::Error>(self) -> Result<(String, String), E> {
        let wanted = "inclusive bounds `[lowest, highest]`";
        let bounds = if let Loose::Many(_) = self { self.scalars(wanted)? } else { Vec::new() };
        let [low, high] = <[String; 2]>::try_from(bounds).map_err(|_| E::custom(format!("expected {wanted}")))?;
        if let (Ok(lowest), Ok(highest)) = (low.parse::<f64>(), high.parse::<f64>())
            && lowest > highest
        {
            return Err(E::custom(format!("the bounds are the wrong way round: {low} > {high}")));
        }
        Ok((low, high))
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Loose::deserialize(deserializer)?.scalars("a name, or a list of names")?;
        if names.is_empty() { Err(de::Error::custom("expected at least one name")) } else { Ok(Names(names)) }
    }
}

impl<'de> Deserialize<'de> for TemplateArguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wanted = "the template's arguments as a list";
        let mut given = Loose::deserialize(deserializer)?;
        // `[[A, B]]` is read as `[A, B]`.
        if let Loose::Many(list) = &mut given
            && let [Loose::Many(_)] = list.as_slice()
            && let Some(inner) = list.pop()
        {
            given = inner;
        }
        let args = given.scalars(wanted)?;
        if args.is_empty() { Err(de::Error::custom(format!("expected {wanted}"))) } else { Ok(TemplateArguments(args)) }
    }
}

impl<'de> Deserialize<'de> for ArgumentHook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Loose::deserialize(deserializer)? {
            Loose::Nothing => Ok(ArgumentHook(None)),
            Loose::One(text) => Ok(ArgumentHook(Some(OverrideValue::Value(text)))),
            Loose::Value(hook) => match hook.told() {
                Some(told) => Ok(ArgumentHook(Some(told))),
                None => Err(de::Error::custom("expected one of `value`, `range`, `one_of`, `pattern` and `format`")),
            },
            list => list.range().map(|(low, high)| ArgumentHook(Some(OverrideValue::Range(low, high)))),
        }
    }
}

impl<'de> Deserialize<'de> for CallHook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let call = match Value::deserialize(deserializer)? {
            Value::String(name) => CallWithArguments { method: name.trim().to_owned(), args: Vec::new() },
            call @ Value::Mapping(_) => Deserialize::deserialize(call).map_err(de::Error::custom)?,
            _ => return Err(de::Error::custom("expected a method's name, or `{method: NAME, args: [...]}`")),
        };
        Ok(CallHook { method: call.method, args: call.args })
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Loose::deserialize(deserializer)?.scalar("a C++ expression").map(Text)
    }
}

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Loose::deserialize(deserializer)?.range().map(|(low, high)| Range(low, high))
    }
}

/// Gives a loosely read type its name and schema.
macro_rules! loose_schema {
    ($type:ident, |$generator:pat_param| $schema:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

loose_schema!(Names, |_| json_schema!({
    "description": "One name, or a list of names.",
    "anyOf": [{ "type": "string" }, { "type": "array", "minItems": 1, "items": { "type": "string" } }]
}));
loose_schema!(TemplateArguments, |_| json_schema!({
    "description": "The template's arguments: types, or values.",
    "type": "array", "minItems": 1, "items": { "type": ["string", "number", "boolean", "array"] }
}));
loose_schema!(Text, |_| json_schema!({ "description": "A C++ expression.", "type": ["string", "number", "boolean"] }));
loose_schema!(Range, |_| json_schema!({
    "description": "Inclusive bounds `[lowest, highest]`.",
    "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": ["string", "number"] }
}));

loose_schema!(CallHook, |generator| json_schema!({
    "description": "A method's name (or id where it is overloaded), or with arguments.",
    "anyOf": [{ "type": "string" }, generator.subschema_for::<CallWithArguments>()]
}));
loose_schema!(ArgumentHook, |generator| json_schema!({
    "description": "An expression, inclusive bounds `[lowest, highest]`, null for anything, or how the value is made.",
    "anyOf": [
        { "type": ["string", "number", "boolean", "null"] },
        { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": ["string", "number"] } },
        generator.subschema_for::<ValueHook>()
    ]
}));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    #[test]
    fn every_hook_is_read() {
        let file: OverrideFile = parse(
            "function: sat::f\n\
             subtypes: {sat::Mission: [sat::StaticMission, 'sat::DynamicMission<sat::Landmark>'], sat::Power: \
             sat::Solar}\n\
             templates: {sat::Ring: [double, 4]}\n\
             construct: {sat::Battery: {constructor: '(double, int)', args: [3.5, [0, 100], null, true, {one_of: [1, \
             2]}], then: ['$it.open();']}}\n\
             parameters:\n  buffer: {length: 16, pair_with: n}\n  data: {type: sat::Frame}\n  mode: {value: 3}\n  \
             level: {range: [-1, 1]}\n  date: {format: iso8601}\n  list: {size: [1, 4]}\n\
             through: ['sat::g(int)']\n\
             types: {sat::Percent: {range: [0, 100]}}\n\
             sequences: {sat::Battery: {calls: [open, {method: drain, args: [[0, 1]]}], most: 3}}\n\
             before: ['$object.open();']\n\
             result: {least_length: 4}\n\
             fields: {Frame: {samples: {length: 8, init: ['$it.count = 8;']}}}\n\
             exclude: {sat::Clock::ticks_: wall time}\n\
             reset: ['sat::registry().clear();']\n",
            "override-invalid",
        )
        .unwrap();
        assert_eq!(file.subtypes["sat::Power"].0, ["sat::Solar"]);
        assert_eq!(file.templates["sat::Ring"].0, ["double", "4"]);
        let args = &file.construct["sat::Battery"].args;
        let told: Vec<Option<OverrideValue>> = args.iter().map(|arg| arg.0.clone()).collect();
        assert_eq!(
            told,
            [
                Some(OverrideValue::Value("3.5".into())),
                Some(OverrideValue::Range("0".into(), "100".into())),
                None,
                Some(OverrideValue::Value("true".into())),
                Some(OverrideValue::OneOf(vec!["1".into(), "2".into()])),
            ]
        );
        assert_eq!(file.construct["sat::Battery"].then, ["$it.open();"]);
        assert_eq!(file.types["sat::Percent"].told(), Some(OverrideValue::Range("0".into(), "100".into())));
        let calls = &file.sequences["sat::Battery"].calls;
        assert_eq!((calls[0].method.as_str(), calls[1].method.as_str(), calls[1].args.len()), ("open", "drain", 1));
        assert_eq!((file.through.len(), file.parameters["list"].size), (1, Some([1, 4])));
        assert_eq!(file.before, ["$object.open();"]);
        assert_eq!(
            file.parameters["date"].value_hook().told(),
            Some(OverrideValue::Pattern(Format::Iso8601.pattern().into()))
        );
        assert_eq!(file.parameters["level"].range, Some(Range("-1".into(), "1".into())));
        assert_eq!(file.fields["Frame"]["samples"].length, Some(8));
    }

    #[test]
    fn template_arguments_may_stand_in_a_list_of_lists() {
        let file: OverrideFile = parse("templates: {R: [[int, 3]]}\n", "override-invalid").unwrap();
        assert_eq!(file.templates["R"].0, ["int", "3"]);
        assert!(parse::<OverrideFile>("templates: {R: [[int], [char]]}\n", "override-invalid").is_err());
    }

    #[test]
    fn bounds_are_two_and_in_order() {
        for text in ["[1]", "[1, 2, 3]", "[2, 1]", "4", "[a, [b]]"] {
            let yaml = format!("parameters: {{x: {{range: {text}}}}}\n");
            assert!(parse::<OverrideFile>(&yaml, "override-invalid").is_err(), "{text}");
        }
    }

    #[test]
    fn a_misspelled_hook_names_the_nearest_one_and_its_line() {
        let text = "function: f\nparameters:\n  buffer:\n    lenght: 3\n";
        let problem = parse::<OverrideFile>(text, "override-invalid").unwrap_err();
        assert_eq!(problem.line, Some(4));
        assert!(problem.fix.contains("did you mean `length`?"), "{problem}");
    }
}
