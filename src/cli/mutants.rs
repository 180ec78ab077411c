//! Options that select mutants, and the commands about mutants.

use super::ProjectArgs;
use crate::choices::{Judgement, Limit, Lines, ListFormat, Rate, ReportTo, ShardChoice, Stratify, Width, numbers};
use clap::{Args, ValueHint};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The selection of mutants.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Which mutants")]
pub struct ScopeArgs {
    /// Only mutants in this file or folder, or in files that match the pattern (`src/**/*.cpp`)
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub file: Vec<String>,
    /// No mutants in this file or folder, or in files that match the pattern
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub exclude: Vec<String>,
    /// Only mutants in this unit: its id, its name, or part of its name between asterisks
    #[arg(long, value_name = "UNIT")]
    pub unit: Vec<String>,
    /// Operators, or groups of them: sufficient, deletion, cxx, all; `-NAME` excludes one
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub operators: Vec<String>,
    /// Only mutants on these lines
    #[arg(long, value_name = "[FILE:]A-B")]
    pub lines: Vec<Lines>,
    /// Only mutants on lines changed since a git revision
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Only mutants on lines that this coverage file shows as executed (lcov, or `llvm-cov export`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub coverage_file: Option<PathBuf>,
    /// Only N mutants, chosen at random
    #[arg(long, value_name = "N", conflicts_with = "sample_rate", value_parser = numbers::sample)]
    pub sample: Option<NonZeroUsize>,
    /// Only this share of the mutants, chosen at random (`10%`, `0.1`)
    #[arg(long, value_name = "SHARE")]
    pub sample_rate: Option<Rate>,
    /// How the sample is drawn [default: uniform]
    #[arg(long, value_name = "BY")]
    pub stratify: Option<Stratify>,
    /// Only this part of the run, cut by source file, for `merge` to join: K from 1; `auto` asks the job array that it
    /// runs in (Slurm, GitLab, GitHub, Kubernetes)
    #[arg(long, value_name = "K/N")]
    pub shard: Option<ShardChoice>,
}

/// `mutate`.
#[derive(Clone, Debug, Default, Args)]
pub struct MutateArgs {
    /// Where the project is built.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// Print the mutants, one per line, and write nothing
    #[arg(long, conflicts_with_all = ["files", "test_command"])]
    pub list: bool,
    /// The form of the list
    #[arg(long, value_name = "FORMAT", requires = "list")]
    pub format: Option<ListFormat>,
    /// Also write a whole mutated file for every mutant that will be tried
    #[arg(long)]
    pub files: bool,
    /// Also write this report: to PATH, or into report/ of the output folder; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]", conflicts_with = "list")]
    pub report: Vec<ReportTo>,
    /// The random seed [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,
    /// The selection of mutants.
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// The project's own tests.
    #[command(flatten)]
    pub tests: TestArgs,
    /// Stop when the mutation score is known to WIDTH percentage points, with 95 % confidence
    #[arg(long, value_name = "WIDTH", help_heading = TESTS)]
    pub confidence: Option<Width>,
}

const TESTS: &str = "The project's own tests";

/// The project's own tests.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = TESTS)]
pub struct TestArgs {
    /// Run the project's own tests against each mutant; the search is for what they leave
    #[arg(long, value_name = "COMMAND")]
    pub test_command: Option<String>,
    /// How to build the copy of the project [default: CMake, configured as the build folder]
    #[arg(long, value_name = "COMMAND")]
    pub build_command: Option<String>,
    /// Time limit of the tests per mutant [default: from their time on the original]
    #[arg(long, value_name = "TIME")]
    pub test_timeout: Option<Limit>,
}

/// What is shown of survivors, and which of them matter.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Survivors")]
pub struct SurvivorArgs {
    /// An earlier outcomes.json: only survivors that are none in it are new
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Exit with 1 when there is a new survivor
    #[arg(long)]
    pub fail_on_new: bool,
    /// Show at most N survivors of a function, those first that the search came nearest to
    #[arg(long, value_name = "N")]
    pub max_survivors: Option<usize>,
}

/// `dismiss`.
#[derive(Clone, Debug, Args)]
pub struct DismissArgs {
    /// The mutant: its id, a unique part of it, or its place (`FILE:LINE` or `FILE:LINE:COLUMN`)
    #[arg(value_name = "MUTANT", required_unless_present = "list")]
    pub mutant: Option<String>,
    /// Why; reports show it
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["list", "remove"])]
    pub reason: Option<String>,
    /// The verdict [default: unwanted]
    #[arg(long = "as", value_name = "VERDICT")]
    pub judgement: Option<Judgement>,
    /// Who says so [default: the name that git has]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Print the dismissals
    #[arg(long, conflicts_with_all = ["mutant", "reason", "judgement", "by", "remove"])]
    pub list: bool,
    /// Remove the dismissal of the mutant
    #[arg(long, conflicts_with_all = ["reason", "judgement", "by"])]
    pub remove: bool,
    /// The output folder of the run [default: motif.out]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

/// `explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    /// The mutant: its id, a unique part of it, or its place (`FILE:LINE` or `FILE:LINE:COLUMN`)
    #[arg(value_name = "MUTANT")]
    pub mutant: String,
    /// The output folder of the run [default: motif.out]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}
