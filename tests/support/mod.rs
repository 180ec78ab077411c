//! Throw-away projects, runs of the real command on them, and what it left behind.
#![allow(missing_docs)] // its names say it

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A project in a folder of its own, gone with the value.
pub struct Project {
    folder: tempfile::TempDir,
    /// Set for every run.
    pub environment: Vec<(String, String)>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// What `expected.yaml` says of a mutant.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub id: String,
    pub outcome: Expectation,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    Kill,
    Equivalent,
    Undecidable,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFile {
    mutants: Vec<Expected>,
}

/// The cache of all tests.
pub const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// Whether the run is `make test-all`: what takes a sample elsewhere takes all then.
pub fn takes_all() -> bool {
    std::env::var_os("MOTIF_TEST_ALL").is_some()
}

/// The folder of a sample in the repository.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)
}

/// What is known of a sample's mutants.
pub fn expected(name: &str) -> Vec<Expected> {
    let text = std::fs::read_to_string(sample(name).join("expected.yaml")).unwrap();
    serde_yaml::from_str::<ExpectedFile>(&text).unwrap().mutants
}

/// The files below a folder, by their paths in it: mutants, as the tool names them.
pub fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in std::fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

impl Project {
    /// An empty one.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("motif-test-").tempdir().unwrap();
        Self { folder, environment: Vec::new() }
    }

    /// A copy of a sample, configured so that it has a compile database in `build`.
    pub fn sample(name: &str) -> Self {
        let project = Self::new();
        copy(&sample(name), project.root());
        project.configure();
        project
    }

    /// A small project of the given files, with a compile database that names its C and C++ sources.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let project = Self::new();
        for (path, text) in files {
            project.write(path, text);
        }
        let sources = files.iter().map(|(path, _)| *path).filter(|path| !path.contains('/'));
        project.database(&sources.filter(|path| path.ends_with(".c") || path.ends_with(".cpp")).collect::<Vec<_>>());
        project
    }

    /// A project of the files in `tests/sources/NAME`, with a compile database that names its C and C++ sources.
    pub fn sources(name: &str) -> Self {
        Self::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources").join(name))
    }

    /// The same of `tests/cases/NAME`.
    pub fn case(name: &str) -> Self {
        Self::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name))
    }

    fn of_folder(folder: &Path) -> Self {
        let project = Self::new();
        copy(folder, project.root());
        let mut sources = files_below(folder);
        sources.retain(|path| !path.contains('/') && (path.ends_with(".c") || path.ends_with(".cpp")));
        project.database(&sources.iter().map(String::as_str).collect::<Vec<_>>());
        project
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    /// Writes `build/compile_commands.json` for sources given relative to the root.
    pub fn database(&self, sources: &[&str]) {
        let entries: Vec<Value> = sources
            .iter()
            .map(|source| {
                let is_c = source.ends_with(".c");
                let (compiler, standard) = if is_c { ("cc", "-std=c11") } else { ("c++", "-std=c++17") };
                let arguments = [compiler, standard, "-c", source, "-o", "/dev/null"];
                serde_json::json!({"directory": self.root(), "file": source, "arguments": arguments})
            })
            .collect();
        self.write("build/compile_commands.json", &serde_json::to_string(&entries).unwrap());
    }

    pub fn configure(&self) {
        let output = Command::new("cmake")
            .args(["-S", ".", "-B", "build", "-G", "Ninja"])
            .current_dir(self.root())
            .output()
            .expect("cmake runs");
        assert!(output.status.success(), "cmake: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_motif-cpp"));
        command.arg("-C").arg(self.root()).args(arguments).stdin(Stdio::null());
        // One worker for all test binaries, and nothing of the tests' in the user's own folder.
        command.env("MOTIF_CACHE_DIR", CACHE);
        // A search is a second, and trying all inputs of one unit is minutes.
        command.env("MOTIF_DECIDE", "off");
        // The tests may run in a pipeline themselves.
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the command to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        Run::of(self.command(arguments).output().expect("motif-cpp runs"))
    }

    /// Runs the command where no file can grow beyond `most` bytes, as on a disk that is full.
    pub fn run_with_small_files<S: AsRef<OsStr>>(&self, most: u64, arguments: impl IntoIterator<Item = S>) -> Run {
        use std::os::unix::process::CommandExt;
        let mut command = self.command(arguments);
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: both calls are async-signal-safe and touch nothing but the new process.
        unsafe {
            command.pre_exec(move || {
                libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
                match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        Run::of(command.output().expect("motif-cpp runs"))
    }

    /// Starts the command, to be spoken with.
    pub fn speak<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("motif-cpp runs")
    }

    /// Starts the command; what it says is dropped.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Child {
        self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("motif-cpp runs")
    }

    /// `fuzz` with the mutants of the folder `mutants` and some more arguments.
    pub fn fuzz(&self, more: &[&str]) -> Run {
        self.run(["fuzz", "-p", "build", "--mutants", "mutants"].iter().chain(more))
    }

    /// The outcome of the last run.
    pub fn outcome(&self) -> Outcome {
        Outcome(serde_json::from_str(&self.read("motif.out/outcomes.json")).unwrap())
    }

    /// The test that kills a mutant.
    #[track_caller]
    pub fn test_of(&self, outcome: &Outcome, id: &str) -> String {
        let test = outcome.mutants()[id]["kill"]["test"].as_str().expect("it is killed").to_owned();
        self.read(format!("motif.out/{}", test.split('#').next().unwrap()))
    }

    /// Bad input was seen before anything was started: the right exit code, one clear message, nothing written.
    #[track_caller]
    pub fn refuses(&self, run: &Run, code: i32, mentions: &[&str]) {
        run.ends_with(code);
        assert!(run.stderr.contains("error["), "no error code in:\n{}", run.stderr);
        assert!(!run.stderr.contains("error[internal]"), "{}", run.stderr);
        for word in mentions {
            assert!(run.stderr.contains(word), "`{word}` is not mentioned in:\n{}", run.stderr);
        }
        assert!(!self.root().join("motif.out").exists(), "an output folder was left behind");
    }
}

