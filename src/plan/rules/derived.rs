//! Objects of derived classes in the place of a base: a handle that converts, and `Shape<Square>`, of which `Square` is
//! one.

use super::rule::RecordRule;
use super::subtypes;
use crate::facts::handles;
use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::plan::construction_graph::{Builder, Edge, Need, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Reason, Recipe, Slot};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// So far up a base is looked for.
const DEEPEST_BASE: usize = 4;

/// A base that is told its derived class: its code takes itself for what derives from it.
pub(super) const DERIVED_FROM_ITSELF: RecordRule = RecordRule {
    name: "derived class",
    cost: |graph, ty| derived_from_itself(graph.facts.model, ty).map(|derived| graph.value(&derived)),
    recipe: |scope, ty, request| {
        derived_from_itself(scope.model, ty).map(|derived| scope.value(&derived, request.deeper())).transpose()
    },
};

/// For a handle, handles of derived classes.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    if !object.is_constructed() {
        return;
    }
    for derived in handles::of_derived(graph.facts.model, graph.facts.hierarchy, object.ty) {
        if let Some(node) = graph.node(&derived) {
            edges.push(Edge::new(Way::Derived(derived), Need { cost: 2, nodes: vec![node] }));
        }
    }
}

/// A handle that is made of one of a derived class.
///
/// # Errors
/// That one can't be made.
pub(in crate::plan) fn recipe(
    scope: &UnitScope<'_>,
    ty: &Type,
    derived: &Type,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let slot = Slot::object(derived.clone(), scope.object(derived, request.deeper())?);
    let made = Kind::Construct { constructor: None, args: vec![slot], kept: false };
    Ok(made.of(value_type(ty)).by("handle of a derived class"))
}

/// Handles of derived classes beside `made`, the cheapest first. As with the subtypes of an abstract class, the data
/// picks one: code that is given a handle asks what kind of object it leads to.
pub(super) fn others(scope: &UnitScope<'_>, ty: &Type, made: &Recipe, request: Request<'_>) -> Vec<Recipe> {
    let is_made = |derived: &Type| match &made.kind {
        Kind::Construct { args, .. } => args.first().is_some_and(|of| of.ty.canonical() == derived.canonical()),
        _ => false,
    };
    // The handle itself is being made.
    let most = subtypes::most(request.objects_open().saturating_sub(1));
    let derived = scope.ways(ty, false).into_iter().filter_map(|(_, way)| match way {
        Way::Derived(derived) if !is_made(&derived) => Some(derived),
        _ => None,
    });
    derived.filter_map(|derived| recipe(scope, ty, &derived, request).ok()).take(most).collect()
}

/// For an instantiation of a base that is told its derived class (`Shape<Square>`, of which `Square` is one): that
/// class, where it is one that derives so and is not abstract. The base alone is no object that its own code could work
/// on.
pub(in crate::plan) fn derived_from_itself(model: &Model, ty: &Type) -> Option<Type> {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
    let arguments = args.iter().filter_map(|arg| match arg {
        TemplateArg::Type(ty) => Some(ty),
        TemplateArg::Value(_) => None,
    });
    arguments.filter(|derived| derived.record().is_some_and(|own| own != usr)).find_map(|derived| {
        let class = model.classes.get(derived.record()?)?;
        (!class.is_abstract && has_base(model, derived, &ty.canonical(), 0)).then(|| value_type(derived))
    })
}

fn has_base(model: &Model, ty: &Type, base: &str, depth: usize) -> bool {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return false };
    let Some(class) = model.classes.get(usr).filter(|_| depth < DEEPEST_BASE) else { return false };
    let with = Substitution::of(model, class, args);
    let mut bases = class.bases.iter().map(|base| with.apply(&base.ty));
    bases.any(|of| of.canonical() == base || has_base(model, &of, base, depth + 1))
}
