//! `motif-adopted.yaml`: which tests were adopted, and what they were when they were. It is kept under version control.

use crate::diag::Problem;
use crate::yaml;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The name of the file at the project's root.
pub const FILE_NAME: &str = "motif-adopted.yaml";
const HEAD: &str = "# Tests that were adopted: `motif-cpp adopt --help`. An edited file is never overwritten.\n";

/// A file of adopted tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adopted {
    /// Where it is, from the project's root.
    pub file: PathBuf,
    /// The unit under test.
    pub unit: String,
    /// The digest of its text as it was written: another one is of an edit.
    pub written: String,
    /// Its tests.
    pub tests: Vec<AdoptedTest>,
}

/// One of its tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdoptedTest {
    /// Its name.
    pub name: String,
    /// The mutants that it kills, by their fingerprints.
    pub kills: Vec<String>,
}

/// What has been adopted into a project.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The files.
    pub all: Vec<Adopted>,
    /// The text of the ledger as it is; empty where there is none.
    pub text: String,
}

impl Ledger {
    /// That of the project at `root`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is wrong.
    pub fn read(root: &Path) -> Result<Self, Problem> {
        let file = root.join(FILE_NAME);
        if !file.exists() {
            return Ok(Self::default());
        }
        let (all, text) = yaml::read::<Vec<Adopted>>(&file, "adopted-invalid")?;
        Ok(Self { all, text })
    }

    /// The text of a ledger with these files.
    ///
    /// # Errors
    ///
    /// They cannot be written as YAML.
    pub fn rendered(all: &[Adopted]) -> anyhow::Result<Option<String>> {
        Ok(if all.is_empty() { None } else { Some(HEAD.to_owned() + &serde_yaml::to_string(all)?) })
    }
}

/// The digest of a text.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
