//! Finds out which guards for code under test this machine has.

use serde::{Deserialize, Serialize};
use std::ffi::CString;
use std::path::Path;
use std::sync::OnceLock;

/// How a process can get a small file system of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mounts {
    /// Not at all.
    None,
    /// As a user that may mount.
    Privileged,
    /// In a user namespace.
    UserNamespace,
}

/// The kernel's guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guards {
    /// The version of Landlock; 0 if there is none.
    pub landlock: u32,
    /// System calls can be refused.
    pub seccomp: bool,
    /// How a private file system can be mounted.
    pub mounts: Mounts,
}

/// A guard as `doctor` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Guard {
    /// The guarded resource.
    pub name: &'static str,
    /// Whether it is.
    pub on: bool,
    /// The mechanism, or what is not guarded.
    pub how: String,
}

/// The version of Landlock that knows truncation.
pub(super) const TRUNCATE: u32 = 3;
/// The version of Landlock that knows ioctl on devices.
pub(super) const IOCTL: u32 = 5;
/// The version of Landlock that knows signals.
pub(super) const SCOPES: u32 = 6;

impl Guards {
    /// No guard but limits.
    pub const NONE: Self = Self { landlock: 0, seccomp: false, mounts: Mounts::None };

    /// The guards of this machine, detected once.
    pub fn of_this_machine() -> Self {
        static FOUND: OnceLock<Guards> = OnceLock::new();
        *FOUND.get_or_init(|| {
            let mounts = [Mounts::Privileged, Mounts::UserNamespace];
            let mounts = mounts.into_iter().find(|mounts| can_mount(*mounts)).unwrap_or(Mounts::None);
            Guards { landlock: landlock(), seccomp: seccomp(), mounts }
        })
    }

    /// Each guard, in words.
    pub fn list(self) -> Vec<Guard> {
        let Guards { landlock, seccomp, mounts } = self;
        let guard = |name, how: Result<String, &str>| match how {
            Ok(how) => Guard { name, on: true, how },
            Err(open) => Guard { name, on: false, how: open.to_owned() },
        };
        let by = format!("Landlock, version {landlock}");
        let own = match mounts {
            Mounts::None => "no file can be created",
            _ => "own file system of 64 MiB",
        };
        vec![
            guard(
                "files",
                match (landlock > 0, seccomp) {
                    (true, _) => Ok(by),
                    (false, true) => Ok("seccomp: nothing can be opened for writing".into()),
                    (false, false) => Err("files outside can be written; needs Landlock (Linux 5.13) or seccomp"),
                },
            ),
            guard("network", if seccomp { Ok("seccomp".into()) } else { Err("sockets can be opened; needs seccomp") }),
            guard(
                "processes",
                if seccomp { Ok("seccomp".into()) } else { Err("processes can be started; needs seccomp") },
            ),
            guard(
                "signals",
                match (seccomp, landlock >= SCOPES) {
                    (true, _) => Ok("seccomp".into()),
                    (false, true) => Ok(format!("Landlock, version {landlock}")),
                    (false, false) => Err("other processes can be killed; needs seccomp or Landlock 6 (Linux 6.12)"),
                },
            ),
            guard(
                "disk",
                match (landlock > 0 || seccomp, mounts) {
                    (false, Mounts::None) => Err("many files can fill the disk; needs Landlock or namespaces"),
                    _ => Ok(own.into()),
                },
            ),
            guard("memory and time", Ok("limits of the process".into())),
        ]
    }

    /// The missing guards of this machine.
    pub fn open(self) -> Vec<Guard> {
        self.list().into_iter().filter(|guard| !guard.on).collect()
    }
}

fn landlock() -> u32 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call accesses no memory.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

fn seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the action lives until the call is over.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0u32, &action) == 0 }
}

