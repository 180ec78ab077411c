//! Building: adapts the project's compile commands, caches objects by content, links units.
//!
//! The project's files are compiled once per [`Flavor`]; a unit is linked from its driver and an archive of the rest
//! of the project.

mod answers;
mod cache;
mod compile;
mod compiler_server;
mod definers;
mod elf;
mod flags;
mod flavor;
mod installed;
mod link;
mod linker;
mod missing;
mod own_build;
mod prefix;
mod prefixes;
mod preprocess;
mod probe;
mod project;
pub mod recorded;
mod resident;
pub mod run;
pub mod store;
mod what_links;

pub use answers::Answers;
pub use compile::CompileJob;
pub use flags::standard;
pub use flavor::{AflFlavor, Compiler, Coverage, Flavor, Sanitizer};
pub(crate) use link::WRAPPED;
pub use link::{Libraries, Linked};
pub use missing::source_for_tests;
pub use own_build::OwnBuild;
pub use preprocess::preprocess;
pub use probe::gcc_version;
pub use project::{ProjectObjects, in_parallel};
pub use resident::{Resident, outstanding_seconds};
pub use what_links::WhatLinks;

use crate::diag::Problem;
use crate::tools::{Afl, Clang, Toolchain};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// LAF turns a comparison of wide numbers into dozens of branches, over which an optimiser can sit for minutes or
/// for ever. What takes longer is compiled without optimisation: most of an input's time goes into its process.
const AFL_OPTIMISED_LIMIT: Duration = Duration::from_secs(20);

/// No compilation of a single file should take longer.
const LIMIT: Duration = Duration::from_secs(120);

thread_local! {
    static THREAD_CPU_SECONDS: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Compiles and links; shared by all threads.
#[derive(Debug)]
pub struct Builder {
    clang: Clang,
    afl: Option<Afl>,
    linker: Option<linker::FastLinker>,
    cache: cache::Cache,
    store: Option<Arc<store::Store>>,
    ignorelist: PathBuf,
    jobs: usize,
    interrupted: Arc<AtomicBool>,
    /// Compilations that ended as they might not have ended at another time: out of memory, disk or time.
    failed_by_chance: AtomicU64,
    cpu_microseconds: AtomicU64,
    /// Options that a compiler has refused; they are left out from then on.
    refused: Mutex<BTreeSet<String>>,
    /// Undefined thread-local variables.
    threads: Mutex<BTreeSet<String>>,
    prefixes: prefixes::Prefixes,
    warm: compiler_server::CompilerServer,
    /// The time limit of AFL++'s optimiser per file.
    afl_optimised_limit: Duration,
}

/// A failed compilation or link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileFailure {
    /// The source file or binary.
    pub what: PathBuf,
    /// The kind of failure.
    pub kind: FailureKind,
    /// The first error message of compiler or linker.
    pub first_error: String,
    /// The whole output.
    pub stderr: String,
    /// The command, for the log; not for a shell.
    pub command: Vec<String>,
}

/// The kind of a compile or link failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The code does not compile or link.
    Refused,
    /// It took too long.
    TimedOut,
    /// The user interrupted it.
    Interrupted,
    /// The compiler could not be run, or its files could not be written.
    Tool,
}

impl CompileFailure {
    pub(crate) fn tool(what: &Path, error: impl fmt::Display) -> Self {
        Self {
            what: what.to_path_buf(),
            kind: FailureKind::Tool,
            first_error: error.to_string(),
            stderr: String::new(),
            command: Vec::new(),
        }
    }
}

impl fmt::Display for CompileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not build: {}", self.what.display(), self.first_error)
    }
}

impl std::error::Error for CompileFailure {}

