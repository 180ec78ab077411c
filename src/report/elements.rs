//! The mutation-testing-elements schema: what the source view, the dashboard and the importers of that world read.

use super::place::{Place, Position};
use super::view::View;
use super::words::verdict;
use crate::outcome::{How, MutantOutcome, Status, Suite, TestOutcome};
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Files with their mutants, and the tests that the run wrote.
pub fn render(view: &View) -> Result<String> {
    let mut files = Map::new();
    for mutant in &view.outcome.mutants {
        let file = files.entry(mutant.file.to_string_lossy()).or_insert_with(|| {
            let source = view.source(&mutant.file).unwrap_or_default();
            json!({ "language": language(&mutant.file), "source": source, "mutants": [] })
        });
        if let Some(mutants) = file["mutants"].as_array_mut() {
            mutants.push(one(view, mutant));
        }
    }
    let mut tests = Map::new();
    for test in &view.outcome.tests {
        let source = view.test_file(&test.file);
        let file = tests.entry(test.file.to_string_lossy()).or_insert_with(|| match &source {
            Some(source) => json!({ "source": source, "tests": [] }),
            None => json!({ "tests": [] }),
        });
        let line = source.iter().flat_map(|text| (1..).zip(text.lines())).find(|(_, line)| names(line, &test.name));
        let mut entry = json!({ "id": id(test), "name": test.name });
        if let Some((line, _)) = line {
            entry["location"] = json!({ "start": { "line": line, "column": 1 } });
        }
        if let Some(tests) = file["tests"].as_array_mut() {
            tests.push(entry);
        }
    }
    let (name, version) = view.outcome.tool.split_once(' ').unwrap_or((&view.outcome.tool, ""));
    let report = json!({
        "schemaVersion": "2",
        "thresholds": { "high": 80, "low": 60 },
        "framework": { "name": name, "version": version },
        "files": files,
        "testFiles": tests,
    });
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

/// A mutant with its place, its status, and the tests that kill it.
pub fn one(view: &View, mutant: &MutantOutcome) -> Value {
    let place = Place::of(mutant);
    let killers: Vec<String> = view.tests_of(mutant).into_iter().map(id).collect();
    let mut entry = json!({
        "id": mutant.id,
        "mutatorName": mutant.operator,
        "description": format!("{} in {}", place.words(), mutant.unit.as_deref().unwrap_or("?")),
        "location": { "start": position(place.start), "end": position(place.end) },
        "status": status(mutant),
        "statusReason": verdict(mutant),
        "killedBy": killers,
        // A test that kills a mutant has reached it; more is not known.
        "coveredBy": killers,
    });
    // Changes in several places are more than one replacement.
    if !place.more && place.start != place.end {
        entry["replacement"] = place.new.into();
    }
    if let Some(effort) = mutant.effort {
        entry["duration"] = (effort.seconds * 1000.0).round().into();
    }
    entry
}

fn status(mutant: &MutantOutcome) -> &'static str {
    match mutant.status {
        Status::Killed if mutant.kill.as_ref().is_some_and(|kill| kill.how == How::Hang) => "Timeout",
        Status::Killed => "Killed",
        _ if mutant.dismissed.is_some() => "Ignored",
        Status::Live if mutant.suite == Some(Suite::Killed) => "Killed",
        Status::Live if mutant.is_untried() => "Pending",
        Status::Live if mutant.suite == Some(Suite::NotCovered) && mutant.effort.is_none() => "NoCoverage",
        Status::Live => "Survived",
        Status::Equivalent | Status::Duplicate | Status::Invalid => "Ignored",
        Status::Unbuildable => "CompileError",
        Status::NoDriver | Status::BaselineFailed | Status::Error => "NoCoverage",
    }
}

fn id(test: &TestOutcome) -> String {
    format!("{}#{}", test.file.display(), test.name)
}

/// Whether a line begins the test.
fn names(line: &str, name: &str) -> bool {
    name.split_once('.').is_some_and(|(suite, name)| line.contains(&format!("TEST({suite}, {name})")))
}

fn position(position: Position) -> Value {
    json!({ "line": position.line, "column": position.utf16 })
}

fn language(file: &Path) -> &'static str {
    if file.extension().is_some_and(|extension| extension == "c") { "c" } else { "cpp" }
}
