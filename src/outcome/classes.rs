//! The classes of the units, for a report that shows them as a hierarchy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A class of a unit, or one that such a class derives from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassOutcome {
    /// Its qualified name, with template parameters.
    pub name: String,
    /// It has a method without a body.
    #[serde(rename = "abstract")]
    pub is_abstract: bool,
    /// The names of the classes that it derives from directly, in the order of its definition.
    pub bases: Vec<String>,
    /// The ids of the units that are its members.
    pub units: Vec<String>,
}
