//! The memory that the supervisor of the default engine and its worker share.

use super::residual_risk::Often;
use super::{Failures, SearchResult};
use anyhow::Result;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::path::Path;

pub(super) const MAGIC: u32 = 0x4d4f_543a;
pub(super) const SLOTS_MOST: usize = 4096;
pub(super) const INPUT_MOST: usize = 65536;
/// Minimised inputs beside one that was found.
const PLAINS_MOST: usize = 8;
pub(super) const POINTS_MOST: usize = 4096;
pub(super) const SAID_MOST: usize = 192;
/// The size of the file in which a worker counts what the original does.
pub(super) const TIMES_SIZE: u64 = 1 << 19;

pub(super) const SLOT_LIVE: u32 = 1;
pub(super) const SLOT_CANDIDATE: u32 = 2;
pub(super) const SLOT_DONE: u32 = 3;
pub(super) const AT_IDLE: u32 = 0;
pub(super) const AT_ORIGINAL: u32 = 1;
pub(super) const FORKED: u32 = 1;
pub(super) const FLAG_ORIGINAL_DIFFERS: u32 = 1;
pub(super) const FLAG_COPY_DIFFERS: u32 = 2;
pub(super) const FLAG_STATE: u32 = 4;
pub(super) const FLAG_REACHED: u32 = 8;
pub(super) const FLAG_RETURNED: u32 = 16;

/// `struct motif_slot` of runtime/shared.h.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedSlot {
    pub state: u32,
    pub ending: u32,
    pub executions: u64,
    pub returned: u64,
    pub reached: u64,
    pub infected: u64,
    pub unforeseen: u32,
    pub plain: u32,
}

/// `struct motif_shared` of runtime/shared.h.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Shared {
    pub magic: u32,
    pub stop: u32,
    pub allowed: u64,
    pub pause: u64,
    pub executions: u64,
    pub returned: u64,
    pub seeds_done: u64,
    pub hangs: u64,
    pub slots: u32,
    pub at: u32,
    pub active: u32,
    pub forked: u32,
    pub flags: u32,
    pub searching: u32,
    pub input_size: u32,
    pub longest: u32,
    pub fault_ending: u32,
    pub fault_detail: u32,
    pub plain_count: u32,
    pub fills: u32,
    pub thrown: u64,
    pub unmade: u64,
    pub look: u64,
    /// The key of the input that did something new last.
    pub latest: u64,
    pub often: Often,
    pub said: [[u8; SAID_MOST]; 3],
    pub plain_size: [u32; PLAINS_MOST],
    pub slot: [SharedSlot; SLOTS_MOST],
    pub points: [u8; POINTS_MOST],
    pub input: [u8; INPUT_MOST],
    pub plain: [[u8; INPUT_MOST]; PLAINS_MOST],
}

/// The shared memory, mapped. The worker changes it at any time: every access is volatile.
pub(super) struct Mapped {
    pub map: memmap2::MmapMut,
}

macro_rules! shared {
    ($mapped:expr, $($field:tt)+) => {{
        let at: *const $crate::engine::shared::Shared = $mapped.map.as_ptr().cast();
        // SAFETY: the map is as large as `Shared`, aligned to a page, and any bits are a value of its integers.
        unsafe { std::ptr::addr_of!((*at).$($field)+).read_volatile() }
    }};
}
macro_rules! set_shared {
    ($mapped:expr, $field:ident $([$index:expr])? $(. $inner:ident)? = $value:expr) => {{
        let value = $value;
        let at: *mut $crate::engine::shared::Shared = $mapped.map.as_mut_ptr().cast();
        // SAFETY: as above; the map is writable.
        unsafe { std::ptr::addr_of_mut!((*at).$field $([$index])? $(. $inner)?).write_volatile(value) }
    }};
}

pub(super) use {set_shared, shared};

impl Mapped {
    pub fn create(path: &Path) -> Result<Self> {
        let file = preallocated(path, size_of::<Shared>() as u64)?;
        // SAFETY: only the worker that this supervisor starts has the file open, and all access is volatile.
        let map = unsafe { memmap2::MmapMut::map_mut(&file)? };
        Ok(Self { map })
    }

