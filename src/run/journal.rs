//! The output folder's lock, and the journal that is appended as things happen.

use crate::diag::Problem;
use crate::options::Options;
use crate::outcome::Outcome;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// Only one run may write to an output folder; the lock goes with the process.
pub struct Lock(#[allow(dead_code, reason = "held for its lifetime")] File);

impl Lock {
    /// Takes the folder, which is made if it is not there.
    ///
    /// # Errors
    /// Another run has it, or it can't be written.
    pub fn take(output: &Path) -> Result<Self, Problem> {
        let unwritable = |error: std::io::Error| {
            Problem::usage("output-unwritable", error.to_string(), "make it writable, or give another with -o")
                .at(output)
        };
        std::fs::create_dir_all(output).map_err(unwritable)?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(output.join(".lock"))
            .map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                let what = "another run is writing to this output folder";
                Err(Problem::usage("output-locked", what, "wait for it, or give another folder with -o").at(output))
            }
            Err(TryLockError::Error(error)) => Err(unwritable(error)),
        }
    }
}

/// `journal.jsonl`: one line per event.
pub struct Journal(Mutex<File>);

impl Journal {
    /// Begins the journal of a new run; that of the last one is kept beside it.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn create(output: &Path) -> Result<Self, Problem> {
        let path = output.join("journal.jsonl");
        // A missing old journal is the normal case.
        let _ = std::fs::rename(&path, output.join("journal.old.jsonl"));
        let file = File::create(&path).map_err(|error| {
            Problem::usage("output-unwritable", error.to_string(), "make it writable, or give another with -o")
                .at(&path)
        })?;
        Ok(Self(Mutex::new(file)))
    }

    /// What was asked for.
    pub fn started(&self, options: &Options) {
        self.write(&json!({
            "event": "started",
            "seed": options.seed,
            "engine": options.engine.to_string(),
            "budget": options.budget.to_string(),
        }));
    }

    /// A kill that was confirmed.
    pub fn killed(&self, mutant: &str, unit: &str, how: crate::outcome::How, input: &Path, executions: u64) {
        self.write(&json!({
            "event": "killed", "mutant": mutant, "unit": unit, "how": how, "input": input, "executions": executions,
        }));
    }

    /// A unit that is done.
    pub fn unit(&self, unit: &str, killed: usize, of: usize, executions: u64) {
        self.write(
            &json!({ "event": "unit", "unit": unit, "killed": killed, "mutants": of, "executions": executions }),
        );
    }

    /// The end.
    pub fn ended(&self, outcome: &Outcome) {
        self.write(&json!({ "event": "ended", "interrupted": outcome.interrupted, "summary": outcome.summary }));
    }

    fn write(&self, event: &Value) {
        let mut file = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // One write call per line: a reader never sees half of one. A full disk shows when the outcome is written.
        let _ = file.write_all(format!("{event}\n").as_bytes());
    }
}
