//! Functions as values: what a parameter that is called back gets. The project's own functions of that type come
//! first, since they are what callers pass; then one that is made up, which notes its calls and answers with data.
//! Where that can't be, C++ gets a lambda that returns a value of no information.

use crate::model::{Access, Class, Function, FunctionKind, Language, Param, Scope, TemplateArg, Type, TypeKind, Usr};
use crate::plan::Outside;
use crate::plan::request::Request;
use crate::plan::undefined_symbols::is_of_numbers;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Entry, Kind, Reason, Recipe};
use crate::types::records::alike;
use crate::types::spelling::{value_initialized, value_type};
use std::collections::{BTreeMap, BTreeSet};

/// The most functions that one parameter chooses among.
const ALTERNATIVES: usize = 6;

/// A value of type `ty`: a pointer to a function, or a `std::function`.
///
/// # Errors
/// The project has no such function, and none can be made up.
pub(in crate::plan) fn callback(scope: &UnitScope<'_>, ty: &Type) -> Result<Recipe, Reason> {
    let Some(called) = called_as(ty) else {
        return Err(Reason::new(format!("`{}` is of no function type", ty.spelling)));
    };
    let Called { result, params, is_variadic, .. } = called;
    let mut found: Vec<&Function> = scope
        .model
        .functions
        .values()
        .filter(|f| matches!(f.kind, FunctionKind::Function | FunctionKind::StaticMethod) && f.template.is_none())
        .filter(|f| f.access.is_none_or(|access| access == crate::model::Access::Public) && f.name != "main")
        .filter(|f| f.params.len() == params.len() && f.is_variadic == is_variadic && !f.is_deleted && !f.is_file_local)
        .filter(|f| alike(&f.result, result) && f.params.iter().zip(params).all(|(p, ty)| alike(&p.ty, ty)))
        .filter(|f| !called.is_noexcept || f.is_noexcept)
        .filter(|f| is_plain_owner(scope, f) && is_seen(scope, f) && !f.name.starts_with("operator"))
        .filter(|f| !scope.model.is_only_a_friend(f))
        .collect();
    found.sort_by_key(|f| &f.id);
    found.truncate(ALTERNATIVES);
    let made_up = can_be_made_up(scope, &called);
    let mut expressions: Vec<String> = found.iter().map(|f| format!("&{}", f.qualified)).collect();
    // Who has functions that make something can't do with nothing.
    if made_up && (expressions.is_empty() || !matches!(result.kind, TypeKind::Pointer(_))) {
        expressions.push(name_of(scope, &value_type(ty)));
    }
    if !expressions.is_empty() {
        return Ok(Kind::OneOf { expressions }.of(value_type(ty)));
    }
    let unit = scope.id();
    let is_cxx = scope.model.functions.values().find(|f| f.id == *unit).is_none_or(|f| f.language == Language::Cxx);
    let returned = |value: &str| Some(format!(" -> {} {{ return {value}; }}", result.spelling));
    let body = match &result.kind {
        TypeKind::Void => Some(" {}".to_owned()),
        // A pointer's type can't be called like a function.
        TypeKind::Pointer(_) => returned("nullptr"),
        TypeKind::Prim(_) | TypeKind::Enum(_) => returned(&value_initialized(result, result.bare_spelling())),
        TypeKind::Record { .. } if is_made_of_nothing(scope, result) => {
            returned(&format!("{}()", result.bare_spelling()))
        }
        _ => None,
    };
    let has_names = params.iter().chain([result]).all(crate::plan::undefined_symbols::has_names);
    match body.filter(|_| is_cxx) {
        Some(body) => {
            let mut list: Vec<&str> = params.iter().map(|p| p.spelling.as_str()).collect();
            list.extend(is_variadic.then_some("..."));
            let noexcept = if called.is_noexcept { " noexcept" } else { "" };
            let expression = format!("[]({}){noexcept}{body}", list.join(", "));
            Ok(Kind::OneOf { expressions: vec![expression] }.of(value_type(ty)))
        }
        None if !is_cxx && has_names => {
            let name = name_of(scope, &value_type(ty));
            Ok(Kind::OneOf { expressions: vec![name] }.of(value_type(ty)))
        }
        None => Err(Reason::new("the project has no function of this type, and none can be made up")
            .needs("parameters.NAME.value")),
    }
}

