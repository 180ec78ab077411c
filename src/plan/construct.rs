//! Construction search: the cheapest way to an object that is no empty shell, over constructors, static and
//! free factories, and methods of objects that can be had. What ways there are, and their costs, is `ways`'.

use super::request::Request;
use super::unit_scope::UnitScope;
use super::{Kind, Reason, Recipe, Slot, Yield};
use crate::lexicon::Role;
use crate::model::{Access, Class, Function, FunctionKind, Model, TemplateArg, Type, TypeKind};
use crate::plan::construction_graph::{NEVER, Way};
use crate::plan::non_empty::takes_elements;
use crate::types::records::is_below;
use crate::types::spelling::{value_type, variable};
use crate::types::substitution::Substitution;

/// The most concrete subtypes that one parameter chooses among.
const ALTERNATIVES: usize = 8;
/// The most ways to one object that are tried: the cost says that the first can be gone.
const WAYS: usize = 4;
/// The most instantiations of one class template that are made within one another.
const NESTED: usize = 4;
/// The most things that are said to stand in the way.
const REASONS: usize = 3;

/// So far up a base is looked for.
const DEEPEST_BASE: usize = 4;

/// An object of class `ty`, or of a concrete subtype.
///
/// # Errors
/// Why there is no way to one.
pub fn object(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let TypeKind::Record { usr, name, .. } = &ty.kind else {
        return Err(Reason::new(format!("`{}` is not a class", ty.spelling)));
    };
    let class = &scope.model.classes[usr];
    if let Some(recipe) = super::installed::installed(scope, ty, class, request) {
        return Ok(recipe);
    }
    if let Some(named) = scope.overrides.subtypes_for(&class.qualified, scope.id()) {
        let named: Vec<Type> =
            named.iter().filter_map(|name| super::class_arguments::named_type(scope, name)).collect();
        return subtypes(scope, ty, &named, request).map(Recipe::by_override);
    }
    if class.is_abstract {
        let mut subs = scope.hierarchy.concrete_subtypes(usr);
        subs.retain(|usr| scope.model.classes.get(usr).is_some_and(|sub| is_below(scope.model, sub, ty)));
        let stub = || super::stubs::stub(scope, ty, class, request);
        if subs.is_empty() {
            // What one of its own methods hands out is had from a stub in the first place.
            let ways = scope.ways(ty, false);
            let made = match ways.first() {
                Some((_, Way::Stub)) => stub().or_else(|_| concrete_object(scope, ty, class, request)),
                _ => concrete_object(scope, ty, class, request).or_else(|_| stub()),
            };
            if let Ok(recipe) = made {
                return Ok(recipe);
            }
            return Err(Reason::new(format!("`{name}` is abstract and the project has no concrete subtype"))
                .needs(format!("subtypes.{name}")));
        }
        let types: Vec<Type> = subs.iter().filter_map(|usr| super::class_arguments::class_type(scope, usr)).collect();
        return subtypes(scope, ty, &types, request)
            .or_else(|reason| concrete_object(scope, ty, class, request).or_else(|_| stub()).map_err(|_| reason))
            .map_err(|reason| Reason { needs: vec![format!("subtypes.{name}")], ..reason });
    }
    concrete_object(scope, ty, class, request).or_else(|reason| {
        // What only subclasses may construct is constructed by one.
        let made = if super::implementable::is_for_subclasses(scope.model, class) {
            super::stubs::stub(scope, ty, class, request)
        } else {
            Err(reason.clone())
        };
        made.map_err(|_| reason)
    })
}

