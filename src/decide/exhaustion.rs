//! Runs a unit of numbers on every input, on all cores: what no input tells from the original is equivalent, for this
//! build.
//!
//! A sample of the inputs says first what all of them will cost. Parts of the work that are done are written down, so
//! that the next run of the same programs goes on behind them.

use crate::build::in_parallel;
use crate::engine::{Probe, Slot};
use crate::outcome::How;
use crate::supervise::{self, Confinement};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The inputs of a part; each part is a process.
const PART: u64 = 1 << 24;
/// The sample: so many pieces at even distances, of so many inputs.
const SAMPLE: (u64, u64) = (16, 1 << 14);
/// A smaller one first, on which mutants run whatever their probes say: a proof rests on probes.
const CHECK: u64 = 1 << 10;
/// So many samples: each finds what dies easily, and the next costs less.
const SAMPLES_MOST: usize = 4;
/// A mutant that one of so many inputs concerns is left out where not all can be tried in time.
const DEAR: u64 = 16;
/// A process that takes so many times its CPU time sleeps.
const PATIENCE: u32 = 20;

/// A unit and the mutants to decide.
pub struct Exhaustion<'e> {
    /// The worker.
    pub worker: &'e Path,
    /// The unit's shared object, built without coverage.
    pub unit_so: &'e Path,
    /// The mutants.
    pub slots: &'e [Slot],
    /// Inputs after which the original's objects cannot be destroyed do not count.
    pub strict: bool,
    /// Where it is written down what is done.
    pub notes: &'e Path,
    /// Processes side by side.
    pub jobs: usize,
    /// CPU time.
    pub budget: Duration,
    /// Ends it early.
    pub interrupted: &'e AtomicBool,
    /// Is told when the work begins how many parts there are and how many CPU seconds they will take, then after each
    /// part how many are done.
    pub progress: &'e (dyn Fn(Progress) + Sync),
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// So many parts will take so many CPU seconds.
    Begun(usize, f64),
    /// One more part is done.
    Part,
}

/// An input on which a mutant did not do what the original did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Index of the mutant.
    pub slot: usize,
    ending: u32,
    #[serde(with = "hexadecimal")]
    /// The input.
    pub input: Vec<u8>,
}

impl Found {
    /// The difference as the loop saw it; replay has the verdict.
    pub fn hint(&self) -> How {
        match self.ending {
            0 => How::Output,
            2 => How::Hang,
            _ => How::Crash,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// All inputs.
    pub inputs: u64,
    /// Those on which the original fails, which kill nothing.
    pub failed: u64,
    /// Differences, one a mutant; each is to be replayed.
    pub found: Vec<Found>,
    /// The mutants that no input told from the original.
    pub same: Vec<usize>,
    /// Why the others are not decided, where they are not.
    pub why: Option<String>,
    /// What it has cost, in earlier runs as well.
    pub cpu_seconds: f64,
}

/// The answer of the worker.
#[derive(Debug, Deserialize)]
struct Answer {
    all: u64,
    next: u64,
    tried: u64,
    failed: u64,
    microseconds: u64,
    fires: Vec<u64>,
    stopped: String,
    found: Vec<Found>,
    #[serde(skip)]
    cpu_seconds: f64,
}

/// What is written down.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Notes {
    /// Programs and mutants that the rest is about.
    key: String,
    /// Parts that are done, each with the number of inputs on which the original fails.
    done: BTreeMap<u64, u64>,
    found: Vec<Found>,
    /// Of all runs.
    cpu_seconds: f64,
    /// Of this one.
    #[serde(skip)]
    spent: f64,
    #[serde(skip)]
    stopped: Option<String>,
}

impl Exhaustion<'_> {
    /// Tries all inputs, or says why not.
    ///
    /// # Errors
    /// The worker cannot be run, or dies.
    pub fn run(&self) -> Result<Tried> {
        let mut tried = Tried::default();
        let mut open: Vec<usize> = (0..self.slots.len()).collect();
        let mut cost = 0.0;
        for number in 0..=SAMPLES_MOST {
            let answer = self.sample(&open, number == 0)?;
            (tried.inputs, tried.cpu_seconds) = (answer.all, tried.cpu_seconds + answer.cpu_seconds);
            if !answer.stopped.is_empty() {
                return Ok(Tried { why: Some(answer.stopped), ..tried });
            }
            cost = cost_of(&answer);
            let found: BTreeSet<usize> = answer.found.iter().map(|found| found.slot).collect();
            tried.found.extend(answer.found);
            let budget = self.budget.as_secs_f64();
            let fires: BTreeMap<usize, u64> = open.iter().copied().zip(answer.fires).collect();
            open.retain(|slot| !found.contains(slot));
            if number == 0 {
                // What every mutant costs on every input is no measure.
            } else if found.is_empty() && cost > budget {
                let before = open.len();
                open.retain(|slot| fires.get(slot).is_none_or(|fires| *fires < answer.tried / DEAR));
                tried.why = Some(too_dear(cost, budget));
                if open.len() == before {
                    return Ok(tried);
                }
            } else if found.is_empty() {
                break;
            }
            if open.is_empty() {
                return Ok(tried);
            }
        }
        if cost > self.budget.as_secs_f64() {
            return Ok(Tried { why: Some(too_dear(cost, self.budget.as_secs_f64())), ..tried });
        }
        self.all(tried, &open, cost)
    }

