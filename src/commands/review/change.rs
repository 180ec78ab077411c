//! One unit's driver: the accepted one, and the one that would be generated now.

use super::accepted::{Entry, FOLDER, Files};
use crate::commands::difference::{painted, unified};
use crate::generate;
use crate::model::Function;
use crate::outcome::Home;
use crate::overrides::stamp::{edited_utilities, unstamped};
use crate::plan::plan_unit;
use crate::plan::planner::Planner;
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The comparison of one unit's driver.
#[derive(Clone, Debug)]
pub struct Change {
    /// The name of its folder.
    pub slug: String,
    /// The name of its folder when accepted.
    pub former: Option<String>,
    /// The unit's id.
    pub id: String,
    /// Why none would be generated.
    pub reason: Option<String>,
    /// The accepted files.
    pub old: Files,
    /// The files that would be generated now.
    pub new: Files,
}

impl Change {
    /// Compares a unit with its accepted driver, if there is one.
    pub fn of(drivers: &Drivers<'_>, unit: &Function, slug: String, accepted: Option<(&String, &Entry)>) -> Self {
        let (new, reason) = match drivers.files(unit) {
            Ok(files) => (files, None),
            Err(why) => (Files::new(), Some(why)),
        };
        Self {
            slug,
            former: accepted.map(|(name, _)| name.clone()),
            id: unit.id.clone(),
            reason,
            old: accepted.map(|(_, entry)| entry.files.clone()).unwrap_or_default(),
            new,
        }
    }

    /// The accepted driver of a unit that no longer exists.
    pub fn gone(name: &str, accepted: &Entry, why: &str) -> Self {
        Self {
            slug: name.to_owned(),
            former: Some(name.to_owned()),
            id: accepted.id.clone(),
            reason: Some(why.to_owned()),
            old: accepted.files.clone(),
            new: Files::new(),
        }
    }

    /// Whether there is anything to accept.
    pub fn differs(&self) -> bool {
        self.old != self.new || self.former.as_ref().is_some_and(|former| *former != self.slug)
    }

    /// The change as a diff.
    pub fn shown(&self, color: bool) -> String {
        let mut text = format!("# {}\n", self.id);
        if let Some(why) = &self.reason {
            text += &format!("# would not be generated: {why}\n");
        }
        let former = self.former.as_ref().unwrap_or(&self.slug);
        if *former != self.slug {
            text += &format!("# {FOLDER}/{former} would become {FOLDER}/{}\n", self.slug);
        }
        let names: BTreeSet<&String> = self.old.keys().chain(self.new.keys()).collect();
        for name in names {
            let (old, new) = (self.old.get(name), self.new.get(name));
            if old == new {
                continue;
            }
            let old_path = Path::new(FOLDER).join(former).join(name);
            let new_path = Path::new(FOLDER).join(&self.slug).join(name);
            text += &unified(
                old.map(|text| (old_path.as_path(), text.as_str())),
                new.map(|text| (new_path.as_path(), text.as_str())),
            );
        }
        painted(&text, color)
    }
}

/// Generates drivers without machine-specific text.
pub struct Drivers<'s> {
    session: &'s Session,
    planner: Planner<'s>,
    edited: BTreeMap<String, PathBuf>,
    /// Paths of this machine with their replacements, longest first.
    places: Vec<(String, &'static str)>,
}

impl<'s> Drivers<'s> {
    /// For a project at `root`.
    pub fn new(session: &'s Session, root: &Path) -> Self {
        let place = |path: &Path| format!("{}/", path.display());
        let mut places = vec![(place(root), "")];
        // Generated headers are wherever the build is.
        if let Some(build) = session.database.path.parent().filter(|build| *build != root) {
            places.insert(0, (place(build), "[build]/"));
        }
        places.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Self { session, planner: session.planner(), edited: edited_utilities(root), places }
    }

    /// The unit's files without mutants, by name.
    ///
    /// # Errors
    ///
    /// Why it cannot be driven.
    fn files(&self, unit: &Function) -> Result<Files, String> {
        let Session { model, hierarchy, .. } = self.session;
        let plan = plan_unit(&self.planner, &unit.usr).map_err(|reason| reason.what)?;
        let generated = generate::unit(model, hierarchy, &plan, &[], Home::Image)?;
        let mut files: Files = generated.files.into_iter().map(|(name, text)| (name, self.portable(&text))).collect();
        if let Some(path) = self.edited.get(&plan.slug)
            && let Some(utility) = files.get_mut("TestUtil.hpp")
        {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            *utility = unstamped(&text).replace("\r\n", "\n");
        }
        Ok(files)
    }

    fn portable(&self, text: &str) -> String {
        self.places.iter().fold(text.to_owned(), |text, (path, name)| text.replace(path.as_str(), name))
    }
}
