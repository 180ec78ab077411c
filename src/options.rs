//! Command line and configuration merged: defaults filled in, paths absolute, combinations checked.

mod scope;
mod shard;
mod survivors;

pub use scope::{Sample, ScopeOptions, TestOptions};
pub use survivors::SurvivorOptions;

use crate::build::AflFlavor;
use crate::choices::{
    AflMode, Budget, BudgetChoice, Color, Compiler, Coverage, Decide, Engine, Executor, Fault, Framework, Limit,
    Percent, ReportTo, Sanitizer, Shard, Size,
};
use crate::cli::{
    AnalyzeArgs, DismissArgs, ExplainArgs, FuzzArgs, GlobalArgs, MutateArgs, ProjectArgs, ReportArgs, ReviewArgs,
    ScaffoldArgs,
};
use crate::config::Config;
use crate::diag::Problem;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The default name of the output folder.
pub const DEFAULT_OUTPUT: &str = "motif.out";

/// The options of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The project's root, absolute, symbolic links resolved.
    pub root: PathBuf,
    /// The folder that the user calls the project, with its overrides and verdicts: `root`, unless that has the files
    /// of a commit.
    pub project: PathBuf,
    /// The commit that `root` has the files of; none for the user's own files.
    pub commit: Option<String>,
    /// The mutants are bodies of another revision. What the compiler warns of in the mixture, such as a helper that the
    /// older body does not call, refuses none of them.
    pub are_revisions: bool,
    /// The folder of `compile_commands.json`, absolute; searched if unset.
    pub build_dir: Option<PathBuf>,
    /// The output folder, absolute.
    pub output: PathBuf,
    /// Where tests are written, absolute.
    pub tests_folder: PathBuf,
    /// The mutants' folder or list, absolute; if unset, mutants are made.
    pub mutants: Option<PathBuf>,
    /// The selection of mutants.
    pub scope: ScopeOptions,
    /// The project's own tests, if they are run.
    pub tests: Option<TestOptions>,
    /// The requested units; all if empty.
    pub units: Vec<String>,
    /// The search engine.
    pub engine: Engine,
    /// The compiler of the search.
    pub compiler: Compiler,
    /// The sanitizer for survivors; with AFL++, of the search.
    pub sanitizer: Sanitizer,
    /// The coverage of the search.
    pub coverage: Coverage,
    /// How AFL++ passes inputs.
    pub afl_mode: AflMode,
    /// Failures that are inputs, each once.
    pub faults: BTreeSet<Fault>,
    /// Search per mutant.
    pub budget: Budget,
    /// A unit's search ends earlier where what lives in it has less than this chance to die in as much search again.
    pub residual_risk: Option<Percent>,
    /// Search for the whole run.
    pub total_budget: Option<Budget>,
    /// What is done with survivors after the search.
    pub decide: Decide,
    /// CPU time of the solver for each survivor.
    pub decide_budget: std::time::Duration,
    /// CPU time for trying every input of a unit.
    pub exhaustion_budget: std::time::Duration,
    /// The random seed.
    pub seed: u64,
    /// Local workers.
    pub jobs: NonZeroUsize,
    /// The size in bytes that the user's cache is kept below.
    pub cache_size: Option<u64>,
    /// The form of the emitted tests; `None`: by the unit's language.
    pub framework: Option<Framework>,
    /// Instead of tests, fuzz targets are written to the first folder, with what was searched in the second.
    pub fuzz_targets: Option<(PathBuf, PathBuf)>,
    /// A test for each mutant instead of the smallest set.
    pub one_per_mutant: bool,
    /// The minimum mutation score in percent.
    pub fail_under: Option<Percent>,
    /// Reports that are written at the end.
    pub reports: Vec<ReportTo>,
    /// What is shown of survivors.
    pub survivors: SurvivorOptions,
    /// Resume the run in the output folder.
    pub resume: bool,
    /// Where units are searched.
    pub executor: Executor,
    /// Only this part of the mutants.
    pub shard: Option<Shard>,
    /// Libraries of the project: names, linker options, or absolute files.
    pub link: Vec<String>,
    /// pkg-config packages of the project.
    pub pkg_config: Vec<String>,
}

