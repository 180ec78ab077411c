//! Replay and judgement: nothing is a kill until fresh processes have shown it.

mod compare;
mod observation;
mod sanitizer_replay;

pub use observation::{Aspect, Ending, Entry, Kind, Observation, Phase, Scalar, Seen, Taken};
pub use sanitizer_replay::Confirmed;

use crate::build::Sanitizer;
use crate::engine::{Answer, Candidate, Fault, SearchJob, Side, Slot};
use crate::outcome::{Home, How};
use crate::plan::record_paths::ARGUMENTS;
use crate::supervise::{self, Confinement, signal_name};
use anyhow::{Context, Result, bail};
use compare::{Compared, compare};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Which code a replay runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Replayed {
    /// The original.
    Original,
    /// A mutant, with its number on its side; 0: with none active.
    Mutant(Side, u32),
}

impl Replayed {
    /// The mutant of a slot.
    pub fn of(slot: &Slot) -> Self {
        Self::Mutant(slot.side.clone(), slot.number)
    }

    /// The copy with this mutant active; 0: with none.
    pub fn copy(number: u32) -> Self {
        Self::Mutant(Side::COPY, number)
    }

    /// The side with no active mutant that must behave like the original; `None` if the image has one mutant only.
    fn as_none(&self) -> Option<Self> {
        match self {
            Self::Mutant(side, _) if side.home != Home::Image => Some(Self::Mutant(side.clone(), 0)),
            _ => None,
        }
    }
}

/// The settings of a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replay {
    /// CPU time after which the call counts as hung.
    pub timeout: Duration,
    /// The byte that fills fresh heap and stack memory.
    pub fill: u8,
    /// The sanitizer of worker and unit.
    pub under: Sanitizer,
    /// Tell the notes that marks in the code have made.
    pub notes: bool,
}

impl Default for Replay {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(2), fill: 0, under: Sanitizer::None, notes: false }
    }
}

/// Runs one side on one input in a fresh process.
pub fn replay(worker: &Path, unit_so: &Path, side: &Replayed, input: &Path, how: Replay) -> Result<Observation> {
    let absolute =
        |path: &Path| std::path::absolute(path).with_context(|| format!("making {} absolute", path.display()));
    let worker = absolute(worker)?;
    let mut command = Command::new(&worker);
    command.arg("replay");
    command.arg("--unit").arg(absolute(unit_so)?);
    match side {
        Replayed::Original => command.args(["--side", "original"]),
        Replayed::Mutant(side, number) => command.arg("--side").arg(side.told(*number)?),
    };
    command.arg("--input").arg(absolute(input)?);
    command.arg("--fill").arg(how.fill.to_string());
    command.arg("--ticks").arg((how.timeout.as_millis() / 20).max(5).to_string());
    // glibc fills fresh memory with the complement. Its thread cache would bypass that.
    let perturb = if how.fill == 0 { 255 } else { !how.fill };
    command.env("GLIBC_TUNABLES", format!("glibc.malloc.perturb={perturb}:glibc.malloc.tcache_count=0"));
    let patience = how.timeout * 2 + Duration::from_secs(3);
    let confinement = Confinement { time: Some(patience * 4), ..Confinement::of_worker(&worker)? };
    let confinement = confinement.under(how.under);
    if how.notes {
        command.args(["--notes", "1"]);
    }
    if how.under == Sanitizer::Leak {
        command.args(["--leaks", "1"]);
    }
    let finished = supervise::run(&command, patience, &confinement)?;
    let cpu_seconds = finished.ended.cpu_seconds;
    if finished.timed_out {
        return Ok(Observation::ended(Ending::Hung, 0, cpu_seconds));
    }
    match (finished.ended.code, finished.ended.signal) {
        (Some(0), _) if !finished.stdout.is_empty() => {
            let mut observation: Observation =
                serde_json::from_slice(&finished.stdout).context("reading what the worker saw")?;
            observation.cpu_seconds = cpu_seconds;
            Ok(observation)
        }
        (Some(70), _) => {
            let message = String::from_utf8_lossy(&finished.stderr);
            bail!("replay: {}", message.lines().next().unwrap_or("no message"))
        }
        (_, Some(signal)) => Ok(Observation::ended(Ending::Crashed, signal, cpu_seconds)),
        (code, None) => Ok(Observation::ended(Ending::Exited, code.unwrap_or(0), cpu_seconds)),
    }
}

