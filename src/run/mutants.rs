//! The mutants of a run: read, paired, and checked for being any at all.

use crate::build::{Builder, CompileJob, FailureKind, Flavor};
use crate::compdb::CompileCommand;
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

/// Turns down mutants that the project's own flags refuse where they make warnings into errors; what fails for other
/// reasons has been found when the mutant was parsed.
pub fn refuse_unbuildable(session: &Session, builder: &Builder, mutants: &mut [Mutant]) {
    let strict = |command: &&CompileCommand| {
        command.args.iter().any(|arg| arg.starts_with("-Werror") || arg == "-pedantic-errors")
    };
    let command_of = |mutant: &Mutant| {
        let database = &session.database;
        let including = || session.model.units.iter().find(|unit| unit.files.contains(&mutant.original));
        let command = database.command_of(&mutant.original);
        command.or_else(|| including().and_then(|unit| database.command_of(&unit.main_file))).filter(strict)
    };
    let asked: Vec<(usize, &CompileCommand)> = (0..mutants.len())
        .filter(|number| mutants[*number].pairing.is_ok())
        .filter_map(|number| Some((number, command_of(&mutants[number])?)))
        .collect();
    let refused = builder.in_parallel(&asked, |(number, command)| {
        // As a file of ours it keeps its warnings, with those that the project asks for.
        let warnings = command.args.iter().filter(|arg| arg.starts_with("-W") || arg.starts_with("-pedantic"));
        let original = CompileJob::generated(&command.file, command, Flavor::Plain).with(warnings);
        let mutated = original.clone().replacing(&mutants[*number].original, &mutants[*number].path);
        let failure = builder.compile(&mutated).err().filter(|failure| failure.kind == FailureKind::Refused)?;
        // A warning that the original draws as well is the compiler's, not the mutant's.
        builder.compile(&original).is_ok().then_some((*number, failure.first_error))
    });
    for (number, why) in refused.into_iter().flatten() {
        mutants[number].pairing = Err((Status::Unbuildable, why));
    }
}
