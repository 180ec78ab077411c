//! Mutants: reads the given ones and pairs each with its unit under test.

mod derive;
pub mod fingerprint;
pub mod list;
pub mod made;
pub mod pair;
pub mod patch;

pub use derive::outermost;

use crate::model::Usr;
use crate::outcome::{Status, Suite};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A given mutant: a whole mutated copy of a project file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Path relative to the mutants' folder.
    pub id: String,
    /// The mutated file.
    pub path: PathBuf,
    /// The original file (absolute), if the name or the folder tells; pairing checks it.
    pub original: Option<PathBuf>,
    /// Line, operator and function that the name claims (MASS naming), for display only.
    pub claim: Claim,
    /// The original tool's seed filter from a list file: `A`, `N`, `Z`, `P`.
    pub filter: Option<char>,
    /// Another version of the whole file, for where the mutated file does not compile; the same path if only that is
    /// tried.
    pub whole: Option<PathBuf>,
    /// It was made by a built-in operator, and compiles: it need not be read again.
    pub is_ours: bool,
    /// Its known status: it need not be tried, and there is no mutated file.
    pub settled: Option<Settled>,
    /// The verdict of the project's own tests, if they were run.
    pub suite: Option<Suite>,
}

/// A mutant whose status is known beforehand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// `equivalent`, `duplicate`, `unbuildable`, or `killed` by the project's own tests.
    pub status: Status,
    /// The reason.
    pub reason: String,
    /// Unified diff, with paths relative to the project.
    pub diff: String,
}

/// The claims of a MASS file name (`FILE.mut.LINE.COLS.OP.FUNCTION.EXT`) about its mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Claim {
    pub line: Option<u32>,
    pub operator: Option<String>,
    pub function: Option<String>,
}

/// A mutant after pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Path relative to the mutants' folder.
    pub id: String,
    /// The mutated file, absolute.
    pub path: PathBuf,
    /// The original file, absolute; empty if it is not of this project.
    pub original: PathBuf,
    /// Line of the first change.
    pub line: u32,
    /// Operator's name; `?` if unknown.
    pub operator: String,
    /// Unified diff, with paths relative to the project.
    pub diff: String,
    /// The input filter of the list file.
    pub filter: Option<char>,
    /// Id of the function, if known without a pairing.
    pub unit: Option<String>,
    /// The verdict of the project's own tests, if they were run.
    pub suite: Option<Suite>,
    /// The pairing, or the status (`invalid`, `unbuildable`, …) and the reason.
    pub pairing: Result<Pairing, (Status, String)>,
}

/// A mutant's place in its unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The unit under test: the one function whose definition differs.
    pub unit: Usr,
    /// The mutated body in the mutated file: offset of `{`, and after `}`.
    pub body: (u32, u32),
    /// For a constructor: the initialisers in the mutated file, from after `:` to before `{`.
    pub initializers: Option<(u32, u32)>,
    /// The change touches the constructor's initialisers, not (only) the body.
    pub in_initializers: bool,
    /// The mutated file is another version of the whole file: more than this function may differ.
    #[serde(default)]
    pub is_whole: bool,
    /// References to project entities within the mutated definition, offsets in the mutated file.
    pub references: Vec<crate::model::Reference>,
    /// Labels in the mutated body.
    pub labels: Vec<String>,
    /// Literals in the mutated body that the original does not have.
    pub literals: Vec<crate::model::Literal>,
}
