//! The JSON Schemas that ship for `motif.yaml` and for override files, and the examples beside them.

use motif_cpp::config::Config;
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
    assert!(found == text, "utility-overrides/{name} is out of date; MOTIF_UPDATE_SCHEMAS=1 cargo test --test schemas");
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
    ] {
        assert!(!accepts(&schema, yaml), "{yaml}");
        assert!(Overrides::parse(Path::new("x.yaml"), yaml).is_err(), "{yaml}");
    }
}
