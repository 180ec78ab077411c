//! Building: the project's compile commands turned into ours, objects cached by content, units linked.
//!
//! The project's files are compiled once per [`Flavor`]; a unit is linked from its driver and an archive of the
//! rest of the project.

mod cache;
mod compile;
mod elf;
mod flags;
mod flavor;
mod link;
mod linker;
mod missing;
mod prefix;
mod probe;
mod project;
pub mod recorded;
pub mod run;
mod warm;

pub use compile::CompileJob;
pub use flavor::{AflFlavor, Compiler, Coverage, Flavor, Sanitizer};
pub(crate) use link::WRAPPED;
pub use link::{Libraries, Linked};
pub use missing::source_for_tests;
pub use probe::gcc_version;
pub use project::{ProjectObjects, in_parallel};
pub use warm::outstanding_seconds;

use crate::diag::Problem;
use crate::tools::{Afl, Clang, Toolchain};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

thread_local! {
    static THREAD_CPU_SECONDS: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Compiles and links; shared by all threads.
#[derive(Debug)]
pub struct Builder {
    clang: Clang,
    afl: Option<Afl>,
    ar: PathBuf,
    linker: Option<linker::FastLinker>,
    cache: cache::Cache,
    ignorelist: PathBuf,
    jobs: usize,
    interrupted: Arc<AtomicBool>,
    cpu_microseconds: AtomicU64,
    /// Options that a compiler has refused, so that they are left out from then on.
    refused: Mutex<BTreeSet<String>>,
    /// Variables of a thread that nobody defines.
    threads: Mutex<BTreeSet<String>>,
    prefixes: prefix::Prefixes,
    warm: warm::Warm,
    /// What AFL++'s optimiser may take over one file.
    afl_optimised_limit: Duration,
}

/// A compilation or a link that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileFailure {
    /// What was being built: a source file, or a binary.
    pub what: PathBuf,
    /// How it failed.
    pub kind: FailureKind,
    /// The first error as the compiler or the linker says it.
    pub first_error: String,
    /// All that it said.
    pub stderr: String,
    /// The command, for the log; not for a shell.
    pub command: Vec<String>,
}

/// How a compilation or a link failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The code is not accepted.
    Refused,
    /// It took too long.
    TimedOut,
    /// The user interrupted it.
    Interrupted,
    /// The compiler could not be run, or its files not be written.
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
    /// A builder with the best clang of `tools`, whose objects are kept in `cache`.
    pub fn new(tools: &Toolchain, cache: &Path, jobs: usize, interrupted: Arc<AtomicBool>) -> Result<Self, Problem> {
        let unwritable = |error: std::io::Error| {
            let fix = "choose another output folder with -o, or make it writable";
            Problem::usage("cache-unwritable", format!("the build cache can't be written: {error}"), fix).at(cache)
        };
        let ar = tools.ar.clone().ok_or_else(|| {
            Problem::tool(
                "ar-missing",
                "`ar` was not found; it packs the project's objects",
                "apt-get install binutils",
            )
        })?;
        let clang = tools.clang()?.clone();
        let cache = cache::Cache::open(cache).map_err(unwritable)?;
        let placeholder = cache.file(b"", "o").map_err(unwritable)?;
        let linker = tools.linker.clone().map(|program| linker::FastLinker::new(program, placeholder));
        Ok(Self {
            clang,
            afl: tools.afl.clone(),
            ar,
            linker,
            ignorelist: cache.file(flags::IGNORELIST.as_bytes(), "txt").map_err(unwritable)?,
            cache,
            jobs: jobs.max(1),
            interrupted,
            cpu_microseconds: AtomicU64::new(0),
            threads: Mutex::default(),
            refused: Mutex::default(),
            prefixes: prefix::Prefixes::default(),
            warm: warm::Warm::default(),
            afl_optimised_limit: compile::AFL_OPTIMISED_LIMIT,
        })
    }

    /// With no compiler or linker standing by, for measuring.
    #[must_use]
    pub fn starting_each_anew(mut self) -> Self {
        self.warm = warm::Warm::never();
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

    /// How many compilations run at a time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// CPU seconds that compilers and linkers started by the calling thread, and by threads that it waited for in
    /// [`Builder::in_parallel`], have used since it was last asked.
    pub fn thread_cpu_seconds(&self) -> f64 {
        THREAD_CPU_SECONDS.with(|seconds| seconds.take())
    }

    /// Adds to what [`Builder::thread_cpu_seconds`] tells the calling thread next.
    pub(crate) fn add_thread_cpu_seconds(&self, more: f64) {
        THREAD_CPU_SECONDS.with(|seconds| seconds.set(seconds.get() + more));
    }

    /// CPU seconds that compilers and linkers have used so far.
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

    /// Whether a program is called so often, and does so little each time, that it pays to have it stand by.
    fn stands_by(&self, program: &Path) -> bool {
        let linker = self.linker.as_ref().map(linker::FastLinker::program);
        program == self.clang.clang || program == self.clang.clangxx || linker == Some(program)
    }

    /// What makes a program stand by; none where it does not build.
    fn warm_library(&self) -> Option<PathBuf> {
        let name = cache::key([warm::SOURCE.as_bytes(), self.clang.version.as_bytes()]);
        let library = self.cache.result(&name, "so");
        if !library.is_file() {
            let (file, draft) = (self.cache.file(warm::SOURCE.as_bytes(), "c").ok()?, self.cache.scratch("so"));
            let mut command = Command::new(&self.clang.clang);
            command.args(["-w", "-fPIC", "-O1", "-shared"]).arg(file).arg("-o").arg(&draft).arg("-ldl");
            let done = run::run(&mut command, compile::LIMIT, &self.interrupted).ok()?;
            self.count(&done);
            done.success().then(|| std::fs::rename(draft, &library))?.ok()?;
        }
        Some(library)
    }

    fn count(&self, done: &run::Finished) {
        self.cpu_microseconds.fetch_add((done.cpu_seconds * 1e6) as u64, Ordering::Relaxed);
        self.add_thread_cpu_seconds(done.cpu_seconds);
    }

    /// Runs a compiler, an archiver or a linker on behalf of `what`.
    fn run(&self, what: &Path, command: &mut Command, limit: Duration) -> Result<run::Finished, CompileFailure> {
        // Messages are read by us: no translation, no colours.
        command.env("LC_ALL", "C").env_remove("CLICOLOR_FORCE");
        let words = || {
            let program = std::iter::once(command.get_program());
            program.chain(command.get_args()).map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let (words, program) = (words(), command.get_program().to_string_lossy().into_owned());
        let standing_by = self
            .stands_by(Path::new(command.get_program()))
            .then(|| self.warm.run(command, limit, &self.interrupted, || self.warm_library()));
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
        Err(CompileFailure { what: what.to_path_buf(), kind, first_error, stderr: done.stderr, command: words })
    }
}

/// The first line that is an error, else the first that says anything.
fn first_error(stderr: &str, status: std::process::ExitStatus) -> String {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| {
        let says = |words: &str| line.contains(words);
        // A linker also warns of what the loading program provides.
        !says("warning:") && (says("error:") || says("undefined reference") || says("multiple definition"))
    };
    lines()
        .find(telling)
        .or_else(|| lines().next())
        .map_or_else(|| format!("the compiler ended with {status}"), str::to_string)
}

#[cfg(test)]
mod tests;