/// The verdict on a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The mutant differs.
    Killed {
        /// The kind of difference.
        how: How,
        /// The original's observation.
        original: Box<Observation>,
        /// The mutant's observation.
        mutant: Box<Observation>,
    },
    /// It does not differ, or cannot be judged.
    Refuted(Refusal),
    /// The original fails on this input: `SIGSEGV`, `hang`, …
    OriginalFails(String),
}

/// Why a candidate is not a kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// In a fresh process the mutant behaves like the original.
    Same,
    /// The mutant differs in one replay and not in another.
    NotTwice,
    /// Two replays of the original differ.
    OriginalDiffers,
    /// Only that differs in which replays of the original differ, too.
    ByChance,
    /// The copy differs with no mutant active.
    CopyDiffers,
    /// Only uninitialised memory differs.
    Stale,
    /// The original's objects cannot be destroyed afterwards, see [`Judge::strict`].
    TakenDown,
}

impl Refusal {
    /// The reason as reports print it.
    pub fn reason(self) -> &'static str {
        match self {
            Refusal::Same => "differs in the search only, not in a fresh process",
            Refusal::NotTwice => "the mutant differs from the original in one replay and not in another",
            Refusal::OriginalDiffers => "the original differs from itself: its result is not deterministic",
            Refusal::ByChance => "the original differs from itself, and the mutant in nothing else",
            Refusal::Stale => "only memory differs that the original does not write to either",
            Refusal::TakenDown => "the original returns, and crashes when its objects are destroyed",
            Refusal::CopyDiffers => "the copy differs from the original with no mutant active",
        }
    }

    /// Whether it holds for every mutant of the unit.
    pub fn is_of_the_unit(self) -> bool {
        matches!(self, Refusal::OriginalDiffers)
    }
}

/// Judges candidates of one unit.
#[derive(Debug)]
pub struct Judge {
    worker: PathBuf,
    unit_so: PathBuf,
    dir: PathBuf,
    originals: HashMap<Vec<u8>, Originals>,
    cpu_seconds: f64,
    /// Refuses inputs after which the original's objects cannot be destroyed: their test would crash, and other
    /// inputs exist.
    pub strict: bool,
}

/// The original's behaviour on one input.
#[derive(Clone, Debug)]
struct Originals {
    /// Without the places in `stale`.
    first: Observation,
    /// The runs of the original agree everywhere else.
    agrees: bool,
    /// Places with uninitialised memory, and places that differ between two runs.
    stale: BTreeSet<String>,
    /// Some of them were not the same twice, whatever fresh memory held: an address in a text, say.
    is_chance: bool,
    /// The copy with no active mutant agrees with the original; computed when needed.
    copy_agrees: Option<bool>,
    /// More replays of the original agree; computed before a kill.
    steady: Option<bool>,
}

/// Fill bytes of fresh memory: reads of uninitialised memory differ between them.
const FILLS: [u8; 2] = [0x00, 0xD7];
const ORIGINALS_KEPT: usize = 64;
/// Further replays of the original before a kill. Results that depend on addresses agree now and then by chance.
const ONCE_MORE: usize = 4;

impl Judge {
    /// A judge of the unit in `unit_so`; inputs are written to `dir`.
    pub fn new(worker: &Path, unit_so: &Path, dir: &Path) -> Result<Self> {
        fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
        Ok(Self {
            worker: worker.to_path_buf(),
            unit_so: unit_so.to_path_buf(),
            dir: dir.to_path_buf(),
            originals: HashMap::new(),
            cpu_seconds: 0.0,
            strict: false,
        })
    }

