//! What a sanitizer reported is believed where fresh processes report it again: of the mutant twice, of the original
//! never.

use super::{Judge, Observation, Replay, Replayed};
use crate::build::Sanitizer;
use anyhow::Result;
use std::time::Duration;

/// What fresh processes under a sanitizer showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// The mutant is reported each time, the original is not.
    Mutant(String),
    /// The original is reported each time; on such an input nobody can be killed.
    Original(String),
    /// One time so, another time otherwise, or nothing at all.
    Nothing,
}

/// A sanitizer slows a call down.
const PATIENCE: Duration = Duration::from_secs(5);

impl Judge {
    /// Whether the original can be trusted on an input on which only a sanitizer tells a mutant from it; then, what
    /// it does there. What the mutant does without the sanitizer is left to chance, and not looked at.
    ///
    /// # Errors
    /// No worker can be run.
    pub fn original_on(&mut self, mutant: &Replayed, input: &[u8]) -> Result<Option<Observation>> {
        let originals = self.originals_on(input)?;
        if originals.first.failure().is_some() || !originals.agrees {
            return Ok(None);
        }
        if matches!(mutant, Replayed::Copy(_)) {
            let copy = self.replay(&Replayed::Copy(0), input, Replay::default())?.without(&originals.stale);
            if !self.same(&originals.first, &copy)? {
                return Ok(None);
            }
        }
        Ok(Some(originals.first))
    }

    /// Asks fresh processes under `under`, with which this judge's worker and unit are built, about an input on which
    /// `mutant` (none: the original) was reported; `counts` tells which reports are to be believed.
    ///
    /// # Errors
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
        // What the copy does wrong without any mutant is nobody's fault.
        if matches!(mutant, Replayed::Copy(_)) && reported(&Replayed::Copy(0))?.1.is_some() {
            return Ok(Confirmed::Nothing);
        }
        let (Some(what), Some(again)) = (reported(mutant)?.1, reported(mutant)?.1) else {
            return Ok(Confirmed::Nothing);
        };
        // The original once more: it shall not have been luck.
        let (returned, second) = reported(&Replayed::Original)?;
        let sound = returned && second.is_none() && counts(&what) && counts(&again);
        Ok(if sound { Confirmed::Mutant(what) } else { Confirmed::Nothing })
    }
}
