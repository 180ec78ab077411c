//! The mutants of a run: read, paired, and checked for being any at all.

use crate::context::Context;
use crate::diag::Problem;
use crate::mutant::{Mutant, list, pair};
use crate::outcome::Status;
use crate::session::Session;
use std::path::PathBuf;

/// All given mutants, each paired with its unit or with the reason why not.
///
/// # Errors
/// No mutants, or none that belongs to the project (exit 2).
pub fn paired(context: &Context, session: &Session) -> anyhow::Result<Vec<Mutant>> {
    let options = &session.options;
    let path = options.mutants.as_ref().ok_or_else(|| {
        Problem::usage("mutants-missing", "no mutants are given", "name their folder or list with --mutants PATH")
    })?;
    let files: Vec<PathBuf> = session.model.files.keys().cloned().collect();
    let scratch = options.output.join("cache").join("mutants");
    let givens = list::read(path, &options.root, &files, &scratch)?;
    let stage = context.ui.stage("pairing", givens.len());
    let mutants = pair::pair(&givens, &session.model, &session.database, &session.parse_options()?)?;
    drop(stage);
    let foreign = |m: &Mutant| matches!(&m.pairing, Err((Status::Invalid, _))) && m.original.as_os_str().is_empty();
    if mutants.iter().all(foreign) {
        let first = mutants.first().and_then(|m| m.pairing.as_ref().err()).map_or("", |(_, why)| why.as_str());
        let what = format!("none of the {} mutants belongs to this project: {first}", mutants.len());
        let fix = "check --mutants and -p: the mutated files must be copies of files that the compile database builds";
        return Err(Problem::usage("mutants-foreign", what, fix).at(path).into());
    }
    let broken = mutants.iter().filter(|m| m.pairing.is_err()).count();
    if broken > 0 {
        context.ui.note(format_args!("{broken} of {} mutants can't be tried; the report says why", mutants.len()));
    }
    Ok(mutants)
}
