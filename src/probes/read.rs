//! From mutants to probes: reads and compares the versions of a file's bodies.

use super::{Composite, Finder, UnitProbes, Versions, View};
use crate::compdb::{CompileCommand, Database};
use crate::model::{Language, Model, Usr};
use crate::mutant::Mutant;
use crate::parse::{self, ParseOptions};
use crate::tree::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The bodies of one unit's mutants that a probe can cover.
pub fn versions<'m>(
    model: &Model,
    unit: &Usr,
    mutants: impl IntoIterator<Item = (usize, &'m Mutant)>,
) -> Option<(PathBuf, Versions)> {
    let function = model.functions.get(unit)?;
    let definition = function.definition.as_ref()?;
    // Code that the compiler may evaluate notes nothing, and has its effect all the same.
    if function.is_constexpr || definition.in_macro {
        return None;
    }
    let mut mutated = Vec::new();
    for (index, mutant) in mutants {
        let Ok(pairing) = &mutant.pairing else { continue };
        if pairing.in_initializers || pairing.is_whole || mutant.original != definition.body.file {
            continue;
        }
        let Ok(text) = std::fs::read(&mutant.path) else { continue };
        let Some(body) = text.get(pairing.body.0 as usize..pairing.body.1 as usize) else { continue };
        mutated.push((index, body.to_vec()));
    }
    let body = Span { start: definition.body.start, end: definition.body.end };
    (!mutated.is_empty()).then(|| (definition.body.file.clone(), Versions { unit: unit.clone(), body, mutated }))
}

/// The probes of all units in a file that have `versions`; the composite text is written to `text`.
///
/// # Errors
///
/// A file cannot be read or written. If libclang cannot read the text, the entries of the bodies are left.
pub fn of_file(
    model: &Model,
    database: &Database,
    options: &ParseOptions,
    file: &Path,
    versions: &[Versions],
    text: &Path,
) -> anyhow::Result<Vec<(Usr, UnitProbes)>> {
    let source = std::fs::read(file)?;
    // A body that is no block has no place for a note at its beginning.
    let blocks = versions.iter().filter(|one| source.get(one.body.start as usize) == Some(&b'{'));
    let mut found: BTreeMap<Usr, UnitProbes> = blocks
        .map(|one| {
            let cxx = model.functions.get(&one.unit).is_some_and(|f| f.language == Language::Cxx);
            let sites = one.mutated.iter().map(|(mutant, _)| (*mutant, None)).collect();
            (one.unit.clone(), UnitProbes { file: file.to_path_buf(), body: one.body.start, cxx, sites })
        })
        .collect();
    let composite = Composite::new(&source, versions.to_vec());
    std::fs::write(text, &composite.text)?;
    let command = model.unit_of(file).and_then(|unit| database.commands.get(unit.command));
    // Without trees, the entries of the bodies are still known.
    let Some(command) = command else { return Ok(found.into_iter().collect()) };
    let Ok(trees) = parse::trees_of_version(command, file, text, database, options) else {
        return Ok(found.into_iter().collect());
    };
    let view = View::new(&composite.text, &trees.types);
    let by_value = |target: &str, index: usize| {
        let parameter = model.functions.get(target).and_then(|function| function.params.get(index));
        parameter.is_some_and(|parameter| !parameter.ty.is_reference())
    };
    let ends: Vec<u32> = (0..).zip(&source).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    for (unit, probes) in &mut found {
        let Some(function) = model.functions.get(unit) else { continue };
        // With labels, several versions of a body cannot be in one function.
        let has_labels = function.definition.as_ref().is_some_and(|definition| !definition.labels.is_empty());
        let Some(bodies) = composite.find(&trees, unit).filter(|_| !has_labels) else { continue };
        let finder = Finder {
            view: &view,
            cxx: probes.cxx,
            result: &function.result,
            floats: has_plain_floats(command),
            shift: bodies.shift,
            by_value: &by_value,
            line_of: &|offset| 1 + ends.partition_point(|end| *end < offset) as u32,
        };
        for (mutant, body) in &bodies.mutated {
            probes.sites.insert(*mutant, finder.site(bodies.original, body));
        }
    }
    Ok(found.into_iter().collect())
}

/// Whether the compiler rounds a floating-point expression alike wherever it stands. Otherwise an expression alone
/// may differ from the same one inside a larger one.
fn has_plain_floats(command: &CompileCommand) -> bool {
    const OTHER: &[&str] = &["-Ofast", "-m32", "-mfma", "-mx32"];
    const BEGINNINGS: &[&str] = &[
        "-ffast-math",
        "-funsafe-math",
        "-fassociative-math",
        "-freciprocal-math",
        "-ffinite-math",
        "-fno-signed-zeros",
        "-ffp-",
        "-march=",
        "-mcpu=",
        "-mfpmath",
        "-mavx512",
        "-menable-unsafe",
    ];
    let changes = |arg: &str| OTHER.contains(&arg) || BEGINNINGS.iter().any(|start| arg.starts_with(start));
    cfg!(target_arch = "x86_64") && !command.args.iter().any(|arg| changes(arg))
}
