//! The calls that lead into a unit: directly where a caller may, else through public functions that lead to it, and now
//! and then past them.

use super::class_arguments::{class_type, template_args};
use super::function_templates::function_args;
use super::request::Request;
use super::rules::derived::derived_from_itself;
use super::rules::{constructors, iterators, overrides};
use super::template_arguments::{returned, template_around};
use super::unit_scope::UnitScope;
use super::{Entry, Kind, PairedSetup, Reason, Recipe, Slot, UnitState, paired_setup, receiver_iterators, variadic};
use crate::facts::called_by_members::callers_by_members;
use crate::facts::text_readers::reads_memory;
use crate::model::{Access, Class, Function, FunctionKind, Language, Model, TemplateArg, Type, TypeKind, Usr};
use crate::overrides::lookup::functions_named;
use crate::types::bases::bases;
use crate::types::records::{is_open, reachable_class, record_type};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;
use std::path::Path;

/// The most public callers that one driver offers the data.
const WAYS_IN: usize = 3;

/// The calls that lead into the unit.
///
/// # Errors
/// Why none can be made.
pub(super) fn entries(scope: &UnitScope<'_>, function: &Function) -> Result<Vec<Entry>, Reason> {
    let named = scope.overrides.through(&function.id);
    if !named.is_empty() {
        let callers = named.iter().filter_map(|name| functions_named(scope.model, name).into_iter().next());
        return callers
            .map(|caller| {
                call_through(scope, caller, function)
                    .map_err(|reason| Reason { what: format!("through `{}`: {}", caller.id, reason.what), ..reason })
            })
            .collect();
    }
    let is_open = matches!(function.access, None | Some(Access::Public)) && reachable_class(scope.model, function);
    let direct = || call(scope, function, None, !is_open).map(|way| vec![way]);
    // Nobody may be able to make what a file hands on to its own functions, such as where a `va_list` stands.
    if is_open && !function.is_file_local && scope.callers == 0 {
        return direct();
    }
    if is_open
        && scope.callers == 0
        && let Ok(way) = direct()
    {
        return Ok(way);
    }
    // A driver in C calls one function.
    let most = if function.language == Language::C { 1 } else { WAYS_IN };
    let skipped = most * scope.callers.saturating_sub(1);
    let ways = callers(scope, function).into_iter().filter_map(|caller| call_through(scope, caller, function).ok());
    let mut ways: Vec<Entry> = ways.skip(skipped).take(most).collect();
    match (ways.is_empty(), scope.callers) {
        (true, 0) => return direct(),
        (true, _) => return Err(Reason::new("no public function leads to it")),
        // What its callers have sorted out never gets there through them.
        (false, 0) if function.language == Language::Cxx => ways.extend(direct().into_iter().flatten()),
        (false, _) => {}
    }
    Ok(ways)
}

/// The public functions that lead to the unit, nearest first. Where it is not called directly, though it could be, what
/// reads a text comes first, since that can be anything; and what is for users before what the project calls itself,
/// which may take as much for granted as the unit.
fn callers<'m>(scope: &UnitScope<'m>, function: &Function) -> Vec<&'m Function> {
    let by_members = |usr: &Usr| {
        let function = scope.model.functions.get(usr);
        function.map(|function| callers_by_members(scope.model, function)).unwrap_or_default()
    };
    let is_callable = |caller: &&Function| {
        let owner = caller.owner.as_ref().and_then(|usr| scope.model.classes.get(usr));
        caller.name != "main"
            // (No driver in C calls C++.)
            && (function.language == Language::Cxx || caller.language == Language::C)
            && caller.template.is_none()
            && caller.definition.as_ref().is_some_and(|d| !caller.is_file_local || scope.sees(&d.extent.file))
            && scope.is_declared(caller)
            && owner.is_none_or(|class| scope.in_reach(class))
    };
    let nearest = scope.hierarchy.public_callers_and(&function.usr, by_members);
    let mut found: Vec<&Function> =
        nearest.iter().filter_map(|usr| scope.model.functions.get(usr)).filter(is_callable).collect();
    if scope.callers > 0 {
        let programs = programs(scope.model);
        found.sort_by_cached_key(|caller| {
            let by = || scope.hierarchy.callers(&caller.usr).filter_map(|usr| scope.model.functions.get(usr));
            let is_of_program =
                |by: &Function| by.definition.as_ref().is_some_and(|d| programs.contains(d.extent.file.as_path()));
            // (What nobody calls may be for users as well.)
            let is_of_project = !by().any(is_of_program);
            let reads = reads_memory(scope.lexicon(), scope.model, caller);
            (!reads, is_of_project, by().next().is_some(), caller.params.is_empty() && caller.owner.is_none())
        });
    }
    found
}

