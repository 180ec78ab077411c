//! Runs commands in a copy: with a time limit, in a process group that is killed as a whole, with output to a log.

use crate::build::run::{Ended, wait};
use crate::supervise::signal_name;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub time: Duration,
    /// Bytes of address space per process; `None` for sanitizers, which reserve more than the machine has.
    pub memory: Option<u64>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub ended: Ended,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

/// The size limit of a file, for a mutant that writes endlessly.
const FILE_MOST: u64 = 4 << 30;
/// Marks the processes of a run, also those that left its group.
const MARK: &str = "MOTIF_RUN";

impl Ran {
    pub(super) fn passed(&self) -> bool {
        matches!(self.ended, Ended::Itself(status) if status.success())
    }
}

/// A shell command.
pub(super) fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    shell
}

/// Runs `command` in `folder`, its output to `log`.
pub(super) fn run(
    mut command: Command,
    folder: &Path,
    environment: &[(&str, String)],
    log: &Path,
    limits: Limits,
    interrupted: &AtomicBool,
) -> io::Result<Ran> {
    let file = File::create(log)?;
    let mark = format!("{}:{}", std::process::id(), log.display());
    command.current_dir(folder).env("PWD", folder).env_remove("MOTIF_MUTANT").env_remove("MOTIF_REACHED");
    // Variables for children of a surrounding `make` do not apply here.
    command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL").env(MARK, &mark);
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).process_group(0);
    // SAFETY: only async-signal-safe system calls between fork and exec.
    unsafe {
        command.pre_exec(move || {
            limit(libc::RLIMIT_CORE, 0);
            limit(libc::RLIMIT_FSIZE, FILE_MOST);
            if let Some(memory) = limits.memory {
                limit(libc::RLIMIT_AS, memory);
            }
            Ok(())
        });
    }
    let started = Instant::now();
    let child = command.spawn()?;
    let (ended, cpu_seconds) = wait(child.id() as libc::pid_t, limits.time, interrupted)?;
    let ran = Ran { ended, seconds: started.elapsed().as_secs_f64(), cpu_seconds };
    if !ran.passed() {
        sweep(&mark);
    }
    Ok(ran)
}

fn limit(resource: libc::__rlimit_resource_t, most: u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours; an unsupported limit is ignored.
    unsafe {
        libc::getrlimit(resource, &mut limit);
        limit.rlim_cur = limit.rlim_max.min(most);
        libc::setrlimit(resource, &limit);
    }
}

/// Kills processes of a run outside its process group: test drivers create groups of their own.
fn sweep(mark: &str) {
    let wanted = format!("{MARK}={mark}");
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<libc::pid_t>().ok()) else { continue };
        let Ok(environment) = fs::read(entry.path().join("environ")) else { continue };
        if environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes()) {
            // SAFETY: plain system call; the process carries the mark of this run.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
    }
}

/// The kept part of a log: its end.
const TAIL: u64 = 256 << 10;

/// The end of a log.
pub(super) fn tail(log: &Path) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

/// The last few lines of a log, for a message.
pub(super) fn last_lines(log: &Path) -> String {
    let text = tail(log);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(12)..].iter().map(|line| format!("\n  | {line}")).collect()
}

/// Why a run did not pass: the failing tests if the log names them, else how it ended.
pub(super) fn reason(ran: &Ran, log: &Path, limit: Duration) -> String {
    let how = match ran.ended {
        Ended::TimedOut => return format!("the tests take longer than {:.0} s", limit.as_secs_f64()),
        Ended::Interrupted => return "interrupted".into(),
        Ended::Itself(status) => match (status.code(), status.signal()) {
            // How a shell reports a signal of its child.
            (Some(code @ 129..=192), _) => signal_name(code - 128),
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => signal_name(signal),
            (None, None) => "it failed".into(),
        },
    };
    match failed_test(&tail(log)) {
        Some(test) => format!("{test} fails"),
        None => format!("the tests end with {how}"),
    }
}

