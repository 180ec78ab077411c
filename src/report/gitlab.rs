//! GitLab's code quality report: a finding a survivor. GitLab itself compares the findings of two branches.

use super::place::Place;
use super::view::View;
use super::words::verdict;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The findings.
pub fn render(view: &View) -> Result<String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let finding = |mutant| -> Value {
        let place = Place::of(mutant);
        // Two operators may make the same change, and of equal fingerprints only one is shown.
        let number = seen.entry(mutant.key()).and_modify(|number| *number += 1).or_insert(1);
        let fingerprint = if *number == 1 { mutant.key().to_owned() } else { format!("{}-{number}", mutant.key()) };
        let unit = mutant.unit.as_deref().unwrap_or("?");
        let infected = mutant.effort.is_some_and(|effort| effort.infected == Some(true));
        json!({
            "description": format!("{} in {unit}: {}", place.words(), verdict(mutant)),
            "check_name": format!("surviving mutant: {}", mutant.operator),
            "fingerprint": fingerprint,
            "severity": if mutant.new == Some(true) || infected { "major" } else { "minor" },
            "location": {
                "path": view.in_repository(&mutant.file),
                "lines": { "begin": place.start.line, "end": place.end.line },
            },
        })
    };
    let findings: Vec<Value> = view.survivors().into_iter().map(finding).collect();
    Ok(serde_json::to_string_pretty(&findings)? + "\n")
}
