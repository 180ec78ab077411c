//! Processes that run code under test: each in its own process group, confined, watched, with its CPU time counted.

mod confine;
mod filter;
mod guards;
mod start;

pub use confine::{Access, Confinement, Runs};
pub use guards::{Guard, Guards, Mounts};
pub use start::{CONFINED, NOT_STARTED, OWN_EXECUTABLE, confined, confined_main, refusal, through};

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, RawFd};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// The exit code, if it exited.
    pub code: Option<i32>,
    /// The signal, if it died by one.
    pub signal: Option<i32>,
    /// CPU seconds of the process and the children it waited for.
    pub cpu_seconds: f64,
}

/// Of the time by the clock, one part in so many counts against a budget if nothing is computed.
const ASLEEP: u32 = 4;

/// A running process group; dropping it kills what is left of the group.
#[derive(Debug)]
pub struct Watched {
    child: Child,
    ended: Option<Ended>,
}

impl Watched {
    /// Starts what [`confined`] made, with the standard streams that were set on it.
    pub fn start(mut command: Command) -> Result<Self> {
        let child = command.spawn().with_context(|| format!("starting {}", command.get_program().display()))?;
        Ok(Self { child, ended: None })
    }

    /// The requested pipes.
    pub fn pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<std::process::ChildStdout>, Option<std::process::ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Kills the whole group.
    pub fn kill(&mut self) {
        // SAFETY: plain system call; the group was made for this child, which has not been waited for.
        if self.ended.is_none() {
            unsafe { libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL) };
        }
    }

    /// Whether the process has ended, without waiting for it.
    pub fn has_ended(&self) -> bool {
        // SAFETY: `siginfo_t` is plain data; the process is left to be waited for.
        self.ended.is_some()
            || unsafe {
                let mut info: libc::siginfo_t = std::mem::zeroed();
                let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
                libc::waitid(libc::P_PID, self.child.id(), &mut info, options) != 0 || info.si_pid() != 0
            }
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> Ended {
        if let Some(ended) = self.ended {
            return ended;
        }
        let pid = self.child.id() as libc::pid_t;
        let mut status = 0;
        // SAFETY: `rusage` is plain data, all zero is a value of it.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: both places live until the call is over.
            let got = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
            if got == pid || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
                break;
            }
        }
        // SAFETY: kills the rest of the group.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
        let ended = Ended {
            code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
            signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
            cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        };
        self.ended = Some(ended);
        ended
    }

    /// CPU seconds so far, of the process and the children it waited for.
    pub fn cpu_seconds(&self) -> f64 {
        if let Some(ended) = self.ended {
            return ended.cpu_seconds;
        }
        cpu_seconds_of(self.child.id())
    }

    /// What of a time by the clock counts against a budget: CPU time, so that a machine that is busy with other things
    /// searches no less, and at least a part of the clock's, so that code that sleeps comes to an end.
    pub fn computing(&self, by_the_clock: Duration) -> Duration {
        let seconds = self.ended.map_or_else(|| cpu_seconds_below(self.child.id()), |ended| ended.cpu_seconds);
        Duration::from_secs_f64(seconds).clamp(by_the_clock / ASLEEP, by_the_clock)
    }
}

/// CPU seconds so far of a process that has not been waited for, and of the children that it waited for.
fn cpu_seconds_of(pid: u32) -> f64 {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return 0.0 };
    // The name in parentheses may contain anything; count fields after it.
    let Some((_, rest)) = stat.rsplit_once(')') else { return 0.0 };
    let ticks: u64 = rest.split_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    // SAFETY: no arguments in memory.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1);
    ticks as f64 / per_second as f64
}

