//! What the tests are built against: the project's sources with their compile commands, and which of them
//! include which header.

use super::framework::Row;
use crate::choices::Framework;
use crate::compdb::{CompileCommand, DEFERS_BODIES};
use crate::model::{Language, Model, Namesake};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The project as the tests see it.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Its root, absolute.
    pub root: PathBuf,
    /// Where it is for those who build the tests: `root`, unless that has the files of a commit.
    pub home: PathBuf,
    /// Every source file that takes part in the link: each once, none that defines `main`.
    pub sources: Vec<CompileCommand>,
    /// Source files that define `main`: no test links them, but one may include one.
    pub programs: Vec<CompileCommand>,
    /// Those of the sources that define what another one before them defines, too, such as what stands in for it in
    /// tests.
    pub doubles: BTreeSet<PathBuf>,
    /// Headers of the project that mutants were given for, absolute.
    pub headers: Vec<PathBuf>,
    /// Symbols that nobody defines: what links the project has to do without them.
    pub missing: Vec<String>,
    /// Those of them, and maybe others, that are variables of a thread.
    pub missing_in_threads: BTreeSet<String>,
    /// Libraries to link (`-lz`).
    pub libraries: Vec<String>,
    /// The sources that include a file, directly or not.
    pub includers: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The frameworks that its tests are to be in, for their languages; the usual ones where none serves.
    pub frameworks: Vec<Framework>,
    /// Every mutant has a test of its own.
    pub one_per_mutant: bool,
    /// Frameworks that it brings along, with their headers.
    pub shipped: BTreeMap<Framework, PathBuf>,
}

impl Project {
    /// The project below `root` with the files of its compile database.
    pub fn new(root: &Path, commands: impl IntoIterator<Item = CompileCommand>, model: &Model) -> Self {
        let defines = |(file, own): (&PathBuf, &Vec<Namesake>)| {
            own.iter().any(|namesake| !namesake.is_elsewhere).then(|| file.clone())
        };
        let doubles = model.namesakes.iter().filter_map(defines).collect();
        let mut project = Self { root: root.to_path_buf(), home: root.to_path_buf(), doubles, ..Self::default() };
        for command in commands {
            if project.source(&command.file).is_some() {
                continue;
            }
            if model.files.get(&command.file).is_some_and(|file| file.defines_main) {
                project.programs.push(command);
            } else {
                project.sources.push(command);
            }
        }
        project.with_includers(model)
    }

    /// Leaves out sources that do not compile; they would take every test along.
    #[must_use]
    pub fn without<'f>(mut self, files: impl IntoIterator<Item = &'f Path>) -> Self {
        let gone: Vec<&Path> = files.into_iter().collect();
        self.sources.retain(|source| !gone.contains(&source.file.as_path()));
        self
    }

    /// Takes these sources for programs: their objects define `main`, whatever their text says.
    pub fn are_programs(&mut self, files: &[PathBuf]) {
        let (programs, sources) = std::mem::take(&mut self.sources).into_iter().partition(|s| files.contains(&s.file));
        self.sources = sources;
        self.programs.extend::<Vec<CompileCommand>>(programs);
    }

    /// Adds from `model` which sources include which file.
    #[must_use]
    pub fn with_includers(mut self, model: &Model) -> Self {
        for unit in &model.units {
            for file in unit.files.iter().filter(|f| **f != unit.main_file) {
                let includers = self.includers.entry(file.clone()).or_default();
                if !includers.contains(&unit.main_file) {
                    includers.push(unit.main_file.clone());
                }
            }
        }
        self
    }

    /// The framework of tests in `language`.
    pub fn framework(&self, language: Language) -> &'static Row {
        Row::for_language(language, &self.frameworks)
    }

    /// The header of a framework that it brings along, and that is not installed.
    pub fn shipped_header(&self, row: &Row) -> Option<&Path> {
        let header = self.shipped.get(&row.name).filter(|_| row.shipped.is_some() && !row.is_installed())?;
        Some(self.relative(header).unwrap_or(header))
    }

    /// The lines that include a framework.
    pub fn framework_include(&self, row: &Row) -> String {
        match (self.shipped_header(row), row.shipped) {
            (Some(header), Some(shipped)) => format!("{}#include \"{}\"", shipped.before, header.display()),
            _ => row.include.to_owned(),
        }
    }

    /// The source with this path, or the program.
    pub fn source(&self, file: &Path) -> Option<&CompileCommand> {
        self.sources.iter().chain(&self.programs).find(|s| s.file == file)
    }

    /// Every source that must be compiled again when `file` changes: itself, or what includes it.
    pub fn affected(&self, file: &Path) -> Vec<&CompileCommand> {
        let includers = self.includers.get(file).map(Vec::as_slice).unwrap_or_default();
        self.sources.iter().filter(|s| s.file == file || includers.contains(&s.file)).collect()
    }

    /// `path` relative to the root, where it lies below.
    pub fn relative<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.root).ok()
    }
}

