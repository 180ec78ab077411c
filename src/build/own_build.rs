//! Objects of the project's own build that serve as they are, so that only the files under test are compiled again.
//!
//! An object serves if nothing that it was made of is newer, nor its options; if it can be part of a shared object; and
//! if no instrumentation is in it. Everything else is compiled, as if there was no such build.

use super::{Builder, CompileFailure, CompileJob, Flavor, cache, elf};
use crate::compdb::{CompileCommand, Database};
use crate::model::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

/// Options that say whether code may be at any address; the last one counts.
const PLACED: [&str; 10] =
    ["-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-PIC", "-fno-pic", "-fno-PIE", "-fno-pie", "-static", "-mdynamic-no-pic"];

/// What objects ask for that are instrumented: by sanitizers, for coverage, for profiles, for fuzzers.
const INSTRUMENTED: [&str; 17] = [
    "__asan_",
    "__hwasan_",
    "__tsan_",
    "__msan_",
    "__ubsan_",
    "__lsan_",
    "__memprof_",
    "__sanitizer_",
    "__gcov_",
    "__llvm_profile_",
    "__llvm_gcov_",
    "__cyg_profile_",
    "__xray_",
    "__afl_",
    "__fentry__",
    "_mcount",
    "mcount",
];

/// Options that instrument, whether an object asks for something then or not.
const INSTRUMENTING: [&str; 8] =
    ["-fsanitize", "-fprofile", "-fcoverage", "--coverage", "-coverage", "-pg", "-finstrument", "-flto"];

/// What compilers of this machine's programs are called, without triple and version.
const COMPILERS: [&str; 6] = ["gcc", "g++", "cc", "c++", "clang", "clang++"];

/// What the project's own build has made.
#[derive(Debug, Default)]
pub struct OwnBuild {
    made: BTreeMap<PathBuf, Made>,
    /// The sources whose objects were taken.
    taken: Mutex<BTreeSet<PathBuf>>,
}

#[derive(Debug)]
struct Made {
    object: PathBuf,
    options: Options,
    /// The files of the project that were read for it, as far as the model knows.
    read: Vec<PathBuf>,
    /// Nothing else of the project can have been read.
    reads_no_others: bool,
}

/// Where the build tool keeps the options of a compilation.
#[derive(Debug)]
enum Options {
    /// CMake's, for Make: written only where they have changed.
    Flags(PathBuf),
    /// Those that Ninja has, and the compile database: written together.
    Ninja([PathBuf; 2]),
}

impl OwnBuild {
    /// What the compile database names; whether it serves is seen when it is asked for. What was made of a file that is
    /// `mutated` is none of it: the mutant is compiled as the original has to be. `root` is the project's.
    pub fn new(database: &Database, model: &Model, root: &Path, mutated: &BTreeSet<PathBuf>) -> Self {
        let read: BTreeMap<&Path, &Vec<PathBuf>> =
            model.units.iter().map(|unit| (unit.main_file.as_path(), &unit.files)).collect();
        let commands: BTreeMap<&Path, &CompileCommand> =
            database.commands.iter().map(|command| (command.file.as_path(), command)).collect();
        let missing = database.missing_compilers();
        let ninja = database.path.with_file_name("build.ninja");
        let made = |(source, object): (&PathBuf, &PathBuf)| {
            let command = *commands.get(source.as_path())?;
            let read = read.get(source.as_path()).map(|files| files.to_vec()).unwrap_or_default();
            let is_foreign = missing.contains(command.compiler.as_str()) || !is_of_this_machine(&command.compiler);
            if is_foreign || read.iter().any(|file| mutated.contains(file)) {
                return None;
            }
            let flags = object.ancestors().skip(1).map(|folder| folder.join("flags.make")).find(|file| file.is_file());
            let options = match flags {
                Some(flags) => Options::Flags(flags),
                None if ninja.is_file() => Options::Ninja([ninja.clone(), database.path.clone()]),
                // Make does not say with which options it has made something.
                None => return None,
            };
            let reads_no_others = folders(command).all(|folder| folder.starts_with(root) || folder.starts_with("/usr"));
            Some((source.clone(), Made { object: object.clone(), options, read, reads_no_others }))
        };
        Self { made: database.objects.iter().filter_map(made).collect(), taken: Mutex::default() }
    }

