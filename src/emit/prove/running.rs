//! Runs of tests: in the sandbox, each in a process of its own.

use super::choices;
use super::ran::{Ran, TIMED_OUT};
use super::{FILLED, LEAST_LIMIT, ORIGINAL_LIMIT, OTHERS_LIMIT, PASSES, Prover, Side};
use crate::build::run::{Ended, Finished, run};
use crate::build::{Flavor, Resident, Sanitizer};
use crate::emit::TestCase;
use crate::emit::write::WrittenTest;
use crate::supervise::{Confinement, Mounts, Runs, confined, refusal};
use anyhow::{Result, anyhow};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

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
enum Kept {
    NotYet,
    /// It is started for each test.
    Refuses,
    Resident(Resident),
}

impl Program {
    pub(super) fn new(path: PathBuf, map: String) -> Self {
        Self { path, map, kept: Mutex::new(Kept::NotYet) }
    }
}

impl Prover<'_> {
    /// How long the test takes on the original, or why it does not pass there.
    pub(super) fn passes_twice(
        &self,
        program: &Program,
        test: &WrittenTest,
        side: &Side<'_>,
    ) -> Result<Duration, String> {
        let mut took = Duration::ZERO;
        // In one folder: what the first run leaves there must not matter to the second.
        for _ in 0..2 {
            let start = Instant::now();
            if let Some(failure) = self.run(program, Some(test), side, ORIGINAL_LIMIT)?.failure() {
                return Err(format!("the test fails on the original: {failure}"));
            }
            took = took.max(start.elapsed());
        }
        Ok(took)
    }

    /// How the test fails on the mutant, or that it does not.
    pub(super) fn fails(
        &self,
        program: &Program,
        test: &WrittenTest,
        case: &TestCase,
        took: Duration,
        side: &Side<'_>,
    ) -> Result<String, String> {
        let limit = LEAST_LIMIT.max(took * 20);
        let mut done = self.run(program, Some(test), side, limit)?;
        // A busy machine is no hang.
        let was_waiting = done.cpu_seconds < limit.as_secs_f64() * 0.75;
        if done.ended == Ended::TimedOut && case.how != crate::outcome::How::Hang && was_waiting {
            done = self.run(program, Some(test), side, limit * 5)?;
        }
        done.failure().ok_or_else(|| PASSES.to_owned())
    }

    /// How the test of another mutant fails on this one, or that it does not: it may have no time to.
    pub(super) fn fails_soon(
        &self,
        program: &Program,
        test: &WrittenTest,
        took: Duration,
        side: &Side<'_>,
    ) -> Result<String, String> {
        let done = self.run_again(program, test, side, OTHERS_LIMIT.max(took * 20), "")?;
        match done.failure() {
            Some(how) if how != TIMED_OUT => Ok(how),
            Some(slow) => Err(slow),
            None => Err(PASSES.to_owned()),
        }
    }

    /// Runs one test, or all, in a process that is started for it.
    pub(super) fn run(
        &self,
        program: &Program,
        test: Option<&WrittenTest>,
        side: &Side<'_>,
        limit: Duration,
    ) -> Result<Ran, String> {
        let command = self.command(program, test, side);
        let done = self.run_confined(&command, side.flavor, limit);
        ran(done.map_err(|error| format!("the test can't be run: {error:#}"))?)
    }

    /// Runs one test, with choices made in a trial: a program that has run before is kept, and forks.
    pub(super) fn run_again(
        &self,
        program: &Program,
        test: &WrittenTest,
        side: &Side<'_>,
        limit: Duration,
        made: &str,
    ) -> Result<Ran, String> {
        let mut command = self.command(program, Some(test), side);
        if side.flavor == Flavor::Plain {
            let mut kept = program.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if matches!(*kept, Kept::NotYet) {
                *kept = self.keep(&command, program).map_or(Kept::Refuses, Kept::Resident);
            }
            if let Kept::Resident(resident) = &mut *kept {
                match resident.run(&command, &[(choices::MADE, made)], limit, &self.interrupted) {
                    Ok(done) => return ran(done),
                    Err(_) => *kept = Kept::Refuses,
                }
            }
        }
        command.env(choices::MADE, made);
        let done = self.run_confined(&command, side.flavor, limit);
        ran(done.map_err(|error| format!("the test can't be run: {error:#}"))?)
    }

    fn command(&self, program: &Program, test: Option<&WrittenTest>, side: &Side<'_>) -> Command {
        let mut command = Command::new(&program.path);
        command.env("GTEST_COLOR", "no").env_remove("GTEST_FILTER").env_remove(choices::MADE);
        if side.is_trial() {
            command.env("MALLOC_PERTURB_", FILLED);
        }
        if let Some(test) = test {
            let row = self.project.framework(side.file.case.language);
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

    /// Runs a test in the sandbox: its values are generated, so it may do anything.
    pub(super) fn run_confined(&self, command: &Command, flavor: Flavor, limit: Duration) -> Result<Finished> {
        let mut confinement = Confinement::new(Runs::Program, &self.scratch.join("own"))?;
        confinement.time = Some(limit * 4);
        if let Flavor::Sanitized(sanitizer) = flavor {
            confinement = confinement.under(sanitizer);
        }
        let done = run(&mut confined(command, &confinement)?, limit, &self.interrupted)?;
        let code = if let Ended::Itself(status) = done.ended { status.code() } else { None };
        refusal(code, done.stderr.as_bytes()).map_or(Ok(done), |why| Err(anyhow!(why)))
    }

    /// A program that stays, in the sandbox. Not without a file system of its own: its folder is emptied after each
    /// test.
    fn keep(&self, command: &Command, program: &Program) -> Option<Resident> {
        let library = self.builder.resident_library()?;
        let mut confinement = Confinement::new(Runs::Worker, &self.scratch.join("own")).ok()?;
        if confinement.guards.mounts == Mounts::None {
            return None;
        }
        confinement.time = Some(ORIGINAL_LIMIT * 4);
        let start = confined(command, &confinement).ok()?;
        Resident::start(start, &program.path, library, Some(&confinement.own)).ok()
    }
}

fn ran(done: Finished) -> Result<Ran, String> {
    if done.ended == Ended::Interrupted {
        return Err("interrupted".to_owned());
    }
    let cpu_seconds = done.cpu_seconds;
    Ok(Ran { ended: done.ended, cpu_seconds, said: format!("{}\n{}", done.stdout, done.stderr) })
}
