//! `adopt`.

use clap::{ArgAction, Args, ValueHint};
use std::path::PathBuf;

/// `adopt`.
#[derive(Clone, Debug, Default, Args)]
pub struct AdoptArgs {
    /// Tests: their names, files, units, or mutants that they kill; all proved tests if none is given
    #[arg(value_name = "TEST")]
    pub tests: Vec<String>,
    /// The folder of your tests
    #[arg(long, value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub into: PathBuf,
    /// Where compile_commands.json is [default: the project's root or build/ in it]
    #[arg(short = 'p', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub build_dir: Option<PathBuf>,
    /// The output folder of the run [default: motif.out]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Write nothing; print a patch that `git apply` takes
    #[arg(long, action = ArgAction::SetTrue)]
    pub dry_run: bool,
    /// The requirement that the tests verify; kept in the comment of each
    #[arg(long, value_name = "ID")]
    pub requirement: Option<String>,
    /// Who has reviewed the tests; kept in the comment of each
    #[arg(long, value_name = "NAME")]
    pub reviewed_by: Option<String>,
    /// Accept the changes of tests that were adopted before, whose values the code has changed
    #[arg(long, action = ArgAction::SetTrue)]
    pub update: bool,
    /// Remove adopted tests whose mutants are gone or fall to other tests
    #[arg(long, action = ArgAction::SetTrue)]
    pub prune: bool,
}
