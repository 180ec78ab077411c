//! Regression tests: written as a person would, built by a CMakeLists of their own, and proved to pass on the
//! original and to fail on the mutant.

pub mod cmake;
pub mod comment;
pub mod literal;
pub mod project;
pub mod prove;
pub mod render;
pub mod write;

use crate::model::Language;
use crate::outcome::How;
use std::path::PathBuf;

pub use project::Project;
pub use write::{WrittenTest, write};

/// One regression test to be written: it kills one mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The mutant's id: its path relative to the mutants' folder.
    pub mutant_id: String,
    /// The mutated file, absolute.
    pub mutated: PathBuf,
    /// Id of the unit under test.
    pub unit_id: String,
    /// The unit's name in file names.
    pub unit_slug: String,
    /// The test suite's name; anything that is no identifier is made one.
    pub suite: String,
    /// The test's name within the suite; anything that is no identifier is made one.
    pub name: String,
    /// C or C++.
    pub language: Language,
    /// The mutation operator's name.
    pub operator: String,
    /// The original of the mutated file, absolute.
    pub file: PathBuf,
    /// Line of the first change.
    pub line: u32,
    /// Unified diff of the mutant.
    pub diff: String,
    /// What told the mutant from the original.
    pub how: How,
    /// The sanitizer that the kill needs (`address`, `undefined`, …), where only it sees the difference.
    pub sanitizer: Option<String>,
    /// The source file whose compile command the test is built with: `file`, or one that includes it.
    pub command_file: PathBuf,
    /// What the test includes: `<cmath>`, `"sat/mission.hpp"`, or an absolute path.
    pub includes: Vec<String>,
    /// For a unit that is local to its file: the source file that the test includes.
    pub source_include: Option<PathBuf>,
    /// That source file defines `main`.
    pub source_defines_main: bool,
    /// The test reads or calls what is private.
    pub private_access: bool,
    /// Definitions before the test: helper functions, stubs.
    pub helpers: Vec<String>,
    /// Lines that build the arguments and the object (and call, where `call` is none).
    pub statements: Vec<String>,
    /// The lines that call the unit under test; an expected exception is expected of them.
    pub call: Option<String>,
    /// What must hold afterwards.
    pub expectations: Vec<Expectation>,
}

/// What kind of value an expectation compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Integers, characters.
    Int,
    /// `bool`; the expected text is `true` or `false`.
    Bool,
    /// `float`; no zero and no NaN, for which there are expectations of their own.
    Float,
    /// `double`, likewise.
    Double,
    /// `long double`, likewise.
    LongDouble,
    /// A `std::string`, or what compares with `==` to a string literal.
    Text,
    /// A NUL-terminated string behind a `char` pointer.
    CText,
    /// An enumeration.
    Enum,
    /// Anything else that compares with `==`.
    Other,
}

/// What must hold after the call. The texts are C or C++ expressions without side effects.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// Both are equal; see [`ValueKind`] for what that means.
    Equal {
        /// What the test looks at.
        actual: String,
        /// A literal.
        expected: String,
        /// What both are.
        kind: ValueKind,
    },
    /// The condition holds.
    True(String),
    /// The condition does not hold.
    False(String),
    /// The number is a NaN, any.
    Nan(String),
    /// The number is -0.0.
    NegativeZero(String),
    /// The number is +0.0.
    PositiveZero(String),
    /// The bytes from `actual` (a pointer) on are these.
    Bytes {
        /// A pointer to the first.
        actual: String,
        /// The bytes.
        expected: Vec<u8>,
    },
    /// The call throws.
    Throws {
        /// The exception's type.
        type_name: String,
        /// Its message, where it derives from `std::exception`.
        what: Option<String>,
        /// No exception of a derived type will do.
        exactly: bool,
    },
    /// The call does not throw; the mutant does.
    NoThrow,
    /// The call comes back; the mutant crashes, exits or never ends.
    Returns,
}

impl Expectation {
    /// `actual` is this `double`, by its bits, any NaN being equal to any other.
    pub fn double(actual: impl Into<String>, value: f64, language: Language) -> Self {
        Self::number(actual.into(), value.is_nan(), value == 0.0, value.is_sign_negative(), || {
            (literal::double(value, language), ValueKind::Double)
        })
    }

    /// `actual` is this `float`, by its bits, any NaN being equal to any other.
    pub fn float(actual: impl Into<String>, value: f32, language: Language) -> Self {
        Self::number(actual.into(), value.is_nan(), value == 0.0, value.is_sign_negative(), || {
            (literal::float(value, language), ValueKind::Float)
        })
    }

    /// `actual` is this x87 `long double` (ten bytes count), any NaN being equal to any other.
    pub fn long_double(actual: impl Into<String>, bytes: [u8; 16], language: Language) -> Self {
        let text = literal::long_double(bytes, language);
        let negative = text.starts_with('-');
        Self::number(
            actual.into(),
            text.to_lowercase().contains("nan"),
            text.ends_with("0.0L") && text.trim_start_matches('-') == "0.0L",
            negative,
            || (text.clone(), ValueKind::LongDouble),
        )
    }

    /// `actual` is this truth value.
    pub fn boolean(actual: impl Into<String>, value: bool) -> Self {
        if value { Self::True(actual.into()) } else { Self::False(actual.into()) }
    }

    fn number(
        actual: String,
        nan: bool,
        zero: bool,
        negative: bool,
        literal: impl Fn() -> (String, ValueKind),
    ) -> Self {
        match (nan, zero, negative) {
            (true, _, _) => Self::Nan(actual),
            (_, true, true) => Self::NegativeZero(actual),
            (_, true, false) => Self::PositiveZero(actual),
            _ => {
                let (expected, kind) = literal();
                Self::Equal { actual, expected, kind }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_nans_have_expectations_of_their_own() {
        let language = Language::C;
        assert_eq!(Expectation::double("x", -0.0, language), Expectation::NegativeZero("x".into()));
        assert_eq!(Expectation::float("x", 0.0, language), Expectation::PositiveZero("x".into()));
        assert_eq!(Expectation::double("x", f64::NAN, language), Expectation::Nan("x".into()));
        assert_eq!(Expectation::long_double("x", [0; 16], language), Expectation::PositiveZero("x".into()));
        let equal = Expectation::Equal { actual: "x".into(), expected: "10.0".into(), kind: ValueKind::Double };
        assert_eq!(Expectation::double("x", 10.0, language), equal);
    }
}