/// The first failing test that a log names, as ctest and GoogleTest do.
fn failed_test(log: &str) -> Option<String> {
    let mut after_summary = false;
    let mut ctest = None;
    for line in log.lines() {
        if line.starts_with("The following tests FAILED") {
            after_summary = true;
        } else if after_summary && ctest.is_none() {
            // `	  3 - name (Failed)`; newer ones add labels.
            let name = line.trim().split_once(" - ").filter(|(number, _)| number.parse::<u32>().is_ok());
            ctest = name.map(|(_, rest)| rest.rsplit_once(" (").map_or(rest, |(name, _)| name).trim().to_owned());
        }
    }
    let gtest = log.lines().find_map(|line| line.trim_start().strip_prefix("[  FAILED  ] "));
    let gtest = gtest.map(|name| name.split([',', ' ']).next().unwrap_or(name).to_owned());
    ctest.or(gtest).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { time: Duration::from_secs(60), memory: Some(2 << 30) };

    fn ran(script: &str, limits: Limits) -> (Ran, String, String) {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("log");
        let environment = [("MOTIF_MUTANT", "7".into())];
        let ran = run(shell(script), dir.path(), &environment, &log, limits, &AtomicBool::new(false)).unwrap();
        let reason = reason(&ran, &log, limits.time);
        (ran, tail(&log), reason)
    }

    #[test]
    fn a_command_is_run_by_the_shell_in_its_folder_with_its_output_in_a_log() {
        let (ran, log, _) = ran("echo $MOTIF_MUTANT; pwd >&2; read x || echo none", LIMITS);
        assert!(ran.passed());
        assert!(log.starts_with("7\n") && log.ends_with("none\n"), "{log}");
    }

    #[test]
    fn exit_codes_signals_and_time_outs_are_told_apart() {
        assert_eq!(ran("exit 3", LIMITS).2, "the tests end with exit code 3");
        assert_eq!(ran("kill -SEGV $$", LIMITS).2, "the tests end with SIGSEGV");
        assert_eq!(ran("sh -c 'kill -ABRT $$'; exit $?", LIMITS).2, "the tests end with SIGABRT");
        let short = Limits { time: Duration::from_millis(200), ..LIMITS };
        assert!(ran("sleep 100", short).2.starts_with("the tests take longer than"));
    }

    #[test]
    fn what_leaves_the_process_group_is_killed_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("log");
        let short = Limits { time: Duration::from_millis(500), ..LIMITS };
        let script = "setsid sh -c 'echo $$ > pid; exec sleep 100' & sleep 100";
        run(shell(script), dir.path(), &[], &log, short, &AtomicBool::new(false)).unwrap();
        let pid = fs::read_to_string(dir.path().join("pid")).unwrap();
        let state = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        let gone = || state().is_empty() || state().contains(") Z ");
        // A killed process takes a moment to go.
        (0..1000).take_while(|_| !gone()).for_each(|_| std::thread::sleep(Duration::from_millis(10)));
        assert!(gone(), "{}", state());
    }

    #[test]
    fn a_mutant_that_takes_all_memory_is_ended() {
        let limits = Limits { memory: Some(64 << 20), ..LIMITS };
        assert!(!ran("x=0123456789; while :; do x=$x$x; done", limits).0.passed());
    }

    #[test]
    fn the_failing_test_is_named_where_the_log_does() {
        let ctest = "50% tests passed\n\nThe following tests FAILED:\n\t  2 - parse (odd) (Failed)\nErrors while\n";
        assert_eq!(failed_test(ctest).as_deref(), Some("parse (odd)"));
        let gtest = "[ RUN      ] A.b\nx.cpp:1: Failure\n[  FAILED  ] A.b (0 ms)\n[  FAILED  ] A.b\n";
        assert_eq!(failed_test(gtest).as_deref(), Some("A.b"));
        assert_eq!(failed_test("ok\n"), None);
    }
}