/// Whether a function of this type can be written at file scope and note what it is called with.
fn can_be_made_up(scope: &UnitScope<'_>, called: &Called<'_>) -> bool {
    let Called { result, params, .. } = *called;
    // Who compares takes whatever order there is for one.
    let compares = matches!(params, [one, other] if alike(one, other)) && is_number(result);
    let unit = scope.id();
    let owner = scope.model.functions.values().find(|f| f.id == *unit).and_then(|f| f.owner.as_ref());
    let of_owner = |usr: &Usr, scopes: &[Scope], access: Option<Access>| {
        let within = |scope: &Scope| matches!(scope, Scope::Class(of) if Some(of) == owner);
        Some(usr) == owner || scopes.iter().any(within) || !matches!(access, None | Some(Access::Public))
    };
    let is_made = match &result.kind {
        TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) => false,
        TypeKind::Record { .. } => is_made_of_nothing(scope, result),
        _ => true,
    };
    // C has no `...` without a parameter before it.
    let mut sayable = !compares && is_made && !(called.is_variadic && params.is_empty());
    for ty in params.iter().chain([result]) {
        sayable &= crate::plan::undefined_symbols::can_be_said(ty);
        ty.walk(&mut |ty| {
            sayable &= match &ty.kind {
                TypeKind::Record { usr, args, .. } => match scope.model.classes.get(usr) {
                    Some(class) => args.is_empty() && !of_owner(usr, &class.scopes, class.access),
                    None => true,
                },
                TypeKind::Enum(usr) => {
                    scope.model.enums.get(usr).is_none_or(|known| !of_owner(usr, &known.scopes, known.access))
                }
                _ => true,
            }
        });
    }
    sayable
}

/// What a member that is called back gets: what was made up for its type is called after the member, so that calls of
/// one are not taken for calls of another.
pub(in crate::plan) fn of_member(scope: &UnitScope<'_>, class: &Class, member: &str, made: Recipe) -> Recipe {
    let Kind::OneOf { expressions } = &made.kind else { return made };
    let by_type = name_of(scope, &made.ty);
    if !expressions.contains(&by_type) || !called_as(&made.ty).is_some_and(|called| can_be_made_up(scope, &called)) {
        return made;
    }
    match member_name(scope, class, member) {
        Some(name) => called(made, &by_type, &name),
        None => made,
    }
}

/// What was made up for a type, by another name.
fn called(mut made: Recipe, by_type: &str, name: &str) -> Recipe {
    if let Kind::OneOf { expressions } = &mut made.kind {
        expressions.iter_mut().filter(|other| *other == by_type).for_each(|other| name.clone_into(other));
    }
    made
}

/// What is made up for the parameters of a unit that has one way in is called after them.
pub(in crate::plan) fn after_parameters(scope: &UnitScope<'_>, entries: &mut [Entry]) {
    let [entry] = entries else { return };
    let mut names: Vec<String> = entry.args.iter().map(|slot| parameter_name(scope, &slot.name)).collect();
    for slot in entry.slots() {
        slot.recipe.walk(&mut |recipe| {
            if let Kind::OneOf { expressions } = &recipe.kind {
                names.extend(expressions.iter().cloned());
            }
        });
    }
    for slot in entry.args.iter_mut().filter(|slot| called_as(&slot.recipe.ty).is_some()) {
        let (by_type, name) = (name_of(scope, &slot.recipe.ty), parameter_name(scope, &slot.name));
        // (Where something else is called so, it keeps the name by its type.)
        if names.iter().filter(|other| **other == name).count() == 1 {
            slot.recipe = called(slot.recipe.clone(), &by_type, &name);
        }
    }
}

/// The function that stands in for a parameter.
fn parameter_name(scope: &UnitScope<'_>, parameter: &str) -> String {
    unused(scope, format!("called_{}", parameter.trim_matches('_')))
}

