//! The runtime that is compiled into every driver and worker, and building the worker.

use crate::build::store::Store;
use crate::diag::Problem;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

macro_rules! runtime {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/", $name)))),*]
    };
}

/// The runtime's files by name: `motif.h` and `motif.hpp` are what drivers include.
pub const RUNTIME: &[(&str, &str)] = runtime![
    "motif.h",
    "motif.hpp",
    "motif_take.hpp",
    "motif_observe.hpp",
    "keeper.hpp",
    "prefix.hpp",
    "motif_internal.h",
    "motif_pattern.h",
    "motif_probe.h",
    "motif_solver.h",
    "solver/motif.hpp",
    "solver/keeper.hpp",
    "motif.c",
    "differences.c",
    "shared.h",
    "confine.h",
    "worker.hpp",
    "mutation.hpp",
    "worker.cpp",
    "fuzz.cpp",
    "guard.cpp",
    "heap.cpp",
    "mutator.cpp",
    "as_compared.cpp",
    "following.cpp",
    "comparisons.cpp",
    "texts.cpp",
    "choices.cpp",
    "endings.cpp",
    "discoveries.cpp",
    "minimize.cpp",
    "probes.cpp",
    "replay.cpp",
    "seeds.cpp",
    "reports.cpp",
    "compare.cpp",
    "exhaust.cpp",
    "state.cpp",
    "surroundings.cpp",
    "thread_values.cpp",
    "waiting.cpp",
    "printed.cpp",
];

/// Writes the runtime into `dir`; identical files are left alone.
pub fn write_runtime(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
    for (name, text) in RUNTIME {
        let path = dir.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            continue;
        }
        let dir = path.parent().unwrap_or(dir);
        fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
        // Renamed into place: a compiler of another thread or run may be reading it.
        let written = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(dir)
            .and_then(|mut draft| draft.write_all(text.as_bytes()).map(|()| draft))
            .and_then(|draft| draft.persist(&path).map_err(|error| error.error));
        written.with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// The header that every C++ driver includes first: in the user's store, where it is precompiled for all runs, else in
/// `runtime`.
pub fn prefix(store: Option<&Store>, runtime: &Path) -> PathBuf {
    let is_header = |name: &str| !name.contains('/') && (name.ends_with(".h") || name.ends_with(".hpp"));
    let headers: Vec<(&str, &str)> = RUNTIME.iter().copied().filter(|(name, _)| is_header(name)).collect();
    let kept = store.and_then(|store| store.files(&headers).ok());
    kept.as_deref().unwrap_or(runtime).join("prefix.hpp")
}

/// The tools that build a worker.
#[derive(Clone, Debug)]
pub struct WorkerTools {
    /// The C compiler.
    pub clang: PathBuf,
    /// The C++ compiler of the same version.
    pub clangxx: PathBuf,
    /// `libclang_rt.fuzzer_no_main*.a` of the same version.
    pub fuzzer: PathBuf,
    /// More flags for compiling and linking, such as `-fsanitize=address`.
    pub flags: Vec<String>,
}

/// The worker's folder below `cache`; the same tools give the same folder.
pub(super) fn worker_folder(tools: &WorkerTools, cache: &Path) -> PathBuf {
    let mut hash = Sha256::new();
    for (name, text) in RUNTIME {
        hash.update(name);
        hash.update([0]);
        hash.update(text);
        hash.update([0]);
    }
    for tool in [&tools.clang, &tools.clangxx, &tools.fuzzer] {
        hash.update(tool.as_os_str().as_encoded_bytes());
        // A compiler that was upgraded in place counts as another one.
        if let Ok(data) = fs::metadata(tool) {
            hash.update(data.len().to_le_bytes());
            hash.update(data.mtime().to_le_bytes());
        }
    }
    for flag in &tools.flags {
        hash.update(flag);
        hash.update([0]);
    }
    let key: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    cache.join(format!("worker-{key}"))
}

/// Builds the worker into the folder `cache`, or finds it there.
///
/// # Errors
///
/// It does not build, or the folder cannot be written to.
pub fn build_worker(tools: &WorkerTools, cache: &Path) -> Result<PathBuf> {
    let dir = worker_folder(tools, cache);
    let worker = dir.join("worker");
    if worker.is_file() {
        return Ok(worker);
    }
    // Built aside and renamed into place, so that parallel threads and runs never see half a worker.
    fs::create_dir_all(cache).map_err(|error| unwritable(cache, &error))?;
    let mut prefix = dir.file_name().unwrap_or_default().to_os_string();
    prefix.push(".");
    let aside = tempfile::Builder::new()
        .prefix(&prefix)
        .permissions(Permissions::from_mode(0o777))
        .tempdir_in(cache)
        .map_err(|error| unwritable(cache, &error))?;
    let folder = aside.path();
    write_runtime(folder)?;
    let sources: Vec<&str> =
        RUNTIME.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".h") && !name.ends_with(".hpp")).collect();
    std::thread::scope(|scope| -> Result<()> {
        let jobs: Vec<_> = sources.iter().map(|source| scope.spawn(|| compile(tools, folder, source))).collect();
        for job in jobs {
            job.join().map_err(|_| anyhow::anyhow!("a compile job ended without a result"))??;
        }
        Ok(())
    })?;
    let mut args: Vec<OsString> = tools.flags.iter().map(OsString::from).collect();
    args.push("-rdynamic".into());
    args.extend(sources.iter().map(|source| folder.join(format!("{source}.o")).into_os_string()));
    args.push(tools.fuzzer.clone().into_os_string());
    args.extend(["-ldl", "-lpthread", "-lm", "-o"].map(OsString::from));
    args.push(folder.join("worker").into_os_string());
    run(&tools.clangxx, &args)?;
    // If another one was faster, this folder is deleted with its name.
    let moved = fs::rename(folder, &dir);
    if worker.is_file() {
        return Ok(worker);
    }
    Err(unwritable(cache, &moved.err().unwrap_or_else(|| std::io::ErrorKind::NotFound.into())))
}

