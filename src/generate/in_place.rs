//! The project's own text with the mutants in place: each mutated body does what the active mutant says, under its own name.
//!
//! Where nothing can be copied (a class at the heart of a library takes the library along) the driver is built against this
//! text once more, and all these mutants are in one image. Lines keep their numbers, so that what tells of `__LINE__` says the same
//! as in the mutated file.

use super::copy::{Copied, relabel};
use crate::model::{Extent, Model};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files that the units' bodies stand in, with the mutants in place.
///
/// # Errors
/// A file can't be read, or a mutant's body is not where it was.
pub fn in_place(model: &Model, units: &[Copied<'_>]) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut texts: BTreeMap<&Path, Vec<u8>> = BTreeMap::new();
    let mut bodies: BTreeMap<&Path, Vec<(&Extent, Vec<u8>)>> = BTreeMap::new();
    for unit in units.iter().filter(|unit| !unit.mutants.is_empty()) {
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

/// A body that does what the active mutant says, in place of the one at `body`.
fn dispatching(source: &[u8], body: &Extent, unit: &Copied<'_>) -> Result<Vec<u8>, String> {
    let original = source.get(body.start as usize..body.end as usize).ok_or_else(outside)?;
    // A text with numbers of its own keeps those; ours would undo them.
    let numbers = !numbers_its_lines(source);
    let line = |number: usize| if numbers { format!("#line {number}\n") } else { String::new() };
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
            text.extend(relabel(body, &pairing.labels, &format!("_{}", numbered.number)).as_bytes());
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
    fn lines_are_counted_from_one() {
        assert_eq!(line_of(b"a\nb\nc", 0), 1);
        assert_eq!(line_of(b"a\nb\nc", 4), 3);
        assert_eq!(line_of(b"a\nb\nc", 99), 3);
    }
}
