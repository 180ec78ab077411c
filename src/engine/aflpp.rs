//! AFL++ as the papers use it: one mutant a run, the input in a file, and the few seeds of their Table 1.
//!
//! The program of a unit runs the original, then the mutant that its first argument names, and aborts where they
//! differ; `afl-fuzz` takes that for a crash. A mutant that has an image has a program of its own.

mod fuzzer;
mod probe;
mod program;

pub use program::{Image, Parts, Program, program};

use super::{Answer, Budget, Candidate, Confirm, Engine, Fault, SearchJob, SearchResult, Side, Slot, SlotEffort};
use crate::build::AflFlavor;
use crate::diag::Problem;
use crate::outcome::{By, How};
use crate::supervise::{Confinement, Runs};
use crate::tools::Toolchain;
use anyhow::{Context as _, Result};
use fuzzer::{Found, Fuzzer};
use probe::{Probe, Saw};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How many refuted candidates of one mutant are looked at before it is left alone.
const REFUTED_MOST: u32 = 32;

/// The papers give AFL++ at most this many seed files.
pub const SEEDS_MOST: usize = 3;

/// AFL++ in one of the papers' configurations.
///
/// In its [`SearchJob`], `unit_so` and the path of [`Side::Image`] are programs made by [`program()`], not shared
/// objects.
#[derive(Clone, Debug)]
pub struct AflPlusPlus {
    fuzz: PathBuf,
    flavor: AflFlavor,
}

impl AflPlusPlus {
    /// The engine, if AFL++ is there and has the configuration.
    ///
    /// # Errors
    /// Exit 3 where AFL++ or its compiler is missing, 2 where there is no such configuration.
    pub fn new(tools: &Toolchain, flavor: AflFlavor) -> Result<Self, Problem> {
        use crate::build::Compiler;
        flavor.check()?;
        let afl = tools.afl()?;
        let there = match flavor.compiler {
            Compiler::Clang => afl.clang.is_some(),
            Compiler::Gcc => afl.gcc().is_some(),
        };
        if !there {
            let what = format!("AFL++ was found, but no working compiler of it for --compiler {:?}", flavor.compiler);
            return Err(Problem::tool("afl-compiler-missing", what.to_lowercase(), "apt-get install afl++ clang g++"));
        }
        Ok(Self { fuzz: afl.fuzz.clone(), flavor })
    }

    /// Its configuration.
    pub fn flavor(&self) -> AflFlavor {
        self.flavor
    }
}

impl Engine for AflPlusPlus {
    fn name(&self) -> &'static str {
        "afl++"
    }

    fn search(&self, job: &SearchJob<'_>, confirm: &mut Confirm<'_>) -> Result<SearchResult> {
        Run::new(self, job)?.search(confirm)
    }
}

/// One search of one unit.
struct Run<'r, 'j> {
    engine: &'r AflPlusPlus,
    job: &'r SearchJob<'j>,
    seeds: Vec<Vec<u8>>,
    result: SearchResult,
    /// Wall time of the search, the confirmations left out.
    spent: Duration,
    gave_up: Option<String>,
}

/// What became of a candidate.
enum Next {
    Killed,
    GoOn,
    GiveUp,
}

impl<'r, 'j> Run<'r, 'j> {
    fn new(engine: &'r AflPlusPlus, job: &'r SearchJob<'j>) -> Result<Self> {
        std::fs::create_dir_all(&job.dir).with_context(|| format!("creating {}", job.dir.display()))?;
        let mut seeds: Vec<Vec<u8>> = job.seeds.clone();
        if seeds.is_empty() {
            seeds.push(Vec::new());
        }
        let result = SearchResult { effort: vec![SlotEffort::default(); job.slots.len()], ..SearchResult::default() };
        Ok(Self { engine, job, seeds, result, spent: Duration::ZERO, gave_up: None })
    }

    fn search(mut self, confirm: &mut Confirm<'_>) -> Result<SearchResult> {
        self.look_at_the_original()?;
        for index in 0..self.job.slots.len() {
            if self.is_interrupted() {
                break;
            }
            match &self.gave_up {
                Some(reason) => self.result.effort[index].reason = Some(reason.clone()),
                None => self.search_one(index, confirm)?,
            }
        }
        self.result.interrupted = self.is_interrupted();
        self.result.seconds = self.spent.as_secs_f64();
        Ok(self.result)
    }

    /// The original against the copy with no mutant, on the seeds: whether it returns, and whether it has to run
    /// in a child of its own because it leaves something behind.
    fn look_at_the_original(&mut self) -> Result<()> {
        let mut differs = false;
        for seed in self.seeds.clone() {
            let saw = self.probe(&self.job.unit_so, false, 0, &seed)?;
            self.result.returned |= saw.original_returned();
            differs |= matches!(saw, Saw::Difference);
        }
        if !differs {
            return Ok(());
        }
        self.result.changes_state = true;
        self.result.forked = true;
        for seed in self.seeds.clone() {
            self.result.copy_differs |= matches!(self.probe(&self.job.unit_so, true, 0, &seed)?, Saw::Difference);
        }
        Ok(())
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
        let slot = &self.job.slots[index];
        let mut refuted = 0;
        let mut valid = Vec::new();
        for seed in self.seeds.clone() {
            let saw = self.probe(program_of(self.job, slot), self.result.forked, slot.number, &seed)?;
            self.result.effort[index].executions += 1;
            self.result.effort[index].reached |= saw.original_returned();
            let Some(hint) = self.hint(&saw, &seed) else {
                if matches!(saw, Saw::Nothing) {
                    valid.push(seed);
                }
                continue;
            };
            match self.put(index, seed, By::Seed, hint, 0.0, &mut refuted, confirm)? {
                Next::Killed | Next::GiveUp => return Ok(()),
                Next::GoOn => {}
            }
        }
        if valid.is_empty() {
            valid.extend(self.other_seed(slot)?);
        }
        if valid.is_empty() {
            let reason = "AFL++ needs a seed on which the original returns and does not differ, and there is none";
            self.result.effort[index].reason = Some(reason.into());
            return Ok(());
        }
        self.fuzz(index, &valid, refuted, confirm)
    }