impl Builder {
    /// A builder with the best clang of `tools`; objects are cached in `cache`.
    pub fn new(tools: &Toolchain, cache: &Path, jobs: usize, interrupted: Arc<AtomicBool>) -> Result<Self, Problem> {
        let unwritable = |error: std::io::Error| {
            let fix = "choose another output folder with -o, or make it writable";
            Problem::usage("cache-unwritable", format!("the build cache can't be written: {error}"), fix).at(cache)
        };
        let clang = tools.clang()?.clone();
        let cache = cache::Cache::open(cache).map_err(unwritable)?;
        let placeholder = cache.file(b"", "o").map_err(unwritable)?;
        let linker = tools.linker.clone().map(|program| linker::FastLinker::new(program, placeholder));
        Ok(Self {
            clang,
            afl: tools.afl.clone(),
            linker,
            ignorelist: cache.file(flags::IGNORELIST.as_bytes(), "txt").map_err(unwritable)?,
            cache,
            store: None,
            jobs: jobs.max(1),
            interrupted,
            cpu_microseconds: AtomicU64::new(0),
            failed_by_chance: AtomicU64::new(0),
            threads: Mutex::default(),
            refused: Mutex::default(),
            prefixes: prefixes::Prefixes::default(),
            warm: compiler_server::CompilerServer::default(),
            afl_optimised_limit: AFL_OPTIMISED_LIMIT,
        })
    }

    /// Uses the store that all runs of the user share.
    #[must_use]
    pub fn sharing(mut self, store: Option<Arc<store::Store>>) -> Self {
        // By one name for all runs, as it stands among the options.
        if let Some(list) = store.as_ref().and_then(|store| store.cache.file(flags::IGNORELIST.as_bytes(), "txt").ok())
        {
            store::used(&list);
            self.ignorelist = list;
        }
        self.store = store;
        self
    }

    /// What is kept for the user's other runs.
    pub fn store(&self) -> Option<&store::Store> {
        self.store.as_deref()
    }

    /// Without resident compilers and linkers, for measuring.
    #[must_use]
    pub fn starting_each_anew(mut self) -> Self {
        self.warm = compiler_server::CompilerServer::never();
        self
    }

    /// With another limit, for tests that need not wait for an optimiser.
    #[cfg(test)]
    pub(crate) fn optimising_at_most(mut self, limit: Duration) -> Self {
        self.afl_optimised_limit = limit;
        self
    }

    /// The clang that compiles everything but AFL++'s flavors.
    pub fn clang(&self) -> &Clang {
        &self.clang
    }

    /// The number of parallel compilations.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// CPU seconds of compilers and linkers, started by this thread and by threads that it waited for in
    /// [`Builder::in_parallel`], since the last call.
    pub fn thread_cpu_seconds(&self) -> f64 {
        THREAD_CPU_SECONDS.with(|seconds| seconds.take())
    }

    /// Adds to the next result of [`Builder::thread_cpu_seconds`] in this thread.
    pub(crate) fn add_thread_cpu_seconds(&self, more: f64) {
        THREAD_CPU_SECONDS.with(|seconds| seconds.set(seconds.get() + more));
    }

