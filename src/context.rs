//! What every command is given, and how several problems travel together.

use crate::config::Config;
use crate::diag::Problem;
use crate::ui::Ui;
pub use crate::ui::shown;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What every command is given.
pub struct Context {
    /// The project's root, absolute.
    pub root: PathBuf,
    /// The project's configuration.
    pub config: Config,
    /// Notes, problems, progress.
    pub ui: Ui,
    /// Set by Ctrl-C: finish what is at hand, keep what was found.
    pub interrupted: Arc<AtomicBool>,
}

impl Context {
    /// Whether the user wants to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Several problems that were collected before a stage ended the run.
#[derive(Debug)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            write!(f, "{}{problem}", if index > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