/// How to write messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// When to use colours.
    pub color: Color,
    /// Print more.
    pub verbose: bool,
    /// Print problems only.
    pub quiet: bool,
}

impl Talk {
    /// The command line wins over the configuration.
    pub fn resolve(global: &GlobalArgs, config: &Config) -> Self {
        let given = global.verbose || global.quiet;
        Self {
            color: global.color.or(config.color).unwrap_or_default(),
            verbose: global.verbose || !given && config.verbose.unwrap_or(false),
            quiet: global.quiet || !given && config.quiet.unwrap_or(false),
        }
    }
}

/// The default of `--residual-risk`.
const RISK: Percent = Percent(1.0);
/// The default time of the solver for each survivor.
const DECIDE: std::time::Duration = std::time::Duration::from_secs(30);
/// CPU time for trying every input of a unit.
const EXHAUSTION: std::time::Duration = std::time::Duration::from_secs(180);

/// The default search time per unit of `analyze --build`.
const SURVEY: std::time::Duration = std::time::Duration::from_secs(2);

impl Options {
    /// The options of `fuzz`.
    pub fn for_fuzz(root: &Path, args: &FuzzArgs, config: Config) -> Result<Self, Problem> {
        let mut options = Self::for_project(root, &args.project, &config);
        options.scope = ScopeOptions::resolve(root, &args.scope, &config);
        options.survivors = SurvivorOptions::resolve(root, &args.survivors, &config)?;
        options.tests = TestOptions::resolve(&args.tests, None, &config)?;
        options.reports = reports(&args.report, &config);
        options.mutants = args.mutants.clone().or(config.mutants).map(|path| absolute(root, &path));
        options.units = if args.units.is_empty() && args.scope.unit.is_empty() {
            config.unit
        } else {
            args.units.iter().chain(&args.scope.unit).cloned().collect()
        };
        options.engine = args.engine.or(config.engine).unwrap_or_default();
        options.compiler = args.compiler.or(config.compiler).unwrap_or_default();
        // The default engine runs only survivors under a sanitizer; AFL++ would run the whole search under it.
        let unasked = match options.engine {
            Engine::LibFuzzer | Engine::Hybrid => Sanitizer::Address,
            Engine::AflPlusPlus | Engine::Symbolic => Sanitizer::None,
        };
        options.sanitizer = args.sanitizer.or(config.sanitizer).unwrap_or(unasked);
        options.coverage = args.coverage.or(config.coverage).unwrap_or_default();
        options.afl_mode = args.afl_mode.or(config.afl_mode).unwrap_or_default();
        let faults = if args.fault.is_empty() { config.fault } else { args.fault.clone() };
        options.faults = faults.into_iter().collect();
        let asked = args.budget.or(config.budget);
        (options.budget, options.residual_risk) = budget(asked, args.residual_risk, config.residual_risk)?;
        options.decide = args.decide.or(config.decide).unwrap_or_default();
        options.decide_budget = args.decide_budget.or(config.decide_budget).map_or(DECIDE, |Limit(time)| time);
        let exhaustion = args.exhaustion_budget.or(config.exhaustion_budget);
        options.exhaustion_budget = exhaustion.map_or(EXHAUSTION, |Limit(time)| time);
        options.total_budget = args.total_budget.or(config.total_budget);
        options.seed = args.seed.or(config.seed).unwrap_or(0);
        options.framework = args.framework.or(config.framework);
        options.one_per_mutant = args.one_per_mutant || config.one_per_mutant.unwrap_or(false);
        options.resume = args.resume || config.resume.unwrap_or(false);
        options.shard = shard::resolve(args.scope.shard.or(config.shard), |name| std::env::var(name).ok())?;
        options.executor = args.executor.or(config.executor).unwrap_or_default();
        options.fail_under = args.fail_under.or(config.fail_under);
        options.check()?;
        Ok(options)
    }

