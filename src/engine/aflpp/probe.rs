//! Runs a unit's program once outside AFL++, and finds out which side did what.

use super::configuration::confinement;
use crate::build::AflFlavor;
use crate::build::run::{self, Ended};
use crate::supervise::{Access, Runs, confined, refusal};
use anyhow::{Context as _, Result, bail};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// AFL++ calls an input a hang after a second; a busy machine must not cause one here.
const LIMIT: Duration = Duration::from_secs(3);

/// Exit codes of sanitizers that do not abort.
const SANITIZER_CODES: [i32; 2] = [23, 86];

/// One run.
pub(super) struct Probe<'p> {
    pub program: &'p Path,
    pub arguments: Vec<OsString>,
    pub input: &'p [u8],
    /// Where its files are.
    pub dir: &'p Path,
    pub flavor: AflFlavor,
}

/// A run that is over.
pub(super) struct Seen {
    pub saw: Saw,
    pub cpu_seconds: f64,
    /// Changed variables own heap memory, so they were not restored.
    pub holds_heap: bool,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Saw {
    /// Both sides returned and recorded the same.
    Nothing,
    /// Both sides returned, with different records.
    Difference,
    /// The original crashed or hung.
    OriginalFailed(String),
    /// The original exited.
    OriginalEnded,
    /// The mutant crashed, hung or exited where the original returned.
    MutantFailed { hung: bool, sanitizer: bool },
}

impl Saw {
    pub(super) fn original_returned(&self) -> bool {
        !matches!(self, Self::OriginalFailed(_) | Self::OriginalEnded)
    }
}

/// The environment that makes sanitizers abort, as `afl-fuzz` sets it.
pub(super) const SANITIZER_ENVIRONMENT: [(&str, &str); 4] = [
    ("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:symbolize=0:allocator_may_return_null=1:malloc_context_size=0"),
    ("UBSAN_OPTIONS", "halt_on_error=1:abort_on_error=1:symbolize=0"),
    ("MSAN_OPTIONS", "exit_code=86:abort_on_error=1:symbolize=0:allocator_may_return_null=1:msan_track_origins=0"),
    ("LSAN_OPTIONS", "exitcode=23:fast_unwind_on_malloc=0:symbolize=0:print_suppressions=0"),
];

impl Probe<'_> {
    /// Runs it.
    pub(super) fn run(&self, interrupted: &AtomicBool) -> Result<Seen> {
        let (input, phases) = (self.dir.join("probe.input"), self.dir.join("probe.phase"));
        std::fs::write(&input, self.input).with_context(|| format!("writing {}", input.display()))?;
        std::fs::write(&phases, "").with_context(|| format!("writing {}", phases.display()))?;
        let mut command = Command::new(self.program);
        command.args(&self.arguments).arg(&input);
        command.envs(SANITIZER_ENVIRONMENT).env("MOTIF_PHASE", &phases);
        let confinement = confinement(self.flavor, Runs::Worker, self.dir)?.writing(&phases, Access::Change);
        let done = run::run(&mut confined(&command, &confinement)?, LIMIT, interrupted)
            .with_context(|| format!("running {}", self.program.display()))?;
        let code = if let Ended::Itself(status) = done.ended { status.code() } else { None };
        if let Some(why) = refusal(code, done.stderr.as_bytes()) {
            bail!("{why}");
        }
        let phases = std::fs::read(&phases).unwrap_or_default();
        let holds_heap = phases.contains(&b'h');
        let last = phases.into_iter().rfind(|phase| *phase != b'h');
        Ok(Seen { saw: classify(done.ended, last, &done.stderr), cpu_seconds: done.cpu_seconds, holds_heap })
    }
}

fn classify(ended: Ended, phase: Option<u8>, stderr: &str) -> Saw {
    let status = match ended {
        Ended::Itself(status) if status.success() => {
            return if phase == Some(b'x') { Saw::OriginalEnded } else { Saw::Nothing };
        }
        Ended::Itself(status) => Some(status),
        Ended::TimedOut => None,
        Ended::Interrupted => return Saw::Nothing,
    };
    let sanitizer = status.and_then(|s| s.code()).is_some_and(|code| SANITIZER_CODES.contains(&code))
        || ["Sanitizer", "runtime error:"].iter().any(|mark| stderr.contains(mark));
    match phase {
        Some(b'c' | b'e') => Saw::Difference,
        Some(b'm') => Saw::MutantFailed { hung: status.is_none(), sanitizer },
        _ => Saw::OriginalFailed(match status {
            None => "hang".into(),
            Some(_) if sanitizer => finding(stderr),
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => signal_name(signal),
                (_, code) => format!("exit({})", code.unwrap_or_default()),
            },
        }),
    }
}

/// The name of a sanitizer report: `heap-buffer-overflow` of `ERROR: AddressSanitizer: heap-buffer-overflow on …`.
fn finding(stderr: &str) -> String {
    let told = stderr.split_once("Sanitizer: ").and_then(|(_, rest)| rest.split_whitespace().next());
    told.map_or_else(|| "sanitizer".to_string(), |word| format!("sanitizer: {word}"))
}

fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGSEGV => "SIGSEGV".into(),
        libc::SIGABRT => "SIGABRT".into(),
        libc::SIGFPE => "SIGFPE".into(),
        libc::SIGILL => "SIGILL".into(),
        libc::SIGBUS => "SIGBUS".into(),
        libc::SIGTRAP => "SIGTRAP".into(),
        other => format!("signal {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitStatus;

    #[test]
    fn a_crash_is_the_originals_or_the_mutants_by_the_phase_it_happened_in() {
        let abort = Ended::Itself(ExitStatus::from_raw(libc::SIGABRT));
        assert_eq!(classify(abort, Some(b'c'), ""), Saw::Difference);
        assert_eq!(classify(abort, Some(b'm'), ""), Saw::MutantFailed { hung: false, sanitizer: false });
        assert_eq!(classify(abort, Some(b'o'), ""), Saw::OriginalFailed("SIGABRT".into()));
        let report = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1";
        assert_eq!(classify(abort, Some(b'o'), report), Saw::OriginalFailed("sanitizer: heap-buffer-overflow".into()));
        assert_eq!(classify(abort, Some(b'm'), report), Saw::MutantFailed { hung: false, sanitizer: true });
        assert_eq!(classify(Ended::TimedOut, Some(b'm'), ""), Saw::MutantFailed { hung: true, sanitizer: false });
        assert_eq!(classify(Ended::TimedOut, Some(b'o'), ""), Saw::OriginalFailed("hang".into()));
        let fine = Ended::Itself(ExitStatus::from_raw(0));
        assert_eq!(classify(fine, Some(b'e'), ""), Saw::Nothing);
        assert_eq!(classify(fine, Some(b'x'), ""), Saw::OriginalEnded);
    }
}
