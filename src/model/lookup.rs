//! Finding things in the model: by name, by place, and where a file is read.

use super::{Base, Class, Enum, Extent, Function, FunctionKind, Language, Model, Scope, TranslationUnit, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Model {
    /// A class by qualified name; an exact match of the last component serves where it is the only one.
    pub fn class_named(&self, name: &str) -> Option<&Class> {
        let name = name.trim_start_matches("::");
        self.classes.values().find(|c| c.qualified == name).or_else(|| {
            let mut hits = self.classes.values().filter(|c| c.name == name);
            hits.next().filter(|_| hits.next().is_none())
        })
    }

    /// The class that a type names directly.
    pub fn class_of(&self, ty: &Type) -> Option<&Class> {
        self.classes.get(ty.record()?)
    }

    /// The class that has the function.
    pub fn owner_of(&self, function: &Function) -> Option<&Class> {
        self.classes.get(function.owner.as_ref()?)
    }

    /// The translation unit of a source file.
    pub fn unit_compiling(&self, source: &Path) -> Option<&TranslationUnit> {
        self.units.iter().find(|unit| unit.main_file == source)
    }

    /// The translation unit to read `file` with: its own, the one that has the bodies of what it declares, or the first
    /// that includes it. With its own bodies around it, code in a header calls and is called as in the project.
    pub fn unit_of(&self, file: &Path) -> Option<&TranslationUnit> {
        self.unit_compiling(file)
            .or_else(|| self.homes.get(file).and_then(|home| self.units.get(*home)))
            .or_else(|| self.units.iter().find(|u| u.errors.is_empty() && u.files.iter().any(|f| f == file)))
            .or_else(|| self.units.iter().find(|u| u.files.iter().any(|f| f == file)))
    }

    /// By source of C the headers that no driver in it can include: they declare another function by the name of one
    /// that the source keeps to itself.
    pub fn clashing_headers(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let free = || self.functions.values().filter(|function| function.owner.is_none());
        let mut own: BTreeMap<&str, BTreeSet<&Path>> = BTreeMap::new();
        for function in free().filter(|function| function.is_file_local && function.language == Language::C) {
            let defined = function.definition.iter().map(|definition| definition.extent.file.as_path());
            own.entry(&function.name).or_default().extend(defined);
        }
        let mut found: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for function in free().filter(|function| !function.is_file_local) {
            for source in own.get(function.name.as_str()).into_iter().flatten() {
                let declared = function.declarations.iter().map(|extent| extent.file.as_path());
                found.entry(source).or_default().extend(declared);
            }
        }
        found
    }

    /// Whether `bool` is the language's type in the unit of `source`, which includes <stdbool.h>: C has no other way.
    pub fn has_bool(&self, source: &Path) -> bool {
        let files = self.unit_of(source).into_iter().flat_map(|unit| &unit.files);
        files
            .filter_map(|file| self.files.get(file))
            .flat_map(|file| &file.includes)
            .any(|(_, to)| to.ends_with("stdbool.h"))
    }

    /// The translation unit to drive `function` in: that of its file, if that sees its definition.
    pub fn unit_of_function(&self, function: &Function) -> Option<&TranslationUnit> {
        let file = &function.definition.as_ref()?.extent.file;
        let usual = self.unit_of(file);
        let seen = self.sightings.get(&function.usr).map(Vec::as_slice).unwrap_or_default();
        let sees = |unit: &TranslationUnit| seen.iter().any(|index| std::ptr::eq(&self.units[*index], unit));
        // A source is at home in itself, whoever includes it as well.
        if seen.is_empty() || usual.is_some_and(|unit| unit.main_file == *file || sees(unit)) {
            return usual;
        }
        let seeing = || seen.iter().map(|index| &self.units[*index]);
        seeing().find(|unit| unit.errors.is_empty()).or_else(|| seeing().next()).or(usual)
    }

    /// Whether a header has the function's definition for some of those that include it only: those that define a macro
    /// before.
    pub fn is_conditional(&self, function: &Function) -> bool {
        let Some(seen) = self.sightings.get(&function.usr) else { return false };
        let Some(file) = function.definition.as_ref().map(|at| &at.extent.file) else { return false };
        if self.units.iter().any(|unit| unit.main_file == *file) {
            return false;
        }
        let includes = |unit: &TranslationUnit| unit.errors.is_empty() && unit.files.contains(file);
        let defines_none =
            |unit: &TranslationUnit| self.files.get(&unit.main_file).is_some_and(|file| file.macros.is_empty());
        let is_plain = |index: &usize| self.units.get(*index).is_some_and(defines_none);
        let is_hidden = |(index, unit): (usize, &TranslationUnit)| includes(unit) && !seen.contains(&index);
        self.units.iter().enumerate().any(is_hidden) && !seen.iter().any(is_plain)
    }

    /// Whether only classes name the function, as their friend: then its arguments alone lead to it (C++
    /// \[namespace.memdef\]). A source that defines it makes a name of it for itself.
    pub fn is_only_a_friend(&self, function: &Function) -> bool {
        if function.owner.is_some() || function.language != Language::Cxx {
            return false;
        }
        let leads_to = |class: &&Class| {
            let mut found = false;
            let own = |usr: &String| *usr == class.usr;
            function.params.iter().for_each(|param| param.ty.walk(&mut |ty| found |= ty.record().is_some_and(own)));
            found
        };
        let friends: Vec<&Extent> = (self.classes.values())
            .filter(|class| class.friends.contains(&function.usr))
            .filter(leads_to)
            .filter_map(|class| class.definition.as_ref())
            .collect();
        let is_source = |place: &&Extent| self.units.iter().any(|unit| unit.main_file == place.file);
        let defined = function
            .definition
            .iter()
            .map(|d| &d.extent)
            .filter(|place| !is_source(place) || friends.iter().any(|f| f.file == place.file));
        let mut places = function.declarations.iter().chain(defined);
        let within =
            |place: &Extent| friends.iter().any(|class| class.file == place.file && class.contains(place.start));
        !friends.is_empty() && places.all(within)
    }

    /// Whether a class is defined in no file of the project: one of the system.
    pub fn is_foreign(&self, class: &Class) -> bool {
        class.definition.as_ref().is_some_and(|at| !self.files.contains_key(&at.file))
    }

    /// The function whose definition covers `offset` of `file`; the innermost one.
    pub fn function_at(&self, file: &Path, offset: u32) -> Option<&Function> {
        self.functions
            .values()
            .filter(|f| f.definition.as_ref().is_some_and(|d| d.extent.file == file && d.extent.contains(offset)))
            .min_by_key(|f| f.definition.as_ref().map_or(0, |d| d.extent.end - d.extent.start))
    }
}

impl Class {
    /// Its methods, constructors and destructor.
    pub fn functions<'m>(&self, model: &'m Model) -> impl Iterator<Item = &'m Function> {
        self.methods.iter().filter_map(|usr| model.functions.get(usr))
    }

    /// The classes that it is nested in, the innermost first, and those that they are nested in.
    pub fn around<'m>(&self, model: &'m Model) -> impl Iterator<Item = &'m Class> {
        self.scopes.iter().rev().filter_map(Scope::class).filter_map(|usr| model.classes.get(usr))
    }

    /// The constructors among `methods`.
    pub fn constructors<'m>(&'m self, model: &'m Model) -> impl Iterator<Item = &'m Function> + 'm {
        let of = |class: &'m Class| class.functions(model).filter(|f| f.kind == FunctionKind::Constructor);
        let inherited = self.inherits.iter().filter(|usr| **usr != self.usr).filter_map(|usr| model.classes.get(usr));
        of(self).chain(inherited.flat_map(of).filter(|f| !f.is_copy_or_move))
    }

    /// The bases but for other instances of the class's own template: only a specialisation says where such a chain
    /// ends.
    pub fn other_bases(&self) -> impl Iterator<Item = &Base> {
        self.bases.iter().filter(|base| base.ty.record() != Some(&self.usr))
    }
}

