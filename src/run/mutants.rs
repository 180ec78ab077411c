//! The mutants of a run, given or made: paired, and checked to exist.

use super::join::Joined;
use crate::build::{Builder, CompileJob, FailureKind, Flavor};
use crate::compdb::CompileCommand;
use crate::context::Context;
use crate::diag::Problem;
use crate::emit::framework::{Row, shipped};
use crate::model::{Function, Language};
use crate::mutant::{Claim, Given, Mutant, Settled, list, pair, patch};
use crate::mutate::choose::{choose, say_emptied, worth_trying};
use crate::mutate::list::{is_to_be_tried, listed, mutated};
use crate::mutate::sample::{Key, order};
use crate::mutate::scope::{Place, Scope, Step};
use crate::mutate::shards;
use crate::options::Sample;
use crate::outcome::{MutantOutcome, Status};
use crate::report::plural;
use crate::session::Session;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// All mutants of the shard, given or made, each paired with its unit or with the reason why not; and the files of
/// all shards.
///
/// # Errors
///
/// There are no mutants, or none of this project (exit 2).
pub fn paired(context: &Context, session: &Session, builder: &Builder) -> anyhow::Result<(Vec<Mutant>, Vec<PathBuf>)> {
    let scratch = session.options.output.join("cache").join("mutants");
    let (mutants, files) = match &session.options.mutants {
        Some(path) => given(context, session, path, &scratch)?,
        None => {
            let (givens, files) = made(context, session, builder, &scratch)?;
            (pairs(context, session, &givens)?, files)
        }
    };
    let broken = mutants.iter().filter(|m| matches!(&m.pairing, Err((status, _)) if !is_known(*status))).count();
    if broken > 0 {
        context.ui.note(format_args!("{broken} of {} mutants can't be tried; the report says why", mutants.len()));
    }
    Ok((mutants, files))
}

/// The mutants that shards have tried, from their outcomes.
///
/// # Errors
///
/// They do not fit the sources.
pub fn taken_over(context: &Context, session: &Session, joined: &Joined) -> anyhow::Result<Vec<Mutant>> {
    let root = &session.options.root;
    let scratch = session.options.output.join("cache").join("mutants");
    std::fs::create_dir_all(&scratch)?;
    let given = |(number, mutant): (usize, &MutantOutcome)| -> anyhow::Result<Given> {
        let ending = mutant.file.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let path = scratch.join(format!("{number}.{ending}"));
        let reason = mutant.reason.clone().unwrap_or_default();
        let was_tried = joined.tried.contains(&mutant.id);
        let settled = (!was_tried).then(|| Settled { status: mutant.status, reason, diff: mutant.diff.clone() });
        let original = root.join(&mutant.file);
        if was_tried {
            let mutated = std::fs::read(&original).ok().and_then(|source| patch::apply(&source, &mutant.diff));
            let mutated = mutated.ok_or_else(|| {
                let what = format!("the diff of {} does not fit", mutant.id);
                let fix = "merge where the sources are as the shards had them";
                Problem::usage("shard-differs", what, fix).at(&mutant.file)
            })?;
            std::fs::write(&path, mutated)?;
        }
        Ok(Given {
            id: mutant.id.clone(),
            path: path.canonicalize().unwrap_or(path),
            original: Some(original),
            claim: Claim {
                line: Some(mutant.line),
                operator: Some(mutant.operator.clone()),
                function: mutant.unit.clone(),
            },
            filter: None,
            whole: None,
            is_ours: true,
            settled,
            suite: mutant.suite,
        })
    };
    let givens = joined.mutants.iter().enumerate().map(given).collect::<anyhow::Result<Vec<Given>>>()?;
    pairs(context, session, &givens)
}

/// Refuses a `--framework` that does not serve the language of a unit, or is not installed.
///
/// # Errors
///
/// The first such unit, or the package to install.
pub fn framework_serves(session: &Session, mutants: &[Mutant]) -> Result<(), Problem> {
    let Some(framework) = session.options.framework else { return Ok(()) };
    let row = Row::of(framework);
    let (name, other) = match row.language {
        Language::Cxx => ("C++", "C"),
        Language::C => ("C", "C++"),
    };
    let units = mutants.iter().filter_map(|mutant| session.model.functions.get(&mutant.pairing.as_ref().ok()?.unit));
    let Some(unit) = units.into_iter().find(|unit| unit.language != row.language) else {
        let what = format!("`--framework {framework}` is not installed: there is no {}", row.header);
        let fix = match row.package {
            "" => format!("build it with the project's tests, from sources among the project's: {}", row.header),
            package => format!("apt-get install {package}"),
        };
        let is_there =
            row.is_installed() || shipped(session.model.files.keys().map(PathBuf::as_path)).contains_key(&framework);
        return if is_there { Ok(()) } else { Err(Problem::tool("framework-missing", what, fix)) };
    };
    let what = format!("`--framework {framework}` is for {name}, and `{}` is {other}", unit.id);
    let fix = "leave it out: each unit then gets tests of its language; or choose units with --file or --unit";
    Err(Problem::usage("framework-language", what, fix))
}