    /// CPU seconds of all replays so far.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu_seconds
    }

    /// Forgets the original's behaviour: the driver was rebuilt.
    pub fn forget(&mut self) {
        self.originals.clear();
    }

    /// Replays one side on one input, in a fresh process.
    pub fn replay(&mut self, side: &Replayed, input: &[u8], how: Replay) -> Result<Observation> {
        let path = self.dir.join("replayed");
        fs::write(&path, input).with_context(|| format!("writing {}", path.display()))?;
        let observation = replay(&self.worker, &self.unit_so, side, &path, how)?;
        self.cpu_seconds += observation.cpu_seconds;
        Ok(observation)
    }

    /// Decides whether `mutant` differs from the original on `input`.
    pub fn judge(&mut self, mutant: &Replayed, input: &[u8]) -> Result<Verdict> {
        let mut originals = match self.originals.get(input) {
            Some(originals) => originals.clone(),
            None => self.originals_on(input)?,
        };
        if let Some(what) = originals.first.failure() {
            self.keep(input, originals);
            return Ok(Verdict::OriginalFails(what));
        }
        if self.strict && originals.first.outcome.late {
            self.keep(input, originals);
            return Ok(Verdict::Refuted(Refusal::TakenDown));
        }
        if !originals.agrees {
            self.keep(input, originals);
            return Ok(Verdict::Refuted(Refusal::OriginalDiffers));
        }
        let as_none = mutant.as_none();
        if let Some(as_none) = &as_none
            && originals.copy_agrees.is_none()
        {
            let copy = self.replay(as_none, input, Replay::default())?;
            let copy = copy.without(&originals.stale);
            originals.copy_agrees = Some(self.same(&originals.first, &copy)?);
        }
        let copy_agrees = originals.copy_agrees;
        let first = originals.first.clone();
        let (stale, is_chance) = (originals.stale.clone(), originals.is_chance);
        self.keep(input, originals);
        if as_none.is_some() && copy_agrees == Some(false) {
            return Ok(Verdict::Refuted(Refusal::CopyDiffers));
        }
        // A mutant may take fifty times as long as the original, and at least half a second.
        let patience = Duration::from_secs_f64((first.cpu_seconds * 50.0).clamp(0.5, 5.0));
        let mut seen = Vec::new();
        for fill in FILLS {
            let mutated = self.replay(mutant, input, Replay { timeout: patience, fill, ..Replay::default() })?;
            seen.push(mutated.without(&stale));
        }
        let mut differs = Vec::new();
        let mut left_out = BTreeSet::new();
        for mutated in &seen {
            let differences = self.differences(&first, mutated)?;
            differs.push(differences.is_some());
            left_out.extend(differences.into_iter().flat_map(|found| found.left_out));
        }
        Ok(match differs[..] {
            [true, true] if !self.is_steady(input, &first, &stale)? => Verdict::Refuted(Refusal::OriginalDiffers),
            [true, true] => {
                let (first, mutated) = (first.without(&left_out), seen.swap_remove(0).without(&left_out));
                let [first, mutated] =
                    if mutated.failure().is_some() { [first, mutated] } else { first.in_common(&mutated) };
                let how = how_killed(&first, &mutated);
                Verdict::Killed { how, original: Box::new(first), mutant: Box::new(mutated) }
            }
            [false, false] if is_chance => Verdict::Refuted(Refusal::ByChance),
            [false, false] if stale.is_empty() => Verdict::Refuted(Refusal::Same),
            [false, false] => Verdict::Refuted(Refusal::Stale),
            _ => Verdict::Refuted(Refusal::NotTwice),
        })
    }

    /// Like [`Judge::judge`], for a candidate whose ending the engine has seen in a fresh process under a sanitizer.
    ///
    /// A difference that only the sanitizer sees does not show here. It is a kill if the original is deterministic;
    /// its test must show it under that sanitizer to be proved.
    pub fn judge_seen(&mut self, mutant: &Replayed, input: &[u8], hint: How) -> Result<Verdict> {
        let verdict = self.judge(mutant, input)?;
        match (&verdict, self.originals.get(input)) {
            (Verdict::Refuted(Refusal::Same), Some(originals)) if hint == How::Sanitizer => {
                let original = Box::new(originals.first.clone());
                Ok(Verdict::Killed { how: How::Sanitizer, mutant: original.clone(), original })
            }
            _ => Ok(verdict),
        }
    }

    /// The answer for an engine; the details of a kill go to `killed`. For an existing verdict see [`answer`].
    pub fn confirm(
        &mut self,
        job: &SearchJob<'_>,
        candidate: &Candidate,
        killed: &mut dyn FnMut(How, Observation, Observation),
    ) -> Result<Answer> {
        let mutant = Replayed::of(&job.slots[candidate.slot]);
        Ok(match self.judge_seen(&mutant, &candidate.input, candidate.hint)? {
            Verdict::Killed { how, original, mutant } => {
                killed(how, *original, *mutant);
                Answer::Killed
            }
            Verdict::Refuted(refusal) => {
                Answer::Refuted { reason: refusal.reason().to_string(), whole_unit: refusal.is_of_the_unit() }
            }
            Verdict::OriginalFails(what) => Answer::OriginalFails(what),
        })
    }

    /// The suspected faults that a fresh process confirms.
    pub fn faults(&mut self, suspected: &[Fault]) -> Result<Vec<Fault>> {
        let mut faults: Vec<Fault> = Vec::new();
        for fault in suspected {
            let seen = self.replay(&Replayed::Original, &fault.input, Replay::default())?;
            if let Some(what) = seen.failure()
                && !faults.iter().any(|known| known.input == fault.input)
            {
                faults.push(Fault { input: fault.input.clone(), what });
            }
        }
        Ok(faults)
    }

    /// As [`unsteady`], of an input.
    pub fn unsteady_places(&self, input: &[u8]) -> Result<Vec<String>> {
        let path = self.dir.join("unsteady");
        fs::write(&path, input).with_context(|| format!("writing {}", path.display()))?;
        unsteady(&self.worker, &self.unit_so, &path)
    }

    fn originals_on(&mut self, input: &[u8]) -> Result<Originals> {
        let first = self.replay(&Replayed::Original, input, Replay { fill: FILLS[0], ..Replay::default() })?;
        let seen = |first, agrees, stale, is_chance| Originals {
            first,
            agrees,
            stale,
            is_chance,
            copy_agrees: None,
            steady: None,
        };
        if first.failure().is_some() {
            return Ok(seen(first, true, BTreeSet::new(), false));
        }
        let second = self.replay(&Replayed::Original, input, Replay { fill: FILLS[1], ..Replay::default() })?;
        // An argument of a stub may be dangling or uninitialised: it counts only if it is stable.
        for aside in [BTreeSet::new(), BTreeSet::from([ARGUMENTS.to_owned()])] {
            let (one, other) = (first.clone().without(&aside), second.clone().without(&aside));
            let Some(mut stale) = one.stale_beside(&other) else { continue };
            // Where the same fill does not give the same result, the cause is chance. What it does not touch counts, if
            // it is the same before a kill ([`Judge::is_steady`]).
            let mut by_chance = Some(BTreeSet::new());
            if !stale.is_empty() {
                let again = Replay { fill: FILLS[0], ..Replay::default() };
                let again = self.replay(&Replayed::Original, input, again)?.without(&aside);
                by_chance = if self.same(&one, &again)? { by_chance } else { one.stale_beside(&again) };
            }
            if let Some(by_chance) = by_chance {
                let is_chance = !by_chance.is_empty();
                // Not what chance may have left in a stub's arguments.
                if is_chance && aside.is_empty() {
                    continue;
                }
                stale.extend(by_chance);
                stale.extend(aside);
                return Ok(seen(one.without(&stale), true, stale, is_chance));
            }
        }
        Ok(seen(first, false, BTreeSet::new(), false))
    }

    /// Whether the original gives `first` on `input` in further replays.
    fn is_steady(&mut self, input: &[u8], first: &Observation, stale: &BTreeSet<String>) -> Result<bool> {
        if let Some(steady) = self.originals.get(input).and_then(|known| known.steady) {
            return Ok(steady);
        }
        let mut steady = true;
        for fill in FILLS.into_iter().cycle().take(ONCE_MORE) {
            let again = self.replay(&Replayed::Original, input, Replay { fill, ..Replay::default() })?;
            steady &= self.same(first, &again.without(stale))?;
            if !steady {
                break;
            }
        }
        if let Some(known) = self.originals.get_mut(input) {
            known.steady = Some(steady);
            known.agrees &= steady;
        }
        Ok(steady)
    }

    /// Whether a caller sees the same of both.
    fn same(&self, original: &Observation, other: &Observation) -> Result<bool> {
        Ok(self.differences(original, other)?.is_none())
    }

    /// What the driver's `compare` says of the two; none where it finds no difference and both ended alike.
    fn differences(&self, original: &Observation, other: &Observation) -> Result<Option<Compared>> {
        if original.same(other) {
            return Ok(None);
        }
        let [original, other] = original.in_common(other);
        if original.same(&other) {
            return Ok(None);
        }
        let compared = compare(&self.worker, &self.unit_so, &self.dir, [&original, &other])?;
        Ok(Some(compared).filter(|found| !found.finds_none() || !original.ended_as(&other)))
    }

    fn keep(&mut self, input: &[u8], originals: Originals) {
        if self.originals.len() >= ORIGINALS_KEPT {
            self.originals.clear();
        }
        self.originals.insert(input.to_vec(), originals);
    }
}

