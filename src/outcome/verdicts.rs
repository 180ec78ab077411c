//! What is known of a mutant besides the search: the project's own tests, proofs, a person's verdict; and the tests
//! that a run wrote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The verdict of the project's own tests on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Suite {
    /// They fail on it.
    Killed,
    /// They pass on it.
    Live,
    /// None of them reaches it.
    NotCovered,
}

/// Who says that a mutant is equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The compiler makes the same code.
    Compiler,
    /// Every input was tried.
    Exhaustion,
    /// A solver.
    Solver,
    /// A person said so (`dismiss`).
    Person,
}

/// A proof that a mutant behaves like the original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Equivalence {
    /// Who says so.
    pub by: Proof,
    /// The external tool.
    #[serde(default)]
    pub tool: Option<String>,
    /// The bound of the proof; without one it holds for every input.
    #[serde(default)]
    pub bound: Option<String>,
    /// What the proof takes for granted.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// Its cost.
    #[serde(default)]
    pub cpu_seconds: f64,
}

impl Equivalence {
    /// A verdict without a bound, a tool or a cost.
    pub fn by(by: Proof) -> Self {
        Self { by, tool: None, bound: None, assumptions: Vec::new(), cpu_seconds: 0.0 }
    }
}

/// A person's verdict on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It behaves like the original.
    Equivalent,
    /// It differs, and nobody wants a test for it.
    Unwanted,
}

impl Judgement {
    /// The word in `motif-dismissed.yaml`.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Equivalent => "equivalent",
            Judgement::Unwanted => "unwanted",
        }
    }
}

/// A mutant that a person has dismissed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dismissed {
    /// The verdict.
    #[serde(rename = "as")]
    pub judgement: Judgement,
    /// The reason.
    pub reason: String,
    /// Who said so.
    #[serde(default)]
    pub by: Option<String>,
}

/// Whether a test needs access to private state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TestAccess {
    Public,
    Private,
}

/// What a test needs in the project's own test tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Adoptable {
    /// Nothing.
    AsIs,
    /// It reads private state.
    NeedsPrivate,
    /// It includes the unit's source file.
    IncludesSource,
}

/// A test that the run wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestOutcome {
    /// Its file, relative to the output folder.
    pub file: PathBuf,
    /// `Suite.Name`, in C the test's own name.
    pub name: String,
    /// Id of the unit under test.
    pub unit: String,
    /// Ids of the mutants that it kills.
    pub kills: Vec<String>,
    /// It passed on the original and failed on these mutants.
    pub verified: bool,
    /// Whether it reads private state.
    pub access: TestAccess,
    /// What it needs elsewhere.
    pub adoptable: Adoptable,
}