    fn all(&self, mut tried: Tried, open: &[usize], cost: f64) -> Result<Tried> {
        let key = self.key(open)?;
        let mut notes = self.read_notes().filter(|notes| notes.key == key).unwrap_or_default();
        notes.key = key;
        let parts: Vec<u64> = (0..tried.inputs.div_ceil(PART)).filter(|part| !notes.done.contains_key(part)).collect();
        let left = parts.len() as f64 / tried.inputs.div_ceil(PART).max(1) as f64;
        (self.progress)(Progress::Begun(parts.len(), cost * left));
        let notes = Mutex::new(notes);
        let lock = || notes.lock().unwrap_or_else(PoisonError::into_inner);
        let (results, _) = in_parallel(
            self.jobs,
            &parts,
            |part| -> Result<()> {
                let (live, spent) = {
                    let notes = lock();
                    if notes.stopped.is_some() {
                        return Ok(());
                    }
                    let found: BTreeSet<usize> = notes.found.iter().map(|found| found.slot).collect();
                    let live: Vec<usize> = open.iter().copied().filter(|slot| !found.contains(slot)).collect();
                    (live, notes.spent)
                };
                if live.is_empty() {
                    return Ok(());
                }
                let left = self.budget.as_secs_f64() - spent;
                let answer = match left > 0.0 {
                    _ if self.interrupted.load(Ordering::Relaxed) => Err("interrupted".to_owned()),
                    true => Ok(self.part(&live, *part, tried.inputs, left)?),
                    false => Err(self.too_slow()),
                };
                let mut notes = lock();
                match answer {
                    Err(why) => notes.stopped = Some(why),
                    Ok(answer) => {
                        notes.cpu_seconds += answer.cpu_seconds;
                        notes.spent += answer.cpu_seconds;
                        notes.found.extend(answer.found);
                        let end = ((part + 1) * PART).min(tried.inputs);
                        if !answer.stopped.is_empty() {
                            notes.stopped = Some(answer.stopped);
                        } else if answer.next == end {
                            notes.done.insert(*part, answer.failed);
                        } else {
                            notes.stopped = Some(self.too_slow());
                        }
                        self.write_notes(&notes)?;
                    }
                }
                (self.progress)(Progress::Part);
                Ok(())
            },
            || (),
        );
        results.into_iter().collect::<Result<()>>()?;
        let notes = notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        tried.cpu_seconds += notes.cpu_seconds;
        let mut differ: BTreeSet<usize> = tried.found.iter().map(|found| found.slot).collect();
        // Two parts may have met the same mutant.
        tried.found.extend(notes.found.iter().filter(|found| differ.insert(found.slot)).cloned());
        tried.failed = notes.done.values().sum();
        match notes.stopped {
            Some(why) => tried.why = Some(why),
            None => tried.same = open.iter().copied().filter(|slot| !differ.contains(slot)).collect(),
        }
        Ok(tried)
    }

    fn too_slow(&self) -> String {
        let spent = self.budget.as_secs();
        format!("{spent} CPU s were spent before all inputs were tried; `--resume` goes on with the others")
    }

    fn sample(&self, open: &[usize], checks: bool) -> Result<Answer> {
        let (pieces, each) = SAMPLE;
        let each = if checks { CHECK } else { each };
        let seconds = self.budget.as_secs().max(1);
        let options = [("pieces", pieces), ("each", each), ("seconds", seconds), ("distrust", checks.into())];
        self.ask(open, &options)
    }

