//! How a confined process is started, whatever the size of this one.
//!
//! A `fork` copies the page tables of the whole process, and what it shares is copied again when either side writes:
//! 20 to 30 ms for a run that holds a gigabyte, more than most tests take. So the command starts itself instead, by
//! `posix_spawn`, as a process of a few megabytes, which confines itself and becomes the program. A program that only
//! uses the library forks.

use super::confine::Confinement;
use anyhow::{Context, Result, bail};
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// The first argument of a process that confines itself and becomes another program; not a command of people's.
pub const CONFINED: &str = "__confined";

/// The exit code of such a process when it could not become the program.
pub const NOT_STARTED: i32 = 125;
/// How its message begins.
const WHY: &str = "motif-cpp: not confined: ";

/// The executable that understands [`CONFINED`].
static STARTER: OnceLock<PathBuf> = OnceLock::new();

/// Confined processes are started through `executable` from now on, which understands [`CONFINED`].
pub fn through(executable: &Path) {
    if executable.exists() {
        STARTER.get_or_init(|| executable.to_path_buf());
    }
}

/// The executable of this process, which is not asked for by its name: another version may take its place meanwhile.
pub const OWN_EXECUTABLE: &str = "/proc/self/exe";

/// The command that starts `command` confined, in a process group of its own. Its standard streams are to be set.
///
/// # Errors
///
/// Landlock has no room, or a writable place does not exist.
pub fn confined(command: &Command, confinement: &Confinement) -> Result<Command> {
    // SAFETY: no arguments, no failure.
    let supervisor = unsafe { libc::getpid() };
    // JSON has no words for a name that is not UTF-8.
    let mut started = match (STARTER.get(), serde_json::to_string(confinement)) {
        (Some(starter), Ok(told)) => {
            let mut started = Command::new(starter);
            started.arg(CONFINED).arg(supervisor.to_string()).arg(told);
            started.arg(command.get_program()).args(command.get_args());
            started
        }
        _ => forked(command, confinement, supervisor)?,
    };
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    confinement.environment(&mut started);
    started.process_group(0);
    Ok(started)
}

fn forked(command: &Command, confinement: &Confinement, supervisor: libc::pid_t) -> Result<Command> {
    let ready = confinement.ready(supervisor)?;
    let mut started = Command::new(command.get_program());
    started.args(command.get_args());
    // SAFETY: system calls only between fork and exec.
    unsafe { started.pre_exec(move || ready.set()) };
    Ok(started)
}

/// Why a process that [`confined`] started never was the program, if so: from its exit code and its standard error.
pub fn refusal(code: Option<i32>, said: &[u8]) -> Option<String> {
    if code != Some(NOT_STARTED) {
        return None;
    }
    // The loader may have said something before.
    String::from_utf8_lossy(said).lines().find_map(|line| line.strip_prefix(WHY)).map(str::to_owned)
}

/// The process behind [`CONFINED`]: confines itself and becomes the program; returns only where that fails.
pub fn confined_main(job: &[OsString]) -> ExitCode {
    let Err(error) = become_program(job);
    eprintln!("{WHY}{error:#}");
    ExitCode::from(NOT_STARTED as u8)
}

fn become_program(job: &[OsString]) -> Result<std::convert::Infallible> {
    let [supervisor, told, command @ ..] = job else { bail!("the confinement is missing") };
    let text = |argument: &OsStr| argument.to_str().map(str::to_owned).context("the confinement is not UTF-8");
    let confinement: Confinement = serde_json::from_str(&text(told)?).context("reading the confinement")?;
    let ready = confinement.ready(text(supervisor)?.parse().context("reading who asks for it")?)?;
    let arguments: Vec<CString> =
        command.iter().map(|argument| CString::new(argument.as_bytes())).collect::<Result<_, _>>()?;
    let mut pointers: Vec<*const libc::c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    pointers.push(std::ptr::null());
    let program = arguments.first().context("the program is missing")?;
    // Rust ignores it, and a program inherits that.
    // SAFETY: no handler is involved.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    ready.set().context("confining a process")?;
    // SAFETY: the strings live until the call is over, and the last pointer is null.
    unsafe { libc::execvp(program.as_ptr(), pointers.as_ptr()) };
    Err(std::io::Error::last_os_error()).with_context(|| format!("starting {}", program.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::super::confine::Runs;
    use super::super::guards::Mounts;
    use super::*;

    #[test]
    fn without_a_file_system_of_its_own_a_process_is_still_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut confinement = Confinement::new(Runs::Program, folder.path()).unwrap();
        confinement.guards.mounts = Mounts::None;
        let output = confined(&Command::new("pwd"), &confinement).unwrap().output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), confinement.own.to_string_lossy());
    }

    #[test]
    fn a_refusal_is_known_by_its_code_and_its_words() {
        let said = format!("{WHY}starting x: No such file or directory\n");
        assert_eq!(refusal(Some(125), said.as_bytes()).as_deref(), Some("starting x: No such file or directory"));
        assert_eq!(refusal(Some(1), said.as_bytes()), None);
        assert_eq!(refusal(Some(125), b"a program's own 125"), None);
    }
}