/// The files with a program's `main`.
fn programs(model: &Model) -> BTreeSet<&Path> {
    let mains = model.functions.values().filter(|function| function.name == "main" && function.owner.is_none());
    mains.filter_map(|main| Some(main.definition.as_ref()?.extent.file.as_path())).collect()
}

/// A public way to `target` through `caller`; a method of a base is called on the target's own class.
fn call_through(scope: &UnitScope<'_>, caller: &Function, target: &Function) -> Result<Entry, Reason> {
    let derived = match (&caller.owner, &target.owner) {
        (Some(base), Some(derived)) if base != derived && scope.hierarchy.ancestors(derived).contains(base) => {
            Some(derived)
        }
        _ => None,
    };
    call(scope, caller, derived, false)
}

/// A call of `function`; with `on` on an object of that class.
fn call(scope: &UnitScope<'_>, function: &Function, on: Option<&Usr>, private_access: bool) -> Result<Entry, Reason> {
    let derived = on.and_then(|derived| class_type(scope, derived));
    let callee = Callee::of(scope, function, derived.as_ref())?;
    let class = match on {
        Some(_) => derived,
        None => callee.owner.map(|class| record_type(scope.model, class, callee.class_args.clone())),
    };
    let mut object = receiver(scope, &callee, class.as_ref())?;
    let mut args = arguments(scope, &callee)?;
    if let (Some(object), Some(owner), FunctionKind::Method) = (&object, callee.owner, function.kind) {
        let of = value_type(object.recipe.ty.without_ref());
        receiver_iterators::point_into_itself(scope, function, owner, &callee.with, &of, &mut args);
    }
    let put_in = put_in(scope, &callee, object.as_ref(), &args);
    if let (Some(object), Some(first)) = (&mut object, args.first_mut()) {
        share_container(object, first);
    }
    let result = result(scope, &callee)?;
    let names = std::iter::once(None).chain(args.iter().map(|slot| Some(slot.name.clone())));
    let least_length = |name: Option<String>| {
        let least = overrides::least_length(scope, &function.id, name.as_deref())?;
        Some((name, least))
    };
    Ok(Entry {
        callee: function.usr.clone(),
        class,
        object,
        result,
        private_access,
        least_lengths: names.filter_map(least_length).collect(),
        args,
        by_arguments: !callee.friend_args.is_empty() || scope.model.is_only_a_friend(function),
        template_args: callee.template_args,
        friend_args: callee.friend_args,
        called_with: Vec::new(),
        outside: Vec::new(),
        state: UnitState::default(),
        put_in,
        failing: None,
    })
}

/// A function with the arguments of all templates around it.
struct Callee<'f, 'm> {
    function: &'f Function,
    owner: Option<&'m Class>,
    class_args: Vec<TemplateArg>,
    /// Of a friend: those of the class template that defines it.
    friend_args: Vec<TemplateArg>,
    /// Those of its own template.
    template_args: Vec<TemplateArg>,
    with: Substitution<'m>,
}