/// CPU seconds of a process, its live children, and those that each of them has waited for. A child may lead a session
/// of its own, so no process group contains them all.
pub fn cpu_seconds_below(pid: u32) -> f64 {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    cpu_seconds_of(pid) + children.map(cpu_seconds_below).sum::<f64>()
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.kill();
            self.wait();
        }
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// Waits until one of `files` is readable or closed; returns which, in order.
pub fn readable(files: &[RawFd], time: Duration) -> Vec<bool> {
    let mut polled: Vec<libc::pollfd> =
        files.iter().map(|file| libc::pollfd { fd: *file, events: libc::POLLIN, revents: 0 }).collect();
    let milliseconds = i32::try_from(time.as_millis()).unwrap_or(i32::MAX);
    // SAFETY: the array lives until the call is over.
    let ready = unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, milliseconds) };
    polled.iter().map(|one| ready > 0 && one.revents != 0).collect()
}

/// A process that ran to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended; by SIGKILL at its time limit.
    pub ended: Ended,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// It reached its time limit.
    pub timed_out: bool,
}

/// The most that is kept of one stream.
const OUTPUT_MOST: usize = 256 << 20;

/// Runs `command`, confined, for at most `time` and collects its output.
///
/// # Errors
///
/// It can't be confined or started.
pub fn run(command: &Command, time: Duration, confinement: &Confinement) -> Result<Finished> {
    let mut command = confined(command, confinement)?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let until = Instant::now() + time;
    let mut process = Watched::start(command)?;
    let (_, stdout, stderr) = process.pipes();
    let (mut stdout, mut stderr) = (stdout.map(gather), stderr.map(gather));
    let mut timed_out = false;
    loop {
        let open: Vec<&mut Gather> =
            [stdout.as_mut(), stderr.as_mut()].into_iter().flatten().filter(|g| !g.ended).collect();
        if open.is_empty() {
            break;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            timed_out = true;
            process.kill();
            break;
        }
        let files: Vec<RawFd> = open.iter().map(|g| g.file.as_raw_fd()).collect();
        for (gather, ready) in open.into_iter().zip(readable(&files, left)) {
            if ready {
                gather.more();
            }
        }
    }
    let ended = process.wait();
    let taken = |gather: Option<Gather>| gather.map(|g| g.bytes).unwrap_or_default();
    let (stdout, stderr) = (taken(stdout), taken(stderr));
    if let Some(why) = refusal(ended.code, &stderr) {
        bail!("{why}");
    }
    Ok(Finished { ended, stdout, stderr, timed_out })
}

struct Gather {
    file: File,
    bytes: Vec<u8>,
    ended: bool,
}

fn gather(file: impl Into<std::os::fd::OwnedFd>) -> Gather {
    Gather { file: File::from(file.into()), bytes: Vec::new(), ended: false }
}

impl Gather {
    fn more(&mut self) {
        let mut part = [0; 1 << 16];
        match self.file.read(&mut part) {
            Ok(0) => self.ended = true,
            Ok(size) if self.bytes.len() < OUTPUT_MOST => self.bytes.extend_from_slice(&part[..size]),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => self.ended = true,
        }
    }
}

/// A signal's usual name.
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGSYS => "SIGSYS",
        libc::SIGKILL => "SIGKILL",
        libc::SIGTERM => "SIGTERM",
        other => return format!("signal {other}"),
    };
    name.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, time: Duration) -> Finished {
        let own = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        // A shell makes processes.
        let confinement = Confinement::new(Runs::Fuzzer, own.path()).unwrap();
        run(&command, time, &confinement).unwrap()
    }

    #[test]
    fn what_a_process_prints_is_gathered_with_its_exit_code() {
        let finished = shell("echo out; echo err >&2; exit 3", Duration::from_secs(10));
        assert_eq!(finished.ended.code, Some(3));
        assert_eq!(finished.stdout, b"out\n");
        assert_eq!(finished.stderr, b"err\n");
        assert!(!finished.timed_out);
    }

    #[test]
    fn a_process_that_takes_too_long_is_killed_with_its_children() {
        let started = Instant::now();
        let finished = shell("sleep 30 & sleep 30", Duration::from_millis(200));
        assert!(finished.timed_out);
        assert_eq!(finished.ended.signal, Some(libc::SIGKILL));
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn cpu_time_is_accounted() {
        let finished = shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", Duration::from_secs(20));
        assert!(finished.ended.cpu_seconds > 0.01, "{finished:?}");
    }
}