    /// The object of a file, for units of other files: the one that the project's build has made if it serves, else
    /// compiled as the project does it. It serves the search and the proofs alike. Neither is instrumented, whatever
    /// else is under test: a shard finds what a whole run finds.
    ///
    /// # Errors
    /// It does not compile.
    pub(super) fn object_beside(&self, builder: &Builder, command: &CompileCommand) -> Result<PathBuf, CompileFailure> {
        match self.object(command) {
            // The build may write another one while this run links it.
            Some(content) => {
                let kept = builder.cache.file(&content, "o");
                kept.map_err(|error| CompileFailure::tool(&command.file, error))
            }
            None => builder.compile(&CompileJob::project(command, Flavor::Plain)),
        }
    }

    /// The content of the object that the project's build made with `command`, if it serves.
    fn object(&self, command: &CompileCommand) -> Option<Vec<u8>> {
        let made = self.made.get(&command.file)?;
        let last = command.args.iter().rev().find(|arg| PLACED.contains(&arg.as_str()));
        let is_placed_anywhere = last.is_some_and(|arg| arg.eq_ignore_ascii_case("-fpic"));
        let is_instrumented = command.args.iter().any(|arg| INSTRUMENTING.iter().any(|start| arg.starts_with(start)));
        if !is_placed_anywhere || is_instrumented || !made.is_up_to_date(command) {
            return None;
        }
        // The build may go on meanwhile.
        let before = modified(&made.object);
        let content = std::fs::read(&made.object).ok()?;
        let serves = elf::is_object_for_this_machine(&content) && !elf::asks_for(&content, is_foreign);
        if !serves || modified(&made.object) != before {
            return None;
        }
        self.taken.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(command.file.clone());
        Some(content)
    }

    /// How many objects were taken.
    pub(super) fn taken(&self) -> usize {
        self.taken.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len()
    }
}

impl Made {
    fn is_up_to_date(&self, command: &CompileCommand) -> bool {
        let Some(made) = modified(&self.object) else { return false };
        let is_older = |file: &PathBuf| changed(file).is_some_and(|changed| changed <= made);
        let has_these_options = match &self.options {
            Options::Flags(file) => {
                let said = std::fs::read_to_string(file).unwrap_or_default();
                modified(file).is_some_and(|written| written <= made) && agree(&said, &command.args)
            }
            Options::Ninja(files) => files.iter().all(|file| modified(file).is_some_and(|written| written <= made)),
        };
        let listed = dependency_files(&self.object).into_iter().find_map(|file| std::fs::read_to_string(file).ok());
        let listed = listed.map(|text| cache::dependencies(&text, &command.directory)).unwrap_or_default();
        let is_of_source = |file: &PathBuf| file.canonicalize().is_ok_and(|file| file == command.file);
        let is_known = match listed.is_empty() {
            true => !self.read.is_empty() && self.reads_no_others,
            false => listed.iter().any(is_of_source),
        };
        let read = || listed.iter().chain(&self.read).chain([&command.file]);
        has_these_options && is_known && read().all(is_older)
    }
}

/// Whether CMake's `flags.make` has the options of a command, as far as they decide what code means.
fn agree(said: &str, args: &[String]) -> bool {
    let mut words = BTreeSet::new();
    for line in said.lines().filter(|line| !line.starts_with('#')) {
        let Some((_, options)) = line.split_once('=') else { continue };
        let Ok(split) = shell_words::split(options) else { return false };
        words.extend(split);
    }
    let counts = |word: &&String| ["-D", "-U", "-f", "-m", "-std="].iter().any(|start| word.starts_with(start));
    let args: BTreeSet<&String> = args.iter().filter(counts).collect();
    args == words.iter().filter(counts).collect()
}

/// Whether a compiler of that name makes programs of this machine and its C library.
fn is_of_this_machine(compiler: &str) -> bool {
    let name = Path::new(compiler).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = format!("{}-linux-gnu-", std::env::consts::ARCH);
    let name = name.strip_prefix(&own).unwrap_or(&name);
    COMPILERS.iter().any(|known| {
        let version = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '.');
        name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(version))
    })
}

