//! Shared by the writers of C and C++ files: the unit with its mutants and its copy, and the skeletons.

use super::copy::{Numbered, SourceCopy, comment_safe};
use super::{hiding_macros, layout};
use crate::model::{Language, Model, Usr};
use crate::plan::{Kind, Recipe, UnitPlan};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// The namespace of a utility class.
pub const SPACE: &str = "MOTIF";

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

/// A file by its skeleton.
///
/// # Errors
/// A template that does not parse, or asks for what the context does not have.
pub fn render(name: &str, context: &tera::Context) -> Result<String, String> {
    static READ: LazyLock<tera::Result<tera::Tera>> = LazyLock::new(|| {
        let mut tera = tera::Tera::default();
        tera.autoescape_on(Vec::new());
        tera.add_raw_templates(SKELETONS)?;
        Ok(tera)
    });
    let tera = READ.as_ref().map_err(ToString::to_string)?;
    tera.render(name, context).map_err(|e| format!("{name}: {e}"))
}

/// The input of the writers of C and C++ files.
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
    /// The context that all skeletons share.
    pub fn context(&self) -> tera::Context {
        let plan = self.plan;
        let in_comment = |text: &str| match plan.language {
            Language::C => comment_safe(text).replace("*/", "* /"),
            Language::Cxx => comment_safe(text),
        };
        let mutant =
            |n: &Numbered<'_>| comment_safe(&format!("{}: {} at line {}", n.number, n.mutant.operator, n.mutant.line));
        let mut context = tera::Context::new();
        context.insert("id", &in_comment(&plan.id));
        context.insert("id_literal", &crate::cpp::string_literal(plan.id.as_bytes()));
        context.insert("slug", &plan.slug);
        context.insert("ways", &self.ways().iter().map(|way| in_comment(way)).collect::<Vec<_>>());
        context.insert("mutants", &self.numbered.iter().map(mutant).collect::<Vec<_>>());
        context.insert("count", &self.numbered.len());
        context.insert("copy", &self.copied.is_some());
        let defines_main = self.model.files.get(&plan.source).is_some_and(|file| file.defines_main);
        context.insert("has_main", &defines_main);
        context.insert("source", &include_path(&plan.source));
        context
    }

    /// The files, rendered with this context; the first is compiled.
    ///
    /// # Errors
    /// As for [`render`].
    pub fn render(&self, mut context: tera::Context, names: [&str; 3]) -> Result<Vec<(String, String)>, String> {
        let text = self.copied.map(|copied| copied.text.trim());
        text.iter().for_each(|text| context.insert("text", text));
        let [driver, original, copy] = names;
        let names = [driver, original].into_iter().chain(text.map(|_| copy));
        names.map(|name| Ok((name.to_owned(), render(name, &context)?))).collect()
    }

    /// The copy of a function: its qualified name.
    pub fn copy_of(&self, function: &Usr) -> Option<&'_ str> {
        let functions = self.copied.iter().flat_map(|copied| &copied.functions);
        functions.into_iter().find(|(usr, _, _)| usr == function).map(|(_, _, new)| new.as_str())
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
                lines.push(comment_safe(&parts.join(" ")));
                continue;
            }
            let indented = parts.iter().skip(1).map(|part| format!("  {part}"));
            let all = parts.iter().take(1).cloned().chain(indented);
            lines.extend(all.flat_map(|part| {
                let folded = layout::folded(&comment_safe(&part));
                folded.lines().map(str::to_owned).collect::<Vec<_>>()
            }));
        }
        lines
    }

    /// The lines that undefine macros of the source's with names that `text` means otherwise, and an empty one.
    pub(super) fn undefined<'t>(&self, text: impl IntoIterator<Item = &'t str>) -> String {
        let macros = hiding_macros::hiding(self.model, &self.plan.source, true);
        let lines = hiding_macros::undefined(&macros, text, self.plan.language);
        if lines.is_empty() { lines } else { lines + "\n" }
    }

    /// Feature test macros of the included source: driver.c includes system headers before it.
    pub(super) fn features(&self) -> &[(String, String)] {
        let unit = self.model.unit_compiling(&self.plan.source);
        unit.map_or(&[], |unit| &unit.features)
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
        Kind::FileName { .. } => "the name of a file".to_owned(),
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
