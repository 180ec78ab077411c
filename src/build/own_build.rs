//! Objects of the project's own build that serve as they are, so that only the files under test are compiled again.
//!
//! An object serves if nothing that it was made of is newer, nor its options; if it can be part of a shared object; and
//! if no instrumentation is in it. Everything else is compiled, as if there was no such build.

use super::{Builder, CompileFailure, CompileJob, Flavor, cache, elf};
use crate::compdb::{CompileCommand, Database};
use crate::model::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

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
    /// What has the options of its compilation: newer ones may be others.
    configured: PathBuf,
    /// The files of the project that were read for it, as far as the model knows.
    read: Vec<PathBuf>,
}

impl OwnBuild {
    /// What the compile database names; whether it serves is seen when it is asked for.
    pub fn new(database: &Database, model: &Model) -> Self {
        let read: BTreeMap<&Path, &Vec<PathBuf>> =
            model.units.iter().map(|unit| (unit.main_file.as_path(), &unit.files)).collect();
        let made = |(source, object): (&PathBuf, &PathBuf)| {
            let options =
                object.ancestors().skip(1).map(|folder| folder.join("flags.make")).find(|file| file.is_file());
            let made = Made {
                object: object.clone(),
                configured: options.unwrap_or_else(|| database.path.clone()),
                read: read.get(source.as_path()).map(|files| files.to_vec()).unwrap_or_default(),
            };
            (source.clone(), made)
        };
        Self { made: database.objects.iter().map(made).collect(), taken: Mutex::default() }
    }

    /// The object of a file that is not under test: the one that the project's build has made if it serves, else
    /// compiled as the project does it. It serves the search and the proofs alike.
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
        let is_placed_anywhere = || {
            let last = command.args.iter().rev().find(|arg| PLACED.contains(&arg.as_str()));
            last.is_some_and(|arg| arg.eq_ignore_ascii_case("-fpic"))
        };
        let is_deferred = || command.args.iter().any(|arg| arg.starts_with("-flto"));
        if !is_placed_anywhere() || is_deferred() || !made.is_up_to_date(command) {
            return None;
        }
        let content = std::fs::read(&made.object).ok()?;
        let serves = elf::is_object_for_this_machine(&content) && !elf::asks_for(&content, is_foreign);
        // The build may have gone on meanwhile.
        if !serves || !made.is_up_to_date(command) {
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
        let Some(made) = changed(&self.object) else { return false };
        let listed = dependency_files(&self.object).into_iter().find_map(|file| std::fs::read_to_string(file).ok());
        let listed = listed.map(|text| cache::dependencies(&text, &command.directory)).unwrap_or_default();
        let read = if listed.is_empty() { &self.read } else { &listed };
        let from = read.iter().chain([&self.configured, &command.file]);
        !read.is_empty() && from.into_iter().all(|file| changed(file).is_some_and(|changed| changed <= made))
    }
}

/// Whether only instrumented code, or code that checks sizes (`_FORTIFY_SOURCE`), asks for `symbol`. Neither calls what
/// the search puts in the place of functions of the C library.
fn is_foreign(symbol: &str) -> bool {
    INSTRUMENTED.iter().any(|start| symbol.starts_with(start)) || (symbol.starts_with("__") && symbol.ends_with("_chk"))
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

fn changed(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
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
            std::fs::write(at("compile_commands.json"), "[]").unwrap();
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
            let objects = BTreeMap::from([(self.at("a.c"), self.at("a.o"))]);
            let database = Database { path: self.at("compile_commands.json"), objects, ..Database::default() };
            let unit = TranslationUnit { files: vec![self.at("a.c"), self.at("a.h")], ..unit(self.at("a.c")) };
            let model = Model { units: vec![unit], ..Model::default() };
            OwnBuild::new(&database, &model).object(&self.command).is_some()
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
        for changed in ["a.c", "a.h", "compile_commands.json"] {
            let project = Project::built(&["-fPIC"]);
            assert!(project.serves());
            project.change_later(changed);
            assert!(!project.serves(), "{changed}");
        }
    }

    #[test]
    fn what_a_compiler_or_cmake_wrote_beside_an_object_counts_for_more_than_what_the_model_knows() {
        let project = Project::built(&["-fPIC"]);
        std::fs::write(project.at("a.o.d"), "a.o: a.c generated.h\n").unwrap();
        project.change_later("generated.h");
        assert!(!project.serves());
        std::fs::write(project.at("a.o.d"), "a.o: a.c \\\n a.h\n").unwrap();
        assert!(project.serves());
        // CMake writes the database each time it runs, and these only where they have changed.
        project.change_later("compile_commands.json");
        assert!(!project.serves());
        std::fs::write(project.at("flags.make"), "").unwrap();
        File::options()
            .write(true)
            .open(project.at("flags.make"))
            .unwrap()
            .set_modified(SystemTime::UNIX_EPOCH)
            .unwrap();
        assert!(project.serves());
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
        for symbol in ["__memcpy_chk", "__asan_report_load4", "__gcov_init", "mcount"] {
            assert!(is_foreign(symbol), "{symbol}");
        }
        for symbol in ["memcpy", "__stack_chk_fail", "_ZN4mcount3runEv", "__cxa_throw"] {
            assert!(!is_foreign(symbol), "{symbol}");
        }
    }
}
