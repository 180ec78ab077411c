//! Override files, applied to parameters and constructions.

use super::rule::RecordRule;
use crate::model::{Class, Function, FunctionKind, Prim, Type, TypeKind};
use crate::overrides::{ArgumentHook, ConstructHook, OverrideValue, ParameterHook, SequenceHook, lookup};
use crate::plan::construction_graph::{Builder, Edge, Need, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe, SetUpCall, Slot, Yield};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// The most calls of a sequence that does not say how many.
const SEQUENCE: u64 = 4;

/// The construction that a person has written down.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    if graph.facts.overrides.makes(&object.class.qualified) {
        edges.push(Edge::new(Way::Said, Need::of(1)));
    }
}

/// `construct.NAME`, for a class that the project only uses.
pub(super) const FOREIGN: RecordRule = RecordRule {
    name: "construction override",
    cost: |graph, ty| {
        let TypeKind::Record { usr, name, .. } = &ty.kind else { return None };
        let is_told = !graph.facts.model.classes.contains_key(usr) && graph.facts.overrides.makes(name);
        is_told.then(|| Some(Need::of(1)))
    },
    recipe: |scope, ty, request| {
        let TypeKind::Record { usr, name, .. } = &ty.kind else { return Ok(None) };
        let is_own = scope.model.classes.get(usr).is_some_and(|class| class.installed.is_none());
        if is_own { Ok(None) } else { foreign(scope, ty, name, request) }
    },
};

/// The recipe that an override gives for a parameter, if one does.
///
/// # Errors
/// The override does not fit the parameter's type.
pub(in crate::plan) fn overridden_param(
    scope: &UnitScope<'_>,
    unit: &str,
    name: &str,
    ty: &Type,
    before: &[Slot],
    request: Request<'_>,
) -> Result<Option<Recipe>, Reason> {
    if let Some(array) = scope.overrides.array_counted_by(unit, name)
        // The array may come behind its length: then it will have as many elements as is said of it.
        && let Some(length) = before.iter().find(|s| s.name == array).map_or_else(
            || scope.overrides.parameter(unit, array).map(|hook| hook.length.unwrap_or(ARRAY_LENGTH)),
            |s| length_of(&s.recipe),
        )
    {
        return Ok(Some(Kind::Length { most: length, free: false, below: false }.of(value_type(ty))));
    }
    let Some(hook) = scope.overrides.parameter(unit, name) else { return Ok(None) };
    let ParameterHook { length, least_length, pointee, pair_with, .. } = hook;
    // A pointer with a length parameter of its own is an array.
    let length = &length.or(pair_with.as_ref().map(|_| ARRAY_LENGTH));
    if let Some(told) = hook.value_hook().told() {
        return as_told(ty, &told).map(Some);
    }
    if let Some([least, most]) = hook.size {
        return match scope.value(ty.without_ref(), request.at(0))? {
            Recipe { ty, kind: Kind::Sequence { element, .. }, .. } => {
                Ok(Some(Kind::Sequence { element, least, most }.of(ty)))
            }
            other => Err(Reason::new(format!("`size` is for containers, not for {}", other.ty.spelling))),
        };
    }
    if let Some(pointee) = pointee {
        let to = named_pointee(scope, pointee)?;
        return behind(scope, ty, &to, *length, request).map(Some);
    }
    if let Some(length) = length
        && let Some(to) = ty.pointee()
    {
        return behind(scope, ty, to, Some(*length), request).map(Some);
    }
    if let Some(length) = length
        && let TypeKind::Array(to, _) = &ty.kind
    {
        return behind(scope, ty, to, Some(*length), request).map(Some);
    }
    // The callee hands out an array through `T **`: what the pointer is before does not matter.
    if least_length.is_some() {
        return scope.value(ty, request.at(0)).map(Some);
    }
    Ok(None)
}

fn behind(
    scope: &UnitScope<'_>,
    ty: &Type,
    to: &Type,
    length: Option<u64>,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    match length {
        Some(length) => {
            let to = value_type(to);
            super::memory::buffer(scope, ty, &to, length, request)
        }
        None => {
            let recipe = scope.value(to, request.at(1))?;
            let slot = Slot::new("value", to.clone(), recipe);
            Ok(Kind::Pointer { to: Box::new(slot), given: false }.of(value_type(ty)))
        }
    }
}

