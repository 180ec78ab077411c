//! Objects of concrete subtypes in the place of an abstract class: the data picks one.

use super::constructors;
use crate::facts::implementable::is_for_subclasses;
use crate::lexicon::Role;
use crate::model::{Access, Class, Function, FunctionKind, Model, Type, Usr};
use crate::plan::class_arguments::class_type;
use crate::plan::construction_graph::{Builder, Edge, NEVER, Need, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Reason, Recipe, Slot, Yield};
use crate::types::records::is_below;
use crate::types::spelling::value_type;

/// The most concrete subtypes that one parameter chooses among.
const ALTERNATIVES: usize = 8;
/// The most subtypes that are named for what stands in their way.
const REASONS: usize = 3;
/// The most classes between one and its base.
const DEEPEST: usize = 16;

/// For an abstract class, or one that only subclasses construct, its concrete subtypes.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    let (Object { ty, class }, facts) = (object, graph.facts);
    // (One that is owned is deleted as its base.)
    let is_base = || is_for_subclasses(facts.model, class) && constructors::deletes_derived(facts.model, ty);
    if !object.is_constructed() || !(class.is_abstract || is_base()) {
        return;
    }
    for usr in facts.hierarchy.concrete_subtypes(&class.usr).into_iter().filter(|usr| *usr != class.usr) {
        if let Some(sub) = facts.model.classes.get(&usr).filter(|sub| is_below(facts.model, sub, ty))
            && derives_openly(facts.model, sub, &class.usr, 0)
            && let Some(ty) = graph.class_type(&usr)
            && let Some(node) = graph.node(&ty)
        {
            // A class that is only declared there is no subtype there, even where a function yields one.
            let homes = facts.home(sub).into_iter().collect();
            edges.push(Edge { homes, ..Edge::new(Way::Subtype(ty), Need { cost: 1, nodes: vec![node] }) });
        }
    }
}

/// Whether everybody sees that a class derives from `base`.
pub(super) fn derives_openly(model: &Model, class: &Class, base: &Usr, within: usize) -> bool {
    let is_it = |above: &Usr| {
        let class = model.classes.get(above).filter(|_| within < DEEPEST);
        above == base || class.is_some_and(|class| derives_openly(model, class, base, within + 1))
    };
    class.bases.iter().any(|above| above.access == Access::Public && above.ty.record().is_some_and(is_it))
}

/// So many subtypes are chosen among within so many other objects.
pub(super) fn most(within: usize) -> usize {
    match within {
        0 => ALTERNATIVES,
        1 => 3,
        _ => 1,
    }
}

/// Beside an object that is made of nothing, one of a class that derives from its own and reads text, and what that
/// hands out: of a node, the document that it may be the root of, and the element of that.
pub(super) fn readers(scope: &UnitScope<'_>, ty: &Type, class: &Class, request: Request<'_>) -> Vec<Slot> {
    let reads = |method: &&Function| {
        method.access == Some(Access::Public)
            && scope.lexicon().begins(&method.name, Role::Reads)
            && crate::facts::text_readers::takes_text(scope.model, method)
    };
    let subtypes = scope.hierarchy.concrete_subtypes(&class.usr).into_iter();
    let subtypes = subtypes.filter_map(|usr| scope.model.classes.get(&usr));
    let mut subtypes = subtypes.filter(|sub| {
        let mut methods = sub.methods.iter().filter_map(|usr| scope.model.functions.get(usr));
        derives_openly(scope.model, sub, &class.usr, 0)
            && is_below(scope.model, sub, ty)
            && scope.in_reach(sub)
            && methods.any(|method| reads(&method))
    });
    let made = |sub: &Class| {
        let ty = class_type(scope, &sub.usr)?;
        Some((sub.usr.clone(), Slot::new("made", ty.clone(), scope.object(&ty, request.deeper()).ok()?)))
    };
    let Some((reader, whole)) = subtypes.find_map(made) else { return Vec::new() };
    let hands_out = |method: &&Function| {
        method.access == Some(Access::Public) && method.params.is_empty() && method.result.canonical() == ty.canonical()
    };
    let part =
        scope.model.classes[&reader].methods.iter().filter_map(|usr| scope.model.functions.get(usr)).find(hands_out);
    let part = part.filter(|part| part.kind == FunctionKind::Method);
    let part = part.and_then(|part| scope.factory(ty, part, Yield::Value, request.deeper()).ok());
    std::iter::once(whole).chain(part.map(|part| Slot::new("made", value_type(ty), part))).collect()
}

/// One of several subtypes; the further inside, the fewer, and those the cheapest. `make` makes an object of exactly
/// one class.
///
/// # Errors
/// None of them can be made.
pub(in crate::plan) fn recipe(
    scope: &UnitScope<'_>,
    base: &Type,
    concrete: &[Type],
    request: Request<'_>,
    make: impl Fn(&Type, &Class) -> Result<Recipe, Reason>,
) -> Result<Recipe, Reason> {
    let most = most(request.objects_open());
    let mut possible: Vec<(u32, &Type)> = concrete.iter().map(|ty| (scope.cost_of(ty), ty)).collect();
    if possible.len() > most {
        let is_empty = |ty: &Type| request.non_empty && !super::non_empty::takes_elements(scope.model, ty);
        possible.sort_by_key(|(cost, ty)| (is_empty(ty), *cost));
    }
    let mut among = Vec::new();
    let mut failed = Vec::new();
    for (cost, ty) in possible {
        let Some(class) = ty.record().map(|usr| &scope.model.classes[usr]) else { continue };
        if among.len() == most || cost == NEVER && !(among.is_empty() && failed.len() < REASONS) {
            continue;
        }
        match if scope.reaches(ty, class) { make(ty, class) } else { Err(scope.out_of_reach(class)) } {
            Ok(recipe) => among.push(Slot::object(ty.clone(), recipe)),
            Err(reason) => failed.push(format!("{}: {}", ty.spelling, reason.what)),
        }
    }
    if among.is_empty() {
        let (base, failed) = (&base.spelling, failed.join("; "));
        return Err(Reason::new(format!("no concrete subtype of `{base}` can be constructed ({failed})")));
    }
    Ok(Kind::Choice { among }.of(value_type(base)))
}
