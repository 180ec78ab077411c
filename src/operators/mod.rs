//! The mutation operators: from the tree of a body to the changes that are worth trying.
//!
//! An operator looks at the tree and at the model, never at text within macros; it keeps the types, so that what it
//! makes compiles. `docs/operators.md` has every operator with its source.

use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::mutant::made::Change;
use crate::tree::{Body, Trees};

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

/// All operators, in the order in which they are documented.
pub fn all() -> &'static [Operator] {
    &[]
}

/// The changes of one body by the operators that are wanted, without repetitions, in order of their place.
pub fn changes(body: &Body, around: &Surroundings<'_>, wanted: &dyn Fn(&Operator) -> bool) -> Vec<Change> {
    let _ = (body, around, wanted);
    Vec::new()
}
