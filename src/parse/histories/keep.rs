//! Which of the histories that were read are worth keeping.

use crate::lexicon::{Lexicon, Role};
use crate::model::history::{Action, History};
use crate::model::{Model, Usr};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

/// The most histories of one class.
const MOST: usize = 24;
/// The most that do the same with other values.
const ALIKE: usize = 2;
/// Whether a name of the path says that it is about tests or examples.
pub(super) fn names_a_test(path: &Path) -> bool {
    Lexicon::default().says(&path.to_string_lossy(), [Role::Test, Role::Example])
}

/// Whether a file uses the library and is no part of it: it is a program, or says so, or offers nothing that others
/// could call.
fn is_user(model: &Model, file: &Path, root: &Path) -> bool {
    if model.files.get(file).is_some_and(|file| file.defines_main)
        || names_a_test(file.strip_prefix(root).unwrap_or(file))
    {
        return true;
    }
    model.functions.values().filter(|f| f.definition.as_ref().is_some_and(|d| d.extent.file == file)).all(|function| {
        let class = model.owner_of(function);
        let class_is_here = class.is_none_or(|c| c.definition.as_ref().is_none_or(|d| d.file == file));
        class_is_here && function.declarations.iter().all(|extent| extent.file == file)
    })
}

/// Leaves of all histories those of users, the richest first.
pub(in crate::parse) fn keep(model: &mut Model, root: &Path) {
    let files: BTreeSet<_> = model.histories.values().flatten().map(|history| history.file.clone()).collect();
    let users: BTreeSet<_> = files.into_iter().filter(|file| is_user(model, file, root)).collect();
    let histories = std::mem::take(&mut model.histories);
    for (class, mut all) in histories {
        all.retain(|history| users.contains(&history.file));
        all.sort_by_cached_key(|history| (Reverse(richness(history)), history.file.clone(), history.line));
        let mut kept: Vec<History> = Vec::new();
        for history in all {
            let alike = kept.iter().filter(|known| actions(known) == actions(&history)).count();
            if alike < ALIKE && kept.len() < MOST && !kept.iter().any(|known| known.is_like(&history)) {
                kept.push(history);
            }
        }
        if !kept.is_empty() {
            model.histories.insert(class, kept);
        }
    }
}

fn actions(history: &History) -> Vec<&Action> {
    history.steps.iter().map(|step| &step.action).collect()
}

/// How many different things are done, then how few steps it takes.
fn richness(history: &History) -> (usize, Reverse<usize>) {
    let functions: BTreeSet<&Usr> = history.functions();
    (functions.len(), Reverse(history.steps.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_of_tests_are_told_by_a_whole_word() {
        for path in
            ["test/a.cpp", "src/muParserTest.cpp", "xmltest.cpp", "a_test.cc", "samples/demo.cpp", "RunTests.cpp"]
        {
            assert!(names_a_test(Path::new(path)), "{path}");
        }
        for path in ["src/parser.cpp", "src/attestation.cpp", "sampler.cpp"] {
            assert!(!names_a_test(Path::new(path)), "{path}");
        }
    }
}
