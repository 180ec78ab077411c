//! Starts, watches and ends one `afl-fuzz`.

use super::configuration::{AflPlusPlus, confinement};
use super::probe::SANITIZER_ENVIRONMENT;
use super::sides::Sides;
use crate::build::{Coverage, run};
use crate::diag::Problem;
use crate::engine::{Budget, SearchJob};
use crate::supervise::{Access, Runs, confined, cpu_seconds_below, refusal};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The interval between looks at the folders.
const PAUSE: Duration = Duration::from_millis(20);

/// The time `afl-fuzz` may take to write its statistics when told to end.
const FAREWELL: Duration = Duration::from_secs(3);

/// The time `afl-fuzz` may take to start on a busy machine.
const START: Duration = Duration::from_secs(30);

/// A file of AFL++'s `crashes` or `hangs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub input: Vec<u8>,
    /// It ran too long, which means little on a busy machine.
    pub hung: bool,
    /// The number of inputs before it, from the file's name.
    pub executions: u64,
}

/// The statistics of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub executions: u64,
    pub cpu_seconds: f64,
}

/// The arguments of `afl-fuzz`.
pub(super) struct Start<'s> {
    /// A folder for it.
    pub dir: &'s Path,
    pub program: &'s Path,
    /// The mutant's number.
    pub number: u32,
    pub sides: &'s Sides,
    pub seeds: &'s [Vec<u8>],
    pub budget: Budget,
}

/// A running `afl-fuzz`; dropping it kills it with all its children.
pub(super) struct Fuzzer {
    pid: libc::pid_t,
    out: PathBuf,
    log: PathBuf,
    seen: BTreeSet<PathBuf>,
    waiting: Vec<Found>,
    deadline: Option<Instant>,
    /// Wall time that the caller spent on finds, which is not part of the search.
    paused: Duration,
    left_at: Option<Instant>,
    ended: Option<(ExitStatus, f64)>,
}

impl Fuzzer {
    pub(super) fn start(engine: &AflPlusPlus, job: &SearchJob<'_>, start: &Start<'_>) -> Result<Self> {
        let Start { dir, program, number, sides, seeds, budget } = *start;
        let (inputs, out, log) = (dir.join("in"), dir.join("out"), dir.join("log"));
        let _ = std::fs::remove_dir_all(dir);
        std::fs::create_dir_all(&inputs).with_context(|| format!("creating {}", inputs.display()))?;
        for (number, seed) in seeds.iter().enumerate() {
            // AFL++ refuses an empty file; the runtime reads missing bytes as zero anyway.
            let bytes = if seed.is_empty() { &[0][..] } else { seed };
            std::fs::write(inputs.join(format!("seed{}", number + 1)), bytes)?;
        }
        let stream = File::create(&log).with_context(|| format!("writing {}", log.display()))?;
        let mut command = Command::new(&engine.fuzz);
        command.arg("-i").arg(&inputs).arg("-o").arg(&out);
        command.arg("-s").arg((job.seed % u64::from(u32::MAX)).to_string());
        match budget {
            // Whole seconds only; our own deadline is exact.
            Budget::Time(time) => command.arg("-V").arg((time.as_secs() + 2).to_string()),
            Budget::Executions(count) => command.arg("-E").arg(count.to_string()),
        };
        if engine.flavor.coverage == Coverage::Cmplog {
            command.arg("-c").arg(super::program::cmplog(program));
        }
        command.arg("--").arg(program).args(sides.arguments(number));
        if !sides.in_memory() {
            command.arg("@@");
        }
        command.envs(SANITIZER_ENVIRONMENT).envs([
            ("AFL_NO_UI", "1"),
            ("AFL_NO_COLOR", "1"),
            ("AFL_SKIP_CPUFREQ", "1"),
            ("AFL_NO_AFFINITY", "1"),
            ("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"),
        ]);
        let confinement = confinement(engine.flavor, Runs::Fuzzer, dir)?.writing(dir, Access::All);
        let mut command = confined(&command, &confinement)?;
        command.stdin(Stdio::null()).stdout(stream.try_clone()?).stderr(stream);
        let child = command.spawn().map_err(|error| {
            Problem::tool("afl-missing", format!("afl-fuzz can't be run: {error}"), "apt-get install afl++")
        })?;
        Ok(Self {
            pid: child.id() as libc::pid_t,
            out: out.join("default"),
            log,
            seen: BTreeSet::new(),
            waiting: Vec::new(),
            deadline: limit(budget).map(|time| Instant::now() + time),
            paused: Duration::ZERO,
            left_at: None,
            ended: None,
        })
    }

    /// The next input that crashed or hung the program; `None` when the budget is spent or the run interrupted.
    pub(super) fn wait(&mut self, interrupted: &AtomicBool) -> Result<Option<Found>> {
        if let Some(left) = self.left_at.take() {
            self.paused += left.elapsed();
        }
        let found = self.look(interrupted)?;
        self.left_at = Some(Instant::now());
        Ok(found)
    }

