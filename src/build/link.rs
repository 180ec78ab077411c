//! Linking: a unit's shared object, an emitted test, an AFL++ binary.

use super::{Builder, CompileFailure, FailureKind, Flavor, ProjectObjects, Sanitizer, cache, missing};
use crate::diag::Problem;
use crate::tools::Toolchain;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

/// The exports of a shared object with one or several units; everything else stays local.
const EXPORTS: &[&str] = &["motif_the_unit*", "motif_mutant", "motif_set_mutant*"];

/// Functions that end the process, which the worker (or the AFL++ main program) intercepts.
pub(crate) const WRAPPED: &[&str] = &["exit", "_exit", "_Exit", "quick_exit", "abort"];

/// What tells libFuzzer of comparisons; the worker listens too (`runtime/comparisons.cpp`).
const TRACED: &[&str] = &[
    "__sanitizer_cov_trace_cmp1",
    "__sanitizer_cov_trace_const_cmp1",
    "__sanitizer_cov_trace_cmp2",
    "__sanitizer_cov_trace_const_cmp2",
    "__sanitizer_cov_trace_cmp4",
    "__sanitizer_cov_trace_const_cmp4",
    "__sanitizer_cov_trace_cmp8",
    "__sanitizer_cov_trace_const_cmp8",
    "__sanitizer_cov_trace_switch",
];

/// Tells a linker to take the first of several definitions.
const FIRST_DEFINITION: &str = "-Wl,-z,muldefs";

/// Prefixes of symbols that the loading program provides.
const PROVIDED: &[&str] = &[
    "motif_",
    "__wrap_",
    "__sanitizer_",
    "__sancov_",
    "__start_",
    "__stop_",
    "__asan_",
    "__ubsan_",
    "__msan_",
    "__lsan_",
    "__tsan_",
    "__afl_",
    "__cmplog_",
    "__interceptor_",
];

/// Libraries that the project needs besides its own files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Libraries {
    args: Vec<String>,
}

/// Whether a linker refuses since something is defined more than once.
fn is_defined_twice(stderr: &str) -> bool {
    ["multiple definition of", "duplicate symbol"].iter().any(|said| stderr.contains(said))
}

impl Libraries {
    /// From the configuration: `link` entries (`z`, `-lz`, `-L/folder`, or a library's path, relative to `root`) and
    /// pkg-config packages.
    pub fn resolve(link: &[String], packages: &[String], root: &Path, tools: &Toolchain) -> Result<Self, Problem> {
        let mut args = Vec::new();
        for entry in link {
            args.push(Self::entry(entry, root)?);
        }
        if !packages.is_empty() {
            let pkg_config = tools.pkg_config.as_ref().ok_or_else(|| {
                let what = "`pkg_config:` names packages, but pkg-config was not found";
                Problem::tool("pkg-config-missing", what, "apt-get install pkg-config")
            })?;
            for package in packages {
                args.extend(Self::package(pkg_config, package)?);
            }
        }
        Ok(Self { args })
    }

    /// Adds the installed libraries that define `wanted`; gives those as entries for `link:`.
    pub fn add_installed(&mut self, wanted: &BTreeSet<String>, builder: &Builder) -> Vec<String> {
        let found = super::installed::defining(wanted, &builder.clang.clangxx);
        self.args.extend(found.iter().cloned());
        found
    }

    fn entry(entry: &str, root: &Path) -> Result<String, Problem> {
        let plain =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-+.".contains(c));
        if entry == "-pthread" || entry.strip_prefix("-l").is_some_and(plain) {
            return Ok(entry.to_string());
        }
        if let Some(folder) = entry.strip_prefix("-L").filter(|folder| !folder.is_empty()) {
            return Ok(format!("-L{}", root.join(folder).display()));
        }
        if !entry.starts_with('-') {
            let file = root.join(entry);
            if file.is_file() {
                return Ok(file.display().to_string());
            }
            if plain(entry) && !entry.contains('.') {
                return Ok(format!("-l{entry}"));
            }
        }
        let what = format!("`link:` has `{entry}`, which is not a library");
        let fix = "give a name (`z`), `-lz`, `-L/folder`, `-pthread`, or the path of a library that is there";
        Err(Problem::usage("link-entry", what, fix))
    }

