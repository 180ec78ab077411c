//! The ways into a unit: directly where a caller may, else through a public function that leads to it.

use super::planner::Planner;
use super::request::Request;
use super::unit_scope::{Source, UnitScope};
use super::usual_arguments::Chosen;
use super::{Entry, Kind, Reason, Slot, UnitPlan, variadic};
use crate::facts::field_usage::FieldUsage;
use crate::model::{
    Access, Class, Function, FunctionKind, Language, Literal, Model, TranslationUnit, Type, TypeKind, Usr,
};
use crate::overrides::lookup::functions_named;
use crate::types::substitution::Substitution;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;

/// So many of the cheapest ways to objects are left out at most, one after the other, where no input gets into the
/// unit.
pub const OTHER_WAYS: usize = 3;
/// The most public callers that one driver offers the data.
const WAYS_IN: usize = 3;
/// Texts of other functions that are tried, how long one may be, and how many functions are looked at for them.
const WORDS_MOST: usize = 16;
const WORD_LENGTH: usize = 24;
/// Texts of tests and examples that are tried.
const WORDS_MINED: usize = 12;
const WORDS_LOOKED_FOR: usize = 200;

/// Plans how to drive one function or method.
///
/// # Errors
/// Why it can't be driven, and the override that would open it.
pub fn plan_unit(planner: &Planner<'_>, unit: &Usr) -> Result<UnitPlan, Reason> {
    plan(planner, unit, false, 0)
}

/// As [`plan_unit`] or, with `directly`, [`plan_directly`], but otherwise: of a template with other arguments, then
/// with other objects. The cheapest ways to each are left out, so many as `others` says.
///
/// # Errors
/// Why it can't be driven, or that there is no other way.
pub fn plan_otherwise(planner: &Planner<'_>, unit: &Usr, directly: bool, others: usize) -> Result<UnitPlan, Reason> {
    plan(planner, unit, directly, others)
}

/// As [`plan_unit`], but never through a caller that nobody has named: what a caller guards too well is entered
/// directly.
///
/// # Errors
/// Why it can't be driven, and the override that would open it.
pub fn plan_directly(planner: &Planner<'_>, unit: &Usr) -> Result<UnitPlan, Reason> {
    plan(planner, unit, true, 0)
}

fn plan(planner: &Planner<'_>, unit: &Usr, directly: bool, others: usize) -> Result<UnitPlan, Reason> {
    let model = planner.model;
    let function = model.functions.get(unit).ok_or_else(|| Reason::new("the function is not part of the project"))?;
    let tu = home_of(model, function)?;
    let files: HashSet<&Path> = tu.files.iter().map(|known| known.as_path()).collect();
    let source = Source { unit: tu, costs: planner.graph.costs(&files), files };
    let field_usage = FieldUsage::by(model, planner.hierarchy, function);
    let scope = UnitScope {
        planner,
        model,
        hierarchy: planner.hierarchy,
        overrides: planner.overrides,
        function,
        source: &source,
        field_usage: &field_usage,
        chosen: Chosen::default(),
        skipped: 0,
        rules: &super::rules::RULES,
    };
    let (mut left, mut first, mut failed) = (others, None, None);
    for chosen in super::template_arguments::choices(&scope, function) {
        let scope = UnitScope { chosen, ..scope.clone() };
        match planned(&scope, directly) {
            Ok(plan) if left == 0 => return Ok(plan),
            Ok(_) => {
                left -= 1;
                first.get_or_insert(scope.chosen);
            }
            Err(reason) => {
                failed.get_or_insert(reason);
            }
        }
    }
    let Some(chosen) = first else {
        return Err(failed.unwrap_or_else(|| Reason::new("there are no arguments for its template")));
    };
    // All choices of template arguments are used up: then with other objects.
    let plan = planned(&UnitScope { chosen, skipped: left + 1, ..scope }, directly)?;
    if plan.skips_constructions() { Ok(plan) } else { Err(Reason::new("there is no other way to its objects")) }
}