/// The recipe for what is said of a value of type `ty`.
///
/// # Errors
/// It does not fit the type.
fn as_told(ty: &Type, told: &OverrideValue) -> Result<Recipe, Reason> {
    let plain = ty.without_ref();
    match told {
        OverrideValue::Value(expression) => Ok(Kind::Fixed { expression: expression.clone() }.of(value_type(ty))),
        OverrideValue::OneOf(expressions) => Ok(Kind::OneOf { expressions: expressions.clone() }.of(value_type(plain))),
        OverrideValue::Pattern(pattern) if is_text(plain) => {
            Ok(Kind::Pattern { pattern: pattern.clone() }.of(value_type(plain)))
        }
        OverrideValue::Pattern(_) => Err(Reason::new(format!("a pattern is for text, not for {}", ty.spelling))),
        OverrideValue::Range(low, high) if matches!(plain.kind, TypeKind::Prim(_)) => {
            Ok(Kind::Prim { range: Some((low.clone(), high.clone())) }.of(value_type(plain)))
        }
        OverrideValue::Range(..) => Err(Reason::new(format!("a range is for numbers, not for {}", ty.spelling))),
    }
}

/// The recipe that an override gives for every value of a type, if one does.
///
/// # Errors
/// The override does not fit the type.
pub(in crate::plan) fn told_of_type(scope: &UnitScope<'_>, ty: &Type) -> Result<Option<Recipe>, Reason> {
    if !scope.overrides.speaks_of_types() {
        return Ok(None);
    }
    let own = match &ty.kind {
        TypeKind::Enum(usr) => scope.model.enums.get(usr).map(|own| own.qualified.as_str()),
        TypeKind::Record { name, .. } => Some(name.as_str()),
        _ => None,
    };
    let names: Vec<&str> = std::iter::once(ty.bare_spelling()).chain(own).collect();
    let Some(told) = scope.overrides.type_for(&names, scope.id()) else { return Ok(None) };
    as_told(ty, &told).map(|recipe| Some(recipe.by("type override").by_override()))
}

/// Whether people have said how objects of the class come to be: then it is no plain structure.
pub(in crate::plan) fn is_told_of(scope: &UnitScope<'_>, class: &Class) -> bool {
    let unit = scope.id();
    scope.overrides.constructor_for(&class.qualified, unit).is_some()
        || scope.overrides.sequence_for(&class.qualified, unit).is_some()
}

/// The object with what happens to it before it is used: what people have said, else what its class suggests.
///
/// # Errors
/// A method's argument can't be made.
pub(in crate::plan) fn prepared<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    class: &'m Class,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let unit = scope.id();
    let recipe = match scope.overrides.sequence_for(&class.qualified, unit) {
        Some(hook) => told_sequence(scope, recipe, class, hook, request)?,
        None => super::setup_calls::set_up(scope, recipe, class, request),
    };
    let then = scope.overrides.constructor_for(&class.qualified, unit).map_or(&[][..], |hook| &hook.then);
    if then.is_empty() {
        return Ok(recipe);
    }
    let ty = recipe.ty.clone();
    let object = Slot::new(crate::types::spelling::variable(&ty.spelling), ty.clone(), recipe);
    Ok(Kind::Then { object: Box::new(object), statements: then.to_vec() }.of(ty).by_override())
}

fn told_sequence<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    class: &'m Class,
    hook: &SequenceHook,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let ty = recipe.ty.clone();
    let with = Substitution::of(scope.model, class, ty.args());
    let mut calls = Vec::new();
    // A method that takes another object of the class must not lead back here.
    let open = request.opening(&class.usr);
    let inside = request.inside(&open);
    for call in &hook.calls {
        let made = match lookup::methods_named(scope.model, class, &call.method).first() {
            Some(method) => hooked_args(scope, method, &with, &call.args, inside).map(|args| (*method, args)),
            None => Err(Reason::new(format!("`{}` has no method `{}`", class.qualified, call.method))),
        };
        match made {
            Ok((method, args)) => {
                calls.push(SetUpCall { method: method.usr.clone(), name: method.name.clone(), args, fills: false });
            }
            Err(reason) => {
                return Err(Reason { what: format!("call of `{}`: {}", call.method, reason.what), ..reason });
            }
        }
    }
    if calls.is_empty() {
        // Nothing is to happen to the object, which is something to say as well.
        return Ok(recipe.by_override());
    }
    let object = Slot::new(crate::types::spelling::variable(&ty.spelling), ty.clone(), recipe);
    Ok(Kind::SetUp { object: Box::new(object), calls, most: hook.most.unwrap_or(SEQUENCE) }.of(ty).by_override())
}