/// One of several subtypes, by the data; the further inside, the fewer, and those the cheapest.
fn subtypes(scope: &UnitScope<'_>, base: &Type, concrete: &[Type], request: Request<'_>) -> Result<Recipe, Reason> {
    let most = match request.objects_open() {
        0 => ALTERNATIVES,
        1 => 3,
        _ => 1,
    };
    let mut possible: Vec<(u32, &Type)> = concrete.iter().map(|ty| (scope.cost_of(ty), ty)).collect();
    if possible.len() > most {
        possible.sort_by_key(|(cost, ty)| (request.full && !takes_elements(scope.model, ty), *cost));
    }
    let mut among = Vec::new();
    let mut failed = Vec::new();
    for (cost, ty) in possible {
        let TypeKind::Record { usr, .. } = &ty.kind else { continue };
        if among.len() == most || cost == NEVER && !(among.is_empty() && failed.len() < REASONS) {
            continue;
        }
        let class = &scope.model.classes[usr];
        // Only declared, it is no subtype of anything, even where a function hands it out.
        let made = if scope.in_reach(class) {
            concrete_object(scope, ty, class, request.deeper())
        } else {
            Err(scope.out_of_reach(class))
        };
        match made {
            Ok(recipe) => among.push(Slot { name: variable(&ty.spelling), ty: ty.clone(), recipe, nullable: false }),
            Err(reason) => failed.push(format!("{}: {}", ty.spelling, reason.what)),
        }
    }
    if among.is_empty() {
        return Err(Reason::new(format!(
            "no concrete subtype of `{}` can be constructed ({})",
            base.spelling,
            failed.join("; ")
        )));
    }
    Ok(Kind::Choice { among }.of(value_type(base)))
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
    let in_reach = scope.in_reach(class);
    if !in_reach && scope.ways(ty, true).is_empty() {
        return Err(scope.out_of_reach(class));
    }
    if scope.skipped == 0
        && let Some(recipe) = super::iterators::own_iterator(scope, ty, class, request)
    {
        return Ok(recipe);
    }
    let open = request.opening_instance(&class.usr, &ty.spelling);
    let inside = request.inside(&open);
    let best = cheapest(scope, ty, class, Request { service: request.service, ..inside });
    let fuller = best.as_ref().ok().and_then(|made| super::non_empty::fuller(scope, ty, made, inside));
    // Even what only says what follows construction says how the object is made.
    let is_said = scope.overrides.constructor_for(&class.qualified, scope.id()).is_some();
    let best = best.map(|recipe| if is_said { recipe.by_override() } else { recipe });
    match best {
        Ok(recipe) if class.definition.is_some() => {
            let made = super::hooks::prepared(scope, recipe, class, request)?;
            Ok(match fuller {
                Some(fuller) => crate::plan::option_structs::either(ty, made, fuller),
                None => made,
            })
        }
        Err(_) if class.definition.is_none() => Err(only_declared()),
        other => other,
    }
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
    let TypeKind::Record { args, .. } = &ty.kind else { unreachable!("only classes are constructed") };
    let with = Substitution::of(scope.model, class, args);
    if let Some(recipe) = super::hooks::overridden_construction(scope, ty, class, &with, request)? {
        return Ok(recipe.by("override"));
    }
    let (constructions, skipped) = constructions(scope, ty, request);
    let request = Request { service: false, ..request };
    let mut failed: Vec<String> = Vec::new();
    for way in constructions.into_iter().take(WAYS) {
        match constructed(scope, ty, class, &with, &way, request) {
            Ok(recipe) => return Ok(Recipe { skipped, ..recipe }),
            Err(reason) => failed.push(format!("{}: {}", name_of(&way), reason.what)),
        }
    }
    if failed.is_empty() {
        failed = obstacles(scope, class, &with, request);
    }
    if let Some(recipe) = super::private_constructors::by_hidden_constructor(scope, ty, class, &with, request) {
        return Ok(recipe.by("private constructor"));
    }
    let tried = if failed.is_empty() { "no public constructor or factory".to_owned() } else { failed.join("; ") };
    Err(Reason::new(format!("no `{}` can be constructed: {tried}", class.qualified))
        .needs(format!("construct.{}", class.qualified)))
}

