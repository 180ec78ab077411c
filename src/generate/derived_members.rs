//! What objects of derived classes have beside the members of the base through which they are seen: a result, an
//! argument or a member is more than its declared type says.
//!
//! An observer of a derived class falls into what its bases have and what is its own. Where an object is seen through a
//! base, `observe_derived` asks for its dynamic type and adds what is the derived class's own, under [`derived`]. Of a
//! class that a source file keeps to itself, it adds what an abstract class on the way has.

use super::observe::Observed;
use crate::model::{Access, Class, Model, Type, TypeKind, Usr};
use crate::plan::record_paths::derived;
use crate::types::records::record_type;
use crate::types::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet};

/// The most derived classes that are told apart for one base.
const MOST: usize = 16;
/// Bases further up than this are not looked for.
const DEEPEST: usize = 8;

/// The classes that derive from each class.
pub struct Heirs<'m> {
    model: &'m Model,
    of: BTreeMap<&'m Usr, Vec<&'m Class>>,
}

impl<'m> Heirs<'m> {
    /// Of all classes of the model.
    pub fn new(model: &'m Model) -> Self {
        let mut of: BTreeMap<&Usr, Vec<&Class>> = BTreeMap::new();
        for class in model.classes.values() {
            for base in class.bases.iter().filter_map(|base| base.ty.record()) {
                of.entry(base).or_default().push(class);
            }
        }
        Self { model, of }
    }

    /// The classes that derive from this one, the nearest first: those that are no templates.
    pub fn of(&self, base: &Observed<'_>) -> Vec<&'m Class> {
        let mut found: Vec<&Class> = Vec::new();
        let mut seen: BTreeSet<&Usr> = BTreeSet::new();
        let mut level: Vec<&Usr> = vec![&base.class.usr];
        let concrete = |found: &[&Class]| found.iter().filter(|class| !class.is_abstract).count();
        while !level.is_empty() && concrete(&found) < MOST && base.class.is_polymorphic {
            let next: Vec<&Class> = level.iter().filter_map(|usr| self.of.get(usr)).flatten().copied().collect();
            let next: Vec<&Class> = next.into_iter().filter(|class| seen.insert(&class.usr)).collect();
            level = next.iter().map(|class| &class.usr).collect();
            // (Those of which there can be no objects count for nothing.)
            found.extend(next.into_iter().filter(|class| {
                let is_plain = class.template.is_none() && class.specializes.is_none();
                is_plain && way_down(self.model, &base.ty, &record_type(self.model, class, Vec::new())).is_some()
            }));
        }
        let mut known = 0;
        found.retain(|class| {
            known += usize::from(!class.is_abstract);
            class.is_abstract || known <= MOST
        });
        found
    }
}

/// The way from a base down to a class that derives from it.
pub(super) struct WayDown {
    /// The classes on it, the nearest to the base first, which is left out. There are several ways through a virtual
    /// base.
    classes: Vec<Type>,
    /// A base on it is virtual: only `dynamic_cast` goes down there.
    is_virtual: bool,
    /// Everybody may know of it. Who may not can't be told by a `dynamic_cast`, whatever access the compiler gives.
    pub(super) is_public: bool,
}

/// None where there is no such way, where the class has the base more than once in it, and where no cast goes down.
pub(super) fn way_down(model: &Model, base: &Type, class: &Type) -> Option<WayDown> {
    let to = base.canonical();
    let mut found = Vec::new();
    climb(model, &to, class, &mut Vec::new(), (false, true), &mut found);
    if times(model, &to, class, &mut BTreeSet::new()) != 1 {
        return None;
    }
    let mut whole = WayDown { classes: Vec::new(), is_virtual: false, is_public: true };
    for way in found {
        whole.is_virtual |= way.is_virtual;
        whole.is_public &= way.is_public;
        let known = |ty: &Type| whole.classes.iter().any(|step| same(step, ty));
        let more: Vec<Type> = way.classes.into_iter().filter(|ty| !known(ty)).collect();
        whole.classes.extend(more);
    }
    // The class itself is behind all that it is made of.
    whole.classes.retain(|step| step.canonical() != class.canonical());
    whole.classes.push(class.clone());
    (!whole.is_virtual || whole.is_public).then_some(whole)
}

/// Whether it is the same type, however it is spelled.
fn same(one: &Type, other: &Type) -> bool {
    one.canonical() == other.canonical()
}

fn climb(
    model: &Model,
    to: &str,
    from: &Type,
    way: &mut Vec<Type>,
    (is_virtual, is_public): (bool, bool),
    found: &mut Vec<WayDown>,
) {
    let TypeKind::Record { usr, args, .. } = &from.kind else { return };
    if from.canonical() == *to {
        found.push(WayDown { classes: way.iter().rev().cloned().collect(), is_virtual, is_public });
        return;
    }
    let Some(class) = model.classes.get(usr).filter(|_| way.len() < DEEPEST) else { return };
    let with = Substitution::of(model, class, args);
    way.push(from.clone());
    for base in &class.bases {
        let how = (is_virtual || base.is_virtual, is_public && base.access == Access::Public);
        climb(model, to, &with.apply(&base.ty), way, how, found);
    }
    way.pop();
}

/// How many objects of the base are in one of the class.
fn times(model: &Model, base: &str, class: &Type, shared: &mut BTreeSet<String>) -> usize {
    if class.canonical() == *base {
        return 1;
    }
    let TypeKind::Record { usr, args, .. } = &class.kind else { return 0 };
    let Some(class) = model.classes.get(usr) else { return 0 };
    let with = Substitution::of(model, class, args);
    let mut count = 0;
    for of in class.other_bases() {
        let ty = with.apply(&of.ty);
        if !of.is_virtual || shared.insert(ty.canonical()) {
            count += times(model, base, &ty, shared);
        }
    }
    count
}

/// The bases that are beside the way: whatever else an object of the class is.
fn others(model: &Model, base: &Type, whole: &Type, way: &WayDown) -> Vec<Type> {
    let on_way = |ty: &Type| way.classes.iter().any(|step| same(step, ty));
    let once = |ty: &Type| times(model, &ty.canonical(), whole, &mut BTreeSet::new()) == 1;
    let has_above = |ty: &Type| times(model, &base.canonical(), ty, &mut BTreeSet::new()) > 0;
    let mut found: Vec<Type> = Vec::new();
    for step in &way.classes {
        let TypeKind::Record { usr, args, .. } = &step.kind else { continue };
        let Some(owner) = model.classes.get(usr) else { continue };
        let with = Substitution::of(model, owner, args);
        for ty in owner.bases.iter().map(|other| with.apply(&other.ty)) {
            let is_known = found.iter().any(|known| same(known, &ty));
            if !is_known && !on_way(&ty) && !has_above(&ty) && once(&ty) {
                found.push(ty);
            }
        }
    }
    found
}

/// A class as the project has it, or as the copy does.
pub(super) struct Version<'o> {
    pub observed: &'o Observed<'o>,
    /// How it is spelled there.
    pub spelling: String,
    /// It is the copy's.
    pub is_copy: bool,
    /// Anything converts to it.
    pub from_anything: bool,
}

