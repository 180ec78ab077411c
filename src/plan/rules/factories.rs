//! Objects that a function yields: a free or static function, or a method of an object that can be had.

use super::setup_calls::to_be_asked;
use crate::facts::factories::{Yield, creates, gives, result_of, works_on_a_shell};
use crate::facts::handles;
use crate::facts::text_readers::takes_text;
use crate::lexicon::Role;
use crate::model::{Class, Function, FunctionKind, Type, TypeKind, Usr};
use crate::plan::class_arguments::{class_type, template_args};
use crate::plan::construction_graph::{Builder, Edge, Facts, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Reason, Recipe, Slot};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;
use std::path::Path;

/// The most factories of one class that are looked at.
const FACTORIES: usize = 24;
/// The most that stand beside the cheapest one, and within how many other objects.
const OTHERS: usize = 3;
const OTHERS_WITHIN: usize = 2;

/// The functions of the project that yield such an object.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    let Object { ty, class } = object;
    if class.definition.is_some() && !object.is_constructed() {
        return;
    }
    let facts = graph.facts;
    let fits = |(f, yields): &&(&Function, Yield)| class.template.is_none() || gives(result_of(f, *yields), ty);
    let mut all: Vec<_> = facts.factories(class).iter().filter(fits).copied().collect();
    // One that is there to make it comes first, then fewer parameters; a free or static function before a method.
    all.sort_by_key(|(f, _)| {
        let effort = f.params.len() + usize::from(f.kind == FunctionKind::Method) * 2;
        (detour(facts, f, class), effort, f.id.clone())
    });
    all.truncate(FACTORIES);
    edges.extend(all.into_iter().filter_map(|(function, yields)| way(graph, function, yields, class)));
}

fn way<'m>(graph: &mut Builder<'_, 'm>, function: &'m Function, yields: Yield, class: &Class) -> Option<Edge<'m>> {
    let facts = graph.facts;
    let owner = function.owner.as_ref().and_then(|usr| facts.model.classes.get(usr));
    let receiver = match &function.owner {
        Some(owner) if is_method(function) => {
            let ty = graph.class_type(owner)?;
            Some(graph.node(&ty)?)
        }
        _ if is_method(function) => return None,
        _ => None,
    };
    let template = owner.filter(|class| class.template.is_some());
    let args = template.and_then(|class| Some((class, facts.usual_args(class)?)));
    let with = args.map(|(class, args)| Substitution::of(facts.model, class, &args)).unwrap_or_default();
    let (_, need) = graph.arguments(&yields.params(function), &with)?;
    let handed = match yields {
        Yield::Borrowed | Yield::Reference => 6,
        // It says whether it could, and leaves nothing where it could not.
        Yield::Through(_) | Yield::InPlace(_) => 8,
        // It may lead nowhere.
        Yield::Handle => 5,
        Yield::Value | Yield::Smart => 4,
    };
    let mut edge = Edge::new(Way::Factory(function, yields), need.plus(handed + detour(facts, function, class)));
    // A constant of its class, such as a matrix of identity, tells as little as a default constructor.
    let is_own = function.owner.as_ref() == Some(&class.usr);
    edge.shell = receiver.is_none() && is_own && yields == Yield::Value && function.params.is_empty();
    // An empty shell has nothing to hand out, unless the method makes something new.
    let makes = works_on_a_shell(facts.lexicon(), &function.name);
    if makes { &mut edge.services } else { &mut edge.need.nodes }.extend(receiver);
    edge.homes.extend(owner.and_then(|owner| facts.home(owner)));
    // Only its own file can call a function that no header declares.
    let mut places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
    let first: Option<&'m Path> = places.clone().next().map(|extent| extent.file.as_path());
    edge.homes.extend(first.filter(|_| places.all(|extent| facts.is_main(&extent.file))));
    Some(edge)
}

/// Costs beyond those of a function that is there to make the object. A function that creates hardly ever yields null,
/// one that looks something up often does. A method of a base that yields a subclass is a cast, not a way to an object,
/// and so is a function that takes nothing but an object of a base.
fn detour(facts: &Facts<'_>, function: &Function, class: &Class) -> u32 {
    let is_kin = |usr: &Usr| *usr == class.usr || facts.hierarchy.ancestors(&class.usr).contains(usr);
    let takes_kin = || match function.params.as_slice() {
        [only] => {
            let to = handles::innermost(facts.model, only.ty.without_ref(), 0);
            to.as_ref().and_then(Type::record).is_some_and(is_kin)
        }
        _ => false,
    };
    let is_named = creates(facts.lexicon(), &function.name);
    let is_cast = match &function.owner {
        _ if !is_method(function) => !is_named && function.result.record() != Some(&class.usr) && takes_kin(),
        owner => owner.as_ref().is_some_and(is_kin),
    };
    let is_const = match &function.result.kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => to.is_const,
        _ => false,
    };
    let creates = is_named || function.result.pointee().is_none();
    u32::from(is_cast) * 40 + u32::from(!creates) * 4 + u32::from(is_const) * 2
}