/// `path` from `directory`, without `.` and `..`.
pub fn absolute(directory: &Path, path: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for component in directory.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// A compiler argument as a build of its own needs it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// Stands alone.
    Plain(String),
    /// A flag and the value that follows it.
    Pair(String, String),
    /// A flag (with its separator, such as `-I`) and a path, absolute; the path follows as a word of its own
    /// where `apart`.
    Path {
        /// `-I`, `-isystem`, …
        flag: String,
        /// The path, absolute.
        path: PathBuf,
        /// Written as two words.
        apart: bool,
    },
}

/// Flags that take a path.
const PATHS: &str = "-isystem -iquote -idirafter -include-pch -include -imacros -isysroot -iprefix --sysroot -I -F";
/// Flags that take a word which is no path.
const WORDS: [&str; 9] = ["-Xclang", "-mllvm", "-target", "-arch", "-Xpreprocessor", "-Xassembler", "-D", "-U", "-x"];
/// Flags that say where to leave dependencies or objects, with a word to follow.
const DROPPED_PAIRS: [&str; 6] = ["-MF", "-MT", "-MQ", "-o", "-MJ", "-serialize-diagnostics"];

/// The arguments of `source` that say how its code is to be read and translated, paths made absolute.
/// What would turn warnings into errors, put off translation to the linker, write dependency files, or name
/// the language, is left out.
pub fn flags(source: &CompileCommand) -> Vec<Flag> {
    read_flags(source, &is_dropped)
}

/// The same with what turns warnings into errors.
pub fn strict_flags(source: &CompileCommand) -> Vec<Flag> {
    read_flags(source, &|arg| is_dropped(arg) && !makes_errors(arg))
}

fn read_flags(source: &CompileCommand, is_dropped: &dyn Fn(&str) -> bool) -> Vec<Flag> {
    let mut out = Vec::new();
    let mut args = source.args.iter();
    while let Some(arg) = args.next() {
        if DROPPED_PAIRS.contains(&arg.as_str()) || arg == "-x" {
            args.next();
        } else if let Some(flag) = PATHS.split(' ').find(|f| f == arg) {
            if let Some(path) = args.next() {
                out.push(path_flag(flag, path, true, &source.directory));
            }
        } else if WORDS.contains(&arg.as_str()) {
            if let Some(word) = args.next() {
                match arg.as_str() {
                    "-D" | "-U" => out.push(Flag::Plain(format!("{arg}{word}"))),
                    _ => out.push(Flag::Pair(arg.clone(), word.clone())),
                }
            }
        } else if let Some((flag, path)) = joined_path(arg) {
            out.push(path_flag(flag, path, false, &source.directory));
        } else if !is_dropped(arg) {
            out.push(Flag::Plain(arg.clone()));
        }
    }
    out
}

fn is_dropped(arg: &str) -> bool {
    // (Objects for the optimiser of one linker are none for another's.)
    let is_for_linker = arg.starts_with("-flto") || arg.ends_with("fat-lto-objects");
    is_for_linker || makes_errors(arg) || arg == DEFERS_BODIES || arg == "-c" || arg.starts_with("-M")
}

fn makes_errors(arg: &str) -> bool {
    matches!(arg, "-Werror" | "-pedantic-errors") || arg.starts_with("-Werror=")
}