/// The function that stands in for a member of a structure.
fn member_name(scope: &UnitScope<'_>, class: &Class, member: &str) -> Option<String> {
    let is_plain = !class.name.is_empty() && class.template.is_none() && class.specializes.is_none();
    let of = class.qualified.replace("::", "_");
    is_plain.then(|| unused(scope, format!("called_{}_of_{of}", member.trim_matches('_'))))
}

/// The functions that the values of `entries` name, that are made up, and that they do not have yet: each notes its
/// calls and answers with data.
pub(in crate::plan) fn callbacks(
    scope: &UnitScope<'_>,
    entries: &[Entry],
    names: &mut BTreeSet<String>,
    request: Request<'_>,
) -> Vec<Outside> {
    let mut wanted: BTreeMap<String, Function> = BTreeMap::new();
    let language = entries.first().and_then(|entry| scope.model.functions.get(&entry.callee)).map(|f| f.language);
    let mut want = |name: Option<String>, recipe: &Recipe| {
        if let (Some(name), Recipe { ty, kind: Kind::OneOf { expressions }, .. }) = (name, recipe)
            && let Some(called) = called_as(ty)
            && expressions.contains(&name)
            && can_be_made_up(scope, &called)
        {
            let language = language.unwrap_or(Language::C);
            let mut made = Function::made_up(&name, named(&called), called.result.clone(), language);
            made.is_variadic = called.is_variadic;
            made.is_noexcept = called.is_noexcept;
            wanted.entry(name).or_insert(made);
        }
    };
    if let [entry] = entries {
        entry.args.iter().for_each(|slot| want(Some(parameter_name(scope, &slot.name)), &slot.recipe));
    }
    for slot in entries.iter().flat_map(Entry::slots) {
        slot.recipe.walk(&mut |recipe| match &recipe.kind {
            Kind::OneOf { .. } => want(Some(name_of(scope, &recipe.ty)), recipe),
            Kind::Fields { fields, .. } => {
                let class = scope.model.class_of(&recipe.ty);
                for field in fields {
                    want(class.and_then(|class| member_name(scope, class, &field.name)), &field.recipe);
                }
            }
            _ => {}
        });
    }
    let params = scope.function.params.iter().map(|param| param.ty.pointee().unwrap_or(&param.ty));
    let given: BTreeSet<&Usr> = params.filter_map(Type::record).chain(&scope.function.owner).collect();
    let known = entries.first().into_iter().flat_map(|entry| &entry.outside).filter_map(|outside| match outside {
        Outside::Callback { function, .. } => Some(function.name.clone()),
        _ => None,
    });
    known.for_each(|name| {
        wanted.remove(&name);
    });
    let made = wanted.into_values().map(|function| {
        let mut does = crate::plan::undefined_symbols::stand_in(scope, &function, names, request);
        let is_plain = |ty: &Type| matches!(ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_));
        // Objects behind other pointers are the caller's own, unless they are results: a few numbers, of a type that
        // the unit is not given. A buffer of so many bytes is to be filled.
        let is_result = |ty: &Type| is_of_numbers(scope, ty) && !ty.record().is_some_and(|usr| given.contains(usr));
        let is_handle = |ty: &Type| ty.pointee().is_some_and(is_result);
        does.answer = does.answer.filter(|_| is_plain(&function.result) || is_handle(&function.result));
        does.writes.retain(|written| match &function.params[written.param].ty.kind {
            TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => {
                is_plain(to) || matches!(to.kind, TypeKind::Void) && written.length.is_some() || is_result(to)
            }
            _ => false,
        });
        Outside::Callback { function: Box::new(function), does }
    });
    made.collect()
}

