//! seccomp programs: the system calls that a process that runs code under test may not make.
//!
//! There are two. The *base* is set before a process starts, and forbids what no such process needs: sockets, mounts,
//! file modes, other processes' memory. The *last* forbids what the process itself may have needed, and is set right
//! before the unit is called: creating processes, running programs, signals to others.

use std::mem::offset_of;

/// Stands for the process id in a program; whoever sets the program replaces it.
pub const SELF: u32 = 0x4d4f_5449;

/// System calls that a program must allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// It creates process groups and shared memory, as `afl-fuzz` does.
    pub groups: bool,
    /// A leak checker stops the process from a helper thread.
    pub leaks: bool,
    /// It is not running yet: one program must still be started.
    pub start: bool,
    /// Landlock does not prevent writes elsewhere.
    pub writes_open: bool,
    /// Landlock does not know `truncate`.
    pub truncate_open: bool,
}

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The condition under which a system call is refused.
#[derive(Clone, Copy)]
enum When {
    /// The argument at this index is not this value.
    ArgumentIsNot(usize, u32),
    /// The argument at this index has none of these bits.
    HasNone(usize, u32),
    /// The argument at this index has one of these bits.
    HasAny(usize, u32),
}

struct Program {
    code: Vec<libc::sock_filter>,
}

impl Program {
    fn new() -> Self {
        let mut program = Self { code: Vec::new() };
        program.step(LOAD, 0, 0, offset_of!(libc::seccomp_data, arch) as u32);
        program.step(EQUAL, 1, 0, ARCH);
        // Another architecture has other call numbers.
        program.step(RETURN, 0, 0, refusal(libc::ENOSYS));
        program.step(LOAD, 0, 0, offset_of!(libc::seccomp_data, nr) as u32);
        #[cfg(target_arch = "x86_64")]
        {
            // So has the x32 interface.
            program.step(ANY_BIT, 0, 1, 0x4000_0000);
            program.step(RETURN, 0, 0, refusal(libc::ENOSYS));
        }
        program
    }

    fn step(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.code.push(libc::sock_filter { code, jt, jf, k });
    }

    /// Always refuses these calls with `errno`.
    fn refuse(&mut self, calls: &[libc::c_long], errno: i32) {
        // One refusal per group; a jump reaches 255 steps.
        for group in calls.chunks(200) {
            let mut left = group.len();
            for call in group {
                left -= 1;
                // The last one falls through to the refusal, or steps over it.
                self.step(EQUAL, left as u8, u8::from(left == 0), *call as u32);
            }
            self.step(RETURN, 0, 0, refusal(errno));
        }
    }

    fn refuse_when(&mut self, call: libc::c_long, when: When, errno: i32) {
        let (argument, code, wanted, value) = match when {
            When::ArgumentIsNot(at, value) => (at, EQUAL, false, value),
            When::HasNone(at, bits) => (at, ANY_BIT, false, bits),
            When::HasAny(at, bits) => (at, ANY_BIT, true, bits),
        };
        // The lower half of an argument, which comes first on both architectures.
        let place = offset_of!(libc::seccomp_data, args) + 8 * argument;
        self.step(EQUAL, 0, 4, call as u32);
        self.step(LOAD, 0, 0, place as u32);
        self.step(code, u8::from(!wanted), u8::from(wanted), value);
        self.step(RETURN, 0, 0, refusal(errno));
        self.step(RETURN, 0, 0, ALLOW);
    }

    fn finish(mut self) -> Vec<libc::sock_filter> {
        self.step(RETURN, 0, 0, ALLOW);
        self.code
    }
}

fn refusal(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno as u32
}

