//! Regression tests: written as a person would, built by a CMakeLists of their own, and proved to pass on the
//! original and to fail on the mutant.

pub mod body;
pub mod cmake;
pub mod comment;
pub mod project;
pub mod prove;
pub mod render;
pub mod write;

use crate::build::Sanitizer;
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
    /// The sanitizer that the kill needs, where only it sees the difference.
    pub sanitizer: Option<Sanitizer>,
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
    /// Statements behind the checks, which take down what was made.
    pub take_down: Vec<String>,
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
    /// An enumeration.
    Enum,
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
        /// The exception's type, or `...`.
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
    /// `actual` has the bits of the literal `expected`, any NaN being equal to any other: `==` says nothing of
    /// the sign of a zero, and no NaN equals itself.
    pub fn equal(actual: impl Into<String>, expected: impl Into<String>, kind: ValueKind) -> Self {
        let (actual, expected) = (actual.into(), expected.into());
        match kind {
            ValueKind::Bool if expected == "true" || expected == "1" => Self::True(actual),
            ValueKind::Bool if expected == "false" || expected == "0" => Self::False(actual),
            ValueKind::Float | ValueKind::Double | ValueKind::LongDouble => {
                let lower = expected.to_ascii_lowercase();
                if lower.contains("nan") {
                    Self::Nan(actual)
                } else if !is_zero(&lower) {
                    Self::Equal { actual, expected, kind }
                } else if lower.starts_with('-') {
                    Self::NegativeZero(actual)
                } else {
                    Self::PositiveZero(actual)
                }
            }
            _ => Self::Equal { actual, expected, kind },
        }
    }
}

/// Whether a floating-point literal, decimal or hexadecimal, is a zero.
fn is_zero(literal: &str) -> bool {
    let digits = literal.trim_start_matches(['-', '+']);
    let (digits, exponent) = match digits.strip_prefix("0x") {
        Some(hex) => (hex, 'p'),
        None => (digits, 'e'),
    };
    let mantissa = digits.split(exponent).next().unwrap_or_default().trim_end_matches(['f', 'l']);
    mantissa.contains('0') && mantissa.chars().all(|c| c == '0' || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_nans_have_expectations_of_their_own() {
        let double = |text: &str| Expectation::equal("x", text, ValueKind::Double);
        assert_eq!(double("-0.0"), Expectation::NegativeZero("x".into()));
        assert_eq!(double("0x0p+0"), Expectation::PositiveZero("x".into()));
        assert_eq!(double("__builtin_nan(\"\")"), Expectation::Nan("x".into()));
        assert_eq!(double("-std::numeric_limits<double>::quiet_NaN()"), Expectation::Nan("x".into()));
        assert_eq!(Expectation::equal("x", "0.0f", ValueKind::Float), Expectation::PositiveZero("x".into()));
        assert_eq!(Expectation::equal("x", "-0x0p+0L", ValueKind::LongDouble), Expectation::NegativeZero("x".into()));
        for other in ["10.0", "0x1p+0", "5e-324", "0.5", "0xfp+3"] {
            assert!(matches!(double(other), Expectation::Equal { .. }), "{other}");
        }
    }

    #[test]
    fn truth_is_spelled_alike_in_both_languages() {
        assert_eq!(Expectation::equal("x", "1", ValueKind::Bool), Expectation::True("x".into()));
        assert_eq!(Expectation::equal("x", "false", ValueKind::Bool), Expectation::False("x".into()));
    }
}