    /// The options of `analyze`.
    pub fn for_analyze(root: &Path, args: &AnalyzeArgs, config: Config) -> Result<Self, Problem> {
        let mut options = Self::for_project(root, &args.project, &config);
        options.units = args.units.clone();
        options.budget = args.budget.unwrap_or(Budget::Time(SURVEY));
        options.seed = args.seed.or(config.seed).unwrap_or(0);
        Ok(options)
    }

    /// The options of `mutate`.
    ///
    /// # Errors
    ///
    /// Options that exclude each other.
    pub fn for_mutate(root: &Path, args: &MutateArgs, config: Config) -> Result<Self, Problem> {
        let mut options = Self::for_project(root, &args.project, &config);
        options.scope = ScopeOptions::resolve(root, &args.scope, &config);
        options.shard = shard::resolve(args.scope.shard.or(config.shard), |name| std::env::var(name).ok())?;
        let tests = TestOptions::resolve(&args.tests, args.confidence, &config)?.filter(|_| !args.list);
        let confidence = args.confidence.or(config.confidence);
        options.tests = tests.map(|tests| TestOptions { confidence, ..tests });
        options.reports = reports(&args.report, &config);
        options.seed = args.seed.or(config.seed).unwrap_or(0);
        options.units = if args.scope.unit.is_empty() { config.unit } else { args.scope.unit.clone() };
        Ok(options)
    }

    /// The options of `explain`.
    pub fn for_explain(root: &Path, args: &ExplainArgs, config: Config) -> Self {
        let project = ProjectArgs { output: args.output.clone(), ..ProjectArgs::default() };
        Self::for_project(root, &project, &config)
    }

    /// The options of `dismiss`.
    pub fn for_dismiss(root: &Path, args: &DismissArgs, config: Config) -> Self {
        let project = ProjectArgs { output: args.output.clone(), ..ProjectArgs::default() };
        Self::for_project(root, &project, &config)
    }

    /// The options of `scaffold`.
    pub fn for_scaffold(root: &Path, args: &ScaffoldArgs, config: Config) -> Result<Self, Problem> {
        Ok(Self { units: args.units.clone(), ..Self::for_project(root, &args.project, &config) })
    }

    /// The options of `review`.
    pub fn for_review(root: &Path, args: &ReviewArgs, config: Config) -> Self {
        Self { units: args.units.clone(), ..Self::for_project(root, &args.project, &config) }
    }

    /// The options of `report`.
    pub fn for_report(root: &Path, args: &ReportArgs, config: Config) -> Result<Self, Problem> {
        let project = ProjectArgs { output: args.output.clone(), ..ProjectArgs::default() };
        let fail_under = args.fail_under.or(config.fail_under);
        let survivors = SurvivorOptions::resolve(root, &args.survivors, &config)?;
        Ok(Self { fail_under, survivors, ..Self::for_project(root, &project, &config) })
    }

    fn for_project(root: &Path, args: &ProjectArgs, config: &Config) -> Self {
        let output = args.output.as_ref().or(config.output.as_ref());
        let output_folder = absolute(root, output.map_or(Path::new(DEFAULT_OUTPUT), PathBuf::as_path));
        Self {
            root: root.to_path_buf(),
            project: root.to_path_buf(),
            commit: None,
            are_revisions: false,
            build_dir: args.build_dir.as_ref().or(config.build_dir.as_ref()).map(|path| absolute(root, path)),
            tests_folder: output_folder.join("tests"),
            output: output_folder,
            mutants: None,
            scope: ScopeOptions::default(),
            tests: None,
            units: Vec::new(),
            engine: Engine::default(),
            compiler: Compiler::default(),
            sanitizer: Sanitizer::default(),
            coverage: Coverage::default(),
            afl_mode: AflMode::default(),
            faults: BTreeSet::new(),
            budget: Budget::default(),
            residual_risk: None,
            total_budget: None,
            decide: Decide::default(),
            decide_budget: DECIDE,
            exhaustion_budget: EXHAUSTION,
            seed: 0,
            jobs: args.jobs.or(config.jobs).unwrap_or_else(cores),
            cache_size: args.cache_size.or(config.cache_size).map(|Size(bytes)| bytes),
            framework: None,
            fuzz_targets: None,
            one_per_mutant: false,
            fail_under: None,
            reports: Vec::new(),
            survivors: SurvivorOptions::default(),
            resume: false,
            executor: Executor::default(),
            shard: None,
            link: config.link.iter().map(|library| linkable(root, library)).collect(),
            pkg_config: config.pkg_config.clone(),
        }
    }

