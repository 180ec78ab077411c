//! The JSON Schemas that ship for `motif.yaml` and for override files, and the examples beside them.

use motif_cpp::config::Config;
use motif_cpp::outcome;
use motif_cpp::overrides::{self, Overrides};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("utility-overrides").join(name)
}

/// Compares a shipped file with what the types say now. `MOTIF_UPDATE_SCHEMAS=1` writes it instead.
#[track_caller]
fn is_current(name: &str, schema: &Value) {
    let text = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
    if std::env::var_os("MOTIF_UPDATE_SCHEMAS").is_some() {
        std::fs::write(shipped(name), &text).unwrap();
    }
    let found = std::fs::read_to_string(shipped(name)).unwrap_or_default();
    assert!(found == text, "{name} is out of date; MOTIF_UPDATE_SCHEMAS=1 cargo test --test schemas");
}

fn accepts(schema: &Value, yaml: &str) -> bool {
    let document: Value = serde_yaml::from_str(yaml).unwrap();
    jsonschema::validator_for(schema).unwrap().is_valid(&document)
}

fn examples() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(shipped("examples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn the_shipped_schemas_are_those_of_the_types() {
    is_current("motif.schema.json", &Config::schema());
    is_current("override.schema.json", &overrides::schema());
    is_current("builtin.schema.json", &motif_cpp::types::library::schema());
    is_current("../docs/outcomes.schema.json", &outcome::schema());
    is_current("../docs/events.schema.json", &motif_cpp::ui::events::schema());
}

#[test]
fn the_configuration_schema_takes_what_the_tool_takes_and_nothing_else() {
    let schema = Config::schema();
    assert!(accepts(&schema, "{budget: 10s, total-budget: 2000x, engine: afl++, jobs: 2, link: [z], fail-under: 80}"));
    for yaml in ["{budgett: 10s}", "{engine: afl}", "{jobs: 0}", "{budget: '10'}", "{fail-under: 120}"] {
        assert!(!accepts(&schema, yaml), "{yaml}");
    }
}

#[test]
fn every_shipped_example_is_an_override_file_and_fits_the_schema() {
    let schema = overrides::schema();
    let all = examples();
    assert!(!all.is_empty());
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        if let Err(problem) = Overrides::parse(&path, &text) {
            panic!("{problem}");
        }
        assert!(accepts(&schema, &text), "{} does not fit the schema", path.display());
    }
}

#[test]
fn there_is_an_example_for_every_hook() {
    let schema = overrides::schema();
    let hooks: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let texts: String = examples().iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for hook in hooks {
        assert!(texts.lines().any(|line| line.starts_with(&format!("{hook}:"))), "no example for `{hook}`");
    }
}

#[test]
fn the_override_schema_refuses_what_the_tool_refuses() {
    let schema = overrides::schema();
    for yaml in [
        "{functoin: f}",
        "{parameters: {x: {lenght: 3}}}",
        "{parameters: {x: {length: 0}}}",
        "{parameters: {x: {range: [1]}}}",
        "{subtypes: {A: []}}",
        "{reset: clear()}",
        "{lexicon: {lenght: [quantity]}}",
        "{lexicon: {length: [nItems]}}",
        "{arid: {logging: audit}}",
    ] {
        assert!(!accepts(&schema, yaml), "{yaml}");
        assert!(Overrides::parse(Path::new("x.yaml"), yaml).is_err(), "{yaml}");
    }
}

/// The keys that the parser knows at a place: what it lists when it meets one that it does not know.
fn keys_of_parser<T: serde::de::DeserializeOwned>(yaml: &str) -> Vec<String> {
    let error = match serde_yaml::from_str::<T>(yaml) {
        Ok(_) => panic!("`{yaml}` is taken"),
        Err(error) => error.to_string(),
    };
    assert!(error.contains("unknown field `no-such-key`"), "{yaml}: {error}");
    let mut keys: Vec<String> = error.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    keys.sort();
    keys
}

/// The keys that the schema has at the definition `name`, or at the top.
fn keys_of_schema(schema: &Value, name: Option<&str>) -> Vec<String> {
    let place = name.map_or(schema, |name| &schema["$defs"][name]);
    assert_eq!(place["additionalProperties"], false, "{name:?} takes any key");
    let mut keys: Vec<String> = place["properties"].as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

#[test]
fn the_schemas_have_every_key_that_the_parser_takes_and_no_other() {
    use motif_cpp::overrides::OverrideFile;
    let schema = overrides::schema();
    let mut named = std::collections::BTreeSet::new();
    for (name, yaml) in [
        (None, "no-such-key: 1"),
        (Some("ConstructHook"), "construct: {A: {no-such-key: 1}}"),
        (Some("ParameterHook"), "parameters: {a: {no-such-key: 1}}"),
        (Some("FieldHook"), "fields: {A: {f: {no-such-key: 1}}}"),
        (Some("ResultHook"), "result: {no-such-key: 1}"),
        (Some("ValueHook"), "types: {A: {no-such-key: 1}}"),
        (Some("SequenceHook"), "sequences: {A: {no-such-key: 1}}"),
        (Some("Row"), "library: {A: {no-such-key: 1}}"),
        (Some("Iterators"), "library: {A: {iterators: {no-such-key: 1}}}"),
        (Some("CallWithArguments"), "sequences: {A: {calls: [{method: m, no-such-key: 1}]}}"),
    ] {
        assert_eq!(keys_of_parser::<OverrideFile>(yaml), keys_of_schema(&schema, name), "{name:?}");
        named.extend(name);
    }
    // Nothing with keys of its own was forgotten above.
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        assert!(definition.get("properties").is_none() || named.contains(name.as_str()), "{name} is not compared");
    }
    let mut keys = keys_of_parser::<Config>("no-such-key: 1");
    // The one key that has an older spelling.
    keys.retain(|key| key != "pkg_config");
    assert_eq!(keys, keys_of_schema(&Config::schema(), None));
}

#[test]
fn the_tool_prints_the_schemas_that_ship() {
    for (of, file) in
        [("overrides", "override.schema.json"), ("config", "motif.schema.json"), ("builtin", "builtin.schema.json")]
    {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_motif-cpp")).args(["schema", of]).output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stdout), std::fs::read_to_string(shipped(file)).unwrap());
    }
}

#[test]
fn the_override_schema_takes_every_way_to_say_a_value() {
    let schema = overrides::schema();
    for yaml in [
        "{construct: {A: {args: [1, [0, 2], null, {one_of: [1, 2]}, {pattern: x}, {format: uuid}]}}}",
        "{sequences: {A: {calls: [open, {method: 'f(int)', args: [3]}], most: 2}}}",
        "{types: {double: {range: [0, 1]}, std::string: {format: iso8601-date}}}",
        "{function: f, before: ['$a.g();'], parameters: {a: {one_of: [x, 2.5]}}}",
    ] {
        assert!(accepts(&schema, yaml), "{yaml}");
        if let Err(problem) = Overrides::parse(Path::new("x.yaml"), yaml) {
            panic!("{yaml}: {problem}");
        }
    }
    for yaml in [
        "{construct: {A: {args: [{one_off: [1]}]}}}",
        "{types: {double: {format: iso}}}",
        "{sequences: {A: {calls: [{args: [1]}]}}}",
    ] {
        assert!(!accepts(&schema, yaml), "{yaml}");
        assert!(Overrides::parse(Path::new("x.yaml"), yaml).is_err(), "{yaml}");
    }
}
