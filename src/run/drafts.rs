//! Which units of a run may share a draft, and a unit's part of the one that it shares.

use super::unit_result::Work;
use crate::engine::Side;
use crate::model::{Language, Usr};
use crate::outcome::Home;
use crate::plan::UnitPlan;
use crate::probes::Watched;
use crate::session::Session;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// So many units share a draft at most: all of them wait for it.
pub(super) const UNITS_MOST: usize = 24;

/// And so many mutants, about.
pub(super) const MUTANTS_MOST: usize = 256;

/// The units of a run by the drafts that they may share.
#[derive(Default)]
pub struct Groups {
    pub(super) groups: Vec<Group>,
    pub(super) of: BTreeMap<Usr, usize>,
}

pub(super) struct Group {
    /// Indexes into the run's works.
    pub(super) works: Vec<usize>,
    pub(super) drafts: OnceLock<BTreeMap<Usr, Draft>>,
}

/// A unit's part of what it shares.
pub struct Draft {
    /// For which plan it was built.
    pub(super) plan: UnitPlan,
    /// The shared object, and which of its units this is, from 1.
    pub(super) so: PathBuf,
    pub(super) number: usize,
    /// The shared object with the mutants in place, where there is no copy.
    pub(super) image: Option<PathBuf>,
    /// What the text notes about its mutants.
    pub watched: BTreeMap<usize, Watched>,
    /// The copy's callers may be such as the driver does not compile for the original.
    pub reaches_out: bool,
    /// This unit's part of the cost, CPU seconds.
    pub share: f64,
    /// What building it alone would cost, by and large.
    pub alone: f64,
}

/// A draft in the folder of a unit.
pub struct Placed {
    /// The unit's shared object.
    pub unit_so: PathBuf,
    /// Where its mutants are.
    pub side: Side,
}

impl Draft {
    /// How its mutants were made.
    pub fn making(&self) -> Home {
        if self.image.is_some() { Home::InPlace } else { Home::Copy }
    }

    /// Puts the shared objects into a unit's folder, under names that say which of their units is meant.
    pub fn place(&self, folder: &Path) -> std::io::Result<Placed> {
        let put = |so: &Path, name: &str| {
            let path = folder.join(format!("{name}.{}.so", self.number));
            let _ = std::fs::remove_file(&path);
            std::fs::hard_link(so, &path).or_else(|_| std::fs::copy(so, &path).map(drop))?;
            std::io::Result::Ok(path)
        };
        let side = match &self.image {
            None => Side::COPY,
            Some(image) => Side::of(Home::InPlace, put(image, "image")?),
        };
        Ok(Placed { unit_so: put(&self.so, "unit")?, side })
    }
}

impl Groups {
    /// Units whose bodies stand in one file, in the order of the run.
    pub fn new(session: &Session, works: &[Work]) -> Self {
        // A function's copy takes what the original takes, a method's other copies: they do not go together.
        let mut files: BTreeMap<(&Path, bool), Vec<usize>> = BTreeMap::new();
        for (index, work) in works.iter().enumerate() {
            let function = &session.model.functions[&work.unit];
            if let Some(definition) = function.definition.as_ref().filter(|_| function.language == Language::Cxx) {
                files.entry((&definition.body.file, function.owner.is_some())).or_default().push(index);
            }
        }
        let mut groups = Self::default();
        for all in files.into_values() {
            let mutants: usize = all.iter().map(|index| works[*index].mutants.len()).sum();
            let parts = all.len().div_ceil(UNITS_MOST).max(mutants.div_ceil(MUTANTS_MOST)).max(1);
            // All about as large: what they have in common is paid for by each.
            for own in all.chunks(all.len().div_ceil(parts)).filter(|own| own.len() > 1) {
                groups.of.extend(own.iter().map(|index| (works[*index].unit.clone(), groups.groups.len())));
                groups.groups.push(Group { works: own.to_vec(), drafts: OnceLock::new() });
            }
        }
        groups
    }
}
