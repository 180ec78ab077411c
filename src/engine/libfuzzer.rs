//! The default engine: libFuzzer in a disposable worker, with all mutants of a unit at once.
//!
//! The worker waits while a candidate is judged, so that the same seed and a budget in executions give the same
//! kills. A worker that dies is replaced, and the side that ran last is blamed.

use super::dictionary;
use super::isolation::Isolation;
use super::running::Running;
use super::settling;
use super::shared::{
    AT_IDLE, AT_ORIGINAL, FLAG_COPY_DIFFERS, FLAG_ORIGINAL_DIFFERS, FLAG_REACHED, FLAG_RETURNED, FLAG_STATE, FORKED,
    MAGIC, Mapped, POINTS_MOST, SLOT_CANDIDATE, SLOT_DONE, SLOT_LIVE, SLOTS_MOST, set_shared, shared,
};
use super::{Answer, Budget, Candidate, Confirm, Engine, Fault, Probe, SearchJob, SearchResult, SlotEffort};
use crate::diag::Problem;
use crate::outcome::{By, How};
use crate::supervise::{Access, Confinement, Ended, NOT_STARTED, Watched, confined, readable, signal_name};
use crate::switches::{Feature, Probing, Switches};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The libFuzzer engine.
#[derive(Clone, Debug)]
pub struct LibFuzzer {
    /// The worker, see [`super::worker::build_worker`].
    pub worker: PathBuf,
    /// Limits the memory of workers; AddressSanitizer needs more address space than any limit allows.
    pub limit_memory: bool,
    /// Judges each input as it was found; the minimised one replaces it only if it is confirmed as well.
    pub found_first: bool,
    /// The parts that are switched off. If probes are checked, mutants run whatever the probes say, and unpredicted
    /// kills are reported.
    pub switches: Switches,
}

/// Refuted candidates after which a mutant is given up.
const REFUTED_MOST: u32 = 8;
/// Candidates refuted for a reason of the unit after which the unit is given up; more if something was killed, since
/// the reason does not hold for all inputs then.
const REFUTED_UNIT: u32 = 4;
const REFUTED_UNIT_WITH_KILLS: u32 = 32;
/// Deaths of workers after which a unit is given up.
const DEATHS_MOST: u32 = 200;
/// A worker without progress for this long hangs where its own timer cannot see it.
const STALLED: Duration = Duration::from_secs(5);
/// After this many inputs and this time, an original that never returned will not.
const HOPELESS: [(u64, Duration); 2] = [(20_000, Duration::from_secs(3)), (100_000, Duration::from_millis(300))];
const FAULTS_MOST: usize = 16;
const FAILED: i32 = 70;
const AGAIN: i32 = 75;

impl Engine for LibFuzzer {
    fn search(&self, job: &SearchJob<'_>, confirm: &mut Confirm<'_>) -> Result<SearchResult> {
        if job.slots.is_empty() {
            return Ok(SearchResult::default());
        }
        if job.slots.len() > SLOTS_MOST {
            let fix = "reduce them with --operators, --lines or --sample";
            bail!(
                "{} mutants of one unit are more than the {SLOTS_MOST} that fit into a search; {fix}",
                job.slots.len()
            );
        }
        Search::prepare(self, job, confirm)?.run()
    }
}

struct Search<'s, 'j, 'c> {
    engine: &'s LibFuzzer,
    job: &'s SearchJob<'j>,
    confirm: &'s mut Confirm<'c>,
    shared: Mapped,
    result: SearchResult,
    refuted: Vec<u32>,
    isolation: Isolation,
    refuted_unit: u32,
    deaths: u32,
    /// Inputs that killed a worker before all mutants had met them; they are tried after the seeds.
    unfinished: Vec<Vec<u8>>,
    workers: u64,
    /// The search by earlier workers, as a budget in time counts it.
    searched: Duration,
    stopping: Option<Instant>,
}

