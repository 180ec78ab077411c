//! Compiles mutants one by one in place of the original, if a copy would tell too little.

use super::batch::{Finding, Stop};
use crate::build::{Builder, CompileFailure, CompileJob, FailureKind, Flavor};
use crate::compdb::CompileCommand;
use crate::mutant::made::Edit;
use crate::mutate::compiler_messages::Message;
use crate::mutate::schema::padded_change;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// The level at which whole files are compared: a compilation per mutant is expensive.
const LEVEL: &str = "-O2";

/// Several mutants of one function.
#[derive(Clone, Debug)]
pub(super) struct Loners<'m> {
    /// The function's file.
    pub file: PathBuf,
    /// The file's text.
    pub source: &'m [u8],
    /// The mutants: the caller's key, and the edits.
    pub mutants: Vec<(usize, &'m [Edit])>,
    /// All of the function's code is in this translation unit's assembly.
    pub comparable: bool,
}

/// The finding of each; a duplicate refers to an earlier one of these, by its index.
pub(super) fn run(
    loners: &Loners<'_>,
    builder: &Builder,
    command: &CompileCommand,
    folder: &Path,
) -> Result<Vec<Finding>, Stop> {
    std::fs::create_dir_all(folder).map_err(|error| CompileFailure::tool(&loners.file, error))?;
    let mut codes: HashMap<Vec<u8>, Option<usize>> = HashMap::new();
    let plain = CompileJob::project(command, Flavor::Mutant).with([LEVEL]);
    if loners.comparable {
        match builder.assembly(&plain) {
            Ok(original) => drop(codes.insert(digest(&original), None)),
            Err(failure) if failure.kind == FailureKind::Refused => {
                return Ok(vec![Finding::New; loners.mutants.len()]);
            }
            Err(failure) => return Err(failure),
        }
    }
    let mut found = Vec::new();
    for (index, (_, edits)) in loners.mutants.iter().enumerate() {
        let extension = loners.file.extension().unwrap_or_default();
        let text = folder.join("mutant").with_extension(extension);
        let job = plain.clone().replacing(&loners.file, &text);
        let written = std::fs::write(&text, padded_change(edits, loners.source));
        written.map_err(|error| CompileFailure::tool(&text, error))?;
        let code = match loners.comparable {
            true => builder.assembly(&job).map(Some),
            false => builder.accepts(&job).map(|()| None),
        };
        found.push(match code {
            Ok(Some(assembly)) => match codes.entry(digest(&assembly)) {
                Entry::Occupied(known) => known.get().map_or(Finding::Equivalent, Finding::Duplicate),
                Entry::Vacant(free) => {
                    free.insert(Some(index));
                    Finding::New
                }
            },
            Ok(None) => Finding::New,
            Err(failure) => match failure.kind {
                FailureKind::Refused => Finding::Unbuildable(shortened(&failure.first_error)),
                FailureKind::TimedOut => Finding::New,
                FailureKind::Interrupted | FailureKind::Tool => return Err(failure),
            },
        });
    }
    Ok(found)
}

fn digest(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

/// `/a/b.cpp:3:4: error: message` as `b.cpp:3: message`.
fn shortened(error: &str) -> String {
    let message = ["fatal error: ", "error: "].iter().find_map(|kind| error.split_once(kind)).map(|(_, text)| text);
    let read = Message::read(error).and_then(|read| Some((Path::new(read.file).file_name()?, read.line)));
    match (read, message) {
        (Some((file, line)), Some(message)) => format!("{}:{line}: {message}", file.to_string_lossy()),
        _ => message.unwrap_or(error).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shortened_to_the_file_the_line_and_the_message() {
        assert_eq!(shortened("/a/b.cpp:3:4: error: no x: really"), "b.cpp:3: no x: really");
        assert_eq!(shortened("clang: error: no such file"), "no such file");
        assert_eq!(shortened("odd"), "odd");
    }
}