impl<'f, 'm> Callee<'f, 'm> {
    /// With `on` on an object of that type, which derives from the function's class.
    fn of(scope: &UnitScope<'m>, function: &'f Function, on: Option<&Type>) -> Result<Self, Reason> {
        let model = scope.model;
        if function.is_deleted {
            return Err(Reason::new("it is deleted"));
        }
        let not_known = || Reason::new("its class is not part of the project");
        let class_of = |usr| model.classes.get(usr).ok_or_else(not_known);
        let owner = function.owner.as_ref().map(class_of).transpose()?;
        let is_partial = |class: &Class| class.specializes.is_some() && class.template.is_some();
        if owner.is_some_and(|class| is_partial(class) && class.pattern.is_empty()) {
            return Err(Reason::new("it belongs to a partial specialisation: what arguments select that is not known"));
        }
        let args_of = |class: &Class| {
            template_args(scope, class).ok_or_else(|| {
                Reason::new("its template arguments are not known").needs(format!("templates.{}", class.qualified))
            })
        };
        let of_base = owner.zip(on).and_then(|(class, derived)| args_of_base(model, derived, &class.usr));
        let class_args = match of_base {
            Some(args) => args,
            None => owner.map(args_of).transpose()?.unwrap_or_default(),
        };
        let own = function_args(scope, function)?;
        let friend_of = template_around(model, function).filter(|_| owner.is_none());
        let friend_args = friend_of.and_then(|class| template_args(scope, class)).unwrap_or_default();
        let with = match (owner, friend_of) {
            (Some(class), _) => Substitution::of(model, class, &class_args),
            (None, Some(class)) => Substitution::of(model, class, &friend_args),
            (None, None) => Substitution::none(model),
        };
        let with = with.and(function, owner.or(friend_of), &own);
        Ok(Self { function, owner, class_args, friend_args, template_args: own, with })
    }
}

/// The template arguments with which a type derives from the class template `base`.
fn args_of_base(model: &Model, derived: &Type, base: &Usr) -> Option<Vec<TemplateArg>> {
    let all = std::iter::once((derived.without_ref().clone(), true)).chain(bases(model, derived));
    all.map(|(ty, _)| ty).find(|ty| ty.record() == Some(base)).map(|ty| ty.args().to_vec())
}

/// The object that the function is called on; of a constructor the object that it makes.
fn receiver(scope: &UnitScope<'_>, callee: &Callee<'_, '_>, class: Option<&Type>) -> Result<Option<Slot>, Reason> {
    let (Some(ty), Some(owner)) = (class.cloned(), callee.owner) else { return Ok(None) };
    match callee.function.kind {
        FunctionKind::Function | FunctionKind::StaticMethod => Ok(None),
        FunctionKind::Constructor => constructed(scope, callee, ty).map(Some),
        _ => {
            let mut object = instance(scope, ty, owner)?;
            if callee.function.is_const {
                object.recipe.keep_const(scope.model);
            }
            Ok(Some(object))
        }
    }
}

/// The arguments of the call; those of a constructor are part of the object.
fn arguments(scope: &UnitScope<'_>, callee: &Callee<'_, '_>) -> Result<Vec<Slot>, Reason> {
    let function = callee.function;
    if function.kind == FunctionKind::Constructor {
        return Ok(Vec::new());
    }
    let params = variadic::with_values(scope, function, &function.params)?;
    let request = Request::default().for_function(scope.lexicon(), &function.name);
    let mut args = scope.params(&params, &callee.with, Some(&function.id), request)?;
    let is_told = |name: &str| scope.overrides.parameter(&function.id, name).is_some();
    variadic::match_formats(scope.lexicon(), function, &mut args, &is_told);
    variadic::count_values(scope.lexicon(), function, &mut args, &is_told);
    Ok(args)
}

/// The call before this one that inserts what this one removes or looks up.
fn put_in(scope: &UnitScope<'_>, callee: &Callee<'_, '_>, object: Option<&Slot>, args: &[Slot]) -> Option<PairedSetup> {
    let function = callee.function;
    match (object, callee.owner) {
        (Some(object), Some(class)) if function.kind == FunctionKind::Method && !object.recipe.ty.is_const => {
            paired_setup::put_in(scope, function, class, &callee.with, args, Request::default())
        }
        (None, None) if function.language == Language::C => {
            paired_setup::put_in_c(scope, function, args, Request::default())
        }
        _ => None,
    }
}

