//! The external tools: which are installed, at which version, what each is for, and how to install the missing ones.

mod afl;
mod clang;
pub mod git;
mod users;

pub use afl::Afl;
pub use clang::Clang;
pub use users::users_folder;

use crate::diag::Problem;
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The clang versions that are searched by versioned names.
pub const CLANG_VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// Below the user's folder: the solver that `make setup-solver` puts there.
pub const SOLVER_FOLDER: &str = "solver";

/// Where tools are searched: the process's environment, or a fake one in tests.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folders of `PATH`, in order.
    pub path: Vec<PathBuf>,
    /// `MOTIF_CLANG`: a clang by path, by name, or by version number; it has priority.
    pub clang: Option<OsString>,
    /// `LIBCLANG_PATH`: libclang's shared library or its folder.
    pub libclang: Option<PathBuf>,
    /// `MOTIF_SOLVER`: an `esbmc` by path or by name; it has priority.
    pub solver: Option<OsString>,
    /// The folder of what is kept for all runs of the user.
    pub users: Option<PathBuf>,
}

impl Surroundings {
    /// The environment of this process.
    pub fn of_process() -> Self {
        let path = std::env::var_os("PATH").map(|p| std::env::split_paths(&p).collect()).unwrap_or_default();
        let filled = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            path,
            clang: filled("MOTIF_CLANG"),
            libclang: filled("LIBCLANG_PATH").map(PathBuf::from),
            solver: filled("MOTIF_SOLVER"),
            users: users_folder(|name| std::env::var_os(name)),
        }
    }

    /// The executable program of that name or path.
    pub fn find(&self, name: impl AsRef<Path>) -> Option<PathBuf> {
        let name = name.as_ref();
        if name.components().count() > 1 {
            return executable(name).then(|| name.to_path_buf());
        }
        self.path.iter().map(|folder| folder.join(name)).find(|file| executable(file))
    }
}

fn executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// An external tool as `doctor` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub purpose: &'static str,
    /// Nothing works without it.
    pub required: bool,
    /// Its path; `None` if it is missing or unusable.
    pub path: Option<PathBuf>,
    /// Its version, if known.
    pub version: Option<String>,
    /// A remark, or why it counts as missing.
    pub note: Option<String>,
    /// The command that installs it.
    pub install: String,
}

/// All tools that were found.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The clangs, best first: complete ones before incomplete ones, newest first.
    pub clangs: Vec<Clang>,
    /// AFL++, if installed.
    pub afl: Option<Afl>,
    /// A linker faster than `ld`: LLVM's or gold.
    pub linker: Option<PathBuf>,
    /// `pkg-config`.
    pub pkg_config: Option<PathBuf>,
    /// The bounded model checker: the one that is asked for, that of the path, or the one in the user's folder.
    pub solver: Option<PathBuf>,
    surroundings: Surroundings,
    /// Why the clang that the environment requests cannot be used.
    wanted: Option<Problem>,
}

impl Toolchain {
    /// Finds all tools; quick, since nothing is tried out yet.
    pub fn discover(surroundings: &Surroundings) -> Self {
        let (clangs, wanted) = clang::discover(surroundings);
        let afl = Afl::discover(surroundings);
        let lld = clangs.first().and_then(|clang| surroundings.find(format!("ld.lld-{}", clang.major)));
        let linker = lld.or_else(|| ["ld.lld", "ld.gold"].iter().find_map(|name| surroundings.find(name)));
        Self {
            clangs,
            afl,
            linker,
            pkg_config: surroundings.find("pkg-config"),
            solver: solver(surroundings),
            surroundings: surroundings.clone(),
            wanted,
        }
    }

    /// The best clang that has everything a run needs.
    pub fn clang(&self) -> Result<&Clang, Problem> {
        if let Some(problem) = &self.wanted {
            return Err(problem.clone());
        }
        match self.clangs.iter().find(|clang| clang.lacks().is_none()) {
            Some(clang) => Ok(clang),
            None => Err(self.missing().into_iter().next().unwrap_or_else(no_clang)),
        }
    }

    /// AFL++, or the problem that it is missing.
    pub fn afl(&self) -> Result<&Afl, Problem> {
        self.afl.as_ref().ok_or_else(|| {
            Problem::tool(
                "afl-missing",
                "AFL++ (`afl-fuzz`) was not found",
                format!("{AFL_INSTALL}, or use --engine libfuzzer"),
            )
        })
    }

    /// The solver and its version, or the problem that it is missing.
    ///
    /// # Errors
    /// It is missing (exit 3).
    pub fn solver(&self) -> Result<(&Path, Option<String>), Problem> {
        match &self.solver {
            Some(path) => Ok((path, version_of(path))),
            None => {
                let fix = format!("{SOLVER_INSTALL}, or leave it out: `--decide exhaustion`, `--engine libfuzzer`");
                Err(Problem::tool("solver-missing", "the solver (`esbmc`) was not found", fix))
            }
        }
    }

