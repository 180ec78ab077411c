//! Replay and judgement: nothing is a kill until it has been seen in fresh processes.

mod observation;
mod sanitizer_replay;

pub use observation::{Aspect, Ending, Entry, Kind, Observation, Phase, Scalar, Seen, Taken};
pub use sanitizer_replay::Confirmed;

use crate::build::Sanitizer;
use crate::engine::{Answer, Candidate, Fault, SearchJob, Side, Slot};
use crate::outcome::How;
use crate::plan::record_paths::ARGUMENTS;
use crate::supervise::{self, Confinement, signal_name};
use anyhow::{Context, Result, bail};
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
    /// The copy as that mutant; 0: as none.
    Copy(u32),
    /// A mutant built apart from the original, with its number there.
    Apart(Side, u32),
}

impl Replayed {
    /// The mutant of a slot.
    pub fn of(slot: &Slot) -> Self {
        match &slot.side {
            Side::Copy => Replayed::Copy(slot.number),
            side @ (Side::Image(_) | Side::InPlace(_)) => Replayed::Apart(side.clone(), slot.number),
        }
    }
}

impl Replayed {
    /// What must do as the original does, where the mutant is one of several in a text.
    fn as_none(&self) -> Option<Self> {
        match self {
            Replayed::Copy(_) => Some(Replayed::Copy(0)),
            Replayed::Apart(side @ Side::InPlace(_), _) => Some(Replayed::Apart(side.clone(), 0)),
            Replayed::Original | Replayed::Apart(..) => None,
        }
    }
}

/// How a replay is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replay {
    /// CPU time until the call counts as hung.
    pub timeout: Duration,
    /// What fresh heap and stack memory is filled with.
    pub fill: u8,
    /// What worker and unit are built with.
    pub under: Sanitizer,
}

impl Default for Replay {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(2), fill: 0, under: Sanitizer::None }
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
        Replayed::Copy(mutant) => command.arg("--side").arg(Side::Copy.told(*mutant)?),
        Replayed::Apart(side, number) => command.arg("--side").arg(side.told(*number)?),
    };
    command.arg("--input").arg(absolute(input)?);
    command.arg("--fill").arg(how.fill.to_string());
    command.arg("--ticks").arg((how.timeout.as_millis() / 20).max(5).to_string());
    // glibc fills fresh memory with the complement; what its thread cache hands out would escape that.
    let perturb = if how.fill == 0 { 255 } else { !how.fill };
    command.env("GLIBC_TUNABLES", format!("glibc.malloc.perturb={perturb}:glibc.malloc.tcache_count=0"));
    let patience = how.timeout * 2 + Duration::from_secs(3);
    let confinement = Confinement { time: Some(patience * 4), ..Confinement::of_worker(&worker)? };
    let confinement = confinement.under(how.under);
    if how.under == Sanitizer::Leak {
        command.args(["--leaks", "1"]);
    }
    let finished = supervise::run(command, patience, &confinement)?;
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

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The mutant differs.
    Killed {
        /// In what.
        how: How,
        /// What the original did.
        original: Box<Observation>,
        /// What the mutant did.
        mutant: Box<Observation>,
    },
    /// It does not, or nothing can be said.
    Refuted(Refusal),
    /// The original fails on this input: `SIGSEGV`, `hang`, …
    OriginalFails(String),
}

/// Why a candidate is no kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// In a fresh process the mutant does what the original does.
    Same,
    /// It differs at one time and not at another.
    NotTwice,
    /// The original does not do the same twice.
    OriginalDiffers,
    /// The copy differs although no mutant is active.
    CopyDiffers,
    /// All that differs is what stood in memory that nobody has written to.
    Stale,
    /// The original's objects can't be taken down after it, see [`Judge::strict`].
    TakenDown,
}

impl Refusal {
    /// For reports.
    pub fn reason(self) -> &'static str {
        match self {
            Refusal::Same => "differs in the search only, not in a fresh process",
            Refusal::NotTwice => "the mutant differs from the original at one time and not at another",
            Refusal::OriginalDiffers => "the original differs from itself: its result is not deterministic",
            Refusal::Stale => "all that differs is memory that the original has not written to either",
            Refusal::TakenDown => "the original returns, and crashes as its objects are taken down",
            Refusal::CopyDiffers => "the copy differs from the original with no mutant active",
        }
    }

    /// Whether other mutants of the unit fare no better.
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
    /// Inputs after which the original's objects can't be taken down are refused: a test of them would crash, and
    /// there are others.
    pub strict: bool,
}

