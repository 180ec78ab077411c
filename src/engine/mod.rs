//! One file per engine behind one trait.

pub mod aflpp;
mod dictionary;
mod isolation;
pub mod kept;
pub mod libfuzzer;
pub mod reports;
pub mod residual_risk;
mod running;
mod settling;
mod shared;
pub mod unsearched;
pub mod worker;

pub use crate::choices::Budget;
use crate::model::Literal;
use crate::outcome::{By, Home, How};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where a mutant's code is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Side {
    /// How it lives there; in a copy and in place it has a number.
    pub home: Home,
    /// The shared object with it, unless it is the unit's.
    pub path: Option<PathBuf>,
}

impl Side {
    /// In the copy in the unit's shared object.
    pub const COPY: Self = Self { home: Home::Copy, path: None };

    /// In a shared object.
    pub fn of(home: Home, path: PathBuf) -> Self {
        Self { home, path: Some(path) }
    }

    /// The shared object with the mutant, unless it is the unit's.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The worker's argument for the mutant with this number.
    ///
    /// # Errors
    ///
    /// The current folder is not known.
    pub fn told(&self, number: u32) -> std::io::Result<OsString> {
        let Some(path) = &self.path else { return Ok(format!("copy:{number}").into()) };
        let mut word = OsString::from(format!("image:{number}:"));
        word.push(std::path::absolute(path)?);
        Ok(word)
    }
}

/// A mutant under search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number in the copy or in-place image, from 1; arbitrary for an image of its own.
    pub number: u32,
    /// The mutant's id.
    pub id: String,
    /// Where its code is.
    pub side: Side,
    /// Its probe; `None` if it must run on every input.
    pub probe: Option<Probe>,
}

/// The notes about a mutant: numbers of places in the unit's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Set when the changed place is reached.
    pub reached: u32,
    /// Set when the mutant's value differs; `None` if the mutant runs whenever the place is reached.
    pub infected: Option<u32>,
}

impl Probe {
    /// The worker's argument for it.
    pub fn told(self) -> String {
        let infected = self.infected.map(|place| format!(":{place}"));
        format!("{}{}", self.reached, infected.unwrap_or_default())
    }
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

/// A unit to search.
#[derive(Debug)]
pub struct SearchJob<'a> {
    /// The unit's id.
    pub unit_id: String,
    /// A folder for this search.
    pub dir: PathBuf,
    /// The unit's shared object.
    pub unit_so: PathBuf,
    /// Its live mutants.
    pub slots: Vec<Slot>,
    /// The seeds.
    pub seeds: Vec<Vec<u8>>,
    /// The number of seeds, at the end, that have killed other mutants.
    pub reused: usize,
    /// Literals of the unit and its mutants.
    pub dictionary: Vec<DictEntry>,
    /// The budget per live mutant.
    pub budget: Budget,
    /// The search pauses after any of these totals, however many mutants live; another one continues it. For the
    /// default engine only.
    pub pauses: Vec<Budget>,
    /// The search is settled, and ends, where no live mutant has this chance to die in as much search again. For the
    /// default engine only.
    pub residual_risk: Option<f64>,
    /// The result of an earlier search of the same slots in the same folder. This search continues it, and its result
    /// includes it.
    pub before: Option<SearchResult>,
    /// The random seed.
    pub seed: u64,
    /// Refuse inputs after which the original's objects cannot be destroyed; other inputs exist.
    pub strict: bool,
    /// Fill stale memory alike for each side, since the unit reads it.
    pub fills: bool,
    /// Set by others to end the search early.
    pub interrupted: &'a AtomicBool,
}

/// An input on which a mutant differed from the original.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Index into [`SearchJob::slots`].
    pub slot: usize,
    /// The input.
    pub input: Vec<u8>,
    /// From the seeds or the search.
    pub by: By,
    /// Seconds of the search until then, as a budget in time counts them.
    pub seconds: f64,
    /// CPU seconds of the search until then.
    pub cpu_seconds: f64,
    /// Inputs until then.
    pub executions: u64,
    /// The difference as the search saw it; triage has the verdict.
    pub hint: How,
}

