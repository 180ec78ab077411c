//! How a program runs the two sides of a unit, one input or many per process: the arguments of `runtime/afl_main.c`.

use std::ffi::OsString;
use std::path::PathBuf;

/// How the original and the mutant run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// One after the other, in a process per input.
    Together,
    /// The original in a child: it leaves state behind.
    Apart,
    /// Many inputs per process, which restores the variables before each side; with the file of an input that runs
    /// first.
    Kept(PathBuf),
}

impl Sides {
    /// The arguments before the input's file.
    pub(super) fn arguments(&self, number: u32) -> Vec<OsString> {
        match self {
            Self::Together => vec![number.to_string().into()],
            Self::Apart => vec![format!("forked:{number}").into()],
            Self::Kept(warm) => vec![format!("kept:{number}").into(), warm.into()],
        }
    }

    /// Whether `afl-fuzz` passes inputs in shared memory, not in a file.
    pub(super) fn in_memory(&self) -> bool {
        matches!(self, Self::Kept(_))
    }
}
