//! The common prefix of C++ drivers, precompiled once per set of compile options.

use super::{Builder, CompileJob, Flavor, cache, flags};
use crate::model::Language;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Compilations of a kind from which precompiling pays: it costs about as much as it saves twice.
const WORTH_IT: u32 = 3;

/// Precompiled prefixes, by their compile options.
#[derive(Debug, Default)]
pub(super) struct Prefixes(Mutex<HashMap<String, Known>>);

#[derive(Debug, Clone)]
enum Known {
    /// Requested this often.
    Asked(u32),
    /// Precompiled.
    Made(PathBuf),
    /// It does not compile alone.
    Never,
}

impl Builder {
    /// The precompiled prefix of a driver, if enough compilations of its kind came before.
    pub(super) fn precompiled(&self, job: &CompileJob<'_>) -> Option<PathBuf> {
        let header = job.prefix.as_ref()?;
        let driver = matches!(job.flavor, Flavor::Draft | Flavor::DraftMutant | Flavor::Search | Flavor::Mutant);
        if !driver || job.command.language != Language::Cxx {
            return None;
        }
        // Files that the project includes before every source must stay first.
        let first = |arg: &String| matches!(arg.as_str(), "-include" | "-imacros" | "-Xclang");
        if flags::kept(job.command, job.flavor).iter().any(first) {
            return None;
        }
        let mut own = job.clone();
        own.source = header.clone();
        own.prefix = None;
        own.overlay.clear();
        own.extra = without_includes(&job.extra);
        own.extra.extend(
            ["-x", "c++-header", "-Xclang", "-fno-pch-timestamp", "-fpch-instantiate-templates"].map(String::from),
        );
        let args = self.arguments(&own).ok()?;
        let folder = job.command.directory.as_os_str().as_encoded_bytes();
        let key = cache::key(args.iter().map(|arg| arg.as_bytes()).chain([folder]));
        // Locked during the build: parallel requests want the same.
        let mut known = self.prefixes.0.lock().unwrap_or_else(|p| p.into_inner());
        let entry = known.entry(key).or_insert(Known::Asked(0));
        if let Known::Asked(times) = entry {
            *times += 1;
            if *times >= WORTH_IT {
                *entry = self.compile(&own).map_or(Known::Never, Known::Made);
            }
        }
        match entry {
            Known::Made(path) => Some(path.clone()),
            Known::Asked(_) | Known::Never => None,
        }
    }
}

/// The options without those that include a file first.
fn without_includes(options: &[String]) -> Vec<String> {
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
