//! Headers that come precompiled: what every C++ driver includes first, the framework of tests with the headers of
//! one source file, and the directives that a source file begins with, for its mutants.
//!
//! A header that lies in the user's store is compiled there, once for all projects that have the same options. Folders
//! to look for headers in are not among those, unless one of them has a header by a name that was read.

use super::prefixes::Known;
use super::{Builder, CompileFailure, CompileJob, FailureKind, Flavor, cache, flags};
use crate::compdb::CompileCommand;
use crate::lex;
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
    /// The options with which the beginning of a file comes precompiled: the headers of ours that it includes first, or
    /// the directives that a mutated source has in common with the original. `None` where that is not worth it yet.
    pub(super) fn precompiled(&self, job: &CompileJob<'_>) -> Option<Vec<String>> {
        // Files that the project includes before every source must stay first.
        let first = |arg: &String| matches!(arg.as_str(), "-include" | "-imacros" | "-Xclang");
        if job.flavor.afl().is_some() || flags::kept(job.command, job.flavor).iter().any(first) {
            return None;
        }
        let with = |path: PathBuf| vec!["-include-pch".to_owned(), path.display().to_string()];
        let Some((header, before)) = job.prefix.split_last() else {
            let (own, length) = preamble(self, job)?;
            let read = ["-Xclang".to_owned(), format!("-preamble-bytes={length},1")];
            return Some([with(self.known(&own, WORTH_IT, true)?), read.to_vec()].concat());
        };
        if job.command.language != Language::Cxx {
            return None;
        }
        // The framework's header is most of a test's work.
        let enough = if is_test(job) && before.is_empty() { 1 } else { WORTH_IT };
        let base =
            (!before.is_empty()).then(|| self.precompiled(&CompileJob { prefix: before.to_vec(), ..job.clone() }));
        let base = base.flatten();
        let mut own = header_job(job, header.clone());
        own.extra.extend(base.iter().flatten().cloned());
        self.known(&own, enough, !before.is_empty()).map(with).or(base)
    }

    /// A header with this text, named by it, to be precompiled.
    ///
    /// # Errors
    /// It can't be written.
    pub fn header(&self, text: &str) -> std::io::Result<PathBuf> {
        self.cache.file(text.as_bytes(), "hpp")
    }

    /// The header that `own` compiles, where it was precompiled, or is requested for the `enough`th time. If it is of
    /// one source file, it is only kept for a while.
    fn known(&self, own: &CompileJob<'_>, enough: u32, of_one_source: bool) -> Option<PathBuf> {
        let args = self.arguments(own).ok()?;
        let folder = own.command.directory.as_os_str().as_encoded_bytes();
        let source = own.source.as_os_str().as_encoded_bytes();
        let key = cache::key(args.iter().map(|arg| arg.as_bytes()).chain([source, folder]));
        let entry = self.prefixes.of(key);
        // Locked during the build: parallel requests want the same.
        let mut known = entry.lock().unwrap_or_else(|p| p.into_inner());
        let mut is_new = false;
        if let Known::Asked(times) = &mut *known {
            *times += 1;
            if let Some(shared) = (*times == 1).then(|| shared(self, own)).flatten() {
                *known = Known::Made(shared);
            } else if *times >= enough {
                *known = self.compile(own).map_or(Known::Never, Known::Made);
                is_new = true;
            }
        }
        let Known::Made(path) = known.clone() else { return None };
        drop(known);
        if is_new && of_one_source {
            self.prefixes.keep_a_few(entry);
        }
        Some(path)
    }
}

/// What `job` compiles up to its first declaration, as a header, and its length, where `job` compiles a mutated
/// source file. Mutants of one file have it in common.
fn preamble<'j>(builder: &Builder, job: &CompileJob<'j>) -> Option<(CompileJob<'j>, usize)> {
    let [(original, mutated)] = job.overlay.as_slice() else { return None };
    let folder = job.source.parent().filter(|_| *original == job.source)?;
    // The folder of the file comes first, before all others.
    if flags::kept(job.command, job.flavor).iter().any(|arg| arg.starts_with("-iquote") || arg == "-I-") {
        return None;
    }
    let text = std::fs::read(mutated).ok()?;
    let length = lex::preamble(&text);
    let header = (length > 0).then(|| builder.cache.file(&text[..length], "hpp"))?.ok()?;
    let mut own = header_job(job, header);
    own.extra.splice(0..0, ["-iquote".to_owned(), folder.display().to_string()]);
    Some((own, length))
}

/// The header of `job` compiled for all projects; none where the project makes another one of it.
fn shared(builder: &Builder, job: &CompileJob<'_>) -> Option<PathBuf> {
    let store = builder.store.as_ref().filter(|store| job.source.starts_with(store.folder()))?;
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
    let (object, key) = builder.compile_in(&store.cache, &shared).ok()?;
    store.cache.used(&key, &object);
    let mut read = store.cache.read_for(&key, &object);
    // What stands beside the header is found there first.
    read.retain(|file| file.parent() != job.source.parent());
    let elsewhere = folders.iter().any(|folder| has_one_of(&job.command.directory.join(folder), &read));
    (!elsewhere).then_some(object)
}

/// `header`, precompiled with the options of `job`.
fn header_job<'j>(job: &CompileJob<'j>, header: PathBuf) -> CompileJob<'j> {
    let mut extra = without_includes(&job.extra);
    let language = if job.command.language == Language::Cxx { "c++-header" } else { "c-header" };
    extra.extend(["-x", language, "-Xclang", "-fno-pch-timestamp"].map(String::from));
    if job.command.language == Language::Cxx {
        extra.push("-fpch-instantiate-templates".to_owned());
    }
    CompileJob { source: header, prefix: Vec::new(), overlay: Vec::new(), extra, ..job.clone() }
}

/// Whether `job` is of the build that proves.
fn is_test(job: &CompileJob<'_>) -> bool {
    matches!(job.flavor, Flavor::Plain | Flavor::Sanitized(_))
}

/// Whether `job` may compile without what was precompiled. A test may go with it or not, for reasons of its project.
pub(super) fn may_be_why(job: &CompileJob<'_>, failure: &CompileFailure) -> bool {
    let says = |words: &str| failure.stderr.contains(words);
    failure.kind == FailureKind::Refused
        && (is_test(job) || job.prefix.is_empty() || says("PCH file") || says("precompiled header") || says("AST file"))
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