/// Where a command looks for headers.
fn folders(command: &CompileCommand) -> impl Iterator<Item = PathBuf> + '_ {
    const OPTIONS: [&str; 4] = ["-isystem", "-iquote", "-idirafter", "-I"];
    command.args.iter().zip(command.args.iter().skip(1).map(Some).chain([None])).filter_map(|(arg, next)| {
        let option = OPTIONS.iter().find(|option| arg.starts_with(**option))?;
        let named = arg.strip_prefix(option).filter(|named| !named.is_empty()).or(next.map(String::as_str))?;
        Some(command.directory.join(named))
    })
}

/// Whether only instrumented code, or code that checks sizes (`_FORTIFY_SOURCE`), asks for `symbol`. Neither calls what
/// the search puts in the place of functions of the C library.
fn is_foreign(symbol: &str) -> bool {
    INSTRUMENTED.iter().any(|start| symbol.starts_with(start))
        || (symbol.starts_with("__") && (symbol.ends_with("_chk") || symbol.ends_with("_2")))
}

/// Where compilers write what they have read for `object`: as CMake, make and automake have it.
fn dependency_files(object: &Path) -> Vec<PathBuf> {
    let mut beside = object.as_os_str().to_owned();
    beside.push(".d");
    let mut files = vec![PathBuf::from(beside), object.with_extension("d")];
    if let (Some(folder), Some(stem)) = (object.parent(), object.file_stem()) {
        files.push(folder.join(".deps").join(stem).with_extension("Po"));
    }
    files
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

/// When a source got the content that it has: one that was moved or copied here may say that it is older.
fn changed(file: &Path) -> Option<SystemTime> {
    let meta = file.metadata().ok()?;
    let (seconds, nanoseconds) = (u64::try_from(meta.ctime()).ok()?, u32::try_from(meta.ctime_nsec()).ok()?);
    Some(meta.modified().ok()?.max(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Language, TranslationUnit};
    use std::fs::File;
    use std::process::Command;
    use std::time::Duration;

    struct Project {
        folder: tempfile::TempDir,
        command: CompileCommand,
    }

    impl Project {
        /// `a.c` with its header, compiled with these options.
        fn built(options: &[&str]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            std::fs::write(at("a.h"), "int twice(int x);\n").unwrap();
            std::fs::write(at("a.c"), "#include \"a.h\"\nint twice(int x) { return 2 * x; }\n").unwrap();
            std::fs::write(at("flags.make"), format!("C_FLAGS = {}\n", options.join(" "))).unwrap();
            let mut compiler = Command::new("cc");
            let done = compiler.args(options).args(["-c", "a.c", "-o", "a.o"]).current_dir(folder.path()).status();
            assert!(done.unwrap().success());
            let command = CompileCommand {
                directory: folder.path().into(),
                file: at("a.c"),
                language: Language::C,
                compiler: "cc".into(),
                args: options.iter().map(|option| option.to_string()).collect(),
                std: None,
            };
            Self { folder, command }
        }

        fn at(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn change_later(&self, name: &str) {
            let file = File::options().append(true).create(true).open(self.at(name)).unwrap();
            file.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
        }

        fn serves(&self) -> bool {
            self.serves_beside(&[])
        }

        fn serves_beside(&self, mutated: &[&str]) -> bool {
            let mutated = mutated.iter().map(|name| self.at(name)).collect();
            let objects = BTreeMap::from([(self.at("a.c"), self.at("a.o"))]);
            let commands = vec![self.command.clone()];
            let path = self.at("compile_commands.json");
            let database = Database { path, commands, objects, ..Database::default() };
            let unit = TranslationUnit { files: vec![self.at("a.c"), self.at("a.h")], ..unit(self.at("a.c")) };
            let model = Model { units: vec![unit], ..Model::default() };
            OwnBuild::new(&database, &model, self.folder.path(), &mutated).object(&self.command).is_some()
        }
    }

    fn unit(main_file: PathBuf) -> TranslationUnit {
        TranslationUnit {
            main_file,
            command: 0,
            language: Language::C,
            files: Vec::new(),
            errors: Vec::new(),
            defers_bodies: false,
            uses_traits: false,
            foreign: Vec::new(),
            features: Vec::new(),
        }
    }

    #[test]
    fn an_object_serves_until_what_it_is_made_of_or_its_options_change() {
        for changed in ["a.c", "a.h", "flags.make"] {
            let project = Project::built(&["-fPIC"]);
            assert!(project.serves());
            project.change_later(changed);
            assert!(!project.serves(), "{changed}");
        }
        // Made of what was another text then.
        let project = Project::built(&["-fPIC"]);
        std::thread::sleep(Duration::from_millis(20));
        std::fs::write(project.at("other.c"), "int once;\n").unwrap();
        let other = File::options().write(true).open(project.at("other.c")).unwrap();
        other.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        std::fs::rename(project.at("other.c"), project.at("a.c")).unwrap();
        assert!(!project.serves());
    }

    #[test]
    fn an_object_serves_only_with_the_options_of_the_compile_database() {
        let mut project = Project::built(&["-fPIC", "-DA=1"]);
        assert!(project.serves());
        project.command.args.push("-DB".into());
        assert!(!project.serves());
        project.command.args = vec!["-fPIC".into()];
        assert!(!project.serves());
        let project = Project::built(&["-fPIC"]);
        // Who has made it, and how, nobody says.
        std::fs::remove_file(project.at("flags.make")).unwrap();
        assert!(!project.serves());
    }

    #[test]
    fn what_a_mutated_header_is_part_of_is_compiled_as_its_mutant_will_be() {
        let project = Project::built(&["-fPIC"]);
        assert!(project.serves_beside(&["b.h"]));
        assert!(!project.serves_beside(&["a.h"]));
    }

    #[test]
    fn what_a_compiler_wrote_beside_an_object_counts_as_well_as_what_the_model_knows() {
        let project = Project::built(&["-fPIC"]);
        std::fs::write(project.at("generated.h"), "").unwrap();
        std::fs::write(project.at("a.o.d"), "a.o: a.c generated.h\n").unwrap();
        project.change_later("generated.h");
        assert!(!project.serves());
        std::fs::write(project.at("a.o.d"), "a.o: b.c \\\n a.h\n").unwrap();
        assert!(!project.serves(), "it is of another source");
        std::fs::write(project.at("a.o.d"), "a.o: a.c \\\n a.h\n").unwrap();
        assert!(project.serves());
    }

    #[test]
    fn compilers_of_other_machines_and_libraries_are_told_by_their_names() {
        for name in ["cc", "/usr/bin/g++-12", "clang++-14", "clang"] {
            assert!(is_of_this_machine(name), "{name}");
        }
        for name in ["x86_64-linux-musl-g++", "zig", "arm-none-eabi-gcc", "g++-for-host", "icpx"] {
            assert!(!is_of_this_machine(name), "{name}");
        }
    }

    #[test]
    fn an_object_does_not_serve_where_a_shared_object_can_not_have_it_or_something_watches_it() {
        for options in
            [&["-fPIE"][..], &[], &["-fPIC", "-fno-pic"], &["-fPIC", "--coverage"], &["-fPIC", "-fsanitize=address"]]
        {
            assert!(!Project::built(options).serves(), "{options:?}");
        }
        let project = Project::built(&["-fPIC"]);
        std::fs::write(project.at("a.o"), "no object").unwrap();
        assert!(!project.serves());
        std::fs::remove_file(project.at("a.o")).unwrap();
        assert!(!project.serves());
    }

    #[test]
    fn checks_of_sizes_and_instrumentation_are_told_by_what_an_object_asks_for() {
        for symbol in ["__memcpy_chk", "__open_2", "__asan_report_load4", "__gcov_init", "mcount"] {
            assert!(is_foreign(symbol), "{symbol}");
        }
        for symbol in ["memcpy", "__stack_chk_fail", "_ZN4mcount3runEv", "__cxa_throw"] {
            assert!(!is_foreign(symbol), "{symbol}");
        }
    }
}
