//! Tests that include the source file of their unit: what it keeps to itself is in reach then.

use super::include_order::include_operand;
use crate::emit::TestCase;
use crate::emit::own_macros::of_frameworks;
use crate::emit::render::has_word;
use crate::generate::hiding_macros;
use crate::model::Function;
use crate::session::Session;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The test with the source file of its unit included, and without the headers that come with that: one that needs
/// others before it, or a macro, is the source's to include. None if it has the source already.
pub fn with_source(session: &Session, case: &TestCase) -> Option<TestCase> {
    if case.source_include.is_some() {
        return None;
    }
    let mut case = case.clone();
    include_source(session, &mut case);
    Some(case)
}

/// Includes the source file of the unit, and no header that comes with it: not every header can be included twice.
pub(super) fn include_source(session: &Session, case: &mut TestCase) {
    let source = case.command_file.clone();
    let (model, command) = (&session.model, session.database.command_of(&source));
    let known: BTreeSet<&PathBuf> = model.unit_of(&source).into_iter().flat_map(|unit| &unit.files).collect();
    // A header that declares what the source defines, and that the source does without, may not stand beside it. It has
    // to where it alone declares what the test calls besides.
    let lines = case.statements.iter().chain(&case.call).chain(&case.take_down).chain(&case.helpers);
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let is_here =
        |f: &&Function| f.definition.as_ref().is_some_and(|definition| known.contains(&definition.extent.file));
    let (here, elsewhere): (Vec<_>, Vec<_>) = model.functions.values().partition(is_here);
    let called = elsewhere.into_iter().filter(|f| !f.declarations.is_empty() && has_word(&text, &f.name));
    let needed: BTreeSet<&PathBuf> = called.flat_map(|f| &f.declarations).map(|at| &at.file).collect();
    let declared = here.into_iter().flat_map(|f| &f.declarations).map(|at| &at.file);
    let brought: BTreeSet<String> = (known.iter().copied().chain(declared.filter(|file| !needed.contains(file))))
        .zip(command.into_iter().cycle())
        .map(|(file, command)| include_operand(file, command))
        .collect();
    case.includes.retain(|include| !brought.contains(include));
    case.hiding_macros = hiding_macros::hiding(model, &source, true);
    case.own_macros = of_frameworks(hiding_macros::defined(model, &source, true));
    case.source_defines_main = model.files.get(&source).is_some_and(|file| file.defines_main);
    case.source_include = Some(source);
}
