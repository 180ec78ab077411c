//! The lists of template arguments that a unit is driven with, in the order in which they are tried: those that the
//! project uses the unit with, those that it uses the template with, then the simplest.

use super::unit_scope::UnitScope;
use crate::model::{Class, Function, Model, TemplateArg, TemplateParam, TemplateParamKind, Type, TypeKind, Usr};
use crate::plan::usual_arguments::{Chosen, simplest_type, simplest_value};
use crate::types::records::{is_dependent, outer_template, params_of};
use crate::types::substitution::Substitution;

use std::collections::BTreeMap;
use std::path::Path;

/// So many lists of one template are tried.
const LISTS: usize = 4;
/// So many types that have the members that are named.
const FITTING: usize = 2;
/// So many other instances of one unit are driven beside the first.
const INSTANCES: usize = 5;
/// So many choices of one unit.
const CHOICES: usize = 6;

/// The choices for a unit, best first; there is one at least.
pub(super) fn choices(scope: &UnitScope<'_>, function: &Function) -> Vec<Chosen> {
    let class = template_around(scope.model, function);
    let class = class.filter(|class| {
        (class.specializes.is_none() || !class.pattern.is_empty())
            && scope.overrides.template_args_for(&class.qualified, scope.id()).is_none()
    });
    let of = class.map(|class| (class, lists_of_class(scope, function, class)));
    let own = function.template.as_deref().map(|params| lists_of_function(scope, function, params));
    let named = |usr: &Usr, list: Option<&Vec<TemplateArg>>| list.map(|list| (usr.clone(), list.clone()));
    let of = |at: usize| of.as_ref().and_then(|(class, lists)| named(&class.usr, lists.get(at)));
    let own = |at: usize| own.as_ref().and_then(|lists| named(&function.usr, lists.get(at)));
    let mut found: Vec<Chosen> = Vec::new();
    // Both lists go from likely to unlikely: so do their pairs.
    for sum in 0..2 * LISTS {
        for at in 0..=sum {
            let chosen = Chosen { of: of(sum - at), own: own(at) };
            let is_full = chosen.of.is_some() == of(0).is_some() && chosen.own.is_some() == own(0).is_some();
            if is_full && !found.contains(&chosen) && found.len() < CHOICES {
                found.push(chosen);
            }
        }
    }
    if found.is_empty() { vec![Chosen::default()] } else { found }
}

/// The same choice with other arguments for the unit's own template or for that of its class, where the project gives
/// their values others: under `template <bool fast>`, either has code of its own.
pub(super) fn other_values(scope: &UnitScope<'_>) -> Vec<Chosen> {
    let with_own = |own| Chosen { own: Some(own), ..scope.chosen.clone() };
    let with_of = |of| Chosen { of: Some(of), ..scope.chosen.clone() };
    let own = others_of(scope, scope.chosen.own.as_ref()).into_iter().map(with_own);
    let of = others_of(scope, scope.chosen.of.as_ref()).into_iter().map(with_of);
    own.chain(of).collect()
}

/// Lists that the project uses a template with whose values differ from those that were chosen, and among themselves:
/// evenly spread where there are many.
fn others_of(scope: &UnitScope<'_>, chosen: Option<&(Usr, Vec<TemplateArg>)>) -> Vec<(Usr, Vec<TemplateArg>)> {
    let Some((usr, first)) = chosen else { return Vec::new() };
    let values = |args: &[TemplateArg]| -> Vec<TemplateArg> {
        args.iter().filter(|arg| matches!(arg, TemplateArg::Value(_))).cloned().collect()
    };
    let mut seen = vec![values(first)];
    let special = scope.planner.graph.specialized().get(usr);
    let known = super::usual_arguments::known(scope.model, usr).filter(|args| {
        let is_another = args.len() == first.len() && !seen.contains(&values(args));
        let is_special = special.is_some_and(|all| all.contains(&args.as_slice()));
        let is_usable = is_another && !is_special && can_name_all(scope, args);
        if is_usable {
            seen.push(values(args));
        }
        is_usable
    });
    let known: Vec<&Vec<TemplateArg>> = known.collect();
    let step = known.len().div_ceil(INSTANCES).max(1);
    known.into_iter().step_by(step).map(|args| (usr.clone(), args.clone())).collect()
}

