//! `compile_commands.json` to translation units; no libclang.

mod belonging;

use crate::diag::Problem;
use crate::model::Language;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// With it clang reads the bodies of templates where they are instantiated, as gcc does for most of what may be wrong
/// in them.
pub const DEFERS_BODIES: &str = "-fdelayed-template-parsing";

/// How one source file is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompileCommand {
    /// The working directory of the compiler; relative paths in `args` start here.
    pub directory: PathBuf,
    /// The source file: absolute, symbolic links resolved.
    pub file: PathBuf,
    /// C or C++.
    pub language: Language,
    /// The compiler in the database, without launchers such as `ccache`.
    pub compiler: String,
    /// The arguments without the compiler, `-c`, `-o X`, the input and dependency file options.
    pub args: Vec<String>,
    /// The language standard, if an argument gives it (`c++17`).
    pub std: Option<String>,
}

/// The compile database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Database {
    /// The `compile_commands.json` that was read.
    pub path: PathBuf,
    /// One command per source file, in the order of the database.
    pub commands: Vec<CompileCommand>,
    /// Further commands for files that already have one.
    pub duplicates: Vec<CompileCommand>,
    /// What the project's build makes of a source file, where the command says so.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<PathBuf, PathBuf>,
    /// Files in the database that do not exist.
    pub missing: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Entry {
    directory: Option<PathBuf>,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// The compiler family of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// GCC, or a compiler treated like it (`cc`, cross compilers).
    Gcc,
    /// Clang.
    Clang,
}

impl CompileCommand {
    /// The family of the compiler; generic names such as `c++` are resolved.
    pub fn family(&self) -> Family {
        let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let given = Path::new(&self.compiler);
        if name(given).contains("clang") {
            return Family::Clang;
        }
        let found = if given.is_absolute() {
            Some(given.to_path_buf())
        } else {
            std::env::var_os("PATH")
                .and_then(|path| std::env::split_paths(&path).map(|dir| dir.join(given)).find(|p| p.is_file()))
        };
        match found.and_then(|path| path.canonicalize().ok()) {
            Some(path) if name(&path).contains("clang") => Family::Clang,
            _ => Family::Gcc,
        }
    }

    /// The standard of the code: the given one, or GCC's default, which is newer than that of clang 14; `None` if
    /// clang's own default is right.
    pub fn effective_std(&self) -> Option<String> {
        match (&self.std, self.family(), self.language) {
            (Some(std), _, _) => Some(std.clone()),
            (None, Family::Gcc, Language::Cxx) => Some("gnu++17".into()),
            (None, Family::Gcc, Language::C) => Some("gnu17".into()),
            (None, Family::Clang, _) => None,
        }
    }

    /// The arguments for clang: without GCC-only options, and with the standard if known.
    pub fn clang_args(&self) -> Vec<String> {
        let mut args: Vec<String> = Vec::with_capacity(self.args.len() + 2);
        let mut skip_next = false;
        for arg in &self.args {
            if std::mem::take(&mut skip_next) {
                continue;
            }
            if arg == "--param" {
                skip_next = true;
            } else if !only_gcc(arg) {
                args.push(arg.clone());
            }
        }
        if self.std.is_none()
            && let Some(std) = self.effective_std()
        {
            args.push(format!("-std={std}"));
        }
        args
    }
}

