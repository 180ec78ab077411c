//! The operators' names and families, and the data that they use.

use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::tree::Trees;

/// A family of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The sufficient set.
    Sufficient,
    /// The deletion set.
    Deletion,
    /// Operators for C++ only.
    Cxx,
}

/// A mutation operator.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Its name, as in `mutants.json` and on the command line.
    pub name: &'static str,
    /// Its family.
    pub group: Group,
}

/// The data that operators use.
pub struct Surroundings<'a> {
    /// The whole project.
    pub model: &'a Model,
    /// Its classes.
    pub hierarchy: &'a Hierarchy,
    /// The file's trees.
    pub trees: &'a Trees,
    /// The file's bytes.
    pub source: &'a [u8],
}
