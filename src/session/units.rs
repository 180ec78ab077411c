//! Finds the unit of a file in the user's repository. Files are named by a unit's slug, which changes with the
//! signature of an overloaded function, or when a function becomes overloaded: a person's file must find its unit
//! again.

use crate::diag::{Problem, nearest};
use crate::model::{Function, Model};
use crate::overrides::stamp::{edited_utilities, overloads_of, unit_of};
use crate::plan::entry::slug;
use std::collections::BTreeMap;
use std::path::Path;

/// The project's units by their slugs.
pub struct Slugs<'m>(BTreeMap<String, &'m Function>);

impl<'m> Slugs<'m> {
    /// For every function with a body.
    pub fn of(model: &'m Model) -> Self {
        let units = model.functions.values().filter(|function| function.definition.is_some());
        Self(units.map(|function| (slug(model, function), function)).collect())
    }

    /// The unit with this slug.
    pub fn get(&self, slug: &str) -> Option<&'m Function> {
        self.0.get(slug).copied()
    }

    /// The current unit of a file that was written for `id`: the unit with that id, else the only function of that
    /// name without files under its own slug. `others` are the functions that had the name then; if unknown, the
    /// nearest id is taken.
    pub fn heir(
        &self,
        id: &str,
        others: Option<&[&str]>,
        is_there: impl Fn(&str) -> bool,
    ) -> Option<(&str, &'m Function)> {
        let same = |unit: &Function| {
            let rest = id.strip_prefix(unit.qualified.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        };
        let known = |unit: &Function| others.is_some_and(|others| others.contains(&unit.id.as_str()));
        if let Some((slug, unit)) = self.0.iter().find(|(_, unit)| unit.id == id) {
            return (!is_there(slug)).then_some((slug.as_str(), *unit));
        }
        let candidates: Vec<(&str, &'m Function)> = self
            .0
            .iter()
            .filter(|(slug, unit)| same(unit) && !known(unit) && !is_there(slug))
            .map(|(slug, unit)| (slug.as_str(), *unit))
            .collect();
        match (candidates.as_slice(), others) {
            ([only], _) => Some(*only),
            (several, None) => {
                let near = nearest(id, several.iter().map(|(_, unit)| unit.id.as_str()))?;
                several.iter().find(|(_, unit)| unit.id == near).copied()
            }
            _ => None,
        }
    }
}

/// Edited utility classes without a unit, which would be silently ignored.
pub fn orphans(model: &Model, root: &Path) -> Vec<Problem> {
    let edited = edited_utilities(root);
    if edited.is_empty() {
        return Vec::new();
    }
    let slugs = Slugs::of(model);
    // A header without a unit line may be included by others.
    let said = edited.iter().filter(|(slug, _)| slugs.get(slug).is_none()).filter_map(|(_, path)| {
        let text = std::fs::read_to_string(path).ok()?;
        let others: Vec<String> = overloads_of(&text).into_iter().map(str::to_owned).collect();
        Some((path, unit_of(&text)?.to_owned(), others))
    });
    said.map(|(path, id, others)| {
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let what = format!("the edited utility class is for `{id}`, and no unit has files of this name any more");
        let fix = match slugs.heir(&id, Some(&others), |slug| edited.contains_key(slug)) {
            Some((_, heir)) => format!("`motif-cpp scaffold '{}'` moves it to the unit that replaced it", heir.id),
            None => "move its content to another unit, or delete it".to_owned(),
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
        let heir = |id: &str, there: &[&str]| {
            slugs.heir(id, Some(&[]), |slug| there.contains(&slug)).map(|(_, unit)| unit.id.clone())
        };
        assert!(slugs.get("A_g").is_some() && slugs.get("A_f").is_none());
        assert_eq!(heir("A::f(int)", &[]).as_deref(), Some("A::f(int)"));
        assert_eq!(heir("A::g(int)", &[]).as_deref(), Some("A::g(long)"));
        // Two candidates; and one with files of its own is no successor.
        assert_eq!(heir("A::f(double)", &[]), None);
        assert_eq!(heir("A::g(int)", &["A_g"]), None);
        assert_eq!(heir("A::gg(int)", &[]), None);
        // An overload that existed before is no successor; without that knowledge the nearest id is taken.
        let by = |others| slugs.heir("A::f(int, int)", others, |_| false).map(|(_, unit)| unit.id.clone());
        assert_eq!(by(Some(&["A::f(char)"])).as_deref(), Some("A::f(int)"));
        assert_eq!(by(None).as_deref(), Some("A::f(int)"));
    }
}
