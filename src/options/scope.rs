//! Which mutants are made and tried: the command line's and the configuration's wishes, as one.

use super::absolute;
use crate::choices::{Limit, Lines, Rate, Stratify, Width};
use crate::cli::{MutateArgs, ScopeArgs};
use crate::config::Config;
use crate::diag::Problem;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Which mutants are made and tried, as asked for; nothing of it has been looked up in the project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScopeOptions {
    /// Files, folders and patterns; all if empty.
    pub files: Vec<String>,
    /// Files, folders and patterns that are left out.
    pub exclude: Vec<String>,
    /// Operators and groups, with `-` before those that are left out; all if empty.
    pub operators: Vec<String>,
    /// Lines; all if empty.
    pub lines: Vec<Lines>,
    /// Only lines changed since this revision.
    pub since: Option<String>,
    /// Only lines that this file has as executed; absolute.
    pub coverage_file: Option<PathBuf>,
    /// How many of the mutants.
    pub sample: Option<Sample>,
    /// What the sample takes evenly from.
    pub stratify: Stratify,
}

/// How many mutants are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// So many.
    Number(NonZeroUsize),
    /// That share.
    Rate(Rate),
}

/// How the project's own tests are run against mutants.
#[derive(Clone, Debug, PartialEq)]
pub struct TestOptions {
    /// The command that runs them.
    pub command: String,
    /// The command that builds a copy of the project.
    pub build_command: Option<String>,
    /// How long they may take on a mutant.
    pub timeout: Option<Limit>,
    /// Stop when the score is known this well.
    pub confidence: Option<Width>,
}

impl ScopeOptions {
    pub(super) fn resolve(root: &Path, args: &ScopeArgs, config: &Config) -> Self {
        let either = |given: &Vec<String>, configured: &Vec<String>| {
            if given.is_empty() { configured.clone() } else { given.clone() }
        };
        // A number on the command line is meant instead of a share in the configuration, and the other way round.
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
    /// The wishes about the project's own tests; none where they are not to be run.
    pub(super) fn resolve(args: &MutateArgs, config: &Config) -> Result<Option<Self>, Problem> {
        let command = args.test_command.clone().or_else(|| config.test_command.clone()).filter(|_| !args.list);
        let Some(command) = command else {
            let alone = [
                ("--confidence", args.confidence.is_some()),
                ("--build-command", args.build_command.is_some()),
                ("--test-timeout", args.test_timeout.is_some()),
            ];
            return match alone.iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((option, _)) => Err(Problem::usage(
                    "options-conflict",
                    format!("`{option}` is about the project's own tests, and none are to be run"),
                    "say how they are run with `--test-command COMMAND`",
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
            confidence: args.confidence.or(config.confidence),
        }))
    }
}
