//! Tests without what their kills do not need: calls, settings of members, and, where a minimised input would have
//! crashed the search, values. A build of the tests that can leave each of them out says which are needed.

use super::ran::TIMED_OUT;
use super::ready::quickly;
use super::{Program, Prover, Purpose, Side, case_of, flavor};
use crate::emit::TestCase;
use crate::emit::choices::{self, Choice};
use crate::emit::tidy;
use crate::emit::write::{TestFile, WrittenTest, files};
use crate::emit::written;
use crate::outcome::How;
use anyhow::{Context, Result};
use std::cell::Cell;
use std::fs;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The most that is offered to be left out of one test.
const MOST: usize = 2048;
/// How often a test is run to find out what it can do without, beside once for each thing that is offered.
const MOST_TRIES: usize = 96;
/// How many of these may end by the time limit: what hangs with plainer values costs as much each time.
const MOST_TIMEOUTS: usize = 2;
/// How many runs of a mutant that hangs may be waited for.
const MOST_HANGS: usize = 8;
/// How many hanging mutants of a file are waited for so.
const MOST_WAITED: usize = 4;
/// How long these are: the proof waits longer.
const HANGS: Duration = Duration::from_secs(1);

/// Whether a test is to be asked what its call writes.
fn is_asked(case: &TestCase) -> bool {
    !case.written.is_empty() && written::can_be_asked(case)
}

/// Whether a test ended by an access to memory that is not there.
fn is_of_memory(how: &str) -> bool {
    [libc::SIGSEGV, libc::SIGBUS].iter().any(|signal| how.starts_with(&format!("signal {signal}")))
}