impl<'s, 'j, 'c> Search<'s, 'j, 'c> {
    fn prepare(engine: &'s LibFuzzer, job: &'s SearchJob<'j>, confirm: &'s mut Confirm<'c>) -> Result<Self> {
        for folder in ["seeds", "corpus", "infecting"] {
            let path = job.dir.join(folder);
            if path.exists() && job.before.is_none() {
                fs::remove_dir_all(&path).with_context(|| format!("emptying {}", path.display()))?;
            }
            fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
        }
        for (index, seed) in job.seeds.iter().enumerate() {
            let name = format!("{index:06}");
            fs::write(job.dir.join("seeds").join(&name), seed)?;
            fs::write(job.dir.join("corpus").join(&name), seed)?;
        }
        fs::write(job.dir.join("dictionary"), dictionary::text(&job.dictionary))?;
        let mut shared = Mapped::create(&job.dir.join("shared"))?;
        set_shared!(shared, magic = MAGIC);
        set_shared!(shared, slots = job.slots.len() as u32);
        if let Budget::Executions(count) = job.budget {
            set_shared!(shared, allowed = count);
        }
        let pauses = job.pauses.iter().filter_map(|pause| match pause {
            Budget::Executions(count) => Some(*count),
            Budget::Time(_) => None,
        });
        set_shared!(shared, pause = pauses.min().unwrap_or_default());
        for index in 0..job.slots.len() {
            set_shared!(shared, slot[index].state = SLOT_LIVE);
        }
        let effort = vec![SlotEffort::default(); job.slots.len()];
        let result = job.before.clone().unwrap_or(SearchResult { effort, ..SearchResult::default() });
        if job.before.is_some() {
            shared.go_on_from(&result);
        }
        settling::begin(job, &mut shared)?;
        Ok(Self {
            engine,
            job,
            confirm,
            shared,
            searched: Duration::from_secs_f64(result.seconds),
            workers: result.workers,
            result,
            refuted: vec![0; job.slots.len()],
            isolation: Isolation::default(),
            refuted_unit: 0,
            deaths: 0,
            unfinished: Vec::new(),
            stopping: None,
        })
    }

    fn run(mut self) -> Result<SearchResult> {
        while self.live() > 0 && !self.over(self.searched) && !self.job.interrupted.load(Ordering::Relaxed) {
            let mut running = self.start()?;
            let watched = self.watch(&mut running);
            if watched.is_err() {
                running.process.kill();
            }
            let ended = running.process.wait();
            self.searched += running.searched();
            self.result.cpu_seconds += ended.cpu_seconds;
            watched?;
            // An exit code means something only if no code of the unit ran: that can end the process with any code.
            let in_order = ended.code.filter(|_| shared!(self.shared, at) == AT_IDLE);
            self.left_over(ended)?;
            match in_order {
                Some(0) => break,
                Some(AGAIN) => {}
                Some(FAILED | NOT_STARTED) => return Err(self.failed()),
                _ => {
                    self.deaths += 1;
                    self.blame(ended, running.killed)?;
                    if self.deaths >= DEATHS_MOST {
                        self.give_up("the search worker died too often");
                        break;
                    }
                }
            }
        }
        Ok(self.finish())
    }

