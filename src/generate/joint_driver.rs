//! Several units of one source file in one driver: the source, the copy and the observers are compiled once for all.
//!
//! For the search only. Each unit keeps the driver of its own, which a person reads, and which is built where this one
//! does not build or where the unit's plan is changed.

use super::copy::{Copied, Numbered, needs_image, source_copy};
use super::cxx;
use super::job::{Job, SPACE, renamed_classes, render};
use super::mutated_bodies::in_place;
use super::observe::{self, Observing};
use crate::hierarchy::Hierarchy;
use crate::model::{Language, Model};
use crate::mutant::Mutant;
use crate::outcome::Home;
use crate::plan::UnitPlan;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A unit that is to be driven together with others.
pub struct Member<'m> {
    /// How it is driven.
    pub plan: &'m UnitPlan,
    /// Its mutants, numbered from 1 in this order.
    pub mutants: Vec<&'m Mutant>,
}

/// A driver of several units.
#[derive(Clone, Debug)]
pub struct Together {
    /// File name and text; the first is the one to compile. `unit_N.hpp` is what is only of the Nth member, from 1.
    pub files: Vec<(String, String)>,
    /// The copy's callers may be such as the driver does not compile for the original.
    pub reaches_out: bool,
    /// Files of the project with the mutants in place; none where the copy has them.
    pub in_place: Vec<(PathBuf, Vec<u8>)>,
}

/// Whether a unit may be driven together with others of its source: none of its mutants needs an image of its own, and
/// nobody has said how it is driven.
pub fn fits(model: &Model, member: &Member<'_>) -> bool {
    let Member { plan, mutants } = member;
    plan.language == Language::Cxx
        && !plan.overridden
        && plan.excluded.is_empty()
        // Stand-ins of two units would be defined twice.
        && !super::undefined_symbols::has_any(plan)
        && !super::failing_calls::has_any(plan)
        && mutants.iter().all(|mutant| needs_image(&model.functions[&plan.unit], mutant).is_none())
}

/// Whether the mutants of a unit can be in place.
pub fn fits_in_place(model: &Model, member: &Member<'_>) -> bool {
    let numbered: Vec<Numbered<'_>> = member.mutants.iter().map(|mutant| Numbered { number: 1, mutant }).collect();
    super::mutated_bodies::obstacle(model, &Copied { plan: member.plan, mutants: &numbered }).is_none()
}

/// Generates the driver of units that have the same source file and compile command, and are all methods or all
/// functions; with a copy, or the text with the mutants in place.
///
/// # Errors
/// A plan does not lower, a source can't be read, or they have no copy in common.
pub fn together(model: &Model, hierarchy: &Hierarchy, members: &[Member<'_>], best: Home) -> Result<Together, String> {
    let mut number = 0;
    let mut numbered: Vec<Vec<Numbered<'_>>> = Vec::new();
    for member in members {
        let own = member.mutants.iter().map(|mutant| {
            number += 1;
            Numbered { number, mutant }
        });
        numbered.push(own.collect());
    }
    let units: Vec<Copied<'_>> =
        members.iter().zip(&numbered).map(|(member, mutants)| Copied { plan: member.plan, mutants }).collect();
    let copied = (best == Home::Copy).then(|| source_copy(model, hierarchy, &units)).transpose()?;
    let in_place = if copied.is_none() { in_place(model, &units)? } else { Vec::new() };

    let spaces: Vec<String> = (1..=units.len()).map(|number| format!("{SPACE}::unit_{number}")).collect();
    let mut parts = Vec::new();
    let mut headers: Vec<String> = Vec::new();
    let mut observed = Vec::new();
    let mut spelled = BTreeSet::new();
    let mut before = 0;
    let mut common = None;
    for (place, unit) in units.iter().enumerate() {
        let space = &spaces[place];
        let (plan, numbered) = (unit.plan, unit.mutants);
        let job = Job { model, plan, numbered, copied: copied.as_ref(), guided: false, space };
        let written = cxx::written(&job)?;
        headers.extend(written.headers.into_iter().filter(|header| !headers.contains(header)).collect::<Vec<_>>());
        let classes = written.classes.into_iter();
        observed.extend(classes.filter(|class| spelled.insert(class.ty.spelling.clone())));
        let mut context = written.context;
        context.insert("space", space);
        context.insert("number", &(place + 1));
        context.insert("before", &before);
        before += unit.mutants.len();
        parts.push((format!("unit_{}.hpp", place + 1), render("together_unit.hpp", &context)?));
        common.get_or_insert(context);
    }
    let mut context = common.ok_or("no unit to drive")?;
    let named = units.iter().enumerate().map(|(place, unit)| json!({ "number": place + 1, "id": unit.plan.id }));
    context.insert("units", &named.collect::<Vec<_>>());
    context.insert("seen", observe::seen(&observed));
    let observing = Observing::new(&units[0].plan.lexicon, model, &[], &observed);
    let observers = observing.cxx(&observed, &renamed_classes(copied.as_ref()));
    let first = Job { model, plan: units[0].plan, numbered: &[], copied: None, guided: false, space: SPACE };
    let text = parts.iter().map(|(_, text)| text.as_str()).chain([observers.as_str()]);
    context.insert("undefined", &first.undefined(text));
    context.insert("observers", &observers);
    context.insert("includes", &headers);
    let mut shared = vec!["original.hpp"];
    if let Some(copied) = &copied {
        context.insert("text", copied.text.trim());
        shared.push("mut_copy.hpp");
    }
    context.insert("id", &format!("{} units", units.len()));
    let mut files = vec![("together.cpp".to_owned(), render("together.cpp", &context)?)];
    for name in shared {
        files.push((name.into(), render(name, &context)?));
    }
    files.extend(parts);
    let reaches_out = copied.is_some_and(|copied| copied.reaches_out);
    Ok(Together { files, reaches_out, in_place })
}