    /// A problem for every required tool that is missing.
    pub fn missing(&self) -> Vec<Problem> {
        let gone = self.tools().into_iter().filter(|tool| tool.required && tool.path.is_none());
        gone.map(|tool| {
            let why = tool.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            Problem::tool(
                "tool-missing",
                format!("{} was not found{why}; it {}", tool.name, tool.purpose),
                tool.install.clone(),
            )
        })
        .collect()
    }

    /// The list of `doctor`. Takes a second or two: every tool is asked for its version.
    pub fn tools(&self) -> Vec<Tool> {
        let surroundings = &self.surroundings;
        let best = self.clangs.first();
        let major = best.map_or(String::new(), |clang| format!("-{}", clang.major));
        let no_clang = || best.is_none().then(|| "clang 14 or newer has to be there first".to_string());
        let version = || best.map(|clang| clang.version.clone());
        let mut tools = vec![
            Tool {
                name: "clang",
                purpose: "compiles drivers and the project for the search",
                required: true,
                path: best.map(|clang| clang.clang.clone()),
                version: version(),
                note: self.wanted.as_ref().map(|problem| problem.what.clone()).or_else(|| self.older_clangs()),
                install: CLANG_INSTALL.to_string(),
            },
            Tool {
                name: "libclang",
                purpose: "reads the project's sources",
                required: true,
                path: best.and_then(|clang| clang.libclang.clone()),
                version: version(),
                note: no_clang(),
                install: if best.is_some() {
                    format!("apt-get install libclang1{major}")
                } else {
                    "apt-get install libclang1".into()
                },
            },
            Tool {
                name: "libFuzzer",
                purpose: "is the default search engine, a part of clang's compiler-rt",
                required: true,
                path: best.and_then(|clang| clang.fuzzer.clone()),
                version: version(),
                note: no_clang(),
                install: if best.is_some() {
                    format!("apt-get install libclang-rt{major}-dev")
                } else {
                    CLANG_INSTALL.into()
                },
            },
            self.standard_library(),
        ];
        if let (Some(_), Some(problem)) = (best, &self.wanted) {
            tools[0].path = None;
            tools[0].install = problem.fix.clone();
        }
        let simple = |name, purpose, required, path: Option<PathBuf>, install: &str| Tool {
            name,
            purpose,
            required,
            version: path.as_deref().and_then(version_of),
            path,
            note: None,
            install: install.to_string(),
        };
        tools.push(simple("ld", "links drivers", true, surroundings.find("ld"), "apt-get install binutils"));
        tools.push(simple(
            "lld",
            "links drivers faster (gold does as well)",
            false,
            self.linker.clone(),
            "apt-get install lld",
        ));
        tools.push(self.gtest(surroundings));
        tools.push(Tool {
            name: "AFL++",
            purpose: "is the search engine of --engine afl++",
            required: false,
            path: self.afl.as_ref().map(|afl| afl.fuzz.clone()),
            version: self.afl.as_ref().map(|afl| afl.version().to_string()),
            note: self.afl.as_ref().and_then(Afl::note),
            install: AFL_INSTALL.to_string(),
        });
        tools.push(simple(
            "esbmc",
            "proves survivors equivalent, or finds what kills them (--decide solver, --engine symbolic, hybrid)",
            false,
            self.solver.clone(),
            SOLVER_INSTALL,
        ));
        tools.push(simple(
            "gcc",
            "is the compiler of --engine afl++ --compiler gcc",
            false,
            surroundings.find("gcc"),
            "apt-get install gcc g++",
        ));
        tools.push(simple(
            "cmake",
            "builds the emitted tests by their CMakeLists.txt",
            false,
            surroundings.find("cmake"),
            "apt-get install cmake",
        ));
        tools.push(simple(
            "ninja",
            "makes CMake builds faster",
            false,
            surroundings.find("ninja"),
            "apt-get install ninja-build",
        ));
        tools.push(simple(
            "pkg-config",
            "finds the libraries that `pkg_config:` names",
            false,
            self.pkg_config.clone(),
            "apt-get install pkg-config",
        ));
        tools.push(simple(
            "clang-format",
            "lays out the emitted tests by the project's .clang-format",
            false,
            surroundings.find("clang-format"),
            "apt-get install clang-format",
        ));
        tools.push(simple(
            "valgrind",
            "tells tests whose checks read what nobody has written",
            false,
            surroundings.find("valgrind"),
            "apt-get install valgrind",
        ));
        tools.push(simple(
            "sbatch",
            "submits the job arrays of --executor slurm",
            false,
            surroundings.find("sbatch"),
            "apt-get install slurm-client",
        ));
        tools
    }

    fn older_clangs(&self) -> Option<String> {
        let others: Vec<&str> = self.clangs.iter().skip(1).map(|clang| clang.version.as_str()).collect();
        (!others.is_empty()).then(|| format!("also found: {}", others.join(", ")))
    }

