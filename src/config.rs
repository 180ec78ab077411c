//! `motif.yaml`: what the command line says, under the same names, and what only a project knows.

use crate::choices::{
    AflMode, Budget, BudgetChoice, Color, Compiler, Coverage, Decide, Engine, Executor, Fault, Framework, Limit, Lines,
    Percent, Rate, ReportTo, Sanitizer, ShardChoice, Size, Stratify, Width,
};
use crate::diag::Problem;
use crate::yaml;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

/// The name of the configuration at the project's root.
pub const FILE_NAME: &str = "motif.yaml";

/// Configuration of motif-cpp for a project. Keys are the command line's options, which win over it; relative
/// paths start at the project's root.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Where `compile_commands.json` is.
    pub build_dir: Option<PathBuf>,
    /// The output folder; `motif.out` if not given.
    pub output: Option<PathBuf>,
    /// A folder of mutated source files, a `mutants.json`, or a list file with one name a line; without it, the
    /// built-in operators make them.
    pub mutants: Option<PathBuf>,
    /// Only mutants of these files or folders, or of files that match these patterns (`src/**/*.cpp`).
    pub file: Vec<String>,
    /// No mutants of these files or folders, or of files that match these patterns.
    pub exclude: Vec<String>,
    /// Only mutants of these units: ids, names, or parts of names between asterisks.
    pub unit: Vec<String>,
    /// Operators, or groups of them (`sufficient`, `deletion`, `cxx`, `all`); `-NAME` leaves one out.
    pub operators: Vec<String>,
    /// Only mutants on these lines: `A-B` or `FILE:A-B`.
    pub lines: Vec<Lines>,
    /// Only mutants on lines changed since this git revision.
    pub since: Option<String>,
    /// Only mutants on lines that this coverage file has as executed (lcov, or `llvm-cov export`).
    pub coverage_file: Option<PathBuf>,
    /// Only so many mutants, chosen at random.
    pub sample: Option<NonZeroUsize>,
    /// Only this share of the mutants, chosen at random.
    pub sample_rate: Option<Rate>,
    /// What the sample takes evenly from.
    pub stratify: Option<Stratify>,
    /// Where units are searched.
    pub executor: Option<Executor>,
    /// What `--executor slurm` asks Slurm for.
    pub slurm: Slurm,
    /// Only this part of the run: `K/N`, or `auto` for the one that a job array names.
    pub shard: Option<ShardChoice>,
    /// The command that runs the project's own tests.
    pub test_command: Option<String>,
    /// How a copy of the project is built for them.
    pub build_command: Option<String>,
    /// How long the tests may take on a mutant.
    pub test_timeout: Option<Limit>,
    /// `mutate`: stop when the mutation score is known to so many percentage points, with 95 % confidence.
    pub confidence: Option<Width>,
    /// What searches for killing inputs.
    pub engine: Option<Engine>,
    /// The compiler that builds what is searched.
    pub compiler: Option<Compiler>,
    /// What survivors are run once more under (`address` where nothing is said); with AFL++, what the search is built
    /// with.
    pub sanitizer: Option<Sanitizer>,
    /// What the search takes for new behaviour.
    pub coverage: Option<Coverage>,
    /// With AFL++, how inputs reach the program.
    pub afl_mode: Option<AflMode>,
    /// Failures that are inputs: one call of these kinds may fail while the unit runs.
    pub fault: Vec<Fault>,
    /// Search per mutant: a time (`10s`), a number of executions (`200000x`), or `auto`.
    pub budget: Option<BudgetChoice>,
    /// With `budget: auto`: the chance that as much search again would kill a mutant may be this at most, in percent.
    pub residual_risk: Option<Percent>,
    /// Search for the whole run.
    pub total_budget: Option<Budget>,
    /// What is done with survivors after the search.
    pub decide: Option<Decide>,
    /// CPU time of the solver for each survivor (30s).
    pub decide_budget: Option<Limit>,
    /// CPU time for trying every input of a unit of numbers (3m).
    pub exhaustion_budget: Option<Limit>,
    /// The random seed.
    pub seed: Option<u64>,
    /// Local workers.
    pub jobs: Option<NonZeroUsize>,
    /// The size that the user's cache is kept below: `10GiB` if not given.
    pub cache_size: Option<Size>,
    /// The form of the emitted tests.
    pub framework: Option<Framework>,
    /// A test for each mutant instead of the smallest set of tests that kills all.
    pub one_per_mutant: Option<bool>,
    /// Exit with 1 when the mutation score is below this percentage.
    pub fail_under: Option<Percent>,
    /// Reports that `fuzz` and `mutate` write at the end: `FORMAT` or `FORMAT=PATH`.
    pub report: Vec<ReportTo>,
    /// An earlier `outcomes.json`: survivors that are none in it are new.
    pub baseline: Option<PathBuf>,
    /// Exit with 1 when there is a new survivor.
    pub fail_on_new: Option<bool>,
    /// The most survivors of a function that are shown.
    pub max_survivors: Option<usize>,
    /// `fuzz`: go on where the last run in this output folder stopped.
    pub resume: Option<bool>,
    /// When to colour.
    pub color: Option<Color>,
    /// Say more.
    pub verbose: Option<bool>,
    /// Say nothing but problems.
    pub quiet: Option<bool>,
    /// Write what happens to standard output, as JSON lines.
    pub json_events: Option<bool>,
    /// Libraries that the project's code needs: names (`z`), linker options (`-lz`, `-L/opt/lib`) or files
    /// (`lib/libfoo.a`).
    pub link: Vec<String>,
    /// pkg-config packages that the project's code needs.
    #[serde(alias = "pkg_config")]
    pub pkg_config: Vec<String>,
}

