//! Which headers a run has precompiled.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// So many precompiled beginnings of single source files are on disk at a time; each has tens of megabytes.
const FEW: usize = 12;

/// Precompiled headers, by what they are compiled with.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    known: Mutex<HashMap<String, Arc<Mutex<Known>>>>,
    /// Those that only a few files have in common, the oldest first.
    few: Mutex<VecDeque<Arc<Mutex<Known>>>>,
}

#[derive(Debug, Clone)]
pub(super) enum Known {
    /// Requested this often.
    Asked(u32),
    /// Precompiled.
    Made(PathBuf),
    /// It does not compile alone, or not together with what follows.
    Never,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Prefixes {
    /// What is known of the header that is compiled with `key`.
    pub(super) fn of(&self, key: String) -> Arc<Mutex<Known>> {
        locked(&self.known).entry(key).or_insert_with(|| Arc::new(Mutex::new(Known::Asked(0)))).clone()
    }

    /// Does not use the header at `path` again: what followed did not compile with it.
    pub(super) fn forget(&self, path: &str) {
        let is_it = |known: &Known| matches!(known, Known::Made(made) if made == Path::new(path));
        // One of a single source is nobody else's.
        locked(&self.few).retain(|entry| {
            let mut entry = locked(entry);
            let goes = is_it(&entry);
            if goes {
                entry.remove();
                *entry = Known::Never;
            }
            !goes
        });
        // One of them may be in the making, which others are not to wait for.
        let all: Vec<_> = locked(&self.known).values().cloned().collect();
        for entry in &all {
            let mut entry = locked(entry);
            if is_it(&entry) {
                *entry = Known::Never;
            }
        }
    }

    /// All that is known.
    #[cfg(test)]
    pub(super) fn known(&self) -> Vec<Known> {
        locked(&self.known).values().map(|entry| locked(entry).clone()).collect()
    }

    /// Keeps a header until it is the oldest of too many. A compiler that still reads one that is removed fails, and is
    /// started again without it.
    pub(super) fn keep_a_few(&self, entry: Arc<Mutex<Known>>) {
        let oldest = {
            let mut few = locked(&self.few);
            few.push_back(entry);
            if few.len() > FEW { few.pop_front() } else { None }
        };
        if let Some(oldest) = oldest {
            locked(&oldest).remove();
        }
    }
}

impl Known {
    fn remove(&mut self) {
        if let Self::Made(path) = self {
            let _ = std::fs::remove_file(path);
            *self = Self::Asked(0);
        }
    }
}

impl Drop for Prefixes {
    fn drop(&mut self) {
        for entry in locked(&self.few).iter() {
            locked(entry).remove();
        }
    }
}