fn lists_of_class(scope: &UnitScope<'_>, function: &Function, class: &Class) -> Vec<Vec<TemplateArg>> {
    let params = params_of(scope.model, class);
    let is_full = |args: &[TemplateArg]| match class.pattern.as_slice() {
        [] => crate::types::packs::fits(params.iter().copied(), args.len(), false),
        [before @ .., last] if crate::types::packs::pack_name(last).is_some() => args.len() >= before.len(),
        pattern => args.len() == pattern.len(),
    };
    let special = scope.planner.graph.specialized().get(&class.usr);
    let with_it = scope.model.used_of.get(&function.usr).into_iter().flatten();
    let usable = |args: &&Vec<TemplateArg>| {
        // A specialisation has another body than the template.
        !special.is_some_and(|all| all.contains(&args.as_slice())) && is_full(args) && can_name_all(scope, args)
    };
    let lists = with_it.chain(super::usual_arguments::known(scope.model, &class.usr)).filter(usable).cloned();
    let mut found = unique(lists);
    if found.is_empty() {
        let file = class.definition.as_ref().map(|at| at.file.as_path());
        let named = |param: &TemplateParam| namesake(scope, file, param).cloned();
        found = simplest_lists(scope.model, &params, &|param| {
            let said = || super::usual_arguments::said(scope.model, param);
            named(param).or_else(said).or_else(|| Some(simplest_type(scope.lexicon(), &param.name)))
        });
        if !class.pattern.is_empty() {
            found.iter_mut().for_each(|args| *args = selecting(class, args));
            found.retain(|args| !args.iter().any(is_dependent));
        }
    }
    found
}

fn lists_of_function(scope: &UnitScope<'_>, function: &Function, params: &[TemplateParam]) -> Vec<Vec<TemplateArg>> {
    // An argument with a default need not be given.
    let fits = |args: usize| crate::types::packs::fits(params, args, true);
    let usable = |args: &&Vec<TemplateArg>| fits(args.len()) && can_name_all(scope, args);
    let used = super::usual_arguments::known(scope.model, &function.usr).filter(usable).cloned();
    let mut found = unique(used.chain(siblings(scope, function, params)));
    if found.is_empty() || !is_used(scope, function) {
        let asked = super::template_constraints::asked_for(scope, function, params);
        // The arguments of overloads say little of one with constraints.
        found = unique(asked.into_iter().chain(found));
    }
    if found.is_empty() || !is_used(scope, function) && function.asks.is_some() {
        found.extend(super::function_templates::callers_args(
            scope,
            function,
            params,
            crate::plan::function_templates::CALLERS_DEEP,
        ));
        let file = function.definition.as_ref().map(|at| at.extent.file.as_path());
        let named = |param: &TemplateParam| namesake(scope, file, param).cloned();
        if fits(0) && !params.iter().any(TemplateParam::is_pack) {
            found.push(Vec::new());
        }
        found.extend(of_what_it_takes(scope, function, params));
        let params: Vec<&TemplateParam> = params.iter().collect();
        let can_name = |ty: &Type| can_name_all(scope, &[TemplateArg::Type(ty.clone())]);
        let fitting: Vec<Vec<Type>> = params
            .iter()
            .map(|param| {
                super::member_constraints::fitting(scope, function, param).into_iter().filter(can_name).collect()
            })
            .collect();
        let fitting = |param: &TemplateParam, at: usize| {
            let place = params.iter().position(|other| other.name == param.name)?;
            fitting[place].get(at).cloned()
        };
        for at in (0..FITTING).take_while(|at| params.iter().any(|param| fitting(param, *at).is_some())) {
            let of_names = |param: &TemplateParam| fitting(param, at).or_else(|| fitting(param, 0));
            found.extend(simplest_lists(scope.model, &params, &|param| {
                of_names(param)
                    .or_else(|| named(param))
                    .or_else(|| crate::plan::function_templates::simplest_for(scope.lexicon(), param))
            }));
        }
        found.extend(simplest_lists(scope.model, &params, &|param| {
            named(param).or_else(|| crate::plan::function_templates::simplest_for(scope.lexicon(), param))
        }));
        found = unique(found.into_iter());
    }
    found
}

