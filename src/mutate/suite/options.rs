//! The project, and the user's options.

use crate::compdb::Database;
use crate::model::Model;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The limit of the tests for a mutant, as a multiple of their time on the original.
pub(super) const TIMES: u32 = 5;

/// The user's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteOptions {
    /// The shell command that runs the tests, at the root of the (copied) project.
    pub test_command: String,
    /// The shell command that configures and builds, at the same place; without it, the build folder must be CMake's.
    pub build_command: Option<String>,
    /// The time limit of the tests for a mutant; without it, five times their time on the original, and at least five
    /// seconds.
    pub timeout: Option<Duration>,
    /// Local workers.
    pub jobs: usize,
    /// For a run that stops early: the number of mutants that is likely enough, and built at a time. Results come in
    /// the given order; otherwise mutants that need a build of their own come last.
    pub enough: Option<usize>,
}

/// The project.
pub struct Project<'a> {
    /// Its root, absolute.
    pub root: &'a Path,
    /// The output folder; copies, logs and the journal are in `suite` below it.
    pub output: &'a Path,
    /// How it compiles.
    pub database: &'a Database,
    /// Its code.
    pub model: &'a Model,
    /// Set by Ctrl-C.
    pub interrupted: &'a AtomicBool,
}
