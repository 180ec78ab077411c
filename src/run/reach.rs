//! What the result of a unit depends on, as a digest: its driver, the bodies of all that may run in it, the text around
//! them, how they are compiled, and what was asked for.
//!
//! What may run is found by names alone, so that it is never less than what does: a name stands for everything that is
//! called so, with all overloads and all classes. What no name stands for is added by rule: what objects are made,
//! copied, moved, compared, converted and destroyed with, what derives from their classes, and what runs while a
//! program is loaded.

mod index;

use crate::compdb::CompileCommand;
use crate::generate;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::outcome::Home;
use crate::overrides::stamp;
use crate::plan::UnitPlan;
use crate::session::Session;
use index::{Index, Name, Piece};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Names behind which code runs that no name in the text tells of.
const UNSEEN: [&[u8]; 7] = [b"dlsym", b"asm", b"__asm__", b"__asm", b"co_await", b"co_yield", b"co_return"];
/// Names whose meaning depends on the line.
const OF_LINES: [&[u8]; 4] = [b"__LINE__", b"source_location", b"__builtin_LINE", b"__COUNTER__"];

/// What may run in the project, by names.
pub struct Reach {
    /// Digest of all that every unit's result depends on.
    base: String,
    index: Index,
    /// The compile commands, by the numbers of their files.
    commands: BTreeMap<usize, Vec<String>>,
    unseen: BTreeSet<Name>,
    of_lines: BTreeSet<Name>,
}

impl Reach {
    /// For a project; `base` says what all results depend on.
    pub fn new(model: &Model, hierarchy: &Hierarchy, root: &Path, commands: &[CompileCommand], base: String) -> Self {
        let index = Index::new(model, hierarchy, root);
        let known = |names: &[&[u8]]| names.iter().filter_map(|name| index.name(name)).collect();
        let mut by_file: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for command in commands {
            if let Some(file) = index.file(&command.file) {
                by_file.entry(file).or_default().push(format!("{command:?}"));
            }
        }
        let (unseen, of_lines) = (known(&UNSEEN), known(&OF_LINES));
        Self { base, index, commands: by_file, unseen, of_lines }
    }

    /// The digest of a unit whose driver has these texts and is compiled with this command's options; none where it
    /// can't be told what runs.
    pub fn digest(&self, driver: &[(String, String)], command: &CompileCommand) -> Option<String> {
        let index = &self.index;
        let mut open: Vec<Name> = driver.iter().flat_map(|(_, text)| index.names_in(text.as_bytes())).collect();
        open.extend(&index.always);
        let (mut names, mut pieces, mut files) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut see = |file: usize, open: &mut Vec<Name>| {
            for seen in index.seen_from(file) {
                if files.insert(*seen) {
                    open.extend(index.around(*seen));
                }
            }
        };
        // What the driver includes is what its texts say.
        driver.iter().flat_map(|(_, text)| index.included_by(text)).for_each(|file| see(file, &mut open));
        let mut everything = false;
        while let Some(name) = open.pop() {
            if !names.insert(name) {
                continue;
            }
            if self.unseen.contains(&name) {
                return None;
            }
            for number in index.pieces_of(name) {
                if pieces.insert(*number) {
                    let piece = &index.pieces[*number];
                    everything |= piece.is_pasted;
                    open.extend(&piece.names);
                    see(piece.file, &mut open);
                }
            }
        }
        if everything {
            pieces = (0..index.pieces.len()).collect();
            files = (0..index.files.len()).collect();
        }
        let lines = everything || self.of_lines.iter().any(|name| names.contains(name));
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add(self.base.as_bytes());
        add(format!("{command:?}").as_bytes());
        driver.iter().flat_map(|(name, text)| [name, text]).for_each(|text| add(text.as_bytes()));
        let bodies: BTreeSet<(usize, &Piece)> = pieces
            .iter()
            .map(|number| &index.pieces[*number])
            .filter(|piece| piece.is_apart)
            .map(|piece| (piece.file, piece))
            .collect();
        for (file, piece) in bodies {
            add(index.files[file].path.as_os_str().as_encoded_bytes());
            add(&piece.digest);
            add(&if lines { piece.line } else { 0 }.to_le_bytes());
        }
        for file in files {
            add(index.files[file].path.as_os_str().as_encoded_bytes());
            add(&index.files[file].outside);
            self.commands.get(&file).into_iter().flatten().for_each(|command| add(command.as_bytes()));
        }
        Some(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The files of a unit's driver without mutants: which there are does not change how an input is read.
pub(super) fn driver(
    session: &Session,
    edited: &BTreeMap<String, PathBuf>,
    plan: &UnitPlan,
) -> Option<Vec<(String, String)>> {
    let mut generated = generate::unit(&session.model, &session.hierarchy, plan, &[], Home::Image).ok()?;
    stamp::put_edited(edited, &plan.slug, &mut generated.files);
    Some(generated.files)
}

#[cfg(test)]
#[path = "reach_tests.rs"]
mod tests;