    /// clang uses the newest gcc's library folder, even if its C++ headers are not installed: only a try tells.
    fn standard_library(&self) -> Tool {
        let usable =
            self.clangs.first().is_some_and(|clang| clang.compiles("#include <vector>\nstd::vector<int> v;\n", true));
        Tool {
            name: "C++ library",
            purpose: "is what C++ drivers and projects are compiled against",
            required: true,
            path: usable.then(|| PathBuf::from("/usr/include/c++")),
            version: None,
            note: (!usable && !self.clangs.is_empty()).then(|| "clang can't compile `#include <vector>`".to_string()),
            install: "apt-get install g++".to_string(),
        }
    }

    fn gtest(&self, surroundings: &Surroundings) -> Tool {
        let version = self.pkg_config.as_ref().and_then(|pkg_config| {
            let output = Command::new(pkg_config).args(["--modversion", "gtest"]).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
        });
        let folders = ["/usr/include", "/usr/local/include"].map(PathBuf::from);
        // An empty PATH stands for a bare machine in tests.
        let header =
            folders.iter().map(|f| f.join("gtest/gtest.h")).find(|f| f.is_file() && !surroundings.path.is_empty());
        Tool {
            name: "GoogleTest",
            purpose: "is the framework of the C++ tests; without it their kills can't be verified",
            required: false,
            path: header,
            version,
            note: None,
            install: "apt-get install libgtest-dev".to_string(),
        }
    }
}

const CLANG_INSTALL: &str = "apt-get install clang libclang1 g++";
const SOLVER_INSTALL: &str = "make setup-solver in the source folder of motif-cpp, or put `esbmc` on the path";
const AFL_INSTALL: &str = "apt-get install afl++";

/// The solver that is asked for, that of the path, or the user's own.
fn solver(surroundings: &Surroundings) -> Option<PathBuf> {
    if let Some(asked) = &surroundings.solver {
        return surroundings.find(asked);
    }
    let own = || surroundings.users.as_ref().map(|users| users.join(SOLVER_FOLDER).join("esbmc"));
    surroundings.find("esbmc").or_else(|| own().filter(|file| executable(file)))
}

fn no_clang() -> Problem {
    Problem::tool("clang-missing", "no clang of version 14 or newer was found", CLANG_INSTALL)
}

/// The first version-like word in the output of `program --version`.
fn version_of(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().and_then(version_in)
}

/// The first word of `line` that is a dotted number, without trailing characters.
fn version_in(line: &str) -> Option<String> {
    let words = line.split(|c: char| c.is_whitespace() || "(),".contains(c));
    let mut numbers = words.filter_map(|word| {
        let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
        let number = word[..end].trim_end_matches('.');
        (number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit())).then(|| number.to_string())
    });
    numbers.next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        assert_eq!(version_in("gcc (Debian 12.2.0-14+deb12u1) 12.2.0").as_deref(), Some("12.2.0"));
        assert_eq!(version_in("cmake version 3.25.1").as_deref(), Some("3.25.1"));
        assert_eq!(version_in("GNU ar (GNU Binutils for Debian) 2.40").as_deref(), Some("2.40"));
        assert_eq!(version_in("no number here"), None);
    }

    #[test]
    fn on_a_bare_machine_every_required_tool_is_named_with_its_install_command() {
        let bare = Toolchain::discover(&Surroundings::default());
        let problems = bare.missing();
        let tools = bare.tools();
        let names: Vec<&str> = tools.iter().filter(|t| t.required).map(|t| t.name).collect();
        assert_eq!(problems.len(), names.len(), "{problems:?}");
        assert!(problems.iter().all(|p| p.exit == crate::diag::Exit::Tool && p.fix.starts_with("apt-get install ")));
        assert_eq!(bare.clang().unwrap_err().exit, crate::diag::Exit::Tool);
        assert_eq!(bare.afl().unwrap_err().code, "afl-missing");
    }

    #[test]
    fn a_clang_that_was_asked_for_but_is_not_there_is_a_problem_even_if_another_is() {
        let mut surroundings = Surroundings::of_process();
        surroundings.clang = Some("no-such-clang".into());
        let found = Toolchain::discover(&surroundings);
        let problem = found.clang().unwrap_err();
        assert!(problem.what.contains("no-such-clang"), "{problem}");
        assert!(found.missing().iter().any(|p| p.what.contains("no-such-clang")));
    }

    #[test]
    fn the_machines_own_clang_has_all_it_needs() {
        let found = Toolchain::discover(&Surroundings::of_process());
        let clang = found.clang().unwrap();
        assert!(CLANG_VERSIONS.contains(&clang.major));
        assert!(clang.libclang.as_ref().is_some_and(|file| file.is_file()));
        assert!(clang.fuzzer.as_ref().is_some_and(|file| file.is_file()));
        assert!(found.missing().is_empty(), "{:?}", found.missing());
    }
}
