//! `merge`: one result from the output folders of several shards.

use super::{fuzz, merge_lists, report};
use crate::cli::{Cli, Command, FuzzArgs, GlobalArgs, MergeArgs};
use crate::config::Config;
use crate::context::{Context, shown};
use crate::diag::{Exit, Problem};
use crate::judgements::Judgements;
use crate::mutate::list::FILE_NAME;
use crate::options::{DEFAULT_OUTPUT, Options, absolute};
use crate::report::{View, json, plural};
use crate::run::join::{self, Part};
use crate::session::Session;
use clap::Parser;
use std::path::{Path, PathBuf};

/// Joins the shards, lets their inputs meet each other's mutants, and writes tests and reports of all.
///
/// # Errors
///
/// A shard is missing, there twice, not finished, or differs from the others or from the sources here.
pub fn run(context: &Context, args: &MergeArgs) -> anyhow::Result<Exit> {
    let folders: Vec<PathBuf> = args.folders.iter().map(|folder| context.root.join(folder)).collect();
    if folders.iter().any(|folder| merge_lists::is_one(folder)) {
        return lists(context, args, &folders);
    }
    let mut parts = Vec::new();
    for folder in &folders {
        match Part::read(folder) {
            Ok(part) => parts.push(part),
            // What a shard lacks can be done without; a folder that is something else was given by mistake.
            Err(problem) if args.allow_missing && problem.code != "shard-none" => context.ui.warn(&problem),
            Err(problem) => return Err(problem.into()),
        }
    }
    let (parts, merged) = join::checked(parts, args.allow_missing)?;
    if !merged.missing.is_empty() {
        let missing: Vec<String> = merged.missing.iter().map(u32::to_string).collect();
        let what = format!("not in the result, of {} shards: {}", merged.of, missing.join(", "));
        context.ui.warn(&Problem::usage("shard-missing", what, "the score is that of the others"));
    }
    let options = options(context, args, parts[0].command())?;
    join::some_are_mutants(&parts, &options)?;
    let joined = join::lay_out(&parts, merged, &options.output, &options)?;
    let judgements = Judgements::read(&options.root, options.survivors.baseline.as_deref())?;
    let session = Session::open(context, options)?;
    let done = crate::run::fuzz(context, &session, &judgements, Some(&joined));
    fuzz::finish(context, &session, &judgements, done)
}

/// The lists of mutants of shards as one.
fn lists(context: &Context, args: &MergeArgs, folders: &[PathBuf]) -> anyhow::Result<Exit> {
    let output = absolute(&context.root, args.project.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT)));
    let count = merge_lists::merge(folders, &output, args.allow_missing)?;
    let path = output.join(FILE_NAME);
    context.ui.note(format_args!("{}: {}", plural(count, "mutant"), shown(&context.root, &path)));
    if !args.report.is_empty() {
        let mut outcome = json::read_file(&path)?;
        Judgements::read(&context.root, None)?.apply(&mut outcome);
        let view = View::new(&outcome, &context.root, &output);
        report::write(context, &view, &args.report)?;
    }
    Ok(Exit::Done)
}

/// The options of the shards' run, as its recorded command has them, with what `merge` was told.
pub fn options(context: &Context, args: &MergeArgs, command: &str) -> anyhow::Result<Options> {
    let words = shell_words::split(command).unwrap_or_default();
    let parsed = Cli::try_parse_from(words);
    let Ok(Cli { command: Command::Fuzz(shards), global: GlobalArgs { config, .. } }) = parsed else {
        let (what, fix) = match parsed {
            Ok(_) => ("this is the result of another command", "it works after `fuzz`: give the output folder of one"),
            Err(_) => ("the recorded command is not understood", "use the version of motif-cpp that ran it"),
        };
        return Err(Problem::usage("command-unknown", format!("{what}: {command}"), fix).into());
    };
    let config = match config {
        Some(file) => Config::load(&context.root, Some(&file))?,
        None => context.config.clone(),
    };
    let project = crate::cli::ProjectArgs {
        build_dir: args.project.build_dir.clone().or(shards.project.build_dir),
        ..args.project.clone()
    };
    let report = if args.report.is_empty() { shards.report } else { args.report.clone() };
    let mut scope = shards.scope;
    scope.shard = None;
    let merging = FuzzArgs { project, report, scope, resume: true, executor: None, ..*shards };
    let config = Config { shard: None, executor: None, ..config };
    Ok(Options::for_fuzz(&context.root, &merging, config)?)
}
