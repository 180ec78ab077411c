//! A file of tests that is built, and one side of a proof.

use super::Program;
use crate::build::{Flavor, ProjectObjects};
use crate::compdb::CompileCommand;
use crate::emit::write::{TestFile, WrittenTest};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A part of the program has no instrumentation, so that of containers, and of what is defined twice, nothing can be
/// said. Memory that is given back in another way than it was taken, or is not there, is no business of a test's.
const OPTIONS: &str = "detect_leaks=0:symbolize=0:detect_container_overflow=0:detect_odr_violation=0:\
                       alloc_dealloc_mismatch=0:allocator_may_return_null=1";

/// The input of both sides of a proof.
pub(in crate::emit) struct Side<'s> {
    pub(super) file: &'s TestFile<'s>,
    pub(super) command: &'s CompileCommand,
    pub(super) source: &'s Path,
    pub(super) headers: Vec<PathBuf>,
    pub(super) flavor: Flavor,
    pub(super) folder: &'s Path,
    pub(super) purpose: Purpose,
}

/// What a program of tests is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Proof,
    /// It has a `main` of its own, and no framework.
    Question,
    /// It finds out what a test can do without: what nothing was written to is filled, so that no test passes by what
    /// happens to be there. `quick`: compiled without optimisation, whatever the project's flags say.
    Trial {
        quick: bool,
    },
    /// It looks under a sanitizer at tests on the original that are proved.
    Check {
        quick: bool,
    },
}

/// A file of tests as it is compiled.
pub(super) struct TestText<'f> {
    pub(super) file: &'f TestFile<'f>,
    pub(super) command: &'f CompileCommand,
    pub(super) folder: PathBuf,
    pub(super) source: PathBuf,
    pub(super) headers: Vec<PathBuf>,
}

/// A file of tests that has run on the original, for mutants to meet.
pub(super) struct Ready<'f> {
    pub(super) text: TestText<'f>,
    pub(super) original: Program,
    /// The project's.
    pub(super) objects: Arc<ProjectObjects>,
    /// Each once, with how long it takes on the original, or why it does not pass there.
    pub(super) tests: Vec<(&'f WrittenTest, Result<Duration, String>)>,
}

impl Side<'_> {
    pub(super) fn is_trial(&self) -> bool {
        matches!(self.purpose, Purpose::Trial { .. })
    }

    /// What AddressSanitizer is told.
    pub(super) fn asan_options(&self) -> &'static str {
        // A kill that only the sanitizer sees has all of the program instrumented.
        if self.file.case.sanitizer.is_none() { OPTIONS } else { "detect_leaks=0:symbolize=0" }
    }
}

impl TestText<'_> {
    /// As one side of a proof, whose programs are in `folder`.
    pub(super) fn side<'s>(&'s self, folder: &'s Path) -> Side<'s> {
        Side {
            file: self.file,
            command: self.command,
            source: &self.source,
            headers: self.headers.clone(),
            flavor: flavor(self.file),
            folder,
            purpose: Purpose::Proof,
        }
    }
}

pub(super) fn flavor(file: &TestFile<'_>) -> Flavor {
    file.case.sanitizer.map_or(Flavor::Plain, Flavor::Sanitized)
}

/// Makes what no proof rests on without optimisation where that pays: what a test includes of the project is
/// compiled anew each time, and optimising it takes ten times as long. With optimisation where it fails so: inline
/// functions of C that nothing defines.
pub(super) fn quickly<T>(file: &TestFile<'_>, make: impl Fn(bool) -> Result<T>) -> Result<T> {
    let quick = file.case.source_include.is_some().then(|| make(true).ok()).flatten();
    quick.map_or_else(|| make(false), Ok)
}
