//! One compilation: the project's command for a file, adapted to a flavor, optionally with a mutated file in place of
//! the original.

use super::cache::{self, Cache};
use super::{Builder, CompileFailure, Compiler, FailureKind, Flavor, flags, prefix};
use crate::compdb::CompileCommand;
use crate::model::Language;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time limit of a compilation.
pub(super) const LIMIT: Duration = Duration::from_secs(120);
/// LAF makes standard library code ten times slower to compile.
const AFL_LIMIT: Duration = Duration::from_secs(900);

/// Variables that name folders to look for headers in.
pub(super) const SURROUNDINGS: [&str; 3] = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// One file to be compiled.
#[derive(Clone, Debug)]
pub struct CompileJob<'a> {
    /// The source file.
    pub source: PathBuf,
    /// The project's command for options, folder and language.
    pub command: &'a CompileCommand,
    /// Its flavor.
    pub flavor: Flavor,
    /// Options after all others.
    pub extra: Vec<String>,
    /// Files read in place of others: (original, mutated).
    pub overlay: Vec<(PathBuf, PathBuf)>,
    /// The headers that the file includes first, or might as well, which may be compiled apart.
    pub prefix: Vec<PathBuf>,
    /// A generated file: C++14 at least, with warnings (warnings of the project's code are not our concern).
    pub generated: bool,
}

impl<'a> CompileJob<'a> {
    /// A project file as the project compiles it, for `flavor`.
    pub fn project(command: &'a CompileCommand, flavor: Flavor) -> Self {
        Self {
            source: command.file.clone(),
            command,
            flavor,
            extra: Vec::new(),
            overlay: Vec::new(),
            prefix: Vec::new(),
            generated: false,
        }
    }

    /// A generated file, compiled with the options of `command`.
    pub fn generated(source: impl Into<PathBuf>, command: &'a CompileCommand, flavor: Flavor) -> Self {
        Self { source: source.into(), generated: true, ..Self::project(command, flavor) }
    }

    /// Adds options after all others.
    #[must_use]
    pub fn with(mut self, extra: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.extra.extend(extra.into_iter().map(Into::into));
        self
    }

    /// States that the file includes `header` first, behind those that were named before.
    #[must_use]
    pub fn beginning_with(mut self, header: impl Into<PathBuf>) -> Self {
        self.prefix.push(header.into());
        self
    }

    /// Whether the object is the same for every run on the project, wherever its output goes.
    fn serves_every_run(&self) -> bool {
        !self.generated && self.extra.is_empty() && self.overlay.is_empty() && self.source == self.command.file
    }

    /// Reads `mutated` in place of `original`; names and relative includes stay those of `original`.
    #[must_use]
    pub fn replacing(mut self, original: impl Into<PathBuf>, mutated: impl Into<PathBuf>) -> Self {
        self.overlay.push((original.into(), mutated.into()));
        self
    }
}

impl Builder {
    /// Compiles `job`, or takes the cached object.
    pub fn compile(&self, job: &CompileJob<'_>) -> Result<PathBuf, CompileFailure> {
        self.compile_in(&self.cache, job).map(|(object, _)| object)
    }