/// What was seen of the original on one input.
#[derive(Clone, Debug)]
struct Originals {
    /// Without the places in `stale`.
    first: Observation,
    /// The original agrees with itself everywhere else.
    agrees: bool,
    /// Places that hold whatever was in memory before.
    stale: BTreeSet<String>,
    /// The copy with no mutant agrees with the original; asked where it is needed.
    copy_agrees: Option<bool>,
    /// The original does the same time after time; asked before a kill.
    steady: Option<bool>,
}

/// Fillings of fresh memory: what reads uninitialised memory differs between them.
const FILLS: [u8; 2] = [0x00, 0xD7];
const ORIGINALS_KEPT: usize = 64;
/// How often the original runs once more before a kill. What is decided by where memory happens to lie comes out alike now and then.
const ONCE_MORE: usize = 4;

impl Judge {
    /// For the unit in `unit_so`; inputs are written to `dir`.
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

    /// What the original did counts no longer: the driver was built anew.
    pub fn forget(&mut self) {
        self.originals.clear();
    }

    /// One side on one input, in a fresh process.
    pub fn replay(&mut self, side: &Replayed, input: &[u8], how: Replay) -> Result<Observation> {
        let path = self.dir.join("replayed");
        fs::write(&path, input).with_context(|| format!("writing {}", path.display()))?;
        let observation = replay(&self.worker, &self.unit_so, side, &path, how)?;
        self.cpu_seconds += observation.cpu_seconds;
        Ok(observation)
    }

    /// Says whether `mutant` differs from the original on `input`.
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
            originals.copy_agrees = Some(copy.without(&originals.stale).same(&originals.first));
        }
        let copy_agrees = originals.copy_agrees;
        let first = originals.first.clone();
        let stale = originals.stale.clone();
        self.keep(input, originals);
        if as_none.is_some() && copy_agrees == Some(false) {
            return Ok(Verdict::Refuted(Refusal::CopyDiffers));
        }
        // A mutant may take its time, but not for ever: fifty times the original's, at least half a second.
        let patience = Duration::from_secs_f64((first.cpu_seconds * 50.0).clamp(0.5, 5.0));
        let mut seen = Vec::new();
        for fill in FILLS {
            let mutated = self.replay(mutant, input, Replay { timeout: patience, fill, ..Replay::default() })?;
            seen.push(mutated.without(&stale));
        }
        let differs: Vec<bool> = seen.iter().map(|mutated| !mutated.same(&first)).collect();
        Ok(match differs[..] {
            [true, true] if !self.is_steady(input, &first, &stale)? => Verdict::Refuted(Refusal::OriginalDiffers),
            [true, true] => {
                let mutated = seen.swap_remove(0);
                let how = how_killed(&first, &mutated);
                Verdict::Killed { how, original: Box::new(first), mutant: Box::new(mutated) }
            }
            [false, false] if stale.is_empty() => Verdict::Refuted(Refusal::Same),
            [false, false] => Verdict::Refuted(Refusal::Stale),
            _ => Verdict::Refuted(Refusal::NotTwice),
        })
    }

    /// As [`Judge::judge`], of a candidate that the engine, in a fresh process under a sanitizer, has seen end so.
    ///
    /// What only the sanitizer sees shows no difference here: it is a kill where the original agrees with itself,
    /// and its test has to show it under that sanitizer to be proved.
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

    /// The answer for an engine; what is needed of a kill goes to `killed`.
    ///
    /// See [`answer`] for a verdict that is there already.
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

    /// Those suspected faults that a fresh process shows as well.
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

    fn originals_on(&mut self, input: &[u8]) -> Result<Originals> {
        let first = self.replay(&Replayed::Original, input, Replay { fill: FILLS[0], ..Replay::default() })?;
        let seen = |first, agrees, stale| Originals { first, agrees, stale, copy_agrees: None, steady: None };
        if first.failure().is_some() {
            return Ok(seen(first, true, BTreeSet::new()));
        }
        let second = self.replay(&Replayed::Original, input, Replay { fill: FILLS[1], ..Replay::default() })?;
        // What a stub is handed may be gone, or have no value yet: that counts where it is the same, and else nowhere.
        for aside in [BTreeSet::new(), BTreeSet::from([ARGUMENTS.to_owned()])] {
            let (one, other) = (first.clone().without(&aside), second.clone().without(&aside));
            let Some(mut stale) = one.stale_beside(&other) else { continue };
            // It has to be that memory, and not chance: the same again where it holds the same.
            let again = Replay { fill: FILLS[0], ..Replay::default() };
            let agrees = stale.is_empty() || self.replay(&Replayed::Original, input, again)?.without(&aside).same(&one);
            if agrees {
                stale.extend(aside);
                return Ok(seen(one.without(&stale), true, stale));
            }
        }
        Ok(seen(first, false, BTreeSet::new()))
    }

    /// Whether the original, run once more and more, still does on `input` what it did at `first`.
    fn is_steady(&mut self, input: &[u8], first: &Observation, stale: &BTreeSet<String>) -> Result<bool> {
        if let Some(steady) = self.originals.get(input).and_then(|known| known.steady) {
            return Ok(steady);
        }
        let mut steady = true;
        for fill in FILLS.into_iter().cycle().take(ONCE_MORE) {
            let again = self.replay(&Replayed::Original, input, Replay { fill, ..Replay::default() })?;
            steady &= again.without(stale).same(first);
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

/// What tells the mutant from the original.
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

/// What the original did on the seeds, each in a child of its own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Baseline {
    /// By seed.
    pub inputs: Vec<SeedRun>,
    /// Places in the unit's instrumented code.
    pub edges: u64,
    /// Those that some seed reached.
    pub covered: u64,
    /// A function that a seed has called and nobody defines, where there is one.
    #[serde(default)]
    pub missing: Option<String>,
    /// The type of what was thrown while objects were made, where something was.
    #[serde(default)]
    pub thrown: Option<String>,
    /// The text of that, if it has one.
    #[serde(default)]
    pub said: Option<String>,
    /// CPU seconds of it all, which the worker does not write.
    #[serde(default)]
    pub cpu_seconds: f64,
}

/// One seed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SeedRun {
    /// How the original ended.
    pub outcome: observation::Outcome,
    /// It did the same twice.
    pub deterministic: bool,
    /// It did the same where memory that nobody has written to held something else.
    #[serde(default)]
    pub steady: bool,
    /// The copy with no mutant did the same.
    pub copy_agrees: bool,
    /// Something was recorded: it did not return before the call, for want of an object.
    #[serde(default)]
    pub recorded: bool,
    /// Bytes of the input that it asked for.
    pub taken: u64,
}

