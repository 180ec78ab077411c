//! One file per engine behind one trait.

pub mod aflpp;
mod dictionary;
pub mod kept;
pub mod libfuzzer;
pub mod reports;
mod shared;
pub mod worker;

use crate::model::Literal;
use crate::outcome::{By, How};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a search may spend on each live mutant of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Wall time of searching; triage does not count.
    Time(Duration),
    /// Inputs.
    Executions(u64),
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is neither a time (`10s`, `5m`) nor a number of executions (`200000x`)");
        let budget = match text.strip_suffix('x') {
            Some(count) => Budget::Executions(count.parse().map_err(|_| wrong())?),
            None => Budget::Time(humantime::parse_duration(text).map_err(|_| wrong())?),
        };
        match budget {
            Budget::Executions(0) | Budget::Time(Duration::ZERO) => {
                Err(format!("`{text}` leaves nothing to search with"))
            }
            budget => Ok(budget),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Time(time) => write!(f, "{}", humantime::format_duration(*time)),
            Budget::Executions(count) => write!(f, "{count}x"),
        }
    }
}

/// Where a mutant's code is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// In the unit's shared object, as the mutant of that number.
    Copy,
    /// In a shared object of its own.
    Image(PathBuf),
    /// In a shared object with other mutants, as the one of that number.
    InPlace(PathBuf),
}

impl Side {
    /// The shared object that has the mutant, where it is not the unit's.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Copy => None,
            Self::Image(path) | Self::InPlace(path) => Some(path),
        }
    }

    /// As the worker is told of the mutant with this number.
    ///
    /// # Errors
    /// The current folder is not known.
    pub fn told(&self, number: u32) -> std::io::Result<OsString> {
        let mut word = OsString::from(match self {
            Self::Copy => format!("copy:{number}"),
            Self::Image(_) | Self::InPlace(_) => format!("image:{number}:"),
        });
        if let Some(path) = self.path() {
            word.push(std::path::absolute(path)?);
        }
        Ok(word)
    }
}

/// A mutant to be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number in the copy or among those in place, from 1; of an image of its own, anything.
    pub number: u32,
    /// The mutant's id.
    pub id: String,
    /// Where its code is.
    pub side: Side,
    /// What the original's run tells of it; none where nothing does, and it has to run on every input.
    pub probe: Option<Probe>,
}

/// What the original notes about a mutant: numbers of places in the unit's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Noted where the changed place is reached.
    pub reached: u32,
    /// Noted where the mutant's value differs; none where it has to run whenever the place is reached.
    pub infected: Option<u32>,
}

/// A literal of the unit, for the mutator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DictEntry {
    /// An integer.
    Int(i128),
    /// The bits of a `double`.
    Float(u64),
    /// Bytes of a string.
    Str(Vec<u8>),
}

impl From<&Literal> for DictEntry {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Int(value) => DictEntry::Int(*value),
            Literal::Float(bits) => DictEntry::Float(*bits),
            Literal::Str(bytes) => DictEntry::Str(bytes.clone()),
        }
    }
}

/// One unit to be searched.
#[derive(Debug)]
pub struct SearchJob<'a> {
    /// The unit's id.
    pub unit_id: String,
    /// A folder for the search alone.
    pub dir: PathBuf,
    /// The unit's shared object.
    pub unit_so: PathBuf,
    /// Its live mutants.
    pub slots: Vec<Slot>,
    /// Inputs to begin with.
    pub seeds: Vec<Vec<u8>>,
    /// So many of them, the last ones, have killed other mutants.
    pub reused: usize,
    /// Literals of the unit and its mutants.
    pub dictionary: Vec<DictEntry>,
    /// What each live mutant may cost.
    pub budget: Budget,
    /// The search ends after so much in all, however many live: there is another to go on with. For the default engine
    /// only.
    pub pause: Option<Budget>,
    /// What an earlier search of the same slots in the same folder came to; this one goes on from there, and what it
    /// gives has that in it.
    pub before: Option<SearchResult>,
    /// The random seed.
    pub seed: u64,
    /// Inputs after which the original's objects can't be taken down are not worth a thing; there are others.
    pub strict: bool,
    /// Memory that nobody has written to holds the same for each side, since the unit looks at it.
    pub fills: bool,
    /// Set from outside to end the search early.
    pub interrupted: &'a AtomicBool,
}