/// A verdict of the filter is not a failure.
fn is_known(status: Status) -> bool {
    matches!(status, Status::Equivalent | Status::Duplicate | Status::Killed)
}

fn pairs(context: &Context, session: &Session, givens: &[Given]) -> anyhow::Result<Vec<Mutant>> {
    let stage = context.ui.stage("pairing", givens.iter().filter(|given| given.settled.is_none()).count());
    let mutants = pair::pair(givens, &session.model, &session.database, &session.parse_options()?)?;
    drop(stage);
    Ok(mutants)
}

/// The mutants of a folder or list that are in scope.
fn given(
    context: &Context,
    session: &Session,
    path: &Path,
    scratch: &Path,
) -> anyhow::Result<(Vec<Mutant>, Vec<PathBuf>)> {
    let options = &session.options;
    let files: Vec<PathBuf> = session.model.files.keys().cloned().collect();
    let mut givens = list::read(path, &options.root, &files, scratch)?;
    let mut files = Vec::new();
    // A sample is one of all mutants, and is cut when it is drawn.
    if options.scope.sample.is_none() {
        let nowhere = Path::new("");
        (givens, files) = shards::cut(session, givens, |given| given.original.as_deref().unwrap_or(nowhere));
    }
    let mutants = pairs(context, session, &givens)?;
    let invalid = |m: &Mutant| matches!(&m.pairing, Err((Status::Invalid, _)));
    if mutants.iter().all(invalid) {
        // Other shards may have better ones: `merge` says what becomes of all.
        if options.shard.is_some() {
            return Ok((mutants, files));
        }
        let refused = |m: &Mutant| Some((m.id.clone(), m.pairing.as_ref().err()?.1.clone()));
        let all: Vec<(String, String)> = mutants.iter().filter_map(refused).collect();
        let ours = mutants.iter().position(|m| !m.original.as_os_str().is_empty());
        return Err(none_is_valid(&all, ours, path).into());
    }
    let mutants = in_scope(context, session, mutants)?;
    if options.scope.sample.is_none() {
        return Ok((mutants, files));
    }
    Ok(shards::cut(session, mutants, |mutant| &mutant.original))
}

/// What is said where none of the mutants in `path` can be tried: each by its id, with the reason; and the first that
/// is at least of a file of the project.
pub(super) fn none_is_valid(all: &[(String, String)], first_of_project: Option<usize>, path: &Path) -> Problem {
    if let Some((id, why)) = first_of_project.and_then(|first| all.get(first)) {
        let what = format!("none of {} is one of a function of this project: {id}: {why}", plural(all.len(), "mutant"));
        let fix = "each is a whole source file that differs from its original within one function";
        return Problem::usage("mutants-invalid", what, fix).at(path);
    }
    let first = all.first().map_or("", |(_, why)| why.as_str());
    let what = format!("none of the {} mutants belongs to this project: {first}", all.len());
    let fix = "check --mutants and -p: the mutated files must be copies of files that the compile database builds";
    Problem::usage("mutants-foreign", what, fix).at(path)
}

/// The given mutants in scope. Unpaired ones are kept: their place is unknown.
fn in_scope(context: &Context, session: &Session, mutants: Vec<Mutant>) -> anyhow::Result<Vec<Mutant>> {
    let asked = &session.options.scope;
    let all = mutants.len();
    let operators: BTreeSet<String> = mutants.iter().map(|mutant| mutant.operator.clone()).collect();
    let originals: BTreeSet<PathBuf> = mutants.iter().map(|mutant| mutant.original.clone()).collect();
    let originals: Vec<PathBuf> = originals.into_iter().filter(|path| !path.as_os_str().is_empty()).collect();
    let scope = Scope::resolve(session, &originals, &operators.into_iter().collect::<Vec<_>>())?;
    let by_id: HashMap<&str, &Function> = session.model.functions.values().map(|f| (f.id.as_str(), f)).collect();
    let function = |mutant: &Mutant| match &mutant.pairing {
        Ok(pairing) => session.model.functions.get(&pairing.unit),
        Err(_) => mutant.unit.as_deref().and_then(|id| by_id.get(id).copied()),
    };
    let (open, closed): (Vec<Mutant>, Vec<Mutant>) = mutants.into_iter().partition(|mutant| function(mutant).is_some());
    let place = |mutant: &Mutant| {
        let function = function(mutant);
        let (lines, column) = patch::changed(&mutant.diff).unwrap_or(((mutant.line, mutant.line), 1));
        Place {
            file: mutant.original.clone(),
            lines,
            column,
            floor: function.and_then(|f| f.definition.as_ref()).map_or(1, |definition| definition.extent.line),
            unit: function.map(|f| f.usr.clone()).unwrap_or_default(),
            operator: mutant.operator.clone(),
        }
    };
    let is_tried = |mutant: &&Mutant| mutant.pairing.is_ok();
    let before = open.iter().filter(is_tried).count();
    let mut steps = vec![Step { what: "of the list".into(), left: open.len(), noun: "mutant" }];
    let mut left = scope.narrow(open, place, &mut steps);
    if let Some(sample) = asked.sample {
        left = sampled(left, session, sample);
    }
    if before > 0 && !left.iter().any(|mutant| mutant.pairing.is_ok()) {
        steps.push(Step { what: "what need not be tried".into(), left: 0, noun: "mutant" });
        say_emptied(context, session, &steps);
    }
    left.extend(closed);
    if left.len() < all {
        context.ui.note(format_args!("{} of {} are in the scope", left.len(), plural(all, "mutant")));
    }
    Ok(left)
}

