//! How a program runs the two sides of a unit, one input or many in a process: the words of `runtime/afl_main.c`.

use super::Run;
use super::probe::Saw;
use crate::choices::AflMode;
use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::path::PathBuf;

/// How the original and the mutant are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// One behind the other, in a process for each input.
    Together,
    /// The original in a child of its own: it leaves something behind.
    Apart,
    /// Many inputs in one process, which puts the variables back before each side; with the file of an input that is
    /// run before all others.
    Kept(PathBuf),
}

impl Sides {
    /// What the program is told, up to the input's file.
    pub(super) fn arguments(&self, number: u32) -> Vec<OsString> {
        match self {
            Self::Together => vec![number.to_string().into()],
            Self::Apart => vec![format!("forked:{number}").into()],
            Self::Kept(warm) => vec![format!("kept:{number}").into(), warm.into()],
        }
    }

    /// Whether `afl-fuzz` hands inputs over in memory, and not in a file.
    pub(super) fn in_memory(&self) -> bool {
        matches!(self, Self::Kept(_))
    }
}

impl Run<'_, '_> {
    /// Looks at the original on the seeds: whether it returns, and how the sides have to be run so that it does not
    /// differ from itself.
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

    /// The original against the copy with no mutant: whether it has to run in a child of its own because it leaves
    /// something behind.
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
                _ if seen.holds_heap => "its variables hold memory from the heap, which can't be put back",
                Saw::Nothing => continue,
                Saw::Difference => "the original leaves more behind than variables",
                _ => "the original does not return when it is called again",
            };
            return Ok(Err(why));
        }
        Ok(Ok(sides))
    }
}
