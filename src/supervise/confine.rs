//! The confinement of a process that runs code under test with made-up arguments.
//!
//! Everything is prepared by [`Confinement::ready`] and set by [`Ready::set`] right before `exec`, so that the unit is
//! never loaded unconfined. Guards that the kernel lacks are left out; [`Guards::open`] lists them.

use super::filter::{self, Needs};
use super::guards::{Guards, IOCTL, Own, SCOPES, TRUNCATE};
use crate::build::Sanitizer;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The kind of a process, which decides its needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Runs {
    /// A worker: it takes the last step itself, before it calls the unit.
    Worker,
    /// `afl-fuzz`, whose programs take the last step themselves.
    Fuzzer,
    /// A program that knows nothing of the confinement, such as an emitted test.
    Program,
}

/// Further write access of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// To existing files.
    Change,
    /// To existing files and new ones.
    Make,
    /// Everything.
    All,
}

/// The confinement of a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// The guards of this machine.
    pub guards: Guards,
    /// The kind of process.
    pub runs: Runs,
    /// Its own folder, in which it starts: empty, in memory, and deleted with the process. Only there it may create
    /// files freely.
    pub own: PathBuf,
    /// Further writable places.
    pub writable: Vec<(PathBuf, Access)>,
    /// Addresses are the same in each run.
    pub fixed_addresses: bool,
    /// Bytes of memory; `None` for a sanitizer that needs more address space than any limit allows.
    pub memory: Option<u64>,
    /// CPU time.
    pub time: Option<Duration>,
    /// A leak checker is linked in.
    pub leaks: bool,
}

/// The memory limit of a process. A replay fills all its memory, so this is what a machine can spare.
const MEMORY: u64 = 2 << 30;
/// The size limit of one file.
const FILE: u64 = 16 << 20;

/// The environment variable with a worker's last step, see runtime/confine.h.
const LAST: &str = "MOTIF_LAST_STEP";
/// The environment variable with the writable folder of a program under `afl-fuzz`.
const OWN: &str = "MOTIF_OWN_FOLDER";

impl Confinement {
    /// With all guards of this machine, in the folder `own`, which is created.
    ///
    /// # Errors
    ///
    /// The folder cannot be created.
    pub fn new(runs: Runs, own: &Path) -> Result<Self> {
        std::fs::create_dir_all(own).with_context(|| format!("making {}", own.display()))?;
        let own = own.canonicalize().with_context(|| format!("finding {}", own.display()))?;
        Ok(Self {
            guards: Guards::of_this_machine(),
            runs,
            own,
            writable: Vec::new(),
            fixed_addresses: false,
            memory: Some(MEMORY),
            time: None,
            leaks: false,
        })
    }

    /// For a worker: its folder is beside the executable, so that it has the same name in each run.
    ///
    /// # Errors
    ///
    /// The folder cannot be created.
    pub fn of_worker(worker: &Path) -> Result<Self> {
        Self::new(Runs::Worker, &worker.with_file_name("own"))
    }

    /// For a process that is built with a sanitizer.
    #[must_use]
    pub fn under(mut self, sanitizer: Sanitizer) -> Self {
        // Most sanitizers reserve terabytes of address space.
        if !matches!(sanitizer, Sanitizer::None | Sanitizer::Undefined) {
            self.memory = None;
        }
        self.leaks = sanitizer == Sanitizer::Leak;
        self
    }

    /// Adds a writable place.
    #[must_use]
    pub fn writing(mut self, path: &Path, access: Access) -> Self {
        self.writable.push((path.to_path_buf(), access));
        self
    }

    /// The environment of the process.
    pub(super) fn environment(&self, command: &mut Command) {
        for name in ["HOME", "TMPDIR", "TMP", "TEMP"] {
            command.env(name, &self.own);
        }
        command.env_remove(LAST).env_remove(OWN);
        if self.guards.seccomp && self.runs != Runs::Program {
            command.env(LAST, filter::hex(&filter::last(self.needs())));
        }
        if self.runs == Runs::Fuzzer && self.guards.landlock > 0 {
            command.env(OWN, &self.own);
        }
    }