/// Tries to mount in a child.
fn can_mount(mounts: Mounts) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let Some(own) = Own::new(folder.path(), mounts) else { return false };
    // SAFETY: the child makes system calls only, and ends without destructors.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let code = i32::from(own.enter().is_err());
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: the status lives until the call is over.
    child > 0 && unsafe { libc::waitpid(child, &mut status, 0) } == child && status == 0
}

/// A small file system on a folder, for one process and its children; mounted after `fork`, by system calls only.
#[derive(Clone, Debug)]
pub(super) struct Own {
    mounts: Mounts,
    folder: CString,
    users: CString,
    groups: CString,
}

/// The mount options.
const SIZE: &std::ffi::CStr = c"size=64m,nr_inodes=4096,mode=700";

impl Own {
    pub(super) fn new(folder: &Path, mounts: Mounts) -> Option<Self> {
        // SAFETY: no arguments, no failure.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let text = |text: String| CString::new(text).ok();
        Some(Self {
            mounts,
            folder: CString::new(folder.as_os_str().as_encoded_bytes()).ok()?,
            users: text(format!("{user} {user} 1"))?,
            groups: text(format!("{group} {group} 1"))?,
        })
    }

    /// Mounts it if possible, and makes it the working directory.
    pub(super) fn enter(&self) -> std::io::Result<()> {
        let failed = || Err(std::io::Error::last_os_error());
        // SAFETY: all strings live as long as this; null stands for what a call does not take.
        unsafe {
            let nothing = std::ptr::null();
            if self.mounts != Mounts::None {
                let user = if self.mounts == Mounts::UserNamespace { libc::CLONE_NEWUSER } else { 0 };
                if libc::unshare(libc::CLONE_NEWNS | user) != 0 {
                    return failed();
                }
                if user != 0 {
                    write(c"/proc/self/setgroups", c"deny")?;
                    write(c"/proc/self/uid_map", &self.users)?;
                    write(c"/proc/self/gid_map", &self.groups)?;
                }
                let private = libc::MS_REC | libc::MS_PRIVATE;
                if libc::mount(nothing, c"/".as_ptr(), nothing, private, nothing.cast()) != 0 {
                    return failed();
                }
                let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
                let kind = c"tmpfs".as_ptr();
                if libc::mount(kind, self.folder.as_ptr(), kind, flags, SIZE.as_ptr().cast()) != 0 {
                    return failed();
                }
            }
            if libc::chdir(self.folder.as_ptr()) != 0 {
                return failed();
            }
        }
        Ok(())
    }

    pub(super) fn is_mounted(&self) -> bool {
        self.mounts != Mounts::None
    }

    pub(super) fn folder(&self) -> &std::ffi::CStr {
        &self.folder
    }
}

/// Like `std::fs::write`, for use between `fork` and `exec`.
fn write(path: &std::ffi::CStr, text: &std::ffi::CStr) -> std::io::Result<()> {
    let bytes = text.to_bytes();
    // SAFETY: both strings live until the calls are over.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        let written = if file < 0 { -1 } else { libc::write(file, bytes.as_ptr().cast(), bytes.len()) };
        let error = std::io::Error::last_os_error();
        if file >= 0 {
            libc::close(file);
        }
        if written == bytes.len() as isize { Ok(()) } else { Err(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_told_with_what_it_needs() {
        let all = Guards { landlock: 6, seccomp: true, mounts: Mounts::UserNamespace };
        assert_eq!(all.open(), []);
        assert_eq!(Guards { landlock: 0, ..all }.open(), []);
        assert_eq!(Guards { mounts: Mounts::None, ..all }.open(), []);
        let names = |guards: Guards| guards.open().into_iter().map(|guard| guard.name).collect::<Vec<_>>();
        assert_eq!(names(Guards { seccomp: false, ..all }), ["network", "processes"]);
        assert_eq!(names(Guards { seccomp: false, landlock: 5, ..all }), ["network", "processes", "signals"]);
        assert_eq!(names(Guards::NONE), ["files", "network", "processes", "signals", "disk"]);
        assert!(Guards::NONE.open().iter().all(|guard| guard.how.contains("needs")));
    }
}