/// `-Idir`, `--sysroot=dir`, `-isystemdir`.
fn joined_path(arg: &str) -> Option<(&'static str, &str)> {
    if let Some(path) = arg.strip_prefix("--sysroot=") {
        return Some(("--sysroot=", path));
    }
    let joined = PATHS.split(' ').filter(|flag| !flag.starts_with("--") && !matches!(*flag, "-F" | "-include-pch"));
    joined.filter_map(|flag| Some((flag, arg.strip_prefix(flag)?))).find(|(_, path)| !path.is_empty())
}

fn path_flag(flag: &str, path: &str, apart: bool, directory: &Path) -> Flag {
    // `-I` and a blank is the same as `-I` without one, and reads better without.
    let apart = apart && flag != "-I";
    // A forced include without a folder is looked up along the include path, after the directory.
    if matches!(flag, "-include" | "-imacros") && !absolute(directory, path).exists() {
        return Flag::Pair(flag.to_owned(), path.to_owned());
    }
    Flag::Path { flag: flag.to_owned(), path: absolute(directory, path), apart }
}

/// The flags of `flags` that the linker driver must see too.
pub fn link_flags(flags: &[Flag]) -> Vec<String> {
    let wanted = |arg: &str| {
        arg.starts_with("-fsanitize=")
            || arg.starts_with("-stdlib=")
            || matches!(arg, "-pthread" | "-fopenmp" | "-m32" | "-m64" | "--coverage" | "-fprofile-arcs")
            || arg.starts_with("--target=")
    };
    let mut out: Vec<String> = Vec::new();
    for flag in flags {
        match flag {
            Flag::Plain(arg) if wanted(arg) && !out.contains(arg) => out.push(arg.clone()),
            Flag::Pair(name, value) if name == "-target" => out.extend([name.clone(), value.clone()]),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flags as words of a command line.
    fn words(flags: &[Flag]) -> Vec<String> {
        let mut out = Vec::new();
        for flag in flags {
            match flag {
                Flag::Plain(arg) => out.push(arg.clone()),
                Flag::Pair(name, value) => out.extend([name.clone(), value.clone()]),
                Flag::Path { flag, path, apart: true } => out.extend([flag.clone(), path.display().to_string()]),
                Flag::Path { flag, path, apart: false } => out.push(format!("{flag}{}", path.display())),
            }
        }
        out
    }

    fn source(args: &[&str]) -> CompileCommand {
        CompileCommand {
            file: "/p/src/a.cpp".into(),
            language: Language::Cxx,
            directory: "/p/build".into(),
            compiler: "c++".into(),
            args: args.iter().map(|a| (*a).to_owned()).collect(),
            std: None,
        }
    }

    #[test]
    fn relative_paths_start_where_the_compiler_ran() {
        let flags = flags(&source(&["-I../include", "-isystem", "../third", "-idirafter", "/usr/x", "-I", "gen"]));
        assert_eq!(words(&flags), ["-I/p/include", "-isystem", "/p/third", "-idirafter", "/usr/x", "-I/p/build/gen"]);
    }

    #[test]
    fn flags_that_only_concern_the_projects_own_build_are_left_out() {
        let flags = flags(&source(&[
            "-Werror",
            "-Werror=shadow",
            "-flto=auto",
            "-fno-fat-lto-objects",
            "-MD",
            "-MF",
            "a.d",
            "-DX=1",
            "-D",
            "Y",
            "-x",
            "c++",
            "-O2",
        ]));
        assert_eq!(words(&flags), ["-DX=1", "-DY", "-O2"]);
    }

    #[test]
    fn a_header_affects_every_source_that_includes_it() {
        let mut project = Project { root: "/p".into(), sources: vec![source(&[])], ..Project::default() };
        project.includers.insert("/p/a.hpp".into(), vec!["/p/src/a.cpp".into()]);
        assert_eq!(project.affected(Path::new("/p/a.hpp")).len(), 1);
        assert_eq!(project.affected(Path::new("/p/src/a.cpp")).len(), 1);
        assert!(project.affected(Path::new("/p/b.hpp")).is_empty());
    }
}
