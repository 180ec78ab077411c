//! What an outcome says about the machines that it comes from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The part of a run that one machine did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardOutcome {
    /// Which part, from 1.
    pub number: u32,
    /// The number of parts.
    pub of: u32,
    /// Digest of the options that the result depends on.
    pub options: String,
    /// Digest of the sources, the compile commands and the tool.
    pub sources: String,
    /// The files with mutants of all parts, in order, relative to the project.
    pub files: Vec<PathBuf>,
}

/// What was merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// The number of parts.
    pub of: u32,
    /// The parts that are not in the result, from 1; only with `--allow-missing`.
    pub missing: Vec<u32>,
    /// Files with mutants of which nothing is in the result.
    pub without_results: Vec<PathBuf>,
}