    fn look(&mut self, interrupted: &AtomicBool) -> Result<Option<Found>> {
        loop {
            // Checked before the folders, so that the last find is not missed.
            let over = self.is_over(interrupted)?;
            self.collect();
            if !self.waiting.is_empty() {
                return Ok(Some(self.waiting.remove(0)));
            }
            if over {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn is_over(&mut self, interrupted: &AtomicBool) -> Result<bool> {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(true);
        }
        if self.ended.is_none() {
            self.ended = run::poll(self.pid)?;
        }
        if let Some((status, _)) = self.ended {
            if !status.success() && !self.out.join("fuzzer_stats").is_file() {
                return Err(self.refusal().into());
            }
            return Ok(true);
        }
        let Some(deadline) = self.deadline else { return Ok(false) };
        // The search starts when AFL++ has finished its set-up.
        let grace = if self.out.join("fuzzer_setup").is_file() { Duration::ZERO } else { START };
        Ok(Instant::now() >= deadline + self.paused + grace)
    }

    /// The last message of `afl-fuzz` before it gave up.
    fn refusal(&self) -> Problem {
        let text = std::fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let code = self.ended.and_then(|(status, _)| status.code());
        if let Some(why) = refusal(code, text.as_bytes()) {
            let what = format!("afl-fuzz can't be run: {why}");
            return Problem::tool("afl-missing", what, "apt-get install afl++");
        }
        let line = lines()
            .find(|line| line.contains("ABORT") || line.contains("SYSTEM ERROR"))
            .or_else(|| lines().next_back());
        let what = format!("afl-fuzz did not start: {}", line.unwrap_or("it says nothing"));
        Problem::untestable("afl-refused", what, "see the whole of what it says in its log").at(&self.log)
    }

    /// Collects the new files of `crashes` and `hangs`.
    fn collect(&mut self) {
        let mut new: Vec<PathBuf> = Vec::new();
        for folder in ["crashes", "hangs"] {
            let files = std::fs::read_dir(self.out.join(folder)).into_iter().flatten().flatten();
            let inputs = files
                .map(|entry| entry.path())
                .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("id:")));
            new.extend(inputs.filter(|path| !self.seen.contains(path)));
        }
        new.sort_by_key(|path| executions_in(path));
        for path in new {
            if let Ok(input) = std::fs::read(&path) {
                let hung = path.parent().is_some_and(|folder| folder.ends_with("hangs"));
                self.waiting.push(Found { input, hung, executions: executions_in(&path) });
                self.seen.insert(path);
            }
        }
    }

    /// The remaining time; `None` with a budget in inputs.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let paused = self.paused + self.left_at.map_or(Duration::ZERO, |left| left.elapsed());
        self.deadline.map(|deadline| (deadline + paused).saturating_duration_since(Instant::now()))
    }

    /// CPU seconds so far, of `afl-fuzz` and its children.
    pub(super) fn cpu_seconds(&self) -> f64 {
        self.ended.map_or_else(|| cpu_seconds_below(self.pid.unsigned_abs()), |(_, cpu)| cpu)
    }

    /// Ends it and reads its statistics.
    pub(super) fn stop(mut self) -> Figures {
        if self.ended.is_none() {
            // SAFETY: a signal to the child that we have not waited for yet.
            unsafe { libc::kill(self.pid, libc::SIGINT) };
            let until = Instant::now() + FAREWELL;
            while self.ended.is_none() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
                self.ended = run::poll(self.pid).unwrap_or_default();
            }
        }
        self.reap();
        let stats = std::fs::read_to_string(self.out.join("fuzzer_stats")).unwrap_or_default();
        let told =
            stats.lines().find_map(|line| line.strip_prefix("execs_done")?.trim_start_matches([' ', ':']).parse().ok());
        Figures { executions: told.unwrap_or(0), cpu_seconds: self.ended.map_or(0.0, |(_, cpu)| cpu) }
    }

    fn reap(&mut self) {
        // The group holds the fork server and the program, also after `afl-fuzz` itself is gone.
        // SAFETY: plain system call; an empty group is no error to us.
        unsafe { libc::kill(-self.pid, libc::SIGKILL) };
        while self.ended.is_none() {
            match run::poll(self.pid) {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(ended) => self.ended = ended,
                Err(_) => break,
            }
        }
    }
}

impl Drop for Fuzzer {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.reap();
        }
    }
}

/// `execs:123` of `id:000000,sig:06,src:000000,time:12,execs:123,op:havoc,rep:4`.
fn executions_in(path: &Path) -> u64 {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split(',').find_map(|part| part.strip_prefix("execs:")?.parse().ok()).unwrap_or(0)
}

/// The wall time that a budget can mean for one mutant; executions end by themselves.
fn limit(budget: Budget) -> Option<Duration> {
    match budget {
        Budget::Time(time) => Some(time),
        Budget::Executions(_) => None,
    }
}