/// A verdict as the answer for an engine.
pub fn answer(verdict: Verdict) -> Answer {
    match verdict {
        Verdict::Killed { .. } => Answer::Killed,
        Verdict::Refuted(refusal) => {
            Answer::Refuted { reason: refusal.reason().to_string(), whole_unit: refusal.is_of_the_unit() }
        }
        Verdict::OriginalFails(what) => Answer::OriginalFails(what),
    }
}

/// The kind of difference between mutant and original.
pub fn how_killed(original: &Observation, mutant: &Observation) -> How {
    match mutant.outcome.ending {
        Ending::Crashed | Ending::Exited => return How::Crash,
        Ending::Hung => return How::Hang,
        Ending::Sanitizer => return How::Sanitizer,
        Ending::Returned | Ending::Uncaught => {}
    }
    let of = |observation: &Observation, part: Aspect| -> Vec<Entry> {
        observation.record.iter().filter(|entry| entry.part == part).cloned().collect()
    };
    if mutant.outcome.ending != original.outcome.ending
        || of(original, Aspect::Exception) != of(mutant, Aspect::Exception)
    {
        How::Exception
    } else if of(original, Aspect::Output) != of(mutant, Aspect::Output) {
        How::Output
    } else {
        How::State
    }
}

/// The original's behaviour on the seeds, each in a child process.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Baseline {
    /// One entry per seed.
    pub inputs: Vec<SeedRun>,
    /// Edges in the unit's instrumented code.
    pub edges: u64,
    /// Edges that a seed reached.
    pub covered: u64,
    /// An undefined function that a seed called.
    #[serde(default)]
    pub missing: Option<String>,
    /// The type of an exception thrown while objects were constructed.
    #[serde(default)]
    pub thrown: Option<String>,
    /// The message of that exception.
    #[serde(default)]
    pub said: Option<String>,
    /// CPU seconds of all seeds; not written by the worker.
    #[serde(default)]
    pub cpu_seconds: f64,
}