/// The translation unit that a driver of the function becomes part of.
fn home_of<'m>(model: &'m Model, function: &Function) -> Result<&'m TranslationUnit, Reason> {
    if function.definition.is_none() {
        return Err(Reason::new("it has no body in the project"));
    }
    if function.name == "main" && function.owner.is_none() {
        return Err(Reason::new("main() is the program, not a unit"));
    }
    if function.is_defaulted {
        return Err(Reason::new("it is defaulted: the compiler writes its body"));
    }
    let tu = model
        .unit_of_function(function)
        .ok_or_else(|| Reason::new("no translation unit of the compile database includes its file"))?;
    match tu.errors.first() {
        Some(error) => Err(Reason::new(format!("its source does not parse: {error}"))),
        None => Ok(tu),
    }
}

/// The plan with the arguments that were chosen for templates.
fn planned(scope: &UnitScope<'_>, directly: bool) -> Result<UnitPlan, Reason> {
    let (model, function, tu) = (scope.model, scope.function, scope.source.unit);
    let mut entries = entries(scope, function, directly)?;
    super::histories::with_histories(scope, &function.usr, &mut entries);
    super::undefined_symbols::with_stand_ins(scope, &function.usr, &mut entries, Request::default());
    super::file_state::with_globals(scope, function, &mut entries, Request::default());
    let owner_args = match function.owner.as_ref().and_then(|o| model.classes.get(o)) {
        Some(class) => super::class_arguments::template_args(scope, class).unwrap_or_default(),
        None => Vec::new(),
    };
    let overridden = is_overridden(scope, &entries);
    Ok(UnitPlan {
        unit: function.usr.clone(),
        id: function.id.clone(),
        slug: slug(model, function),
        language: function.language,
        source: tu.main_file.clone(),
        command: tu.command,
        words: words(model, &entries, function),
        entries,
        literals: function.definition.iter().flat_map(|definition| definition.literals.clone()).collect(),
        overridden,
        lexicon: scope.lexicon().clone(),
        reset: scope.overrides.reset(&function.id),
        before: scope.overrides.before(&function.id),
        excluded: [scope.overrides.excluded(), scope.field_usage.not_compared(scope.lexicon(), model)].concat(),
        owner_args,
    })
}

/// Whether an override took part.
fn is_overridden(scope: &UnitScope<'_>, entries: &[Entry]) -> bool {
    let has_args = |usr: &Usr| {
        let class = scope.model.classes.get(usr);
        class.is_some_and(|class| scope.overrides.template_args_for(&class.qualified, scope.id()).is_some())
    };
    let mut found = !scope.overrides.through(scope.id()).is_empty()
        || scope.function.owner.as_ref().is_some_and(has_args)
        || entries.iter().any(|entry| !entry.least_lengths.is_empty());
    for slot in entries.iter().flat_map(Entry::slots) {
        slot.recipe.walk(&mut |recipe| found |= recipe.overridden || recipe.ty.record().is_some_and(has_args));
    }
    found
}

/// Texts that stand in what leads into the unit and in what it calls, the nearest first: a parser's keywords are seldom
/// its own.
fn words(model: &Model, entries: &[Entry], unit: &Function) -> Vec<Literal> {
    let mut ahead: VecDeque<&Usr> =
        std::iter::once(&unit.usr).chain(entries.iter().map(|entry| &entry.callee)).collect();
    let mut seen: BTreeSet<&Usr> = ahead.iter().copied().collect();
    let own = unit.definition.iter().flat_map(|definition| &definition.literals).collect::<BTreeSet<_>>();
    let mut found = Vec::new();
    let mut mined = |literal: &Literal| {
        if is_word(literal) && !own.contains(literal) && !found.contains(literal) && found.len() < WORDS_MINED {
            found.push(literal.clone());
        }
    };
    for entry in entries {
        entry.called_with.iter().flatten().flatten().for_each(&mut mined);
        for slot in entry.object.iter().chain(&entry.args) {
            slot.recipe.walk(&mut |recipe| {
                if let Kind::Mined { steps, .. } = &recipe.kind {
                    steps.iter().flat_map(|step| &step.literals).flatten().for_each(&mut mined);
                }
            });
        }
    }
    let most = found.len() + WORDS_MOST;
    while let Some(definition) =
        ahead.pop_front().map(|usr| model.functions.get(usr).and_then(|f| f.definition.as_ref()))
    {
        let Some(definition) = definition else { continue };
        for literal in &definition.literals {
            if is_word(literal) && !own.contains(literal) && !found.contains(literal) {
                found.push(literal.clone());
            }
        }
        if found.len() >= most || seen.len() > WORDS_LOOKED_FOR {
            break;
        }
        ahead.extend(definition.calls.iter().filter(|usr| seen.insert(*usr)));
    }
    found.truncate(most);
    found
}

