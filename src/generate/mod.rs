//! Plans to files: the driver, the `mut_` copy, the utility class; and the statements of regression tests.
//!
//! Skeletons are Tera templates from `cpp-templates/` (compiled in); they hold no type and
//! no expression of their own.

#[cfg(test)]
mod byte_layout_tests;
pub mod c;
pub mod copy;
pub mod cxx;
mod derived_members;
pub mod edit;
mod edit_hints;
pub mod expect;
pub mod failing_calls;
mod function_pointers;
mod header_units;
pub mod headers;
pub mod hiding_macros;
pub mod installed;
mod job;
pub mod joint_driver;
pub mod layout;
pub mod literal;
pub mod lower;
pub mod mutated_bodies;
mod name_clashes;
pub mod observe;
pub mod places;
mod same_named_members;
pub mod stand_ins;
pub mod trace;
pub mod undefined_symbols;
pub mod variadic_callbacks;

use crate::hierarchy::Hierarchy;
use crate::model::{Language, Model};
use crate::mutant::Mutant;
use crate::outcome::{Copy, Home};
use crate::plan::UnitPlan;
use copy::{Copied, Numbered, SourceCopy, needs_image};
use job::{Job, SPACE};
use std::path::PathBuf;

/// A unit's generated files.
#[derive(Clone, Debug)]
pub struct Generated {
    /// File name and text; the first is the one to compile.
    pub files: Vec<(String, String)>,
    /// How the mutants were made.
    pub copy: Copy,
    /// For each mutant given, in order: where it lives, and its number among those that a body chooses from; 0 where
    /// none does.
    pub sides: Vec<(Home, u32)>,
    /// Why a source copy was not possible, for the user to see.
    pub copy_reason: Option<String>,
    /// The copy's callers may be such as the driver does not compile for the original.
    pub reaches_out: bool,
    /// Files of the project with the mutants in place; none where a copy has them.
    pub in_place: Vec<(PathBuf, Vec<u8>)>,
}

impl Generated {
    /// The same files without the copy, for building images.
    pub fn main_file(&self) -> &str {
        &self.files[0].0
    }
}

/// Generates a unit's driver.
///
/// # Errors
/// The plan does not lower, or a source can't be read.
pub fn unit(
    model: &Model,
    hierarchy: &Hierarchy,
    plan: &UnitPlan,
    mutants: &[&Mutant],
    best: Home,
) -> Result<Generated, String> {
    let function = &model.functions[&plan.unit];
    let mut sides = Vec::new();
    let mut numbered: Vec<Numbered<'_>> = Vec::new();
    for mutant in mutants {
        if best == Home::Image || needs_image(function, mutant).is_some() {
            sides.push((Home::Image, 0));
        } else {
            let number = numbered.len() as u32 + 1;
            sides.push((Home::Copy, number));
            numbered.push(Numbered { number, mutant });
        }
    }
    let mut copy_reason = None;
    let mut copied: Option<SourceCopy> = None;
    let mut texts = Vec::new();
    if !numbered.is_empty() {
        let units = [Copied { plan, mutants: &numbered }];
        if best == Home::Copy {
            copied = copy::source_copy(model, hierarchy, &units).map_err(|why| copy_reason = Some(why)).ok();
        }
        if copied.is_none() {
            texts = mutated_bodies::in_place(model, &units).map_err(|why| copy_reason = Some(why)).unwrap_or_default();
            for side in sides.iter_mut().filter(|(home, _)| *home == Home::Copy) {
                *side = if texts.is_empty() { (Home::Image, 0) } else { (Home::InPlace, side.1) };
            }
            numbered.clear();
        }
    } else if let Some(mutant) = mutants.first() {
        copy_reason = needs_image(function, mutant).map(str::to_owned);
    }
    let kind = match &copied {
        None => Copy::Image,
        Some(copy) if copy.classes.is_empty() => Copy::Function,
        Some(_) => Copy::Class,
    };
    let job = Job { model, plan, numbered: &numbered, copied: copied.as_ref(), guided: false, space: SPACE };
    let files = match plan.language {
        Language::C => c::files(&job)?,
        Language::Cxx => cxx::files(&job)?,
    };
    let reaches_out = copied.as_ref().is_some_and(|copy| copy.reaches_out);
    Ok(Generated { files, copy: kind, sides, copy_reason, reaches_out, in_place: texts })
}

/// The utility class of a C++ unit for a person to edit: what it goes by and where each part is are said in comments.
///
/// # Errors
/// The plan does not lower.
pub fn utility(model: &Model, plan: &UnitPlan) -> Result<String, String> {
    let job = Job { model, plan, numbered: &[], copied: None, guided: true, space: SPACE };
    let files = cxx::files(&job)?;
    let found = files.into_iter().find(|(name, _)| name == "TestUtil.hpp");
    found.map(|(_, text)| text).ok_or_else(|| "it has no utility class".into())
}