    /// As [`Builder::compile`] with another cache; gives the object, and by what the cache knows the command.
    pub(super) fn compile_in(&self, cache: &Cache, job: &CompileJob<'_>) -> Result<(PathBuf, String), CompileFailure> {
        let io = |error: std::io::Error| CompileFailure::tool(&job.source, error);
        let cxx = job.command.language == Language::Cxx;
        let (program, version) =
            self.compiler(job.flavor, cxx).map_err(|why| CompileFailure::tool(&job.source, why))?;
        if !job.command.directory.is_dir() {
            let gone = format!("its folder {} is gone", job.command.directory.display());
            return Err(CompileFailure::tool(&job.source, gone));
        }
        if !job.overlay.is_empty() && job.flavor.afl().is_some_and(|afl| afl.compiler == Compiler::Gcc) {
            let why = "gcc can't read a mutated file in the original's place; --compiler clang can";
            return Err(CompileFailure::tool(&job.source, why));
        }
        let args = self.arguments(job).map_err(io)?;
        let environment = job.flavor.environment();
        let mut parts: Vec<&[u8]> = vec![program.as_os_str().as_encoded_bytes(), version.as_bytes()];
        parts.extend(args.iter().map(|arg| arg.as_bytes()));
        parts.push(job.command.directory.as_os_str().as_encoded_bytes());
        parts.push(job.source.as_os_str().as_encoded_bytes());
        // The user's own, which the compiler reads.
        let looked_in = SURROUNDINGS.map(|name| std::env::var_os(name).unwrap_or_default());
        parts.extend(looked_in.iter().map(|folders| folders.as_encoded_bytes()));
        parts.extend(environment.iter().flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]));
        // The overlay is named by its content, but its content only names the mutated files.
        let mutated: Vec<String> =
            job.overlay.iter().map(|(_, mutated)| self.cache.digest(mutated).unwrap_or_default()).collect();
        parts.extend(mutated.iter().map(|digest| digest.as_bytes()));
        let key = cache::key(parts);
        if let Some(object) = cache.find(&key) {
            return Ok((object, key));
        }
        let users = self.store.as_ref().filter(|_| job.serves_every_run()).map(|store| &store.cache);
        if let Some(object) = users.and_then(|users| cache.take_from(users, &key)) {
            return Ok((object, key));
        }
        let (object, depfile) = (cache.scratch("o"), cache.scratch("d"));
        let compile = |args: &[String], limit| self.compile_tolerantly(&program, args, job, &object, &depfile, limit);
        let done = if let Some(precompiled) = self.precompiled(job) {
            // Not part of the key: the object is the same, and so is the list of what was read for it.
            let quick = args.iter().chain(&precompiled).cloned().collect::<Vec<_>>();
            compile(&quick, LIMIT).or_else(|failure| {
                if !prefix::may_be_why(job, &failure) {
                    return Err(failure);
                }
                compile(&args, LIMIT).inspect(|()| self.prefixes.forget(&precompiled[1]))
            })
        } else if job.flavor.afl().is_none() {
            compile(&args, LIMIT)
        } else {
            compile(&args, self.afl_optimised_limit).or_else(|failure| match failure.kind {
                FailureKind::TimedOut => {
                    let unoptimised = flags::UNOPTIMISED.iter().map(|flag| flag.to_string());
                    compile(&args.iter().cloned().chain(unoptimised).collect::<Vec<_>>(), AFL_LIMIT)
                }
                _ => Err(failure),
            })
        };
        let listed = std::fs::read_to_string(&depfile).unwrap_or_default();
        let _ = std::fs::remove_file(&depfile);
        if let Err(failure) = done {
            let _ = std::fs::remove_file(&object);
            return Err(failure);
        }
        let mut read = cache::dependencies(&listed, &job.command.directory);
        if read.is_empty() {
            read.push(job.source.clone());
        }
        let kept = cache.keep(&key, &read, &object).map_err(io)?;
        // A store that is full or damaged costs other runs their time, and this one nothing.
        users.and_then(|users| users.take_from(cache, &key));
        Ok((kept, key))
    }

    /// Compiles, and repeats without options that the compiler does not know (mostly gcc's).
    pub(super) fn compile_tolerantly(
        &self,
        program: &Path,
        args: &[String],
        job: &CompileJob<'_>,
        object: &Path,
        depfile: &Path,
        limit: Duration,
    ) -> Result<(), CompileFailure> {
        let mut tries = 4;
        loop {
            let known = self.refused.lock().map(|refused| refused.clone()).unwrap_or_default();
            let mut command = Command::new(program);
            command.current_dir(&job.command.directory).envs(job.flavor.environment());
            if args.iter().any(|arg| arg == flags::UNOPTIMISED[0]) {
                // Otherwise afl-cc appends its own -O3.
                command.env("AFL_DONT_OPTIMIZE", "1");
            }
            command.args(args.iter().filter(|arg| !flags::is_refused(arg, &known)));
            command.arg("-MD").arg("-MF").arg(depfile).arg("-c").arg(&job.source).arg("-o").arg(object);
            let failure = match self.run(&job.source, &mut command, limit) {
                Ok(_) => return Ok(()),
                Err(failure) => failure,
            };
            let new: Vec<String> = flags::refused(&failure.stderr).into_iter().filter(|o| !known.contains(o)).collect();
            tries -= 1;
            if failure.kind != FailureKind::Refused || new.is_empty() || tries == 0 {
                return Err(failure);
            }
            if let Ok(mut refused) = self.refused.lock() {
                refused.extend(new);
            }
        }
    }

    /// All options except input, output and dependency file.
    pub(super) fn arguments(&self, job: &CompileJob<'_>) -> std::io::Result<Vec<String>> {
        let cxx = job.command.language == Language::Cxx;
        let mut args = vec!["-x".to_string(), if cxx { "c++" } else { "c" }.to_string()];
        args.extend(flags::standard(job.command, job.generated).map(|standard| format!("-std={standard}")));
        args.extend(flags::kept(job.command, job.flavor));
        args.extend(flags::added(job.flavor, &self.ignorelist));
        if job.generated {
            args.extend(["-Wall", "-Wextra"].map(String::from));
        } else {
            args.push("-w".into());
        }
        if job.flavor.afl().is_none_or(|afl| afl.compiler == Compiler::Clang) {
            args.push("-Qunused-arguments".into());
            args.extend(flags::LENIENT.iter().map(|flag| flag.to_string()));
        }
        if !job.overlay.is_empty() {
            let overlay = self.cache.file(overlay(&job.overlay)?.as_bytes(), "yaml")?;
            args.extend(["-ivfsoverlay".into(), overlay.display().to_string()]);
        }
        args.extend(job.extra.iter().cloned());
        Ok(args)
    }
}

/// clang's virtual file system overlay that shows each mutated file under the original's name.
fn overlay(pairs: &[(PathBuf, PathBuf)]) -> std::io::Result<String> {
    let mut roots = Vec::new();
    for (original, mutated) in pairs {
        let mutated = std::path::absolute(mutated)?;
        // A file may be reached through a symbolic link as well as by its real name.
        let mut names = vec![std::path::absolute(original)?];
        names.extend(original.canonicalize().ok().filter(|real| *real != names[0]));
        for name in names {
            roots.push(serde_json::json!({
                "type": "file", "name": name, "external-contents": mutated,
            }));
        }
    }
    // With `use-external-names` off, __FILE__, messages and relative includes see the original's name. JSON is YAML.
    let overlay = serde_json::json!({
        "version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": roots,
    });
    Ok(overlay.to_string())
}