fn is_word(literal: &Literal) -> bool {
    matches!(literal, Literal::Str(text) if (1..=WORD_LENGTH).contains(&text.len()))
}

fn entries(scope: &UnitScope<'_>, function: &Function, directly: bool) -> Result<Vec<Entry>, Reason> {
    let named = scope.overrides.through(&function.id);
    if !named.is_empty() {
        let callers = named.iter().filter_map(|name| functions_named(scope.model, name).into_iter().next());
        return callers
            .map(|caller| {
                entry_for(scope, caller, function)
                    .map_err(|reason| Reason { what: format!("through `{}`: {}", caller.id, reason.what), ..reason })
            })
            .collect();
    }
    if matches!(function.access, None | Some(Access::Public)) && reachable_class(scope.model, function) {
        return Ok(vec![entry(scope, function, false)?]);
    }
    let mut ways = Vec::new();
    let callers = if directly { Vec::new() } else { scope.hierarchy.public_callers(&function.usr) };
    for caller in callers {
        let Some(caller) = scope.model.functions.get(&caller) else { continue };
        let owner = caller.owner.as_ref().and_then(|usr| scope.model.classes.get(usr));
        if caller.name == "main"
            || caller.template.is_some()
            || !caller.definition.as_ref().is_some_and(|d| !caller.is_file_local || scope.sees(&d.extent.file))
            || !scope.is_declared(caller)
            || owner.is_some_and(|class| !scope.in_reach(class))
        {
            continue;
        }
        if let Ok(way) = entry_for(scope, caller, function) {
            ways.push(way);
            if ways.len() == WAYS_IN {
                break;
            }
        }
    }
    if ways.is_empty() {
        ways.push(entry(scope, function, true)?);
    }
    Ok(ways)
}

/// Whether user code can name the function's class at all.
pub(super) fn reachable_class(model: &Model, function: &Function) -> bool {
    let mut owner = function.owner.as_ref();
    while let Some(class) = owner.and_then(|usr| model.classes.get(usr)) {
        if matches!(class.access, Some(Access::Private | Access::Protected)) {
            return false;
        }
        owner = class.scopes.iter().rev().find_map(|scope| match scope {
            crate::model::Scope::Class(usr) => Some(usr),
            crate::model::Scope::Namespace { .. } => None,
        });
    }
    true
}

/// A public way to `target` through `caller`; a method of a base is called on the target's own class.
fn entry_for(scope: &UnitScope<'_>, caller: &Function, target: &Function) -> Result<Entry, Reason> {
    let derived = match (&caller.owner, &target.owner) {
        (Some(base), Some(derived)) if base != derived && scope.hierarchy.ancestors(derived).contains(base) => {
            Some(derived)
        }
        _ => None,
    };
    build(scope, caller, derived, false)
}

fn entry(scope: &UnitScope<'_>, function: &Function, private_access: bool) -> Result<Entry, Reason> {
    build(scope, function, None, private_access)
}