    fn start(&mut self) -> Result<Running> {
        self.isolation.begins();
        let dir = absolute(&self.job.dir)?;
        let worker = absolute(&self.engine.worker)?;
        let kept = fs::read_dir(dir.join("corpus")).map_or(0, Iterator::count);
        let mut command = Command::new(&worker);
        command.arg("fuzz");
        let mut option = |name: &str, value: &std::ffi::OsStr| {
            command.arg(format!("--{name}")).arg(value);
        };
        option("shared", dir.join("shared").as_os_str());
        option("unit", absolute(&self.job.unit_so)?.as_os_str());
        option("seeds", dir.join("seeds").as_os_str());
        option("seed-count", (self.job.seeds.len() + self.unfinished.len()).to_string().as_ref());
        option("corpus", dir.join("corpus").as_os_str());
        option("times", dir.join(settling::TIMES).as_os_str());
        option("known", kept.to_string().as_ref());
        option("infecting", dir.join("infecting").as_os_str());
        option("dictionary", dir.join("dictionary").as_os_str());
        // Zero would make libFuzzer choose a seed.
        let seed = self.job.seed.wrapping_add(self.workers.wrapping_mul(7919)) as u32;
        option("random", seed.max(1).to_string().as_ref());
        for slot in &self.job.slots {
            option("slot", &slot.side.told(slot.number)?);
            option("probe", slot.probe.map_or_else(|| "-".to_owned(), Probe::told).as_ref());
        }
        if self.job.fills || shared!(self.shared, fills) != 0 {
            option("fills", "1".as_ref());
            command.env("GLIBC_TUNABLES", "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0");
        }
        let mut option = |name: &str, value: &std::ffi::OsStr| {
            command.arg(format!("--{name}")).arg(value);
        };
        option("strict", if self.job.strict { "1" } else { "0" }.as_ref());
        // Mutants that survived the first inputs need comparison feedback.
        option("nearer", if self.job.before.is_some() { "1" } else { "0" }.as_ref());
        let switches = &self.engine.switches;
        option("distrust", if switches.probing == Probing::Check { "1" } else { "0" }.as_ref());
        option("compared", if switches.has(Feature::Comparisons) { "1" } else { "0" }.as_ref());
        option("typed", if switches.has(Feature::Mutator) { "1" } else { "0" }.as_ref());
        option("plain", if switches.has(Feature::Plain) { "1" } else { "0" }.as_ref());
        let log = File::create(self.job.dir.join("worker.log"))?;
        self.workers += 1;
        set_shared!(self.shared, at = AT_IDLE);
        let mut confinement = Confinement::of_worker(&worker)?.writing(&dir, Access::Change);
        for folder in ["corpus", "infecting"] {
            confinement = confinement.writing(&dir.join(folder), Access::Make);
        }
        confinement.fixed_addresses = true;
        if !self.engine.limit_memory {
            confinement.memory = None;
        }
        let mut command = confined(&command, &confinement)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        let mut process = Watched::start(command)?;
        let (Some(to), Some(from), _) = process.pipes() else { bail!("the worker has no pipes") };
        let now = Instant::now();
        Ok(Running { process, to, from, started: now, waited: Duration::ZERO, killed: false, progress: (0, now) })
    }

    /// Serves a worker until it ends.
    fn watch(&mut self, running: &mut Running) -> Result<()> {
        loop {
            if readable(&[running.from.as_raw_fd()], Duration::from_millis(10))[0] {
                let mut what = [0];
                match running.from.read(&mut what) {
                    Ok(1) => {
                        let asked = Instant::now();
                        let answer = match what[0] {
                            b'c' => self.candidates(running)?,
                            b'e' => self.settled()?,
                            _ => self.original_failed(),
                        };
                        running.waited += asked.elapsed();
                        let answer = if self.job.interrupted.load(Ordering::Relaxed) { b's' } else { answer };
                        // A dead worker is noticed at the next poll.
                        running.to.write_all(&[answer]).ok();
                        continue;
                    }
                    Ok(_) => {
                        running.end_soon();
                        return Ok(());
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error).context("listening to the worker"),
                }
            }
            let interrupted = self.job.interrupted.load(Ordering::Relaxed);
            if interrupted || self.over(self.searched + running.searched()) {
                set_shared!(self.shared, stop = 1);
                let since = *self.stopping.get_or_insert_with(Instant::now);
                if since.elapsed() > Duration::from_secs(2) {
                    running.process.kill();
                }
            }
            let runs: u64 = (0..self.job.slots.len()).map(|slot| shared!(self.shared, slot[slot].executions)).sum();
            let done = runs + shared!(self.shared, executions) + shared!(self.shared, seeds_done);
            if running.progress.0 != done {
                running.progress = (done, Instant::now());
            } else if running.progress.1.elapsed() > STALLED {
                running.killed = true;
                running.process.kill();
            }
            let returned = shared!(self.shared, flags) & FLAG_RETURNED != 0;
            let executions = shared!(self.shared, executions);
            let searched = self.searched + running.searched();
            if !returned && HOPELESS.iter().any(|(inputs, time)| executions > *inputs && searched > *time) {
                self.give_up("the original fails on every input");
                set_shared!(self.shared, stop = 1);
            }
        }
    }

