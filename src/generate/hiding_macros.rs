//! Macros of the project's that have the name of a member or a function: below their definition that name is something
//! else (`#define state tok->stack[tok->depth].state`), and a call may never come to the function
//! (`#define get(s) ((s)->left ? *(s)->next++ : (get)(s))`). Drivers and tests undefine those that they would meet.

use crate::model::{Function, Language, Model};
use std::collections::BTreeSet;
use std::path::Path;

/// Macros that the files of `source`'s translation unit define, `source` too or its headers alone.
pub fn defined<'m>(model: &'m Model, source: &Path, with_source: bool) -> BTreeSet<&'m str> {
    let Some(unit) = model.unit_of(source) else { return BTreeSet::new() };
    let files = unit.files.iter().filter(|file| with_source || **file != unit.main_file);
    let macros = files.filter_map(|file| model.files.get(file)).flat_map(|file| &file.macros);
    macros.map(|(name, _)| name.as_str()).collect()
}

/// Those of them that have the name of a member or of a function that one of these files declares.
pub fn hiding(model: &Model, source: &Path, with_source: bool) -> BTreeSet<String> {
    let Some(unit) = model.unit_of(source) else { return BTreeSet::new() };
    let seen: BTreeSet<&Path> = unit.files.iter().map(|file| &**file).collect();
    let macros = defined(model, source, with_source);
    let is_declared = |function: &&Function| {
        let defined = function.definition.iter().map(|definition| &definition.extent.file);
        defined.chain(function.declarations.iter().map(|at| &at.file)).any(|file| seen.contains(&**file))
    };
    let members = model.classes.values().flat_map(|class| &class.fields).map(|field| field.name.as_str());
    let members = members.filter(|name| macros.contains(name));
    let functions = model.functions.values().filter(|function| macros.contains(function.name.as_str()));
    members.chain(functions.filter(is_declared).map(|function| function.name.as_str())).map(str::to_owned).collect()
}

/// The lines that undefine those of `macros` that `text` names, with a remark; empty where it names none.
pub fn undefined<'t>(macros: &BTreeSet<String>, text: impl IntoIterator<Item = &'t str>, language: Language) -> String {
    if macros.is_empty() {
        return String::new();
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: BTreeSet<&str> = text.into_iter().flat_map(|text| text.split(|letter| !is_part(letter))).collect();
    let lines: Vec<String> =
        macros.iter().filter(|name| words.contains(name.as_str())).map(|name| format!("#undef {name}\n")).collect();
    if lines.is_empty() {
        return String::new();
    }
    let remark = match language {
        Language::C => "/* Macros with names of members or functions that are meant below. */",
        Language::Cxx => "// Macros with names of members or functions that are meant below.",
    };
    format!("{remark}\n{}", lines.concat())
}