/// An input on which a mutant behaved otherwise than the original.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Index into [`SearchJob::slots`].
    pub slot: usize,
    /// The input.
    pub input: Vec<u8>,
    /// Seed or search.
    pub by: By,
    /// Wall seconds of searching until then.
    pub seconds: f64,
    /// CPU seconds of searching until then.
    pub cpu_seconds: f64,
    /// Inputs until then.
    pub executions: u64,
    /// What the search saw; triage says what it is.
    pub hint: How,
}

/// What triage says to a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is a kill.
    Killed,
    /// It is none.
    Refuted {
        /// Why.
        reason: String,
        /// The reason lies in the unit: no other mutant can fare better.
        whole_unit: bool,
    },
    /// The original fails on the input.
    OriginalFails(String),
    /// It differs, but not so that it counts; nothing is wrong with the process that it was found in.
    Unproved {
        /// Why.
        reason: String,
        /// The mutant has had its tries.
        give_up: bool,
    },
}

/// How far the search got with a mutant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlotEffort {
    /// CPU seconds of searching for this mutant alone, until it fell; none where all are searched for at once.
    pub cpu_seconds: Option<f64>,
    /// Inputs that the mutant met.
    pub executions: u64,
    /// The changed place was reached; without a probe, the unit was called.
    pub reached: bool,
    /// Inputs on which the mutant's value differed from the original's where it was changed; none where nobody
    /// looked.
    pub infected: Option<u64>,
    /// Why it was given up before the budget was spent.
    pub reason: Option<String>,
}

/// An input on which the original itself failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The input.
    pub input: Vec<u8>,
    /// `SIGSEGV`, `hang`, `exit(3)`, …
    pub what: String,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// One confirmed candidate for each killed mutant, in the order they fell.
    pub kills: Vec<Candidate>,
    /// By slot.
    pub effort: Vec<SlotEffort>,
    /// Suspected faults of the original, each kind once.
    pub faults: Vec<Fault>,
    /// Inputs in all.
    pub executions: u64,
    /// Inputs on which the original did not come back in time.
    pub hangs: u64,
    /// Search workers that were started: each has random numbers of its own.
    pub workers: u64,
    /// Wall seconds of searching, without triage.
    pub seconds: f64,
    /// CPU seconds of searching.
    pub cpu_seconds: f64,
    /// The original came back from at least one input.
    pub returned: bool,
    /// The original changes global variables.
    pub changes_state: bool,
    /// Each side had to run in a child of its own.
    pub forked: bool,
    /// The original differed from itself on a seed.
    pub original_differs: bool,
    /// The copy without a mutant differed from the original on a seed.
    pub copy_differs: bool,
    /// What was done otherwise than it was asked for, and why: sentences for those who want to know more.
    pub notes: Vec<String>,
    /// Ended from outside.
    pub interrupted: bool,
    /// By the number of a place: the original has been there.
    pub places: Vec<bool>,
    /// Slots that were killed though their probes said that they could not differ; asked for by
    /// [`Probing::Check`](crate::switches::Probing::Check) only.
    pub unforeseen: Vec<usize>,
}

/// Says whether a candidate is a kill.
pub type Confirm<'c> = dyn FnMut(&Candidate) -> Result<Answer> + 'c;

/// A way to find killing inputs.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// Searches until the budget is spent or no mutant is live.
    fn search(&self, job: &SearchJob<'_>, confirm: &mut Confirm<'_>) -> Result<SearchResult>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_time_or_a_number_of_executions() {
        assert_eq!("10s".parse(), Ok(Budget::Time(Duration::from_secs(10))));
        assert_eq!("1m 30s".parse(), Ok(Budget::Time(Duration::from_secs(90))));
        assert_eq!("200000x".parse(), Ok(Budget::Executions(200_000)));
        for wrong in ["", "x", "10", "-1s", "1.5x", "0x", "0s"] {
            assert!(wrong.parse::<Budget>().is_err(), "{wrong}");
        }
        assert_eq!(Budget::Executions(7).to_string(), "7x");
        assert_eq!(Budget::Time(Duration::from_secs(300)).to_string(), "5m");
    }
}
