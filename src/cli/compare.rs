//! Options of `compare`.

use super::ProjectArgs;
use crate::choices::{Budget, BudgetChoice, Decide, Framework, Percent, ReportTo, numbers};
use clap::{Args, ValueHint};

/// `compare`.
#[derive(Clone, Debug, Default, Args)]
pub struct CompareArgs {
    /// The older revision, compared with the working tree; or two of them
    #[arg(value_name = "REV[..REV]")]
    pub revisions: String,
    /// Where the project is built.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// Only functions in this file or folder, or in files that match the pattern (`src/**/*.cpp`)
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub file: Vec<String>,
    /// No functions in this file or folder, or in files that match the pattern
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub exclude: Vec<String>,
    /// Only this unit: its id, its name, or part of its name between asterisks
    #[arg(long, value_name = "UNIT")]
    pub unit: Vec<String>,
    /// Search per function: a time (10s, 5m), executions (200000x), or `auto`: until an estimate says that as much
    /// again would hardly find a difference, for 10s at most [default: 10s]
    #[arg(long, value_name = "B")]
    pub budget: Option<BudgetChoice>,
    /// With `--budget auto`: the chance that as much search again finds a difference may be this at most, in percent
    /// [default: 1]
    #[arg(long, value_name = "PCT")]
    pub residual_risk: Option<Percent>,
    /// Search for the whole run: a time or executions [default: no limit]
    #[arg(long, value_name = "B")]
    pub total_budget: Option<Budget>,
    /// What is done with functions in which the search finds no difference [default: all]
    #[arg(long, value_name = "WHAT")]
    pub decide: Option<Decide>,
    /// The random seed [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,
    /// The form of the emitted tests [default: what the project's tests use, else gtest for C++ and assert for C]
    #[arg(long, value_name = "NAME")]
    pub framework: Option<Framework>,
    /// Also write this report: to PATH, or into report/ of the output folder; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub report: Vec<ReportTo>,
    /// Exit with 1 when a function behaves differently
    #[arg(long)]
    pub fail_on_difference: bool,
}