/// An object of class `ty` that `function` yields.
///
/// # Errors
/// The receiver or an argument can't be made.
pub(in crate::plan) fn recipe(
    scope: &UnitScope<'_>,
    ty: &Type,
    function: &Function,
    yields: Yield,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let owner = function.owner.as_ref().and_then(|owner| scope.model.classes.get(owner));
    if let Some(class) = owner.filter(|class| class.installed.is_some() && !scope.in_reach(class)) {
        return Err(scope.out_of_reach(class));
    }
    let args = owner.and_then(|class| Some((class, template_args(scope, class)?)));
    let with = match &args {
        Some((class, args)) => Substitution::of(scope.model, class, args),
        None => Substitution::none(scope.model),
    };
    let object = if is_method(function) { Some(Box::new(receiver(scope, function, yields, request)?)) } else { None };
    let is_qualified = object.is_none() && !scope.model.is_only_a_friend(function);
    // (Of a template, or what it is specialised for, that is of the type with its arguments.)
    let of = owner.filter(|_| is_qualified).and_then(|class| class_type(scope, &class.usr));
    let callee = match of {
        Some(of) => format!("{}::{}", of.spelling, function.name),
        None if is_qualified => function.qualified.clone(),
        None => function.name.clone(),
    };
    let request = request.for_function(scope.lexicon(), &function.name);
    let args = scope.params(&yields.params(function), &with, None, request)?;
    Ok(Kind::Factory { function: function.usr.clone(), callee, object, args, yields }.of(value_type(ty)))
}

/// Other functions that make such an object, beside the one that made `made`: those that read text first, then the
/// cheapest. As with subtypes, the data picks one: what one function makes is mostly of one kind.
pub(super) fn others(scope: &UnitScope<'_>, ty: &Type, made: &Recipe, request: Request<'_>) -> Vec<Recipe> {
    let plain = made.clone().without_set_up();
    let Kind::Factory { function: first, object: None, yields: alike, .. } = &plain.kind else { return Vec::new() };
    if scope.is_in_c() || request.objects_open() > OTHERS_WITHIN {
        return Vec::new();
    }
    let is_made = |yields: Yield| yields == *alike || matches!(yields, Yield::Value | Yield::Smart);
    let mut beside: Vec<(&Function, Yield)> = scope
        .ways(ty, false)
        .into_iter()
        .filter_map(|(_, way)| match way {
            Way::Factory(function, yields) => Some((function, yields)),
            _ => None,
        })
        .filter(|(function, yields)| function.usr != *first && !is_method(function) && is_made(*yields))
        .filter(|(function, _)| !function.params.iter().any(|param| param.ty.any(|part| part.record() == ty.record())))
        .collect();
    beside.sort_by_key(|(function, _)| !takes_text(scope.model, function));
    let made = beside.into_iter().filter_map(|(f, yields)| scope.factory(ty, f, yields, request).ok());
    made.take(OTHERS).map(|recipe| recipe.by("another factory")).collect()
}

/// The object that a factory method is called on.
fn receiver(scope: &UnitScope<'_>, function: &Function, yields: Yield, request: Request<'_>) -> Result<Slot, Reason> {
    let owner = function.owner.as_ref().and_then(|owner| class_type(scope, owner));
    let owner = owner.ok_or_else(|| Reason::new("its class is not known"))?;
    let works_on_a_shell = works_on_a_shell(scope.lexicon(), &function.name);
    // The contents of the receiver count only where it is turned into something else.
    let turns = scope.lexicon().begins(&function.name, Role::Converts);
    let maker = Request { non_empty: request.non_empty && turns, shell_will_do: works_on_a_shell, ..request.deeper() };
    let recipe = scope.object(&owner, maker)?;
    let lends = matches!(yields, Yield::Borrowed | Yield::Reference) && !works_on_a_shell;
    let recipe = match owner.record().and_then(|usr| scope.model.classes.get(usr)).filter(|_| lends) {
        Some(class) => to_be_asked(scope, recipe, class, request),
        None => recipe,
    };
    Ok(Slot::object(owner, recipe))
}

fn is_method(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::Method | FunctionKind::Conversion)
}