/// The type behind a `void *`, as a person wrote it.
fn named_pointee(scope: &UnitScope<'_>, text: &str) -> Result<Type, Reason> {
    let name = lookup::core_of(text);
    let found = lookup::class_named(scope.model, name).map(|class| class.qualified.clone());
    let mut ty = crate::plan::class_arguments::named_type(scope, found.as_deref().unwrap_or(name))
        .ok_or_else(|| Reason::new(format!("`{text}` is not a type of the project")))?;
    for _ in text.chars().filter(|c| *c == '*') {
        let spelling = format!("{} *", ty.spelling);
        ty = Type { spelling, is_const: false, kind: TypeKind::Pointer(Box::new(ty)), size: Some(8) };
    }
    Ok(ty)
}

/// The recipe that an override gives for a class that the project only uses, if one does.
///
/// # Errors
/// The factory can't be found, or its remaining arguments can't be made.
fn foreign(scope: &UnitScope<'_>, ty: &Type, name: &str, request: Request<'_>) -> Result<Option<Recipe>, Reason> {
    let Some(hook) = scope.overrides.constructor_for(name, scope.id()) else { return Ok(None) };
    match (&hook.expression, &hook.factory) {
        (Some(expression), _) => {
            Ok(Some(Kind::Fixed { expression: expression.clone() }.of(value_type(ty)).by_override()))
        }
        (None, Some(factory)) => Ok(Some(named_factory(scope, ty, factory, hook, request)?.by_override())),
        (None, None) => Ok(None),
    }
}

/// The construction that an override gives for a class, if one does.
///
/// # Errors
/// The constructor or factory can't be found, or its remaining arguments can't be made.
pub(in crate::plan) fn overridden_construction<'m>(
    scope: &UnitScope<'m>,
    ty: &Type,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Result<Option<Recipe>, Reason> {
    let unit = scope.id();
    let Some(hook) = scope.overrides.constructor_for(&class.qualified, unit) else { return Ok(None) };
    if hook.constructor.is_none() && hook.factory.is_none() && hook.expression.is_none() && hook.args.is_empty() {
        // Only what follows construction is said.
        return Ok(None);
    }
    if let Some(expression) = &hook.expression {
        return Ok(Some(Kind::Fixed { expression: expression.clone() }.of(value_type(ty))));
    }
    if let Some(factory) = &hook.factory {
        return named_factory(scope, ty, factory, hook, request).map(Some);
    }
    let constructor = named_constructor(scope, class, hook)?;
    let args = match constructor {
        Some(function) => hooked_args(scope, function, with, &hook.args, request)?,
        None => Vec::new(),
    };
    let kept = crate::facts::factories::is_kept(scope.model, class);
    let constructor = constructor.map(|c| c.usr.clone());
    Ok(Some(Kind::Construct { constructor, args, kept }.of(value_type(ty))))
}

fn named_constructor<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    hook: &ConstructHook,
) -> Result<Option<&'m Function>, Reason> {
    let usable: Vec<&'m Function> = class
        .constructors(scope.model)
        .filter(|c| !c.is_deleted && (!c.is_copy_or_move || hook.constructor.is_some()))
        .collect();
    let Some(wanted) = &hook.constructor else {
        let enough = |c: &&Function| c.params.len() >= hook.args.len();
        return Ok(usable.into_iter().filter(enough).min_by_key(|c| c.params.len()));
    };
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let inner = wanted.rsplit_once('(').map_or(wanted.as_str(), |(_, params)| params.trim_end_matches(')'));
    usable
        .into_iter()
        .find(|c| {
            let params: Vec<&str> = c.params.iter().map(|p| p.ty.spelling.as_str()).collect();
            bare(&params.join(",")) == bare(inner)
        })
        .map(Some)
        .ok_or_else(|| Reason::new(format!("`{}` has no constructor ({inner})", class.qualified)))
}

