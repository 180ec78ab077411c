//! Functions as values: what a parameter that is called back gets. The project's own functions of that type come
//! first, since they are what callers pass; then one that is made up, which notes its calls and answers with data. Where that can't
//! be, C++ gets a lambda that returns a value of no information.

use super::outside::Outside;
use super::values::{Planner, value_type};
use super::{Entry, Reason, Recipe};
use crate::model::{Access, Function, FunctionKind, Language, Param, Prim, Scope, TemplateArg, Type, TypeKind, Usr};
use std::collections::{BTreeMap, BTreeSet};

/// The most functions that one parameter chooses among.
const ALTERNATIVES: usize = 6;

impl Planner<'_> {
    /// A value of type `ty`: a pointer to a function, or a `std::function`, of this result and these parameters.
    ///
    /// # Errors
    /// The project has no such function, and none can be made up.
    pub(super) fn callback(&self, ty: &Type, result: &Type, params: &[Type]) -> Result<Recipe, Reason> {
        let mut found: Vec<&Function> = self
            .model
            .functions
            .values()
            .filter(|f| matches!(f.kind, FunctionKind::Function | FunctionKind::StaticMethod) && f.template.is_none())
            .filter(|f| f.access.is_none_or(|access| access == crate::model::Access::Public) && f.name != "main")
            .filter(|f| f.params.len() == params.len() && !f.is_variadic && !f.is_deleted && !f.is_file_local)
            .filter(|f| alike(&f.result, result) && f.params.iter().zip(params).all(|(p, ty)| alike(&p.ty, ty)))
            .filter(|f| self.is_plain_owner(f) && self.is_seen(f) && !f.name.starts_with("operator"))
            .collect();
        found.sort_by_key(|f| &f.id);
        found.truncate(ALTERNATIVES);
        let made_up = self.can_be_made_up(result, params);
        let mut expressions: Vec<String> = found.iter().map(|f| format!("&{}", f.qualified)).collect();
        // Who has functions that make something can't do with nothing.
        if made_up && (expressions.is_empty() || !matches!(result.kind, TypeKind::Pointer(_))) {
            expressions.push(stand_in(&value_type(ty)));
        }
        if !expressions.is_empty() {
            return Ok(Recipe::OneOf { ty: value_type(ty), expressions });
        }
        let unit = self.unit.borrow();
        let is_cxx = self.model.functions.values().find(|f| f.id == *unit).is_none_or(|f| f.language == Language::Cxx);
        let returned = |value: &str| Some(format!(" -> {} {{ return {value}; }}", result.spelling));
        let body = match &result.kind {
            TypeKind::Void => Some(" {}".to_owned()),
            // A pointer's type can't be called like a function.
            TypeKind::Pointer(_) => returned("nullptr"),
            TypeKind::Prim(_) | TypeKind::Enum(_) => returned(&format!("{}()", result.bare_spelling())),
            TypeKind::Record { usr, .. } if self.model.classes.get(usr).is_some_and(|class| class.is_aggregate) => {
                returned(&format!("{}()", result.bare_spelling()))
            }
            TypeKind::Record { name, .. } if name.starts_with("std::basic_string") => returned("std::string()"),
            _ => None,
        };
        match body.filter(|_| is_cxx) {
            Some(body) => {
                let list: Vec<&str> = params.iter().map(|p| p.spelling.as_str()).collect();
                let expression = format!("[]({}){body}", list.join(", "));
                Ok(Recipe::OneOf { ty: value_type(ty), expressions: vec![expression] })
            }
            None if !is_cxx => {
                let name = stand_in(&value_type(ty));
                Ok(Recipe::OneOf { ty: value_type(ty), expressions: vec![name] })
            }
            None => Err(Reason::new("the project has no function of this type, and none can be made up")
                .needs("parameters.NAME.value")),
        }
    }

    /// Whether a function of this type can be written at file scope and note what it is called with.
    fn can_be_made_up(&self, result: &Type, params: &[Type]) -> bool {
        // Who compares takes whatever order there is for one.
        let compares = matches!(params, [one, other] if alike(one, other)) && is_number(result);
        let unit = self.unit.borrow();
        let owner = self.model.functions.values().find(|f| f.id == *unit).and_then(|f| f.owner.as_ref());
        let of_owner = |usr: &Usr, scopes: &[Scope], access: Option<Access>| {
            let within = |scope: &Scope| matches!(scope, Scope::Class(of) if Some(of) == owner);
            Some(usr) == owner || scopes.iter().any(within) || !matches!(access, None | Some(Access::Public))
        };
        let mut sayable = !compares && !matches!(result.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_));
        for ty in params.iter().chain([result]) {
            sayable &= super::outside::can_be_said(ty);
            ty.walk(&mut |ty| {
                sayable &= match &ty.kind {
                    TypeKind::Record { usr, args, .. } => match self.model.classes.get(usr) {
                        Some(class) => args.is_empty() && !of_owner(usr, &class.scopes, class.access),
                        None => true,
                    },
                    TypeKind::Enum(usr) => {
                        self.model.enums.get(usr).is_none_or(|known| !of_owner(usr, &known.scopes, known.access))
                    }
                    _ => true,
                }
            });
        }
        sayable
    }

    /// The functions that the values of `entries` name and that are made up: each notes its calls and answers with data.
    pub(super) fn callbacks(&self, entries: &[Entry], names: &mut BTreeSet<String>) -> Vec<Outside> {
        let mut wanted: BTreeMap<String, Function> = BTreeMap::new();
        let language = entries.first().and_then(|entry| self.model.functions.get(&entry.callee)).map(|f| f.language);
        for slot in entries.iter().flat_map(Entry::slots) {
            slot.recipe.walk(&mut |recipe| {
                if let Recipe::OneOf { ty, expressions } = recipe
                    && let name = stand_in(ty)
                    && expressions.contains(&name)
                    && let Some((result, params)) = called_as(ty)
                    && self.can_be_made_up(result, &params)
                {
                    let made =
                        || Function::made_up(&name, named(&params), result.clone(), language.unwrap_or(Language::C));
                    wanted.entry(name.clone()).or_insert_with(made);
                }
            });
        }
        let made = wanted.into_values().map(|function| {
            let (name, answer, mut writes) = self.stand_in(&function, names);
            let is_plain = |ty: &Type| matches!(ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_));
            let answer = answer.filter(|_| is_plain(&function.result));
            // What is behind other pointers is the caller's own.
            writes.retain(|written| match &function.params[written.param].ty.kind {
                TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => is_plain(to),
                _ => false,
            });
            Outside::Callback { function: Box::new(function), name, answer, writes }
        });
        made.collect()
    }

    /// Whether the unit's own translation unit has a declaration: what is named in an expression brings no header along.
    fn is_seen(&self, function: &Function) -> bool {
        let mut places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
        places.any(|extent| self.sees(&extent.file))
    }

    /// Whether the function's class, if it has one, can be named without arguments.
    fn is_plain_owner(&self, function: &Function) -> bool {
        let Some(owner) = &function.owner else { return true };
        self.model.classes.get(owner).is_some_and(|class| {
            class.template.is_none() && class.specializes.is_none() && self.in_reach(class) && class.access.is_none()
        })
    }
}

