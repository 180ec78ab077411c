//! A worker and its copy of the project: judges mutants, and makes sure that earlier mutants do not influence the
//! verdict.
//!
//! A mutant may leave something behind that makes all later tests fail: a broken file, a lock. So kills are reported
//! only after the original has passed again; otherwise they are judged again in a new copy.

use super::pool::{Shared, Task, Verdict};
use super::project_copy::{ProjectCopy, build_error, failed};
use super::trial;
use crate::build::run::Ended;
use crate::diag::Problem;
use crate::mutant::made::Standing;
use crate::outcome::UNREACHED;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The most kills that wait for a check of the original. At first fewer wait: interference often shows early.
const KILLS_MOST: usize = 32;

/// A worker's copy.
pub(super) struct Worker<'s, 'a> {
    shared: &'s Shared<'s, 'a>,
    copy: ProjectCopy<'a>,
    slot: usize,
    /// The file that differs from all other copies.
    odd: Option<PathBuf>,
    /// The copy must be built before use.
    stale: bool,
    /// Kills since the original last passed.
    unsure: Vec<(usize, Verdict)>,
    /// The most unconfirmed kills.
    patience: usize,
}

impl<'s, 'a> Worker<'s, 'a> {
    pub(super) fn new(shared: &'s Shared<'s, 'a>, copy: ProjectCopy<'a>, slot: usize) -> Self {
        Self { shared, copy, slot, odd: None, stale: true, unsure: Vec::new(), patience: 1 }
    }

    pub(super) fn into_copy(self) -> ProjectCopy<'a> {
        self.copy
    }

    /// Takes tasks from `next` until there are none.
    pub(super) fn work(
        &mut self,
        next: impl Fn() -> Option<(usize, usize, Task)>,
        told: &mut dyn FnMut(usize, Verdict),
    ) -> anyhow::Result<()> {
        self.settle()?;
        while let Some((turn, index, task)) = next() {
            match self.judge(index, task)? {
                None => break,
                Some(verdict) if verdict.standing == Standing::KilledByTests => self.unsure.push((turn, verdict)),
                Some(verdict) => told(turn, verdict),
            }
            if self.unsure.len() >= self.patience {
                self.confirm(told)?;
            }
        }
        self.confirm(told)
    }

    /// Reports the kills if the original still passes its tests.
    fn confirm(&mut self, told: &mut dyn FnMut(usize, Verdict)) -> anyhow::Result<()> {
        let waiting = std::mem::take(&mut self.unsure);
        // Results are kept after an interruption.
        if waiting.is_empty() || self.is_interrupted() || self.is_sound()? {
            self.patience = (self.patience * 2).min(KILLS_MOST);
            waiting.into_iter().for_each(|(turn, verdict)| told(turn, verdict));
            return Ok(());
        }
        self.patience = 1;
        self.renew()?;
        for (turn, verdict) in waiting {
            let Some(verdict) = self.judge(verdict.index, verdict.task)? else { break };
            // Found in a sound copy.
            told(turn, verdict);
            if !self.is_interrupted() && !self.is_sound()? {
                self.renew()?;
            }
        }
        Ok(())
    }

    fn is_interrupted(&self) -> bool {
        self.shared.builds.project.interrupted.load(Ordering::Relaxed)
    }

    /// Whether the original passes its tests here.
    fn is_sound(&mut self) -> anyhow::Result<bool> {
        self.settle()?;
        let log = self.shared.builds.log(&format!("original-{}", self.slot + 1));
        // Tests that fail once in a while have another chance.
        for _ in 0..2 {
            let ran = self.copy.test(&[], self.shared.pace.limit(), &log)?;
            if ran.passed() || ran.ended == Ended::Interrupted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Starts again with a new copy.
    fn renew(&mut self) -> anyhow::Result<()> {
        self.copy = self.copy.again()?;
        (self.odd, self.stale) = (None, true);
        if self.is_sound()? {
            return Ok(());
        }
        let log = self.shared.builds.log(&format!("original-{}", self.slot + 1));
        let what =
            "the original no longer passes its tests, not even in a new copy: a mutant has left something behind";
        let fix = "see what its tests write outside the project; earlier results are in suite/journal.jsonl";
        Err(Problem::usage("suite-disturbed", format!("{what}{}", trial::last_lines(&log)), fix).at(log).into())
    }

    /// Restores the file that differs from the other copies.
    fn settle(&mut self) -> anyhow::Result<()> {
        if self.odd.is_none() && !self.stale {
            return Ok(());
        }
        for (file, text) in &self.shared.prepared.texts {
            self.copy.put(file, text)?;
        }
        if let Some(odd) = self.odd.take()
            && !self.shared.prepared.texts.contains_key(&odd)
        {
            self.copy.put(&odd, &self.shared.sources[&odd])?;
        }
        let (built, log) = self.copy.build()?;
        if !built {
            return Err(failed("suite-build", "the copy of the project no longer builds", &log));
        }
        self.stale = false;
        Ok(())
    }

    /// `None` after an interruption.
    fn judge(&mut self, index: usize, task: Task) -> anyhow::Result<Option<Verdict>> {
        let log = self.shared.builds.log(&format!("tests-{}", self.slot + 1));
        let verdict = |standing, reason: Option<String>, timed_out| {
            Ok(Some(Verdict { index, task, standing, reason, timed_out }))
        };
        let environment = match task {
            Task::Unreached => return verdict(Standing::Live, Some(UNREACHED.into()), false),
            Task::Switched(number) => {
                self.settle()?;
                vec![("MOTIF_MUTANT", number.to_string())]
            }
            Task::Alone => {
                if let Some(error) = self.build_alone(index)? {
                    return verdict(Standing::Unbuildable, Some(error), false);
                }
                Vec::new()
            }
        };
        let limit = self.shared.pace.limit();
        let ran = self.copy.test(&environment, limit, &log)?;
        match ran.ended {
            Ended::Interrupted => Ok(None),
            _ if ran.passed() => {
                self.shared.pace.passed(ran.seconds);
                verdict(Standing::Live, None, false)
            }
            ended => {
                let reason = trial::reason(&ran, &log, limit);
                verdict(Standing::KilledByTests, Some(reason), ended == Ended::TimedOut)
            }
        }
    }

    /// Builds the copy with the mutant's file; returns the error if that fails.
    fn build_alone(&mut self, index: usize) -> anyhow::Result<Option<String>> {
        let made = &self.shared.made[&index];
        if let Some(odd) = self.odd.take_if(|odd| *odd != made.file) {
            let text = self.shared.prepared.texts.get(&odd).unwrap_or(&self.shared.sources[&odd]);
            self.copy.put(&odd, text)?;
        }
        self.odd = Some(made.file.clone());
        self.copy.put(&made.file, &made.change.apply(&self.shared.sources[&made.file]))?;
        let (built, log) = self.copy.build()?;
        Ok((!built).then(|| build_error(&log, &self.copy.root)))
    }
}