fn build(scope: &UnitScope<'_>, function: &Function, on: Option<&Usr>, private_access: bool) -> Result<Entry, Reason> {
    let model = scope.model;
    if function.is_deleted {
        return Err(Reason::new("it is deleted"));
    }
    let owner = match &function.owner {
        Some(usr) => Some(model.classes.get(usr).ok_or_else(|| Reason::new("its class is not part of the project"))?),
        None => None,
    };
    if owner.is_some_and(|class| class.specializes.is_some() && class.template.is_some() && class.pattern.is_empty()) {
        return Err(Reason::new("it belongs to a partial specialisation: what arguments select that is not known"));
    }
    let args = match owner {
        Some(class) => super::class_arguments::template_args(scope, class).ok_or_else(|| {
            Reason::new("its template arguments are not known").needs(format!("templates.{}", class.qualified))
        })?,
        None => Vec::new(),
    };
    let args_of_class = args.clone();
    let template_args = super::function_templates::function_args(scope, function)?;
    // A friend has the parameters of the class template that defines it.
    let friend_of = crate::plan::template_arguments::template_around(model, function).filter(|_| owner.is_none());
    let friend_args =
        friend_of.and_then(|class| super::class_arguments::template_args(scope, class)).unwrap_or_default();
    let with = match (owner, friend_of) {
        (Some(class), _) => Substitution::of(model, class, &args),
        (None, Some(class)) => Substitution::of(model, class, &friend_args),
        (None, None) => Substitution::none(model),
    };
    let with = with.and(function, owner.or(friend_of), &template_args);
    let class_type = match (owner, on) {
        (_, Some(derived)) => super::class_arguments::class_type(scope, derived),
        (Some(class), None) => Some(crate::types::records::record_type(model, class, args)),
        _ => None,
    };
    let class = class_type.clone();
    let mut object = match (function.kind, class_type) {
        (FunctionKind::Function | FunctionKind::StaticMethod, _) | (_, None) => None,
        (FunctionKind::Constructor, Some(ty)) => Some(constructed(scope, function, ty, &with)?),
        (_, Some(ty)) => {
            let mut object = instance(scope, ty, owner.expect("methods have a class"))?;
            if function.is_const {
                object.recipe.keep_const(model);
            }
            Some(object)
        }
    };
    let mut slots = if function.kind == FunctionKind::Constructor {
        Vec::new()
    } else {
        let taken = variadic::with_values(scope, function, &function.params)?;
        let mut slots = scope.params(&taken, &with, Some(&function.id), Request::default())?;
        let is_told = |name: &str| scope.overrides.parameter(&function.id, name).is_some();
        variadic::match_formats(scope.lexicon(), function, &mut slots, &is_told);
        variadic::count_values(scope.lexicon(), function, &mut slots, &is_told);
        slots
    };
    if let (Some(object), Some(class)) = (&object, owner)
        && function.kind == FunctionKind::Method
    {
        let class_type = crate::types::spelling::value_type(object.recipe.ty.without_ref());
        super::receiver_iterators::point_into_itself(scope, function, class, &with, &class_type, &mut slots);
    }
    let put_in = match (&object, owner) {
        (Some(object), Some(class)) if function.kind == FunctionKind::Method && !object.recipe.ty.is_const => {
            super::paired_setup::put_in(scope, function, class, &with, &slots, Request::default())
        }
        (None, None) if function.language == Language::C => {
            super::paired_setup::put_in_c(scope, function, &slots, Request::default())
        }
        _ => None,
    };
    // An iterator that another is compared with, or subtracted from, is one into the same container.
    if let (Some(object), Some(first)) = (&mut object, slots.first_mut())
        && matches!(first.recipe.kind, Kind::Iterator { .. })
        && super::iterators::are_one_own_range(object, &first.ty)
    {
        super::iterators::may_be_empty(&mut object.recipe);
        first.recipe = Kind::Behind.of(crate::types::spelling::value_type(first.ty.without_ref()));
    }
    let result = match function.kind {
        FunctionKind::Constructor | FunctionKind::Destructor => None,
        _ => {
            let written = with.apply(&function.result);
            let known = crate::plan::template_arguments::returned(model, function, &args_of_class, &template_args);
            Some(known.filter(|_| is_open(&written)).cloned().unwrap_or(written)).filter(|ty| ty.kind != TypeKind::Void)
        }
    };
    let names = std::iter::once(None).chain(slots.iter().map(|s| Some(s.name.clone())));
    let least_lengths = names
        .filter_map(|n| super::hooks::least_length(scope, &function.id, n.as_deref()).map(|least| (n, least)))
        .collect();
    if !template_args.is_empty() && result.as_ref().is_some_and(is_open) {
        return Err(Reason::new("what the function template returns is not known"));
    }
    Ok(Entry {
        callee: function.usr.clone(),
        class,
        object,
        args: slots,
        result,
        private_access,
        least_lengths,
        template_args,
        by_arguments: !friend_args.is_empty() || model.is_only_a_friend(function),
        friend_args,
        called_with: Vec::new(),
        outside: Vec::new(),
        state: super::UnitState::default(),
        put_in,
    })
}

