//! Prepares one build with as many switchable mutants as possible, and finds which of them the tests reach.

use super::check;
use super::project_copy::ProjectCopy;
use super::schema::{Lines, Schema, Text};
use super::trial::Ran;
use crate::compdb::CompileCommand;
use crate::diag::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rounds of compile errors after which the remaining culprits are left out.
const ROUNDS: usize = 8;
/// The most builds to find the mutants whose presence makes the original fail its tests.
const SEARCHES: usize = 16;

/// A copy with switchable mutants.
#[derive(Default)]
pub(super) struct Prepared {
    /// The replacement of each mutated file.
    pub texts: BTreeMap<PathBuf, Vec<u8>>,
    /// The number that activates a mutant.
    pub numbers: BTreeMap<usize, u32>,
    /// The mutants at one place: the number of the first, and all of them.
    points: Vec<(u32, Vec<usize>)>,
    /// Mutants that the tests reach.
    pub reached: BTreeSet<usize>,
    /// The tests' time with no mutant active.
    pub seconds: f64,
    /// The tests executed something that was built in the copy.
    pub loaded: bool,
}

/// Finds the switchable mutants.
pub(super) struct Preparer<'p, 'a> {
    pub copy: &'p mut ProjectCopy<'a>,
    pub schemas: &'p mut BTreeMap<PathBuf, Schema>,
    /// The time limit of the tests.
    pub limit: Duration,
    pub builds: usize,
    searches: usize,
}

impl<'p, 'a> Preparer<'p, 'a> {
    pub(super) fn new(
        copy: &'p mut ProjectCopy<'a>,
        schemas: &'p mut BTreeMap<PathBuf, Schema>,
        limit: Duration,
    ) -> Self {
        Self { copy, schemas, limit, builds: 0, searches: 0 }
    }

    /// Builds the copy with the switchable mutants of `wanted`. The others get no number.
    ///
    /// # Errors
    ///
    /// The copy cannot be written, or the user interrupted.
    pub(super) fn prepare(&mut self, wanted: &BTreeSet<usize>) -> anyhow::Result<Prepared> {
        if let Some(prepared) = self.try_with(wanted)? {
            return Ok(prepared);
        }
        // For instance, code that depends on its own text: a mutant changes the original by its presence.
        let good = self.passing(&wanted.iter().copied().collect::<Vec<_>>())?;
        for set in [good, BTreeSet::new()] {
            if let Some(prepared) = self.try_with(&set)? {
                return Ok(prepared);
            }
        }
        let log = super::trial::last_lines(&self.copy.builds.log("schema"));
        let what = format!("the original passes its own tests at times only:{log}");
        let fix = "flaky tests cannot distinguish mutants from the original: exclude them from the test command";
        Err(Problem::usage("suite-baseline", what, fix).into())
    }

    /// The build with these mutants, if the original still passes its tests.
    fn try_with(&mut self, wanted: &BTreeSet<usize>) -> anyhow::Result<Option<Prepared>> {
        let mut prepared = self.build(wanted)?;
        Ok(self.passes(&mut prepared)?.then_some(prepared))
    }

    /// The mutants of `wanted` with which the original still passes its tests, as far as can be found in bounded
    /// time.
    fn passing(&mut self, wanted: &[usize]) -> anyhow::Result<BTreeSet<usize>> {
        let mut good = BTreeSet::new();
        if wanted.len() < 2 {
            return Ok(good);
        }
        let (left, right) = wanted.split_at(wanted.len() / 2);
        for half in [left, right] {
            if self.searches >= SEARCHES {
                break;
            }
            self.searches += 1;
            let set: BTreeSet<usize> = half.iter().copied().collect();
            match self.try_with(&set)? {
                Some(prepared) => good.extend(prepared.numbers.into_keys()),
                None => good.extend(self.passing(half)?),
            }
        }
        Ok(good)
    }

    /// Builds with the mutants of `wanted` that compile.
    fn build(&mut self, wanted: &BTreeSet<usize>) -> anyhow::Result<Prepared> {
        self.check(wanted)?;
        for round in 0.. {
            let texts = self.write(wanted, Lines::AsInTheSource);
            for (file, text) in &texts {
                self.copy.put(file, &text.bytes)?;
            }
            self.builds += 1;
            let (built, log) = self.copy.build()?;
            if built {
                let mut prepared = Prepared::default();
                for (file, text) in texts {
                    prepared.texts.insert(file, text.bytes);
                    prepared.points.extend(text.points);
                }
                for (number, indices) in &prepared.points {
                    prepared.numbers.extend((*number..).zip(indices).map(|(number, index)| (*index, number)));
                }
                return Ok(prepared);
            }
            if self.schemas.values().all(Schema::is_untouched) {
                return Err(super::project_copy::failed(
                    "suite-build",
                    "the copy of the project no longer builds",
                    &log,
                ));
            }
            self.leave_out(&super::trial::tail(&log), round >= ROUNDS);
        }
        unreachable!("each round leaves out something")
    }

