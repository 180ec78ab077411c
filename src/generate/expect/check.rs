//! What a test checks, and the places of a record that its checks are made from.

use crate::generate::lower::Made;
use crate::model::Type;
use serde_json::Value;

/// A function that tests bring along: the type that an object really is of.
pub const TYPE_OF: &str = "dynamic_type_of";

/// A check of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// `actual` has the bits of `expected`.
    Equal {
        /// An expression.
        actual: String,
        /// A literal.
        expected: String,
        /// The literal's kind.
        kind: CheckKind,
    },
    /// The call throws.
    Throws {
        /// The dynamic type; one that has no name outside its function or file is caught as `std::exception`, or as
        /// anything (`...`).
        ty: String,
        /// `what()`, where it is a `std::exception`.
        what: Option<String>,
        /// It is the dynamic type.
        exactly: bool,
    },
}

impl Check {
    /// `actual` has the bits of the literal `expected`, any NaN being equal to any other.
    pub fn equal(actual: impl Into<String>, expected: impl Into<String>, kind: CheckKind) -> Self {
        Self::Equal { actual: actual.into(), expected: expected.into(), kind }
    }
}

/// The kind of a checked value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// `bool`; the literal is `true` or `false`, in C also `1` or `0`.
    Bool,
    /// Integers, characters.
    Int,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`.
    LongDouble,
    /// A `std::string`, or what compares with `==` to a string literal.
    Text,
    /// An enumeration.
    Enum,
    /// A zero, whose sign tells nothing.
    Zero,
    /// A container, compared as a whole.
    Whole,
}

/// A value whose parts the record names.
pub(super) struct Root {
    pub(super) name: String,
    pub(super) made: Made,
    pub(super) ty: Type,
}

/// The place of an entry in a record.
pub(super) fn path_of(entry: &Value) -> &str {
    entry.get("path").and_then(Value::as_str).unwrap_or_default()
}

/// A check, and what is known of it.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) check: Check,
    pub(super) private: bool,
    /// It is of a variable that only the unit's file sees.
    pub(super) local: bool,
    /// The mutant fails it.
    pub(super) differs: bool,
}

/// Whether a class can be named by what the runtime calls it: those of a function or of an unnamed namespace, and
/// closures, can't.
pub(super) fn has_a_name(demangled: &str) -> bool {
    !["(anonymous", ")::", ") const::", "{lambda", "{unnamed"].iter().any(|no| demangled.contains(no))
}