/// Whether only GCC knows this argument, so that clang would refuse it.
fn only_gcc(arg: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "--param=",
        "-fabi-version=",
        "-fcf-protection=check",
        "-fconserve-stack",
        "-fconcepts",
        "-fdump-",
        "-ffat-lto-objects",
        "-fno-fat-lto-objects",
        "-fgcse",
        "-fno-gcse",
        "-fgnu-tm",
        "-fgnu-unique",
        "-fno-gnu-unique",
        "-fipa-",
        "-fno-ipa-",
        "-fira-",
        "-fno-ira-",
        "-fisolate-",
        "-fivopts",
        "-fno-ivopts",
        "-flive-range",
        "-fmodules-ts",
        "-fno-allow-store-data-races",
        "-fno-canonical-system-headers",
        "-fno-conserve-stack",
        "-fno-var-tracking",
        "-fvar-tracking",
        "-fplan9-extensions",
        "-fpartial-inlining",
        "-fplugin",
        "-fprofile-abs-path",
        "-fprofile-arcs",
        "-fpredictive-commoning",
        "-fsched-",
        "-fno-sched-",
        "-fschedule-",
        "-fno-schedule-",
        "-fstack-limit",
        "-fno-stack-limit",
        "-fno-tree-",
        "-ftree-",
        "-fversion-loops",
        "-fno-delayed-branch",
        "-fno-reorder",
        "-freorder",
        "-fno-split",
        "-fsplit",
        "-fno-toplevel",
        "-ftoplevel-reorder",
        "-fweb",
        "-fno-web",
        "-fallow-store-data-races",
        "-fanalyzer",
        "-fextended-identifiers",
        "-fimplicit-constexpr",
        "-fno-rtti-data",
        "-fno-extern-tls-init",
        "-fno-keep-inline",
        "-fkeep-inline",
        "-fdiagnostics-path",
        "-fdiagnostics-urls",
        "-fno-diagnostics-urls",
        "-fno-code-hoisting",
        "-fmax-errors",
        "-flto-partition",
        "-flto-compression",
        "-fuse-linker-plugin",
        "-fno-use-linker-plugin",
        "-fno-lifetime-dse",
        "-fcallgraph-info",
        "-fstack-usage",
        "-mindirect-branch=",
        "-mfunction-return=",
        "-mno-fp-ret-in-387",
        "-mpreferred-stack-boundary=",
        "-mabi=ieeelongdouble",
        "-maccumulate-outgoing-args",
        "-mskip-rax-setup",
        "-mrecord-mcount",
        "-mlong-double-",
        "-specs=",
        "-Wa,--noexecstack",
    ];
    PREFIXES.iter().any(|prefix| arg.starts_with(prefix))
}

impl Database {
    /// These commands compile with [`DEFERS_BODIES`].
    pub fn defer_bodies(&mut self, commands: impl Iterator<Item = usize>) {
        for command in commands {
            if let Some(command) = self.commands.get_mut(command) {
                command.args.push(DEFERS_BODIES.into());
            }
        }
    }