    /// Leaves out the culprits of a failed build; all mutants if they are unknown or time is up.
    fn leave_out(&mut self, log: &str, all: bool) {
        let messages = check::messages(log, &self.copy.root);
        let mut any = false;
        for (file, schema) in self.schemas.iter_mut() {
            let place = self.copy.place(file);
            let mine: Vec<&check::Message> = messages.iter().filter(|message| message.file == place).collect();
            any |= !mine.is_empty();
            for message in &mine {
                match schema.around_line(message.line) {
                    around if around.is_empty() => schema.clear(),
                    around => schema.widen(&around),
                }
            }
        }
        if all || !any {
            self.schemas.values_mut().for_each(Schema::clear);
        }
    }

    /// Compiles each file until it has no errors.
    fn check(&mut self, wanted: &BTreeSet<usize>) -> anyhow::Result<()> {
        let root = self.copy.root.clone();
        for round in 0..=ROUNDS {
            let texts = self.write(wanted, Lines::AsTheyStand);
            for (file, text) in &texts {
                self.copy.put(file, &text.bytes)?;
            }
            let placed: BTreeMap<PathBuf, Text> =
                texts.into_iter().map(|(file, text)| (self.copy.place(&file), text)).collect();
            let commands = self.commands(wanted);
            let builds = self.copy.builds;
            let checked = crate::parse::in_parallel(builds.options.jobs, commands.len(), |nth| {
                check::syntax(commands[nth], (builds.project.root, &root), builds.project.interrupted)
            });
            let mut wrong = Vec::new();
            let mut hopeless = BTreeSet::new();
            for checked in checked {
                let checked = checked?;
                self.copy.cpu_seconds += checked.cpu_seconds;
                if !checked.passed {
                    let (blamed, rest) = check::blame(&checked.messages, &placed);
                    wrong.extend(blamed.into_iter().map(<[usize]>::to_vec));
                    // Files that are included where nothing can be defined. Other unexplained errors will show in the
                    // build.
                    let early = rest.iter().filter(|m| placed.get(&m.file).is_some_and(|t| m.line <= t.preamble));
                    hopeless.extend(early.map(|message| message.file.clone()));
                }
            }
            if self.copy.builds.project.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(crate::session::interrupted().into());
            }
            if wrong.is_empty() && hopeless.is_empty() {
                return Ok(());
            }
            for (file, schema) in self.schemas.iter_mut() {
                if hopeless.contains(&self.copy.place(file)) {
                    schema.clear();
                }
                for group in &wrong {
                    if round < ROUNDS { schema.widen(group) } else { schema.drop(group) }
                }
            }
        }
        Ok(())
    }

    /// The commands that together compile every schema.
    fn commands(&self, wanted: &BTreeSet<usize>) -> Vec<&'a CompileCommand> {
        let project = self.copy.builds.project;
        let mut commands: BTreeMap<&Path, &CompileCommand> = BTreeMap::new();
        for (file, schema) in self.schemas.iter() {
            if !schema.mutants().any(|index| wanted.contains(&index)) {
                continue;
            }
            let main = match project.database.command_of(file) {
                Some(own) => Some(own),
                None => project.model.unit_of(file).and_then(|unit| project.database.command_of(&unit.main_file)),
            };
            commands.extend(main.map(|command| (command.file.as_path(), command)));
        }
        commands.into_values().collect()
    }

    fn write(&self, wanted: &BTreeSet<usize>, lines: Lines) -> BTreeMap<PathBuf, Text> {
        let is_wanted = |index: usize| wanted.contains(&index);
        let count = |schema: &Schema| schema.mutants().filter(|index| is_wanted(*index)).count() as u32;
        let notes = 1 + self.schemas.values().map(count).sum::<u32>();
        let mut first = 1;
        let mut texts = BTreeMap::new();
        for (file, schema) in self.schemas.iter() {
            texts.insert(file.clone(), schema.write(&is_wanted, first, notes, lines));
            first += count(schema);
        }
        texts
    }

    /// Whether the original passes its tests with its mutants present; records what they reach.
    fn passes(&mut self, prepared: &mut Prepared) -> anyhow::Result<bool> {
        let notes = self.copy.builds.folder.join("reached");
        std::fs::write(&notes, vec![0u8; 1 + prepared.numbers.len()])?;
        let environment = [("MOTIF_REACHED", notes.display().to_string())];
        let log = self.copy.builds.log("schema");
        // Twice, since not all tests do the same each time; one that fails without a cause has a second chance.
        let mut passed = 0;
        for _ in 0..3 {
            let ran: Ran = self.copy.test(&environment, self.limit, &log)?;
            if ran.ended == crate::build::run::Ended::Interrupted {
                return Err(crate::session::interrupted().into());
            }
            if ran.passed() {
                passed += 1;
                prepared.seconds = prepared.seconds.max(ran.seconds);
            }
            if passed == 2 {
                break;
            }
        }
        let noted = std::fs::read(&notes)?;
        let is_noted = |number: usize| noted.get(number).is_some_and(|note| *note != 0);
        prepared.loaded = is_noted(0);
        let reached = prepared.points.iter().filter(|(number, _)| is_noted(*number as usize));
        prepared.reached = reached.flat_map(|(_, indices)| indices).copied().collect();
        Ok(passed == 2)
    }
}
