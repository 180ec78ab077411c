//! Resident compilers and linkers.
//!
//! This is only a shortcut: a program that cannot be kept resident (a wrapper script, another C library) is started
//! as usual.

use super::resident::Resident;
use super::run::Finished;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Calls of a program before it gets a server.
const SEEN_BEFORE: usize = 2;
/// A compiler that has not answered by then cannot be kept resident.
const HELLO: Duration = Duration::from_secs(20);

/// A program with its environment.
type Key = (PathBuf, Vec<(OsString, Option<OsString>)>);

/// The resident programs.
#[derive(Debug, Default)]
pub(super) struct CompilerServer {
    library: OnceLock<Option<PathBuf>>,
    programs: Mutex<HashMap<Key, Standing>>,
}

/// The state of one program.
#[derive(Debug, Default)]
struct Standing {
    calls: usize,
    /// It cannot be kept resident.
    refuses: bool,
    idle: Vec<Resident>,
}

impl CompilerServer {
    /// Starts every program anew.
    pub fn never() -> Self {
        let warm = Self::default();
        let _ = warm.library.set(None);
        warm
    }

    /// The preloaded library, which `make` makes once; `None` where it does not build, or no program is kept.
    pub fn library(&self, make: impl FnOnce() -> Option<PathBuf>) -> Option<&Path> {
        self.library.get_or_init(make).as_deref()
    }

    /// Runs `command` like [`super::run::run`]; `None` if it must be started as usual. `library` gives the preloaded
    /// library.
    pub fn run<'l>(
        &self,
        command: &Command,
        limit: Duration,
        interrupted: &AtomicBool,
        library: impl FnOnce() -> Option<&'l Path>,
    ) -> Option<Finished> {
        let program = PathBuf::from(command.get_program());
        let environment = command.get_envs().map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned)));
        let key = (program, environment.collect::<Vec<_>>());
        let idle = {
            let mut programs = self.programs.lock().unwrap_or_else(|p| p.into_inner());
            let standing = programs.entry(key.clone()).or_default();
            standing.calls += 1;
            if standing.refuses || standing.calls <= SEEN_BEFORE {
                return None;
            }
            standing.idle.pop()
        };
        let server = match idle {
            Some(server) => Some(server),
            None => library().and_then(|library| start(&key, library).ok()),
        };
        // After a failure the program is started as usual from now on.
        let done = server.and_then(|mut server| Some((server.run(command, &[], limit, interrupted).ok()?, server)));
        let mut programs = self.programs.lock().unwrap_or_else(|p| p.into_inner());
        let standing = programs.entry(key).or_default();
        match done {
            Some((finished, server)) => {
                standing.idle.push(server);
                Some(finished)
            }
            None => {
                standing.refuses = true;
                None
            }
        }
    }
}

#[cfg(test)]
impl CompilerServer {
    /// Whether calls of `program` go to a server.
    pub fn is_standing_by(&self, program: &Path) -> bool {
        let programs = self.programs.lock().unwrap();
        programs.iter().any(|((path, _), standing)| path == program && !standing.refuses && !standing.idle.is_empty())
    }

    /// The process ids of all servers.
    pub fn processes(&self) -> Vec<u32> {
        let programs = self.programs.lock().unwrap();
        programs.values().flat_map(|standing| &standing.idle).map(Resident::id).collect()
    }
}

fn start((program, environment): &Key, library: &Path) -> std::io::Result<Resident> {
    let mut command = Command::new(program);
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Resident::start(command, program, library, HELLO, None)
}