impl Run {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    pub fn ends_with(&self, code: i32) {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
    }
}

/// `outcomes.json`, read as a user's script would.
pub struct Outcome(pub Value);

impl Outcome {
    pub fn mutants(&self) -> BTreeMap<&str, &Value> {
        let mutants = self.0["mutants"].as_array().unwrap();
        mutants.iter().map(|mutant| (mutant["id"].as_str().unwrap(), mutant)).collect()
    }

    pub fn status(&self, id: &str) -> &str {
        self.mutants().get(id).unwrap_or_else(|| panic!("{id} is not in the outcome"))["status"].as_str().unwrap()
    }

    pub fn reason(&self, id: &str) -> &str {
        self.mutants()[id]["reason"].as_str().unwrap_or_default()
    }

    pub fn verified(&self, id: &str) -> bool {
        self.mutants()[id]["kill"]["verified"] == true
    }

    /// CPU seconds of units and kills are parts of the whole run's, and each thing is counted once.
    #[track_caller]
    pub fn costs_add_up(&self) {
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
        // The clock of a process that still runs ticks a hundred times a second.
        const TICKS: f64 = 0.1;
        let (mut build, mut search) = (0.0, 0.0);
        for unit in self.0["units"].as_array().unwrap() {
            let cost = &unit["cpu_seconds"];
            build += number(&cost["build"]);
            search += number(&cost["search"]);
            let most = number(&cost["build"]) + number(&cost["search"]);
            assert!(number(&cost["build"]) > 0.0, "{unit}");
            for mutant in self.mutants().values().filter(|m| m["unit"] == unit["id"] && m["kill"].is_object()) {
                let fell = number(&mutant["kill"]["cpu_seconds"]);
                assert!(0.0 < fell && fell <= most + TICKS, "{fell} of {most}: {mutant}");
                assert!(number(&mutant["effort"]["cpu_seconds"]) <= number(&cost["search"]) + TICKS, "{mutant}");
            }
        }
        let all = &self.0["cpu_seconds"];
        let shared = number(&all["shared"]);
        assert!(shared > 0.0 && build + shared <= number(&all["build"]) + TICKS, "{build} and {shared} of {all}");
        assert!((search - number(&all["search"])).abs() < TICKS, "{search} of {all}");
    }

    pub fn count(&self, status: &str) -> u64 {
        self.0["summary"][status].as_u64().unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The versions of clang that are installed, of the floor and of the newest that is supported here.
pub fn clangs() -> Vec<&'static str> {
    let installed = |version: &&str| Command::new(format!("clang++-{version}")).arg("--version").output().is_ok();
    ["14", "19"].into_iter().filter(installed).collect()
}

/// A folder with links to the programs of `PATH`, but for those that `unwanted` names.
pub fn path_without(unwanted: impl Fn(&str) -> bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for directory in std::env::split_paths(&std::env::var_os("PATH").unwrap()) {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if !name.to_str().is_some_and(&unwanted) {
                // A name that is in two folders: the first wins, as in PATH.
                let _ = std::os::unix::fs::symlink(entry.path(), folder.path().join(name));
            }
        }
    }
    folder
}

/// Writes mutants of a project: the name of each, and the text that stands in the place of another.
#[track_caller]
pub fn write_mutants(project: &Project, mutants: &[(&str, &str, &str)]) {
    for (id, from, to) in mutants {
        let (stem, extension) = (id.split(".mut.").next().unwrap(), id.rsplit('.').next().unwrap());
        let text = project.read(format!("{stem}.{extension}"));
        assert!(text.contains(from), "`{from}` is not in {stem}.{extension}");
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
}

/// Writes the mutants, and expects that all are killed, each
/// with a proved test.
#[track_caller]
pub fn all_die(project: &Project, budget: &str, mutants: &[(&str, &str, &str)]) -> Outcome {
    write_mutants(project, mutants);
    project.fuzz(&["--budget", budget]).ends_with(0);
    let outcome = project.outcome();
    for (id, ..) in mutants {
        let reason = (outcome.reason(id), &outcome.mutants()[id]["kill"]);
        assert!(outcome.verified(id), "{id}: {}: {reason:?}", outcome.status(id));
    }
    outcome
}
