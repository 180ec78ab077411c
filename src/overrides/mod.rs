//! Override files (`utility-overrides/*.yaml`) as typed hooks, looked up by unit.
//!
//! A file applies to one function, one class or the whole project; the narrower scope wins. `check` compares all of
//! them with the model before anything is planned.

mod check;
#[cfg(test)]
mod check_tests;
mod file;
pub mod lookup;
pub mod merge;
pub mod pattern;
pub mod stamp;

pub use file::{
    ArgumentHook, CallHook, ConstructHook, FieldHook, Names, OverrideFile, OverrideValue, ParameterHook, Range,
    ResultHook, SequenceHook, TemplateArguments, Text, ValueHook,
};

use crate::diag::Problem;
use crate::lexicon::{Arid, Lexicon};
use crate::model::library::Library;
use crate::yaml;
use std::path::{Path, PathBuf};

/// The folder of override files in the user's project.
pub const FOLDER: &str = "utility-overrides";

/// Every override file of a project.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// From the narrowest scope to the widest, then by name.
    files: Vec<Source>,
    /// The words that ship with the tool, and those of the files.
    lexicon: Lexicon,
    arid: Arid,
}

/// One override file.
#[derive(Clone, Debug)]
struct Source {
    path: PathBuf,
    text: String,
    file: OverrideFile,
}

impl Overrides {
    /// Reads the override files of the project at `root`; there may be none.
    ///
    /// # Errors
    ///
    /// All problems in all files.
    pub fn load(root: &Path) -> Result<Self, Vec<Problem>> {
        let folder = root.join(FOLDER);
        let mut paths = match std::fs::read_dir(&folder) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect::<Vec<_>>(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                let what = format!("the override files cannot be read: {error}");
                return Err(vec![Problem::usage("override-unreadable", what, "check its permissions").at(folder)]);
            }
        };
        paths.sort();
        let mut problems: Vec<Problem> = paths.iter().filter_map(|path| unresolved(path)).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml"));
        // A file with a conflict is not reported again as invalid YAML.
        paths.retain(|path| !problems.iter().any(|problem| problem.file.as_deref() == Some(path)));
        let mut files = Vec::new();
        for path in paths {
            // An unedited stub is ignored, even if its function no longer exists.
            if std::fs::read_to_string(&path).is_ok_and(|text| stamp::state(&text) == stamp::State::AsGenerated) {
                continue;
            }
            match yaml::read::<OverrideFile>(&path, "override-invalid") {
                Ok((file, text)) => files.push(Source { path, text, file }),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(Self::of(files)) } else { Err(problems) }
    }

