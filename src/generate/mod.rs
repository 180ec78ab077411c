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
mod header_units;
pub mod headers;
pub mod installed;
pub mod joint_driver;
pub mod layout;
pub mod literal;
pub mod lower;
pub mod mutated_bodies;
mod name_clashes;
pub mod observe;
mod same_named_members;
pub mod trace;
pub mod undefined_symbols;
pub mod variadic_callbacks;

use crate::hierarchy::Hierarchy;
use crate::model::{Language, Model};
use crate::mutant::Mutant;
use crate::outcome::Copy;
use crate::plan::{Kind, Recipe, UnitPlan};
use copy::{Copied, Numbered, SourceCopy, needs_image};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A mutant's side in a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The `mut_` copy does it when `motif_mutant` has this number.
    Dispatch(u32),
    /// The driver is built once more for all of these, against the text with the mutants in place; there it has this number.
    InPlace(u32),
    /// The driver is built once more, with the mutated file in the original's place.
    Image,
}

impl Side {
    /// Its number among those that a body chooses from.
    pub fn number(self) -> Option<u32> {
        match self {
            Self::Dispatch(number) | Self::InPlace(number) => Some(number),
            Self::Image => None,
        }
    }
}

/// How mutants are made at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Making {
    /// Each in an image of its own.
    Images,
    /// Together in place, in one image.
    InPlace,
    /// In a copy of what is mutated.
    Copy,
}

