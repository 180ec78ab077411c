//! A program that is started once and forked for each call (`runtime/warm.c`): loading a compiler takes several times
//! as long as compiling a small file, and starting a test ten times as long as running it.

use super::run::{self, Ended, Finished};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The library that turns a program into a server.
pub(super) const SOURCE: &str = concat!(
    "#define _GNU_SOURCE\n",
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/confine.h")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/warm.c"))
);
/// A program that has not answered by then is lost.
const HELLO: Duration = Duration::from_secs(20);
/// The interval between checks for an interruption.
const LOOK: Duration = Duration::from_millis(20);

/// CPU time of servers' children that the system has not yet added to this process's children.
static OUTSTANDING_MICROSECONDS: AtomicU64 = AtomicU64::new(0);

/// CPU seconds that the system will count for this process's children when the servers end.
pub fn outstanding_seconds() -> f64 {
    OUTSTANDING_MICROSECONDS.load(Ordering::Relaxed) as f64 / 1e6
}

/// A resident program; dropping it ends it.
#[derive(Debug)]
pub struct Resident {
    child: Child,
    connection: UnixStream,
    out: File,
    err: File,
    /// The cost of starting it, not yet charged.
    owed: u64,
    /// All CPU time that it has reported.
    outstanding: u64,
}

/// Like `struct reply` of `runtime/warm.c`.
struct Reply {
    process: libc::pid_t,
    status: i32,
    microseconds: u64,
}

impl Resident {
    /// Starts `program` by `command`, which may be another program that becomes it; `library` is what
    /// [`super::Builder::resident_library`] gives. It is ready within `limit`. `emptied` is emptied after each call.
    ///
    /// # Errors
    /// It cannot be started, or cannot be kept resident: a script, a static program, one that starts threads or opens
    /// files before `main`.
    pub fn start(
        mut command: Command,
        program: &Path,
        library: &Path,
        limit: Duration,
        emptied: Option<&Path>,
    ) -> io::Result<Self> {
        let (connection, theirs) = UnixStream::pair()?;
        let (out, err) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let before = std::env::var_os("LD_PRELOAD").filter(|before| !before.is_empty());
        let mut preload = library.as_os_str().to_owned();
        if let Some(before) = &before {
            preload.push(":");
            preload.push(before);
        }
        command.env("MOTIF_WARM_PRELOAD", before.unwrap_or_default()).env("LD_PRELOAD", preload);
        command.env("MOTIF_WARM_PROGRAM", program.canonicalize()?);
        command.env("MOTIF_WARM_FOLDER", emptied.unwrap_or(Path::new("")));
        command.stdin(OwnedFd::from(theirs)).stdout(out.try_clone()?).stderr(err.try_clone()?).process_group(0);
        let child = command.spawn()?;
        // Otherwise its end of the connection would stay open here.
        drop(command);
        let mut server = Self { child, connection, out, err, owed: 0, outstanding: 0 };
        let hello = server.reply(Instant::now() + limit, &AtomicBool::new(false))?;
        let hello = hello.ok_or_else(|| io::Error::from(io::ErrorKind::TimedOut))?;
        if u32::try_from(hello.process) != Ok(server.child.id()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        server.owed = hello.microseconds;
        server.count(hello.microseconds);
        Ok(server)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Calls the program with the folder and the arguments of `command`, and with `variables` set.
    ///
    /// # Errors
    /// It no longer answers: it is to be dropped.
    pub fn run(
        &mut self,
        command: &Command,
        variables: &[(&str, &str)],
        limit: Duration,
        interrupted: &AtomicBool,
    ) -> io::Result<Finished> {
        for file in [&mut self.out, &mut self.err] {
            // The program writes from the current position.
            file.set_len(0)?;
            io::Seek::rewind(file)?;
        }
        let folder = command.get_current_dir().map_or(OsStr::new(""), Path::as_os_str);
        let set: Vec<OsString> = variables.iter().map(|(name, value)| format!("{name}={value}").into()).collect();
        let before = std::iter::once(folder).chain(set.iter().map(OsString::as_os_str));
        let words = before.chain([OsStr::new(""), command.get_program()]).chain(command.get_args());
        let mut request = vec![0; 4];
        for word in words {
            request.extend(word.as_encoded_bytes());
            request.push(0);
        }
        let size = u32::try_from(request.len() - 4).map_err(|_| io::ErrorKind::InvalidInput)?;
        request[..4].copy_from_slice(&size.to_ne_bytes());
        self.connection.write_all(&request)?;
        let never = AtomicBool::new(false);
        let lost = || io::Error::from(io::ErrorKind::TimedOut);
        let begun = self.reply(Instant::now() + HELLO, &never)?.ok_or_else(lost)?;
        let end = Instant::now() + limit;
        let (reply, ended) = match self.reply(end, interrupted)? {
            Some(reply) => (reply, None),
            None => {
                run::kill_group(begun.process);
                let why = if Instant::now() >= end { Ended::TimedOut } else { Ended::Interrupted };
                (self.reply(Instant::now() + HELLO, &never)?.ok_or_else(lost)?, Some(why))
            }
        };
        self.count(reply.microseconds);
        Ok(Finished {
            ended: ended.unwrap_or_else(|| Ended::Itself(ExitStatus::from_raw(reply.status))),
            stdout: run::text(&mut self.out)?,
            stderr: run::text(&mut self.err)?,
            cpu_seconds: (reply.microseconds + std::mem::take(&mut self.owed)) as f64 / 1e6,
        })
    }

    fn count(&mut self, microseconds: u64) {
        self.outstanding += microseconds;
        OUTSTANDING_MICROSECONDS.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// The next reply; `None` after the time limit or an interruption.
    fn reply(&mut self, end: Instant, interrupted: &AtomicBool) -> io::Result<Option<Reply>> {
        let mut bytes = [0; 16];
        let mut filled = 0;
        self.connection.set_read_timeout(Some(LOOK))?;
        while filled < bytes.len() {
            match self.connection.read(&mut bytes[filled..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(got) => filled += got,
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                    if interrupted.load(Ordering::Relaxed) || Instant::now() >= end {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let part = |at: usize| i32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let [.., a, b, c, d, e, f, g, h] = bytes;
        let microseconds = u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
        Ok(Some(Reply { process: part(0), status: part(4), microseconds }))
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        run::kill_group(self.child.id() as libc::pid_t);
        let _ = self.child.wait();
        OUTSTANDING_MICROSECONDS.fetch_sub(self.outstanding, Ordering::Relaxed);
    }
}
