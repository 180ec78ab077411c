//! Objects of classes: which way of the construction graph is taken, and what is done where that fails.
//!
//! The graph knows what each way costs (`ways` of the rules beside this file); the cheapest that works out makes the
//! object. An object that every method would find empty costs more than one that has something in it.

use super::option_structs::{either, filled, one_of_these};
use super::rule::RecordRule;
use super::{
    constructors, derived, elements, factories, installed, iterators, non_empty, overrides, private_constructors,
    stubs, subtypes,
};
use crate::facts::implementable::is_for_subclasses;
use crate::model::{Class, Function, Type};
use crate::plan::class_arguments::{class_type, named_type};
use crate::plan::construction_graph::{Need, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Reason, Recipe, Slot};
use crate::types::records::is_below;
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// The most ways to one object that are tried: the cost says that the first works out.
const TRIED: usize = 4;
/// Within so many other objects a derived class that reads text stands in for its base.
const READERS_WITHIN: usize = 2;
/// The most instantiations of one class template that are made within one another.
const NESTED: usize = 4;
/// The most obstacles that a reason names.
const REASONS: usize = 3;

/// An object of a class; where its constructor only makes a form to fill in, the data chooses whether it is filled in.
pub(super) const CONSTRUCTION: RecordRule = RecordRule {
    name: "construction",
    cost: |graph, ty| Some(Some(Need { cost: 0, nodes: vec![graph.node(ty)?] })),
    recipe: |scope, ty, request| {
        let Some(class) = ty.record().and_then(|usr| scope.model.classes.get(usr)) else { return Ok(None) };
        let made = scope.object(ty, request)?;
        Ok(Some(match filled(scope, ty, class, request) {
            Some(filled) if matches!(made.clone().without_set_up().kind, Kind::Construct { .. }) => {
                either(ty, made, filled).by("filled-in form")
            }
            _ => made,
        }))
    },
};

/// An object of class `ty`, or of a concrete subtype. What is tried, in this order:
///
/// 1. a class of an installed library, as its rows say;
/// 2. the subtypes that an override names;
/// 3. of an abstract class, its concrete subtypes, an object that a function yields, or a stub; of one that only
///    subclasses construct the cheapest of these;
/// 4. of a concrete class, an iterator into the receiver, or the construction that an override names;
/// 5. the cheapest of `WAYS`, [`TRIED`] of them at most;
/// 6. a private constructor, where nothing else leads to an object;
/// 7. a stub, where only subclasses may construct.
///
/// Beside a listener that is made so the data may choose a stub that notes what it is told (3 to 6).
///
/// # Errors
/// Why there is no way to one.
pub(super) fn object(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let Some(class) = ty.record().map(|usr| &scope.model.classes[usr]) else {
        return Err(Reason::new(format!("`{}` is not a class", ty.spelling)));
    };
    if let Some(recipe) = installed::installed(scope, ty, class, request) {
        return Ok(recipe);
    }
    if let Some(named) = scope.overrides.subtypes_for(&class.qualified, scope.id()) {
        let named: Vec<Type> = named.iter().filter_map(|name| named_type(scope, name)).collect();
        return one_of(scope, ty, &named, request).map(Recipe::by_override);
    }
    if class.is_abstract {
        return abstract_object(scope, ty, class, request);
    }
    let cheapest = if is_for_subclasses(scope.model, class) { scope.ways(ty, false).into_iter().next() } else { None };
    match cheapest {
        Some((_, Way::Subtype(_))) => return abstract_object(scope, ty, class, request),
        // What a function yields is had from a stub in the first place.
        Some((_, Way::Stub)) => {
            if let Ok(stub) = stub(scope, ty, class, request) {
                return Ok(stub);
            }
        }
        _ => {}
    }
    let made = concrete_object(scope, ty, class, request).or_else(|reason| {
        // Where only subclasses may construct, a stub is such a subclass.
        if is_for_subclasses(scope.model, class) {
            stub(scope, ty, class, request).map_err(|_| reason)
        } else {
            Err(reason)
        }
    })?;
    let stub = if made.overridden { None } else { stubs::listener(scope, ty, class, request) };
    let is_shell = matches!(&made.clone().without_set_up().kind, Kind::Construct { args, .. } if args.is_empty());
    if is_shell && !made.overridden && request.objects_open() <= READERS_WITHIN && stub.is_none() {
        let readers = subtypes::readers(scope, ty, class, request);
        if !readers.is_empty() {
            let among = std::iter::once(Slot::new("made", value_type(ty), made)).chain(readers).collect();
            return Ok(Kind::Choice { among }.of(value_type(ty)).by("derived class that reads"));
        }
    }
    Ok(match stub {
        Some(stub) => either(ty, made, stub),
        None => made,
    })
}

