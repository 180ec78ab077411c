//! AFL++ as in the papers: one mutant per run, the input in a file, few seeds from Table 1. Optionally many inputs
//! per process, in shared memory.
//!
//! The program of a unit runs the original, then the mutant that its first argument names, and aborts if they differ;
//! `afl-fuzz` sees a crash. A mutant with an image has a program of its own.

mod configuration;
mod fuzzer;
mod probe;
mod program;
mod sides;

pub use configuration::AflPlusPlus;
pub use program::{Image, Parts, Program, program};

use super::{Answer, Budget, Candidate, Confirm, Engine, Fault, SearchJob, SearchResult, Slot, SlotEffort};
use crate::choices::AflMode;
use crate::outcome::{By, How};
use anyhow::{Context as _, Result};
use fuzzer::{Found, Fuzzer, Start};
use probe::{Probe, Saw, Seen};
use sides::Sides;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The most refuted candidates of one mutant before it is given up.
const REFUTED_MOST: u32 = 32;

/// The papers give AFL++ at most this many seed files.
pub const SEEDS_MOST: usize = 3;

impl Engine for AflPlusPlus {
    fn search(&self, job: &SearchJob<'_>, confirm: &mut Confirm<'_>) -> Result<SearchResult> {
        Run::new(self, job)?.search(confirm)
    }
}

/// One search of one unit.
struct Run<'r, 'j> {
    engine: &'r AflPlusPlus,
    job: &'r SearchJob<'j>,
    seeds: Vec<Vec<u8>>,
    sides: Sides,
    /// Inputs that have killed a mutant, without duplicates.
    killing: Vec<Vec<u8>>,
    /// The number of killing inputs that the mutant has met, by slot.
    met: Vec<usize>,
    result: SearchResult,
    /// Wall time of the search, without confirmations.
    spent: Duration,
    gave_up: Option<String>,
}

/// The result for a candidate.
enum Next {
    Killed,
    GoOn,
    GiveUp,
    /// It does nothing in a fresh process: an earlier input of the same process is involved.
    Stray,
}

impl<'r, 'j> Run<'r, 'j> {
    fn new(engine: &'r AflPlusPlus, job: &'r SearchJob<'j>) -> Result<Self> {
        std::fs::create_dir_all(&job.dir).with_context(|| format!("creating {}", job.dir.display()))?;
        let mut seeds: Vec<Vec<u8>> = job.seeds.clone();
        if seeds.is_empty() {
            seeds.push(Vec::new());
        }
        let result = SearchResult { effort: vec![SlotEffort::default(); job.slots.len()], ..SearchResult::default() };
        Ok(Self {
            engine,
            job,
            seeds,
            sides: Sides::Together,
            killing: Vec::new(),
            met: vec![0; job.slots.len()],
            result,
            spent: Duration::ZERO,
            gave_up: None,
        })
    }

    fn search(mut self, confirm: &mut Confirm<'_>) -> Result<SearchResult> {
        self.choose_sides()?;
        for index in 0..self.job.slots.len() {
            if self.is_interrupted() {
                break;
            }
            match &self.gave_up {
                Some(reason) => self.result.effort[index].reason = Some(reason.clone()),
                None => self.search_one(index, confirm)?,
            }
        }
        // Reuse comes last, so that the cost of a kill stays that of the papers' design.
        for index in 0..self.job.slots.len() {
            self.meet(index, &mut 0, confirm)?;
        }
        self.result.interrupted = self.is_interrupted();
        self.result.seconds = self.spent.as_secs_f64();
        Ok(self.result)
    }

    /// Looks at the original on the seeds: whether it returns, and how the sides have to be run so that it does not
    /// differ from itself.
    fn choose_sides(&mut self) -> Result<()> {
        if self.engine.mode == AflMode::File {
            return self.choose_for_files();
        }
        match self.choose_for_memory()? {
            Ok(sides) => {
                self.sides = sides;
                Ok(())
            }
            Err(why) => {
                self.result.notes.push(format!("searched in file mode: {why}"));
                self.choose_for_files()
            }
        }
    }