    /// Reads the database of `build_dir`; without one, looks in `start` and in `start/build`.
    pub fn load(build_dir: Option<&Path>, start: &Path) -> Result<Database> {
        const MAKE: &str =
            "configure with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, or run the build under `bear --`";
        const NAME: &str = "compile_commands.json";
        let path = match build_dir {
            Some(dir) if dir.is_file() => dir.to_path_buf(),
            Some(dir) => dir.join(NAME),
            None => [start.join(NAME), start.join("build").join(NAME)]
                .into_iter()
                .find(|path| path.is_file())
                .ok_or_else(|| {
                    let what = format!("no {NAME} here or in build/");
                    Problem::usage("compdb-missing", what, format!("name its folder with -p DIR; to make one, {MAKE}"))
                        .at(start)
                })?,
        };
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Problem::usage("compdb-missing", "there is no compile database", MAKE).at(path).into());
            }
            Err(error) => {
                return Err(Problem::usage("compdb-unreadable", error.to_string(), "make it readable").at(path).into());
            }
        };
        let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| {
            Problem::usage("compdb-broken", format!("not a compile database: {error}"), MAKE)
                .at(&path)
                .line(error.line().max(1) as u32)
        })?;
        let folder = path.parent().unwrap_or(Path::new(".")).canonicalize()?;
        let mut database = Database { path: path.canonicalize()?, ..Database::default() };
        let mut seen: HashMap<PathBuf, usize> = HashMap::new();
        let (mut written, mut shared) = (BTreeSet::new(), BTreeSet::new());
        for (number, entry) in entries.into_iter().enumerate() {
            let directory = entry.directory.as_ref().map_or_else(|| folder.clone(), |dir| folder.join(dir));
            let absolute = directory.join(&entry.file);
            let Ok(file) = absolute.canonicalize() else {
                if !database.missing.contains(&absolute) {
                    database.missing.push(absolute);
                }
                continue;
            };
            let words = words_of(&entry, &directory).map_err(|what| {
                Problem::usage("compdb-command", format!("entry {}: {what}", number + 1), MAKE).at(&path)
            })?;
            let made = output_of(&words).map(|made| directory.join(made));
            let Some(command) = command_of(&words, directory, file, &entry.file) else {
                continue;
            };
            // What several commands write is of one of them.
            if let Some(made) = &made
                && !written.insert(made.clone())
            {
                shared.insert(made.clone());
            }
            if seen.contains_key(&command.file) {
                if !database.commands.contains(&command) {
                    database.duplicates.push(command);
                }
            } else {
                seen.insert(command.file.clone(), database.commands.len());
                database.objects.extend(made.map(|made| (command.file.clone(), made)));
                database.commands.push(command);
            }
        }
        database.objects.retain(|_, made| !shared.contains(made));
        let root = start.canonicalize().unwrap_or_else(|_| start.to_path_buf());
        let files = database.commands.iter().map(|command| &command.file).chain(&database.missing);
        belonging::check(&folder, &root, &files.map(PathBuf::as_path).collect::<Vec<_>>())?;
        if database.commands.is_empty() {
            let (code, what) = match database.missing.first() {
                Some(gone) => {
                    ("compdb-gone", format!("none of the files that it names exists, the first is {}", gone.display()))
                }
                None => ("compdb-empty", "it names no C or C++ file".to_string()),
            };
            return Err(Problem::usage(code, what, MAKE).at(&path).into());
        }
        // A header is read and driven through the first source that includes it. That must not depend on the order of
        // the build tool's commands, nor on the project's location. Of two definitions, the test double comes last.
        database.commands.sort_by_cached_key(|command| match command.file.strip_prefix(&root) {
            Ok(inside) => (u8::from(is_for_tests(inside)), inside.to_path_buf()),
            Err(_) => (2, command.file.strip_prefix(&folder).unwrap_or(&command.file).to_path_buf()),
        });
        Ok(database)
    }

    /// Warnings about files in the database that do not exist.
    pub fn warnings(&self) -> Vec<Problem> {
        self.missing
            .iter()
            .map(|file| {
                let what = format!("the compile database names {}, which does not exist", file.display());
                Problem::usage("compdb-gone", what, "configure the build again").at(&self.path)
            })
            .collect()
    }

    /// Compilers that the database names and this machine does not have.
    pub fn missing_compilers(&self) -> BTreeSet<&str> {
        let absent = |command: &&CompileCommand| !belonging::has_compiler(&command.directory, &command.compiler);
        self.commands.iter().filter(absent).map(|command| command.compiler.as_str()).collect()
    }

    /// The command of a source file.
    pub fn command_of(&self, file: &Path) -> Option<&CompileCommand> {
        self.commands.iter().find(|command| command.file == file)
    }
}

/// Whether a source, relative to the project's root, is a test or an example, by its name or a folder's.
fn is_for_tests(file: &Path) -> bool {
    const WORDS: &[&str] = &["test", "unittest", "testing", "mock", "stub", "fake", "example", "sample", "benchmark"];
    let is_one =
        |word: &str| WORDS.iter().any(|known| word.strip_prefix(known).is_some_and(|rest| matches!(rest, "" | "s")));
    let says = |name: &OsStr| {
        let lower = name.to_string_lossy().to_ascii_lowercase();
        let stem = lower.split('.').next().unwrap_or_default();
        stem.split(['_', '-']).any(is_one)
    };
    file.iter().any(says)
}

/// The words of the command line, with response files expanded.
fn words_of(entry: &Entry, directory: &Path) -> Result<Vec<String>, String> {
    let words = match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(command)) => shell_words::split(command).map_err(|error| format!("the command: {error}"))?,
        (None, None) => return Err("neither `arguments` nor `command`".into()),
    };
    if words.is_empty() {
        return Err("the command is empty".into());
    }
    let mut read = Vec::with_capacity(words.len());
    for word in words {
        let listed = word.strip_prefix('@').and_then(|name| std::fs::read_to_string(directory.join(name)).ok());
        match listed {
            Some(text) => read.extend(shell_words::split(&text).map_err(|error| format!("{word}: {error}"))?),
            None => read.push(word),
        }
    }
    Ok(read)
}

/// The file that a command writes.
fn output_of(words: &[String]) -> Option<PathBuf> {
    let at = words.iter().rposition(|word| word == "-o")?;
    words.get(at + 1).map(PathBuf::from)
}

