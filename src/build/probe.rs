//! Compilations without a cached object: whether a file compiles, its assembly, and its dependencies.

use super::answers::Answers;
use super::compile::SURROUNDINGS;
use super::{Builder, CompileFailure, CompileJob, Flavor, cache, flags};
use crate::compdb::{CompileCommand, DEFERS_BODIES};
use crate::model::Language;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// Assembly that depends on the code alone: no debug information, comments or compiler version.
const LISTING: &[&str] = &["-S", "-g0", "-fno-verbose-asm", "-fno-ident", "-fno-addrsig"];

/// gcc must not merge identical functions: they are to be found.
const GCC_LISTING: &[&str] =
    &["-S", "-w", "-g0", "-fno-verbose-asm", "-fno-ident", "-fno-pic", "-fno-ipa-icf", "-fdiagnostics-color=never"];

/// gcc's version; `None` if it is not installed.
pub fn gcc_version() -> Option<&'static str> {
    static VERSION: OnceLock<Option<String>> = OnceLock::new();
    let ask = || {
        let output = Command::new("gcc").arg("-dumpfullversion").output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    VERSION.get_or_init(ask).as_deref()
}

impl Builder {
    /// gcc's assembly of `text`, which stands for the file of `command`.
    pub fn gcc_assembly(&self, command: &CompileCommand, text: &Path, level: &str) -> Result<String, CompileFailure> {
        let io = |error: std::io::Error| CompileFailure::tool(text, error);
        let cxx = command.language == Language::Cxx;
        let mut gcc = Command::new(if cxx { "g++" } else { "gcc" });
        gcc.current_dir(&command.directory).args(["-x", if cxx { "c++" } else { "c" }]);
        gcc.args(flags::standard(command, false).map(|standard| format!("-std={standard}")));
        let kept = flags::kept(command, Flavor::Mutant);
        gcc.args(kept.iter().filter(|arg| *arg != DEFERS_BODIES)).args(GCC_LISTING).arg(level);
        // Includes are searched beside that file.
        gcc.args(command.file.parent().map(|folder| format!("-iquote{}", folder.display())));
        let out = self.cache.scratch("s");
        gcc.arg(text).arg("-o").arg(&out);
        let done = self.run(text, &mut gcc, super::LIMIT);
        let listing = done.and_then(|_| std::fs::read(&out).map_err(io));
        // There may be none.
        let _ = std::fs::remove_file(out);
        listing.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The assembly of `job`; its `extra` options set the optimisation.
    pub fn assembly(&self, job: &CompileJob<'_>) -> Result<String, CompileFailure> {
        let job = job.clone().with(LISTING.iter().copied());
        self.probe(&job, |out, _| std::fs::read(out).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Whether `job` compiles.
    pub fn accepts(&self, job: &CompileJob<'_>) -> Result<(), CompileFailure> {
        self.probe(&job.clone().with(["-fsyntax-only"]), |_, _| Ok(()))
    }

    /// A digest of everything that `job` depends on: compiler, options, and all files that it reads. Fails if it does
    /// not compile.
    pub fn fingerprint(&self, job: &CompileJob<'_>) -> Result<String, CompileFailure> {
        let cxx = job.command.language == Language::Cxx;
        let (program, version) =
            self.compiler(job.flavor, cxx).map_err(|why| CompileFailure::tool(&job.source, why))?;
        let args = self.arguments(job).map_err(|error| CompileFailure::tool(&job.source, error))?;
        let mut parts = vec![program.display().to_string(), version, job.source.display().to_string()];
        parts.push(job.command.directory.display().to_string());
        parts.extend(args);
        let digest = |parts: &[String]| cache::key(parts.iter().map(|part| part.as_bytes()));
        let surroundings = SURROUNDINGS.map(|name| std::env::var_os(name).unwrap_or_default());
        let surroundings = surroundings.iter().map(|folders| folders.to_string_lossy().into_owned());
        let own = ["fingerprint".to_owned()];
        let question = digest(&parts.iter().cloned().chain(surroundings).chain(own).collect::<Vec<_>>());
        if let Some(known) = Answers::of(self).get(&question).and_then(|known| String::from_utf8(known).ok()) {
            return Ok(known);
        }
        let files = self.probe(&job.clone().with(["-fsyntax-only"]), |_, dependencies| {
            let mut files = cache::dependencies(&std::fs::read_to_string(dependencies)?, &job.command.directory);
            files.push(job.source.to_path_buf());
            Ok(files)
        })?;
        for file in &files {
            parts.push(self.cache.digest(file).unwrap_or_default());
            parts.push(file.display().to_string());
        }
        let print = digest(&parts);
        Answers::of(self).keep(&question, &files, print.as_bytes());
        Ok(print)
    }

    /// Compiles `job` into temporary files for `take` to read: output and dependencies.
    fn probe<T>(
        &self,
        job: &CompileJob<'_>,
        take: impl FnOnce(&Path, &Path) -> std::io::Result<T>,
    ) -> Result<T, CompileFailure> {
        let io = |error: std::io::Error| CompileFailure::tool(&job.source, error);
        let cxx = job.command.language == Language::Cxx;
        let (program, _) = self.compiler(job.flavor, cxx).map_err(|why| CompileFailure::tool(&job.source, why))?;
        if !job.command.directory.is_dir() {
            return Err(CompileFailure::tool(
                &job.source,
                format!("its folder {} is gone", job.command.directory.display()),
            ));
        }
        let args = self.arguments(job).map_err(io)?;
        let (out, dependencies) = (self.cache.scratch("s"), self.cache.scratch("d"));
        let done = self.compile_tolerantly(&program, &args, job, &out, &dependencies, super::LIMIT);
        let taken = done.and_then(|()| take(&out, &dependencies).map_err(io));
        for file in [out, dependencies] {
            // There may be none.
            let _ = std::fs::remove_file(file);
        }
        taken
    }
}
