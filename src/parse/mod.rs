//! From compile commands to the model: the only user of libclang.
//!
//! Every translation unit is read by a process of its own, so that a crash of libclang costs that unit only. What
//! was read is kept, keyed by the command and the contents of every file that was read.

mod arguments;
mod body;
mod cache;
mod callee_elements;
mod casts;
mod compiler_queries;
mod countdowns;
mod displacements;
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
mod literals;
mod mentions;
mod merge;
mod names;
mod namesakes;
mod nullness;
mod only_read;
mod opened_files;
mod operands;
mod options;
mod parallel;
mod passes;
mod pointer_ranges;
mod process;
mod read;
mod reader;
mod signatures;
mod steps_back;
mod table_indices;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod traits;
mod trees;
mod type_shapes;
mod types;
mod union_tags;
mod variables;
mod waiting;
mod wanted_members;

pub use job::{CompileError, Version};
use job::{Done, Job, Task};
pub use options::ParseOptions;
use options::is_installed;
pub(crate) use parallel::in_parallel;

use crate::compdb::{CompileCommand, Database};
use crate::diag::Problem;
use crate::model::{Language, Model, Namesakes, TranslationUnit, Usr};
use crate::tree::Trees;
use anyhow::{Context, Result};
use cache::Stamps;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Does what the hidden command `__parse JOB` asks for: reads the job's file and does the job. Started by [`project`],
/// [`versions`] and [`trees()`] only.
pub fn worker_main(args: &[String]) -> Result<()> {
    process::work(Path::new(args.first().context("no job")?))
}

/// Reads the whole project. Files that could not be read are in the model with their errors, and among the
/// problems as warnings; none readable at all is an error.
pub fn project(database: &Database, options: &ParseOptions) -> Result<(Model, Vec<Problem>)> {
    project_telling(database, options, &|_| ())
}

/// As [`project`], and says of each file when it has been read.
pub fn project_telling(
    database: &Database,
    options: &ParseOptions,
    told: &(dyn Fn(&Path) + Sync),
) -> Result<(Model, Vec<Problem>)> {
    let roots = options.roots(database);
    let wanted: Vec<usize> = database
        .commands
        .iter()
        .enumerate()
        .filter(|(_, command)| options.only.as_ref().is_none_or(|only| only.contains(&command.file)))
        // Third-party code that is built along, such as a test framework, is not under test.
        .filter(|(_, command)| !is_installed(&command.file, &roots[0]))
        .map(|(index, _)| index)
        .collect();
    let model = whole(database, options, &roots, &wanted, told);
    let unreadable = model.units.iter().filter_map(|unit| Some((unit, unit.errors.first()?)));
    let mut problems: Vec<Problem> = unreadable
        .map(|(unit, first)| {
            Problem::untestable("source-unreadable", first.clone(), "units of this file are left out")
                .at(&unit.main_file)
        })
        .collect();
    if !model.units.is_empty() && model.units.len() == problems.len() {
        let first = problems.remove(0);
        let fix = "build the project once, so that generated headers exist, and check the compile database";
        return Err(Problem { fix: fix.into(), ..first }.into());
    }
    Ok((model, problems))
}

/// All that is known of a project: what the model has beside what it is written as.
type Whole = (Model, BTreeMap<PathBuf, usize>, BTreeMap<Usr, Vec<usize>>, Namesakes);

/// The model of the files that are `wanted`, as it was kept where nothing has changed.
fn whole(
    database: &Database,
    options: &ParseOptions,
    roots: &[PathBuf],
    wanted: &[usize],
    told: &(dyn Fn(&Path) + Sync),
) -> Model {
    let stamps = Stamps::default();
    let commands: Vec<&CompileCommand> = wanted.iter().map(|index| &database.commands[*index]).collect();
    let key = cache::key(&(&commands, wanted, roots), options);
    let kept = options.cache_dir.as_deref();
    if let Some(done) = kept.and_then(|dir| cache::load::<Whole>(dir, &key, &stamps)) {
        commands.iter().for_each(|command| told(&command.file));
        let (model, homes, sightings, namesakes) = done.read;
        return Model { homes, sightings, namesakes, ..model };
    }
    let mut defined = namesakes::Defined::default();
    let mut model = Model::default();
    let mut inputs = BTreeSet::new();
    let mut is_complete = true;
    let read = |at: usize| {
        let done = read_unit(commands[at], wanted[at], roots, options, &stamps);
        told(&commands[at].file);
        done.unwrap_or_else(|error| Done { read: unreadable(commands[at], wanted[at], &error), inputs: Vec::new() })
    };
    parallel::one_after_another(options.jobs, wanted.len(), read, |done| {
        // What libclang did not survive was read from nothing, and is tried again the next time.
        is_complete &= !done.inputs.is_empty();
        inputs.extend(done.inputs);
        merge::unit(&mut model, defined.tell_apart(done.read, &roots[0]));
    });
    model.namesakes = defined.found;
    namesakes::link_calls(&mut model);
    compiler_queries::ask(&mut model, database, roots, options, &stamps);
    merge::finish(&mut model, &roots[0]);
    if let Some(dir) = kept.filter(|_| is_complete) {
        let inputs: Vec<PathBuf> = inputs.into_iter().collect();
        let aside = (&model, &model.homes, &model.sightings, &model.namesakes);
        // Without it, the next run puts the parts together again.
        let _ = cache::store(dir, &key, &inputs, &aside, &stamps);
    }
    model
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
        let task = Task::Versions { file: file.to_path_buf(), versions: versions[done.len()..].to_vec() };
        let before = done.len();
        let result =
            process::results(&Job { command: command.clone(), roots: roots.clone(), task }, options, &mut done);
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
    let task = Task::Trees { files: files.to_vec(), replaced: None };
    let job = Job { command: command.clone(), roots: options.roots(database), task };
    Ok(options.named(command, process::kept(&job, options, &Stamps::default())?.read))
}

/// The bodies of `file` as part of the unit of `command`, read from the text in `version`; it is not kept.
pub fn trees_of_version(
    command: &CompileCommand,
    file: &Path,
    version: &Path,
    database: &Database,
    options: &ParseOptions,
) -> Result<Trees> {
    let task = Task::Trees { files: vec![file.to_path_buf()], replaced: Some(version.to_path_buf()) };
    let job = Job { command: command.clone(), roots: options.roots(database), task };
    let done: Done<Vec<Trees>> = process::result(&job, options)?;
    Ok(options.named(command, done.read.into_iter().next().context("nothing was read")?))
}

fn read_unit(
    command: &CompileCommand,
    index: usize,
    roots: &[PathBuf],
    options: &ParseOptions,
    stamps: &Stamps,
) -> Result<Done<Model>> {
    let job = Job { command: command.clone(), roots: roots.to_vec(), task: Task::Read };
    let mut done: Done<Model> = process::kept(&job, options, stamps)?;
    done.read.units.iter_mut().for_each(|unit| unit.command = index);
    Ok(done)
}

/// The place of a translation unit that libclang could not survive.
fn unreadable(command: &CompileCommand, index: usize, error: &anyhow::Error) -> Model {
    let unit = TranslationUnit {
        defers_bodies: false,
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
