//! The rows of libraries: those that ship for the standard library, and a user's own, by the name of the type.

use crate::model::library::{Library, NameRow, Row, Shape};
use crate::model::{Model, Type, TypeKind};
use crate::types::forms::Form;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A file of rows that ships.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", default)]
pub struct Builtin {
    /// Types, by their qualified names.
    pub library: Library,
    /// Functions and namespaces, by their qualified names.
    pub names: BTreeMap<String, NameRow>,
    /// Functions of the system that never return, without `std::`.
    pub never_return: BTreeSet<String>,
}

/// A fault in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The key whose value is wrong.
    pub key: &'static str,
    /// The fault.
    pub what: String,
    /// The remedy.
    pub fix: String,
}

/// The rows that ship.
pub fn builtin() -> &'static Builtin {
    static BUILTIN: LazyLock<Builtin> = LazyLock::new(|| {
        let text = include_str!("../../utility-overrides/builtin/standard.yaml");
        let mut found: Builtin = serde_yaml::from_str(text).expect("the rows that ship are right: a test reads them");
        let aliases: Vec<(String, Row)> =
            found.library.values().flat_map(|row| row.also.iter().map(|name| (name.clone(), row.clone()))).collect();
        found.library.extend(aliases);
        found
    });
    &BUILTIN
}

/// The JSON Schema of the files that ship.
pub fn schema() -> serde_json::Value {
    serde_json::to_value(schemars::schema_for!(Builtin)).unwrap_or_default()
}

/// The row of the type of that name: the project's own rows come first, then those that ship.
pub fn row<'m>(model: impl Into<Option<&'m Model>>, name: &str) -> Option<&'m Row> {
    let own = model.into().and_then(|model| own_row(model, name));
    own.or_else(|| builtin().library.get(name))
}

/// The project's own row for the type of that name.
pub fn own_row<'m>(model: &'m Model, name: &str) -> Option<&'m Row> {
    if model.library.is_empty() {
        return None;
    }
    model.library.get(name).or_else(|| model.library.values().find(|row| row.also.iter().any(|other| other == name)))
}

/// The row of a class type.
pub fn row_of<'m>(model: impl Into<Option<&'m Model>>, ty: &Type) -> Option<&'m Row> {
    match &ty.kind {
        TypeKind::Record { name, .. } => row(model, name),
        _ => None,
    }
}

/// The header that declares a name of the standard library, or the namespace that it is in.
pub fn header(name: &str) -> Option<&'static str> {
    let known = builtin();
    let own = |name: &str| {
        let of_type = known.library.get(name).and_then(|row| row.header.as_deref());
        of_type.or_else(|| known.names.get(name).and_then(|row| row.header.as_deref()))
    };
    let mut name = name;
    loop {
        if let Some(header) = own(name) {
            return Some(header);
        }
        name = name.rsplit_once("::").map(|(outer, _)| outer).filter(|outer| *outer != "std")?;
    }
}

/// The headers that declare what a text names of the standard library, in order.
pub fn headers(text: &str) -> BTreeSet<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("std::") {
        if text[..at].ends_with(is_word) {
            continue;
        }
        let end = text[at..].find(|c: char| !is_word(c) && c != ':').map_or(text.len(), |end| at + end);
        found.extend(header(text[at..end].trim_end_matches(':')));
    }
    found
}

/// An iterator of a container, as the container's row writes it.
#[derive(Clone)]
pub(crate) struct Pointing {
    /// The container's name.
    pub container: String,
    /// The iterator.
    pub form: Form,
    /// It only reads.
    pub is_const: bool,
}

/// Which containers have iterators of a class of that name, the one with the most definite form first.
pub(crate) fn containers_of(model: Option<&Model>, class: &str) -> Vec<Pointing> {
    static BUILTIN: LazyLock<BTreeMap<String, Vec<Pointing>>> = LazyLock::new(|| pointing(&builtin().library));
    let own = model.filter(|model| !model.library.is_empty());
    let own = own.and_then(|model| pointing(&model.library).remove(class));
    own.or_else(|| BUILTIN.get(class).cloned()).unwrap_or_default()
}

fn pointing(library: &Library) -> BTreeMap<String, Vec<Pointing>> {
    let mut found: BTreeMap<String, Vec<(usize, Pointing)>> = BTreeMap::new();
    for (container, row) in library {
        let mutable = row.iterators.mutable.iter().map(|text| (text, false));
        for (text, is_const) in mutable.chain(row.iterators.constant.iter().map(|text| (text, true))) {
            let Ok(form) = Form::read(text) else { continue };
            let Form::Named(class, _) = &form else { continue };
            let one = Pointing { container: container.clone(), form: form.clone(), is_const };
            found.entry(class.clone()).or_default().push((text.len(), one));
        }
    }
    let sorted = found.into_iter().map(|(class, mut all)| {
        // `std::map` before `std::multimap`: their iterators are of one class.
        all.sort_by_key(|(length, one)| (std::cmp::Reverse(*length), one.container.len()));
        (class, all.into_iter().map(|(_, one)| one).collect())
    });
    sorted.collect()
}

/// The names of the types in a row.
pub fn types(row: &Row) -> Vec<String> {
    let forms = row.parts.0.iter().filter_map(|(_, text)| Form::read(text).ok());
    let all: Vec<Form> = forms.collect();
    all.iter().flat_map(Form::names).map(str::to_owned).collect()
}