    fn package(pkg_config: &Path, package: &str) -> Result<Vec<String>, Problem> {
        let refuse = |why: &str| {
            let what = format!("pkg-config does not know `{package}`: {why}");
            Problem::usage(
                "pkg-config-package",
                what,
                "install the package that has its .pc file, or correct `pkg_config:`",
            )
        };
        // `--` keeps a name with a dash from being an option.
        let output = Command::new(pkg_config).args(["--libs", "--", package]).output();
        let output = output.map_err(|error| refuse(&error.to_string()))?;
        if !output.status.success() {
            return Err(refuse(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("no reason given")));
        }
        shell_words::split(&String::from_utf8_lossy(&output.stdout)).map_err(|error| refuse(&error.to_string()))
    }
}

/// A linked binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Where it is.
    pub path: PathBuf,
    /// Undefined symbols: from a project file that does not compile, or a library missing in `link:`. Calls to them
    /// abort; other code works.
    pub unresolved: Vec<String>,
}

/// The options for functions that objects want to be called in the place of others: what defines `__wrap_malloc` makes
/// calls of `malloc` fail.
fn wraps(objects: &[PathBuf]) -> Vec<String> {
    let defined = objects.iter().flat_map(|object| super::elf::names(object).defined);
    defined.filter_map(|name| Some(format!("-Wl,--wrap={}", name.strip_prefix("__wrap_")?))).collect()
}

impl Builder {
    /// Links a unit (or an image) into the shared object that the worker loads.
    pub fn link_unit(
        &self,
        objects: &[PathBuf],
        archive: Option<&Path>,
        libraries: &Libraries,
        flavor: Flavor,
        out: &Path,
    ) -> Result<Linked, CompileFailure> {
        self.link_shared(objects, archive, libraries, flavor, EXPORTS, out)
    }

    /// As [`Builder::link_unit`], with other exports.
    pub(crate) fn link_shared(
        &self,
        objects: &[PathBuf],
        archive: Option<&Path>,
        libraries: &Libraries,
        flavor: Flavor,
        exports: &[&str],
        out: &Path,
    ) -> Result<Linked, CompileFailure> {
        let global: String = exports.iter().map(|name| format!(" {name};")).collect();
        let script = format!("{{ global:{global} local: *; }};\n");
        let script = self.cache.file(script.as_bytes(), "map").map_err(|e| CompileFailure::tool(out, e))?;
        // (`-Wl,` would split a name at its commas.)
        let script = format!("--version-script={}", script.display());
        let mut args = vec!["-shared".to_string(), "-Xlinker".to_string(), script];
        // Calls within the unit stay inside, whatever the worker or an image defines.
        args.extend(["-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,-z,relro"].map(String::from));
        args.extend(WRAPPED.iter().chain(TRACED).map(|name| format!("-Wl,--wrap={name}")));
        self.link(&args, objects, archive, libraries, flavor, out)
    }

    /// Links a program: an emitted test, or a driver for AFL++. `extra` goes to the compiler driver as it is.
    pub fn link_program(
        &self,
        objects: &[PathBuf],
        archive: Option<&Path>,
        libraries: &Libraries,
        flavor: Flavor,
        extra: &[String],
        out: &Path,
    ) -> Result<Linked, CompileFailure> {
        self.link(extra, objects, archive, libraries, flavor, out)
    }

    fn link(
        &self,
        args: &[String],
        objects: &[PathBuf],
        archive: Option<&Path>,
        libraries: &Libraries,
        flavor: Flavor,
        out: &Path,
    ) -> Result<Linked, CompileFailure> {
        let all: Vec<&Path> = objects.iter().map(PathBuf::as_path).chain(archive).collect();
        let wraps = wraps(objects).into_iter().filter(|wrap| !args.contains(wrap));
        let mut args: Vec<String> = args.iter().cloned().chain(wraps).collect();
        let linked = match self.link_once(&args, &all, libraries, flavor, out) {
            // A program may bring a function that the library has as well, beside others that are needed: the first on
            // the command line is taken, and that is the program's.
            Err(failure) if archive.is_some() && is_defined_twice(&failure.stderr) => {
                args.push(FIRST_DEFINITION.to_owned());
                self.link_once(&args, &all, libraries, flavor, out)
            }
            linked => linked,
        };
        let missing = match linked {
            Ok(linked) if linked.unresolved.is_empty() => return Ok(linked),
            Ok(linked) => linked.unresolved,
            // An undefined symbol with hidden visibility is an error at once.
            Err(failure) => match unresolved(&failure.stderr) {
                missing if failure.kind == FailureKind::Refused && !missing.is_empty() => missing,
                _ => return Err(failure),
            },
        };
        // Last on the link line: the last initialiser to run marks the end of loading.
        let stubs = self.stubs(&missing, out)?;
        let all: Vec<&Path> = all.into_iter().chain([stubs.as_path()]).collect();
        let second = self.link_once(&args, &all, libraries, flavor, out)?;
        if !second.unresolved.is_empty() {
            let names = second.unresolved.join(", ");
            return Err(CompileFailure {
                what: out.to_path_buf(),
                kind: FailureKind::Refused,
                first_error: format!("undefined: {names}; is a library missing in `link:` of motif.yaml?"),
                stderr: String::new(),
                command: Vec::new(),
            });
        }
        Ok(Linked { unresolved: missing, ..second })
    }

