//! The ways into a unit: directly where a caller may, else through a public function that leads to it.

use super::values::Planner;
use super::{Entry, Kind, Reason, Slot, UnitPlan, variadic};
use crate::facts::field_usage::FieldUsage;
use crate::model::{
    Access, Class, Definition, Function, FunctionKind, Language, Literal, Model, TranslationUnit, Type, TypeKind, Usr,
};
use crate::overrides::lookup::functions_named;
use crate::types::substitution::Substitution;
use std::collections::{BTreeSet, VecDeque};

/// So many of the cheapest ways to objects are left out at most, one after the other, where no input gets into the unit.
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

/// As [`plan_unit`] or, with `directly`, [`plan_directly`], but otherwise: of a template with other arguments, then with other
/// objects. The cheapest ways to each are left out, so many as `others` says.
///
/// # Errors
/// Why it can't be driven, or that there is no other way.
pub fn plan_otherwise(planner: &Planner<'_>, unit: &Usr, directly: bool, others: usize) -> Result<UnitPlan, Reason> {
    planner.went_otherwise.set(false);
    let made = plan(planner, unit, directly, others);
    planner.others.set(0);
    match made {
        Ok(_) if others > 0 && !planner.went_otherwise.get() => {
            Err(Reason::new("there is no other way to its objects"))
        }
        made => made,
    }
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
    let definition = function.definition.as_ref().ok_or_else(|| Reason::new("it has no body in the project"))?;
    if function.name == "main" && function.owner.is_none() {
        return Err(Reason::new("main() is the program, not a unit"));
    }
    if function.is_defaulted {
        return Err(Reason::new("it is defaulted: the compiler writes its body"));
    }
    planner.unit.replace(function.id.clone());
    planner.overridden.set(false);
    let tu = model
        .unit_of_function(function)
        .ok_or_else(|| Reason::new("no translation unit of the compile database includes its file"))?;
    if let Some(error) = tu.errors.first() {
        return Err(Reason::new(format!("its source does not parse: {error}")));
    }
    planner.source.set(model.units.iter().position(|unit| std::ptr::eq(unit, tu)));
    planner.others.set(0);
    planner.touched.replace(Some(FieldUsage::by(model, planner.hierarchy, function)));
    let choices = planner.choices(function);
    let (mut left, mut first, mut failed) = (others, None, None);
    for choice in choices {
        planner.chosen.replace(choice.clone());
        match planned(planner, function, definition, tu, directly) {
            Ok(plan) if left == 0 => {
                planner.went_otherwise.set(others > 0);
                planner.chosen.take();
                return Ok(plan);
            }
            Ok(_) => {
                left -= 1;
                first.get_or_insert(choice);
            }
            Err(reason) => {
                failed.get_or_insert(reason);
            }
        }
    }
    let Some(first) = first else {
        planner.chosen.take();
        return Err(failed.unwrap_or_else(|| Reason::new("there are no arguments for its template")));
    };
    planner.chosen.replace(first);
    planner.others.set(left + 1);
    let made = planned(planner, function, definition, tu, directly);
    planner.chosen.take();
    made
}

