//! How the project's own tests and examples use its classes: the lives of objects, as little programs.

use super::{Literal, Usr};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The life of one object and of those that it needs, in a function that uses the library: steps without branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The file that it was read from.
    pub file: PathBuf,
    /// The line of its last step.
    pub line: u32,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The step that yields the object.
    pub object: usize,
}

/// A construction or a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The arguments that were written.
    pub args: Vec<Value>,
    /// The object that comes out of it, where that is of a class of the project.
    pub yields: Option<Yielded>,
}

/// A construction or a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Action {
    /// Constructs an object.
    Construct {
        /// The constructor; none for an implicit one, and where nobody wrote which.
        constructor: Option<Usr>,
        /// By `new`, and nobody deletes it there.
        given: bool,
    },
    /// Calls a function.
    Call {
        /// The function or method.
        function: Usr,
        /// The step whose object it is called on.
        on: Option<usize>,
    },
}

/// The object that a step makes or hands out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Yielded {
    /// Its class.
    pub class: Usr,
    /// As what.
    pub by: By,
    /// It can only be looked at.
    pub is_const: bool,
    /// The name of the variable that holds it; empty without one.
    pub name: String,
}

/// How an object is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum By {
    /// The object itself.
    Value,
    /// A reference.
    Reference,
    /// A pointer.
    Pointer,
    /// A smart pointer.
    Smart,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// A number (also an enumerator or a truth value), or text.
    Literal(Literal),
    /// A null pointer.
    Null,
    /// The result of an earlier step.
    Made(usize),
    /// An array of structures, as it is written.
    Table(Table),
    /// Something that can't be told.
    Any,
}

/// An array of structures that a program of C declares and initialises.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Table {
    /// What the variable is called.
    pub name: String,
    /// The type of the elements, as it is written.
    pub of: String,
    /// The initialiser, from brace to brace.
    pub text: String,
}

impl History {
    /// The functions that are called, constructors included, each once.
    pub fn functions(&self) -> std::collections::BTreeSet<&Usr> {
        self.steps
            .iter()
            .filter_map(|step| match &step.action {
                Action::Construct { constructor, .. } => constructor.as_ref(),
                Action::Call { function, .. } => Some(function),
            })
            .collect()
    }

    /// Whether another one is the same but for where it stands and what its variables are called.
    pub fn is_like(&self, other: &Self) -> bool {
        let alike = |own: &Yielded, other: &Yielded| {
            (&own.class, own.by, own.is_const) == (&other.class, other.by, other.is_const)
        };
        let yield_alike = |own: &Step, other: &Step| match (&own.yields, &other.yields) {
            (Some(own), Some(other)) => alike(own, other),
            (None, None) => true,
            _ => false,
        };
        self.object == other.object
            && self.steps.len() == other.steps.len()
            && self
                .steps
                .iter()
                .zip(&other.steps)
                .all(|(own, other)| own.action == other.action && own.args == other.args && yield_alike(own, other))
    }
}
