//! What the suite works on, and what the user asked for.

use crate::compdb::Database;
use crate::model::Model;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// So many times as long as for the original the tests may take for a mutant.
pub(super) const TIMES: u32 = 5;

/// What the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteOptions {
    /// What runs the tests, a shell command at the root of the (copied) project.
    pub test_command: String,
    /// What configures and builds, a shell command at the same place; without it, the build folder must be CMake's.
    pub build_command: Option<String>,
    /// How long the tests may take for a mutant; without it, five times what they take for the original, and at least
    /// five seconds.
    pub timeout: Option<Duration>,
    /// Local workers.
    pub jobs: usize,
    /// For whom stops early: so many mutants are likely enough, and more are not built at a time. They are told of in
    /// the order they are given in; otherwise those that need a build of their own come last.
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