fn is_used(scope: &UnitScope<'_>, function: &Function) -> bool {
    super::usual_arguments::known(scope.model, &function.usr).next().is_some()
}

/// The arguments of overloads whose templates have the same parameters.
fn siblings(
    scope: &UnitScope<'_>,
    function: &Function,
    params: &[TemplateParam],
) -> impl Iterator<Item = Vec<TemplateArg>> {
    let is_alike = move |other: &&Function| {
        let of = other.template.as_deref().unwrap_or_default();
        other.qualified == function.qualified
            && other.usr != function.usr
            && of.len() == params.len()
            && of.iter().zip(params).all(|(one, other)| one.name == other.name && one.kind == other.kind)
    };
    let siblings = scope.model.functions.values().filter(is_alike);
    let lists = siblings.flat_map(|other| super::usual_arguments::known(scope.model, &other.usr));
    lists.filter(move |args| is_usable(scope, params, args)).cloned()
}

/// Where it takes objects of other templates: what the project uses those with. Parameters that those don't say get the
/// simplest.
fn of_what_it_takes(scope: &UnitScope<'_>, function: &Function, params: &[TemplateParam]) -> Vec<Vec<TemplateArg>> {
    let mut found = Vec::new();
    let can_name = |ty: &Type| can_name_all(scope, &[TemplateArg::Type(ty.clone())]);
    let fitting = |param: &TemplateParam| {
        let fitting = super::member_constraints::fitting(scope, function, param).into_iter().find(can_name);
        fitting.or_else(|| crate::plan::function_templates::simplest_for(scope.lexicon(), param))
    };
    for taken in &function.params {
        let mut pattern = taken.ty.without_ref();
        while let Some(to) = pattern.pointee() {
            pattern = to;
        }
        let TypeKind::Record { usr, args: patterns, .. } = &pattern.kind else { continue };
        if !scope.model.classes.contains_key(usr) || !patterns.iter().any(is_dependent) {
            continue;
        }
        for args in super::usual_arguments::known(scope.model, usr)
            .filter(|args| args.len() == patterns.len() && can_name_all(scope, args))
        {
            let mut matched = BTreeMap::new();
            crate::types::matching::match_arguments(patterns, args, &mut matched);
            let mut said = false;
            let list: Option<Vec<TemplateArg>> = params
                .iter()
                .take_while(|param| param.default.is_none())
                .map(|param| match matched.get(&param.name).map(Vec::as_slice) {
                    Some([arg]) => {
                        said = true;
                        Some(arg.clone())
                    }
                    _ => match param.kind {
                        TemplateParamKind::Value => Some(simplest_value(scope.model, param)),
                        TemplateParamKind::Type => fitting(param).map(TemplateArg::Type),
                        TemplateParamKind::Template => None,
                    },
                })
                .collect();
            found.extend(list.filter(|_| said));
        }
    }
    found
}

/// The usual type for parameters of that name in templates of the same header: an author who names two so means the
/// same.
fn namesake<'m>(scope: &UnitScope<'m>, file: Option<&Path>, param: &TemplateParam) -> Option<&'m Type> {
    let all = &scope.planner.namesakes;
    let known = all.get(&(file?, param.name.as_str()))?;
    let usable =
        known.iter().filter(|(ty, _)| super::function_templates::can_name(scope, &TemplateArg::Type((**ty).clone())));
    // Of those that are as frequent the first.
    usable.rev().max_by_key(|(_, count)| **count).map(|(ty, _)| *ty)
}

/// Whether a driver of the unit can name the arguments, and there is one for each parameter.
pub(super) fn is_usable(scope: &UnitScope<'_>, params: &[TemplateParam], args: &[TemplateArg]) -> bool {
    crate::types::packs::fits(params, args.len(), false) && can_name_all(scope, args)
}

fn can_name_all(scope: &UnitScope<'_>, args: &[TemplateArg]) -> bool {
    !args.iter().any(is_dependent) && args.iter().all(|arg| super::function_templates::can_name(scope, arg))
}

