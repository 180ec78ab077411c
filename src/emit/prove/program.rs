//! A test program, how it is called, and whether it stays between tests.

use super::ran::Ran;
use super::{FILLED, LEAST_LIMIT, ORIGINAL_LIMIT, Side, choices};
use crate::build::run::{Ended, Finished};
use crate::build::{Builder, Flavor, Resident, Sanitizer};
use crate::emit::framework::Row;
use crate::emit::write::WrittenTest;
use crate::supervise::{Confinement, Mounts, Runs, confined};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

/// A test program that is linked, and what went into it.
#[derive(Debug)]
pub(in crate::emit) struct Program {
    pub(in crate::emit) path: PathBuf,
    /// The linker's account of what it took.
    pub(super) map: String,
    kept: Mutex<Kept>,
}

/// Whether a program is kept between tests.
#[derive(Debug)]
pub(super) enum Kept {
    NotYet,
    /// It is started for each test.
    Refuses,
    Resident(Resident),
}

impl Program {
    pub(super) fn new(path: PathBuf, map: String) -> Self {
        Self { path, map, kept: Mutex::new(Kept::NotYet) }
    }

    /// It is started for each test where that program is.
    pub(super) fn is_kept_as(&self, original: &Self) {
        let refuses = matches!(*original.kept(), Kept::Refuses);
        if refuses {
            *self.kept() = Kept::Refuses;
        }
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// How the program is told to run one test, or all.
pub(super) fn command(row: &Row, program: &Program, test: Option<&WrittenTest>, side: &Side<'_>) -> Command {
    let mut command = Command::new(&program.path);
    command.env("GTEST_COLOR", "no").env_remove("GTEST_FILTER").env_remove(choices::MADE);
    if side.is_trial() {
        command.env("MALLOC_PERTURB_", FILLED);
    }
    if let Some(test) = test {
        command.args(row.arguments(&test.filter));
    }
    if side.flavor != Flavor::Sanitized(Sanitizer::Leak) {
        // Generated tests need not free what the original hands out.
        command.env("ASAN_OPTIONS", side.asan_options());
    } else {
        // What a returned call has left on the stack holds nothing.
        command.env("LSAN_OPTIONS", "use_stacks=0:use_registers=0");
    }
    command
}

/// A program that stays, in the sandbox. Not without a file system of its own: its folder is emptied after each test.
pub(super) fn keep(builder: &Builder, scratch: &Path, command: &Command, program: &Program) -> Option<Resident> {
    let library = builder.resident_library()?;
    let mut confinement = Confinement::new(Runs::Worker, &scratch.join("own")).ok()?;
    if confinement.guards.mounts == Mounts::None {
        return None;
    }
    confinement.time = Some(ORIGINAL_LIMIT * 4);
    let start = confined(command, &confinement).ok()?;
    Resident::start(start, &program.path, library, LEAST_LIMIT, Some(&confinement.own)).ok()
}

pub(super) fn ran(done: Finished) -> Result<Ran, String> {
    if done.ended == Ended::Interrupted {
        return Err("interrupted".to_owned());
    }
    let cpu_seconds = done.cpu_seconds;
    Ok(Ran { ended: done.ended, cpu_seconds, said: format!("{}\n{}", done.stdout, done.stderr) })
}
