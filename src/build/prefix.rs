//! What every C++ driver includes first, compiled once for each way of compiling drivers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// From so many compilations alike on, compiling the beginning apart pays: it costs about as much as it saves twice.
const WORTH_IT: u32 = 3;

/// Precompiled beginnings, by what they are compiled with.
#[derive(Debug, Default)]
pub(super) struct Prefixes(Mutex<HashMap<String, Known>>);

#[derive(Debug, Clone)]
enum Known {
    /// It was asked for so often.
    Asked(u32),
    /// It is there.
    Made(PathBuf),
    /// It does not compile by itself.
    Never,
}

impl Prefixes {
    /// The precompiled beginning under this key, where compilations like it were asked for often enough that `make`
    /// pays.
    pub(super) fn find(&self, key: String, make: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
        // Locked while it is made: who comes meanwhile wants the same.
        let mut known = self.0.lock().unwrap_or_else(|p| p.into_inner());
        let entry = known.entry(key).or_insert(Known::Asked(0));
        if let Known::Asked(times) = entry {
            *times += 1;
            if *times >= WORTH_IT {
                *entry = make().map_or(Known::Never, Known::Made);
            }
        }
        match entry {
            Known::Made(path) => Some(path.clone()),
            Known::Asked(_) | Known::Never => None,
        }
    }
}

/// The options without those that read a file first.
pub(super) fn without_includes(options: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if option == "-include" {
            options.next();
        } else {
            kept.push(option.clone());
        }
    }
    kept
}