    /// Reads one text as the project's only override file; for tests and tools.
    ///
    /// # Errors
    ///
    /// Its problem.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Problem> {
        let file = yaml::parse::<OverrideFile>(text, "override-invalid").map_err(|problem| problem.at(path))?;
        Ok(Self::of(vec![Source { path: path.to_path_buf(), text: text.to_owned(), file }]))
    }

    fn of(mut files: Vec<Source>) -> Self {
        files.sort_by_key(|source| match (&source.file.function, &source.file.class) {
            (Some(_), _) => 0,
            (None, Some(_)) => 1,
            (None, None) => 2,
        });
        let lexicon = files.iter().fold(Lexicon::default(), |lexicon, source| lexicon.with(&source.file.lexicon));
        let arid = files.iter().fold(Arid::default(), |arid, source| arid.with(&source.file.arid));
        Self { files, lexicon, arid }
    }

    /// What nobody asserts on in this project.
    pub fn arid(&self) -> &Arid {
        &self.arid
    }

    /// The lexicon of this project's names.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The files that speak for the unit, the narrowest first.
    fn for_unit<'o, 'u>(&'o self, unit: &'u str) -> impl Iterator<Item = &'o OverrideFile> + use<'o, 'u> {
        self.files.iter().map(|source| &source.file).filter(move |file| speaks_for(file, unit))
    }

    /// The subtypes to use for `class` when the unit (by its id) is driven.
    pub fn subtypes_for(&self, class: &str, unit: &str) -> Option<&[String]> {
        self.for_unit(unit).find_map(|file| file.subtypes.get(class)).map(|names| names.0.as_slice())
    }

    /// Whether any file, for any unit, constructs objects of `class`.
    pub fn makes(&self, class: &str) -> bool {
        let says = |file: &OverrideFile| {
            file.construct.contains_key(class) || file.subtypes.contains_key(class) || file.types.contains_key(class)
        };
        self.files.iter().any(|source| says(&source.file))
    }

    /// The arguments of the class template `class` when the unit is driven.
    pub fn template_args_for(&self, class: &str, unit: &str) -> Option<&[String]> {
        self.for_unit(unit).find_map(|file| file.templates.get(class)).map(|args| args.0.as_slice())
    }

    /// The construction of `class` when the unit is driven.
    pub fn constructor_for(&self, class: &str, unit: &str) -> Option<&ConstructHook> {
        self.for_unit(unit).find_map(|file| file.construct.get(class))
    }

    /// The calls on objects of `class` before use, when the unit is driven.
    pub fn sequence_for(&self, class: &str, unit: &str) -> Option<&SequenceHook> {
        self.for_unit(unit).find_map(|file| file.sequences.get(class))
    }

    /// The values of a type, under any of `names`, when the unit is driven.
    pub fn type_for(&self, names: &[&str], unit: &str) -> Option<OverrideValue> {
        self.for_unit(unit).filter(|file| !file.types.is_empty()).find_map(|file| {
            let named = |(own, _): &(&String, &ValueHook)| names.iter().any(|name| squeezed(name) == squeezed(own));
            file.types.iter().find(named).and_then(|(_, hook)| hook.told())
        })
    }

    /// The rows for types of libraries, of all files.
    pub fn library(&self) -> Library {
        self.files.iter().flat_map(|source| source.file.library.clone()).collect()
    }

    /// Whether any file says how values of a type are made.
    pub fn speaks_of_types(&self) -> bool {
        self.files.iter().any(|source| !source.file.types.is_empty())
    }

    /// The callers through which the unit is called, if set.
    pub fn through(&self, unit: &str) -> &[String] {
        let named = self.for_unit(unit).filter(|file| file.function.is_some()).find(|file| !file.through.is_empty());
        named.map_or(&[], |file| &file.through)
    }

    /// The statements before the unit's call.
    pub fn before(&self, unit: &str) -> Vec<String> {
        self.for_unit(unit).find(|file| !file.before.is_empty()).map(|file| file.before.clone()).unwrap_or_default()
    }

    /// The hook for the unit's parameter `name`.
    pub fn parameter(&self, unit: &str, name: &str) -> Option<&ParameterHook> {
        self.for_unit(unit).find_map(|file| file.parameters.get(name))
    }

    /// The array parameter whose length is in the parameter `name`, by a `pair_with` hook.
    pub fn array_counted_by(&self, unit: &str, name: &str) -> Option<&str> {
        self.for_unit(unit).find_map(|file| {
            let paired = |(_, hook): &(&String, &ParameterHook)| hook.pair_with.as_deref() == Some(name);
            file.parameters.iter().find(paired).map(|(array, _)| array.as_str())
        })
    }

    /// The hook for the unit's result.
    pub fn result(&self, unit: &str) -> Option<&ResultHook> {
        self.for_unit(unit).find_map(|file| file.result.as_ref())
    }

    /// The hook for the field `field` of the structure `class`; it applies to every unit.
    pub fn field(&self, class: &str, field: &str) -> Option<&FieldHook> {
        self.files.iter().find_map(|source| source.file.fields.get(class)?.get(field))
    }

    /// Fields that are not compared: class, field and reason.
    pub fn excluded(&self) -> Vec<(String, String, String)> {
        let mut all: Vec<_> = self
            .files
            .iter()
            .flat_map(|source| &source.file.exclude)
            .filter_map(|(name, why)| {
                let (class, field) = name.rsplit_once("::")?;
                Some((class.to_owned(), field.to_owned(), why.clone()))
            })
            .collect();
        all.sort();
        all.dedup_by(|a, b| (&a.0, &a.1) == (&b.0, &b.1));
        all
    }

    /// The statements that reset global state between the unit's two calls.
    pub fn reset(&self, unit: &str) -> Vec<String> {
        self.for_unit(unit).find(|file| !file.reset.is_empty()).map(|file| file.reset.clone()).unwrap_or_default()
    }
}

/// An unfinished merge.
fn unresolved(path: &Path) -> Option<Problem> {
    let is_ours =
        path.extension().is_some_and(|extension| extension == "hpp" || extension == "yaml" || extension == "yml");
    let text = is_ours.then(|| std::fs::read_to_string(path).ok())??;
    let line = *merge::conflicts(&text).first()?;
    let fix = "choose between the two sides (or write a third) and remove the markers";
    Some(Problem::usage("override-conflict", "a merge conflict is not resolved", fix).at(path).line(line))
}

/// The JSON Schema shipped as `utility-overrides/override.schema.json`.
pub fn schema() -> serde_json::Value {
    serde_json::to_value(schemars::schema_for!(OverrideFile)).unwrap_or_default()
}