/// An iterator that another is compared with, or subtracted from, is one into the same container.
fn share_container(object: &mut Slot, first: &mut Slot) {
    if matches!(first.recipe.kind, Kind::Iterator { .. }) && iterators::are_one_own_range(object, &first.ty) {
        iterators::may_be_empty(&mut object.recipe);
        first.recipe = Kind::Behind.of(value_type(first.ty.without_ref()));
    }
}

/// The type of the result; none where nothing is returned.
fn result(scope: &UnitScope<'_>, callee: &Callee<'_, '_>) -> Result<Option<Type>, Reason> {
    let function = callee.function;
    if matches!(function.kind, FunctionKind::Constructor | FunctionKind::Destructor) {
        return Ok(None);
    }
    let written = callee.with.apply(&function.result);
    let known = returned(scope.model, function, &callee.class_args, &callee.template_args);
    let result = known.filter(|_| is_open(&written)).cloned().unwrap_or(written);
    if !callee.template_args.is_empty() && is_open(&result) {
        return Err(Reason::new("what the function template returns is not known"));
    }
    Ok(Some(result).filter(|ty| ty.kind != TypeKind::Void))
}

/// The object that a constructor under test makes.
fn constructed(scope: &UnitScope<'_>, callee: &Callee<'_, '_>, ty: Type) -> Result<Slot, Reason> {
    let (function, Some(owner)) = (callee.function, ty.record().and_then(|usr| scope.model.classes.get(usr))) else {
        return Err(Reason::new("its class is not part of the project"));
    };
    if owner.is_abstract {
        // Run through the subclasses' constructors, where theirs call it.
        let recipe = scope.object(&ty, Request::default())?.without_set_up();
        return Ok(Slot::new("object", ty, recipe));
    }
    let args = scope.params(&function.params, &callee.with, Some(&function.id), Request::default())?;
    let recipe = Recipe { ty: ty.clone(), ..constructors::construct(scope.model, &ty, owner, Some(function), args) };
    Ok(Slot::new("object", ty, recipe))
}

/// An object to call a method on; where its own class can't be made, a concrete subclass.
fn instance(scope: &UnitScope<'_>, ty: Type, class: &Class) -> Result<Slot, Reason> {
    match scope.value(&ty, Request::default()) {
        Ok(recipe) => {
            let ty = derived_from_itself(scope.model, &ty).unwrap_or(ty);
            Ok(Slot::new("object", ty, recipe))
        }
        Err(reason) if !class.is_abstract => {
            for derived in scope.hierarchy.concrete_subtypes(&class.usr) {
                if let Some(sub) = class_type(scope, &derived)
                    && let Ok(recipe) = scope.value(&sub, Request::default())
                {
                    return Ok(Slot::new("object", sub, recipe));
                }
            }
            match super::histories::only_histories(scope, &ty) {
                Some(recipe) => Ok(Slot::new("object", ty, recipe)),
                None => Err(Reason { what: format!("the object itself: {}", reason.what), ..reason }),
            }
        }
        Err(reason) => Err(Reason { what: format!("the object itself: {}", reason.what), ..reason }),
    }
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;
    use crate::plan::planner::Planner;
    use crate::plan::{Departure, plan_otherwise};

    #[test]
    fn among_the_callers_of_a_unit_who_reads_a_text_comes_first() {
        let model = read_c(
            "static int step(int c) { return c == '<'; }\n\
             int a_check(int n) { return step(n); }\nint b_load(const char *filename) { return step(*filename); }\n\
             int z_parse(const char *content) { return step(*content); }\n",
        );
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let step = &model.functions.values().find(|f| f.name == "step").unwrap().usr;
        let through = |callers: usize| {
            let plan = plan_otherwise(&planner, step, Departure { callers, ..Departure::default() }).unwrap();
            let name = model.functions[&plan.entries[0].callee].name.clone();
            (name, plan.is_through_reader(&model))
        };
        assert_eq!(through(1), ("z_parse".to_owned(), true));
        assert_eq!(through(2), ("a_check".to_owned(), false));
    }
}
