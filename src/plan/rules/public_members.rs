//! Members that anybody may set and the class itself never changes, as calls that set an object up:
//! `record.epoch = 5.0`. A record that was only constructed has the values of its constructor, and its unit meets no
//! others.

use crate::facts::member_lengths;
use crate::lexicon::MAKES;
use crate::model::{Access, Class, ClassKind, Field, Function, FunctionKind, Language, Type, TypeKind, Usr};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, SetUpCall, Slot};
use crate::types::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet};

/// The most members that the data chooses among.
const CHOICES: usize = 8;
/// The most steps to a base whose names are looked at.
const LONGEST: usize = 8;
/// The most that are set besides the calls.
const MOST: u64 = 5;

/// How many calls there may be, where so many are expected without members.
pub(super) fn most(calls: u64, members: usize) -> u64 {
    calls + (members as u64).min(MOST)
}

/// Assignments to the public members at which the unit looks, those of public bases included.
pub(super) fn assignments<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Vec<SetUpCall> {
    // All members of a definition are set at once.
    if crate::facts::definitions::members_of(scope.model, class, with).is_some() {
        return Vec::new();
    }
    assignments_after(scope, class, with, request)
}

/// The same of an object that a function has made and was told nothing for. In C members of members are set as well.
pub(super) fn assignments_after<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Vec<SetUpCall> {
    let is_c = class.language == Language::C;
    let Some(usage) = scope.field_usage.of_class(scope.model, scope.hierarchy, class) else { return Vec::new() };
    let open = request.opening(&class.usr);
    let inside = request.without_setup().inside(&open);
    let mut named: BTreeMap<&str, Vec<Option<(&Class, &Field)>>> = BTreeMap::new();
    members(scope, class, Path { is_open: true, length: 0 }, &mut named);
    let kept = kept_in_order(scope, class);
    let mut calls: Vec<SetUpCall> = Vec::new();
    for (owner, field) in named.values().filter_map(|all| if let [Some(only)] = all[..] { Some(only) } else { None }) {
        let is_bound = || bound(scope, owner, with).iter().any(|place| owner.fields[*place].usr == field.usr);
        if !may_be_assigned(scope, field) || !usage.names(&field.name) || is_bound() {
            continue;
        }
        let mut assign = |name: String, field: &Field| {
            let ty = with.apply(&field.ty);
            let recipe = scope.value(&ty, inside.at(0)).ok();
            if let Some(recipe) = recipe.filter(|recipe| is_plain(&recipe.kind)) {
                let value = Slot::new(format!("{}_value", name.replace('.', "_")), ty, recipe);
                calls.push(SetUpCall { method: field.usr.clone(), name, args: vec![value] });
            }
        };
        let part = field.ty.record().and_then(|usr| scope.model.classes.get(usr));
        match part.filter(|part| is_c && part.kind == ClassKind::Struct) {
            None if kept.contains(&field.name) => {}
            None => assign(field.name.clone(), field),
            Some(part) => {
                let used = scope.field_usage.of_class(scope.model, scope.hierarchy, part);
                let names = |inner: &&Field| used.as_ref().is_some_and(|used| used.names(&inner.name));
                let may_be = |inner: &&Field| may_be_assigned(scope, inner) && !kept.contains(&inner.name);
                let inner = part.fields.iter().filter(names).filter(may_be);
                inner.for_each(|inner| assign(format!("{}.{}", field.name, inner.name), inner));
            }
        }
    }
    calls.truncate(CHOICES);
    calls
}

/// The way from a class to a base.
#[derive(Clone, Copy)]
struct Path {
    /// Anybody can go it.
    is_open: bool,
    /// How many steps it has.
    length: usize,
}

/// All that has a name in a class and its bases, on each path to it: two of one name hide each other, or neither can be
/// named. Those that anybody can name have their class and field.
fn members<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    path: Path,
    named: &mut BTreeMap<&'m str, Vec<Option<(&'m Class, &'m Field)>>>,
) {
    let is_open = path.is_open && scope.in_reach(class);
    for field in &class.fields {
        let is_public = is_open && (class.language == Language::C || field.access == Access::Public);
        named.entry(field.name.as_str()).or_default().push(is_public.then_some((class, field)));
    }
    let methods: BTreeSet<&str> =
        class.methods.iter().filter_map(|usr| Some(scope.model.functions.get(usr)?.name.as_str())).collect();
    methods.into_iter().for_each(|name| named.entry(name).or_default().push(None));
    for base in &class.bases {
        let known = base.ty.record().and_then(|usr| scope.model.classes.get(usr));
        // Templates may derive from other instances of themselves without end.
        if let Some(other) = known.filter(|_| path.length < LONGEST) {
            let is_simple = base.access == Access::Public && !base.is_virtual && other.template.is_none();
            members(scope, other, Path { is_open: is_open && is_simple, length: path.length + 1 }, named);
        }
    }
}

fn is_plain(kind: &Kind) -> bool {
    matches!(kind, Kind::Prim { .. } | Kind::Enum { .. } | Kind::StdString)
}

/// Whether a value can be put into it, which nobody else holds.
fn may_be_assigned(scope: &UnitScope<'_>, field: &Field) -> bool {
    let is_value = match &field.ty.kind {
        TypeKind::Prim(_) | TypeKind::Record { .. } => true,
        TypeKind::Enum(usr) => {
            let access = scope.model.enums.get(usr).and_then(|known| known.access);
            matches!(access, None | Some(Access::Public))
        }
        _ => false,
    };
    let is_fixed = field.ty.is_const || field.ty.spelling.contains("volatile") || field.is_static;
    // Compilers warn of numbers that do not fit into so many bits.
    is_value && !is_fixed && !field.name.is_empty() && field.bit_width.is_none()
}

/// The members that the class itself changes after construction, in C the functions that take a pointer to it: counts
/// and places, which have to agree with others. Its calls bring these to other values, or what its maker is told.
fn kept_in_order<'m>(scope: &UnitScope<'m>, class: &Class) -> BTreeSet<&'m String> {
    let lineage: BTreeSet<Usr> = scope.hierarchy.ancestors(&class.usr).into_iter().chain([class.usr.clone()]).collect();
    let is_own = |f: &&Function| {
        if f.language == Language::C {
            let takes_one = f.params.iter().any(|param| param.ty.pointee().and_then(Type::record) == Some(&class.usr));
            return takes_one && (f.params.len() > 1 || !scope.lexicon().says(&f.name, MAKES));
        }
        f.kind != FunctionKind::Constructor && f.owner.as_ref().is_some_and(|of| lineage.contains(of))
    };
    let own = scope.model.functions.values().filter(is_own);
    own.filter_map(|f| f.definition.as_ref()).flat_map(|definition| &definition.changes).collect()
}

/// The places of members that say how much memory another one has: they change together with it.
fn bound(scope: &UnitScope<'_>, class: &Class, with: &Substitution) -> BTreeSet<usize> {
    let by_name = member_lengths::extents(scope.lexicon(), class, with).into_iter();
    let by_name = by_name.flat_map(|extent| [Some(extent.count), extent.room].into_iter().flatten());
    let by_bodies = member_lengths::counted(scope.model, class).into_iter().flat_map(|counted| counted.counts);
    by_name.chain(by_bodies).collect()
}
