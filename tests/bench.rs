//! What `make bench` computes: its arithmetic, tables and curves on recorded outcomes, against values computed by hand.

use std::path::Path;
use std::process::Command;

#[test]
fn the_benchmarks_figures_are_what_a_person_computes_from_the_same_outcomes() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/arithmetic.py");
    let run = Command::new("python3").arg(&script).output().expect("python3 is in `make setup`'s list");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn the_recorded_outcomes_have_what_the_tool_writes() {
    for name in ["papers", "default"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench").join(name).with_extension("json");
        let text = std::fs::read_to_string(&file).unwrap();
        let outcome: motif_cpp::outcome::Outcome = serde_json::from_str(&text).unwrap();
        let again: serde_json::Value = serde_json::to_value(&outcome).unwrap();
        assert_eq!(
            again,
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            "{name}: recorded by another version"
        );
        assert!(jsonschema::is_valid(&motif_cpp::outcome::schema(), &again), "{name}");
    }
}