/// A unit's generated files.
#[derive(Clone, Debug)]
pub struct Generated {
    /// File name and text; the first is the one to compile.
    pub files: Vec<(String, String)>,
    /// How the mutants were made.
    pub copy: Copy,
    /// For each mutant given, in order: its side.
    pub sides: Vec<Side>,
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

/// The skeletons.
///
/// # Errors
/// A template that does not parse.
pub fn skeletons() -> tera::Result<tera::Tera> {
    let mut tera = tera::Tera::default();
    tera.autoescape_on(Vec::new());
    tera.add_raw_templates(SKELETONS)?;
    Ok(tera)
}

/// The namespace of a utility class.
const SPACE: &str = "MOTIF";

const SKELETONS: [(&str, &str); 10] = [
    ("driver.cpp", include_str!("../../cpp-templates/driver.cpp.tera")),
    ("TestUtil.hpp", include_str!("../../cpp-templates/TestUtil.hpp.tera")),
    ("original.hpp", include_str!("../../cpp-templates/original.hpp.tera")),
    ("mut_copy.hpp", include_str!("../../cpp-templates/mut_copy.hpp.tera")),
    ("utility_class.hpp", include_str!("../../cpp-templates/utility_class.hpp.tera")),
    ("together.cpp", include_str!("../../cpp-templates/together.cpp.tera")),
    ("together_unit.hpp", include_str!("../../cpp-templates/together_unit.hpp.tera")),
    ("driver.c", include_str!("../../cpp-templates/driver.c.tera")),
    ("original.h", include_str!("../../cpp-templates/original.h.tera")),
    ("mut_copy.h", include_str!("../../cpp-templates/mut_copy.h.tera")),
];

/// Generates a unit's driver.
///
/// # Errors
/// The plan does not lower, or a source can't be read.
pub fn unit(
    model: &Model,
    hierarchy: &Hierarchy,
    plan: &UnitPlan,
    mutants: &[&Mutant],
    best: Making,
) -> Result<Generated, String> {
    let function = &model.functions[&plan.unit];
    let mut sides: Vec<Side> = Vec::new();
    let mut numbered: Vec<Numbered<'_>> = Vec::new();
    for mutant in mutants {
        if best == Making::Images || needs_image(function, mutant).is_some() {
            sides.push(Side::Image);
        } else {
            let number = numbered.len() as u32 + 1;
            sides.push(Side::Dispatch(number));
            numbered.push(Numbered { number, mutant });
        }
    }
    let mut copy_reason = None;
    let mut copied: Option<SourceCopy> = None;
    let mut texts = Vec::new();
    if !numbered.is_empty() {
        let units = [Copied { plan, mutants: &numbered }];
        if best == Making::Copy {
            copied = copy::source_copy(model, hierarchy, &units).map_err(|why| copy_reason = Some(why)).ok();
        }
        if copied.is_none() {
            texts = mutated_bodies::in_place(model, &units).map_err(|why| copy_reason = Some(why)).unwrap_or_default();
            let instead = |number| if texts.is_empty() { Side::Image } else { Side::InPlace(number) };
            sides.iter_mut().for_each(|side| *side = side.number().map_or(Side::Image, instead));
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

/// What the writers of C and C++ files share.
pub struct Job<'j> {
    /// The project.
    pub model: &'j Model,
    /// The plan.
    pub plan: &'j UnitPlan,
    /// Mutants that are dispatched on.
    pub numbered: &'j [Numbered<'j>],
    /// The copy, where there is one.
    pub copied: Option<&'j SourceCopy>,
    /// Comments lead a person who edits the utility class.
    pub guided: bool,
    /// The namespace that the utility class stands in.
    pub space: &'j str,
}

impl Job<'_> {
    /// One line per mutant for the driver's head comment.
    pub fn mutant_lines(&self) -> Vec<String> {
        self.numbered
            .iter()
            .map(|n| copy::comment_safe(&format!("{}: {} at line {}", n.number, n.mutant.operator, n.mutant.line)))
            .collect()
    }

    /// The plan in words: for each way in a line, or several where one would be too long.
    pub fn ways(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for entry in &self.plan.entries {
            let callee = self.model.functions.get(&entry.callee).map_or("?", |f| f.qualified.as_str());
            let mut parts = vec![callee.to_owned()];
            if let Some(object) = &entry.object {
                parts.push(format!("on {}", describe(&object.recipe)));
            }
            if !entry.args.is_empty() {
                let list: Vec<String> = entry.args.iter().map(|a| describe(&a.recipe)).collect();
                parts.push(format!("with {}", list.join(", ")));
            }
            if parts.iter().map(|part| part.len() + 1).sum::<usize>() <= 100 {
                lines.push(copy::comment_safe(&parts.join(" ")));
                continue;
            }
            let indented = parts.iter().skip(1).map(|part| format!("  {part}"));
            let all = parts.iter().take(1).cloned().chain(indented);
            lines.extend(all.flat_map(|part| {
                let folded = layout::folded(&copy::comment_safe(&part));
                folded.lines().map(str::to_owned).collect::<Vec<_>>()
            }));
        }
        lines
    }

    /// What the included source asks of the system's headers: driver.c includes some before it.
    fn features(&self) -> &[(String, String)] {
        let unit = self.model.units.iter().find(|unit| unit.main_file == self.plan.source);
        unit.map_or(&[], |unit| &unit.features)
    }

    /// Whether the included source defines `main`.
    pub fn has_main(&self) -> bool {
        self.model.files.get(&self.plan.source).is_some_and(|f| f.defines_main)
    }
}

fn describe(recipe: &Recipe) -> String {
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Choice { among, .. } if among.iter().any(|slot| matches!(slot.recipe.kind, Kind::Mined { .. })) => {
            let mut list: Vec<String> = among.iter().map(|slot| describe(&slot.recipe)).collect();
            // Of one place several objects may have been learnt.
            list.dedup();
            list.join(", or ")
        }
        Kind::Mined { from, .. } => {
            format!("{} {} as in {from}", article(&ty.spelling), ty.spelling)
        }
        Kind::Choice { among, .. } => {
            let list: Vec<&str> = among.iter().map(|s| s.ty.spelling.as_str()).collect();
            format!("one of {}", list.join(", "))
        }
        Kind::Factory { callee, .. } => format!("a {} from {callee}()", ty.spelling),
        Kind::Construct { args, .. } => {
            let list: Vec<&str> = args.iter().map(|a| a.ty.spelling.as_str()).collect();
            format!("{} {}({})", article(&ty.spelling), ty.spelling, list.join(", "))
        }
        Kind::SetUp { object, calls, most, .. } => {
            let names: Vec<&str> = calls.iter().map(|c| c.name.as_str()).collect();
            format!("{}, set up by up to {most} calls of {}", describe(&object.recipe), names.join(", "))
        }
        Kind::Then { object, .. } => {
            format!("{}, and then as said in an override", describe(&object.recipe))
        }
        Kind::Pattern { pattern, .. } => format!("text like {pattern}"),
        _ => format!("{} {}", article(&recipe.ty.spelling), recipe.ty.spelling),
    }
}

fn article(word: &str) -> &'static str {
    let word = word.strip_prefix("const ").map_or(word, |_| "const");
    // `uint8_t` starts like `you`.
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !word.starts_with("uint");
    if vowel { "an" } else { "a" }
}

/// An `#include` operand for a path.
pub fn include_path(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

/// Old qualified names to new ones.
pub fn renamed_classes(copied: Option<&SourceCopy>) -> BTreeMap<String, String> {
    copied.iter().flat_map(|c| &c.classes).map(|(_, old, new)| (old.clone(), new.clone())).collect()
}
