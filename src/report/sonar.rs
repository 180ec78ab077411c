//! SonarQube's generic issues: an issue a survivor, a rule an operator.

use super::place::Place;
use super::view::View;
use super::words::verdict;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Rules and issues.
pub fn render(view: &View) -> Result<String> {
    let survivors = view.survivors();
    let operators: BTreeSet<&str> = survivors.iter().map(|mutant| mutant.operator.as_str()).collect();
    let rule = |operator: &&str| -> Value {
        json!({
            "id": operator,
            "name": format!("surviving mutant: {operator}"),
            "description": "No test tells the original from this change.",
            "engineId": "motif-cpp",
            "cleanCodeAttribute": "TESTED",
            "impacts": [{ "softwareQuality": "RELIABILITY", "severity": "MEDIUM" }],
        })
    };
    let issue = |mutant| -> Value {
        let place = Place::of(mutant);
        let unit = mutant.unit.as_deref().unwrap_or("?");
        // Whole lines: a column behind the end of an edited line would end the import.
        json!({
            "ruleId": mutant.operator,
            "primaryLocation": {
                "message": format!("{} in {unit}: {}", place.words(), verdict(mutant)),
                "filePath": mutant.file,
                "textRange": { "startLine": place.start.line, "endLine": place.end.line },
            },
        })
    };
    let rules: Vec<Value> = operators.iter().map(rule).collect();
    let issues: Vec<Value> = survivors.into_iter().map(issue).collect();
    Ok(serde_json::to_string_pretty(&json!({ "rules": rules, "issues": issues }))? + "\n")
}
