//! A copy of the project that is built and tested.

use super::cmake::Cache;
use super::copy;
use super::options::{Project, SuiteOptions};
use super::trial::{self, Limits, Ran};
use crate::build::run::Ended;
use crate::diag::Problem;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limit of a build.
const LIMITS: Limits = Limits { time: Duration::from_secs(6 * 3600), memory: None };

/// How copies are made and built.
pub(super) struct Builds<'a> {
    pub project: &'a Project<'a>,
    pub options: &'a SuiteOptions,
    /// The test command, modified to stop early.
    pub test: String,
    /// The folder of copies and logs.
    pub folder: PathBuf,
    memory: Option<u64>,
    /// The tests need more memory than the limit for mutants.
    unlimited: AtomicBool,
    /// The build folder of the compile database.
    build: PathBuf,
    cache: Option<Cache>,
}

/// One copy.
pub(super) struct ProjectCopy<'a> {
    /// How it was made.
    pub builds: &'a Builds<'a>,
    number: usize,
    pub root: PathBuf,
    /// CPU seconds of all commands in it.
    pub cpu_seconds: f64,
}

impl<'a> Builds<'a> {
    /// Finds out how to build the project.
    ///
    /// # Errors
    /// Commands that would build or test the original, and builds that nothing is known of.
    pub(super) fn new(project: &'a Project<'a>, options: &'a SuiteOptions) -> Result<Self, Problem> {
        let build = project.database.path.parent().unwrap_or(project.root).to_path_buf();
        super::command::check("test-command", &options.test_command, project.root, &build)?;
        let mut cache = None;
        if let Some(command) = &options.build_command {
            super::command::check("build-command", command, project.root, &build)?;
        } else {
            let fix = "configure and build the project with `--build-command CMD` (run at the root of a copy)";
            cache = Cache::read(&build)?;
            match &cache {
                None => {
                    let what = "the compile database does not come from CMake, so how to build is not known";
                    return Err(Problem::usage("suite-build-unknown", what, fix).at(&build));
                }
                Some(cache) if !build.starts_with(project.root) || !cache.source.starts_with(project.root) => {
                    let what = "the build folder or its sources are outside of the project, of which a copy is tested";
                    let fix = format!("configure into a folder of the project (`cmake -B build`), or {fix}");
                    return Err(Problem::usage("suite-build-outside", what, fix).at(&build));
                }
                Some(_) => {}
            }
        }
        let sanitized =
            project.database.commands.iter().flat_map(|c| &c.args).any(|arg| arg.starts_with("-fsanitize="));
        Ok(Self {
            project,
            options,
            test: super::command::stopping_early(&options.test_command),
            folder: project.output.join("suite"),
            memory: if sanitized { None } else { memory() },
            unlimited: AtomicBool::new(false),
            build,
            cache,
        })
    }

    /// A log of this name.
    pub(super) fn log(&self, name: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{name}.log"))
    }

    /// Makes the copy of this number, from 1, and configures it.
    pub(super) fn copy(&'a self, number: usize) -> anyhow::Result<ProjectCopy<'a>> {
        let name = self.project.root.file_name().unwrap_or("project".as_ref());
        let root = self.folder.join(number.to_string()).join(name);
        if root.exists() {
            std::fs::remove_dir_all(&root)?;
        }
        std::fs::create_dir_all(self.folder.join("logs"))?;
        let mut left = vec![self.project.output.to_path_buf()];
        // A build among the sources; any other build folder is known by its cache.
        if self.project.root.join("CMakeCache.txt").is_file() {
            left.extend(["CMakeCache.txt", "CMakeFiles"].map(|name| self.project.root.join(name)));
        }
        copy::tree(self.project.root, &root, &left)?;
        let root = root.canonicalize()?;
        let mut copy = ProjectCopy { builds: self, number, root, cpu_seconds: 0.0 };
        copy.configure()?;
        Ok(copy)
    }
}

/// The memory limit of a test process: an equal share would be too little for some, all of it too much.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some((kilobytes * 1024 / 2).max(2 << 30))
}

impl<'a> ProjectCopy<'a> {
    /// The same copy, made afresh.
    pub(super) fn again(&self) -> anyhow::Result<Self> {
        let fresh = self.builds.copy(self.number)?;
        Ok(Self { cpu_seconds: self.cpu_seconds + fresh.cpu_seconds, ..fresh })
    }

