//! Members that anybody may set and the class itself never changes, as calls that set an object up:
//! `record.epoch = 5.0`. A record that was only constructed has the values of its constructor, and its unit meets no
//! others.

use crate::facts::member_lengths;
use crate::lexicon::MAKES;
use crate::model::{Access, Class, ClassKind, Field, Function, FunctionKind, Language, Prim, Type, TypeKind, Usr};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, SetUpCall, Slot};
use crate::types::arithmetic::{is_integer, is_signed};
use crate::types::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet};

/// The most members that the data chooses among.
const CHOICES: usize = 12;
/// The most steps to a base whose names are looked at.
const LONGEST: usize = 8;
/// The bits of the widest state.
const BITS: u32 = 16;
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

/// Assignments to the members that say in which state an object of C is, which a function has made or made ready. The
/// others agree with what that function was told.
pub(super) fn states<'m>(scope: &UnitScope<'m>, class: &'m Class, request: Request<'_>) -> Vec<SetUpCall> {
    let fields = |name: &String| class.fields.iter().find(|field| field.name == *name);
    let mut states = all_assignments(scope, class, &Substitution::default(), request);
    states.retain(|call| fields(&call.name).is_some_and(is_state));
    states.truncate(CHOICES);
    states
}

/// Assignments to the members of an object that a function has made and was told nothing for. In C members of members
/// are set as well.
pub(super) fn assignments_after<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Vec<SetUpCall> {
    let mut calls = all_assignments(scope, class, with, request);
    calls.truncate(CHOICES);
    calls
}

fn all_assignments<'m>(
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
            let recipe =
                bits(field).map_or_else(|| scope.value(&ty, inside.at(0)).ok(), |kind| Some(kind.of(ty.clone())));
            if let Some(recipe) = recipe.filter(|recipe| is_plain(&recipe.kind)) {
                let value = Slot::new(format!("{}_value", name.replace('.', "_")), ty, recipe);
                calls.push(SetUpCall { method: field.usr.clone(), name, args: vec![value], fills: false });
            }
        };
        let part = field.ty.record().and_then(|usr| scope.model.classes.get(usr));
        match part.filter(|part| is_c && part.kind == ClassKind::Struct) {
            None if kept.contains(&field.name) && !(is_c && is_state(field)) => {}
            None => assign(field.name.clone(), field),
            Some(part) => {
                let used = scope.field_usage.of_class(scope.model, scope.hierarchy, part);
                let names = |inner: &&Field| used.as_ref().is_some_and(|used| used.names(&inner.name));
                let is_free = |inner: &Field| !kept.contains(&inner.name) || is_state(inner);
                let may_be = |inner: &&Field| may_be_assigned(scope, inner) && is_free(inner);
                let inner = part.fields.iter().filter(names).filter(may_be);
                inner.for_each(|inner| assign(format!("{}.{}", field.name, inner.name), inner));
            }
        }
    }
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
    matches!(kind, Kind::Prim { .. } | Kind::Enum { .. } | Kind::Length { .. } | Kind::StdString { .. })
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
    is_value && !is_fixed && !field.name.is_empty() && (field.bit_width.is_none() || bits(field).is_some())
}

/// A number that fits into so many bits, without which compilers warn. Of C: nobody can take the address of them.
fn bits(field: &Field) -> Option<Kind> {
    let TypeKind::Prim(prim) = field.ty.kind else { return None };
    let width = field.bit_width.filter(|width| is_integer(prim) && *width <= BITS)?;
    let most = (1 << (width - u32::from(is_signed(prim)))) - 1;
    (most > 0).then_some(Kind::Length { most, free: false, below: false })
}

/// A member of C that says in which state its structure is, and is no count and no place. Others would come to it only
/// by the right calls in the right order.
fn is_state(field: &Field) -> bool {
    field.bit_width.is_some() || matches!(field.ty.kind, TypeKind::Enum(_) | TypeKind::Prim(Prim::Bool))
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