/// An object of a concrete subtype; without one, an object that a function yields, or a stub.
fn abstract_object(scope: &UnitScope<'_>, ty: &Type, class: &Class, request: Request<'_>) -> Result<Recipe, Reason> {
    let mut subs = scope.hierarchy.concrete_subtypes(&class.usr);
    subs.retain(|usr| *usr != class.usr);
    let is_one =
        |sub: &Class| is_below(scope.model, sub, ty) && subtypes::derives_openly(scope.model, sub, &class.usr, 0);
    subs.retain(|usr| scope.model.classes.get(usr).is_some_and(is_one));
    let types: Vec<Type> = subs.iter().filter_map(|usr| class_type(scope, usr)).collect();
    let stub = || stub(scope, ty, class, request);
    if scope.stubs
        && !stubs::is_of_the_receiver(scope, class)
        && let Ok(stub) = stub()
    {
        return Ok(stub);
    }
    let yielded = || concrete_object(scope, ty, class, request);
    let made = if !subs.is_empty() {
        let made = one_of(scope, ty, &types, request).map(|mut made| {
            if let Kind::Choice { among } = &mut made.kind
                && let Some(stub) = stubs::listener(scope, ty, class, request)
            {
                among.push(Slot::object(value_type(ty), stub));
            }
            made
        });
        made.or_else(|reason| yielded().or_else(|_| stub()).map_err(|_| reason))
    } else if let Some((_, Way::Stub)) = scope.ways(ty, false).first() {
        // An object that its own methods yield is had from a stub in the first place.
        stub().or_else(|_| yielded())
    } else {
        yielded().or_else(|_| stub())
    };
    let name = &class.qualified;
    made.map_err(|reason| match subs.is_empty() {
        true if class.is_abstract => {
            Reason::new(format!("`{name}` is abstract and the project has no concrete subtype"))
        }
        _ => reason,
    })
    .map_err(|reason| Reason { needs: vec![format!("subtypes.{name}")], ..reason })
}

/// A stub, with what its base can do called on it before.
fn stub<'m>(scope: &UnitScope<'m>, ty: &Type, class: &'m Class, request: Request<'_>) -> Result<Recipe, Reason> {
    overrides::prepared(scope, stubs::stub(scope, ty, class, request)?, class, request)
}

/// An object of one of several concrete subtypes.
fn one_of(scope: &UnitScope<'_>, ty: &Type, concrete: &[Type], request: Request<'_>) -> Result<Recipe, Reason> {
    subtypes::recipe(scope, ty, concrete, request, |sub, class| concrete_object(scope, sub, class, request.deeper()))
}

fn concrete_object<'m>(
    scope: &UnitScope<'m>,
    ty: &Type,
    class: &'m Class,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    if is_underway(ty, class, request) {
        return Err(Reason::new(format!("making a `{}` needs another one", class.qualified)));
    }
    let only_declared = || {
        Reason::new(format!("`{}` is only declared, and no function yields one that can be had", class.qualified))
            .needs(format!("construct.{}", class.qualified))
    };
    let in_reach = scope.reaches(ty, class);
    if !in_reach && scope.ways(ty, true).is_empty() {
        return Err(scope.out_of_reach(class));
    }
    if scope.skipped == 0
        && let Some(recipe) = iterators::own_iterator(scope, ty, class, request)
    {
        return Ok(recipe);
    }
    let open = request.opening_instance(&class.usr, &ty.spelling);
    let inside = request.inside(&open);
    let best = cheapest(scope, ty, class, Request { shell_will_do: request.shell_will_do, ..inside });
    // Even what only says what follows construction says how the object is made.
    let is_said = scope.overrides.constructor_for(&class.qualified, scope.id()).is_some();
    let is_free = !is_said && !request.shell_will_do && !request.without_setup;
    let derived = best.as_ref().ok().filter(|_| is_free).map(|made| derived::others(scope, ty, made, inside));
    let instances =
        best.as_ref().ok().filter(|_| is_free).map(|made| constructors::others(scope, ty, class, made, inside));
    let factories = best.as_ref().ok().filter(|_| is_free).map(|made| factories::others(scope, ty, made, inside));
    let fuller = best.as_ref().ok().and_then(|made| non_empty::fuller(scope, ty, made, inside));
    let best = best.map(|recipe| if is_said { recipe.by_override() } else { recipe });
    match best {
        Ok(recipe) if class.definition.is_some() => {
            let made = overrides::prepared(scope, recipe, class, request)?;
            let beside = fuller.into_iter().chain(instances.into_iter().chain(derived).chain(factories).flatten());
            match elements::elements(scope, ty, class, inside).filter(|_| !is_said) {
                // Of what another object is made of, the elements are enough.
                Some(elements) if request.objects_open() > 0 => Ok(elements),
                // (Told any number, the same constructor makes nothing else, and now and then a lot of it.)
                Some(elements) if is_by_same_constructor(&elements, &made) => Ok(one_of_these(ty, elements, beside)),
                Some(elements) => Ok(one_of_these(ty, elements, std::iter::once(made).chain(beside))),
                None => Ok(one_of_these(ty, made, beside)),
            }
        }
        Err(_) if class.definition.is_none() => Err(only_declared()),
        other => other,
    }
}