/// The constructions that are tried, in their order, and how many cheaper ones are skipped.
fn constructions<'m>(scope: &UnitScope<'m>, ty: &Type, request: Request<'_>) -> (Vec<Way<'m>>, usize) {
    let is_direct = |way: &Way<'_>| matches!(way, Way::Constructor(_) | Way::Factory(..) | Way::Derived(_));
    let mut direct = scope.ways(ty, request.service);
    direct.retain(|(_, way)| is_direct(way));
    // What the unit itself is called with; what that is made of stays.
    let others = if request.objects_open() == 1 { scope.skipped } else { 0 };
    let skipped = if direct.len() > others { others } else { 0 };
    direct.drain(..skipped);
    super::non_empty::fuller_first(scope, &mut direct, request);
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
    let kept = crate::facts::factories::is_kept(scope.model, class);
    let construct = |constructor: Option<&Function>, args: Vec<Slot>, kept: bool| {
        let constructor = constructor.map(|ctor| ctor.usr.clone());
        Kind::Construct { constructor, args, kept }.of(value_type(ty))
    };
    match way {
        Way::Constructor(None) => Ok(construct(None, Vec::new(), kept).by("constructor")),
        Way::Constructor(Some(ctor)) => {
            let own = crate::plan::usual_arguments::of_constructor(scope.lexicon(), scope.model, ctor, with)
                .unwrap_or_default();
            let with = with.clone().and(ctor, Some(class), &own);
            let mut args = scope.params(&ctor.params, &with, None, request)?;
            hand_over(scope, ty, &mut args);
            Ok(construct(Some(ctor), args, kept).by("constructor"))
        }
        Way::Factory(function, yields) => Ok(scope.factory(ty, function, *yields, request)?.by("factory")),
        Way::Derived(derived) => {
            let recipe = scope.object(derived, request.deeper())?;
            let slot = Slot { name: variable(&derived.spelling), ty: derived.clone(), recipe, nullable: false };
            Ok(construct(None, vec![slot], false).by("handle of a derived class"))
        }
        Way::Subtype(_) | Way::Stub | Way::Fields | Way::Said => Err(Reason::new("it is no direct construction")),
    }
}

/// What a construction is called where it is said why it fails.
fn name_of(way: &Way<'_>) -> String {
    match way {
        Way::Constructor(Some(ctor)) => format!("constructor {}", signature(ctor)),
        Way::Factory(function, _) => function.qualified.clone(),
        Way::Derived(derived) => derived.spelling.clone(),
        Way::Constructor(None) | Way::Subtype(_) | Way::Stub | Way::Fields | Way::Said => String::new(),
    }
}

/// For an instantiation of a base that is told its derived class (`Shape<Square>`, of which `Square` is one): that
/// class, where it is one that derives so and is not abstract. The base alone is no object that its own code could work
/// on.
pub(super) fn derived_from_itself(scope: &UnitScope<'_>, ty: &Type) -> Option<Type> {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
    let arguments = args.iter().filter_map(|arg| match arg {
        TemplateArg::Type(ty) => Some(ty),
        TemplateArg::Value(_) => None,
    });
    arguments.filter(|derived| derived.record().is_some_and(|own| own != usr)).find_map(|derived| {
        let class = scope.model.classes.get(derived.record()?)?;
        (!class.is_abstract && has_base(scope, derived, &ty.canonical(), 0)).then(|| value_type(derived))
    })
}

fn has_base(scope: &UnitScope<'_>, ty: &Type, base: &str, depth: usize) -> bool {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return false };
    let Some(class) = scope.model.classes.get(usr).filter(|_| depth < DEEPEST_BASE) else { return false };
    let with = Substitution::of(scope.model, class, args);
    let mut bases = class.bases.iter().map(|base| with.apply(&base.ty));
    bases.any(|of| of.canonical() == base || has_base(scope, &of, base, depth + 1))
}

/// What the constructor of a handle is given for it to lead to is the handle's from then on.
fn hand_over(scope: &UnitScope<'_>, ty: &Type, args: &mut [Slot]) {
    let Some(to) = crate::facts::handles::target(scope.model, ty) else { return };
    for slot in args.iter_mut().filter(|slot| crate::facts::handles::takes_over(&slot.ty, &to)) {
        // Whether it leads nowhere is the handle's own matter.
        slot.nullable = false;
        if let Kind::Pointer { given, to, .. } = &mut slot.recipe.kind
            && is_new(scope.model, &to.recipe)
        {
            *given = true;
        }
    }
}