fn unwritable(cache: &Path, error: &std::io::Error) -> anyhow::Error {
    Problem::tool(
        "worker-build",
        format!("the search worker could not be put into the cache: {error}"),
        "check that the output folder can be written to",
    )
    .at(cache)
    .into()
}

fn compile(tools: &WorkerTools, dir: &Path, source: &str) -> Result<()> {
    let (compiler, standard) =
        if source.ends_with(".c") { (&tools.clang, "-std=c11") } else { (&tools.clangxx, "-std=c++17") };
    let mut args: Vec<OsString> = [standard, "-O2", "-fPIC"].map(OsString::from).into();
    args.extend(tools.flags.iter().map(OsString::from));
    if tools.flags.iter().any(|flag| flag.starts_with("-fsanitize=")) {
        args.push("-DMOTIF_SANITIZER".into());
    }
    args.push("-c".into());
    args.push(dir.join(source).into_os_string());
    args.push("-o".into());
    args.push(dir.join(format!("{source}.o")).into_os_string());
    run(compiler, &args)
}

fn run(program: &Path, args: &[OsString]) -> Result<()> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).output().map_err(|error| {
        Problem::tool("worker-build", format!("cannot run the compiler: {error}"), "see `motif-cpp doctor`").at(program)
    })?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    // The linker's own messages come before clang's summary; a full disk must be recognised.
    let says = |words: &str| message.lines().find(|line| line.contains(words));
    let first = says("No space left on device")
        .or_else(|| says("error"))
        .or_else(|| message.lines().next())
        .unwrap_or("no message");
    Err(Problem::tool(
        "worker-build",
        format!("the search worker does not build: {first}"),
        "see `motif-cpp doctor`; clang 14 or newer with its compiler-rt is needed",
    )
    .at(program)
    .into())
}