/// Refused to every process that runs code under test.
pub fn base(needs: Needs) -> Vec<libc::sock_filter> {
    let mut program = Program::new();
    // The machine and its namespaces.
    let mut never = vec![
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_move_mount,
        libc::SYS_open_tree,
        libc::SYS_fsopen,
        libc::SYS_fsmount,
        libc::SYS_fsconfig,
        libc::SYS_fspick,
        libc::SYS_mount_setattr,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_reboot,
        libc::SYS_kexec_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_acct,
        libc::SYS_quotactl,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_adjtimex,
        libc::SYS_clock_adjtime,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_syslog,
        libc::SYS_vhangup,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
        libc::SYS_fanotify_init,
        libc::SYS_open_by_handle_at,
    ];
    // Other processes.
    never.extend([
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_process_madvise,
        libc::SYS_pidfd_getfd,
        libc::SYS_pidfd_send_signal,
        libc::SYS_ioprio_set,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
    ]);
    // Modes, owners and times of files, which Landlock does not cover.
    never.extend([
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchmodat2,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
    ]);
    #[cfg(target_arch = "x86_64")]
    never.extend([
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
        libc::SYS_iopl,
        libc::SYS_ioperm,
        libc::SYS_kexec_file_load,
    ]);
    // Objects that outlive a process and are found by number.
    never.extend([libc::SYS_msgget, libc::SYS_msgsnd, libc::SYS_msgctl, libc::SYS_mq_open, libc::SYS_mq_unlink]);
    never.extend([libc::SYS_semget, libc::SYS_semop, libc::SYS_semtimedop, libc::SYS_semctl]);
    if !needs.groups {
        // A process outside its group would not be killed with it.
        never.extend([libc::SYS_setpgid, libc::SYS_setsid]);
        never.extend([libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl]);
    }
    if !needs.leaks {
        never.push(libc::SYS_ptrace);
    }
    if needs.truncate_open {
        never.push(libc::SYS_truncate);
    }
    program.refuse(&never, libc::EPERM);
    program.refuse(&[libc::SYS_socket], libc::EACCES);
    // Their arguments are in memory, where a filter cannot look; the C library has another way for each.
    let unseen = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register, libc::SYS_clone3];
    program.refuse(&unseen, libc::ENOSYS);
    // Only on the process itself.
    for call in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler] {
        program.refuse_when(call, When::ArgumentIsNot(0, 0), libc::EPERM);
    }
    for call in [libc::SYS_sched_setparam, libc::SYS_sched_setattr] {
        program.refuse_when(call, When::ArgumentIsNot(0, 0), libc::EPERM);
    }
    program.refuse_when(libc::SYS_setpriority, When::ArgumentIsNot(1, 0), libc::EPERM);
    program.finish()
}