/// Whether something in the type is not known.
pub fn is_open(ty: &Type) -> bool {
    let mut found = false;
    ty.walk(&mut |ty| found |= matches!(ty.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_)));
    found
}

/// The object that a constructor under test makes.
fn constructed(scope: &UnitScope<'_>, function: &Function, ty: Type, with: &Substitution) -> Result<Slot, Reason> {
    let owner = ty.record().and_then(|usr| scope.model.classes.get(usr));
    if owner.is_some_and(|class| class.is_abstract) {
        // Run through the subclasses' constructors, where theirs call it.
        let recipe = scope.object(&ty, Request::default())?.without_set_up();
        return Ok(Slot { name: "object".into(), ty, recipe, nullable: false });
    }
    let args = scope.params(&function.params, with, Some(&function.id), Request::default())?;
    let kept = owner.is_some_and(|class| crate::facts::factories::is_kept(scope.model, class));
    let recipe = Kind::Construct { constructor: Some(function.usr.clone()), args, kept }.of(ty.clone());
    Ok(Slot { name: "object".into(), ty, recipe, nullable: false })
}

/// An object to call a method on; where its own class can't be made, a concrete subclass.
fn instance(scope: &UnitScope<'_>, ty: Type, class: &Class) -> Result<Slot, Reason> {
    match scope.value(&ty, Request::default()) {
        Ok(recipe) => {
            let ty = super::construct::derived_from_itself(scope, &ty).unwrap_or(ty);
            Ok(Slot { name: "object".into(), ty, recipe, nullable: false })
        }
        Err(reason) if !class.is_abstract => {
            for derived in scope.hierarchy.concrete_subtypes(&class.usr) {
                if let Some(sub) = super::class_arguments::class_type(scope, &derived)
                    && let Ok(recipe) = scope.value(&sub, Request::default())
                {
                    return Ok(Slot { name: "object".into(), ty: sub, recipe, nullable: false });
                }
            }
            match super::histories::only_histories(scope, &ty) {
                Some(recipe) => Ok(Slot { name: "object".into(), ty, recipe, nullable: false }),
                None => Err(Reason { what: format!("the object itself: {}", reason.what), ..reason }),
            }
        }
        Err(reason) => Err(Reason { what: format!("the object itself: {}", reason.what), ..reason }),
    }
}

/// A name for the unit's folder and files: letters, digits and `_`; overloads get a suffix.
pub fn slug(model: &Model, function: &Function) -> String {
    let mut text: String = function
        .qualified
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect::<String>()
        .split('_')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("_");
    text.truncate(80);
    let ambiguous = !function.qualified.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
        || model.functions.values().filter(|f| f.qualified == function.qualified && f.definition.is_some()).count() > 1;
    if ambiguous || text.is_empty() {
        use sha2::Digest;
        let digest = sha2::Sha256::digest(function.usr.as_bytes());
        text.push_str(&format!("_{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2]));
    }
    text
}

/// `method | constructor | operator | static_method | function`, as in `outcomes.json`.
pub fn kind_name(function: &Function) -> &'static str {
    match function.kind {
        FunctionKind::Constructor => "constructor",
        _ if function.name.starts_with("operator") => "operator",
        FunctionKind::Conversion => "operator",
        FunctionKind::StaticMethod => "static_method",
        FunctionKind::Function => "function",
        FunctionKind::Method | FunctionKind::Destructor => "method",
    }
}

/// Whether the unit is plain C, so that its driver must be.
pub fn is_c(plan: &UnitPlan) -> bool {
    plan.language == Language::C
}