    fn link_once(
        &self,
        args: &[String],
        linked: &[&Path],
        libraries: &Libraries,
        flavor: Flavor,
        out: &Path,
    ) -> Result<Linked, CompileFailure> {
        // The C++ driver links C as well.
        let (program, _) = self.compiler(flavor, true).map_err(|why| CompileFailure::tool(out, why))?;
        if let Some(folder) = out.parent() {
            std::fs::create_dir_all(folder).map_err(|error| CompileFailure::tool(out, error))?;
        }
        // Linked beside and renamed: a worker that has the old one loaded keeps it.
        let draft = out.with_extension(format!("{}.draft", std::process::id()));
        let before = flavor.sanitizer_flags().iter().copied().chain(args.iter().map(String::as_str));
        let before = before.chain(["-Wl,-z,defs", "-Wl,--warn-unresolved-symbols", "-Wl,--no-demangle"]);
        let before: Vec<OsString> = before.map(OsString::from).collect();
        let behind = libraries.args.iter().map(String::as_str).chain(["-lm", "-lpthread", "-ldl"]);
        let behind: Vec<OsString> = behind.map(OsString::from).collect();
        let fast = self.linker.as_ref().filter(|_| flavor.afl().is_none());
        let fast = fast.and_then(|linker| linker.command(&program, &before, linked, &behind, &draft));
        // The usual linker may do what the faster one cannot; it decides.
        let done = fast.and_then(|mut command| self.run(out, &mut command, LIMIT).ok());
        let done = match done {
            Some(done) => done,
            None => {
                let mut command = Command::new(program);
                command.envs(flavor.environment()).args(&before).args(linked).args(&behind).arg("-o").arg(&draft);
                self.run(out, &mut command, LIMIT).inspect_err(|_| {
                    let _ = std::fs::remove_file(&draft);
                })?
            }
        };
        std::fs::rename(&draft, out).map_err(|error| CompileFailure::tool(out, error))?;
        Ok(Linked { path: out.to_path_buf(), unresolved: unresolved(&done.stderr) })
    }

    /// Symbols that the project's objects need, or that are `asked` for besides, and that neither an object nor a
    /// library defines.
    ///
    /// # Errors
    ///
    /// The message of compiler or linker.
    pub fn undefined(
        &self,
        objects: &ProjectObjects,
        libraries: &Libraries,
        asked: BTreeSet<String>,
    ) -> Result<BTreeSet<String>, CompileFailure> {
        let objects = objects.objects.iter().map(|(_, object)| object.as_path());
        let (asked, threads) = super::elf::undefined(objects, asked);
        *self.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = threads;
        if asked.is_empty() {
            return Ok(asked);
        }
        // Only libraries know their symbols: a table of all needed symbols is linked, and the linker reports the
        // missing ones.
        let mut source = String::new();
        for (number, symbol) in asked.iter().enumerate() {
            source += &format!("extern char asked{number} __asm__({});\n", missing::quoted(symbol));
        }
        let table: Vec<String> = (0..asked.len()).map(|number| format!("&asked{number}")).collect();
        source += &format!("char *table[] = {{{}}};\n", table.join(", "));
        let out = self.cache.scratch("so");
        let object = self.made_up(&source, &out)?;
        let linked = self.link_once(&["-shared".to_owned()], &[&object], libraries, Flavor::Plain, &out)?;
        let _ = std::fs::remove_file(&out);
        Ok(linked.unresolved.into_iter().filter(|name| asked.contains(name)).collect())
    }

    /// An object that defines the undefined symbols.
    fn stubs(&self, symbols: &[String], out: &Path) -> Result<PathBuf, CompileFailure> {
        self.made_up(&missing::source(symbols, &self.missing_in_threads()), out)
    }

