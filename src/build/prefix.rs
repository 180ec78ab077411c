//! Headers that come precompiled: what every C++ driver includes first, and the framework of tests.
//!
//! A header that lies in the user's store is compiled there, once for all projects that have the same options. Folders
//! to look for headers in are not among those, unless one of them has a header by a name that was read.

use super::prefixes::Known;
use super::{Builder, CompileFailure, CompileJob, FailureKind, Flavor, cache, flags, store};
use crate::compdb::CompileCommand;
use crate::model::Language;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// From so many drivers of a run alike on, compiling their beginning for this run alone pays: it costs about as much as
/// it saves twice.
const WORTH_IT: u32 = 3;

/// Options that name a folder to look for headers in.
const SEARCHED: [&str; 5] = ["-isystem", "-iquote", "-idirafter", "-I", "-F"];

impl Builder {
    /// What a file begins with, precompiled: where it is there for all runs, or others like it were compiled before.
    pub(super) fn precompiled(&self, job: &CompileJob<'_>) -> Option<PathBuf> {
        let header = job.prefix.as_ref()?;
        if job.flavor.afl().is_some() || job.command.language != Language::Cxx {
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
            if let Some(shared) = (*times == 1).then(|| self.shared(&own)).flatten() {
                *entry = Known::Made(shared);
            } else if is_test(job) || *times >= WORTH_IT {
                *entry = self.compile(&own).map_or(Known::Never, Known::Made);
            }
        }
        match entry {
            Known::Made(path) => Some(path.clone()),
            Known::Asked(_) | Known::Never => None,
        }
    }

    /// The header of `job` compiled for all projects; none where the project makes another one of it.
    fn shared(&self, job: &CompileJob<'_>) -> Option<PathBuf> {
        let store = self.store.as_ref().filter(|store| job.source.starts_with(store.folder()))?;
        let (args, mut folders) = without_folders(&flags::kept(job.command, job.flavor));
        let (extra, more) = without_folders(&job.extra);
        folders.extend(more);
        // Another path may be relative, or of this project alone.
        let is_path = |arg: &&String| arg.contains('/') && !arg.starts_with("-D");
        if args.iter().chain(&extra).any(|arg| is_path(&arg)) {
            return None;
        }
        let command = CompileCommand {
            directory: store.folder().to_path_buf(),
            file: job.source.clone(),
            args,
            std: flags::standard(job.command, true),
            ..job.command.clone()
        };
        let shared = CompileJob { command: &command, extra, ..job.clone() };
        let (object, key) = self.compile_in(&store.cache, &shared).ok()?;
        store::used(&object);
        let mut read = store.cache.read_for(&key, &object);
        // What stands beside the header is found there first.
        read.retain(|file| file.parent() != job.source.parent());
        let elsewhere = folders.iter().any(|folder| has_one_of(&job.command.directory.join(folder), &read));
        (!elsewhere).then_some(object)
    }
}

/// A header of tests is worth compiling for a single one: it is most of the work.
fn is_test(job: &CompileJob<'_>) -> bool {
    matches!(job.flavor, Flavor::Plain | Flavor::Sanitized(_))
}

/// Whether `job` may compile without what was precompiled. A test may go with it or not, for reasons of its project.
pub(super) fn may_be_why(job: &CompileJob<'_>, failure: &CompileFailure) -> bool {
    let says = |words: &str| failure.stderr.contains(words);
    failure.kind == FailureKind::Refused
        && (is_test(job) || says("PCH file") || says("precompiled header") || says("AST file"))
}

/// The options without those that name folders to look in, and the folders.
fn without_folders(options: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut folders) = (Vec::new(), Vec::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match SEARCHED.iter().find_map(|flag| option.strip_prefix(flag)) {
            Some("") => folders.extend(options.next().cloned()),
            Some(folder) => folders.push(folder.to_owned()),
            None => kept.push(option.clone()),
        }
    }
    (kept, folders)
}

/// Whether including one of the files that were `read` may find another one in `folder`.
fn has_one_of(folder: &Path, read: &[PathBuf]) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names: BTreeSet<OsString> = entries.map(|entry| entry.file_name()).collect();
    read.iter().any(|file| {
        let parts: Vec<_> = file.iter().collect();
        (1..parts.len()).filter(|at| names.contains(parts[*at])).any(|at| {
            let there = folder.join(parts[at..].iter().collect::<PathBuf>());
            there != *file && there.is_file()
        })
    })
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