/// What stands in the way of each constructor; further inside of the first alone.
fn obstacles<'m>(scope: &UnitScope<'m>, class: &'m Class, with: &Substitution, request: Request<'_>) -> Vec<String> {
    let most = if request.objects_open() > 1 { 1 } else { REASONS };
    let usable = |c: &&Function| !c.is_deleted && !c.is_copy_or_move && c.access == Some(Access::Public);
    let mut found = Vec::new();
    for ctor in class.constructors(scope.model).filter(|c| c.template.is_none()).filter(usable).take(most) {
        if let Err(reason) = scope.params(&ctor.params, with, None, request) {
            found.push(format!("constructor {}: {}", signature(ctor), reason.what));
        }
    }
    found
}

pub(super) fn factory(
    scope: &UnitScope<'_>,
    ty: &Type,
    function: &Function,
    yields: Yield,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let mut with = Substitution::none(scope.model);
    let owner = function.owner.as_ref().and_then(|owner| scope.model.classes.get(owner));
    if let Some(class) = owner.filter(|class| class.installed.is_some() && !scope.in_reach(class)) {
        return Err(scope.out_of_reach(class));
    }
    if let Some(class) = function.owner.as_ref().and_then(|owner| scope.model.classes.get(owner))
        && let Some(args) = super::class_arguments::template_args(scope, class)
    {
        with = Substitution::of(scope.model, class, &args);
    }
    let (callee, object) = if function.kind == FunctionKind::Method || function.kind == FunctionKind::Conversion {
        let owner = function.owner.as_ref().and_then(|o| super::class_arguments::class_type(scope, o));
        let owner = owner.ok_or_else(|| Reason::new("its class is not known"))?;
        let works_on_a_shell = crate::facts::factories::works_on_a_shell(scope.lexicon(), &function.name);
        // Who makes it need have nothing in it, but for what it is made into.
        // What an object has in it counts where it is turned into something else.
        let turns = scope.lexicon().begins(&function.name, Role::Converts);
        let maker = Request { full: request.full && turns, service: works_on_a_shell, ..request.deeper() };
        let mut recipe = scope.object(&owner, maker)?;
        let lends = matches!(yields, Yield::Borrowed | Yield::Reference) && !works_on_a_shell;
        if let Some(class) = owner.record().and_then(|usr| scope.model.classes.get(usr)).filter(|_| lends) {
            recipe = super::setup_calls::to_be_asked(scope, recipe, class, request);
        }
        (
            function.name.clone(),
            Some(Box::new(Slot { name: variable(&owner.spelling), ty: owner, recipe, nullable: false })),
        )
    } else {
        let by_arguments = scope.model.is_only_a_friend(function);
        (if by_arguments { &function.name } else { &function.qualified }.clone(), None)
    };
    let args = match yields {
        Yield::Through(place) | Yield::InPlace(place) => {
            scope.params(&crate::facts::out_params::without(&function.params, place), &with, None, request)?
        }
        _ => scope.params(&function.params, &with, None, request)?,
    };
    Ok(Kind::Factory { function: function.usr.clone(), callee, object, args, yields }.of(value_type(ty)))
}

/// Whether the recipe makes a new object, which may be another's from then on.
pub(crate) fn is_new(model: &Model, recipe: &Recipe) -> bool {
    let parts = |among: &[Slot]| among.iter().all(|slot| is_new(model, &slot.recipe));
    let on_heap = |ty: &Type| {
        let class = ty.record().and_then(|usr| model.classes.get(usr));
        let methods = class.into_iter().flat_map(|class| &class.methods).filter_map(|usr| model.functions.get(usr));
        !methods.into_iter().any(|method| method.name == "operator new" && method.is_deleted)
    };
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Construct { .. } | Kind::Fields { .. } | Kind::Stub { .. } => on_heap(ty),
        Kind::Choice { among, .. } => parts(among),
        Kind::SetUp { object, .. } | Kind::Then { object, .. } => is_new(model, &object.recipe),
        _ => false,
    }
}

fn signature(function: &Function) -> String {
    let params: Vec<&str> = function.params.iter().map(|p| p.ty.spelling.as_str()).collect();
    format!("({})", params.join(", "))
}