    /// AFL++ refuses to start where every seed crashes: a few fixed inputs are tried in their place.
    fn other_seed(&mut self, slot: &Slot) -> Result<Option<Vec<u8>>> {
        let size = self.seeds.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for byte in [0x00, 0x01, 0x41, 0x7f, 0xff, 0x3f, 0x40, 0x80] {
            let input = vec![byte; size];
            let saw = self.probe(program_of(self.job, slot), self.result.forked, slot.number, &input)?;
            self.result.returned |= saw.original_returned();
            if matches!(saw, Saw::Nothing) {
                return Ok(Some(input));
            }
        }
        Ok(None)
    }

    fn fuzz(&mut self, index: usize, seeds: &[Vec<u8>], mut refuted: u32, confirm: &mut Confirm<'_>) -> Result<()> {
        let slot = &self.job.slots[index];
        let before = self.result.effort[index].executions;
        let program = program_of(self.job, slot);
        let argument = argument(self.result.forked, slot.number);
        let dir = self.job.dir.join(format!("afl-{}", index + 1));
        let mut fuzzer = Fuzzer::start(self.engine, self.job, &dir, program, &argument, seeds)?;
        let mut outcome = Ok(());
        loop {
            let started = Instant::now();
            let found = fuzzer.wait(self.job.interrupted);
            self.spent += started.elapsed();
            let found = match found {
                Ok(Some(found)) => found,
                Ok(None) => break,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            let next = self.consider(index, &found, (before, fuzzer.cpu_seconds()), &mut refuted, confirm);
            match next {
                Ok(Next::GoOn) => {}
                Ok(Next::Killed | Next::GiveUp) => break,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        let ended = fuzzer.stop();
        self.result.cpu_seconds += ended.cpu_seconds;
        let executions = ended.executions.max(self.result.effort[index].executions - before);
        self.result.effort[index].executions = before + executions;
        self.result.effort[index].reached |= executions > 0;
        self.result.executions += executions;
        // Queues and crashes are AFL++'s own; what is a kill has been kept.
        let _ = std::fs::remove_dir_all(&dir);
        outcome
    }

    /// One file of AFL++'s `crashes` or `hangs`; with the inputs before it started, and its CPU seconds since.
    fn consider(
        &mut self,
        index: usize,
        found: &Found,
        (before, running): (u64, f64),
        refuted: &mut u32,
        confirm: &mut Confirm<'_>,
    ) -> Result<Next> {
        let slot = &self.job.slots[index];
        let saw = self.probe(program_of(self.job, slot), self.result.forked, slot.number, &found.input)?;
        let Some(hint) = self.hint(&saw, &found.input) else { return Ok(Next::GoOn) };
        let effort = &mut self.result.effort[index];
        effort.executions = effort.executions.max(before + found.executions);
        self.put(index, found.input.clone(), By::Search, hint, running, refuted, confirm)
    }

    /// What the mutant did, as far as the probe saw it; a failing original is noted as a fault.
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

    /// Puts a candidate to triage; `running` are the CPU seconds of the `afl-fuzz` that is at work.
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
                self.result.kills.push(candidate);
                return Ok(Next::Killed);
            }
            Answer::OriginalFails(what) => {
                if !self.result.faults.iter().any(|fault| fault.what == what) {
                    self.result.faults.push(Fault { input: candidate.input, what });
                }
                return Ok(Next::GoOn);
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

    fn probe(&mut self, program: &Path, forked: bool, number: u32, input: &[u8]) -> Result<Saw> {
        let started = Instant::now();
        let (flavor, dir) = (self.engine.flavor, self.job.dir.as_path());
        let probe = Probe { program, argument: argument(forked, number), input, dir, flavor };
        let (saw, cpu) = probe.run(self.job.interrupted)?;
        self.spent += started.elapsed();
        self.result.cpu_seconds += cpu;
        self.result.executions += 1;
        Ok(saw)
    }

    fn is_interrupted(&self) -> bool {
        self.job.interrupted.load(Ordering::Relaxed)
    }
}

/// The program that runs a slot's mutant.
fn program_of<'j>(job: &'j SearchJob<'_>, slot: &'j Slot) -> &'j Path {
    match &slot.side {
        Side::Copy => &job.unit_so,
        Side::Image(program) => program,
    }
}

fn argument(forked: bool, number: u32) -> String {
    format!("{}{number}", if forked { "forked:" } else { "" })
}

/// What a program of this flavor, or `afl-fuzz` with it, is kept in.
fn confined(flavor: AflFlavor, runs: Runs, dir: &Path) -> Result<Confinement> {
    Ok(Confinement::new(runs, &dir.join("own"))?.under(flavor.sanitizer))
}

/// The wall time that a budget can mean for one mutant; executions end by themselves.
fn limit(budget: Budget) -> Option<Duration> {
    match budget {
        Budget::Time(time) => Some(time),
        Budget::Executions(_) => None,
    }
}

#[cfg(test)]
mod tests;