/// Triage's answer for a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is a kill.
    Killed,
    /// It is refuted.
    Refuted {
        /// The reason.
        reason: String,
        /// The reason holds for every mutant of the unit.
        whole_unit: bool,
    },
    /// The original fails on the input.
    OriginalFails(String),
    /// It differs, but its test proves nothing; the process that found it can still be trusted.
    Unproved {
        /// The reason.
        reason: String,
        /// The mutant has used up its attempts.
        give_up: bool,
    },
}

/// How far the search got with a mutant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlotEffort {
    /// CPU seconds of the search for this mutant until it was killed; `None` if all mutants share a search.
    pub cpu_seconds: Option<f64>,
    /// Inputs that the mutant met.
    pub executions: u64,
    /// Of those, inputs on which the original returned or threw; `None` if the engine does not say.
    pub returned: Option<u64>,
    /// The changed place was reached; without a probe, the unit was called.
    pub reached: bool,
    /// Inputs on which the changed expression had another value; `None` if that was not observable.
    pub infected: Option<u64>,
    /// The chance that as much search again kills it; `None` if it is killed or given up, or the engine does not say.
    pub residual_risk: Option<f64>,
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

/// Why the original failed or threw; texts are empty where it did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// How it failed most often: the signal, and the assertion that did not hold.
    pub failed_said: String,
    /// Inputs on which it threw, and its first exception: type and text.
    pub thrown: u64,
    /// See `thrown`.
    pub thrown_said: String,
    /// Inputs on which making its objects threw, and the first exception.
    pub unmade: u64,
    /// See `unmade`.
    pub unmade_said: String,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// One confirmed candidate per killed mutant, in order.
    pub kills: Vec<Candidate>,
    /// By slot.
    pub effort: Vec<SlotEffort>,
    /// Suspected faults of the original, one per kind.
    pub faults: Vec<Fault>,
    /// The number of inputs.
    pub executions: u64,
    /// Of those, inputs on which the original returned or threw.
    pub came_back: u64,
    /// Inputs on which the original did not return in time.
    pub hangs: u64,
    /// Why the original failed or threw.
    pub failures: Failures,
    /// The number of workers: each has its own random numbers.
    pub workers: u64,
    /// Seconds of the search, without triage, as a budget in time counts them: CPU time, and at least a quarter of
    /// the time by the clock; of AFL++ all of that.
    pub seconds: f64,
    /// CPU seconds of the search.
    pub cpu_seconds: f64,
    /// The original returned on at least one input.
    pub returned: bool,
    /// The original changes global variables.
    pub changes_state: bool,
    /// Each side had to run in a child of its own.
    pub forked: bool,
    /// How sides were kept apart in the end, by the worker's number.
    pub isolation: u32,
    /// Memory that nobody has written to had to be alike for each side.
    pub fills: bool,
    /// The original differed from itself on a seed.
    pub original_differs: bool,
    /// The copy with no active mutant differed from the original on a seed.
    pub copy_differs: bool,
    /// Deviations from the requested settings, with reasons, for `-v`.
    pub notes: Vec<String>,
    /// Ended by others.
    pub interrupted: bool,
    /// Ended since more of it would hardly kill more.
    pub settled: bool,
    /// What the original did: how much, and how much of it on 1, 2, … inputs.
    pub often: residual_risk::Often,
    /// Whether the original has reached a place, by its number.
    pub places: Vec<bool>,
    /// Slots that were killed though their probes had not fired; only with
    /// [`Probing::Check`](crate::switches::Probing::Check).
    pub unforeseen: Vec<usize>,
}

/// Decides whether a candidate is a kill.
pub type Confirm<'c> = dyn FnMut(&Candidate) -> Result<Answer> + 'c;

/// A way to find killing inputs.
pub trait Engine {
    /// Searches until the budget is spent or no mutant is live.
    fn search(&self, job: &SearchJob<'_>, confirm: &mut Confirm<'_>) -> Result<SearchResult>;
}