    /// Refuses combinations that cannot work, before anything starts.
    fn check(&self) -> Result<(), Problem> {
        let (compiler, sanitizer, coverage) = (self.compiler, self.sanitizer, self.coverage);
        if self.executor == Executor::Slurm && self.shard.is_some() {
            let what = "`--executor slurm` gives each of its jobs a shard, and can not be one";
            return Err(Problem::usage("options-conflict", what, "leave out `--shard`, or `--executor`"));
        }
        if self.engine == Engine::AflPlusPlus {
            if self.residual_risk.is_some() {
                let what = "`--budget auto` is not available with `--engine afl++`, which does not count what it finds";
                return Err(Problem::usage("options-conflict", what, "give a time, or use `--engine libfuzzer`"));
            }
            return AflFlavor { compiler, sanitizer, coverage }.check();
        }
        let refuse = |what: String, fix: &str| Err(Problem::usage("options-conflict", what, fix));
        if self.engine.asks_solver() && !self.faults.is_empty() {
            return refuse(
                format!("`--fault` makes calls fail, of which the solver of `--engine {}` knows nothing", self.engine),
                "leave out `--fault`, or use `--engine libfuzzer`",
            );
        }
        if self.engine.asks_solver() && matches!(self.decide, Decide::None | Decide::Exhaustion) {
            return refuse(
                format!("`--engine {}` asks the solver, and `--decide {}` does not", self.engine, self.decide),
                "leave out `--decide`, or use `--engine libfuzzer`",
            );
        }
        if self.engine == Engine::Symbolic && sanitizer != Sanitizer::None {
            return refuse(
                format!("`--sanitizer {sanitizer}` needs the inputs of a search, and `--engine symbolic` has none"),
                "leave out `--sanitizer`, or use `--engine hybrid`",
            );
        }
        if let Some(total) = self.total_budget.filter(|_| self.engine == Engine::Symbolic) {
            return refuse(
                format!("`--total-budget {total}` is of a search, and `--engine symbolic` has none"),
                "leave it out (`--decide-budget` bounds the time of each mutant), or use `--engine hybrid`",
            );
        }
        let engine = self.engine;
        if compiler == Compiler::Gcc {
            return refuse(
                format!("`--engine {engine}` needs `--compiler clang`: its driver is not built with another"),
                "omit `--compiler`, or use `--engine afl++`",
            );
        }
        if coverage != Coverage::Edge {
            return refuse(
                format!("`--coverage {coverage}` is not available with `--engine {engine}`"),
                "omit `--coverage`, or use `--engine afl++`",
            );
        }
        if self.afl_mode != AflMode::default() {
            return refuse(
                format!("`--afl-mode {}` is not available with `--engine {engine}`", self.afl_mode),
                "omit `--afl-mode` (it says how AFL++ runs inputs), or use `--engine afl++`",
            );
        }
        if sanitizer == Sanitizer::Memory {
            return refuse(
                format!(
                    "`--sanitizer memory` is not available with `--engine {engine}`: all code of the process would \
                     have to be built with it, the C++ library too; its writes would go unseen, and correct mutants \
                     would be killed"
                ),
                "use `--sanitizer address` or `undefined`; reads of uninitialised memory that change a result are \
                 found anyway",
            );
        }
        Ok(())
    }
}