/// A sample of the mutants that will be tried.
fn sampled(mutants: Vec<Mutant>, session: &Session, sample: Sample) -> Vec<Mutant> {
    let options = &session.options;
    let (open, mut closed): (Vec<Mutant>, Vec<Mutant>) = mutants.into_iter().partition(|m| m.pairing.is_ok());
    let wanted = match sample {
        Sample::Number(number) => number.get(),
        Sample::Rate(rate) => ((open.len() as f64 * rate.0).round() as usize).max(1),
    };
    let keys = open.iter().map(|mutant| Key {
        id: &mutant.id,
        function: mutant.pairing.as_ref().map_or("", |pairing| &pairing.unit),
        operator: &mutant.operator,
    });
    let mut chosen = order(keys, options.seed, options.scope.stratify);
    chosen.truncate(wanted);
    let chosen: BTreeSet<usize> = chosen.into_iter().collect();
    let mut left: Vec<Mutant> =
        open.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, mutant)| mutant).collect();
    left.append(&mut closed);
    left
}

/// Mutants, and the files of all shards.
type Selected = (Vec<Given>, Vec<PathBuf>);

/// Mutants from the built-in operators; only those that will be tried are written as files.
fn made(context: &Context, session: &Session, builder: &Builder, scratch: &Path) -> anyhow::Result<Selected> {
    let selection = choose(context, session, &mut |mutants| worth_trying(context, session, builder, mutants))?;
    if !selection.mutants.iter().any(is_to_be_tried) {
        say_emptied(context, session, &selection.steps);
    }
    let open = selection.mutants.iter().filter(|mutant| is_to_be_tried(mutant)).count();
    context.ui.note(format_args!("{} of {} to try", open, plural(selection.mutants.len(), "mutant")));
    std::fs::create_dir_all(scratch)?;
    let root = &session.options.root;
    let given = |(number, mutant): (usize, &crate::mutant::made::Made)| -> anyhow::Result<Given> {
        let ending = mutant.file.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let path = scratch.join(format!("{number}.{ending}"));
        let reason = mutant.reason.clone().unwrap_or_default();
        let settled = patch::settled(mutant.standing, reason, || listed(&selection, root, mutant).diff);
        if settled.is_none() {
            std::fs::write(&path, mutated(&selection, mutant))?;
        }
        Ok(Given {
            id: mutant.id.clone(),
            path: path.canonicalize().unwrap_or(path),
            original: Some(mutant.file.clone()),
            claim: Claim {
                line: Some(mutant.line),
                operator: Some(mutant.change.operator.clone()),
                function: Some(mutant.unit_id.clone()),
            },
            filter: None,
            whole: None,
            is_ours: true,
            settled,
            suite: None,
        })
    };
    let givens = selection.mutants.iter().enumerate().map(given).collect::<anyhow::Result<Vec<Given>>>()?;
    Ok((givens, selection.files.clone()))
}

/// Rejects mutants that the project's own flags reject because of warnings as errors. Other compile errors were found
/// when the mutant was parsed.
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
        // The mutated file is compiled with the warnings that the project enables.
        let warnings = command.args.iter().filter(|arg| arg.starts_with("-W") || arg.starts_with("-pedantic"));
        let original = CompileJob::generated(&command.file, command, Flavor::Plain).with(warnings);
        let mutated = original.clone().replacing(&mutants[*number].original, &mutants[*number].path);
        let failure = builder.compile(&mutated).err().filter(|failure| failure.kind == FailureKind::Refused)?;
        // A warning that the original also causes is not the mutant's.
        builder.compile(&original).is_ok().then_some((*number, failure.first_error))
    });
    for (number, why) in refused.into_iter().flatten() {
        mutants[number].pairing = Err((Status::Unbuildable, why));
    }
}