    fn live(&self) -> u64 {
        self.in_state(SLOT_LIVE)
    }

    fn in_state(&self, state: u32) -> u64 {
        (0..self.job.slots.len()).filter(|index| shared!(self.shared, slot[*index].state) == state).count() as u64
    }

    /// Whether the budget of the live mutants is spent.
    fn over(&self, searched: Duration) -> bool {
        // Candidates waiting for a verdict are still live.
        let live = self.live() + self.in_state(SLOT_CANDIDATE);
        let executions = shared!(self.shared, executions);
        let paused = self.job.pauses.iter().any(|pause| match *pause {
            Budget::Time(most) => searched >= most,
            Budget::Executions(most) => executions >= most,
        });
        paused
            || match self.job.budget {
                Budget::Time(each) => searched >= each.saturating_mul(u32::try_from(live).unwrap_or(u32::MAX)),
                Budget::Executions(each) => executions >= each.saturating_mul(live),
            }
    }

    /// Whether more inputs are worth it.
    fn settled(&mut self) -> Result<u8> {
        self.result.settled = settling::is_settled(self.job, &mut self.shared)?;
        Ok(if self.result.settled { b's' } else { b'g' })
    }

    /// Judges the worker's candidates; the answer tells it how to continue.
    fn candidates(&mut self, running: &Running) -> Result<u8> {
        let mut refuted = false;
        let mut crashed = false;
        for slot in 0..self.job.slots.len() {
            if shared!(self.shared, slot[slot].state) == SLOT_CANDIDATE {
                crashed |= shared!(self.shared, slot[slot].ending) != 0;
                let cpu = self.result.cpu_seconds + running.process.cpu_seconds();
                refuted |= !self.judge(slot, running.searched(), cpu)?;
            }
        }
        let forked = shared!(self.shared, forked) == FORKED;
        // A process in which a mutant crashed or a candidate was refuted is not trusted any more.
        Ok(if self.live() == 0 {
            b's'
        } else if (refuted && (self.isolation.is_anew || !forked)) || (crashed && !forked) {
            b'r'
        } else {
            b'g'
        })
    }

    /// Returns false if the candidate was refuted.
    fn judge(&mut self, slot: usize, searched: Duration, cpu_seconds: f64) -> Result<bool> {
        let found = Candidate {
            slot,
            input: self.shared.input(),
            by: match shared!(self.shared, searching) {
                0 if shared!(self.shared, seeds_done) > (self.job.seeds.len() - self.job.reused) as u64 => By::Reuse,
                0 => By::Seed,
                _ => By::Search,
            },
            seconds: (self.searched + searched).as_secs_f64(),
            cpu_seconds,
            executions: shared!(self.shared, executions),
            hint: match shared!(self.shared, slot[slot].ending) {
                1 | 3 => How::Crash,
                2 => How::Hang,
                5 => How::Sanitizer,
                _ => How::Output,
            },
        };
        // It is live again unless the verdict says otherwise.
        set_shared!(self.shared, slot[slot].state = SLOT_LIVE);
        let plain = self.shared.take_plain(slot).map(|input| Candidate { input, ..found.clone() });
        let (answer, candidate) = self.judge_both(found, plain)?;
        let (reason, whole_unit) = match answer {
            Answer::Killed => {
                set_shared!(self.shared, slot[slot].state = SLOT_DONE);
                if shared!(self.shared, slot[slot].unforeseen) != 0 {
                    self.result.unforeseen.push(slot);
                }
                self.result.kills.push(candidate);
                return Ok(true);
            }
            Answer::Refuted { reason, whole_unit } => (reason, whole_unit),
            Answer::Unproved { reason, give_up } => {
                if give_up {
                    set_shared!(self.shared, slot[slot].state = SLOT_DONE);
                    self.result.effort[slot].reason = Some(reason);
                }
                return Ok(true);
            }
            Answer::OriginalFails(what) => {
                self.fault(candidate.input, what.clone());
                (format!("the original fails where the mutant differs: {what}"), false)
            }
        };
        self.refuted[slot] += 1;
        if self.isolation.refuted(&mut self.shared, self.job.fills) {
            self.refuted_unit = 0;
            self.refuted.fill(0);
        }
        if whole_unit {
            self.refuted_unit += 1;
        }
        let enough = if self.result.kills.is_empty() { REFUTED_UNIT } else { REFUTED_UNIT_WITH_KILLS };
        if self.refuted_unit >= enough {
            self.give_up(&reason);
        } else if self.refuted[slot] >= REFUTED_MOST {
            set_shared!(self.shared, slot[slot].state = SLOT_DONE);
            self.result.effort[slot].reason = Some(reason);
        }
        Ok(false)
    }

