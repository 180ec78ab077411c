//! Verdicts by a bounded model checker, an external program: ESBMC, which has z3 and Bitwuzla in it.
//!
//! It reads the driver of the search (`runtime/motif_solver.h` stands in for the runtime) with the mutants in place,
//! and is asked whether any input makes a difference. It is not believed blindly: known programs are asked first
//! (`canaries`), and what it says of mutants that died is held against it (`run/solving.rs`).

mod canaries;
pub mod flat;
pub mod knowledge;
pub mod ladder;
pub mod opaque;
pub mod query;

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

pub use ladder::{Asked, Bound, Decided, Decision, Program, Seen};

/// The solver, whose answers to known questions were right.
#[derive(Clone, Debug)]
pub struct Solver {
    /// The program.
    pub program: PathBuf,
    /// `esbmc 8.4.0`.
    pub tool: String,
}

impl Solver {
    /// The program at `path`, once it has answered known questions rightly; `folder` says so for the next run.
    ///
    /// # Errors
    /// It can't be started, or is wrong: the message says where.
    pub fn open(path: &Path, version: Option<&str>, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let tool = format!("esbmc {}", version.unwrap_or("of unknown version"));
        let wrong = canaries::wrong(path, version.unwrap_or_default(), folder)?;
        if let Some(first) = wrong.first() {
            let more = if wrong.len() > 1 { format!(", and {} more", wrong.len() - 1) } else { String::new() };
            anyhow::bail!("{tool} is wrong about what is known ({first}{more})");
        }
        Ok(Self { program: path.to_path_buf(), tool })
    }
}
