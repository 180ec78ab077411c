//! Trees of the bodies in many files: each file is read once, a header through the first unit that includes it.

use crate::compdb::CompileCommand;
use crate::context::Context;
use crate::diag::Problem;
use crate::model::Model;
use crate::parse;
use crate::session::{Session, interrupted};
use crate::tree::Trees;
use anyhow::Context as _;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Reads the bodies of `files` and gives what `visit` makes of each file's trees, in the order of the files' readers.
///
/// # Errors
/// The user wants to stop. What can't be read is warned about and left out.
pub fn read<T: Send>(
    context: &Context,
    session: &Session,
    files: &[PathBuf],
    visit: &(dyn Fn(&Trees) -> Option<T> + Sync),
) -> anyhow::Result<Vec<T>> {
    let reader = readers(&session.model);
    let mut groups: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        // What no unit reads without errors has been warned about when the project was read.
        if let Some(command) = reader.get(file.as_os_str()) {
            groups.entry(*command).or_default().push(file.clone());
        }
    }
    let groups: Vec<(&CompileCommand, Vec<PathBuf>)> =
        groups.into_iter().filter_map(|(at, files)| Some((session.database.commands.get(at)?, files))).collect();
    let options = session.parse_options()?;
    let done = parse::in_parallel(session.options.jobs.get(), groups.len(), |at| {
        let (command, members) = &groups[at];
        if context.is_interrupted() {
            return Vec::new();
        }
        match parse::trees(command, members, &session.database, &options) {
            Ok(trees) => trees.iter().filter_map(visit).collect(),
            Err(error) => {
                let fix = "its functions are left out";
                let problem = Problem::untestable("source-unreadable", format!("{error:#}"), fix);
                context.ui.warn(&problem.at(&command.file));
                Vec::new()
            }
        }
    });
    if context.is_interrupted() { Err(interrupted().into()) } else { Ok(done.into_iter().flatten().collect()) }
}

/// The bodies of one file.
///
/// # Errors
/// It can't be read.
pub fn of_file(session: &Session, file: &Path) -> anyhow::Result<Vec<Trees>> {
    let reader = readers(&session.model);
    let command = reader.get(file.as_os_str()).and_then(|at| session.database.commands.get(*at));
    let command = command.with_context(|| format!("no source without errors includes {}", file.display()))?;
    parse::trees(command, &[file.to_path_buf()], &session.database, &session.parse_options()?)
}

/// For every file the command of the unit that it is read in: its own, that of [`Model::unit_of`], or the first without
/// errors that includes it.
fn readers(model: &Model) -> HashMap<&OsStr, usize> {
    let mut reader = HashMap::new();
    let sound = || model.units.iter().filter(|unit| unit.errors.is_empty());
    for unit in sound() {
        reader.entry(unit.main_file.as_os_str()).or_insert(unit.command);
    }
    for (header, home) in &model.homes {
        reader.entry(header.as_os_str()).or_insert(model.units[*home].command);
    }
    // A file with a unit of its own that does not parse is not to be had through another.
    let own: HashSet<&OsStr> = model.units.iter().map(|unit| unit.main_file.as_os_str()).collect();
    for unit in sound() {
        for file in unit.files.iter().filter(|file| !own.contains(file.as_os_str())) {
            reader.entry(file.as_os_str()).or_insert(unit.command);
        }
    }
    reader
}
