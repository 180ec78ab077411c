//! What an operator is, and what it may look at.

use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::tree::Trees;

/// Which family an operator belongs to.
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
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// What operators may look at.
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