    /// Continues from the result of an earlier search.
    pub fn go_on_from(&mut self, before: &SearchResult) {
        set_shared!(self, executions = before.executions);
        set_shared!(self, returned = before.came_back);
        set_shared!(self, hangs = before.hangs);
        set_shared!(self, thrown = before.failures.thrown);
        set_shared!(self, unmade = before.failures.unmade);
        set_shared!(self, often = before.often);
        set_shared!(self, said[0] = said(&before.failures.failed_said));
        set_shared!(self, said[1] = said(&before.failures.thrown_said));
        set_shared!(self, said[2] = said(&before.failures.unmade_said));
        let told = [
            (before.returned, FLAG_RETURNED),
            (before.changes_state, FLAG_STATE),
            (before.original_differs, FLAG_ORIGINAL_DIFFERS),
            (before.copy_differs, FLAG_COPY_DIFFERS),
            (before.effort.iter().any(|effort| effort.reached), FLAG_REACHED),
        ];
        let flags = told.iter().filter(|(is, _)| *is).fold(0, |flags, (_, flag)| flags | flag);
        set_shared!(self, flags = flags);
        set_shared!(self, forked = if before.forked { FORKED } else { before.isolation });
        set_shared!(self, fills = before.fills.into());
        for (place, was) in before.places.iter().take(POINTS_MOST).enumerate() {
            set_shared!(self, points[place] = u8::from(*was));
        }
        for (index, effort) in before.effort.iter().take(SLOTS_MOST).enumerate() {
            let killed = before.kills.iter().any(|kill| kill.slot == index);
            if killed || effort.reason.is_some() {
                set_shared!(self, slot[index].state = SLOT_DONE);
            }
            set_shared!(self, slot[index].executions = effort.executions);
            set_shared!(self, slot[index].returned = effort.returned.unwrap_or_default());
            set_shared!(self, slot[index].reached = u64::from(effort.reached));
            // Without a count, a reached mutant may have differed.
            set_shared!(self, slot[index].infected = effort.infected.unwrap_or(u64::from(effort.reached)));
        }
    }

    /// The current input.
    pub fn input(&self) -> Vec<u8> {
        self.bytes(std::mem::offset_of!(Shared, input), shared!(self, input_size))
    }

    /// A minimised input for which the candidate differs too; it is there once.
    pub fn take_plain(&mut self, slot: usize) -> Option<Vec<u8>> {
        let number =
            (shared!(self, slot[slot].plain) as usize).checked_sub(1).filter(|number| *number < PLAINS_MOST)?;
        set_shared!(self, slot[slot].plain = 0);
        let at = std::mem::offset_of!(Shared, plain) + number * INPUT_MOST;
        Some(self.bytes(at, shared!(self, plain_size[number])))
    }

    /// Why the original failed or threw.
    pub fn failures(&self) -> Failures {
        let said = |which: usize| {
            let text: [u8; SAID_MOST] = shared!(self, said[which]);
            String::from_utf8_lossy(text.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned()
        };
        Failures {
            thrown: shared!(self, thrown),
            unmade: shared!(self, unmade),
            failed_said: said(0),
            thrown_said: said(1),
            unmade_said: said(2),
        }
    }

    fn bytes(&self, from: usize, size: u32) -> Vec<u8> {
        self.map[from..from + (size as usize).min(INPUT_MOST)].to_vec()
    }
}

/// A new file of zeros, for a process to map.
pub(super) fn preallocated(path: &Path, size: u64) -> Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
    file.set_len(size)?;
    // Reserve the space: writing to a mapped file on a full disk ends the process. SAFETY: plain system call on a file
    // of ours.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, size as libc::off_t) } {
        0 | libc::EOPNOTSUPP | libc::EINVAL => Ok(file),
        error => Err(std::io::Error::from_raw_os_error(error).into()),
    }
}

fn said(text: &str) -> [u8; SAID_MOST] {
    let mut said = [0; SAID_MOST];
    said.iter_mut().zip(text.bytes().take(SAID_MOST - 1)).for_each(|(to, byte)| *to = byte);
    said
}

#[cfg(test)]
mod tests {
    use super::super::residual_risk::TIMES_MOST;
    use super::*;

    #[test]
    fn the_shared_memory_has_the_layout_of_the_worker() {
        assert_eq!(std::mem::offset_of!(Shared, slot), 872);
        assert_eq!(
            size_of::<Shared>(),
            136 + TIMES_MOST * 8
                + 3 * SAID_MOST
                + PLAINS_MOST * 4
                + SLOTS_MOST * 48
                + POINTS_MOST
                + (1 + PLAINS_MOST) * INPUT_MOST
        );
    }
}
