//! Regression tests: written as a person would, built by a CMakeLists of their own, and proved to pass on the
//! original and to fail on the mutant.

pub mod array_room;
mod body;
mod changed_object;
mod choices;
mod cleared;
pub mod cmake;
pub mod comment;
mod conditions;
mod content_lengths;
mod designated;
pub mod fewer_arguments;
mod format;
pub mod framework;
pub mod fuzz_target;
pub mod guard;
mod lines;
pub mod naming;
mod null_arguments;
mod on_stack;
pub mod own_macros;
mod plainer;
pub mod project;
pub mod prove;
pub mod public;
mod radix;
pub mod render;
mod sentinels;
mod tidy;
mod unused;
mod wrap;
pub mod write;
mod written;

use crate::build::Sanitizer;
use crate::generate::expect::Written;
use crate::generate::expect::observers::Observer;
pub use crate::generate::expect::{Check, CheckKind};
use crate::generate::stand_ins::StandIns;
use crate::model::Language;
use crate::outcome::How;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use project::Project;
pub use write::{WrittenTest, write, write_unproved};

/// A parameter of what a test calls, as far as the test's name tells its argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The enumerator that is the least, which an input has where none matters.
    pub least: Option<String>,
    /// It counts what another argument has.
    pub counts: bool,
}

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
    /// The function under test, as names of tests call it.
    pub method: String,
    /// The test's name within the suite: the function and what comes out; anything that is no identifier is made one.
    pub name: String,
    /// The parameters of what it calls.
    pub parameters: Vec<Parameter>,
    /// When the mutant's change matters.
    pub when: Option<String>,
    /// What may stand behind the name where another test has it: the unit that the function calls, and its parameters.
    pub apart_by: Vec<String>,
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
    /// How the mutant differs from the original.
    pub how: How,
    /// The sanitizer that the kill needs, where only it sees the difference.
    pub sanitizer: Option<Sanitizer>,
    /// The source file whose compile command the test is built with: `file`, or one that includes it.
    pub command_file: PathBuf,
    /// Includes of the test: `<cmath>`, `"sat/mission.hpp"`, or an absolute path.
    pub includes: Vec<String>,
    /// Those of them that are there for these names alone.
    pub only_for: BTreeMap<String, BTreeSet<String>>,
    /// For a unit that is local to its file: the source file that the test includes.
    pub source_include: Option<PathBuf>,
    /// That source file defines `main`.
    pub source_defines_main: bool,
    /// Macros of what it includes that have the name of a member or a function: it undefines those that it names.
    pub hiding_macros: BTreeSet<String>,
    /// Macros of what it includes that a framework has by the same name.
    pub own_macros: BTreeSet<String>,
    /// In C: `bool` is what <stdbool.h> says, not a type of the project's own.
    pub has_bool: bool,
    /// The test reads or calls what is private.
    pub private_access: bool,
    /// It calls, or names, what is private.
    pub calls_private: bool,
    /// A check reads private state.
    pub reads_private: bool,
    /// Definitions before the test: helper functions, stubs.
    pub helpers: Vec<String>,
    /// What stands in for functions and variables that nobody defines, and for callbacks.
    pub stand_ins: Option<StandIns>,
    /// The original calls some of these.
    pub calls_stand_ins: bool,
    /// It asks nothing of these, so they need not note or answer anything.
    pub is_quiet: bool,
    /// Statements behind the checks, which take down what was made.
    pub take_down: Vec<String>,
    /// Statements that end what was given away, where nobody has ended it.
    pub may_take_down: Vec<String>,
    /// Lines that build the arguments and the object (and call, where `call` is none).
    pub statements: Vec<String>,
    /// The lines that call the unit under test; an expected exception is expected of them.
    pub call: Option<String>,
    /// How the call's result is kept, where no check looks at it yet: `T result`.
    pub unkept: Option<String>,
    /// The statement right behind the call, whatever it throws.
    pub behind_call: Option<String>,
    /// The checks after the call.
    pub checks: Vec<Check>,
    /// The first of the checks that the mutant fails.
    pub telling: Option<usize>,
    /// Places that the call may write: of those that it has written, a trial adds checks.
    pub written: Vec<Written>,
    /// It has a file of its own: it does not pass behind others in one process.
    pub apart: bool,
    /// Where the checks are of private state: what everybody may ask instead.
    pub observers: Vec<Observer>,
    /// Calls behind which they may tell what they do not tell before.
    pub further: Vec<String>,
    /// What is called may keep a file that it is given.
    pub keeps_files: bool,
    /// The statements that construct an object which could do with fewer arguments, and with how many.
    pub fewer_arguments: BTreeMap<String, Vec<usize>>,
    /// Its values have not been minimised.
    pub as_found: bool,
    /// A person wrote its statements, so all of them stay.
    pub by_hand: bool,
    /// What was chosen of what it could do without, and added of what the call writes: a digit for each.
    pub left_out: String,
}