/// One seed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SeedRun {
    /// How the original ended.
    pub outcome: observation::Outcome,
    /// Two runs gave the same result.
    pub deterministic: bool,
    /// Runs with different stale memory gave the same result.
    #[serde(default)]
    pub steady: bool,
    /// The copy with no active mutant gave the same result.
    pub copy_agrees: bool,
    /// It got as far as the call: something was recorded.
    #[serde(default)]
    pub recorded: bool,
    /// Bytes of the input that it requested.
    pub taken: u64,
}

/// Whether the original fails on every input that gets as far as the call, or while its objects are destroyed.
pub fn fails_throughout(runs: &[SeedRun]) -> bool {
    let is_bad = |run: &SeedRun| run.failure().is_some() || run.outcome.late;
    let some_fail = runs.iter().any(is_bad);
    runs.iter().all(|run| is_bad(run) || some_fail && !run.recorded)
}

impl Baseline {
    /// The undefined function, as a suffix of a failure message; empty if there is none.
    pub fn lacks(&self) -> String {
        self.missing.as_ref().map_or_else(String::new, |name| format!("; it calls `{name}`, which nobody defines"))
    }

    /// The exception during construction, as a suffix of a message; empty if there is none.
    pub fn throws(&self) -> String {
        let Some(thrown) = &self.thrown else { return String::new() };
        let plain =
            |said: &String| said.split(|c: char| c.is_control()).collect::<Vec<_>>().join(" ").trim().to_owned();
        let said = self.said.as_ref().map_or_else(String::new, |said| format!(" ({})", plain(said)));
        format!("; constructing its objects throws `{thrown}`{said}")
    }
}

