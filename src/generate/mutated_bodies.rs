//! The project's own text with the mutants in place: each mutated body does what the active mutant says, under its own
//! name.
//!
//! Where nothing can be copied (a class at the heart of a library takes the library along) the driver is built against
//! this text once more, and all these mutants are in one image. Lines keep their numbers, so that what tells of
//! `__LINE__` says the same as in the mutated file.

use super::copy::{Copied, references, with_own_labels};
use crate::model::{Extent, FunctionKind, Model, Reference, Usr};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files that the units' bodies stand in, with the mutants in place.
///
/// # Errors
/// A file can't be read, or a mutant's body is not where it was.
pub fn in_place(model: &Model, units: &[Copied<'_>]) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut texts: BTreeMap<&Path, Vec<u8>> = BTreeMap::new();
    let mut bodies: BTreeMap<&Path, Vec<(&Extent, Vec<u8>)>> = BTreeMap::new();
    for unit in units.iter().filter(|unit| !unit.mutants.is_empty()) {
        if let Some(why) = obstacle(model, unit) {
            return Err(why);
        }
        let definition = model.functions[&unit.plan.unit].definition.as_ref().ok_or("a unit without a body")?;
        let body = &definition.body;
        if !texts.contains_key(body.file.as_path()) {
            texts.insert(&body.file, read(&body.file)?);
        }
        let text = dispatching(&texts[body.file.as_path()], body, unit)?;
        bodies.entry(&body.file).or_default().push((body, text));
    }
    let mut files = Vec::new();
    for (file, mut edits) in bodies {
        edits.sort_by_key(|(body, _)| body.start);
        let source = &texts[file];
        let mut text = Vec::with_capacity(source.len() * 2);
        let mut at = 0;
        for (body, replacement) in edits {
            let (start, end) = (body.start as usize, body.end as usize);
            // A body within another's (a local class) would be replaced twice.
            text.extend(source.get(at..start).ok_or("the body of one unit lies within another's")?);
            text.extend(replacement);
            at = end;
        }
        text.extend(source.get(at..).ok_or_else(outside)?);
        files.push((file.to_path_buf(), text));
    }
    Ok(files)
}

/// Why the mutants of a unit can't be in place, if so.
pub fn obstacle(model: &Model, unit: &Copied<'_>) -> Option<String> {
    let function = &model.functions[&unit.plan.unit];
    let body = &function.definition.as_ref()?.body;
    let is_made_or_ended = matches!(function.kind, FunctionKind::Constructor | FunctionKind::Destructor);
    let in_file = |path: &Path, (start, end): (u32, u32), is_project: bool| {
        let text = match read(path) {
            Ok(text) => text,
            Err(why) => return Some(why),
        };
        let Some(body) = text.get(start as usize..end as usize) else { return Some(outside()) };
        if is_project && numbers_its_lines(&text) {
            return Some("the text numbers its lines itself, which would shift".into());
        }
        if is_made_or_ended && body.starts_with(b"try") {
            // Its handlers throw again at their end, which a block within a body does not.
            return Some("a handler around a whole constructor or destructor is none around its body".into());
        }
        // Directives in the first version of a body are still in force in the next.
        let says = |line: &[u8]| {
            let word = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
            word.is_some_and(|word| {
                [&b"include"[..], b"define", b"undef", b"pragma"].iter().any(|one| word.starts_with(one))
            })
        };
        let speaks = body.split(|byte| *byte == b'\n').any(says);
        speaks.then(|| "its body includes or defines something, which a second version of it would find done".into())
    };
    let mutated = unit.mutants.iter().filter_map(|numbered| {
        let pairing = numbered.mutant.pairing.as_ref().ok()?;
        in_file(&numbered.mutant.path, pairing.body, false)
    });
    in_file(&body.file, (body.start, body.end), true).into_iter().chain(mutated).next()
}

/// Functions that run while a program is loaded: what the initialisers of variables come to call.
pub fn at_load(model: &Model) -> BTreeSet<Usr> {
    let variables = model.variables.values().map(|variable| &variable.extent);
    let fields = model.classes.values().flat_map(|class| &class.fields).filter_map(|field| field.definition.as_ref());
    let mut named: BTreeSet<&Usr> = BTreeSet::new();
    let mut texts: BTreeMap<&Path, Vec<u8>> = BTreeMap::new();
    for extent in variables.chain(fields) {
        let text = texts.entry(&extent.file).or_insert_with(|| std::fs::read(&extent.file).unwrap_or_default());
        let references = references(model, extent).iter().filter(|reference| !qualifies(text, reference));
        named.extend(references.map(|reference| &reference.target));
    }
    let mut open: Vec<Usr> = Vec::new();
    for usr in named {
        // A declaration names the class of an object, and seldom its constructor.
        let constructors = model.classes.get(usr).into_iter().flat_map(|class| class.constructors(model));
        open.extend(constructors.map(|function| function.usr.clone()));
        open.extend(model.functions.get(usr).map(|function| function.usr.clone()));
    }
    let mut found = BTreeSet::new();
    while let Some(usr) = open.pop() {
        let calls = model.functions.get(&usr).and_then(|function| function.definition.as_ref()).map(|d| &d.calls);
        if found.insert(usr) {
            open.extend(calls.into_iter().flatten().cloned());
        }
    }
    found
}

/// Whether the name only says where another one is from (`Shape::counter`).
fn qualifies(text: &[u8], reference: &Reference) -> bool {
    let behind = text.get((reference.offset + reference.len) as usize..).unwrap_or_default();
    behind.trim_ascii_start().starts_with(b"::")
}

/// A body that does what the active mutant says, in place of the one at `body`.
fn dispatching(source: &[u8], body: &Extent, unit: &Copied<'_>) -> Result<Vec<u8>, String> {
    let original = source.get(body.start as usize..body.end as usize).ok_or_else(outside)?;
    let line = |number: usize| format!("#line {number}\n");
    let mut text = b"{\nswitch (motif_mutant) {\n".to_vec();
    for numbered in unit.mutants {
        let mutant = numbered.mutant;
        let pairing = mutant.pairing.as_ref().map_err(|(_, why)| why.clone())?;
        let mutated = read(&mutant.path)?;
        let (start, end) = (pairing.body.0 as usize, pairing.body.1 as usize);
        let body = mutated.get(start..end).ok_or_else(outside)?;
        text.extend(format!("case {}:\n{}", numbered.number, line(line_of(&mutated, start))).as_bytes());
        if pairing.labels.is_empty() {
            text.extend(body);
        } else {
            let body = std::str::from_utf8(body).map_err(|error| format!("{}: {error}", mutant.path.display()))?;
            text.extend(with_own_labels(body, &pairing.labels).as_bytes());
        }
        text.extend(b"\nbreak;\n");
    }
    text.extend(format!("default:\n{}", line(line_of(source, body.start as usize))).as_bytes());
    text.extend(original);
    // The brace stands where it stood.
    let closing = line(line_of(source, (body.end as usize).saturating_sub(1)));
    text.extend(format!("\nbreak;\n}}\n{closing}}}").as_bytes());
    Ok(text)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn outside() -> String {
    "a body lies outside its file".into()
}

/// The number of the line that the byte at `offset` stands in, from 1.
fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// Whether a text says itself which lines it has (`#line 3`, `# 3 "file"`), as what a generator has written does.
fn numbers_its_lines(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
        let rest = rest.trim_ascii_start();
        rest.starts_with(b"line") || rest.first().is_some_and(u8::is_ascii_digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_numbers_its_lines_is_told() {
        assert!(numbers_its_lines(b"int a;\n#line 12\nint b;\n"));
        assert!(numbers_its_lines(b"#  12 \"grammar.y\"\n"));
        assert!(!numbers_its_lines(b"#include <a.h>\n#pragma once\nint line = 2; // #line 3\n"));
    }

    #[test]
    fn a_name_before_colons_only_says_where_another_is_from() {
        let text = b"Shape::Filter Shape ::filter; Shape one(Shape::two());";
        let at = |offset| Reference { offset, len: 5, target: "c:@S@Shape".into(), is_declaration: false };
        let made: Vec<u32> = [0, 14, 30, 40].into_iter().filter(|offset| !qualifies(text, &at(*offset))).collect();
        assert_eq!(made, [30], "an object of it is made there only");
        assert!(!qualifies(b"Shape", &at(0)) && !qualifies(b"", &at(9)));
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of(b"a\nb\nc", 0), 1);
        assert_eq!(line_of(b"a\nb\nc", 4), 3);
        assert_eq!(line_of(b"a\nb\nc", 99), 3);
    }
}
