//! Which unit a file in the user's repository is about. Files are called by a unit's slug, and a slug changes with the
//! signature of an overloaded function, and when a function becomes one: what a person wrote must find its unit again.

use crate::diag::Problem;
use crate::model::{Function, Model};
use crate::overrides::stamp::{edited_utilities, unit_of};
use crate::plan::entry::slug;
use std::collections::BTreeMap;
use std::path::Path;

/// The project's units by their slugs.
pub struct Slugs<'m>(BTreeMap<String, &'m Function>);

impl<'m> Slugs<'m> {
    /// Of every function with a body.
    pub fn of(model: &'m Model) -> Self {
        let units = model.functions.values().filter(|function| function.definition.is_some());
        Self(units.map(|function| (slug(model, function), function)).collect())
    }

    /// The unit with this slug.
    pub fn get(&self, slug: &str) -> Option<&'m Function> {
        self.0.get(slug).copied()
    }

    /// The unit that was called `id` when its files got a name that no unit has today: by its id, else the one function
    /// of that name whose files are not there under its own slug.
    pub fn heir(&self, id: &str, is_there: impl Fn(&str) -> bool) -> Option<(&str, &'m Function)> {
        let named = |(slug, unit): (&'_ String, &&'m Function)| -> bool {
            let rest = id.strip_prefix(unit.qualified.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('(')) && !is_there(slug)
        };
        if let Some((slug, unit)) = self.0.iter().find(|(_, unit)| unit.id == id) {
            return (!is_there(slug)).then_some((slug.as_str(), *unit));
        }
        let mut candidates = self.0.iter().filter(|(slug, unit)| named((slug, unit)));
        match (candidates.next(), candidates.next()) {
            (Some((slug, unit)), None) => Some((slug.as_str(), *unit)),
            _ => None,
        }
    }
}

/// Edited utility classes that no unit has: what a person wrote would silently not be used.
pub fn orphans(model: &Model, root: &Path) -> Vec<Problem> {
    let edited = edited_utilities(root);
    if edited.is_empty() {
        return Vec::new();
    }
    let slugs = Slugs::of(model);
    // A header without the line that says whose it is may be there for others to include.
    let said = edited.iter().filter(|(slug, _)| slugs.get(slug).is_none()).filter_map(|(_, path)| {
        let text = std::fs::read_to_string(path).ok()?;
        Some((path, unit_of(&text)?.to_owned()))
    });
    said.map(|(path, id)| {
        let what = format!("the edited utility class is for `{id}`, and no unit's files are called so any more");
        let fix = match slugs.heir(&id, |slug| edited.contains_key(slug)) {
            Some((_, heir)) => format!("`motif-cpp scaffold '{}'` moves it to the unit that took its place", heir.id),
            None => "see whether another unit wants it, and delete it".to_owned(),
        };
        Problem::usage("override-orphan", what, fix).at(path).line(1)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn a_unit_is_found_again_by_its_id_and_by_its_name_where_only_one_is_left() {
        let model =
            read_cpp("struct A { int f(int) { return 1; } int f(char) { return 2; } int g(long) { return 3; } };");
        let slugs = Slugs::of(&model);
        let heir =
            |id: &str, there: &[&str]| slugs.heir(id, |slug| there.contains(&slug)).map(|(_, unit)| unit.id.clone());
        assert!(slugs.get("A_g").is_some() && slugs.get("A_f").is_none());
        assert_eq!(heir("A::f(int)", &[]).as_deref(), Some("A::f(int)"));
        assert_eq!(heir("A::g(int)", &[]).as_deref(), Some("A::g(long)"));
        // Two could be meant; and what has files of its own took nobody's place.
        assert_eq!(heir("A::f(double)", &[]), None);
        assert_eq!(heir("A::g(int)", &["A_g"]), None);
        assert_eq!(heir("A::gg(int)", &[]), None);
    }
}
