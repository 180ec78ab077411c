//! The `motif-cpp` command.

use clap::Parser;
use motif_cpp::cli::Cli;
use motif_cpp::commands;
use std::io::Write;
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(apologise));
    // clap prints help and version to standard output and ends with 0, anything wrong to standard error with 2.
    let cli = Cli::parse();
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // The first one asks to finish, the second ends at once. Without handlers the signal just ends the process.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, interrupted.clone());
        let _ = signal_hook::flag::register(signal, interrupted.clone());
    }
    ExitCode::from(commands::run(cli, interrupted) as u8)
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
