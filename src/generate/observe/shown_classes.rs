//! The classes that a unit can show: through its results, its arguments and the object's members.

use super::observed::{Observed, is_seen};
use crate::facts::anonymous_members;
use crate::generate::derived_members::Heirs;
use crate::lexicon::Lexicon;
use crate::model::{Class, Language, Model, TemplateArg, TranslationUnit, Type, TypeKind, Usr};
use crate::plan::{Kind, UnitPlan};
use crate::types::library::{own_row, types};
use crate::types::records::record_type;
use crate::types::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The most classes that one driver observes; what lies deeper is compared by null-ness.
const MOST: usize = 60;

/// The classes that a unit can show: through its results, arguments and the object's members, nearest first.
pub fn observed<'m>(model: &'m Model, plan: &UnitPlan) -> Vec<Observed<'m>> {
    let source = model.unit_compiling(&plan.source);
    let included = crate::generate::headers::missing(model, plan);
    let mut found = Found {
        lexicon: plan.lexicon.clone(),
        model,
        source,
        untyped: plan.untyped.clone(),
        included,
        seen: BTreeSet::new(),
        order: Vec::new(),
    };
    for entry in &plan.entries {
        for slot in entry.object.iter().chain(&entry.args) {
            found.reach(&slot.ty);
            slot.recipe.walk(&mut |recipe| found.reach(&recipe.ty));
        }
        if let Some(result) = &entry.result {
            found.reach(result);
        }
        for (_, variable, ty) in crate::generate::undefined_symbols::variables(model, entry) {
            found.reach_unnamed(ty, &variable, "");
            found.reach(ty);
        }
        for slot in entry.slots() {
            slot.recipe.walk(&mut |recipe| {
                if let Kind::Stub { methods, .. } = &recipe.kind {
                    let seen = methods.iter().flat_map(|method| method.params.iter().zip(&method.looks));
                    seen.filter(|(_, looks)| **looks).for_each(|(ty, _)| found.reach(ty));
                }
            });
        }
    }
    found.complete(0);
    // Derived classes come behind all classes that are seen for certain.
    let heirs = Heirs::new(model);
    let mut base = 0;
    while base < found.order.len() && found.order.len() < MOST {
        let known = found.order.len();
        for class in heirs.of(&found.order[base].clone()) {
            found.reach(&record_type(model, class, Vec::new()));
        }
        found.complete(known);
        base += 1;
    }
    found.order
}

struct Found<'m> {
    lexicon: Lexicon,
    model: &'m Model,
    /// The driver's translation unit: it can't name classes that another source file defines for itself.
    source: Option<&'m TranslationUnit>,
    /// What members lead to that are a `void *`.
    untyped: BTreeMap<Usr, Type>,
    /// Headers that the driver includes beside it.
    included: Vec<PathBuf>,
    seen: BTreeSet<String>,
    order: Vec<Observed<'m>>,
}

