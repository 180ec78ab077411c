//! `mutants.json` as an outcome, so that every report can be made of what `mutate` wrote.

use crate::outcome::{Equivalence, MutantOutcome, Outcome, Proof, Status, Suite, Summary, UNREACHED, UNTRIED};
use serde::Deserialize;
use std::path::PathBuf;

/// The name of the list in the output folder.
pub const FILE_NAME: &str = "mutants.json";

#[derive(Deserialize)]
struct List {
    #[serde(default = "first")]
    schema: u32,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    seed: u64,
    mutants: Vec<Listed>,
}

fn first() -> u32 {
    1
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    file: PathBuf,
    line: u32,
    operator: String,
    unit: Option<String>,
    status: String,
    reason: Option<String>,
    #[serde(default)]
    fingerprint: String,
    #[serde(default)]
    diff: String,
}

/// The outcome of a list: mutants that nothing has been tried on are live, with that reason.
///
/// # Errors
///
/// The text is not such a list.
pub fn outcome(text: &str) -> serde_json::Result<Outcome> {
    let list: List = serde_json::from_str(text)?;
    let mutants: Vec<MutantOutcome> = list.mutants.into_iter().map(mutant).collect();
    Ok(Outcome {
        schema: list.schema,
        tool: list.tool,
        seed: list.seed,
        engine: "none".into(),
        summary: Summary::of(&mutants),
        mutants,
        ..Outcome::default()
    })
}

fn mutant(listed: Listed) -> MutantOutcome {
    let (status, suite) = match listed.status.as_str() {
        "equivalent" => (Status::Equivalent, None),
        "duplicate" => (Status::Duplicate, None),
        "unbuildable" => (Status::Unbuildable, None),
        "killed_by_tests" => (Status::Killed, Some(Suite::Killed)),
        "live" if listed.reason.as_deref() == Some(UNREACHED) => (Status::Live, Some(Suite::NotCovered)),
        "live" => (Status::Live, Some(Suite::Live)),
        _ => (Status::Live, None),
    };
    let untried = (status == Status::Live && suite.is_none()).then(|| UNTRIED.to_owned());
    MutantOutcome {
        id: listed.id,
        file: listed.file,
        line: listed.line,
        operator: listed.operator,
        unit: listed.unit,
        status,
        reason: untried.or(listed.reason),
        kill: None,
        effort: None,
        diff: listed.diff,
        equivalence: (status == Status::Equivalent).then(|| Equivalence::by(Proof::Compiler)),
        fingerprint: listed.fingerprint,
        suite,
        new: None,
        dismissed: None,
        usefulness: None,
        taken_over: false,
    }
}