/// Whether an object comes of no arguments, and of none only: what is returned is nobody's choice.
fn is_made_of_nothing(scope: &UnitScope<'_>, ty: &Type) -> bool {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return true };
    match scope.model.classes.get(usr) {
        Some(class) => {
            let is_hidden = |f: &Function| f.params.is_empty() && f.access.is_some_and(|a| a != Access::Public);
            crate::facts::default_construction::is_default_constructible(scope.model, class)
                && !class.constructors(scope.model).any(is_hidden)
        }
        None => {
            let is_held = |arg: &TemplateArg| match arg {
                TemplateArg::Type(ty) => is_made_of_nothing(scope, ty),
                TemplateArg::Value(_) => true,
            };
            !ty.spelling.contains("reference_wrapper") && args.iter().all(is_held)
        }
    }
}

/// The function that stands in for a callback of this type, by a name that nothing of the project's has.
fn name_of(scope: &UnitScope<'_>, ty: &Type) -> String {
    unused(scope, stand_in(ty))
}

/// The name, longer where something of the project's has it.
fn unused(scope: &UnitScope<'_>, mut name: String) -> String {
    let is_taken = |name: &str| {
        let own = scope.model.functions.values().map(|f| &f.qualified);
        let own = own.chain(scope.model.variables.values().map(|v| &v.qualified));
        own.chain(scope.model.classes.values().map(|c| &c.qualified))
            .chain(scope.model.aliases.values().map(|a| &a.qualified))
            .any(|other| other == name)
    };
    while is_taken(&name) {
        name.push_str("_back");
    }
    name
}

/// Whether the unit's own translation unit has a declaration: what is named in an expression brings no header along.
fn is_seen(scope: &UnitScope<'_>, function: &Function) -> bool {
    let mut places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
    places.any(|extent| scope.sees(&extent.file))
}

/// Whether the function's class, if it has one, can be named without arguments.
fn is_plain_owner(scope: &UnitScope<'_>, function: &Function) -> bool {
    let Some(owner) = &function.owner else { return true };
    scope.model.classes.get(owner).is_some_and(|class| {
        class.template.is_none() && class.specializes.is_none() && scope.in_reach(class) && class.access.is_none()
    })
}

/// The signature behind a pointer to a function, or a `std::function`.
#[derive(Clone, Copy)]
struct Called<'t> {
    result: &'t Type,
    params: &'t [Type],
    is_variadic: bool,
    is_noexcept: bool,
    names: &'t [String],
}

fn called_as(ty: &Type) -> Option<Called<'_>> {
    let function = match &ty.kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => to,
        TypeKind::Record { args, .. } => match args.first()? {
            TemplateArg::Type(ty) => ty,
            TemplateArg::Value(_) => return None,
        },
        _ => ty,
    };
    match &function.kind {
        TypeKind::Function { result, params, is_variadic, is_noexcept, names } => {
            let (is_variadic, is_noexcept) = (*is_variadic, *is_noexcept);
            Some(Called { result, params, is_variadic, is_noexcept, names: &names.0 })
        }
        _ => None,
    }
}

/// Parameters by the names that they have where the type is written: nothing else says which is the length of another,
/// or text.
fn named(called: &Called<'_>) -> Vec<Param> {
    let param =
        |index: usize| Param::new(called.names.get(index).cloned().unwrap_or_default(), called.params[index].clone());
    (0..called.params.len()).map(param).collect()
}

fn is_number(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(_))
}