impl Prover<'_> {
    /// Leaves out of the tests what the mutants fall without. Gives the places of the cases that were changed, with
    /// what they were: their tests are still to be proved. What an earlier part of the run has left out, `known` says,
    /// and whether stand-ins were quiet.
    ///
    /// # Errors
    /// The tests cannot be written.
    pub fn shorten(
        &self,
        cases: &mut [TestCase],
        known: &dyn Fn(&TestCase) -> Option<(String, bool)>,
    ) -> Result<Vec<(usize, TestCase)>> {
        let mut changed = Vec::new();
        for (number, case) in cases.iter_mut().enumerate() {
            let Some((left_out, _)) = known(case).filter(|(left_out, _)| !left_out.is_empty()) else { continue };
            let choices: Vec<Choice> = choices::of(case).into_iter().take(MOST).collect();
            if choices.len() + case.written.len() == left_out.len() {
                let shorter = choices::made(case, &choices, &left_out);
                changed.push((number, std::mem::replace(case, shorter)));
            }
        }
        let open = |case: &TestCase| known(case).is_none();
        let offered: Vec<(usize, Vec<Choice>)> = cases
            .iter()
            .enumerate()
            .filter(|(_, case)| open(case))
            .map(|(number, case)| (number, choices::of(case).into_iter().take(MOST).collect()))
            .filter(|(number, choices): &(usize, Vec<Choice>)| !choices.is_empty() || is_asked(&cases[*number]))
            .collect();
        let found = self.chosen(cases, &offered, true)?;
        for (mutant, made) in found {
            let Some((number, choices)) = offered.iter().find(|(n, _)| cases[*n].mutant_id == mutant) else { continue };
            let shorter = choices::made(&cases[*number], choices, &made);
            if shorter != cases[*number] {
                changed.push((*number, std::mem::replace(&mut cases[*number], shorter)));
            }
        }
        for (number, was) in tidy::tidy(cases, &|case| known(case).map(|(_, quiet)| quiet), &changed) {
            if !changed.iter().any(|(known, _)| *known == number) {
                changed.push((number, was));
            }
        }
        Ok(changed)
    }

    /// What is chosen in each test, by its mutant. Where objects can't be moved, none gets fewer arguments; where a
    /// pointer can't stand for an array, none gets less room. With `first`, what the call writes is asked.
    fn chosen(
        &self,
        cases: &[TestCase],
        offered: &[(usize, Vec<Choice>)],
        first: bool,
    ) -> Result<Vec<(String, String)>> {
        let asks = |case: &TestCase| first && is_asked(case);
        let trial = |(number, choices): &(usize, Vec<Choice>)| {
            let case = &cases[*number];
            choices::trial(case, choices, asks(case))
        };
        let trials: Vec<TestCase> = offered.iter().map(trial).collect();
        let files = files(&trials, self.project)?;
        let found = self.builder.in_parallel(&files, |file| self.of_file(file, &trials, offered, &asks).ok());
        let failed: Vec<&str> = files
            .iter()
            .zip(&found)
            .filter(|(_, found)| found.is_none())
            .flat_map(|(file, _)| file.tests.iter().map(|test| test.mutant_id.as_str()))
            .collect();
        let has_failed = |number: usize| failed.contains(&cases[number].mutant_id.as_str());
        // First without what may not build, then without asking what the call writes.
        let is_risky =
            |number: usize, choices: &[Choice]| has_failed(number) && choices.iter().any(Choice::may_not_build);
        let without_risk = offered.iter().any(|(number, choices)| is_risky(*number, choices));
        let again = offered.iter().filter(|(number, choices)| match without_risk {
            true => has_failed(*number),
            false => has_failed(*number) && asks(&cases[*number]) && !choices.is_empty(),
        });
        let is_left = |choice: &&Choice| !choice.may_not_build();
        let again: Vec<(usize, Vec<Choice>)> = again
            .map(|(number, choices)| (*number, choices.iter().filter(is_left).cloned().collect::<Vec<_>>()))
            .filter(|(number, choices)| !choices.is_empty() || without_risk && asks(&cases[*number]))
            .collect();
        let mut found: Vec<(String, String)> = found.into_iter().flatten().flatten().collect();
        if !again.is_empty() {
            for (mutant, made) in self.chosen(cases, &again, first && without_risk)? {
                let all = offered.iter().find(|(number, _)| cases[*number].mutant_id == mutant);
                let mut made = made.chars();
                let mut whole = String::new();
                for choice in all.into_iter().flat_map(|(_, choices)| choices) {
                    whole.push(Some(choice).filter(is_left).and_then(|_| made.next()).unwrap_or('0'));
                }
                whole.extend(made);
                found.push((mutant, whole));
            }
        }
        Ok(found)
    }

    /// What is chosen in each test of a file, by its mutant.
    fn of_file(
        &self,
        file: &TestFile<'_>,
        trials: &[TestCase],
        offered: &[(usize, Vec<Choice>)],
        asks: &dyn Fn(&TestCase) -> bool,
    ) -> Result<Vec<(String, String)>> {
        self.listener.tell(&file.case.unit_id);
        let command = self.project.source(&file.case.command_file).context("no compile command")?;
        let folder = self.folder()?;
        let source = folder.join(&file.name);
        fs::write(&source, &file.text_for_proof).with_context(|| format!("writing {}", source.display()))?;
        let (headers, flavor) = (self.headers(file), flavor(file));
        let (side, (original, objects)) = quickly(file, |quick| {
            let (source, headers, folder) = (source.as_path(), headers.clone(), folder.as_path());
            let side = Side { file, command, source, headers, flavor, folder, purpose: Purpose::Trial { quick } };
            let built = self.original(&side)?;
            Ok((side, built))
        })?;
        let (mut chosen, mut waited) = (Vec::new(), 0);
        for test in &file.tests {
            let place = trials.iter().position(|trial| trial.mutant_id == test.mutant_id);
            let (Some(place), Some(case)) = (place, case_of(trials, test)) else { continue };
            let Ok(mutant) = self.mutant(&side, &objects, &original, case) else { continue };
            let hangs = case.how == How::Hang;
            if hangs && waited == MOST_WAITED {
                continue;
            }
            waited += usize::from(hangs);
            let choices = &offered[place].1;
            let mut made = vec![b'0'; choices.len() + case.written.len()];
            self.fewest(&side, [&original, &mutant], (test, hangs), choices, &mut made);
            if asks(case) {
                written::ask(&case.written, &mut made, MOST_TRIES, &mut |made| {
                    let made = String::from_utf8_lossy(made);
                    let ran = self.run_again(&original, test, &side, super::LEAST_LIMIT, &made);
                    ran.is_ok_and(|ran| ran.failure().is_none())
                });
            }
            chosen.push((test.mutant_id.clone(), String::from_utf8_lossy(&made).into_owned()));
            let _ = fs::remove_file(&mutant.path);
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        let _ = fs::remove_dir_all(&folder);
        Ok(chosen)
    }

    /// Makes the choices with which the test still tells the mutant from the original: a digit for each.
    fn fewest(
        &self,
        side: &Side<'_>,
        programs: [&Program; 2],
        (test, hangs): (&WrittenTest, bool),
        choices: &[Choice],
        made: &mut [u8],
    ) {
        let (limit, most) = if hangs { (HANGS, MOST_HANGS) } else { (super::LEAST_LIMIT, MOST_TIMEOUTS) };
        let timeouts = Cell::new(0);
        let holds = |made_of: &[u8]| {
            let made = String::from_utf8_lossy(made_of);
            let failure = |program| {
                let ran = self.run_again(program, test, side, limit, &made).ok()?;
                let failure = ran.failure();
                timeouts.set(timeouts.get() + usize::from(failure.as_deref() == Some(TIMED_OUT)));
                Some(failure)
            };
            let [original, mutant] = programs;
            let makes_crash = choices.iter().zip(made_of).any(|(choice, way)| choice.makes_crash() && *way != b'0');
            // (What reads behind an array need not crash without the page behind it, and behind null anything does.)
            let tells = |how: String| hangs || how != TIMED_OUT && !(makes_crash && is_of_memory(&how));
            failure(original) == Some(None) && failure(mutant).flatten().is_some_and(tells)
        };
        let mut tries = 0;
        // All, else the halves, else each.
        let mut open: Vec<Range<usize>> = std::iter::once(0..choices.len()).collect();
        while let Some(range) = open.pop() {
            if tries >= MOST_TRIES + choices.len() || timeouts.get() >= most {
                break;
            }
            if range.is_empty() {
                continue;
            }
            let before = made[range.clone()].to_vec();
            made[range.clone()].fill(b'1');
            tries += 1;
            if holds(made) {
                continue;
            }
            made[range.clone()].copy_from_slice(&before);
            let middle = range.start + range.len() / 2;
            if range.len() > 1 {
                open.extend([middle..range.end, range.start..middle]);
                continue;
            }
            for way in 1..choices[range.start].simpler.len() {
                if timeouts.get() >= most {
                    break;
                }
                made[range.start] = b'1' + u8::try_from(way).unwrap_or_default();
                tries += 1;
                if holds(made) {
                    break;
                }
                made[range.start] = b'0';
            }
        }
    }
}