/// The plan with the arguments that were chosen for templates.
fn planned(
    planner: &Planner<'_>,
    function: &Function,
    definition: &Definition,
    tu: &TranslationUnit,
    directly: bool,
) -> Result<UnitPlan, Reason> {
    let (model, unit) = (planner.model, &function.usr);
    let mut entries = entries(planner, function, directly)?;
    planner.with_histories(unit, &mut entries);
    planner.with_stand_ins(unit, &mut entries);
    planner.with_globals(function, &mut entries);
    let owner_args = match function.owner.as_ref().and_then(|o| model.classes.get(o)) {
        Some(class) => planner.template_args(class).unwrap_or_default(),
        None => Vec::new(),
    };
    let touched = planner.touched.borrow();
    let not_compared = touched.as_ref().map_or_else(Vec::new, |touched| touched.not_compared(planner.lexicon(), model));
    Ok(UnitPlan {
        unit: unit.clone(),
        id: function.id.clone(),
        slug: slug(model, function),
        language: function.language,
        source: tu.main_file.clone(),
        command: tu.command,
        words: words(model, &entries, function),
        entries,
        literals: definition.literals.clone(),
        overridden: planner.overridden.get(),
        reset: planner.overrides.reset(&function.id),
        before: planner.overrides.before(&function.id),
        excluded: [planner.overrides.excluded(), not_compared].concat(),
        owner_args,
        lexicon: planner.lexicon().clone(),
    })
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

fn entries(planner: &Planner<'_>, function: &Function, directly: bool) -> Result<Vec<Entry>, Reason> {
    let named = planner.overrides.through(&function.id);
    if !named.is_empty() {
        planner.overridden.set(true);
        let callers = named.iter().filter_map(|name| functions_named(planner.model, name).into_iter().next());
        return callers
            .map(|caller| {
                entry_for(planner, caller, function)
                    .map_err(|reason| Reason { what: format!("through `{}`: {}", caller.id, reason.what), ..reason })
            })
            .collect();
    }
    if matches!(function.access, None | Some(Access::Public)) && reachable_class(planner.model, function) {
        return Ok(vec![entry(planner, function, false)?]);
    }
    let mut ways = Vec::new();
    let callers = if directly { Vec::new() } else { planner.hierarchy.public_callers(&function.usr) };
    for caller in callers {
        let Some(caller) = planner.model.functions.get(&caller) else { continue };
        let owner = caller.owner.as_ref().and_then(|usr| planner.model.classes.get(usr));
        if caller.name == "main"
            || caller.template.is_some()
            || !caller.definition.as_ref().is_some_and(|d| !caller.is_file_local || planner.sees(&d.extent.file))
            || !planner.is_declared(caller)
            || owner.is_some_and(|class| !planner.in_reach(class))
        {
            continue;
        }
        if let Ok(way) = entry_for(planner, caller, function) {
            ways.push(way);
            if ways.len() == WAYS_IN {
                break;
            }
        }
    }
    if ways.is_empty() {
        ways.push(entry(planner, function, true)?);
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
fn entry_for(planner: &Planner<'_>, caller: &Function, target: &Function) -> Result<Entry, Reason> {
    let derived = match (&caller.owner, &target.owner) {
        (Some(base), Some(derived)) if base != derived && planner.hierarchy.ancestors(derived).contains(base) => {
            Some(derived)
        }
        _ => None,
    };
    build(planner, caller, derived, false)
}

fn entry(planner: &Planner<'_>, function: &Function, private_access: bool) -> Result<Entry, Reason> {
    build(planner, function, None, private_access)
}

fn build(planner: &Planner<'_>, function: &Function, on: Option<&Usr>, private_access: bool) -> Result<Entry, Reason> {
    let model = planner.model;
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
        Some(class) => planner.template_args(class).ok_or_else(|| {
            Reason::new("its template arguments are not known").needs(format!("templates.{}", class.qualified))
        })?,
        None => Vec::new(),
    };
    let args_of_class = args.clone();
    let template_args = planner.function_args(function)?;
    // A friend has the parameters of the class template that defines it.
    let friend_of = crate::plan::template_arguments::template_around(model, function).filter(|_| owner.is_none());
    let friend_args = friend_of.and_then(|class| planner.template_args(class)).unwrap_or_default();
    let with = match (owner, friend_of) {
        (Some(class), _) => Substitution::of(model, class, &args),
        (None, Some(class)) => Substitution::of(model, class, &friend_args),
        (None, None) => Substitution::none(model),
    };
    let with = with.and(function, owner.or(friend_of), &template_args);
    let class_type = match (owner, on) {
        (_, Some(derived)) => planner.class_type(derived),
        (Some(class), None) => Some(crate::types::records::record_type(model, class, args)),
        _ => None,
    };
    let class = class_type.clone();
    let mut object = match (function.kind, class_type) {
        (FunctionKind::Function | FunctionKind::StaticMethod, _) | (_, None) => None,
        (FunctionKind::Constructor, Some(ty)) => Some(constructed(planner, function, ty, &with)?),
        (_, Some(ty)) => {
            let mut object = instance(planner, ty, owner.expect("methods have a class"))?;
            if function.is_const {
                object.recipe.keep_const(model);
            }
            Some(object)
        }
    };
    let mut slots = if function.kind == FunctionKind::Constructor {
        Vec::new()
    } else {
        let taken = variadic::with_values(planner, function, &function.params)?;
        let mut slots = planner.params(&taken, &with, Some(&function.id))?;
        let is_told = |name: &str| planner.overrides.parameter(&function.id, name).is_some();
        variadic::match_formats(planner.lexicon(), function, &mut slots, &is_told);
        variadic::count_values(planner.lexicon(), function, &mut slots, &is_told);
        slots
    };
    if let (Some(object), Some(class)) = (&object, owner)
        && function.kind == FunctionKind::Method
    {
        let class_type = crate::types::spelling::value_type(object.recipe.ty.without_ref());
        planner.point_into_itself(function, class, &with, &class_type, &mut slots);
    }
    let put_in = match (&object, owner) {
        (Some(object), Some(class)) if function.kind == FunctionKind::Method && !object.recipe.ty.is_const => {
            planner.put_in(function, class, &with, &slots)
        }
        (None, None) if function.language == Language::C => planner.put_in_c(function, &slots),
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
    let least_lengths =
        names.filter_map(|n| planner.least_length(&function.id, n.as_deref()).map(|least| (n, least))).collect();
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
fn constructed(planner: &Planner<'_>, function: &Function, ty: Type, with: &Substitution) -> Result<Slot, Reason> {
    let owner = ty.record().and_then(|usr| planner.model.classes.get(usr));
    if owner.is_some_and(|class| class.is_abstract) {
        // Run through the subclasses' constructors, where theirs call it.
        let recipe = planner.object(&ty, 0)?.without_set_up();
        return Ok(Slot { name: "object".into(), ty, recipe, nullable: false });
    }
    let args = planner.params(&function.params, with, Some(&function.id))?;
    let kept = owner.is_some_and(|class| crate::facts::factories::is_kept(planner.model, class));
    let recipe = Kind::Construct { constructor: Some(function.usr.clone()), args, kept }.of(ty.clone());
    Ok(Slot { name: "object".into(), ty, recipe, nullable: false })
}

/// An object to call a method on; where its own class can't be made, a concrete subclass.
fn instance(planner: &Planner<'_>, ty: Type, class: &Class) -> Result<Slot, Reason> {
    match planner.value(&ty, 0) {
        Ok(recipe) => {
            let ty = planner.derived_from_itself(&ty).unwrap_or(ty);
            Ok(Slot { name: "object".into(), ty, recipe, nullable: false })
        }
        Err(reason) if !class.is_abstract => {
            for derived in planner.hierarchy.concrete_subtypes(&class.usr) {
                if let Some(sub) = planner.class_type(&derived)
                    && let Ok(recipe) = planner.value(&sub, 0)
                {
                    return Ok(Slot { name: "object".into(), ty: sub, recipe, nullable: false });
                }
            }
            match planner.only_histories(&ty) {
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
