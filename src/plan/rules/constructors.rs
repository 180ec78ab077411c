//! Objects by a public constructor.

use crate::facts::default_construction::is_default_constructible;
use crate::facts::definitions::is_definition;
use crate::facts::factories::is_kept;
use crate::facts::handles;
use crate::model::{Access, Class, Function, Model, Type};
use crate::plan::construction_graph::{Builder, Edge, NOTHING, Need, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::usual_arguments::{of_constructor, used_with};
use crate::plan::{Kind, Reason, Recipe, Slot};
use crate::types::spelling::value_type;
use crate::types::standard::is_range;
use crate::types::substitution::Substitution;

/// Cost of an object that nobody but its own class may destroy.
const KEPT: u32 = 10;
/// So many other argument lists of a constructor template are alternatives.
const INSTANCES: usize = 7;
/// Parameters beyond which a constructor is hardly the cheapest way.
const ARGUMENTS: usize = 12;

/// The constructors that everybody may call.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    let (Object { ty, class }, model) = (object, graph.facts.model);
    if !object.is_constructed() || class.is_abstract {
        return;
    }
    let with = Substitution::of(model, class, object.ty.args());
    // Such an object is made and never destroyed: prefer one that somebody else owns.
    let kept = if is_kept(model, class) { KEPT } else { 0 };
    // A handle that is made of nothing leads nowhere.
    let empty = if handles::target(model, ty).is_some() { NOTHING } else { 0 };
    let is_form = is_definition(model, class, &with);
    let mut found: Vec<(Edge<'m>, bool)> = Vec::new();
    for ctor in class.constructors(model).filter(|ctor| is_open(ctor) && ctor.params.len() <= ARGUMENTS) {
        let own = of_constructor(graph.facts.lexicon(), model, ctor, &with);
        if ctor.template.is_some() && own.is_none() {
            continue;
        }
        let with = &with.clone().and(ctor, Some(class), own.as_deref().unwrap_or_default());
        let Some((taken, need)) = graph.arguments(&ctor.params, with) else { continue };
        let cost = 1 + kept + if taken == 0 { empty } else { 0 };
        let edge = Edge::new(Way::Constructor(Some(ctor)), need.plus(cost));
        let fills = ctor.params.iter().any(|p| is_range(model, p.ty.without_ref()));
        found.push((Edge { shell: taken == 0 && !is_form, ..edge }, fills));
    }
    if class.constructors(model).next().is_none() && is_default_constructible(model, class) {
        let edge = Edge::new(Way::Constructor(None), Need::of(1 + kept + empty));
        found.push((Edge { shell: !is_form, ..edge }, false));
    }
    // Where one constructor fills a container, those that leave it empty make shells.
    let is_filled = found.iter().any(|(_, fills)| *fills);
    edges.extend(found.into_iter().map(|(edge, fills)| Edge { shell: edge.shell || is_filled && !fills, ..edge }));
}

/// An object by one of them; without a function by the implicit default constructor.
///
/// # Errors
/// An argument can't be made.
pub(in crate::plan) fn recipe(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    with: &Substitution,
    constructor: Option<&Function>,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let mut args = Vec::new();
    if let Some(ctor) = constructor {
        let own = of_constructor(scope.lexicon(), scope.model, ctor, with).unwrap_or_default();
        args = scope.params(&ctor.params, &with.clone().and(ctor, Some(class), &own), None, request)?;
        transfer_pointee(scope, ty, &mut args);
    }
    Ok(construct(scope.model, ty, class, constructor, args).by("constructor"))
}

/// Beside an object that a constructor template makes, those that it makes with the other arguments that the project
/// uses it with: what the object becomes may depend on their types.
pub(in crate::plan) fn others(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    made: &Recipe,
    request: Request<'_>,
) -> Vec<Recipe> {
    let Kind::Construct { constructor: Some(usr), .. } = &made.kind else { return Vec::new() };
    let Some(ctor) = scope.model.functions.get(usr) else { return Vec::new() };
    let with = Substitution::of(scope.model, class, ty.args());
    let lists = used_with(scope.model, ctor, &with).into_iter().skip(1).take(INSTANCES);
    let made = lists.filter_map(|list| {
        let own = with.clone().and(ctor, Some(class), list);
        let mut args = scope.params(&ctor.params, &own, None, request).ok()?;
        transfer_pointee(scope, ty, &mut args);
        Some(construct(scope.model, ty, class, Some(ctor), args).by("constructor template"))
    });
    made.collect()
}

/// A call of a constructor.
pub(in crate::plan) fn construct(
    model: &Model,
    ty: &Type,
    class: &Class,
    constructor: Option<&Function>,
    args: Vec<Slot>,
) -> Recipe {
    let constructor = constructor.map(|ctor| ctor.usr.clone());
    Kind::Construct { constructor, args, kept: is_kept(model, class) }.of(value_type(ty))
}

/// Whether everybody may make a new object by the constructor.
pub(in crate::plan) fn is_open(ctor: &Function) -> bool {
    !ctor.is_deleted && !ctor.is_copy_or_move && ctor.access == Some(Access::Public)
}

/// The constructor of a handle takes ownership of the new object that the handle leads to.
fn transfer_pointee(scope: &UnitScope<'_>, ty: &Type, args: &mut [Slot]) {
    let Some(to) = handles::target(scope.model, ty) else { return };
    for slot in args.iter_mut().filter(|slot| handles::takes_over(&slot.ty, &to)) {
        // Whether it leads nowhere is the handle's own matter.
        slot.nullable = false;
        if let Kind::Pointer { given, to, .. } = &mut slot.recipe.kind
            && is_new(scope.model, &to.recipe)
        {
            *given = true;
        }
    }
}

/// Whether an object of a derived class may be deleted as one of `ty`.
pub(super) fn deletes_derived(model: &Model, ty: &Type) -> bool {
    let class = ty.record().and_then(|usr| model.classes.get(usr));
    let mut methods = class.into_iter().flat_map(|class| &class.methods).filter_map(|usr| model.functions.get(usr));
    methods.any(|method| method.is_virtual && method.name.starts_with('~'))
}

/// Whether the recipe makes a new object, which somebody else may own from then on.
fn is_new(model: &Model, recipe: &Recipe) -> bool {
    let on_heap = |ty: &Type| {
        let class = ty.record().and_then(|usr| model.classes.get(usr));
        let mut methods = class.into_iter().flat_map(|class| &class.methods).filter_map(|usr| model.functions.get(usr));
        !methods.any(|method| method.name == "operator new" && method.is_deleted)
    };
    match &recipe.kind {
        Kind::Construct { .. } | Kind::Fields { .. } | Kind::Stub { .. } => on_heap(&recipe.ty),
        Kind::Choice { among, .. } => among.iter().all(|slot| {
            let is_same = slot.ty.canonical() == recipe.ty.canonical();
            is_new(model, &slot.recipe) && (is_same || deletes_derived(model, &recipe.ty))
        }),
        Kind::SetUp { object, .. } | Kind::Then { object, .. } => is_new(model, &object.recipe),
        _ => false,
    }
}