/// The result and the parameters of what a pointer, or a `std::function`, calls.
fn called_as(ty: &Type) -> Option<(&Type, Vec<Type>)> {
    let function = match &ty.kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => to,
        TypeKind::Record { args, .. } => match args.first()? {
            TemplateArg::Type(ty) => ty,
            TemplateArg::Value(_) => return None,
        },
        _ => ty,
    };
    match &function.kind {
        TypeKind::Function { result, params } => Some((result, params.clone())),
        _ => None,
    }
}

/// Parameters with names: what follows a pointer to bytes says how many there are.
fn named(params: &[Type]) -> Vec<Param> {
    let is_bytes = |ty: &Type| {
        let to = ty.pointee().map(|to| &to.kind);
        matches!(to, Some(TypeKind::Prim(Prim::Char | Prim::SChar | Prim::UChar)))
    };
    let name = |index: usize| {
        let counts = index > 0 && is_bytes(&params[index - 1]);
        let is_number = matches!(params[index].kind, TypeKind::Prim(prim) if super::values::is_integer(prim));
        if counts && is_number { format!("length{index}") } else { format!("argument{}", index + 1) }
    };
    let param = |index: usize| Param {
        name: name(index),
        ty: params[index].clone(),
        default: None,
        tested: false,
        ends: None,
        seen_as: None,
    };
    (0..params.len()).map(param).collect()
}