    /// CPU seconds of compilers and linkers so far.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu_microseconds.load(Ordering::Relaxed) as f64 / 1e6
    }

    /// The compiler of a flavor, and its version for the cache.
    fn compiler(&self, flavor: Flavor, cxx: bool) -> Result<(PathBuf, String), String> {
        let Some(wanted) = flavor.afl() else {
            let program = if cxx { &self.clang.clangxx } else { &self.clang.clang };
            return Ok((program.clone(), self.clang.version.clone()));
        };
        let afl = self.afl.as_ref().ok_or("AFL++ is not installed")?;
        let (pair, version) = match wanted.compiler {
            Compiler::Clang => (afl.clang.as_ref(), afl.clang_version().unwrap_or_default()),
            Compiler::Gcc => (afl.gcc(), "gcc"),
        };
        let (c, cxx_compiler) =
            pair.ok_or_else(|| format!("this AFL++ has no working compiler for {}", wanted.compiler))?;
        let program = if cxx { cxx_compiler } else { c };
        Ok((program.clone(), format!("{} {version}", afl.version())))
    }

    /// Whether a program is called so often, for so little work, that keeping it resident pays.
    fn stands_by(&self, program: &Path) -> bool {
        let linker = self.linker.as_ref().map(linker::FastLinker::program);
        program == self.clang.clang || program == self.clang.clangxx || linker == Some(program)
    }

    /// The library that keeps programs resident; `None` where nothing is kept so.
    pub fn resident_library(&self) -> Option<&Path> {
        self.warm.library(|| {
            let name = cache::key([resident::SOURCE.as_bytes(), self.clang.version.as_bytes()]);
            let cache = self.store.as_ref().map_or(&self.cache, |store| &store.cache);
            if let Some(library) = cache.find(&name) {
                cache.used(&name, &library);
                return Some(library);
            }
            let (file, draft) = (cache.file(resident::SOURCE.as_bytes(), "c").ok()?, cache.scratch("so"));
            let mut command = Command::new(&self.clang.clang);
            command.args(["-w", "-fPIC", "-O1", "-shared"]).arg(file).arg("-o").arg(&draft).arg("-ldl");
            let done = run::run(&mut command, LIMIT, &self.interrupted).ok()?;
            self.count(&done);
            done.success().then(|| cache.keep(&name, &[], &draft))?.ok()
        })
    }

    fn count(&self, done: &run::Finished) {
        self.cpu_microseconds.fetch_add((done.cpu_seconds * 1e6) as u64, Ordering::Relaxed);
        self.add_thread_cpu_seconds(done.cpu_seconds);
    }

    /// Runs a compiler, an archiver or a linker on behalf of `what`.
    fn run(&self, what: &Path, command: &mut Command, limit: Duration) -> Result<run::Finished, CompileFailure> {
        // We parse the messages: no translation, no colours.
        command.env("LC_ALL", "C").env_remove("CLICOLOR_FORCE");
        let words = || {
            let program = std::iter::once(command.get_program());
            program.chain(command.get_args()).map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let (words, program) = (words(), command.get_program().to_string_lossy().into_owned());
        let standing_by = self
            .stands_by(Path::new(command.get_program()))
            .then(|| self.warm.run(command, limit, &self.interrupted, || self.resident_library()));
        let done = match standing_by.flatten() {
            Some(done) => done,
            None => run::run(command, limit, &self.interrupted)
                .map_err(|error| CompileFailure::tool(what, format!("{program} can't be run: {error}")))?,
        };
        self.count(&done);
        let (kind, first_error) = match done.ended {
            run::Ended::Itself(status) if status.success() => return Ok(done),
            run::Ended::Itself(status) => (FailureKind::Refused, first_error(&done.stderr, status)),
            run::Ended::TimedOut => {
                (FailureKind::TimedOut, format!("{program} took longer than {} s", limit.as_secs()))
            }
            run::Ended::Interrupted => (FailureKind::Interrupted, "interrupted".to_string()),
        };
        let is_by_chance = match done.ended {
            run::Ended::Itself(status) => {
                status.code().is_none() || BY_CHANCE.iter().any(|why| done.stderr.contains(why))
            }
            run::Ended::TimedOut | run::Ended::Interrupted => true,
        };
        self.failed_by_chance.fetch_add(u64::from(is_by_chance), Ordering::Relaxed);
        Err(CompileFailure { what: what.to_path_buf(), kind, first_error, stderr: done.stderr, command: words })
    }
}

/// What compilers say where the machine is why they failed.
const BY_CHANCE: [&str; 3] = ["unable to execute command", "No space left on device", "out of memory"];

/// The first line with an error, else the first non-empty line.
fn first_error(stderr: &str, status: std::process::ExitStatus) -> String {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| {
        let says = |words: &str| line.contains(words);
        // A linker also warns about symbols of the loading program.
        !says("warning:") && (says("error:") || says("undefined reference") || says("multiple definition"))
    };
    lines()
        .find(telling)
        .or_else(|| lines().next())
        .map_or_else(|| format!("the compiler ended with {status}"), str::to_string)
}

#[cfg(test)]
mod tests;