/// The function that stands in for a callback, by its type: types that differ have names that do. Where it can't note
/// its calls it does nothing, and returns nothing but zeroes.
fn stand_in(ty: &Type) -> String {
    let spelling = ty.spelling.replacen("(*)", "", 1).replacen("std::function", "", 1);
    let spelling = spelling.replace('*', " p ").replace("&&", " rr ").replace('&', " r ").replace(',', " and ");
    let words = spelling.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':');
    let word = |word: &str| {
        let mut parts: Vec<&str> = word.split("::").filter(|part| !part.is_empty()).collect();
        let own = parts.pop()?;
        Some(if parts.is_empty() { own.to_owned() } else { format!("{own}_of_{}", parts.join("_")) })
    };
    format!("called_{}", words.filter_map(word).collect::<Vec<_>>().join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::{read_c, read_cpp};
    use crate::plan::planner::Planner;

    fn first_arg(model: &crate::model::Model, unit: &str) -> Result<Recipe, Reason> {
        planned(model, unit).map(|plan| plan.entries[0].args[0].recipe.clone())
    }

    fn planned(model: &crate::model::Model, unit: &str) -> Result<crate::plan::UnitPlan, Reason> {
        let hierarchy = Hierarchy::new(model);
        let overrides = Overrides::default();
        let planner = Planner::new(model, &hierarchy, &overrides);
        let function = model.functions.values().find(|f| f.name == unit).expect(unit);
        crate::plan::plan_unit(&planner, &function.usr)
    }

    fn one_of(recipe: Result<Recipe, Reason>) -> Vec<String> {
        match recipe {
            Ok(Recipe { kind: Kind::OneOf { expressions, .. }, .. }) => expressions,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn functions_that_yield_members_of_other_classes_are_of_other_types() {
        let model = read_cpp(
            "struct Coder { void in(int n); }; struct Writer { void out(int n); \
                };\ntypedef void (Coder::*Decode)(int); typedef void (Writer::*Encode)(int);\n\
             struct Table { static Decode decoder(int n); static Encode encoder(int n); };\n\
             int apply(Encode (*find)(int), int n) { return find(n) == nullptr ? n : 0; }\n",
        );
        assert_eq!(one_of(first_arg(&model, "apply")), ["&Table::encoder"]);
    }

    #[test]
    fn a_callback_is_one_of_the_projects_functions_of_that_type() {
        let model = read_c(
            "typedef double real;\ntypedef real (*op)(real, int);\ndouble twice(double x, int n) { return x * 2 * n; \
                }\n\
             double other(double x) { return x; }\nstatic double own(double x, int n) { return x - n; }\n\
             real apply(op f, double x) { return f(x, 1) + own(x, 1); }\n",
        );
        assert_eq!(one_of(first_arg(&model, "apply")), ["&twice", "called_f"]);
    }

    #[test]
    fn a_function_that_the_unit_does_not_see_is_no_value_of_it() {
        let other = "#include \"other.h\"\nint other(int n) { return n + 1; }\n";
        let unit = "typedef int (*op)(int);\nint apply(op f) { return f(1); }\n";
        let files = [("other.h", "int other(int n);\n"), ("other.cpp", other), ("unit.cpp", unit)];
        let model = crate::parse::testing::Small::new(&files, "").model();
        assert_eq!(one_of(first_arg(&model, "apply")), ["called_f"]);
    }

    #[test]
    fn without_one_a_function_is_made_up_that_notes_its_calls_and_answers() {
        let source = "typedef long (*op)(const char *data, int count);\nlong apply(op f) { return f(\"a\", 1); }\n";
        for model in [read_cpp(source), read_c(source)] {
            assert_eq!(one_of(first_arg(&model, "apply")), ["called_f"]);
            let entry = planned(&model, "apply").unwrap().entries.remove(0);
            let [Outside::Callback { function, does }] = entry.outside.as_slice() else {
                panic!("{:?}", entry.outside)
            };
            assert_eq!((does.answer.as_ref().unwrap().ty.spelling.as_str(), does.writes.len()), ("long[4]", 0));
            // It returns another type than the count has: it may be anything.
            assert!(does.transfers.is_none());
            let names: Vec<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
            assert_eq!(names, ["data", "count"]);
        }
        let source = "#include <functional>\nint apply(const std::function<void(int)> &f) { f(1); return 1; }\n";
        assert_eq!(one_of(first_arg(&read_cpp(source), "apply")), ["called_f"]);
    }

    #[test]
    fn who_compares_and_who_takes_what_no_file_can_name_is_a_lambda() {
        let source = "typedef bool (*less)(int, int);\nint least(less f) { return f(1, 2); }\n\
                      class Own { struct Part { int n; }; public: int each(void (*f)(Part)) { f({3}); return 1; } };\n";
        let model = read_cpp(source);
        assert_eq!(one_of(first_arg(&model, "least")), ["[](int, int) -> bool { return bool(); }"]);
        assert_eq!(one_of(first_arg(&model, "each")), ["[](Own::Part) {}"]);
    }
}