fn command_of(words: &[String], directory: PathBuf, file: PathBuf, written: &Path) -> Option<CompileCommand> {
    const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "gomacc", "buildcache", "env"];
    let base = |word: &str| Path::new(word).file_name().and_then(OsStr::to_str).unwrap_or_default().to_string();
    let mut words = words.iter().skip_while(|word| LAUNCHERS.contains(&base(word).as_str()) || word.contains('='));
    let compiler = words.next()?.clone();
    let mut args = Vec::new();
    let mut std = None;
    let mut forced = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" | "--output" | "--serialize-diagnostics" => {
                words.next();
            }
            "-c" | "--" | "-M" | "-MM" | "-MD" | "-MMD" | "-MG" | "-MP" | "-MV" | "-S" | "-E" | "-fsyntax-only"
            | "-save-temps" | "-pipe" => {}
            "-x" => {
                if let Some(language) = words.next() {
                    forced = Some(language.clone());
                }
            }
            _ if word.starts_with("-MF")
                || word.starts_with("-MT")
                || word.starts_with("-MQ")
                || word.starts_with("-Wp,-M")
                || (word.starts_with("-o") && word.len() > 2 && !word.starts_with("-objc")) => {}
            _ if word.starts_with("-x") => forced = Some(word[2..].to_string()),
            _ if word.starts_with("-std=") || word.starts_with("--std=") => {
                std = word.split_once('=').map(|(_, name)| name.to_string());
                args.push(format!("-std={}", std.as_deref().unwrap_or_default()));
            }
            _ if !word.starts_with('-')
                && (Path::new(word) == written || directory.join(word).canonicalize().is_ok_and(|f| f == file)) => {}
            _ => args.push(word.clone()),
        }
    }
    let language = language_of(forced.as_deref(), &file, &base(&compiler))?;
    if let Some(forced) = forced {
        args.splice(0..0, ["-x".to_string(), forced]);
    }
    Some(CompileCommand { directory, file, language, compiler, args, std })
}