fn named_factory(
    scope: &UnitScope<'_>,
    ty: &Type,
    name: &str,
    hook: &ConstructHook,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let wanted = name.trim_end_matches("()");
    let function = scope
        .model
        .functions
        .values()
        .find(|f| f.id == name || f.qualified == wanted)
        .ok_or_else(|| Reason::new(format!("there is no function `{name}`")))?;
    let usr = ty.record().map(String::as_str);
    let through = crate::facts::out_params::out_param(scope.lexicon(), function)
        .filter(|(of, _)| Some(*of) == usr)
        .map(|(_, place)| place);
    let made_ready = ty.record().and_then(|usr| super::c_lifecycle::made_ready(scope.lexicon(), function, usr));
    let yields = match &function.result.kind {
        _ if crate::facts::handles::handle_target(scope.model, function).as_ref() == ty.record() => Yield::Handle,
        _ if through.is_some() => Yield::Through(through.unwrap_or_default()),
        _ if made_ready.is_some() => Yield::InPlace(made_ready.unwrap_or_default()),
        TypeKind::Pointer(_) => Yield::Borrowed,
        TypeKind::LvalueRef(_) => Yield::Reference,
        _ if crate::types::standard::smart_pointee(scope.model, &function.result).is_some() => Yield::Smart,
        _ => Yield::Value,
    };
    let (callee, object) = match (&function.owner, function.kind) {
        (Some(owner), FunctionKind::Method) => {
            let owner = crate::plan::class_arguments::class_type(scope, owner)
                .ok_or_else(|| Reason::new("the factory's class is not known"))?;
            let recipe = scope.object(&owner, request.at(1))?;
            let slot = Slot::new(crate::types::spelling::variable(&owner.spelling), owner, recipe);
            (function.name.clone(), Some(Box::new(slot)))
        }
        _ => (function.qualified.clone(), None),
    };
    let params = match yields {
        Yield::Through(place) | Yield::InPlace(place) => crate::facts::out_params::without(&function.params, place),
        _ => function.params.clone(),
    };
    let asked = Function { params, ..function.clone() };
    let args = hooked_args(scope, &asked, &Substitution::default(), &hook.args, request)?;
    Ok(Kind::Factory { function: function.usr.clone(), callee, object, args, yields }.of(value_type(ty)))
}

fn hooked_args(
    scope: &UnitScope<'_>,
    function: &Function,
    with: &Substitution,
    hook: &[ArgumentHook],
    request: Request<'_>,
) -> Result<Vec<Slot>, Reason> {
    let mut slots = Vec::new();
    for (index, param) in function.params.iter().enumerate() {
        let ty = with.apply(&param.ty);
        let name = crate::types::spelling::identifier(&param.name, &format!("argument{}", index + 1));
        let recipe = match hook.get(index) {
            None | Some(ArgumentHook(None)) => scope.value(&ty, request.at(1))?,
            Some(ArgumentHook(Some(told))) => as_told(ty.without_ref(), told)?,
        };
        slots.push(Slot::new(name, ty, recipe));
    }
    Ok(slots)
}

/// The least length of the array that a function returns or hands out, where an override says so.
pub fn least_length(scope: &UnitScope<'_>, unit: &str, parameter: Option<&str>) -> Option<u64> {
    match parameter {
        Some(name) => scope.overrides.parameter(unit, name).and_then(|hook| hook.least_length),
        None => scope.overrides.result(unit).and_then(|hook| hook.least_length),
    }
}

/// Whether text can be put into it: a character pointer, or a string of `char`.
fn is_text(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Record { name, .. } => crate::types::standard::is_text(name),
        _ => false,
    }
}

fn length_of(recipe: &Recipe) -> Option<u64> {
    match &recipe.kind {
        Kind::Array { length, .. } => Some(*length),
        Kind::CString { most, .. } => Some(*most),
        _ => None,
    }
}
