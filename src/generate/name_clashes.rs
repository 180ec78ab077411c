//! Names of the project's that mean something else where a driver or a test stands: a utility class is in a namespace
//! of the runtime's, with names of its own around it, a driver in C has variables.

use crate::model::{Language, Model};
use crate::types::spelling::replace_word;
use std::collections::BTreeSet;

/// What the names are that hide those of the project's outermost namespace: the runtime's, the utility class's and its
/// members'.
const TAKEN: &str = "Input Record Keeper TestUtil Original Mutant Version detail observe call compare record in keep \
    result object object_owner";

/// Names that hide types of the project's in a driver in C.
const TAKEN_IN_C: [&str; 4] = ["in", "record", "unit", "result"];

/// Whether a name that a driver gives a class of the project's would hide one of its own.
pub fn is_taken(name: &str) -> bool {
    TAKEN.split(' ').any(|taken| taken == name)
}

/// Names of the project's that are hidden in a driver, and how they are spelled instead.
#[derive(Clone, Debug, Default)]
pub struct Hidden(Vec<(&'static str, String)>);

impl Hidden {
    /// Those of a project.
    pub fn of(model: &Model) -> Self {
        let outermost = |qualified: &str| {
            let first = qualified.split("::").next().unwrap_or_default();
            TAKEN.split(' ').find(|name| *name == first)
        };
        let functions = model.functions.values().filter(|function| function.owner.is_none());
        let names = (model.classes.values().map(|class| &class.qualified))
            .chain(model.enums.values().map(|known| &known.qualified))
            .chain(model.aliases.values().map(|alias| &alias.qualified))
            .chain(functions.map(|function| &function.qualified));
        let hidden: BTreeSet<&'static str> = names.filter_map(|qualified| outermost(qualified)).collect();
        Self(hidden.into_iter().map(|name| (name, format!("::{name}"))).collect())
    }

    /// Those of a project's types in a driver in C, which names them once more before it uses their names.
    pub fn in_c(model: &Model) -> Self {
        let types: BTreeSet<&str> = types(model, Language::C).collect();
        let hidden = TAKEN_IN_C.into_iter().filter(|name| types.contains(name));
        Self(hidden.map(|name| (name, format!("project_{name}"))).collect())
    }

    /// Declarations that name each once more.
    pub fn aliases(&self) -> String {
        self.0.iter().map(|(name, spelled)| format!("typedef {name} {spelled};\n")).collect()
    }

    /// A type or an expression, every hidden name in it said from the outermost namespace on.
    pub fn spell(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, spelled)| replace_word(&text, name, spelled))
    }
}

/// The types of the outermost namespace, by names that stand for them alone: in C a tag is none.
pub fn types(model: &Model, language: Language) -> impl Iterator<Item = &str> {
    let tags = (model.classes.values().map(|class| class.qualified.as_str()))
        .chain(model.enums.values().map(|known| known.qualified.as_str()))
        .filter(move |_| language == Language::Cxx);
    tags.chain(model.aliases.values().map(|alias| alias.qualified.as_str())).filter(|name| !name.contains("::"))
}

/// A name for something that a driver in C has beside its functions, one that the project has not got.
pub fn free_in_c(model: &Model, name: &str) -> String {
    let is_the_projects = model.functions.values().any(|function| function.qualified == name)
        || types(model, Language::C).any(|known| known == name);
    if is_the_projects { format!("motif_{name}") } else { name.to_owned() }
}
