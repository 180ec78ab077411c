//! Classes of installed libraries: what is known of them beside their declarations.

use super::Type;
use serde::{Deserialize, Serialize};

/// Facts about a class of an installed library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// How an instantiation of a class template is written, which is a class of its own here; none for other classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spelling: Option<String>,
    /// Of an instantiation: methods of the template that take nothing and change nothing, which may have any result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub getters: Vec<String>,
    /// It converts to a pointer without being asked: that is what a stream would write of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub converts: bool,
    /// It has rows and columns (`rows()`, `cols()`, `resize(r, c)`, `it(r, c)`), of such elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Type>,
    /// It owns no memory: it has as many elements as its class says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fixed: bool,
    /// It has a beginning and an end, and such elements between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Type>,
    /// The type of its elements by its own account (`value_type`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<Type>,
    /// It leads to an object.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leads_on: bool,
    /// `operator<<` writes it to a stream of text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_printed: bool,
}
