//! From compile commands to the model: the only user of libclang.
//!
//! Every translation unit is read by a process of its own, so that a crash of libclang costs that unit only. What
//! was read is kept, keyed by the command and the contents of every file that was read.

mod arguments;
mod body;
mod cache;
mod casts;
mod compiler_queries;
mod elements;
mod enumerations;
mod features;
mod field_usage;
mod files;
mod foreign;
mod functions;
mod head;
mod histories;
mod installed;
mod instances;
mod job;
mod mentions;
mod merge;
mod names;
mod namesakes;
mod nullness;
mod options;
mod parallel;
mod pointer_ranges;
mod process;
mod read;
mod reader;
mod signatures;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod traits;
mod trees;
mod type_shapes;
mod types;
mod variables;
mod waiting;

pub use job::{CompileError, Version};
pub use options::ParseOptions;
use options::is_installed;
pub(crate) use parallel::in_parallel;

use crate::compdb::{CompileCommand, Database};
use crate::diag::Problem;
use crate::model::{Language, Model, TranslationUnit};
use crate::tree::Trees;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What the hidden command `__parse JOB` does: reads the job's file and does the job. Started by [`project`] and
/// [`versions`] only.
pub fn worker_main(args: &[String]) -> Result<()> {
    let path = args.first().context("no job")?;
    let job = serde_json::from_slice(&std::fs::read(path).with_context(|| path.clone())?)?;
    job::run(job)
}

/// Reads the whole project. Files that could not be read are in the model with their errors, and among the
/// problems as warnings; none readable at all is an error.
pub fn project(database: &Database, options: &ParseOptions) -> Result<(Model, Vec<Problem>)> {
    let mut defined = namesakes::Defined::default();
    let roots = options.roots(database);
    let wanted: Vec<usize> = database
        .commands
        .iter()
        .enumerate()
        .filter(|(_, command)| options.only.as_ref().is_none_or(|only| only.contains(&command.file)))
        // What is built along (a framework for tests, say) has units and mutants of somebody else.
        .filter(|(_, command)| !is_installed(&command.file, &roots[0]))
        .map(|(index, _)| index)
        .collect();
    let parts = in_parallel(options.jobs, wanted.len(), |at| {
        let index = wanted[at];
        let command = &database.commands[index];
        read_unit(command, index, &roots, options).unwrap_or_else(|error| unreadable(command, index, &error))
    });
    let mut model = Model::default();
    let mut problems = Vec::new();
    for part in parts {
        for unit in &part.units {
            if let Some(first) = unit.errors.first() {
                problems.push(
                    Problem::untestable("source-unreadable", first.clone(), "units of this file are left out")
                        .at(&unit.main_file),
                );
            }
        }
        merge::unit(&mut model, defined.tell_apart(part, &roots[0]));
    }
    model.namesakes = defined.found;
    compiler_queries::ask(&mut model, database, &roots, options);
    merge::finish(&mut model, &roots[0]);
    if !model.units.is_empty() && model.units.iter().all(|unit| !unit.errors.is_empty()) {
        let first = problems.remove(0);
        let fix = "build the project once, so that generated headers exist, and check the compile database";
        return Err(Problem { fix: fix.into(), ..first }.into());
    }
    Ok((model, problems))
}

/// Reads `file`, as part of the translation unit of `command`, with the contents of each of `versions` in its place.
/// A version that libclang could not survive has an error of its own in its place.
pub fn versions(
    command: &CompileCommand,
    file: &Path,
    versions: &[PathBuf],
    database: &Database,
    options: &ParseOptions,
) -> Result<Vec<Version>> {
    let roots = options.roots(database);
    let mut done: Vec<Version> = Vec::new();
    while done.len() < versions.len() {
        let job = job::Versions {
            command: command.clone(),
            file: file.to_path_buf(),
            versions: versions[done.len()..].to_vec(),
            roots: roots.clone(),
            out: PathBuf::new(),
        };
        let before = done.len();
        let result = process::versions(job, options, &mut done);
        if let Err(error) = result {
            if done.len() == before && before == 0 && options.self_exe.is_none() {
                return Err(error);
            }
            let message = format!("libclang failed on it: {error:#}");
            let lost = CompileError { file: file.to_path_buf(), line: 0, column: 0, message, is_syntax: false };
            done.push(Version { errors: vec![lost], model: Model::default() });
        }
    }
    Ok(options.named(command, done))
}

/// The bodies that `files` define, as read within the translation unit of `command`: its main file, and headers of the
/// project that it includes. One of [`Trees`] for each file, in their order.
pub fn trees(
    command: &CompileCommand,
    files: &[PathBuf],
    database: &Database,
    options: &ParseOptions,
) -> Result<Vec<Trees>> {
    let roots = options.roots(database);
    let key = cache::key(command, &roots, Some(files), options);
    if let Some(trees) = options.cache_dir.as_deref().and_then(|dir| cache::load(dir, &key)) {
        return Ok(options.named(command, trees));
    }
    let job =
        job::TreesOf { command: command.clone(), files: files.to_vec(), replaced: None, roots, out: PathBuf::new() };
    let grown = process::trees(job, options)?;
    if let Some(dir) = &options.cache_dir {
        let _ = cache::store(dir, &key, &grown.inputs, &grown.trees);
    }
    Ok(options.named(command, grown.trees))
}

/// The bodies of `file` as part of the unit of `command`, read from the text in `version`; it is not kept.
pub fn trees_of_version(
    command: &CompileCommand,
    file: &Path,
    version: &Path,
    database: &Database,
    options: &ParseOptions,
) -> Result<Trees> {
    let job = job::TreesOf {
        command: command.clone(),
        files: vec![file.to_path_buf()],
        replaced: Some(version.to_path_buf()),
        roots: options.roots(database),
        out: PathBuf::new(),
    };
    let trees = process::trees(job, options)?.trees.pop().context("nothing was read")?;
    Ok(options.named(command, trees))
}

fn read_unit(command: &CompileCommand, index: usize, roots: &[PathBuf], options: &ParseOptions) -> Result<Model> {
    let key = cache::key(command, roots, None, options);
    if let Some(mut model) = options.cache_dir.as_deref().and_then(|dir| cache::load::<Model>(dir, &key)) {
        for unit in &mut model.units {
            unit.command = index;
        }
        return Ok(model);
    }
    let job = job::Read { command: command.clone(), index, roots: roots.to_vec(), out: PathBuf::new() };
    let done = process::read(job, options)?;
    if let Some(dir) = &options.cache_dir {
        // What could not be kept is read again the next time.
        let _ = cache::store(dir, &key, &done.inputs, &done.model);
    }
    Ok(done.model)
}

/// The place of a translation unit that libclang could not survive.
fn unreadable(command: &CompileCommand, index: usize, error: &anyhow::Error) -> Model {
    let unit = TranslationUnit {
        main_file: command.file.clone(),
        command: index,
        language: command.language,
        files: vec![command.file.clone()],
        errors: vec![format!("{}:1:1: {error:#}", command.file.display())],
        uses_traits: command.language == Language::Cxx,
        foreign: Vec::new(),
        features: Vec::new(),
    };
    Model { units: vec![unit], ..Model::default() }
}
