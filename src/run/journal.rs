//! The lock of the output folder, and the journal, which is written as results arrive.

use super::earlier_run::{Asked, Done, Event, Past, Spent};
use super::identity::Identity;
use crate::diag::Problem;
use crate::emit::prove::Proof;
use crate::outcome::{Kill, Outcome};
use crate::session::output;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// Only one run may write to an output folder; the lock is released with the process.
pub struct Lock(#[allow(dead_code, reason = "held for its lifetime")] File);

impl Lock {
    /// Locks the folder, creates it if needed, and marks it as an output folder.
    ///
    /// # Errors
    ///
    /// It is somebody else's, another run holds it, or it cannot be written.
    pub fn take(output: &Path) -> Result<Self, Problem> {
        let unwritable = |error: std::io::Error| unwritable(output, &error);
        output::is_disposable(output)?;
        std::fs::create_dir_all(output).map_err(unwritable)?;
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(output.join(output::LOCK))
            .map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => {
                file.write_all(output::MARK.as_bytes()).map_err(unwritable)?;
                Ok(Self(file))
            }
            Err(TryLockError::WouldBlock) => {
                let what = "another run is writing to this output folder";
                Err(Problem::usage("output-locked", what, "wait for it, or give another folder with -o").at(output))
            }
            Err(TryLockError::Error(error)) => Err(unwritable(error)),
        }
    }
}

/// The journal's name in the output folder.
pub const NAME: &str = "journal.jsonl";

/// The journal: one line per event, written at once, so that a resumed run knows everything but the units in
/// progress.
pub struct Journal(Mutex<State>);

struct State {
    file: File,
    /// Why writing has stopped.
    failed: Option<String>,
    since: Instant,
    /// The cost of earlier parts of the run.
    before: Spent,
}

impl Journal {
    /// Starts the journal of a new run; the last run's journal is kept beside it.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn create(output: &Path, time: &str, identity: Identity) -> Result<Self, Problem> {
        let path = output.join(NAME);
        // Usually there is no old journal.
        let _ = std::fs::rename(&path, output.join("journal.old.jsonl"));
        let file = File::create(&path).map_err(|error| unwritable(&path, &error))?;
        Self::begin(&path, file, Spent::default(), &Event::Started { time: time.to_owned(), identity })
    }

    /// Continues a journal after its last whole line.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn resume(output: &Path, time: &str, past: &Past) -> Result<Self, Problem> {
        let path = output.join(NAME);
        let open = || {
            let file = OpenOptions::new().append(true).open(&path)?;
            file.set_len(past.whole)?;
            Ok(file)
        };
        let file = open().map_err(|error: std::io::Error| unwritable(&path, &error))?;
        Self::begin(&path, file, past.spent, &Event::Resumed { time: time.to_owned() })
    }

    fn begin(path: &Path, file: File, before: Spent, event: &Event) -> Result<Self, Problem> {
        let journal = Self(Mutex::new(State { file, failed: None, since: Instant::now(), before }));
        journal.write(event);
        match journal.failed() {
            Some(why) => Err(full(&why).at(path)),
            None => Ok(journal),
        }
    }

    /// Records what an earlier run has found.
    pub fn took_over(&self, past: &Past) {
        past.events().iter().for_each(|event| self.write(event));
    }

    /// Records a confirmed kill.
    pub fn killed(&self, mutant: &str, unit: &str, kill: &Kill) {
        self.write(&Event::Killed { mutant: mutant.to_owned(), unit: unit.to_owned(), kill: kill.clone() });
    }

    /// Records a finished unit. `build` is the compilation cost of this part of the run, `budget` what all parts have
    /// spent of the whole run's.
    pub fn unit(&self, done: Done, build: f64, budget: u64) {
        let spent = self.spent(build, budget);
        self.write(&Event::Unit { done: Box::new(done), spent });
    }

    /// Records a slice of a unit's search: its cost counts even if the unit starts again.
    pub fn slice(&self, unit: &str, build: f64, budget: u64) {
        let spent = self.spent(build, budget);
        self.write(&Event::Slice { unit: unit.to_owned(), spent });
    }

    /// Records what the solver said of a unit's mutants.
    pub fn asked(&self, unit: &str, told: Asked) {
        self.write(&Event::Asked { unit: unit.to_owned(), told: Box::new(told) });
    }

    fn spent(&self, build: f64, budget: u64) -> Spent {
        let state = self.state();
        let wall = state.before.wall + state.since.elapsed().as_secs_f64();
        Spent { wall, build: state.before.build + build, budget }
    }

    /// Records proof attempts, and the mutants whose tests include their unit's source.
    pub fn proved(&self, proofs: &[Proof], with_source: BTreeSet<String>) {
        self.write(&Event::Proved { proofs: proofs.to_vec(), with_source });
    }

    /// Records the end of the run.
    pub fn ended(&self, outcome: &Outcome) {
        self.write(&Event::Ended { interrupted: outcome.interrupted, summary: outcome.summary });
    }

    /// Stops writing, for this reason: results after a full disk cannot be trusted.
    pub fn fail(&self, why: &str) {
        self.state().failed.get_or_insert_with(|| why.to_owned());
    }

    /// Why writing has stopped.
    pub fn failed(&self) -> Option<String> {
        self.state().failed.clone()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self, event: &Event) {
        let mut state = self.state();
        if state.failed.is_some() {
            return;
        }
        let line = match serde_json::to_string(event) {
            Ok(line) => line + "\n",
            Err(error) => {
                state.failed = Some(error.to_string());
                return;
            }
        };
        // One write call per line: a line survives if this process dies right after it.
        if let Err(error) = state.file.write_all(line.as_bytes()) {
            state.failed = Some(error.to_string());
        }
    }
}

/// The problem that ends a run for want of room.
pub fn full(why: &str) -> Problem {
    let fix = "free some space, then run the same command with `--resume`; results so far are kept";
    Problem::usage("disk-full", format!("the run cannot continue: {why}"), fix)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage("output-unwritable", error.to_string(), "make it writable, or give another with -o").at(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::is_full;

    #[test]
    fn a_journal_that_can_not_be_written_says_why_and_keeps_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::create(folder.path(), "now", Identity::default()).unwrap();
        let whole = std::fs::read(folder.path().join(NAME)).unwrap();
        // A device that is always full.
        journal.state().file = OpenOptions::new().append(true).open("/dev/full").unwrap();
        assert_eq!(journal.failed(), None);
        journal.proved(&[], BTreeSet::new());
        let why = journal.failed().unwrap();
        assert!(is_full(&why), "{why}");
        assert_eq!(full(&why).code, "disk-full");
        assert_eq!(std::fs::read(folder.path().join(NAME)).unwrap(), whole);
    }

    #[test]
    fn a_run_goes_on_behind_the_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        drop(Journal::create(folder.path(), "now", Identity::default()).unwrap());
        let path = folder.path().join(NAME);
        let torn = [std::fs::read(&path).unwrap(), b"{\"event\":\"uni".to_vec()].concat();
        std::fs::write(&path, torn).unwrap();
        let past = Past::read(folder.path()).unwrap();
        drop(Journal::resume(folder.path(), "later", &past).unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        let events: Vec<Event> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(matches!(events[..], [Event::Started { .. }, Event::Resumed { .. }]), "{text}");
    }
}