impl Enum {
    /// The enumerators, named within the type as it is spelled: what a class template defines is named by an
    /// instantiation. Empty where the spelling does not say which one.
    pub fn enumerators_of(&self, ty: &Type, model: &Model) -> Vec<(String, i128)> {
        let is_of_template = self.scopes.iter().any(|scope| {
            matches!(scope, Scope::Class(usr) if model.classes.get(usr).is_some_and(|class| class.template.is_some()))
        });
        if !is_of_template {
            return self.enumerators.clone();
        }
        let spelled = ty.without_ref().bare_spelling();
        let scope = if self.scoped { Some(spelled) } else { spelled.rsplit_once("::").map(|(scope, _)| scope) };
        let Some(scope) = scope.filter(|scope| scope.contains('<')) else { return Vec::new() };
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        self.enumerators.iter().map(|(name, value)| (format!("{scope}::{}", last(name)), *value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::Small;

    #[test]
    fn a_header_is_at_home_where_its_bodies_are_and_a_source_in_itself() {
        let header = "int shown(int n);\ninline int inner(int n) { return n + 1; }\n#ifdef WHOLE\n\
            inline int part(int n) { return n; }\n#endif\n";
        let files = [
            ("shown.h", header),
            ("a_user.cpp", "#include \"shown.h\"\nint user() { return inner(1); }\n"),
            ("b_test.cpp", "#include \"shown.cpp\"\nint test() { return shown(1); }\n"),
            ("shown.cpp", "#include \"shown.h\"\nint shown(int n) { return inner(n); }\n"),
            ("whole.cpp", "#define WHOLE\n#include \"other.h\"\nint whole() { return part(2); }\n"),
            (
                "other.h",
                "#ifdef WHOLE\ninline int part(int n) { return n; }\n#else\ninline int rest() { return 1; }\n#endif\n",
            ),
            ("rest.cpp", "#include \"other.h\"\nint the_rest() { return rest(); }\n"),
        ];
        let small = Small::new(&files, "");
        let model = small.model();
        let home = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name && f.definition.is_some()).expect(name);
            let unit = model.unit_of_function(function).unwrap();
            (unit.main_file.strip_prefix(&small.root).unwrap().display().to_string(), model.is_conditional(function))
        };
        assert_eq!(home("inner"), ("shown.cpp".to_owned(), false));
        assert_eq!(home("shown"), ("shown.cpp".to_owned(), false));
        assert_eq!(home("part"), ("whole.cpp".to_owned(), true));
        // (Who includes the header without further ado gets it.)
        assert_eq!(home("rest"), ("rest.cpp".to_owned(), false));
    }
}