/// The language, from `-x`, the file's extension, or the compiler's name; `None` for assembler and the like.
fn language_of(forced: Option<&str>, file: &Path, compiler: &str) -> Option<Language> {
    match forced {
        Some("c" | "cpp-output" | "c-header") => return Some(Language::C),
        Some("c++" | "c++-cpp-output" | "c++-header") => return Some(Language::Cxx),
        Some("none") | None => {}
        Some(_) => return None,
    }
    let cxx_driver = compiler.contains("++");
    match file.extension().and_then(OsStr::to_str) {
        // g++ and clang++ read a `.c` file as C++.
        Some("c" | "i") if cxx_driver => Some(Language::Cxx),
        Some("c" | "i") => Some(Language::C),
        Some("cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii" | "tcc" | "ixx" | "cppm") => Some(Language::Cxx),
        Some("s" | "S" | "asm" | "f" | "f90" | "m" | "mm" | "cu" | "rc" | "o" | "a" | "def" | "go" | "rs") => None,
        _ if cxx_driver => Some(Language::Cxx),
        _ => Some(Language::C),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(entries: &str, files: &[&str]) -> (tempfile::TempDir, Result<Database>) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "int x;\n").unwrap();
        }
        std::fs::create_dir_all(dir.path().join("build")).unwrap();
        std::fs::write(dir.path().join("build/compile_commands.json"), entries).unwrap();
        let database = Database::load(None, dir.path());
        (dir, database)
    }

    fn problem(result: Result<Database>) -> Problem {
        result.unwrap_err().downcast::<Problem>().unwrap()
    }

    #[test]
    fn what_is_there_for_tests_comes_behind_what_it_stands_for() {
        for name in
            ["test/a.c", "src/mocks/a.c", "mock_board.c", "src/clock_fake.cpp", "unit_tests/x.cc", "Examples/a.cpp"]
        {
            assert!(is_for_tests(Path::new(name)), "{name}");
        }
        for name in ["src/a.c", "contest/a.c", "latest.c", "src/testament.cpp", "attests/a.c"] {
            assert!(!is_for_tests(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn both_forms_are_read_and_what_names_outputs_is_left_out() {
        let (_dir, database) = project(
            r#"[{"directory": "..", "file": "a.c",
                 "arguments": ["gcc", "-Iinclude", "-c", "a.c", "-o", "a.o", "-MD", "-MF", "a.d"]},
                {"directory": "..", "file": "src/b.cpp",
                 "command": "ccache /usr/bin/g++ -DX='a b' -std=gnu++11 -o b.o -c src/b.cpp"}]"#,
            &["a.c", "src/b.cpp"],
        );
        let database = database.unwrap();
        let [a, b] = &database.commands[..] else { panic!("{database:?}") };
        assert_eq!(
            (a.args.as_slice(), a.language, a.compiler.as_str()),
            (&["-Iinclude".to_string()][..], Language::C, "gcc")
        );
        assert_eq!(b.args, ["-DX=a b", "-std=gnu++11"]);
        assert_eq!(
            (b.std.as_deref(), b.language, b.compiler.as_str()),
            (Some("gnu++11"), Language::Cxx, "/usr/bin/g++")
        );
        assert!(a.file.is_absolute() && a.file.ends_with("a.c"));
    }

    #[test]
    fn the_first_of_several_commands_for_a_file_counts() {
        let (_dir, database) = project(
            r#"[{"directory": "..", "file": "a.c", "command": "cc -DONE -c a.c"},
                {"directory": "..", "file": "./a.c", "command": "cc -DTWO -c a.c"},
                {"directory": "..", "file": "a.c", "command": "cc -DONE -c a.c"}]"#,
            &["a.c"],
        );
        let database = database.unwrap();
        assert_eq!(database.commands.len(), 1);
        assert_eq!(database.commands[0].args, ["-DONE"]);
        assert_eq!(database.duplicates.len(), 1);
    }

    #[test]
    fn a_file_that_is_gone_is_a_warning_and_none_left_is_an_error() {
        let (_dir, database) = project(
            r#"[{"directory": "..", "file": "a.c", "command": "cc -c a.c"},
                {"directory": "..", "file": "gone.c", "command": "cc -c gone.c"}]"#,
            &["a.c"],
        );
        let warnings = database.unwrap().warnings();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].what.contains("gone.c"));
        let (_dir, database) = project(r#"[{"directory": "..", "file": "gone.c", "command": "cc -c gone.c"}]"#, &[]);
        assert_eq!(problem(database).code, "compdb-gone");
    }

    #[test]
    fn broken_json_is_named_with_its_line() {
        let (_dir, database) = project("[\n {\"file\": \"a.c\",,}\n]", &[]);
        let problem = problem(database);
        assert_eq!((problem.code, problem.line), ("compdb-broken", Some(2)));
    }

    #[test]
    fn no_database_says_how_to_make_one() {
        let dir = tempfile::tempdir().unwrap();
        let problem = problem(Database::load(None, dir.path()));
        assert_eq!(problem.code, "compdb-missing");
        assert!(problem.fix.contains("CMAKE_EXPORT_COMPILE_COMMANDS"));
    }

    #[test]
    fn gcc_only_flags_do_not_reach_clang_and_gccs_default_standard_does() {
        let (_dir, database) = project(
            r#"[{"directory": "..", "file": "a.cc",
                 "command": "no-such-g++ -fno-tree-vectorize --param x=1 -fno-builtin -c a.cc"}]"#,
            &["a.cc"],
        );
        let command = &database.unwrap().commands[0];
        assert_eq!(command.clang_args(), ["-fno-builtin", "-std=gnu++17"]);
    }

    #[test]
    fn the_language_follows_x_then_the_extension_then_the_compiler() {
        let of = |forced, file: &str, compiler| language_of(forced, Path::new(file), compiler);
        assert_eq!(of(Some("c++"), "a.c", "gcc"), Some(Language::Cxx));
        assert_eq!(of(None, "a.c", "clang"), Some(Language::C));
        assert_eq!(of(None, "a.c", "clang++-14"), Some(Language::Cxx));
        assert_eq!(of(None, "a.C", "gcc"), Some(Language::Cxx));
        assert_eq!(of(None, "a.inc", "g++"), Some(Language::Cxx));
        assert_eq!(of(None, "a.S", "gcc"), None);
    }
}
