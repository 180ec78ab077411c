//! What an earlier run found about units that have not changed, nor anything that they reach: taken over instead of
//! searched for again.
//!
//! The earlier run is the one whose outcome is the baseline, where its journal and inputs are still beside it.

use super::earlier_run::Past;
use super::input_names::input_of;
use super::reach::{self, Reach};
use super::unit_result::Work;
use crate::mutant::Mutant;
use crate::outcome::Outcome;
use crate::plan::planner::Planner;
use crate::report::json;
use crate::session::Session;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A run as it is now, for comparison with an earlier one.
pub(super) struct Now<'r> {
    pub session: &'r Session,
    pub reach: &'r Reach,
    pub planner: &'r Planner<'r>,
    pub edited: &'r BTreeMap<String, PathBuf>,
    pub mutants: &'r [Mutant],
    pub fingerprints: &'r [String],
    pub works: &'r [Work],
}

/// An earlier run, with its journal.
pub(super) struct Before {
    folder: PathBuf,
    past: Past,
    outcome: Outcome,
}

impl Before {
    /// The run of a baseline, if it is still there.
    pub fn read(baseline: &Path) -> Option<Self> {
        let folder = if baseline.is_dir() { baseline } else { baseline.parent()? };
        let (past, outcome) = (Past::read(folder).ok()?, json::read_file(baseline).ok()?);
        // The outcome may have been put beside another run's journal.
        (past.started == outcome.started).then(|| Self { folder: folder.to_path_buf(), past, outcome })
    }
}

/// The earlier results that still hold, by the names of now, with the inputs that they rest on in the output folder.
///
/// # Errors
///
/// An input cannot be written.
pub(super) fn taken_over(now: &Now<'_>, before: &Before) -> anyhow::Result<Option<Past>> {
    let Before { folder, past, outcome } = before;
    let old = by_fingerprint(outcome);
    let mut found = Past::default();
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for work in now.works {
        let ids: Option<HashMap<&str, &str>> = work
            .mutants
            .iter()
            .map(|number| Some((*old.get(now.fingerprints[*number].as_str())?, now.mutants[*number].id.as_str())))
            .collect();
        let (Some(ids), Some(done)) = (ids, past.unit(&work.unit)) else { continue };
        // Two mutants that make the same change have one name.
        if ids.len() != work.mutants.len() || !done.holds(ids.keys()) {
            continue;
        }
        let Some(known) = done.reach() else { continue };
        let Ok(plan) = done.changes().plan(now.planner, &work.unit) else { continue };
        let reached = reach::driver(now.session, now.edited, &plan)
            .and_then(|driver| now.reach.digest(&driver, now.session.database.commands.get(plan.command)?));
        if reached.as_deref() != Some(known) {
            continue;
        }
        let function = &now.session.model.functions[&work.unit];
        let Some(read) = inputs(folder, done.inputs(), &ids) else { continue };
        files.extend(read);
        found.take_over(past, done.renamed(function, &ids), &ids);
    }
    if found.units() == 0 {
        return Ok(None);
    }
    for (name, bytes) in files {
        json::write_whole(&now.session.options.output.join(name), &bytes)?;
    }
    Ok(Some(found))
}

/// The mutants of an outcome that were searched, by their fingerprints.
fn by_fingerprint(outcome: &Outcome) -> HashMap<&str, &str> {
    // Two operators may make the same change; one of them is a duplicate.
    let named = outcome.mutants.iter().filter(|mutant| !mutant.fingerprint.is_empty() && mutant.effort.is_some());
    named.map(|mutant| (mutant.fingerprint.as_str(), mutant.id.as_str())).collect()
}

/// The inputs of a unit under their names of now; none where one is gone.
fn inputs<'d>(
    folder: &Path,
    known: impl Iterator<Item = (Option<&'d str>, &'d Path)>,
    ids: &HashMap<&str, &str>,
) -> Option<Vec<(PathBuf, Vec<u8>)>> {
    known
        .filter(|(mutant, _)| mutant.is_none_or(|mutant| ids.contains_key(mutant)))
        .map(|(mutant, input)| {
            let name = mutant.map_or_else(|| input.to_path_buf(), |mutant| input_of(ids[mutant]));
            Some((name, std::fs::read(folder.join(input)).ok()?))
        })
        .collect()
}
