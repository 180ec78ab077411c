//! What is shown of survivors: command line and configuration merged.

use super::absolute;
use crate::cli::SurvivorArgs;
use crate::config::Config;
use crate::diag::Problem;
use std::path::{Path, PathBuf};

/// What is shown of survivors, and which of them fail the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurvivorOptions {
    /// The outcome that decides which are new; absolute.
    pub baseline: Option<PathBuf>,
    /// New ones end the run with 1.
    pub fail_on_new: bool,
    /// The most that are shown of a function.
    pub most: Option<usize>,
}

impl SurvivorOptions {
    pub(super) fn resolve(root: &Path, args: &SurvivorArgs, config: &Config) -> Result<Self, Problem> {
        let baseline = args.baseline.as_ref().or(config.baseline.as_ref()).map(|path| absolute(root, path));
        let fail_on_new = args.fail_on_new || config.fail_on_new.unwrap_or(false);
        if fail_on_new && baseline.is_none() {
            let what = "`--fail-on-new` needs to know which survivors are new";
            return Err(Problem::usage(
                "options-conflict",
                what,
                "give an earlier outcomes.json with `--baseline`, or `baseline:` in motif.yaml",
            ));
        }
        Ok(Self { fail_on_new, most: args.max_survivors.or(config.max_survivors), baseline })
    }
}