    /// The path of a project file in the copy.
    pub(super) fn place(&self, original: &Path) -> PathBuf {
        match original.strip_prefix(self.builds.project.root) {
            Ok(inside) => self.root.join(inside),
            Err(_) => original.to_path_buf(),
        }
    }

    fn configure(&mut self) -> anyhow::Result<()> {
        let Some(cache) = &self.builds.cache else { return Ok(()) };
        let build = self.place(&self.builds.build);
        std::fs::create_dir_all(&build)?;
        let script = build.join("motif-cache.cmake");
        std::fs::write(&script, cache.script(&self.builds.build, self.builds.project.root, &self.root))?;
        let mut cmake = Command::new("cmake");
        cmake.arg("-C").arg(&script).args(&cache.generator);
        cmake.arg("-S").arg(self.place(&cache.source)).arg("-B").arg(&build);
        let log = self.builds.log(&format!("configure-{}", self.number));
        let ran = self.run(cmake, &[], &log)?;
        if !ran.passed() {
            return Err(failed("suite-configure", "the copy of the project can't be configured", &log));
        }
        Ok(())
    }

    /// Builds; returns whether it succeeded.
    pub(super) fn build(&mut self) -> anyhow::Result<(bool, PathBuf)> {
        let log = self.builds.log(&format!("build-{}", self.number));
        let command = match &self.builds.options.build_command {
            Some(command) => trial::shell(command),
            None => {
                let mut cmake = Command::new("cmake");
                let jobs = self.builds.options.jobs.max(1).to_string();
                cmake.arg("--build").arg(self.place(&self.builds.build)).args(["-j", &jobs]);
                cmake
            }
        };
        let ran = self.run(command, &[("LC_ALL", "C".into())], &log)?;
        Ok((ran.passed(), log))
    }

    /// Runs the tests.
    pub(super) fn test(&mut self, environment: &[(&str, String)], time: Duration, log: &Path) -> anyhow::Result<Ran> {
        let memory = self.builds.memory.filter(|_| !self.builds.unlimited.load(Ordering::Relaxed));
        let limits = Limits { time, memory };
        let mut environment = environment.to_vec();
        environment.push(("GTEST_FAIL_FAST", "1".into()));
        let interrupted = self.builds.project.interrupted;
        let ran = trial::run(trial::shell(&self.builds.test), &self.root, &environment, log, limits, interrupted)?;
        self.cpu_seconds += ran.cpu_seconds;
        Ok(ran)
    }

    /// Runs the tests on the original for the first time. Some programs reserve more memory than the machine has.
    pub(super) fn first_test(&mut self, time: Duration, log: &Path) -> anyhow::Result<Ran> {
        let ran = self.test(&[], time, log)?;
        if self.builds.memory.is_none() || !matches!(ran.ended, Ended::Itself(status) if !status.success()) {
            return Ok(ran);
        }
        self.builds.unlimited.store(true, Ordering::Relaxed);
        self.test(&[], time, log)
    }

    /// Writes a file of the copy if its text changes.
    pub(super) fn put(&self, original: &Path, text: &[u8]) -> anyhow::Result<()> {
        let place = self.place(original);
        if std::fs::read(&place).is_ok_and(|present| present == text) {
            return Ok(());
        }
        Ok(std::fs::write(&place, text)?)
    }

    fn run(&mut self, command: Command, environment: &[(&str, String)], log: &Path) -> anyhow::Result<Ran> {
        let interrupted = self.builds.project.interrupted;
        let program = command.get_program().to_owned();
        let ran = trial::run(command, &self.root, environment, log, LIMITS, interrupted).map_err(|error| {
            let what = format!("`{}` can't be started: {error}", program.display());
            Problem::tool("suite-tool", what, "install it, or put it on the PATH")
        })?;
        self.cpu_seconds += ran.cpu_seconds;
        if ran.ended == Ended::Interrupted {
            return Err(crate::session::interrupted().into());
        }
        Ok(ran)
    }
}

/// A required step has failed: the log's path and its last lines.
pub(super) fn failed(code: &'static str, what: &str, log: &Path) -> anyhow::Error {
    let fix = "the whole output is in the file named above";
    Problem::usage(code, format!("{what}:{}", trial::last_lines(log)), fix).at(log).into()
}

/// Why a mutated file's own build failed, in one line.
pub(super) fn build_error(log: &Path, root: &Path) -> String {
    let text = trial::tail(log);
    match super::check::messages(&text, root).first() {
        Some(message) => message.text.clone(),
        None => text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("the build fails").trim().to_owned(),
    }
}