/// The class template whose parameters stand in a function: its class, one around that, or the one that it is a friend
/// of.
pub(super) fn template_around<'m>(model: &'m Model, function: &Function) -> Option<&'m Class> {
    let class = model.classes.get(function.owner.as_ref().or(function.friend_of.as_ref())?)?;
    if class.template.is_some() { Some(class) } else { outer_template(model, class) }
}

/// The result type of an instantiation of a function, where only a compiler can say it.
pub(super) fn returned<'m>(
    model: &'m Model,
    function: &Function,
    of: &[TemplateArg],
    own: &[TemplateArg],
) -> Option<&'m Type> {
    let known = model.returned.get(&function.usr)?;
    known.iter().find(|known| known.of == of && known.own == own).map(|known| &known.ty)
}

/// The arguments that select a partial specialisation with `args` for its own parameters.
fn selecting(class: &Class, args: &[TemplateArg]) -> Vec<TemplateArg> {
    let mut with = Substitution::default();
    with.put_all(0, class.template.as_deref().unwrap_or_default(), args);
    let applied = |arg: &TemplateArg| match arg {
        TemplateArg::Type(ty) => TemplateArg::Type(with.apply(ty)),
        TemplateArg::Value(name) => TemplateArg::Value(with.value(name).unwrap_or(name).to_owned()),
    };
    class.pattern.iter().flat_map(|arg| with.spread_argument(arg).unwrap_or_else(|| vec![applied(arg)])).collect()
}

fn unique(lists: impl Iterator<Item = Vec<TemplateArg>>) -> Vec<Vec<TemplateArg>> {
    let mut found: Vec<Vec<TemplateArg>> = Vec::new();
    for list in lists {
        if !found.contains(&list) && found.len() < LISTS {
            found.push(list);
        }
    }
    found
}

/// Lists of simple arguments: numbers, then text, then a container, wherever the parameter's name says nothing else. A
/// pack gets one, two of different types, and none. Empty where a name says that none of them will do.
fn simplest_lists(
    model: &Model,
    params: &[&TemplateParam],
    first: &dyn Fn(&TemplateParam) -> Option<Type>,
) -> Vec<Vec<TemplateArg>> {
    let int = crate::types::arithmetic::simple_type("int");
    let (text, list) = (crate::types::compose::text(), crate::types::compose::vector(&int));
    // From a default on the template says itself what will do.
    let open = params.iter().position(|param| param.default.is_some()).filter(|at| *at > 0).unwrap_or(params.len());
    let of_pack = |param: &TemplateParam, count: usize| {
        Some(match param.kind {
            TemplateParamKind::Type => {
                let types = match first(param) {
                    Some(ty) if ty == int => [int.clone(), text.clone()],
                    Some(ty) => [ty.clone(), ty],
                    None => return (count == 0).then(Vec::new),
                };
                types[..count].iter().cloned().map(TemplateArg::Type).collect()
            }
            TemplateParamKind::Value if param.text.starts_with("bool") => {
                vec![TemplateArg::Value("true".into()); count]
            }
            // Mostly places in a row.
            TemplateParamKind::Value => (0..count).map(|value| TemplateArg::Value(value.to_string())).collect(),
            TemplateParamKind::Template => return (count == 0).then(Vec::new),
        })
    };
    let lists = [(&int, 1), (&text, 2), (&list, 0)].map(|(plain, count)| {
        let mut all = Vec::new();
        for param in &params[..open] {
            all.push(match param.kind {
                _ if param.is_pack() => {
                    all.extend(of_pack(param, count)?);
                    // A call deduces the arguments behind it.
                    break;
                }
                TemplateParamKind::Type => {
                    let ty = first(param)?;
                    TemplateArg::Type(if ty == int { plain.clone() } else { ty })
                }
                TemplateParamKind::Value => simplest_value(model, param),
                TemplateParamKind::Template => return None,
            });
        }
        Some(all)
    });
    unique(lists.into_iter().flatten())
}

#[cfg(test)]
#[path = "template_arguments_tests.rs"]
mod tests;
