//! How a program runs the two sides of a unit, one input or many in a process: the words of `runtime/afl_main.c`.

use std::ffi::OsString;
use std::path::PathBuf;

/// How the original and the mutant are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// One behind the other, in a process for each input.
    Together,
    /// The original in a child of its own: it leaves something behind.
    Apart,
    /// Many inputs in one process, which puts the variables back before each side; with the file of an input that is
    /// run before all others.
    Kept(PathBuf),
}

impl Sides {
    /// What the program is told, up to the input's file.
    pub(super) fn arguments(&self, number: u32) -> Vec<OsString> {
        match self {
            Self::Together => vec![number.to_string().into()],
            Self::Apart => vec![format!("forked:{number}").into()],
            Self::Kept(warm) => vec![format!("kept:{number}").into(), warm.into()],
        }
    }

    /// Whether `afl-fuzz` hands inputs over in memory, and not in a file.
    pub(super) fn in_memory(&self) -> bool {
        matches!(self, Self::Kept(_))
    }
}