fn is_number(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(_))
}

/// The function that stands in for a callback, by its type. Where it can't note its calls it does nothing, and returns nothing but
/// zeroes.
pub fn stand_in(ty: &Type) -> String {
    // Of two types that differ in pointers alone each has its own.
    let spelling = ty.spelling.replacen("(*)", "", 1).replacen("std::function", "", 1).replace('*', " p ");
    let words = spelling.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    format!("called_{}", words.collect::<Vec<_>>().join("_"))
}

/// The same type, however it is spelled.
pub(super) fn alike(a: &Type, b: &Type) -> bool {
    if a.is_const != b.is_const {
        return false;
    }
    match (&a.kind, &b.kind) {
        (TypeKind::Pointer(a), TypeKind::Pointer(b))
        | (TypeKind::LvalueRef(a), TypeKind::LvalueRef(b))
        | (TypeKind::RvalueRef(a), TypeKind::RvalueRef(b)) => alike(a, b),
        (TypeKind::Array(a, n), TypeKind::Array(b, m)) => n == m && alike(a, b),
        (TypeKind::Record { usr: a, args: x, .. }, TypeKind::Record { usr: b, args: y, .. }) => {
            a == b
                && x.len() == y.len()
                && x.iter().zip(y).all(|pair| match pair {
                    (TemplateArg::Type(a), TemplateArg::Type(b)) => alike(a, b),
                    (a, b) => a == b,
                })
        }
        (TypeKind::Function { result: a, params: x }, TypeKind::Function { result: b, params: y }) => {
            alike(a, b) && x.len() == y.len() && x.iter().zip(y).all(|(a, b)| alike(a, b))
        }
        (TypeKind::Dependent(_) | TypeKind::Unknown(_), _) => false,
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::{read_c, read_cpp};

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
            Ok(Recipe::OneOf { expressions, .. }) => expressions,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_callback_is_one_of_the_projects_functions_of_that_type() {
        let model = read_c(
            "typedef double real;\ntypedef real (*op)(real, int);\ndouble twice(double x, int n) { return x * 2 * n; }\n\
             double other(double x) { return x; }\nstatic double own(double x, int n) { return x - n; }\n\
             real apply(op f, double x) { return f(x, 1) + own(x, 1); }\n",
        );
        assert_eq!(one_of(first_arg(&model, "apply")), ["&twice", "called_op"]);
    }

    #[test]
    fn a_function_that_the_unit_does_not_see_is_no_value_of_it() {
        let other = "#include \"other.h\"\nint other(int n) { return n + 1; }\n";
        let unit = "typedef int (*op)(int);\nint apply(op f) { return f(1); }\n";
        let files = [("other.h", "int other(int n);\n"), ("other.cpp", other), ("unit.cpp", unit)];
        let model = crate::parse::testing::Small::new(&files, "").model();
        assert_eq!(one_of(first_arg(&model, "apply")), ["called_op"]);
    }

    #[test]
    fn without_one_a_function_is_made_up_that_notes_its_calls_and_answers() {
        let source = "typedef long (*op)(const char *, int);\nlong apply(op f) { return f(\"a\", 1); }\n";
        for model in [read_cpp(source), read_c(source)] {
            assert_eq!(one_of(first_arg(&model, "apply")), ["called_op"]);
            let entry = planned(&model, "apply").unwrap().entries.remove(0);
            let [Outside::Callback { function, answer: Some(answer), writes, .. }] = entry.outside.as_slice() else {
                panic!("{:?}", entry.outside)
            };
            assert_eq!((answer.ty.spelling.as_str(), writes.len()), ("long[4]", 0));
            let names: Vec<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
            assert_eq!(names, ["argument1", "length1"]);
        }
        let source = "#include <functional>\nint apply(const std::function<void(int)> &f) { f(1); return 1; }\n";
        assert_eq!(one_of(first_arg(&read_cpp(source), "apply")), ["called_void_int"]);
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
