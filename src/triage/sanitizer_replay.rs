//! A sanitizer report counts only if fresh processes confirm it: twice for the mutant, never for the original.

use super::{Judge, Observation, Replay, Replayed};
use crate::build::Sanitizer;
use crate::outcome::Home;
use anyhow::Result;
use std::time::Duration;

/// What fresh processes under a sanitizer reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// The mutant is reported each time, the original never.
    Mutant(String),
    /// The original is reported each time: the input kills no mutant.
    Original(String),
    /// The reports differ, or there is none.
    Nothing,
}

/// A sanitizer slows a call down.
const PATIENCE: Duration = Duration::from_secs(5);

impl Judge {
    /// Observes the original on an input on which only a sanitizer distinguishes a mutant. `None` if the original
    /// cannot be trusted there: it fails, is not deterministic, or its copy differs. The mutant without the sanitizer
    /// is not looked at: its behaviour is undefined.
    ///
    /// # Errors
    ///
    /// No worker can be run.
    pub fn original_on(&mut self, mutant: &Replayed, input: &[u8]) -> Result<Option<Observation>> {
        let originals = self.originals_on(input)?;
        if originals.first.failure().is_some() || !originals.agrees {
            return Ok(None);
        }
        if matches!(mutant, Replayed::Mutant(side, _) if side.home == Home::Copy) {
            let copy = self.replay(&Replayed::copy(0), input, Replay::default())?.without(&originals.stale);
            if !self.same(&originals.first, &copy)? {
                return Ok(None);
            }
        }
        Ok(Some(originals.first))
    }

    /// Runs `mutant` (`None`: the original) on a reported input in fresh processes under `under`, with which this
    /// judge's worker and unit are built. `counts` decides which reports are believed.
    ///
    /// # Errors
    ///
    /// No worker can be run.
    pub fn confirm_report(
        &mut self,
        mutant: Option<&Replayed>,
        input: &[u8],
        under: Sanitizer,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Confirmed> {
        let how = Replay { timeout: PATIENCE, under, ..Replay::default() };
        let mut reported = |side: &Replayed| -> Result<(bool, Option<String>)> {
            let seen = self.replay(side, input, how)?;
            Ok((seen.failure().is_none(), seen.report))
        };
        let (returned, first) = reported(&Replayed::Original)?;
        if let Some(first) = first {
            let again = reported(&Replayed::Original)?.1;
            return Ok(if again.is_some() { Confirmed::Original(first) } else { Confirmed::Nothing });
        }
        let Some(mutant) = mutant.filter(|_| returned) else { return Ok(Confirmed::Nothing) };
        // A report on the copy without an active mutant says nothing about a mutant.
        if matches!(mutant, Replayed::Mutant(side, _) if side.home == Home::Copy)
            && reported(&Replayed::copy(0))?.1.is_some()
        {
            return Ok(Confirmed::Nothing);
        }
        let (Some(what), Some(again)) = (reported(mutant)?.1, reported(mutant)?.1) else {
            return Ok(Confirmed::Nothing);
        };
        // The original runs once more: its silence must not be luck.
        let (returned, second) = reported(&Replayed::Original)?;
        let sound = returned && second.is_none() && counts(&what) && counts(&again);
        Ok(if sound { Confirmed::Mutant(what) } else { Confirmed::Nothing })
    }
}
