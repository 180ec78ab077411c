//! What objects of derived classes have beside the members of the base through which they are seen: a result, an argument or a
//! member is more than its declared type says.
//!
//! An observer of a derived class falls into what its bases have and what is its own. Where an object is seen through a base,
//! `observe_derived` asks for its dynamic type and adds what is the derived class's own, under [`derived`].

use super::observe::Observed;
use crate::model::{Class, Model, Type, TypeKind, Usr};
use crate::plan::construct::record_type;
use crate::plan::paths::derived;
use crate::plan::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet};

/// The most derived classes that are told apart for one base.
const MOST: usize = 16;

/// Who derives from whom, the other way round than classes say it.
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

    /// The classes that derive from this one, the nearest first: those that are no templates, of which there can be objects.
    pub fn of(&self, base: &Observed<'_>) -> Vec<&'m Class> {
        let mut found: Vec<&Class> = Vec::new();
        let mut seen: BTreeSet<&Usr> = BTreeSet::new();
        let mut level: Vec<&Usr> = vec![&base.class.usr];
        while !level.is_empty() && found.len() < MOST && base.class.is_polymorphic {
            let next: Vec<&Class> = level.iter().filter_map(|usr| self.of.get(usr)).flatten().copied().collect();
            let next: Vec<&Class> = next.into_iter().filter(|class| seen.insert(&class.usr)).collect();
            level = next.iter().map(|class| &class.usr).collect();
            found.extend(next.into_iter().filter(|class| {
                let is_plain = class.template.is_none() && class.specializes.is_none() && !class.is_abstract;
                is_plain && ways_down(self.model, base, &record_type(self.model, class, Vec::new())).len() == 1
            }));
        }
        found.truncate(MOST);
        found
    }
}

/// A way from a base down to a class that derives from it.
struct WayDown {
    /// The classes on it, that of the base left out.
    classes: Vec<Type>,
    /// A base on it is virtual: only `dynamic_cast` goes down there.
    is_virtual: bool,
}

fn ways_down(model: &Model, base: &Observed<'_>, ty: &Type) -> Vec<WayDown> {
    let mut found = Vec::new();
    climb(model, &base.ty.canonical(), ty, &mut Vec::new(), false, &mut found);
    found
}

fn climb(model: &Model, to: &str, from: &Type, way: &mut Vec<Type>, is_virtual: bool, found: &mut Vec<WayDown>) {
    let TypeKind::Record { usr, args, .. } = &from.kind else { return };
    if from.canonical() == *to {
        found.push(WayDown { classes: way.iter().rev().cloned().collect(), is_virtual });
        return;
    }
    let Some(class) = model.classes.get(usr).filter(|_| way.len() < 8) else { return };
    let with = Substitution::of(model, class, args);
    way.push(from.clone());
    for base in &class.bases {
        climb(model, to, &with.apply(&base.ty), way, is_virtual || base.is_virtual, found);
    }
    way.pop();
}

/// The bases that are beside the way: whatever else an object of the class is.
fn others(model: &Model, base: &Observed<'_>, whole: &Type, way: &WayDown) -> Vec<Type> {
    let on_way = |ty: &Type| *ty == base.ty || way.classes.iter().any(|step| step.canonical() == ty.canonical());
    let mut found = Vec::new();
    for step in &way.classes {
        let TypeKind::Record { usr, args, .. } = &step.kind else { continue };
        let Some(owner) = model.classes.get(usr) else { continue };
        let with = Substitution::of(model, owner, args);
        let bases = owner.bases.iter().map(|other| with.apply(&other.ty));
        found.extend(
            bases.filter(|ty| !on_way(ty) && ty.canonical() != base.ty.canonical() && !has_above(model, ty, base)),
        );
    }
    let once = |ty: &Type| {
        let mut ways = Vec::new();
        climb(model, &ty.canonical(), whole, &mut Vec::new(), false, &mut ways);
        ways.len() == 1
    };
    found.retain(once);
    found
}

/// Whether the base is a base of this type, too.
fn has_above(model: &Model, ty: &Type, base: &Observed<'_>) -> bool {
    let mut ways = Vec::new();
    climb(model, &base.ty.canonical(), ty, &mut Vec::new(), false, &mut ways);
    !ways.is_empty()
}

/// A class as the project has it, or as the copy does.
pub(super) struct Version<'o> {
    pub observed: &'o Observed<'o>,
    /// How it is spelled there.
    pub spelling: String,
    /// It is the copy's.
    pub is_copy: bool,
}

/// The observers of what derived classes have beside one base; and the observed classes, by their spelling, whose own members these
/// ask for. Empty where no class that is observed derives from it.
pub(super) fn cxx(model: &Model, base: &Version<'_>, all: &[Version<'_>]) -> (String, BTreeSet<String>) {
    let (mut branches, mut asked) = (Vec::new(), BTreeSet::new());
    if !base.observed.class.is_polymorphic {
        return (String::new(), asked);
    }
    let base_is_copied = all.iter().any(|other| other.is_copy && other.observed.class.usr == base.observed.class.usr);
    let spelled = |ty: &Type, is_copy: bool| {
        let of = |copy: bool| {
            let same =
                |version: &&Version<'_>| version.is_copy == copy && version.observed.ty.canonical() == ty.canonical();
            all.iter().find(same).map(|version| version.spelling.clone())
        };
        // (A class that has no copy of its own is both versions'.)
        if is_copy { of(true).or_else(|| of(false)) } else { of(false) }
    };
    for heir in all.iter().filter(|heir| heir.observed.class.usr != base.observed.class.usr) {
        // A copy derives from the copy of its base, where that has one.
        if heir.observed.class.is_abstract || base_is_copied && heir.is_copy != base.is_copy {
            continue;
        }
        let mut ways = ways_down(model, base.observed, &heir.observed.ty);
        let Some(way) = ways.pop().filter(|_| ways.is_empty()) else { continue };
        let steps: Option<Vec<String>> = way.classes.iter().map(|ty| spelled(ty, heir.is_copy)).collect();
        let Some(steps) = steps else { continue };
        let beside = others(model, base.observed, &heir.observed.ty, &way);
        let cast = if way.is_virtual { "dynamic_cast" } else { "static_cast" };
        let whole = format!("{cast}<const {} &>(it)", heir.spelling);
        let mut parts: Vec<String> = Vec::new();
        for step in &steps {
            parts.push(match (steps.len(), *step == heir.spelling) {
                (1, _) if beside.is_empty() => format!("observe_own_members(record, {whole});"),
                (_, true) => "observe_own_members(record, whole);".to_owned(),
                (_, false) => format!("observe_own_members(record, static_cast<const {step} &>(whole));"),
            });
            asked.insert(step.clone());
        }
        for other in beside.iter().filter_map(|ty| spelled(ty, heir.is_copy)) {
            parts.push(format!("observe_members(record, static_cast<const {other} &>(whole));"));
        }
        if parts.iter().any(|part| part.contains("whole)")) {
            parts.insert(0, format!("const auto &whole = {whole};"));
        }
        let name = crate::cpp::string_literal(derived(&heir.observed.ty.spelling).as_bytes());
        branches.push(format!(
            "if (typeid(it) == typeid({})) {{\n    record.beside({name}, [&] {{\n      {}\n    }});\n  }}",
            heir.spelling,
            parts.join("\n      ")
        ));
    }
    let text = if branches.is_empty() { String::new() } else { format!("  {}\n", branches.join(" else ")) };
    (text, asked)
}
