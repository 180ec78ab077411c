//! SARIF 2.1.0: survivors as results; a killed mutant is a result that passes, with its proved test as attachment.

use super::changes::Change;
use super::place::{Place, Position};
use super::view::View;
use super::words::verdict;
use crate::outcome::{MutantOutcome, Status};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The log.
pub fn render(view: &View) -> Result<String> {
    let outcome = view.outcome;
    let has_test = |mutant: &&MutantOutcome| mutant.is_proved() && !mutant.is_listed();
    let dismissed = view.dismissed().filter(|mutant| mutant.status != Status::Killed);
    let results = view.survivors().into_iter().chain(dismissed).chain(outcome.mutants.iter().filter(has_test));
    let mut results: Vec<Value> = results.map(|mutant| result(view, mutant)).collect();
    let gone = view.changes.iter().flat_map(|changes| &changes.gone).filter(|mutant| mutant.is_survivor());
    results.extend(gone.map(|mutant| {
        let mut result = result(view, mutant);
        result["baselineState"] = "absent".into();
        result
    }));
    let operators: BTreeSet<&str> = outcome.mutants.iter().map(|mutant| mutant.operator.as_str()).collect();
    let rule = |operator: &str| -> Value {
        let text = format!("No test tells the original from this change ({operator}).");
        json!({ "id": operator, "name": format!("SurvivingMutant{operator}"), "shortDescription": { "text": text } })
    };
    let (name, version) = outcome.tool.split_once(' ').unwrap_or((&outcome.tool, "0"));
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": name, "version": version, "rules": operators.into_iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "utf16CodeUnits",
            "automationDetails": { "id": "motif-cpp/" },
            "invocations": [{ "executionSuccessful": !outcome.interrupted }],
            "results": results,
        }],
    });
    // The list of `mutate` has no time.
    if !outcome.started.is_empty() {
        log["runs"][0]["invocations"][0]["startTimeUtc"] = outcome.started.as_str().into();
    }
    if !outcome.command.is_empty() {
        log["runs"][0]["invocations"][0]["commandLine"] = outcome.command.as_str().into();
    }
    if let Some(revision) = &outcome.revision {
        log["runs"][0]["properties"] = json!({ "revision": revision });
    }
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

fn result(view: &View, mutant: &MutantOutcome) -> Value {
    let place = Place::of(mutant);
    let killed = mutant.status == Status::Killed;
    let unreached = mutant.effort.is_some_and(|effort| !effort.reached);
    let level = match mutant.new {
        _ if killed => "none",
        Some(true) => "error",
        _ if unreached || mutant.is_equal_within_bound() => "note",
        _ => "warning",
    };
    let unit = mutant.unit.as_deref().unwrap_or("?");
    let mut region = json!({ "startLine": place.start.line, "endLine": place.end.line });
    if place.start < place.end {
        let column = |position: Position| Value::from(position.utf16);
        (region["startColumn"], region["endColumn"]) = (column(place.start), column(place.end));
    }
    let mut result = json!({
        "ruleId": mutant.operator,
        "kind": if killed { "pass" } else { "fail" },
        "level": level,
        "message": { "text": format!("{} in {unit}: {}", place.words(), verdict(mutant)) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&view.in_repository(&mutant.file)), "uriBaseId": "%SRCROOT%" },
                "region": region,
            },
            "logicalLocations": [{ "fullyQualifiedName": unit, "kind": "function" }],
        }],
        "partialFingerprints": { "motif/v1": mutant.key() },
        "properties": { "mutant": mutant.id, "status": mutant.status.name(), "diff": mutant.diff },
    });
    let absent = mutant.new.map(|new| if new { "new" } else { "unchanged" });
    let since = view.changes.as_ref().map(|changes| match changes.of(mutant) {
        Some(Change::New) => "new",
        Some(Change::NewlyKilled | Change::NewlyLive) => "updated",
        None => "unchanged",
    });
    if let Some(state) = since.or(absent.filter(|_| !killed)) {
        result["baselineState"] = state.into();
    }
    if let Some(dismissed) = &mutant.dismissed {
        result["suppressions"] = json!([{ "kind": "external", "justification": dismissed.reason }]);
    }
    let tests: Vec<Value> = view
        .tests_of(mutant)
        .into_iter()
        .map(|test| {
            let file = view.output.strip_prefix(view.project).unwrap_or(view.output).join(&test.file);
            let text = format!("{}: passes on the original and fails on this mutant", test.name);
            json!({ "description": { "text": text }, "artifactLocation": { "uri": uri(&view.in_repository(&file)) } })
        })
        .collect();
    if !tests.is_empty() {
        result["attachments"] = tests.into();
    }
    result
}

/// A path as a relative reference: other bytes than letters, digits and `-._~/` in hexadecimal.
fn uri(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let bytes = path.to_str().unwrap_or_default().bytes();
    let encoded = bytes.map(|byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") });
    encoded.collect::<String>()
}
