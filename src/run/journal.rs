//! The output folder's lock, and the journal that is appended as things happen.

use super::earlier_run::{Done, Event, Past, Spent};
use super::identity::Identity;
use crate::diag::Problem;
use crate::emit::prove::Proof;
use crate::outcome::{Kill, Outcome};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// Only one run may write to an output folder; the lock goes with the process.
pub struct Lock(#[allow(dead_code, reason = "held for its lifetime")] File);

impl Lock {
    /// Takes the folder, which is made if it is not there.
    ///
    /// # Errors
    /// Another run has it, or it can't be written.
    pub fn take(output: &Path) -> Result<Self, Problem> {
        let unwritable = |error: std::io::Error| unwritable(output, &error);
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

/// The journal's name in the output folder.
pub const NAME: &str = "journal.jsonl";

/// The journal: one line per event, written as things happen, so that whoever goes on knows of all but what was under
/// way.
pub struct Journal(Mutex<State>);

struct State {
    file: File,
    /// Why nothing more can be written.
    failed: Option<String>,
    since: Instant,
    /// What earlier parts of the run have cost.
    before: Spent,
}

impl Journal {
    /// Begins the journal of a new run; that of the last one is kept beside it.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn create(output: &Path, time: &str, identity: Identity) -> Result<Self, Problem> {
        let path = output.join(NAME);
        // A missing old journal is the normal case.
        let _ = std::fs::rename(&path, output.join("journal.old.jsonl"));
        let file = File::create(&path).map_err(|error| unwritable(&path, &error))?;
        Self::begin(&path, file, Spent::default(), &Event::Started { time: time.to_owned(), identity })
    }

    /// Goes on with a journal, behind what is whole of it.
    ///
    /// # Errors
    /// The file can't be written.
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

    /// A kill that was confirmed.
    pub fn killed(&self, mutant: &str, unit: &str, kill: &Kill) {
        self.write(&Event::Killed { mutant: mutant.to_owned(), unit: unit.to_owned(), kill: kill.clone() });
    }

    /// A unit that is done; `build` is what compilers and linkers have cost in this part of the run, `budget` what is gone
    /// of the whole run's in all its parts.
    pub fn unit(&self, done: Done, build: f64, budget: u64) {
        let spent = self.spent(build, budget);
        self.write(&Event::Unit { done: Box::new(done), spent });
    }

    /// A slice of a unit's search is over: what was spent by then is spent, even if the unit begins anew.
    pub fn slice(&self, unit: &str, build: f64, budget: u64) {
        let spent = self.spent(build, budget);
        self.write(&Event::Slice { unit: unit.to_owned(), spent });
    }

    fn spent(&self, build: f64, budget: u64) -> Spent {
        let state = self.state();
        let wall = state.before.wall + state.since.elapsed().as_secs_f64();
        Spent { wall, build: state.before.build + build, budget }
    }

    /// Tests that were tried, and the mutants of those that include their unit's source.
    pub fn proved(&self, proofs: &[Proof], with_source: BTreeSet<String>) {
        self.write(&Event::Proved { proofs: proofs.to_vec(), with_source });
    }

    /// The end.
    pub fn ended(&self, outcome: &Outcome) {
        self.write(&Event::Ended { interrupted: outcome.interrupted, summary: outcome.summary });
    }

    /// Nothing more is written, for that reason: what comes of a full disk is not to be believed.
    pub fn fail(&self, why: &str) {
        self.state().failed.get_or_insert_with(|| why.to_owned());
    }

    /// Why nothing more is written.
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
        // One write call per line: what is there is there even if this process is gone the next moment.
        if let Err(error) = state.file.write_all(line.as_bytes()) {
            state.failed = Some(error.to_string());
        }
    }
}

/// The problem that ends a run for want of room.
pub fn full(why: &str) -> Problem {
    let fix = "make room, then go on with the same command and `--resume`; what was found until then is kept";
    Problem::usage("disk-full", format!("the run can't go on: {why}"), fix)
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
