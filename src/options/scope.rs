//! Which mutants are made and tried: command line and configuration merged.

use super::absolute;
use crate::choices::{Limit, Lines, Rate, Stratify, Width};
use crate::cli::{ScopeArgs, TestArgs};
use crate::config::Config;
use crate::diag::Problem;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The requested selection of mutants; names are not yet looked up in the project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScopeOptions {
    /// Files, folders and patterns; all if empty.
    pub files: Vec<String>,
    /// Excluded files, folders and patterns.
    pub exclude: Vec<String>,
    /// Operators and groups, `-` excludes; all if empty.
    pub operators: Vec<String>,
    /// Lines; all if empty.
    pub lines: Vec<Lines>,
    /// Only lines changed since this revision.
    pub since: Option<String>,
    /// Only executed lines of this coverage file; absolute.
    pub coverage_file: Option<PathBuf>,
    /// The size of the sample.
    pub sample: Option<Sample>,
    /// How the sample is drawn.
    pub stratify: Stratify,
}

/// The size of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A number.
    Number(NonZeroUsize),
    /// A share.
    Rate(Rate),
}

/// How the project's own tests are run against mutants.
#[derive(Clone, Debug, PartialEq)]
pub struct TestOptions {
    /// The command that runs them.
    pub command: String,
    /// The command that builds a copy of the project.
    pub build_command: Option<String>,
    /// The time limit per mutant.
    pub timeout: Option<Limit>,
    /// Stop when the score is known to this width.
    pub confidence: Option<Width>,
}

impl ScopeOptions {
    pub(super) fn resolve(root: &Path, args: &ScopeArgs, config: &Config) -> Self {
        let either = |given: &Vec<String>, configured: &Vec<String>| {
            if given.is_empty() { configured.clone() } else { given.clone() }
        };
        // A number on the command line replaces a share in the configuration, and vice versa.
        let sample =
            |number: Option<NonZeroUsize>, rate: Option<Rate>| number.map(Sample::Number).or(rate.map(Sample::Rate));
        Self {
            files: either(&args.file, &config.file),
            exclude: either(&args.exclude, &config.exclude),
            operators: either(&args.operators, &config.operators)
                .iter()
                .flat_map(|list| list.split(','))
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
            lines: if args.lines.is_empty() { config.lines.clone() } else { args.lines.clone() },
            since: args.since.clone().or_else(|| config.since.clone()),
            coverage_file: args
                .coverage_file
                .as_ref()
                .or(config.coverage_file.as_ref())
                .map(|path| absolute(root, path)),
            sample: sample(args.sample, args.sample_rate).or(sample(config.sample, config.sample_rate)),
            stratify: args.stratify.or(config.stratify).unwrap_or_default(),
        }
    }
}

impl TestOptions {
    /// The options of the project's own tests; `None` if they are not run.
    pub(super) fn resolve(
        args: &TestArgs,
        confidence: Option<Width>,
        config: &Config,
    ) -> Result<Option<Self>, Problem> {
        let command = args.test_command.clone().or_else(|| config.test_command.clone());
        let Some(command) = command else {
            let alone = [
                ("--confidence", confidence.is_some()),
                ("--build-command", args.build_command.is_some()),
                ("--test-timeout", args.test_timeout.is_some()),
            ];
            return match alone.iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((option, _)) => Err(Problem::usage(
                    "options-conflict",
                    format!("`{option}` is about the project's own tests, which are not run"),
                    "add `--test-command COMMAND`",
                )),
            };
        };
        if command.trim().is_empty() {
            let fix = "give the command that runs the project's tests, such as `ctest --test-dir build`";
            return Err(Problem::usage("test-command-empty", "`--test-command` is empty", fix));
        }
        Ok(Some(Self {
            command,
            build_command: args.build_command.clone().or_else(|| config.build_command.clone()),
            timeout: args.test_timeout.or(config.test_timeout),
            confidence,
        }))
    }
}