    fn part(&self, live: &[usize], part: u64, inputs: u64, seconds: f64) -> Result<Answer> {
        let (from, to) = (part * PART, ((part + 1) * PART).min(inputs));
        self.ask(live, &[("from", from), ("to", to), ("seconds", (seconds.ceil() as u64).max(1))])
    }

    fn ask(&self, slots: &[usize], options: &[(&str, u64)]) -> Result<Answer> {
        let mut command = Command::new(self.worker);
        command.arg("exhaust").arg("--unit").arg(std::path::absolute(self.unit_so)?);
        for slot in slots.iter().map(|slot| &self.slots[*slot]) {
            command.arg("--slot").arg(slot.side.told(slot.number)?);
            command.arg("--probe").arg(slot.probe.map_or_else(|| "-".to_owned(), Probe::told));
        }
        command.args(["--strict", if self.strict { "1" } else { "0" }]);
        for (name, value) in options {
            command.arg(format!("--{name}")).arg(value.to_string());
        }
        let time = self.budget * 2 + Duration::from_secs(30);
        let confinement = Confinement { time: Some(time), ..Confinement::of_worker(self.worker)? };
        let finished = supervise::run(&command, time * PATIENCE, &confinement)?;
        if finished.timed_out || finished.ended.code != Some(0) {
            let said = String::from_utf8_lossy(&finished.stderr);
            let why = said.lines().next().unwrap_or("no message");
            bail!("the worker that tries all inputs ended with {:?}: {why}", finished.ended);
        }
        let mut answer: Answer = serde_json::from_slice(&finished.stdout).context("reading what was tried")?;
        answer.cpu_seconds = finished.ended.cpu_seconds;
        for found in &mut answer.found {
            found.slot = *slots.get(found.slot).context("the worker names a mutant that there is not")?;
        }
        Ok(answer)
    }

    /// What the notes are about: the programs and the mutants.
    fn key(&self, open: &[usize]) -> Result<String> {
        let mut hash = Sha256::new();
        hash.update([u8::from(self.strict)]);
        let mut files: BTreeSet<PathBuf> = [self.worker.to_path_buf(), self.unit_so.to_path_buf()].into();
        for slot in open.iter().map(|slot| &self.slots[*slot]) {
            hash.update(format!("{} {} {:?} {PART}\n", slot.id, slot.number, slot.probe));
            files.extend(slot.side.path().map(Path::to_path_buf));
        }
        for file in files {
            hash.update(std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?);
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn read_notes(&self) -> Option<Notes> {
        serde_json::from_slice(&std::fs::read(self.notes).ok()?).ok()
    }

    /// Renamed into place: what is read is whole.
    fn write_notes(&self, notes: &Notes) -> Result<()> {
        let folder = self.notes.parent().unwrap_or(Path::new("."));
        let draft = tempfile::NamedTempFile::new_in(folder).context("writing down what was tried")?;
        serde_json::to_writer(&draft, notes).context("writing down what was tried")?;
        draft.persist(self.notes).context("writing down what was tried")?;
        Ok(())
    }
}

/// The CPU seconds of all inputs, by a sample.
fn cost_of(sample: &Answer) -> f64 {
    sample.microseconds as f64 / 1e6 / sample.tried.max(1) as f64 * sample.all as f64
}

fn too_dear(cost: f64, budget: f64) -> String {
    format!("all inputs would take about {cost:.0} CPU s, and {budget:.0} are allowed (`--exhaustion-budget`)")
}

mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2).unwrap_or_default(), 16);
        (0..text.len()).step_by(2).map(pair).collect::<Result<_, _>>().map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_worker_tells_is_read_and_written_down_again_as_it_was() {
        let text = r#"{"all":256,"next":7,"tried":64,"failed":1,"microseconds":32,"fires":[3],"stopped":"",
            "found":[{"slot":1,"ending":2,"input":"00ff"}]}"#;
        let answer: Answer = serde_json::from_str(text).unwrap();
        assert_eq!((&answer.found[0].input[..], answer.found[0].hint()), (&[0, 0xff][..], How::Hang));
        assert!((cost_of(&answer) - 128e-6).abs() < 1e-12);
        let notes = Notes { found: answer.found, ..Notes::default() };
        let again: Notes = serde_json::from_str(&serde_json::to_string(&notes).unwrap()).unwrap();
        assert_eq!(again.found, notes.found);
        assert!(serde_json::from_str::<Found>(r#"{"slot":1,"ending":2,"input":"0x"}"#).is_err());
    }
}
