//! Common to classes, functions and variables: the USR, the place, the scope, the access.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Clang's name for an entity that is the same across translation units.
pub type Usr = String;

/// A stretch of a file. Offsets are bytes from the file's start, half open; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extent {
    /// Absolute path, symbolic links resolved.
    pub file: PathBuf,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
    /// Line of `start`.
    pub line: u32,
    /// Column of `start`.
    pub column: u32,
    /// Line of `end`.
    pub end_line: u32,
}

impl Extent {
    /// Whether `offset` of the same file lies inside.
    pub fn contains(&self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
}

/// C or C++.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Language {
    /// C, any standard.
    #[default]
    C,
    /// C++, any standard.
    Cxx,
}

/// Access of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everybody may use it.
    Public,
    /// The class and its subclasses may.
    Protected,
    /// The class itself may.
    Private,
}

/// One enclosing scope of an entity, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// A namespace; the name is empty for an anonymous one.
    Namespace {
        /// Its name.
        name: String,
        /// Whether it is `inline`.
        inline: bool,
    },
    /// An enclosing class.
    Class(Usr),
}

impl Scope {
    /// The class, where it is one.
    pub fn class(&self) -> Option<&Usr> {
        match self {
            Scope::Class(usr) => Some(usr),
            Scope::Namespace { .. } => None,
        }
    }
}
