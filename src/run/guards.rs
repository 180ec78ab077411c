//! When the changes of killed mutants matter, in words for the names of their tests.

use super::shared::Shared;
use super::unit_result::Finished;
use crate::bodies;
use crate::emit::guard::{self, Edit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The conditions by mutant, as [`guard::condition`] tells them. Where a file can't be read, its tests are named
/// without.
pub(super) fn read(shared: &Shared<'_>, finished: &[Finished]) -> BTreeMap<usize, String> {
    let mut by_file: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for kill in finished.iter().filter(|done| done.plan.is_some()).flat_map(|done| &done.kills) {
        let mutant = &shared.mutants[kill.mutant];
        if mutant.pairing.as_ref().is_ok_and(|pairing| !pairing.is_whole) {
            by_file.entry(&mutant.original).or_default().push(kill.mutant);
        }
    }
    let files: Vec<PathBuf> = by_file.keys().map(|file| file.to_path_buf()).collect();
    let told = bodies::read(shared.context, shared.session, &files, &|trees| {
        let source = std::fs::read(&trees.file).ok()?;
        let own = by_file.get(trees.file.as_path())?.iter();
        let told = own.filter_map(|number| {
            let mutated = std::fs::read(&shared.mutants[*number].path).ok()?;
            Some((*number, guard::condition(trees, &Edit::between(&source, &mutated)?)?))
        });
        Some(told.collect::<Vec<_>>())
    });
    told.unwrap_or_default().into_iter().flatten().collect()
}