impl Found<'_> {
    /// Bases and members of those found from `next` on.
    fn complete(&mut self, mut next: usize) {
        while next < self.order.len() {
            let Observed { class, ty } = self.order[next].clone();
            let with = Substitution::of(self.model, class, ty.args());
            for base in class.bases.iter().filter(|base| is_seen(class, base.access)) {
                self.reach(&with.apply(&base.ty));
            }
            self.reach_members(class, &with, ty.bare_spelling());
            let asked = crate::generate::installed::getters(&self.lexicon, self.model, class);
            let texts = asked.filter_map(|method| crate::generate::installed::text_of(self.model, class, method));
            let texts: Vec<Type> = texts.map(|text| record_type(self.model, text, Vec::new())).collect();
            texts.iter().for_each(|text| self.reach(text));
            next += 1;
        }
    }

    /// The types of a class's members, and of those that it has of structures without a name.
    fn reach_members(&mut self, class: &Class, with: &Substitution, owner: &str) {
        for field in class.fields.iter().filter(|f| !f.is_static && is_seen(class, f.access)) {
            match anonymous_members::within(self.model, field) {
                Some(inner) => self.reach_members(inner, with, owner),
                None => {
                    self.reach_unnamed(&field.ty, &format!("{owner}::{}", field.name), owner);
                    self.reach(&with.apply(&field.ty));
                    if let Some(behind) = self.untyped.get(&field.usr).cloned() {
                        self.reach(&behind);
                    }
                }
            }
        }
    }

    /// In C++ a structure without a name is the type of what has it: a variable or a member, `place`. Several of an
    /// owner's members may have it.
    fn reach_unnamed(&mut self, ty: &Type, place: &str, owner: &str) {
        let mut innermost = ty;
        while let TypeKind::Array(element, _) = &innermost.kind {
            innermost = element;
        }
        let class = self.model.class_of(innermost);
        let Some(class) =
            class.filter(|class| anonymous_members::is_structure(class) && class.language == Language::Cxx)
        else {
            return;
        };
        let spelling = format!("std::remove_all_extents<decltype({place})>::type");
        if self.in_reach(class) && self.order.len() < MOST && self.seen.insert(format!("{} of {owner}", class.usr)) {
            let kind = TypeKind::Record { usr: class.usr.clone(), name: spelling.clone(), args: Vec::new() };
            self.order.push(Observed { class, ty: Type { spelling, is_const: false, kind, size: class.size } });
        }
    }

    fn in_reach(&self, class: &Class) -> bool {
        let (Some(source), Some(extent)) = (self.source, &class.definition) else { return true };
        if self.model.is_foreign(class) {
            return source.foreign.contains(&class.usr);
        }
        // No code of the unit can look into a class that is only declared there.
        source.files.contains(&extent.file) || !class.is_file_local && self.included.contains(&extent.file)
    }

    fn reach(&mut self, ty: &Type) {
        let mut records: Vec<(Usr, Vec<TemplateArg>)> = Vec::new();
        ty.walk(&mut |t| {
            if let TypeKind::Record { usr, args, .. } = &t.kind {
                records.push((usr.clone(), args.clone()));
            }
        });
        for (usr, args) in records {
            let Some(class) = self.model.classes.get(&usr) else { continue };
            // A class with a row of its own is compared from its beginning to its end.
            if let Some(row) = own_row(self.model, &class.qualified).filter(|row| row.is_range()) {
                let parts = types(row).into_iter().filter_map(|name| self.model.class_named(&name));
                let parts: Vec<Type> = parts.map(|class| record_type(self.model, class, Vec::new())).collect();
                parts.iter().for_each(|part| self.reach(part));
                continue;
            }
            if anonymous_members::is_structure(class) && class.language == Language::C {
                class.fields.iter().for_each(|field| self.reach(&field.ty));
                continue;
            }
            // A specialisation for these very arguments has other members and bases.
            let special = self.model.classes.values().find(|class| {
                class.specializes.as_ref() == Some(&usr) && !args.is_empty() && class.specialized_for == args
            });
            let class = special.unwrap_or(class);
            let count = crate::types::records::params_of(self.model, class).len();
            if !can_be_named(class)
                || !crate::generate::installed::shows(&self.lexicon, self.model, class)
                || !self.in_reach(class)
                || in_template(self.model, class) && args.len() != count
                || self.order.len() >= MOST
            {
                continue;
            }
            if args.iter().any(is_open) || class.template.is_some() && args.is_empty() {
                continue;
            }
            let ty = record_type(self.model, class, args);
            if self.seen.insert(ty.canonical()) {
                self.order.push(Observed { class, ty });
            }
        }
    }
}

fn is_open(arg: &TemplateArg) -> bool {
    match arg {
        TemplateArg::Type(ty) => {
            let mut found = false;
            ty.walk(&mut |part| found |= matches!(part.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_)));
            found
        }
        // (An expression of parameters that nobody has computed.)
        TemplateArg::Value(value) => value.contains(' '),
    }
}

/// A class nested in a class template: its name needs the arguments of that.
fn in_template(model: &Model, class: &Class) -> bool {
    class.around(model).any(|outer| outer.template.is_some())
}

pub(super) fn can_be_named(class: &Class) -> bool {
    class.definition.is_some()
        && !class.name.is_empty()
        && (class.specializes.is_none() || !class.specialized_for.is_empty() || !class.pattern.is_empty())
        && !class.qualified.contains('(')
}