fn speaks_for(file: &OverrideFile, unit: &str) -> bool {
    match (&file.function, &file.class) {
        (Some(function), _) => names_function(function, unit),
        (None, Some(class)) => unit.strip_prefix(class.as_str()).is_some_and(|rest| rest.starts_with("::")),
        (None, None) => true,
    }
}

/// Whether `name` is the id `unit`, or its qualified name.
fn names_function(name: &str, unit: &str) -> bool {
    let (name, unit) = (squeezed(name), squeezed(unit));
    unit.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

/// `text` without spaces that C++ does not need.
fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for part in text.split_whitespace() {
        if out.chars().last().is_some_and(is_word) && part.chars().next().is_some_and(is_word) {
            out.push(' ');
        }
        out += part;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(texts: &[&str]) -> Overrides {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(FOLDER)).unwrap();
        for (index, text) in texts.iter().enumerate() {
            std::fs::write(dir.path().join(FOLDER).join(format!("{index}.yaml")), text).unwrap();
        }
        Overrides::load(dir.path()).unwrap()
    }

    #[test]
    fn the_narrowest_file_wins() {
        let overrides = overrides(&[
            "subtypes: {Mission: Wide}\n",
            "class: Module\nsubtypes: {Mission: OfClass}\n",
            "function: Module::run\nsubtypes: {Mission: OfFunction}\n",
        ]);
        assert_eq!(overrides.subtypes_for("Mission", "Module::run(int)").unwrap(), ["OfFunction"]);
        assert_eq!(overrides.subtypes_for("Mission", "Module::stop()").unwrap(), ["OfClass"]);
        assert_eq!(overrides.subtypes_for("Mission", "Modules::stop()").unwrap(), ["Wide"]);
        assert_eq!(overrides.subtypes_for("Other", "Module::run(int)"), None);
    }

    #[test]
    fn a_function_is_meant_by_its_id_or_by_its_qualified_name() {
        assert!(names_function("f", "f"));
        assert!(names_function("sat::f(int,const char*)", "sat::f(int, const char *)"));
        assert!(names_function("sat::A::operator()", "sat::A::operator()(int) const"));
        assert!(!names_function("sat::f(int)", "sat::f(char)"));
        assert!(!names_function("sat::f", "sat::fg(int)"));
    }

    #[test]
    fn an_array_is_found_by_the_parameter_that_counts_it() {
        let overrides = overrides(&["function: f\nparameters: {data: {pair_with: n}}\n"]);
        assert_eq!(overrides.array_counted_by("f(int *, int)", "n"), Some("data"));
        assert_eq!(overrides.array_counted_by("f(int *, int)", "data"), None);
    }

    #[test]
    fn a_project_adds_words_to_a_role_and_what_is_none_is_named_with_its_line() {
        use crate::lexicon::Role;
        let more = overrides(&["lexicon: {length: [quantity, items total]}\n", "lexicon:\n  file: [blob]\n"]);
        assert!(more.lexicon().says("items_total", Role::Length) && more.lexicon().says("blob_name", Role::File));
        assert!(more.lexicon().says("len", Role::Length) && !Overrides::default().lexicon().says("blob", Role::File));
        let problem = |text: &str| Overrides::parse(Path::new("w.yaml"), text).unwrap_err();
        let unknown = problem("# ours\nlexicon:\n  lenght: [quantity]\n");
        assert_eq!((unknown.line, unknown.what.as_str()), (Some(3), "unknown key `lenght` in `lexicon`"));
        assert!(unknown.fix.contains("did you mean `length`?"), "{unknown}");
        let malformed = problem("lexicon:\n  length:\n    - quantity\n    - nItems\n");
        assert_eq!(malformed.line, Some(4), "{malformed}");
        assert!(malformed.what.contains("`nItems` is not one word in lower case"), "{malformed}");
    }

    #[test]
    fn problems_of_all_files_are_collected() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(FOLDER)).unwrap();
        for name in ["a", "b"] {
            std::fs::write(dir.path().join(FOLDER).join(format!("{name}.yaml")), "subtypez: {}\n").unwrap();
        }
        std::fs::write(dir.path().join(FOLDER).join("c.hpp"), "class A;\n").unwrap();
        let problems = Overrides::load(dir.path()).unwrap_err();
        assert_eq!(problems.len(), 2);
        assert!(problems.iter().all(|problem| problem.line == Some(1) && problem.fix.contains("`subtypes`")));
    }

    #[test]
    fn a_project_without_overrides_has_none() {
        assert!(Overrides::load(Path::new("/nonexistent-project")).unwrap().files.is_empty());
    }
}
