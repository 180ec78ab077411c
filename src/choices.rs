//! The values of options: one definition each for the command line, the configuration, completions and the schema.

/// In `motif.yaml` these are texts, read and written as on the command line: a type, what it is, and its pattern.
macro_rules! written_as_text {
    ($type:ident, $description:literal, $pattern:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $description, "pattern": $pattern })
            }
        }
    };
}

mod budget;
pub mod numbers;
mod report_to;
mod scope;
mod shard;

pub use budget::{Budget, BudgetChoice};
pub use report_to::ReportTo;
pub use scope::{Limit, Lines, Rate, Size, Width};
pub use shard::{Shard, ShardChoice};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::fmt;
use std::str::FromStr;

/// Enumerations of option values, which print as the command line spells them.
macro_rules! choices {
    ($($(#[$about:meta])* pub enum $name:ident { $($values:tt)+ })+) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
        $(#[$about])*
        pub enum $name { $($values)+ }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                clap::ValueEnum::to_possible_value(self).map_or(Ok(()), |value| f.write_str(value.get_name()))
            }
        }
    )+};
}

/// Choices that are values of the configuration as well, in the same words.
macro_rules! configured_choices {
    ($($(#[$about:meta])* pub enum $name:ident { $($values:tt)+ })+) => {
        choices! {$(
            #[derive(Serialize, Deserialize, JsonSchema)]
            #[serde(rename_all = "lowercase")]
            $(#[$about])*
            pub enum $name { $($values)+ }
        )+}
    };
}

configured_choices! {
    /// The search engine.
    #[derive(Default)]
    pub enum Engine {
        /// Part of clang: in-process, all mutants of a unit at once
        #[default]
        #[value(name = "libfuzzer")]
        #[serde(rename = "libfuzzer")]
        LibFuzzer,
        /// The papers' engine: one mutant per run
        #[value(name = "afl++")]
        #[serde(rename = "afl++")]
        AflPlusPlus,
        /// A bounded model checker alone (`esbmc`): no search
        Symbolic,
        /// Search and solver in turn, inputs exchanged
        Hybrid,
    }

    /// Where units are searched.
    #[derive(Default)]
    pub enum Executor {
        /// On this machine
        #[default]
        Local,
        /// In a job array of Slurm, a shard in each job
        Slurm,
    }

    /// What is done with survivors after the search.
    #[derive(Default)]
    pub enum Decide {
        /// All that is installed and applies
        #[default]
        All,
        /// Units of numbers alone are run on every input, if these have at most 32 bits
        Exhaustion,
        /// A bounded model checker (`esbmc`) looks for an input, or proves that there is none
        Solver,
        /// Nothing
        None,
    }

    /// Failures that are inputs.
    pub enum Fault {
        /// An allocation returns null, or throws
        Alloc,
        /// A read or a write returns that it has failed
        Io,
    }

    /// The compiler of the search.
    #[derive(Default)]
    #[allow(missing_docs)]
    pub enum Compiler {
        #[default]
        Clang,
        Gcc,
    }

    /// The sanitizer of the pass over survivors, or of AFL++'s search.
    #[derive(Default)]
    #[allow(missing_docs)]
    pub enum Sanitizer {
        Address,
        Undefined,
        Leak,
        Memory,
        #[default]
        None,
    }

    /// The coverage that guides the search.
    #[derive(Default)]
    pub enum Coverage {
        /// Edges of the control flow
        #[default]
        Edge,
        /// Comparisons split into steps of one byte (LAF-Intel)
        Laf,
        /// Sequences of two edges (NGRAM-2)
        Ngram,
        /// Edges with their calling context
        Ctx,
        /// Operands of comparisons, fed back into the input
        Cmplog,
    }

    /// How AFL++ passes inputs to the program.
    #[derive(Default)]
    pub enum AflMode {
        /// In a file, to a process of its own, as in the papers
        #[default]
        File,
        /// In memory, many to one process
        Persistent,
    }

    /// The form of the emitted tests.
    pub enum Framework {
        /// GoogleTest, for C++
        Gtest,
        /// Catch2, for C++
        Catch2,
        /// doctest, for C++
        Doctest,
        /// Boost.Test, for C++
        Boost,
        /// CppUTest, for C++
        Cpputest,
        /// Unity, for C, where the project has it among its sources
        Unity,
        /// cmocka, for C
        Cmocka,
        /// Plain programs with `assert`, for C
        Assert,
    }

    /// When to use colours.
    #[derive(Default)]
    pub enum Color {
        /// On a terminal that has colours
        #[default]
        Auto,
        /// Always
        Always,
        /// Never
        Never,
    }

    /// How a sample is drawn.
    #[derive(Default)]
    pub enum Stratify {
        /// Evenly from all mutants
        #[default]
        Uniform,
        /// The same share of every function's mutants
        Function,
        /// The same share of every operator's mutants
        Operator,
        /// The same share of every operator's mutants in every function
        Both,
    }
}

choices! {
    /// The form of the class hierarchy that `analyze --graph` writes.
    pub enum GraphFormat {
        /// Graphviz
        Dot,
        /// Mermaid, as in Markdown
        Mermaid,
        /// A picture, without other tools
        Svg,
    }

    /// What `serve` speaks through.
    #[derive(Default)]
    pub enum Channel {
        /// Standard input and output
        #[default]
        Stdio,
        /// A TCP socket that one client after the other connects to
        Socket,
    }

    /// What of the engine's inside `analyze --emit` prints.
    pub enum Emit {
        /// The plan of each unit as YAML: the rule that made each value, and the constructions considered with their
        /// costs
        Plan,
    }

    /// The kind of files that `schema` prints the schema of.
    pub enum SchemaOf {
        /// Of `utility-overrides/*.yaml`
        Overrides,
        /// Of `motif.yaml`
        Config,
        /// Of the rows that ship, in `utility-overrides/builtin/`
        Builtin,
        /// Of `outcomes.json`
        Outcomes,
    }

    /// The form of the output of `analyze` and `doctor`.
    #[derive(Default)]
    pub enum ListFormat {
        /// For people
        #[default]
        Text,
        /// For programs
        Json,
    }

    /// A person's verdict on a mutant.
    pub enum Judgement {
        /// It behaves like the original
        Equivalent,
        /// It differs, and nobody wants a test for it
        Unwanted,
    }

    /// The form of a report.
    #[derive(Default)]
    pub enum ReportFormat {
        /// One screen
        #[default]
        Text,
        /// `outcomes.json` as stored
        Json,
        /// One self-contained page
        Html,
        /// The mutation-testing-elements schema
        Elements,
        /// SARIF 2.1.0
        Sarif,
        /// JUnit XML, a case per unit
        Junit,
        /// GitLab's code quality report
        Gitlab,
        /// Annotations of GitHub Actions
        Github,
        /// For a merge request, with the tests as a patch
        Markdown,
        /// One mutant per line
        Lines,
        /// SonarQube's generic issues
        Sonar,
        /// JSON for a badge
        Badge,
    }
}

/// A share in percent, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, JsonSchema)]
pub struct Percent(#[schemars(range(min = 0, max = 100))] pub f64);

impl Percent {
    fn checked(value: f64) -> Result<Self, String> {
        if (0.0..=100.0).contains(&value) { Ok(Percent(value)) } else { Err("a percentage from 0 to 100".into()) }
    }
}

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('%').unwrap_or(text).trim();
        Percent::checked(number.parse().map_err(|_| format!("`{text}` is not a percentage from 0 to 100"))?)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Percent::checked(f64::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Engine {
    /// Whether the solver is a part of it.
    pub fn asks_solver(self) -> bool {
        matches!(self, Self::Symbolic | Self::Hybrid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_lies_between_0_and_100() {
        assert_eq!("75%".parse(), Ok(Percent(75.0)));
        assert_eq!("0.5".parse(), Ok(Percent(0.5)));
        for text in ["-1", "101", "nan", "most"] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_configuration_and_the_command_line_use_the_same_words() {
        fn check<T: clap::ValueEnum + Serialize + fmt::Display>() {
            for value in T::value_variants() {
                assert_eq!(serde_json::to_value(value).unwrap(), value.to_string());
            }
        }
        check::<Engine>();
        check::<Compiler>();
        check::<Sanitizer>();
        check::<Coverage>();
        check::<AflMode>();
        check::<Framework>();
        check::<Color>();
        check::<Stratify>();
    }
}