/// A fault in a row.
pub fn faults(row: &Row) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |key, what: String, fix: &str| faults.push(Fault { key, what, fix: fix.to_owned() });
    if row.shape == Shape::Unknown {
        fault("shape", "nothing says what shape it has".into(), "say `shape:`, as `sequence` or `row`");
    }
    let (least, most) = match row.shape {
        Shape::Sequence | Shape::Array | Shape::Optional | Shape::Smart | Shape::List => (1, 1),
        Shape::Map => (2, 2),
        Shape::Row | Shape::Variant => (1, usize::MAX),
        _ => (0, 0),
    };
    let count = row.parts.0.len();
    if count < least || count > most {
        let wanted = match (least, most) {
            (0, _) => "no parts",
            (1, 1) => "one part",
            (2, _) => "two parts",
            _ => "at least one part",
        };
        let what = format!("a type of shape `{}` has {wanted}, and this one says {count}", name_of(row.shape));
        fault("parts", what, "a name and a type for each: `{element: $1}`");
    }
    for (name, text) in &row.parts.0 {
        if let Err(what) = Form::read(text) {
            fault("parts", format!("the part `{name}`: {what}"), "write the type as in the project's code");
        }
    }
    for text in row.iterators.mutable.iter().chain(&row.iterators.constant) {
        if !matches!(Form::read(text), Ok(Form::Named(..))) {
            let what = format!("`{text}` is no class with template arguments");
            fault("iterators", what, "write it as `lib::iterator<$1>`");
        }
    }
    let is_method = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    if let Some(fill) = row.fill.as_deref().filter(|fill| !is_method(fill)) {
        fault("fill", format!("`{fill}` is no name of a method"), "name the method that takes one more element");
    }
    if row.shape == Shape::Known && row.values.is_empty() {
        let what = "a type of shape `known` says which values it has".to_owned();
        fault("values", what, "list expressions: `[$self::zero()]`");
    }
    if row.shape == Shape::Stream && row.stream.is_none() {
        fault("stream", "nothing says whether it is read or written".into(), "`read`, `write` or `both`");
    }
    let is_header = |text: &str| {
        text.len() > 2 && (text.starts_with('<') && text.ends_with('>') || text.starts_with('"') && text.ends_with('"'))
    };
    if let Some(header) = row.header.as_deref().filter(|header| !is_header(header)) {
        fault("header", format!("`{header}` is no header"), "write it as behind `#include`: `<lib/ring.h>`");
    }
    faults.extend(row.otherwise.iter().flat_map(|other| self::faults(other)));
    faults
}

fn name_of(shape: Shape) -> String {
    format!("{shape:?}").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_that_ship_are_right() {
        for (name, row) in &builtin().library {
            // Of what is no value by itself only the name counts.
            let known = faults(row).into_iter().filter(|fault| fault.key != "shape");
            assert_eq!(known.collect::<Vec<_>>(), [], "{name}");
        }
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("utility-overrides/builtin/standard.yaml");
        let text = std::fs::read_to_string(file).unwrap();
        let document: serde_json::Value = serde_yaml::from_str(&text).unwrap();
        let found = jsonschema::validator_for(&schema()).unwrap().validate(&document).map_err(|e| e.to_string());
        assert_eq!(found, Ok(()));
    }

    #[test]
    fn a_row_that_makes_no_sense_says_what_is_wrong_and_where() {
        let faults = |yaml: &str| {
            let row: Row = serde_yaml::from_str(yaml).unwrap();
            faults(&row).into_iter().map(|fault| (fault.key, fault.what)).collect::<Vec<_>>()
        };
        let of = |key, what: &str| vec![(key, what.to_owned())];
        let missing = "a type of shape `map` has two parts, and this one says 1";
        assert_eq!(faults("{shape: map, parts: {key: $1}}"), of("parts", missing));
        assert_eq!(faults("{shape: empty, parts: {a: $1}}").len(), 1);
        let unclosed = "the part `element`: `std::vector<$1` does not close its `<`";
        assert_eq!(faults("{shape: sequence, parts: {element: std::vector<$1}}"), of("parts", unclosed));
        assert_eq!(faults("{shape: sequence, parts: {element: $1}, fill: 'add(1)'}")[0].0, "fill");
        assert_eq!(faults("{shape: empty, header: ring.h}")[0].0, "header");
        assert_eq!(faults("{shape: known}")[0].0, "values");
        assert_eq!(faults("{shape: stream}")[0].0, "stream");
        assert_eq!(faults("{shape: sequence, parts: {element: $1}, iterators: {mutable: [$1 *]}}")[0].0, "iterators");
        assert_eq!(faults("{shape: sequence, parts: {element: $1}, fill: add}"), []);
    }

    #[test]
    fn a_header_is_found_by_the_name_or_the_namespace() {
        assert_eq!(header("std::vector"), Some("<vector>"));
        assert_eq!(header("std::vector::iterator"), Some("<vector>"));
        assert_eq!(header("std::chrono::milliseconds"), Some("<chrono>"));
        assert_eq!(header("std::isnan"), Some("<cmath>"));
        assert_eq!(header("std::no_such_name"), None);
        let text = "const std::map<int, std::string> held = {{1, std::string(\"a\", 1)}}; mystd::list<int> x;";
        assert_eq!(headers(text).into_iter().collect::<Vec<_>>(), ["<map>", "<string>"]);
    }
}