    fn needs(&self) -> Needs {
        let landlock = self.guards.landlock;
        Needs {
            groups: self.runs == Runs::Fuzzer,
            leaks: self.leaks,
            start: self.runs == Runs::Program,
            // Without a file system of its own nothing can be written, and Landlock is not needed.
            writes_open: landlock == 0,
            truncate_open: (1..TRUNCATE).contains(&landlock),
        }
    }

    /// Prepares what a process of `supervisor` sets for itself.
    ///
    /// # Errors
    ///
    /// Landlock has no room, or a writable place does not exist.
    pub(super) fn ready(&self, supervisor: libc::pid_t) -> Result<Ready> {
        let Guards { landlock, seccomp, mounts } = self.guards;
        Ok(Ready {
            supervisor,
            base: if seccomp { filter::base(self.needs()) } else { Vec::new() },
            last: if seccomp && self.runs == Runs::Program { filter::last(self.needs()) } else { Vec::new() },
            landlock,
            ruleset: if landlock > 0 { Some(self.ruleset()?) } else { None },
            own: Own::new(&self.own, mounts).context("a folder's name has a zero in it")?,
            limits: self.limits(),
            fixed_addresses: self.fixed_addresses,
        })
    }

    fn limits(&self) -> Vec<(u32, u64)> {
        let mut limits = vec![(libc::RLIMIT_CORE, 0), (libc::RLIMIT_FSIZE, FILE)];
        limits.extend(self.memory.map(|most| (libc::RLIMIT_AS, most)));
        limits.extend(self.time.map(|time| (libc::RLIMIT_CPU, time.as_secs() + 1)));
        limits
    }

    /// The Landlock rules without the own folder, which is mounted later.
    fn ruleset(&self) -> Result<OwnedFd> {
        let landlock = self.guards.landlock;
        let attributes = RulesetAttributes {
            files: writes(landlock),
            network: 0,
            scoped: if landlock >= SCOPES { SCOPE_SOCKETS | SCOPE_SIGNALS } else { 0 },
        };
        // SAFETY: the attributes live until the call is over; the answer is a file of ours.
        let ruleset = unsafe {
            let size = size_of::<RulesetAttributes>();
            let file = libc::syscall(libc::SYS_landlock_create_ruleset, &attributes, size, 0u32);
            if file < 0 {
                return Err(std::io::Error::last_os_error()).context("making rules for Landlock");
            }
            OwnedFd::from_raw_fd(file as i32)
        };
        let devices = ["/dev/null", "/dev/zero", "/dev/full"];
        let devices = devices.iter().map(|path| (PathBuf::from(path), Access::Change));
        for (path, access) in devices.chain(self.writable.iter().cloned()) {
            let place = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(&path);
            let Ok(place) = place else {
                // A machine may lack a device; requested places must exist.
                if path.starts_with("/dev") {
                    continue;
                }
                place.with_context(|| format!("opening {}", path.display()))?;
                continue;
            };
            let allowed = allowed(&place, access) & writes(landlock);
            allow(&ruleset, place.as_raw_fd(), allowed)
                .with_context(|| format!("allowing {} to be written", path.display()))?;
        }
        Ok(ruleset)
    }
}

/// A confinement that a process can set for itself by system calls only.
pub(super) struct Ready {
    supervisor: libc::pid_t,
    base: Vec<libc::sock_filter>,
    last: Vec<libc::sock_filter>,
    landlock: u32,
    ruleset: Option<OwnedFd>,
    own: Own,
    limits: Vec<(u32, u64)>,
    fixed_addresses: bool,
}