    /// The original against the copy with no mutant: whether it has to run in a child of its own because it leaves
    /// something behind.
    fn choose_for_files(&mut self) -> Result<()> {
        self.sides = Sides::Together;
        let mut differs = false;
        for seed in self.seeds.clone() {
            let saw = self.probe(&self.job.unit_so, 0, &seed)?;
            self.result.returned |= saw.original_returned();
            differs |= matches!(saw, Saw::Difference);
        }
        if !differs {
            return Ok(());
        }
        self.sides = Sides::Apart;
        self.result.changes_state = true;
        self.result.forked = true;
        for seed in self.seeds.clone() {
            self.result.copy_differs |= matches!(self.probe(&self.job.unit_so, 0, &seed)?, Saw::Difference);
        }
        Ok(())
    }

    /// Whether many inputs can be run in one process; else the reason why not.
    fn choose_for_memory(&mut self) -> Result<Result<Sides, &'static str>> {
        let program = self.job.unit_so.as_path();
        let mut returns = Vec::new();
        for seed in self.seeds.clone() {
            let seen = self.probe_so(&Sides::Together, program, 0, &seed)?;
            self.result.returned |= seen.saw.original_returned();
            self.result.changes_state |= seen.saw == Saw::Difference;
            if matches!(seen.saw, Saw::Nothing | Saw::Difference) {
                returns.push(seed);
            }
        }
        let Some(first) = returns.first() else { return Ok(Err("the original returns on no seed")) };
        let warm = self.job.dir.join("warm");
        std::fs::write(&warm, first).with_context(|| format!("writing {}", warm.display()))?;
        let sides = Sides::Kept(warm);
        for seed in &returns {
            let seen = self.probe_so(&sides, program, 0, seed)?;
            let why = match seen.saw {
                _ if seen.holds_heap => "its variables own heap memory, which cannot be restored",
                Saw::Nothing => continue,
                Saw::Difference => "the original changes more than variables",
                _ => "the original does not return when it is called again",
            };
            return Ok(Err(why));
        }
        Ok(Ok(sides))
    }

    /// One mutant's search, and what it cost until the mutant fell.
    fn search_one(&mut self, index: usize, confirm: &mut Confirm<'_>) -> Result<()> {
        let begun = self.result.cpu_seconds;
        let outcome = self.search_slot(index, confirm);
        let fell = self.result.kills.iter().find(|kill| kill.slot == index).map(|kill| kill.cpu_seconds);
        self.result.effort[index].cpu_seconds = Some(fell.unwrap_or(self.result.cpu_seconds) - begun);
        outcome
    }

    fn search_slot(&mut self, index: usize, confirm: &mut Confirm<'_>) -> Result<()> {
        let mut refuted = 0;
        let mut valid = Vec::new();
        for seed in self.seeds.clone() {
            let (saw, next) = self.try_input(index, &seed, By::Seed, &mut refuted, confirm)?;
            match next {
                Next::Killed | Next::GiveUp => return Ok(()),
                Next::GoOn | Next::Stray => {}
            }
            if matches!(saw, Saw::Nothing) {
                valid.push(seed);
            }
        }
        // Persistent mode is not compared with the papers' design, where mutants know nothing of each other.
        if self.engine.mode == AflMode::Persistent && self.meet(index, &mut refuted, confirm)? {
            return Ok(());
        }
        if valid.is_empty() {
            valid.extend(self.other_seed(&self.job.slots[index])?);
        }
        if valid.is_empty() {
            let reason = "AFL++ needs a seed on which the original returns and does not differ, and there is none";
            self.result.effort[index].reason = Some(reason.into());
            return Ok(());
        }
        self.fuzz(index, &valid, refuted, confirm)
    }

    /// Tries one known input; a difference goes to triage.
    fn try_input(
        &mut self,
        index: usize,
        input: &[u8],
        by: By,
        refuted: &mut u32,
        confirm: &mut Confirm<'_>,
    ) -> Result<(Saw, Next)> {
        let slot = &self.job.slots[index];
        let saw = self.probe(program_of(self.job, slot), slot.number, input)?;
        self.result.effort[index].executions += 1;
        self.result.effort[index].reached |= saw.original_returned();
        let next = match self.hint(&saw, input) {
            Some(hint) => self.put(index, input.to_vec(), by, hint, 0.0, refuted, confirm)?,
            None => Next::GoOn,
        };
        Ok((saw, next))
    }

    /// Tries other mutants' killing inputs on this one; returns whether it was killed or given up.
    fn meet(&mut self, index: usize, refuted: &mut u32, confirm: &mut Confirm<'_>) -> Result<bool> {
        while let Some(input) = self.killing.get(self.met[index]).cloned() {
            let over = self.gave_up.is_some() || self.is_interrupted();
            if over || self.result.kills.iter().any(|kill| kill.slot == index) {
                break;
            }
            self.met[index] += 1;
            let begun = self.result.cpu_seconds;
            let (_, next) = self.try_input(index, &input, By::Reuse, refuted, confirm)?;
            if let Some(cpu_seconds) = &mut self.result.effort[index].cpu_seconds {
                *cpu_seconds += self.result.cpu_seconds - begun;
            }
            match next {
                Next::Killed => return Ok(true),
                Next::GiveUp => break,
                Next::GoOn | Next::Stray => {}
            }
        }
        Ok(false)
    }

    /// AFL++ refuses to start if every seed crashes: a few fixed inputs are tried instead.
    fn other_seed(&mut self, slot: &Slot) -> Result<Option<Vec<u8>>> {
        let size = self.seeds.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for byte in [0x00, 0x01, 0x41, 0x7f, 0xff, 0x3f, 0x40, 0x80] {
            let input = vec![byte; size];
            let saw = self.probe(program_of(self.job, slot), slot.number, &input)?;
            self.result.returned |= saw.original_returned();
            if matches!(saw, Saw::Nothing) {
                return Ok(Some(input));
            }
        }
        Ok(None)
    }

    fn fuzz(&mut self, index: usize, seeds: &[Vec<u8>], mut refuted: u32, confirm: &mut Confirm<'_>) -> Result<()> {
        let Some(left) = self.fuzz_for(self.job.budget, index, seeds, &mut refuted, confirm)? else { return Ok(()) };
        // An earlier input is involved in the crash. AFL++ would take the mutant's own crashes for the same.
        let why = "an input crashed a process that had run others, but not a fresh one";
        self.result.notes.push(format!("{} was continued in file mode: {why}", self.job.slots[index].id));
        let in_memory = std::mem::replace(&mut self.sides, Sides::Together);
        self.choose_for_files()?;
        self.fuzz_for(left, index, seeds, &mut refuted, confirm)?;
        self.sides = in_memory;
        Ok(())
    }

    /// Runs one `afl-fuzz`; returns the remaining budget if the mutant should continue in file mode.
    fn fuzz_for(
        &mut self,
        budget: Budget,
        index: usize,
        seeds: &[Vec<u8>],
        refuted: &mut u32,
        confirm: &mut Confirm<'_>,
    ) -> Result<Option<Budget>> {
        let slot = &self.job.slots[index];
        let before = self.result.effort[index].executions;
        let program = program_of(self.job, slot);
        let dir = self.job.dir.join(format!("afl-{}", index + 1));
        let sides = self.sides.clone();
        let start = Start { dir: &dir, program, number: slot.number, sides: &sides, seeds, budget };
        let mut fuzzer = Fuzzer::start(self.engine, self.job, &start)?;
        let mut outcome = Ok(());
        let mut strayed = false;
        loop {
            let started = Instant::now();
            let found = fuzzer.wait(self.job.interrupted);
            self.spent += started.elapsed();
            let found = match found {
                Ok(Some(found)) => found,
                Ok(None) => break,
                // It does not start if all seeds crash, which none does in a fresh process.
                Err(_) if sides.in_memory() => {
                    strayed = true;
                    break;
                }
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            let next = self.consider(index, &found, (before, fuzzer.cpu_seconds()), refuted, confirm);
            match next {
                Ok(Next::GoOn) => {}
                Ok(Next::Stray) => {
                    strayed = true;
                    break;
                }
                Ok(Next::Killed | Next::GiveUp) => break,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        let time_left = fuzzer.time_left();
        let ended = fuzzer.stop();
        self.result.cpu_seconds += ended.cpu_seconds;
        let executions = ended.executions.max(self.result.effort[index].executions - before);
        self.result.effort[index].executions = before + executions;
        self.result.effort[index].reached |= executions > 0;
        self.result.executions += executions;
        // Queues and crashes belong to AFL++; killing inputs have been kept.
        let _ = std::fs::remove_dir_all(&dir);
        outcome?;
        let left = match budget {
            Budget::Time(_) => Budget::Time(time_left.unwrap_or_default()),
            Budget::Executions(count) => Budget::Executions(count.saturating_sub(executions)),
        };
        let is_spent = matches!(left, Budget::Time(Duration::ZERO) | Budget::Executions(0));
        Ok((strayed && !is_spent).then_some(left))
    }

    /// Examines a file of AFL++'s `crashes` or `hangs`, with the number of inputs before it and the CPU seconds so
    /// far.
    fn consider(
        &mut self,
        index: usize,
        found: &Found,
        (before, running): (u64, f64),
        refuted: &mut u32,
        confirm: &mut Confirm<'_>,
    ) -> Result<Next> {
        let slot = &self.job.slots[index];
        let saw = self.probe(program_of(self.job, slot), slot.number, &found.input)?;
        let Some(hint) = self.hint(&saw, &found.input) else {
            let stray = self.sides.in_memory() && !found.hung && saw == Saw::Nothing;
            return Ok(if stray { Next::Stray } else { Next::GoOn });
        };
        let effort = &mut self.result.effort[index];
        effort.executions = effort.executions.max(before + found.executions);
        self.put(index, found.input.clone(), By::Search, hint, running, refuted, confirm)
    }

    /// How the mutant differed in the probe run; a failing original is noted as a fault.
    fn hint(&mut self, saw: &Saw, input: &[u8]) -> Option<How> {
        match saw {
            Saw::Nothing | Saw::OriginalEnded => None,
            Saw::Difference => Some(How::Output),
            Saw::MutantFailed { hung: true, .. } => Some(How::Hang),
            Saw::MutantFailed { sanitizer: true, .. } => Some(How::Sanitizer),
            Saw::MutantFailed { .. } => Some(How::Crash),
            Saw::OriginalFailed(what) => {
                if !self.result.faults.iter().any(|fault| fault.what == *what) {
                    self.result.faults.push(Fault { input: input.to_vec(), what: what.clone() });
                }
                None
            }
        }
    }

    /// Sends a candidate to triage; `running` are the CPU seconds of the running `afl-fuzz`.
    #[expect(clippy::too_many_arguments, reason = "what a candidate is made of")]
    fn put(
        &mut self,
        index: usize,
        input: Vec<u8>,
        by: By,
        hint: How,
        running: f64,
        refuted: &mut u32,
        confirm: &mut Confirm<'_>,
    ) -> Result<Next> {
        let candidate = Candidate {
            slot: index,
            input,
            by,
            seconds: self.spent.as_secs_f64(),
            cpu_seconds: self.result.cpu_seconds + running,
            executions: self.result.effort[index].executions,
            hint,
        };
        match confirm(&candidate)? {
            Answer::Killed => {
                if !self.killing.contains(&candidate.input) {
                    self.killing.push(candidate.input.clone());
                }
                self.result.kills.push(candidate);
                return Ok(Next::Killed);
            }
            Answer::OriginalFails(what) => {
                if !self.result.faults.iter().any(|fault| fault.what == what) {
                    self.result.faults.push(Fault { input: candidate.input, what });
                }
                return Ok(Next::GoOn);
            }
            Answer::Unproved { reason, give_up } => {
                if give_up {
                    self.result.effort[index].reason = Some(reason);
                    return Ok(Next::GiveUp);
                }
            }
            Answer::Refuted { reason, whole_unit } => {
                *refuted += 1;
                if whole_unit {
                    self.gave_up = Some(reason.clone());
                }
                if whole_unit || *refuted >= REFUTED_MOST {
                    self.result.effort[index].reason = Some(reason);
                    return Ok(Next::GiveUp);
                }
            }
        }
        Ok(Next::GoOn)
    }

    fn probe(&mut self, program: &Path, number: u32, input: &[u8]) -> Result<Saw> {
        let sides = self.sides.clone();
        Ok(self.probe_so(&sides, program, number, input)?.saw)
    }

    fn probe_so(&mut self, sides: &Sides, program: &Path, number: u32, input: &[u8]) -> Result<Seen> {
        let started = Instant::now();
        let (flavor, dir) = (self.engine.flavor, self.job.dir.as_path());
        let probe = Probe { program, arguments: sides.arguments(number), input, dir, flavor };
        let seen = probe.run(self.job.interrupted)?;
        self.spent += started.elapsed();
        self.result.cpu_seconds += seen.cpu_seconds;
        self.result.executions += 1;
        Ok(seen)
    }

    fn is_interrupted(&self) -> bool {
        self.job.interrupted.load(Ordering::Relaxed)
    }
}

/// The program that runs a slot's mutant.
fn program_of<'j>(job: &'j SearchJob<'_>, slot: &'j Slot) -> &'j Path {
    slot.side.path().unwrap_or(&job.unit_so)
}

#[cfg(test)]
mod tests;