    /// The verdict about an input and its minimised form, with the one that is to be kept.
    fn judge_both(&mut self, found: Candidate, plain: Option<Candidate>) -> Result<(Answer, Candidate)> {
        let Some(plain) = plain else { return Ok(((self.confirm)(&found)?, found)) };
        if self.engine.found_first {
            let answer = (self.confirm)(&found)?;
            let both = matches!(answer, Answer::Killed) && matches!((self.confirm)(&plain)?, Answer::Killed);
            return Ok((answer, if both { plain } else { found }));
        }
        // If the minimised input is refuted, the found input may still be confirmed.
        match (self.confirm)(&plain)? {
            Answer::Killed => Ok((Answer::Killed, plain)),
            _ => Ok(((self.confirm)(&found)?, found)),
        }
    }

    fn give_up(&mut self, reason: &str) {
        for slot in 0..self.job.slots.len() {
            let state = shared!(self.shared, slot[slot].state);
            if state == SLOT_LIVE || state == SLOT_CANDIDATE {
                set_shared!(self.shared, slot[slot].state = SLOT_DONE);
                self.result.effort[slot].reason = Some(reason.to_string());
            }
        }
    }

    fn original_failed(&mut self) -> u8 {
        let detail = shared!(self.shared, fault_detail) as i32;
        let what = match shared!(self.shared, fault_ending) {
            1 => signal_name(detail),
            2 => "hang".to_string(),
            3 => format!("exit({detail})"),
            _ => "sanitizer report".to_string(),
        };
        let input = self.shared.input();
        self.fault(input, what);
        b'g'
    }

    fn fault(&mut self, input: Vec<u8>, what: String) {
        let alike = self.result.faults.iter().filter(|fault| fault.what == what).count();
        if alike < 4 && self.result.faults.len() < FAULTS_MOST {
            self.result.faults.push(Fault { input, what });
        }
    }

    /// Judges candidates that a worker found but could not report any more.
    fn left_over(&mut self, ended: Ended) -> Result<()> {
        for slot in 0..self.job.slots.len() {
            if shared!(self.shared, slot[slot].state) != SLOT_CANDIDATE {
                continue;
            }
            if self.job.interrupted.load(Ordering::Relaxed) {
                set_shared!(self.shared, slot[slot].state = SLOT_LIVE);
            } else {
                let cpu = self.result.cpu_seconds.max(ended.cpu_seconds);
                self.judge(slot, Duration::ZERO, cpu)?;
            }
        }
        Ok(())
    }