impl Ready {
    /// Confines this process, for good. Nothing is allocated but, where a call fails, the error.
    pub(super) fn set(&self) -> std::io::Result<()> {
        // SAFETY: plain system calls.
        unsafe {
            if self.fixed_addresses {
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
            for (what, most) in &self.limits {
                let limit = libc::rlimit { rlim_cur: *most, rlim_max: *most };
                libc::setrlimit(*what, &limit);
            }
            self.own.enter()?;
            // A process without a supervisor has no purpose; a user namespace may have cleared this.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != self.supervisor {
                libc::_exit(1);
            }
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        if let Some(ruleset) = &self.ruleset {
            restrict(ruleset, self.landlock, self.own.is_mounted().then(|| self.own.folder()))?;
        }
        if !self.base.is_empty() {
            install(&self.base)?;
        }
        if !self.last.is_empty() {
            // On the stack: a process between `fork` and `exec` must not allocate.
            let mut steps = [libc::sock_filter { code: 0, jt: 0, jf: 0, k: 0 }; LAST_MOST];
            let steps = &mut steps[..self.last.len()];
            steps.copy_from_slice(&self.last);
            // SAFETY: no arguments, no failure.
            let own = unsafe { libc::getpid() } as u32;
            steps.iter_mut().filter(|step| step.k == filter::SELF).for_each(|step| step.k = own);
            install(steps)?;
        }
        Ok(())
    }
}

/// The most steps of the last program.
const LAST_MOST: usize = 128;

const WRITE_FILE: u64 = 1 << 1;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_REG: u64 = 1 << 8;
/// Writing, removing and creating, in the first version of Landlock.
const WRITES: u64 = WRITE_FILE | 0x1ff << 4;
const REFER: u64 = 1 << 13;
const TRUNCATES: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
const SCOPE_SOCKETS: u64 = 1;
const SCOPE_SIGNALS: u64 = 2;

/// `struct landlock_ruleset_attr`; an older kernel accepts unknown fields that are zero.
#[repr(C)]
struct RulesetAttributes {
    files: u64,
    network: u64,
    scoped: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// All file changes that this version of Landlock knows.
fn writes(landlock: u32) -> u64 {
    let since = |version: u32, right: u64| if landlock >= version { right } else { 0 };
    WRITES | since(2, REFER) | since(TRUNCATE, TRUNCATES) | since(IOCTL, IOCTL_DEV)
}

fn allowed(place: &File, access: Access) -> u64 {
    let file = WRITE_FILE | TRUNCATES | IOCTL_DEV;
    let is_folder = place.metadata().is_ok_and(|data| data.is_dir());
    match access {
        _ if !is_folder => file,
        Access::Change => WRITE_FILE | TRUNCATES,
        Access::Make => WRITE_FILE | TRUNCATES | MAKE_REG | REMOVE_FILE,
        Access::All => u64::MAX,
    }
}

fn allow(ruleset: &OwnedFd, place: i32, allowed: u64) -> std::io::Result<()> {
    const PATH_BENEATH: u32 = 1;
    let rule = PathBeneath { allowed, parent: place };
    // SAFETY: the rule lives until the call is over.
    let added = unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), PATH_BENEATH, &rule, 0u32) };
    if added == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Sets the rules for this process, with its own folder if it has one.
fn restrict(ruleset: &OwnedFd, landlock: u32, own: Option<&std::ffi::CStr>) -> std::io::Result<()> {
    if let Some(own) = own {
        // SAFETY: the name lives until the call is over; the file is closed again.
        unsafe {
            let folder = libc::open(own.as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
            if folder < 0 {
                return Err(std::io::Error::last_os_error());
            }
            let added = allow(ruleset, folder, writes(landlock) & !IOCTL_DEV);
            libc::close(folder);
            added?;
        }
    }
    // SAFETY: plain system call.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0u32) };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Sets a seccomp program for this process.
fn install(steps: &[libc::sock_filter]) -> std::io::Result<()> {
    let program = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_ptr().cast_mut() };
    // No part of a process is guarded from another here: processor mitigations would only cost.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    // SAFETY: program and steps live until the call is over.
    let done = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &program) };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_has_room() {
        for leaks in [false, true] {
            let needs = Needs { leaks, start: true, writes_open: true, ..Needs::default() };
            assert!(filter::last(needs).len() <= LAST_MOST);
        }
    }

    #[test]
    fn rights_grow_with_the_version_of_landlock() {
        assert_eq!(writes(1), 0b1_1111_1111_0010);
        assert_eq!(writes(3), writes(1) | REFER | TRUNCATES);
        assert_eq!(writes(7), writes(3) | IOCTL_DEV);
    }
}