/// Whether what has elements is told how many by the constructor of the other recipe.
fn is_by_same_constructor(elements: &Recipe, made: &Recipe) -> bool {
    let Kind::Elements { constructor, .. } = &elements.kind else { return false };
    let made = made.clone().without_set_up();
    matches!(&made.kind, Kind::Construct { constructor: Some(usr), .. } if usr == constructor)
}

/// Whether an object of this type is being made already. Of a template, one instantiation may need another: a handle to
/// what is made of handles to something else.
fn is_underway(ty: &Type, class: &Class, request: Request<'_>) -> bool {
    let of_class = request.objects_of(&class.usr);
    let is_plain = class.template.is_none() || request.is_open_instance(&ty.spelling);
    of_class > if is_plain { 0 } else { NESTED }
}

/// An object by the cheapest construction that works out.
fn cheapest<'m>(scope: &UnitScope<'m>, ty: &Type, class: &'m Class, request: Request<'_>) -> Result<Recipe, Reason> {
    let with = Substitution::of(scope.model, class, ty.args());
    if let Some(recipe) = overrides::overridden_construction(scope, ty, class, &with, request)? {
        return Ok(recipe.by("override"));
    }
    let (constructions, skipped) = constructions(scope, ty, request);
    let request = Request { shell_will_do: false, ..request };
    let mut failed: Vec<String> = Vec::new();
    for way in constructions.into_iter().take(TRIED) {
        match constructed(scope, ty, class, &with, &way, request) {
            Ok(recipe) => return Ok(Recipe { skipped, ..recipe }),
            Err(reason) => failed.push(format!("{}: {}", name_of(&way), reason.what)),
        }
    }
    if failed.is_empty() {
        failed = obstacles(scope, class, &with, request);
    }
    if let Some(recipe) = private_constructors::by_hidden_constructor(scope, ty, class, &with, request) {
        return Ok(recipe.by("private constructor"));
    }
    let tried = if failed.is_empty() { "no public constructor or factory".to_owned() } else { failed.join("; ") };
    Err(Reason::new(format!("no `{}` can be constructed: {tried}", class.qualified))
        .needs(format!("construct.{}", class.qualified)))
}

/// The constructions that are tried, in their order, and how many cheaper ones are skipped.
fn constructions<'m>(scope: &UnitScope<'m>, ty: &Type, request: Request<'_>) -> (Vec<Way<'m>>, usize) {
    let is_direct = |way: &Way<'_>| matches!(way, Way::Constructor(_) | Way::Factory(..) | Way::Derived(_));
    let mut direct = scope.ways(ty, request.shell_will_do);
    direct.retain(|(_, way)| is_direct(way));
    // Only the objects that the unit itself is called with; their parts stay.
    let others = if request.objects_open() == 1 { scope.skipped } else { 0 };
    let skipped = if direct.len() > others { others } else { 0 };
    direct.drain(..skipped);
    non_empty::fuller_first(scope, &mut direct, request);
    (direct.into_iter().map(|(_, way)| way).collect(), skipped)
}

/// An object by one construction.
fn constructed<'m>(
    scope: &UnitScope<'m>,
    ty: &Type,
    class: &'m Class,
    with: &Substitution,
    way: &Way<'m>,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    match way {
        Way::Constructor(constructor) => constructors::recipe(scope, ty, class, with, *constructor, request),
        Way::Factory(function, yields) => Ok(scope.factory(ty, function, *yields, request)?.by("factory")),
        Way::Derived(derived) => derived::recipe(scope, ty, derived, request),
        Way::Subtype(_) | Way::Stub | Way::Fields | Way::Said => Err(Reason::new("it is no direct construction")),
    }
}

/// The name of a construction in a reason.
fn name_of(way: &Way<'_>) -> String {
    match way {
        Way::Constructor(Some(ctor)) => format!("constructor {}", signature(ctor)),
        Way::Factory(function, _) => function.qualified.clone(),
        Way::Derived(derived) => derived.spelling.clone(),
        Way::Constructor(None) | Way::Subtype(_) | Way::Stub | Way::Fields | Way::Said => String::new(),
    }
}

/// Why each constructor fails; further inside the first alone.
fn obstacles<'m>(scope: &UnitScope<'m>, class: &'m Class, with: &Substitution, request: Request<'_>) -> Vec<String> {
    let most = if request.objects_open() > 1 { 1 } else { REASONS };
    let mut found = Vec::new();
    for ctor in class.constructors(scope.model).filter(|c| c.template.is_none() && constructors::is_open(c)).take(most)
    {
        if let Err(reason) = scope.params(&ctor.params, with, None, request) {
            found.push(format!("constructor {}: {}", signature(ctor), reason.what));
        }
    }
    found
}

fn signature(function: &Function) -> String {
    let params: Vec<&str> = function.params.iter().map(|p| p.ty.spelling.as_str()).collect();
    format!("({})", params.join(", "))
}