/// Additionally refused to the unit.
pub fn last(needs: Needs) -> Vec<libc::sock_filter> {
    let mut program = Program::new();
    // Threads are allowed; a leak checker's helper is recognised by a flag that nothing else has.
    let threads = libc::CLONE_THREAD | if needs.leaks { libc::CLONE_UNTRACED } else { 0 };
    program.refuse_when(libc::SYS_clone, When::HasNone(0, threads as u32), libc::EAGAIN);
    for call in
        [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
    {
        program.refuse_when(call, When::ArgumentIsNot(0, SELF), libc::EPERM);
    }
    #[cfg(target_arch = "x86_64")]
    program.refuse(&[libc::SYS_fork, libc::SYS_vfork], libc::EAGAIN);
    if !needs.start {
        program.refuse(&[libc::SYS_execve, libc::SYS_execveat], libc::EACCES);
    }
    if needs.writes_open {
        nothing_written(&mut program);
    }
    program.finish()
}

/// If nothing else prevents writes: files can only be opened for reading, and nothing can be created, moved or
/// deleted.
fn nothing_written(program: &mut Program) {
    let mut never = vec![
        libc::SYS_unlinkat,
        libc::SYS_renameat2,
        libc::SYS_mkdirat,
        libc::SYS_mknodat,
        libc::SYS_linkat,
        libc::SYS_symlinkat,
        libc::SYS_truncate,
    ];
    #[cfg(target_arch = "x86_64")]
    never.extend([
        libc::SYS_unlink,
        libc::SYS_rmdir,
        libc::SYS_rename,
        libc::SYS_renameat,
        libc::SYS_mkdir,
        libc::SYS_mknod,
        libc::SYS_link,
        libc::SYS_symlink,
        libc::SYS_creat,
    ]);
    program.refuse(&never, libc::EACCES);
    program.refuse(&[libc::SYS_openat2], libc::ENOSYS);
    let writing = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u32;
    program.refuse_when(libc::SYS_openat, When::HasAny(2, writing), libc::EACCES);
    #[cfg(target_arch = "x86_64")]
    program.refuse_when(libc::SYS_open, When::HasAny(1, writing), libc::EACCES);
}

/// A program in the form that a worker reads from its environment.
pub fn hex(program: &[libc::sock_filter]) -> String {
    let mut text = String::with_capacity(program.len() * 16);
    for step in program {
        for byte in step.code.to_le_bytes().into_iter().chain([step.jt, step.jf]).chain(step.k.to_le_bytes()) {
            text += &format!("{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interprets a program as the kernel does.
    fn answer(program: &[libc::sock_filter], nr: libc::c_long, args: [u64; 6]) -> u32 {
        let mut data = [0u8; size_of::<libc::seccomp_data>()];
        data[..4].copy_from_slice(&(nr as u32).to_le_bytes());
        data[4..8].copy_from_slice(&ARCH.to_le_bytes());
        for (at, arg) in args.iter().enumerate() {
            data[16 + at * 8..24 + at * 8].copy_from_slice(&arg.to_le_bytes());
        }
        let (mut at, mut word) = (0, 0u32);
        loop {
            let step = program[at];
            at += 1;
            let jump = |taken: bool| usize::from(if taken { step.jt } else { step.jf });
            match step.code {
                LOAD => {
                    let place = step.k as usize;
                    word = u32::from_le_bytes([data[place], data[place + 1], data[place + 2], data[place + 3]]);
                }
                EQUAL => at += jump(word == step.k),
                ANY_BIT => at += jump(word & step.k != 0),
                RETURN => return step.k,
                other => panic!("{other:x}"),
            }
        }
    }

    fn refused(program: &[libc::sock_filter], nr: libc::c_long, args: [u64; 6]) -> Option<i32> {
        match answer(program, nr, args) {
            ALLOW => None,
            refusal => Some((refusal & 0xffff) as i32),
        }
    }

    #[test]
    fn what_nobody_needs_is_refused_and_the_rest_is_not() {
        let program = base(Needs::default());
        let nothing = [0; 6];
        for (call, errno) in [
            (libc::SYS_mount, libc::EPERM),
            (libc::SYS_fchmodat, libc::EPERM),
            (libc::SYS_shmctl, libc::EPERM),
            (libc::SYS_setsid, libc::EPERM),
            (libc::SYS_ptrace, libc::EPERM),
            (libc::SYS_socket, libc::EACCES),
            (libc::SYS_io_uring_setup, libc::ENOSYS),
        ] {
            assert_eq!(refused(&program, call, nothing), Some(errno), "{call}");
        }
        for call in [libc::SYS_read, libc::SYS_openat, libc::SYS_execve, libc::SYS_clone, libc::SYS_prlimit64] {
            assert_eq!(refused(&program, call, nothing), None, "{call}");
        }
        assert_eq!(refused(&program, libc::SYS_prlimit64, [1, 0, 0, 0, 0, 0]), Some(libc::EPERM));
        let fuzzer = base(Needs { groups: true, leaks: true, ..Needs::default() });
        for call in [libc::SYS_setsid, libc::SYS_shmget, libc::SYS_ptrace] {
            assert_eq!(refused(&fuzzer, call, nothing), None, "{call}");
        }
    }

    #[test]
    fn a_unit_signals_itself_only_and_makes_threads_but_no_processes() {
        let program = last(Needs::default());
        let first = |value: u64| [value, 0, 0, 0, 0, 0];
        assert_eq!(refused(&program, libc::SYS_kill, first(u64::from(SELF))), None);
        for other in [1, 0, u64::MAX, 4711] {
            assert_eq!(refused(&program, libc::SYS_kill, first(other)), Some(libc::EPERM), "{other}");
        }
        let thread = (libc::CLONE_VM | libc::CLONE_THREAD) as u64;
        let helper = (libc::CLONE_VM | libc::CLONE_UNTRACED) as u64;
        assert_eq!(refused(&program, libc::SYS_clone, first(thread)), None);
        assert_eq!(refused(&program, libc::SYS_clone, first(libc::SIGCHLD as u64)), Some(libc::EAGAIN));
        assert_eq!(refused(&program, libc::SYS_clone, first(helper)), Some(libc::EAGAIN));
        assert_eq!(refused(&last(Needs { leaks: true, ..Needs::default() }), libc::SYS_clone, first(helper)), None);
        assert_eq!(refused(&program, libc::SYS_execve, first(0)), Some(libc::EACCES));
        assert_eq!(refused(&last(Needs { start: true, ..Needs::default() }), libc::SYS_execve, first(0)), None);
        assert_eq!(refused(&program, libc::SYS_openat, [0, 0, libc::O_WRONLY as u64, 0, 0, 0]), None);
    }

    #[test]
    fn where_landlock_is_missing_nothing_is_opened_for_writing() {
        let program = last(Needs { writes_open: true, ..Needs::default() });
        let flags = |flags: i32| [0, 0, flags as u64, 0, 0, 0];
        assert_eq!(refused(&program, libc::SYS_openat, flags(libc::O_RDONLY | libc::O_CLOEXEC)), None);
        for writing in [libc::O_WRONLY, libc::O_RDWR, libc::O_RDONLY | libc::O_TRUNC, libc::O_CREAT] {
            assert_eq!(refused(&program, libc::SYS_openat, flags(writing)), Some(libc::EACCES));
        }
        assert_eq!(refused(&program, libc::SYS_unlinkat, [0; 6]), Some(libc::EACCES));
    }

    #[test]
    fn calls_of_another_architecture_are_refused() {
        let program = base(Needs::default());
        let mut other = program.clone();
        other[1].k ^= 1;
        assert_eq!(refused(&other, libc::SYS_read, [0; 6]), Some(libc::ENOSYS));
        assert_eq!(refused(&program, 0x4000_0000, [0; 6]), Some(libc::ENOSYS));
    }
}
