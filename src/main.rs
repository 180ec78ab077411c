//! The `motif-cpp` command.

use motif_cpp::cli::{self, PARSE_WORKER};
use motif_cpp::diag::Exit;
use motif_cpp::supervise::{self, CONFINED, OWN_EXECUTABLE, confined_main};
use motif_cpp::{commands, parse};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(apologise));
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|argument| argument == PARSE_WORKER) {
        return read_unit(&arguments[2..]);
    }
    if arguments.get(1).is_some_and(|argument| argument == CONFINED) {
        return confined_main(&arguments[2..]);
    }
    supervise::through(OWN_EXECUTABLE.as_ref());
    let cli = match cli::parse(&arguments) {
        Ok(cli) => cli,
        Err(stop) => return stop_early(&stop),
    };
    keep_files_to_ourselves();
    // A limit on the size of files shall be an error that can be told, as a full disk is.
    // SAFETY: no handler is involved.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // The first one asks to finish, the second ends at once. Without handlers the signal just ends the process.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, interrupted.clone());
        let _ = signal_hook::flag::register(signal, interrupted.clone());
    }
    ExitCode::from(commands::run(cli, interrupted) as u8)
}

/// Files that whoever started us left open (a terminal's, a pipeline's) are none of what drivers and tests may write to
/// with numbers that they were given by chance. A kernel before Linux 5.11 leaves them open.
fn keep_files_to_ourselves() {
    const FIRST: libc::c_uint = 3;
    // SAFETY: it closes nothing in this process.
    unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// One translation unit, read in a process of its own on behalf of another motif-cpp.
fn read_unit(job: &[OsString]) -> ExitCode {
    let job: Vec<String> = job.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match parse::worker_main(&job) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Help and version go to standard output and end with 0, anything wrong to standard error with 2.
fn stop_early(stop: &clap::Error) -> ExitCode {
    if !stop.use_stderr() {
        // Nobody is left to tell when the reader is gone.
        let _ = stop.print();
        return ExitCode::SUCCESS;
    }
    let text = if cli::colors(std::env::args_os(), std::io::stderr().is_terminal()) {
        stop.render().ansi().to_string()
    } else {
        stop.render().to_string()
    };
    let _ = write!(std::io::stderr(), "{}", text.replacen("error:", "error[command-line]:", 1));
    ExitCode::from(Exit::Usage as u8)
}

/// A panic is a fault of ours: says so, and what a report needs.
fn apologise(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let what = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let _ = writeln!(
        std::io::stderr(),
        "error[internal]: motif-cpp failed inside: {what} ({place})\n  = help: this is a fault of motif-cpp {}; please \
         report it with these two lines: motif-cpp {}",
        env!("CARGO_PKG_VERSION"),
        shell_words::join(&arguments),
    );
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        let _ = writeln!(std::io::stderr(), "{}", std::backtrace::Backtrace::force_capture());
    }
}