    /// Thread-local variables that are needed and undefined.
    pub fn missing_in_threads(&self) -> BTreeSet<String> {
        self.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// The object of a generated C source; `out` names its purpose.
    fn made_up(&self, source: &str, out: &Path) -> Result<PathBuf, CompileFailure> {
        let io = |error: std::io::Error| CompileFailure::tool(out, error);
        let name = cache::key([source.as_bytes(), self.clang.version.as_bytes()]);
        let object = self.cache.result(&name, "o");
        if !object.is_file() {
            let (file, draft) = (self.cache.file(source.as_bytes(), "c").map_err(io)?, self.cache.scratch("o"));
            let mut command = Command::new(&self.clang.clang);
            command.args(["-w", "-fPIC", "-O1", "-c"]).arg(file).arg("-o").arg(&draft);
            self.run(out, &mut command, LIMIT)?;
            std::fs::rename(draft, &object).map_err(io)?;
        }
        Ok(object)
    }

    /// The options for linking a program whose objects were compiled for `sanitizer`.
    pub fn sanitizer_options(sanitizer: Sanitizer) -> &'static [&'static str] {
        Flavor::Sanitized(sanitizer).sanitizer_flags()
    }
}

/// The symbols that a linker warned about (GNU ld and lld), without those of the loading program.
fn unresolved(stderr: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    for line in stderr.lines() {
        let behind = |marker: &str| line.find(marker).map(|at| &line[at + marker.len()..]);
        let name = if let Some(rest) = behind("undefined reference to `") {
            rest.strip_suffix('\'')
        } else if let Some(rest) = behind("undefined reference to '") {
            // Quotes of gold.
            rest.strip_suffix('\'')
        } else if let Some(rest) = behind("undefined references to `") {
            rest.split_once('\'').map(|(name, _)| name)
        } else {
            behind("warning: undefined symbol: ")
        };
        found.extend(name.map(|name| name.trim().to_string()));
    }
    found.into_iter().filter(|name| !PROVIDED.iter().any(|start| name.starts_with(start))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Surroundings;

    #[test]
    fn unresolved_symbols_are_read_from_all_linkers() {
        let text = "/usr/bin/ld: a.o: in function `f':\na.c:(.text+0x5): warning: undefined reference to \
        `_ZN3foo3barEv'\n\
                    /usr/bin/ld: b.o: warning: undefined reference to `motif_take'\n\
                    /usr/bin/ld: b.o: more undefined references to `deflate' follow\n\
                    a.cpp:function f(): warning: undefined reference to '_ZN3foo3bazEv'\n\
                    ld.lld: warning: undefined symbol: __wrap_exit\nld.lld: warning: undefined symbol: inflate\n";
        assert_eq!(unresolved(text), ["_ZN3foo3barEv", "_ZN3foo3bazEv", "deflate", "inflate"]);
    }

    #[test]
    fn link_entries_are_libraries_and_never_options_of_the_linker() {
        let tools = Toolchain::discover(&Surroundings::default());
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("libx.a"), "").unwrap();
        let good = ["z", "-lm", "-pthread", "libx.a", "-Llib"].map(String::from);
        let found = Libraries::resolve(&good, &[], root.path(), &tools).unwrap();
        let root_name = root.path().display();
        assert_eq!(
            found.args,
            ["-lz", "-lm", "-pthread", &format!("{root_name}/libx.a"), &format!("-L{root_name}/lib")]
        );
        for bad in ["-Wl,--entry=x", "-fplugin=x.so", "@file", "-l", "", "gone.a", "-lx;y"] {
            let problem = Libraries::resolve(&[bad.to_string()], &[], root.path(), &tools).unwrap_err();
            assert_eq!((problem.code, problem.exit), ("link-entry", crate::diag::Exit::Usage), "{bad}");
        }
        let none = Libraries::resolve(&[], &["zlib".to_string()], root.path(), &tools).unwrap_err();
        assert_eq!(none.exit, crate::diag::Exit::Tool);
    }

    #[test]
    fn a_package_that_pkg_config_does_not_know_is_named() {
        let tools = Toolchain::discover(&Surroundings::of_process());
        if tools.pkg_config.is_none() {
            println!("skipped: no pkg-config");
            return;
        }
        let packages = ["no-such-package-at-all".to_string()];
        let problem = Libraries::resolve(&[], &packages, Path::new("/"), &tools).unwrap_err();
        assert!(problem.what.contains("no-such-package-at-all"), "{problem}");
    }
}