impl SeedRun {
    /// `SIGSEGV`, `hang`, … if the original failed.
    pub fn failure(&self) -> Option<String> {
        self.outcome.failure()
    }
}

/// Places in the record in which the original differs from itself on this input, in fresh processes.
///
/// # Errors
///
/// The worker cannot be started.
pub fn unsteady(worker: &Path, unit_so: &Path, input: &Path) -> Result<Vec<String>> {
    let run = |fill| replay(worker, unit_so, &Replayed::Original, input, Replay { fill, ..Replay::default() });
    let (once, twice, filled) = (run(0)?, run(0)?, run(0xA5)?);
    let mut places = Vec::new();
    for other in [twice, filled] {
        // Entries are grouped by place: where a pointer leads elsewhere, later entries move.
        let mut known: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        other.record.iter().for_each(|entry| known.entry(&entry.path).or_default().push(entry));
        let differs = |entry: &&Entry| known.get(&*entry.path).is_some_and(|others| !others.contains(entry));
        places.extend(once.record.iter().filter(differs).map(|entry| entry.path.clone()));
    }
    places.sort();
    places.dedup();
    Ok(places)
}

/// Runs the original on every seed, and its `twin` if there is one: the copy or image with no active mutant.
pub fn baseline(worker: &Path, unit_so: &Path, twin: Option<&Side>, seeds: &[PathBuf]) -> Result<Baseline> {
    let absolute =
        |path: &Path| std::path::absolute(path).with_context(|| format!("making {} absolute", path.display()));
    let worker = absolute(worker)?;
    let mut command = Command::new(&worker);
    command.arg("seeds").arg("--unit").arg(absolute(unit_so)?);
    if let Some(twin) = twin {
        command.arg("--twin").arg(twin.told(0)?);
    }
    for seed in seeds {
        command.arg("--input").arg(absolute(seed)?);
    }
    let time = Duration::from_secs(20) + Duration::from_secs(10) * u32::try_from(seeds.len()).unwrap_or(u32::MAX);
    let finished = supervise::run(&command, time, &Confinement::of_worker(&worker)?)?;
    if finished.ended.code != Some(0) {
        let message = String::from_utf8_lossy(&finished.stderr);
        let signal = finished.ended.signal.map(signal_name);
        bail!("seeds: {}", message.lines().next().map(str::to_string).or(signal).unwrap_or_default());
    }
    let seen: Baseline =
        serde_json::from_slice(&finished.stdout).context("reading what the worker saw on the seeds")?;
    Ok(Baseline { cpu_seconds: finished.ended.cpu_seconds, ..seen })
}
