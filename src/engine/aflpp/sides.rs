//! How a program runs the two sides of a unit, one input or many per process: the arguments of `runtime/afl_main.c`.

use super::Run;
use super::probe::Saw;
use crate::choices::AflMode;
use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::path::PathBuf;

/// How the original and the mutant run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// One after the other, in a process per input.
    Together,
    /// The original in a child: it leaves state behind.
    Apart,
    /// Many inputs per process, which restores the variables before each side; with the file of an input that runs
    /// first.
    Kept(PathBuf),
}

impl Sides {
    /// The arguments before the input's file.
    pub(super) fn arguments(&self, number: u32) -> Vec<OsString> {
        match self {
            Self::Together => vec![number.to_string().into()],
            Self::Apart => vec![format!("forked:{number}").into()],
            Self::Kept(warm) => vec![format!("kept:{number}").into(), warm.into()],
        }
    }

    /// Whether `afl-fuzz` passes inputs in shared memory, not in a file.
    pub(super) fn in_memory(&self) -> bool {
        matches!(self, Self::Kept(_))
    }
}

impl Run<'_, '_> {
    /// Runs the original on the seeds: does it return, and how must the sides run so that it does not differ from
    /// itself?
    pub(super) fn choose_sides(&mut self) -> Result<()> {
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

    /// Compares the original with the copy without a mutant: must it run in a child because it leaves state behind?
    pub(super) fn choose_for_files(&mut self) -> Result<()> {
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

    /// Whether many inputs can run in one process; else the reason.
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
}