/// Whether the original fails on every input that gets as far as the call, if only while its objects are taken down.
pub fn fails_throughout(runs: &[SeedRun]) -> bool {
    let is_bad = |run: &SeedRun| run.failure().is_some() || run.outcome.late;
    let some_fail = runs.iter().any(is_bad);
    runs.iter().all(|run| is_bad(run) || some_fail && !run.recorded)
}

impl Baseline {
    /// What is missing, as it stands behind what the original fails with; empty where nothing is.
    pub fn lacks(&self) -> String {
        self.missing.as_ref().map_or_else(String::new, |name| format!("; it calls `{name}`, which nobody defines"))
    }

    /// What was thrown while objects were made, as it stands behind that no input got into the unit; empty where nothing was.
    pub fn throws(&self) -> String {
        let Some(thrown) = &self.thrown else { return String::new() };
        let plain =
            |said: &String| said.split(|c: char| c.is_control()).collect::<Vec<_>>().join(" ").trim().to_owned();
        let said = self.said.as_ref().map_or_else(String::new, |said| format!(" ({})", plain(said)));
        format!("; what is made for it throws `{thrown}`{said}")
    }
}

impl SeedRun {
    /// `SIGSEGV`, `hang`, … where the original failed.
    pub fn failure(&self) -> Option<String> {
        self.outcome.failure()
    }
}

/// Places in the record in which the original differs from itself on this input, in fresh processes.
///
/// # Errors
/// The worker can't be started.
pub fn unsteady(worker: &Path, unit_so: &Path, input: &Path) -> Result<Vec<String>> {
    let run = |fill| replay(worker, unit_so, &Replayed::Original, input, Replay { fill, ..Replay::default() });
    let (once, twice, filled) = (run(0)?, run(0)?, run(0xA5)?);
    let mut places = Vec::new();
    for other in [twice, filled] {
        // By place: where one pointer leads elsewhere, what is behind it stands further along.
        let mut known: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        other.record.iter().for_each(|entry| known.entry(&entry.path).or_default().push(entry));
        let differs = |entry: &&Entry| known.get(&*entry.path).is_some_and(|others| !others.contains(entry));
        places.extend(once.record.iter().filter(differs).map(|entry| entry.path.clone()));
    }
    places.sort();
    places.dedup();
    Ok(places)
}

/// Runs the original on every seed, and what is to be its `twin` where there is one: the copy with no mutant active, or such an image.
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
    let finished = supervise::run(command, time, &Confinement::of_worker(&worker)?)?;
    if finished.ended.code != Some(0) {
        let message = String::from_utf8_lossy(&finished.stderr);
        let signal = finished.ended.signal.map(signal_name);
        bail!("seeds: {}", message.lines().next().map(str::to_string).or(signal).unwrap_or_default());
    }
    let seen: Baseline =
        serde_json::from_slice(&finished.stdout).context("reading what the worker saw on the seeds")?;
    Ok(Baseline { cpu_seconds: finished.ended.cpu_seconds, ..seen })
}