    /// Finds the side that ran when the worker died.
    fn blame(&mut self, ended: Ended, hung: bool) -> Result<()> {
        if self.stopping.is_some() {
            return Ok(());
        }
        match shared!(self.shared, at) {
            AT_IDLE => self.isolation.died_elsewhere(&mut self.shared),
            AT_ORIGINAL => {
                self.isolation.died_elsewhere(&mut self.shared);
                let what = match (ended.signal, ended.code) {
                    (Some(_), _) if hung => "hang".to_string(),
                    (Some(signal), _) => signal_name(signal),
                    (None, code) => format!("exit({})", code.unwrap_or_default()),
                };
                let input = self.shared.input();
                self.fault(input, what);
            }
            _ => {
                let slot = (shared!(self.shared, active) as usize).min(self.job.slots.len() - 1);
                if shared!(self.shared, slot[slot].state) == SLOT_LIVE {
                    set_shared!(self.shared, slot[slot].ending = if hung { 2 } else { 1 });
                    let cpu = self.result.cpu_seconds;
                    self.judge(slot, Duration::ZERO, cpu)?;
                    self.meet_again()?;
                }
            }
        }
        Ok(())
    }

    /// Mutants behind the one that killed the worker have not met the input.
    fn meet_again(&mut self) -> Result<()> {
        let input = self.shared.input();
        if self.engine.switches.has(Feature::Reuse) && self.live() > 0 && !self.unfinished.contains(&input) {
            let name = format!("{:06}", self.job.seeds.len() + self.unfinished.len());
            fs::write(self.job.dir.join("seeds").join(name), &input)?;
            self.unfinished.push(input);
        }
        Ok(())
    }

    fn failed(&self) -> anyhow::Error {
        let log = fs::read_to_string(self.job.dir.join("worker.log")).unwrap_or_default();
        let what = log.lines().next().unwrap_or("no message").to_string();
        Problem::untestable(
            "worker-load",
            format!("the driver of {} can't be run: {what}", self.job.unit_id),
            "a missing library goes into `link:` of motif.yaml",
        )
        .into()
    }

    fn finish(mut self) -> SearchResult {
        let flags = shared!(self.shared, flags);
        Isolation::tell(&self.shared, &mut self.result.notes);
        for (index, effort) in self.result.effort.iter_mut().enumerate() {
            let lives = shared!(self.shared, slot[index].state) != SLOT_DONE;
            effort.residual_risk = (lives && flags & FLAG_RETURNED != 0).then(|| settling::chance(&self.shared, index));
            effort.executions = shared!(self.shared, slot[index].executions);
            effort.returned = Some(shared!(self.shared, slot[index].returned));
            let probe = self.job.slots[index].probe;
            effort.reached = match probe {
                Some(_) => shared!(self.shared, slot[index].reached) > 0,
                None => flags & FLAG_REACHED != 0,
            };
            let infected = shared!(self.shared, slot[index].infected);
            // An unreached mutant cannot have differed; otherwise only a comparison can tell.
            effort.infected = match probe {
                Some(Probe { infected: Some(_), .. }) => Some(infected),
                Some(_) if infected == 0 => Some(0),
                _ => None,
            };
        }
        let used = self.job.slots.iter().any(|slot| slot.probe.is_some());
        let places = if used { POINTS_MOST } else { 0 };
        let places = (0..places).map(|at| shared!(self.shared, points[at]) != 0).collect();
        SearchResult {
            executions: shared!(self.shared, executions),
            came_back: shared!(self.shared, returned),
            hangs: shared!(self.shared, hangs),
            failures: self.shared.failures(),
            workers: self.workers,
            seconds: self.searched.as_secs_f64(),
            returned: flags & FLAG_RETURNED != 0,
            changes_state: flags & FLAG_STATE != 0,
            forked: shared!(self.shared, forked) == FORKED,
            isolation: shared!(self.shared, forked),
            fills: shared!(self.shared, fills) != 0,
            original_differs: flags & FLAG_ORIGINAL_DIFFERS != 0,
            copy_differs: flags & FLAG_COPY_DIFFERS != 0,
            interrupted: self.job.interrupted.load(Ordering::Relaxed),
            places,
            often: shared!(self.shared, often),
            ..self.result
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("making {} absolute", path.display()))
}