/// The observers of what derived classes have beside one base; and the observed classes, by their spelling, whose own
/// members these ask for. Empty where no class that is observed derives from it.
pub(super) fn cxx(model: &Model, base: &Version<'_>, all: &[Version<'_>]) -> (String, BTreeSet<String>) {
    let (mut branches, mut abstract_ones, mut asked) = (Vec::new(), Vec::new(), BTreeSet::new());
    if !base.observed.class.is_polymorphic {
        return (String::new(), asked);
    }
    let base_is_copied = all.iter().any(|other| other.is_copy && other.observed.class.usr == base.observed.class.usr);
    let spelled = |ty: &Type, is_copy: bool| {
        let of = |copy: bool| {
            let same = |version: &&Version<'_>| version.is_copy == copy && same(&version.observed.ty, ty);
            all.iter().find(same).map(|version| version.spelling.clone())
        };
        // (A class that has no copy of its own is both versions'.)
        if is_copy { of(true).or_else(|| of(false)) } else { of(false) }
    };
    for heir in all.iter().filter(|heir| heir.observed.class.usr != base.observed.class.usr) {
        // A copy derives from the copy of its base, where that has one.
        if base_is_copied && heir.is_copy != base.is_copy {
            continue;
        }
        let is_abstract = heir.observed.class.is_abstract;
        let way = way_down(model, &base.observed.ty, &heir.observed.ty);
        let Some(way) = way.filter(|way| way.is_public || !is_abstract) else { continue };
        let steps: Option<Vec<String>> = way.classes.iter().map(|ty| spelled(ty, heir.is_copy)).collect();
        let Some(steps) = steps else { continue };
        let beside = others(model, &base.observed.ty, &heir.observed.ty, &way);
        let cast = if way.is_virtual { "dynamic_cast" } else { "static_cast" };
        let whole = format!("{cast}<const {} &>(it)", heir.spelling);
        let mut parts: Vec<String> = Vec::new();
        for (step, ty) in steps.iter().zip(&way.classes) {
            let own = format!("observe_own_members(record, static_cast<const {step} &>(whole));");
            parts.push(match (steps.len(), *step == heir.spelling) {
                (_, false) if super::same_named_members::is_among(model, ty, &way.classes) => {
                    let name = crate::cpp::string_literal(derived(ty.bare_spelling()).as_bytes());
                    format!("record.beside({name}, [&] {{ {own} }});")
                }
                (1, _) if beside.is_empty() => format!("observe_own_members(record, {whole});"),
                (_, true) => "observe_own_members(record, whole);".to_owned(),
                (_, false) => own,
            });
            asked.insert(step.clone());
        }
        for other in beside.iter().filter_map(|ty| spelled(ty, heir.is_copy)) {
            parts.push(format!("observe_members(record, static_cast<const {other} &>(whole));"));
        }
        if steps.len() > 1 || !beside.is_empty() {
            parts.insert(0, format!("const auto &whole = {whole};"));
        }
        let name = crate::cpp::string_literal(derived(&heir.observed.ty.spelling).as_bytes());
        let is_one = match is_abstract {
            true => format!("dynamic_cast<const {} *>(&it) != nullptr", heir.spelling),
            false => format!("typeid(it) == typeid({})", heir.spelling),
        };
        let branch = format!(
            "if ({is_one}) {{\n    record.beside({name}, [&] {{\n      {}\n    }});\n  }}",
            parts.join("\n      ")
        );
        if is_abstract { abstract_ones.push((way.classes.len(), branch)) } else { branches.push(branch) }
    }
    // Those furthest down first.
    abstract_ones.sort_by_key(|(steps, _)| std::cmp::Reverse(*steps));
    branches.extend(abstract_ones.into_iter().map(|(_, branch)| branch));
    let text = if branches.is_empty() { String::new() } else { format!("  {}\n", branches.join(" else ")) };
    (text, asked)
}
