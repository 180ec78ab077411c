//! Shared by all checks: places in files, reports of problems, and what a name means in the model.

use crate::diag::{Problem, nearest};
use crate::model::{Class, Function, Model, Type, TypeKind};
use crate::overrides::{Source, lookup};
use crate::yaml::{line_of_key, line_of_word};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Check<'m> {
    pub(super) model: &'m Model,
    /// Classes that the project's code names without defining them.
    pub(super) mentioned: BTreeSet<&'m str>,
    pub(super) problems: Vec<Problem>,
    /// Which file says what, to find contradictions: target, section, key.
    pub(super) seen: BTreeMap<(String, &'static str, String), String>,
}

/// Where in a file something is said.
pub(super) struct Place<'s> {
    pub(super) source: &'s Source,
    pub(super) line: u32,
}

impl<'s> Place<'s> {
    pub(super) fn of(source: &'s Source, keys: &[&str]) -> Self {
        let line = keys.iter().fold(1, |line, key| line_of_key(&source.text, key, line).unwrap_or(line));
        Place { source, line }
    }

    pub(super) fn word(&self, word: &str) -> Self {
        Place { source: self.source, line: line_of_word(&self.source.text, word, self.line).unwrap_or(self.line) }
    }

    pub(super) fn problem(&self, code: &'static str, what: String, fix: String) -> Problem {
        Problem::usage(code, what, fix).at(&self.source.path).line(self.line)
    }
}

/// A class that a hook names.
pub(super) enum Named<'m> {
    Own(&'m Class),
    Foreign(&'m str),
}

impl Named<'_> {
    pub(super) fn name(&self) -> &str {
        match self {
            Named::Own(class) => &class.qualified,
            Named::Foreign(name) => name,
        }
    }
}

pub(super) fn suggestion<'n>(name: &str, names: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
    match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}

pub(super) fn quoted<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

pub(super) fn last_part(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

pub(super) fn is_number(ty: &Type) -> bool {
    matches!(ty.without_ref().kind, TypeKind::Prim(_) | TypeKind::Dependent(_) | TypeKind::Unknown(_))
}

impl<'m> Check<'m> {
    pub(super) fn report(
        &mut self,
        place: &Place<'_>,
        code: &'static str,
        what: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.problems.push(place.problem(code, what.into(), fix.into()));
    }

    /// A class of the project, or one that its code names.
    pub(super) fn named(&mut self, place: &Place<'_>, name: &str) -> Option<Named<'m>> {
        if let Some(class) = lookup::class_named(self.model, name) {
            return Some(Named::Own(class));
        }
        if let Some(name) = self.mentioned.get(name.trim_start_matches("::")) {
            return Some(Named::Foreign(name));
        }
        self.unknown_class(place, name);
        None
    }

    /// A class that the project defines.
    pub(super) fn class(&mut self, place: &Place<'_>, name: &str) -> Option<&'m Class> {
        let found = lookup::class_named(self.model, name);
        if found.is_none() {
            self.unknown_class(place, name);
        }
        found
    }

    pub(super) fn unknown_class(&mut self, place: &Place<'_>, name: &str) {
        let same: Vec<&Class> = self.model.classes.values().filter(|class| class.name == last_part(name)).collect();
        let fix = if let [first, _, ..] = same.as_slice() {
            format!("several classes have this name; did you mean `{}`?", first.qualified)
        } else {
            let names = self.model.classes.values().flat_map(|class| [class.qualified.as_str(), class.name.as_str()]);
            match same.first() {
                Some(class) => format!("did you mean `{}`?", class.qualified),
                None => suggestion(name, names, "`motif-cpp analyze --graph dot` shows the classes"),
            }
        };
        self.report(place, "override-unknown-class", format!("no class of the project is called `{name}`"), fix);
    }

    pub(super) fn unknown_function<'f>(
        &mut self,
        place: &Place<'_>,
        name: &str,
        functions: impl Iterator<Item = &'f Function>,
    ) {
        let names = functions.flat_map(|function| [function.id.as_str(), function.qualified.as_str()]);
        let fix = suggestion(name, names, "`motif-cpp analyze` lists the functions");
        let what = format!("no function of the project is called `{name}`");
        self.report(place, "override-unknown-function", what, fix);
    }

    pub(super) fn known_type(&mut self, place: &Place<'_>, text: &str) {
        let name = lookup::without_arguments(lookup::core_of(text));
        let enums = self.model.enums.values().map(|own| own.qualified.as_str());
        let rest = enums.chain(self.model.aliases.values().map(|own| own.qualified.as_str()));
        if lookup::is_builtin(name)
            || name.starts_with("std::")
            || self.mentioned.contains(name)
            || lookup::class_named(self.model, name).is_some()
            || rest.clone().any(|own| own == name)
        {
            return;
        }
        let classes = self.model.classes.values().flat_map(|own| [own.qualified.as_str(), own.name.as_str()]);
        let names = classes.chain(rest);
        let fix = suggestion(name, names, "write it with all its namespaces");
        self.report(place, "override-unknown-type", format!("no type of the project is called `{name}`"), fix);
    }
}
