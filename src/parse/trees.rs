//! Bodies of functions as trees.
//!
//! libclang gives cursors with extents; it tells neither what a child is to its parent, nor operators, nor where a
//! macro begins and ends within an extent. All that is read from the tokens of the file, and every node is checked
//! against them: what does not look as its kind must (because a macro made half of it) is marked, with what is below.

mod calls;
mod expressions;
mod grower;
mod initializers;
mod source;
mod statements;
#[cfg(test)]
mod tests;

use super::files::Text;
use super::reader::{Reader, Written};
use crate::tree::{Body, Role, Trees};
use clang::TranslationUnit;
use grower::Grower;
use source::Source;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Reads the bodies that `files` define; gives every file that was included as well.
pub(super) fn read<'tu>(
    unit: &'tu TranslationUnit<'tu>,
    mut reader: Reader<'tu>,
    files: &[PathBuf],
) -> (Vec<Trees>, Vec<Rc<Text>>) {
    reader.written = Some(Vec::new());
    crate::parse::read::read(&mut reader, unit.get_entity());
    let written = reader.written.take().unwrap_or_default();
    let skipped: Vec<_> = unit.get_skipped_ranges().into_iter().filter_map(|range| reader.files.ends(range)).collect();
    let mut trees = Vec::new();
    for file in files {
        let Some(text) = reader.files.named(file.clone(), || false) else {
            trees.push(Trees { file: file.clone(), ..Trees::default() });
            continue;
        };
        let expansions = reader.model.files.get(&text.path).map(|file| file.expansions.clone()).unwrap_or_default();
        let skipped: Vec<(u32, u32)> = skipped
            .iter()
            .filter(|[(start, _), _]| start.file.path == text.path)
            .map(|[(start, _), (end, _)]| (start.offset, end.offset))
            .collect();
        let source = Source::new(text, &expansions, &skipped);
        let mut grower = Grower { reader, source, types: Vec::new(), type_names: HashMap::new(), depth: 0 };
        let bodies = bodies(&mut grower, &written);
        trees.push(Trees { file: file.clone(), types: grower.types, bodies });
        reader = grower.reader;
    }
    let included = reader.included().to_vec();
    (trees, included)
}

fn bodies<'tu>(grower: &mut Grower<'tu>, written: &[Written<'tu>]) -> Vec<Body> {
    let path: &Path = &grower.source.text.path.clone();
    let mut mine: Vec<&Written<'tu>> = written
        .iter()
        .filter(|written| written.definition.extent.file == path && !written.definition.in_macro)
        .collect();
    mine.sort_by_key(|written| written.definition.body.start);
    mine.dedup_by_key(|written| written.definition.body.start);
    mine.into_iter().filter_map(|written| body(grower, written)).collect()
}

fn body<'tu>(grower: &mut Grower<'tu>, written: &Written<'tu>) -> Option<Body> {
    let root = statements::statement(grower, written.body, Role::Part, 0)?;
    let initializers = initializers::initializers(grower, written, &root);
    Some(Body { unit: written.usr.clone(), initializers, root })
}