/// What each mutant gets, and with `auto` the risk at which a unit's search ends earlier: the one `given` on the
/// command line, or the one that is `configured`.
fn budget(
    asked: Option<BudgetChoice>,
    given: Option<Percent>,
    configured: Option<Percent>,
) -> Result<(Budget, Option<Percent>), Problem> {
    match asked {
        Some(BudgetChoice::Auto) => Ok((Budget::default(), Some(given.or(configured).unwrap_or(RISK)))),
        _ if given.is_some() => {
            let what = "`--residual-risk` says when `--budget auto` ends a search, and the budget is another";
            Err(Problem::usage("options-conflict", what, "add `--budget auto`, or leave it out"))
        }
        Some(BudgetChoice::Given(budget)) => Ok((budget, None)),
        None => Ok((Budget::default(), None)),
    }
}

fn reports(given: &[ReportTo], config: &Config) -> Vec<ReportTo> {
    if given.is_empty() { config.report.clone() } else { given.to_vec() }
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// `path` relative to `root`, without `.` and, if it exists, without symbolic links.
pub fn absolute(root: &Path, path: &Path) -> PathBuf {
    let joined = root.join(path);
    joined.canonicalize().unwrap_or_else(|_| joined.components().collect())
}

/// Files become absolute; library names and linker options stay.
fn linkable(root: &Path, library: &str) -> String {
    let is_file = !library.starts_with('-') && (library.contains('/') || root.join(library).is_file());
    if is_file { absolute(root, Path::new(library)).display().to_string() } else { library.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use crate::yaml;
    use clap::Parser;

    fn options(line: &str, config: &str) -> Result<Options, Problem> {
        let cli = Cli::try_parse_from(format!("motif-cpp fuzz --mutants m {line}").split_whitespace()).unwrap();
        let Command::Fuzz(args) = cli.command else { panic!("not fuzz") };
        Options::for_fuzz(Path::new("/project"), &args, yaml::parse(config, "config-invalid").unwrap())
    }

    #[test]
    fn the_defaults_are_the_contract() {
        let options = options("", "").unwrap();
        assert_eq!(options.output, Path::new("/project/motif.out"));
        assert_eq!(options.budget.to_string(), "10s");
        assert_eq!((options.seed, options.engine, options.total_budget), (0, Engine::LibFuzzer, None));
        assert_eq!(options.coverage, Coverage::Edge);
        assert_eq!(options.sanitizer, Sanitizer::Address);
        assert_eq!((options.decide_budget.as_secs(), options.exhaustion_budget.as_secs()), (30, 180));
    }

    #[test]
    fn survivors_meet_a_sanitizer_unless_it_is_said_otherwise_and_afl_searches_without_one() {
        for word in ["address", "undefined", "leak", "none"] {
            assert_eq!(options(&format!("--sanitizer {word}"), "").unwrap().sanitizer.to_string(), word);
        }
        assert_eq!(options("", "sanitizer: none").unwrap().sanitizer, Sanitizer::None);
        assert_eq!(options("--engine afl++", "").unwrap().sanitizer, Sanitizer::None);
    }

    #[test]
    fn the_command_line_wins_over_the_configuration() {
        let config = "seed: 5\nbudget: 1m\nbuild-dir: build\ncoverage: laf\nengine: afl++\nlink: [z, lib/libx.a]\n";
        let config = format!("{config}decide-budget: 7s\nexhaustion-budget: 5m\n");
        let options = options("--seed 9 --coverage ctx --exhaustion-budget 1h", &config).unwrap();
        assert_eq!((options.decide_budget.as_secs(), options.exhaustion_budget.as_secs()), (7, 3600));
        assert_eq!(options.seed, 9);
        assert_eq!(options.budget.to_string(), "1m");
        assert_eq!(options.build_dir.as_deref(), Some(Path::new("/project/build")));
        assert_eq!(options.coverage, Coverage::Ctx);
        assert_eq!(options.link, ["z", "/project/lib/libx.a"]);
    }

    fn mutate(line: &str, config: &str) -> Result<Options, Problem> {
        let cli = Cli::try_parse_from(format!("motif-cpp mutate {line}").split_whitespace()).unwrap();
        let Command::Mutate(args) = cli.command else { panic!("not mutate") };
        Options::for_mutate(Path::new("/project"), &args, yaml::parse(config, "config-invalid").unwrap())
    }

    #[test]
    fn the_scope_is_the_same_in_both_commands_and_each_part_overrides_the_configuration() {
        let config = "file: [src]\noperators: [sufficient, -ABS]\nsample: 10\nunit: [f]\nlines: [a.c:3-4]\n";
        let scope = options("", config).unwrap().scope;
        assert_eq!(scope, mutate("", config).unwrap().scope);
        assert_eq!((scope.operators, scope.files), (vec!["sufficient".into(), "-ABS".into()], vec!["src".to_owned()]));
        let given = mutate("--operators -ROR,all --sample-rate 10% --unit g --file b.c", config).unwrap();
        assert_eq!(given.scope.operators, ["-ROR", "all"]);
        assert_eq!(
            (given.scope.sample, given.units),
            (Some(Sample::Rate(crate::choices::Rate(0.1))), vec!["g".into()])
        );
        assert_eq!(options("h", config).unwrap().units, ["h"]);
    }

    #[test]
    fn what_is_about_the_projects_tests_needs_their_command() {
        for line in ["--confidence 10", "--build-command make", "--test-timeout 3s"] {
            let problem = mutate(line, "").unwrap_err();
            assert!(problem.fix.contains("--test-command"), "{problem}");
            assert!(mutate(&format!("{line} --test-command ctest"), "").unwrap().tests.is_some());
        }
        // In the configuration they have no effect without it.
        assert_eq!(mutate("", "confidence: 10\n").unwrap().tests, None);
        assert!(mutate("", "confidence: 10\ntest-command: ctest\n").unwrap().tests.unwrap().confidence.is_some());
    }

    #[test]
    fn combinations_that_do_not_exist_are_refused() {
        for line in [
            "--compiler gcc",
            "--coverage laf",
            "--sanitizer memory",
            "--afl-mode persistent",
            "--engine afl++ --compiler gcc --sanitizer memory",
            "--engine afl++ --compiler gcc --coverage laf",
            "--engine afl++ --budget auto",
            "--residual-risk 2",
            "--budget 5s --residual-risk 2",
        ] {
            let problem = options(line, "").unwrap_err();
            assert_eq!(problem.exit, crate::diag::Exit::Usage, "{line}");
        }
        assert!(options("--engine afl++ --compiler gcc --sanitizer address", "").is_ok());
        assert!(options("--engine afl++ --sanitizer memory --coverage laf", "").is_ok());
    }

    #[test]
    fn the_risk_of_auto_is_one_percent_and_a_budget_that_is_given_has_none() {
        let risk = |line: &str, config: &str| options(line, config).unwrap().residual_risk;
        assert_eq!(risk("--budget auto", ""), Some(Percent(1.0)));
        assert_eq!(risk("--budget auto --residual-risk 0.5", "residual-risk: 3"), Some(Percent(0.5)));
        assert_eq!(risk("", "budget: auto\nresidual-risk: 3"), Some(Percent(3.0)));
        assert_eq!(risk("--budget 5s", "budget: auto\nresidual-risk: 3"), None);
        assert_eq!(options("--budget auto", "").unwrap().budget, Budget::default());
    }

    #[test]
    fn quiet_on_the_command_line_wins_over_verbose_in_the_configuration() {
        let config = Config { verbose: Some(true), ..Config::default() };
        let talk = Talk::resolve(&GlobalArgs { quiet: true, ..GlobalArgs::default() }, &config);
        assert!(talk.quiet && !talk.verbose);
        assert!(Talk::resolve(&GlobalArgs::default(), &config).verbose);
    }
}