/// What `--executor slurm` asks Slurm for; what is not said is left to the cluster.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Slurm {
    /// The number of jobs, each of which does a shard; 4 if not given.
    pub nodes: Option<NonZeroU32>,
    /// `--partition`.
    pub partition: Option<String>,
    /// `--account`.
    pub account: Option<String>,
    /// `--time` of a job, as Slurm writes it (`2:00:00`).
    pub time: Option<String>,
    /// `--mem` of a job (`8G`).
    pub memory: Option<String>,
    /// More options of `sbatch`, such as `--cpus-per-task=8`.
    pub options: Vec<String>,
    /// Lines of shell before the tool in each job (`module load llvm`).
    pub prologue: String,
}

impl Config {
    /// Reads `given`, which must exist, or `motif.yaml` under `root`, which need not.
    pub fn load(root: &Path, given: Option<&Path>) -> Result<Self, Problem> {
        let file = match given {
            Some(given) => root.join(given),
            None => root.join(FILE_NAME),
        };
        if given.is_none() && !file.exists() {
            return Ok(Self::default());
        }
        let (config, _) = yaml::read::<Config>(&file, "config-invalid")?;
        Ok(config)
    }

    /// The JSON Schema that ships as `utility-overrides/motif.schema.json`.
    pub fn schema() -> serde_json::Value {
        serde_json::to_value(schemars::schema_for!(Config)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, Problem> {
        yaml::parse(text, "config-invalid")
    }

    #[test]
    fn keys_are_spelled_as_the_options() {
        let config = parse(
            "build-dir: build\nmutants: mutants\nengine: afl++\ncompiler: gcc\nsanitizer: address\ncoverage: laf\n\
             afl-mode: persistent\nbudget: 5m\ntotal-budget: 1000x\nseed: 7\njobs: 2\nframework: gtest\n\
             fail-under: 80\nlink: [z]\n\
             pkg-config: [libxml-2.0]\n",
        )
        .unwrap();
        assert_eq!(config.engine, Some(Engine::AflPlusPlus));
        assert_eq!(config.coverage, Some(Coverage::Laf));
        assert_eq!(config.afl_mode, Some(AflMode::Persistent));
        assert_eq!(config.total_budget, Some(Budget::Executions(1000)));
        assert_eq!(config.pkg_config, ["libxml-2.0"]);
    }

    #[test]
    fn a_misspelled_key_is_an_error_with_its_line() {
        let problem = parse("seed: 1\nbudgett: 10s\n").unwrap_err();
        assert_eq!((problem.line, problem.what.as_str()), (Some(2), "unknown key `budgett`"));
        assert!(problem.fix.contains("`budget`"), "{}", problem.fix);
    }

    #[test]
    fn a_misspelled_value_is_an_error_with_its_line() {
        let problem = parse("seed: 1\nengine: libfuzer\n").unwrap_err();
        assert_eq!(problem.line, Some(2));
        assert!(problem.fix.contains("did you mean `libfuzzer`?"), "{problem}");
    }

    #[test]
    fn numbers_that_make_no_sense_are_errors() {
        for text in ["jobs: 0", "seed: -1", "fail-under: 120", "budget: 10", "total-budget: soon"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_configuration_that_is_asked_for_must_exist() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Config::load(dir.path(), None).unwrap(), Config::default());
        let problem = Config::load(dir.path(), Some(Path::new("other.yaml"))).unwrap_err();
        assert_eq!(problem.exit, crate::diag::Exit::Usage);
    }
}
