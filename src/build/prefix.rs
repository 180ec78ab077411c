//! What every C++ driver includes first, compiled once for each way of compiling drivers.

use super::{Builder, CompileJob, Flavor, cache, flags};
use crate::model::Language;
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

impl Builder {
    /// The precompiled beginning of a driver, where it has one and others like it were compiled before.
    pub(super) fn precompiled(&self, job: &CompileJob<'_>) -> Option<PathBuf> {
        let header = job.prefix.as_ref()?;
        let driver = matches!(job.flavor, Flavor::Draft | Flavor::DraftMutant | Flavor::Search | Flavor::Mutant);
        if !driver || job.command.language != Language::Cxx {
            return None;
        }
        // What the project itself puts before every file has to stay there.
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
        // Locked while it is made: who comes meanwhile wants the same.
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

/// The options without those that read a file first.
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
