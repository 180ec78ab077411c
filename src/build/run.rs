//! Runs a child process to its end, with time limit, interruption, CPU time and bounded output.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most that is kept of a child's output, per stream.
const KEPT: u64 = 4 << 20;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself: an exit code or a signal.
    Itself(ExitStatus),
    /// Killed at its time limit.
    TimedOut,
    /// Killed because the user interrupted the run.
    Interrupted,
}

/// A child that has ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// Its standard output (the first 4 MiB).
    pub stdout: String,
    /// Its standard error (the first 4 MiB).
    pub stderr: String,
    /// CPU seconds it and its waited-for children used, user and system.
    pub cpu_seconds: f64,
}

impl Finished {
    /// Whether it ended by itself with exit code 0.
    pub fn success(&self) -> bool {
        matches!(self.ended, Ended::Itself(status) if status.success())
    }
}

/// Runs `command` in a process group of its own and waits for it; at the limit or on interruption the whole group is
/// killed. Standard input is empty. The error is a failure to start it.
pub fn run(command: &mut Command, limit: Duration, interrupted: &AtomicBool) -> io::Result<Finished> {
    // Files instead of pipes: no reader threads, and a grandchild that keeps the stream open can't block us.
    let mut out = tempfile::tempfile()?;
    let mut err = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(err.try_clone()?).process_group(0);
    let child = command.spawn()?;
    let (ended, cpu_seconds) = wait(child.id() as libc::pid_t, limit, interrupted)?;
    Ok(Finished { ended, stdout: text(&mut out)?, stderr: text(&mut err)?, cpu_seconds })
}

/// Waits for the child `pid`, the leader of its own process group, and returns its CPU time.
pub fn wait(pid: libc::pid_t, limit: Duration, interrupted: &AtomicBool) -> io::Result<(Ended, f64)> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some((status, cpu)) = poll(pid)? {
            return Ok((Ended::Itself(status), cpu));
        }
        let ended = if interrupted.load(Ordering::Relaxed) {
            Some(Ended::Interrupted)
        } else if start.elapsed() >= limit {
            Some(Ended::TimedOut)
        } else {
            None
        };
        if let Some(ended) = ended {
            kill_group(pid);
            let (_, cpu) = reap(pid, 0)?.unwrap_or_default();
            return Ok((ended, cpu));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(8));
    }
}

/// The status and CPU seconds of `pid` if it has ended.
pub fn poll(pid: libc::pid_t) -> io::Result<Option<(ExitStatus, f64)>> {
    reap(pid, libc::WNOHANG)
}

/// Kills the process group that `pid` leads.
pub fn kill_group(pid: libc::pid_t) {
    // SAFETY: plain system call; a group that is gone is not an error.
    unsafe {
        libc::kill(-pid, libc::SIGKILL);
        // The child may not have reached its setpgid yet.
        libc::kill(pid, libc::SIGKILL);
    }
}

fn reap(pid: libc::pid_t, flags: i32) -> io::Result<Option<(ExitStatus, f64)>> {
    let mut status = 0;
    // SAFETY: rusage is plain data, for which zeroes are valid; both out pointers are ours.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        let got = unsafe { libc::wait4(pid, &mut status, flags, &mut usage) };
        if got == pid {
            let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
            return Ok(Some((ExitStatus::from_raw(status), seconds(usage.ru_utime) + seconds(usage.ru_stime))));
        }
        if got == 0 {
            return Ok(None);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

pub(super) fn text(file: &mut File) -> io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(KEPT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_status_and_cpu_time_of_a_child_are_taken() {
        let never = AtomicBool::new(false);
        let script = "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; echo out; echo err >&2; exit 3";
        let done = run(&mut shell(script), Duration::from_secs(20), &never).unwrap();
        assert!(matches!(done.ended, Ended::Itself(status) if status.code() == Some(3)));
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("out\n", "err\n"));
        assert!(done.cpu_seconds > 0.0);
    }

    #[test]
    fn a_child_over_its_limit_is_killed_with_its_children() {
        let never = AtomicBool::new(false);
        let start = Instant::now();
        let done = run(&mut shell("sleep 30 & wait"), Duration::from_millis(100), &never).unwrap();
        assert_eq!(done.ended, Ended::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn an_interruption_ends_the_child() {
        let now = AtomicBool::new(true);
        let done = run(&mut shell("sleep 30"), Duration::from_secs(60), &now).unwrap();
        assert_eq!(done.ended, Ended::Interrupted);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let never = AtomicBool::new(false);
        assert!(run(&mut Command::new("no-such-program-here"), Duration::from_secs(1), &never).is_err());
    }
}
