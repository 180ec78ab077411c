//! Functions as values: what a parameter that is called back gets. The project's own functions of that type come
//! first, since they are what callers pass; where it has none, C++ gets a lambda that returns a value of no
//! information.

use super::values::{Planner, value_type};
use super::{Reason, Recipe};
use crate::model::{Function, FunctionKind, Language, TemplateArg, Type, TypeKind};

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
        if !found.is_empty() {
            let expressions = found.iter().map(|f| format!("&{}", f.qualified)).collect();
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

/// The function that stands in, in C, for a callback of which the project has none: what is made up by its type does nothing,
/// and returns nothing but zeroes.
pub fn stand_in(ty: &Type) -> String {
    // Of two types that differ in pointers alone each has its own.
    let spelling = ty.spelling.replacen("(*)", "", 1).replace('*', " p ");
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
        let hierarchy = Hierarchy::new(model);
        let overrides = Overrides::default();
        let planner = Planner::new(model, &hierarchy, &overrides);
        let function = model.functions.values().find(|f| f.name == unit).expect(unit);
        crate::plan::plan_unit(&planner, &function.usr).map(|plan| plan.entries[0].args[0].recipe.clone())
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
        assert_eq!(one_of(first_arg(&model, "apply")), ["&twice"]);
    }

    #[test]
    fn a_function_that_the_unit_does_not_see_is_no_value_of_it() {
        let other = "#include \"other.h\"\nint other(int n) { return n + 1; }\n";
        let unit = "typedef int (*op)(int);\nint apply(op f) { return f(1); }\n";
        let files = [("other.h", "int other(int n);\n"), ("other.cpp", other), ("unit.cpp", unit)];
        let model = crate::parse::testing::Small::new(&files, "").model();
        assert_eq!(one_of(first_arg(&model, "apply")), ["[](int) -> int { return int(); }"]);
    }

    #[test]
    fn without_one_a_lambda_is_made_up_in_cxx_and_a_function_in_c() {
        let source = "typedef long (*op)(const char *, int);\nlong apply(op f) { return f(\"a\", 1); }\n";
        assert_eq!(one_of(first_arg(&read_cpp(source), "apply")), ["[](const char *, int) -> long { return long(); }"]);
        assert_eq!(one_of(first_arg(&read_c(source), "apply")), ["called_op"]);
    }

    #[test]
    fn a_standard_function_is_made_from_a_lambda_too() {
        let source = "#include <functional>\nint apply(const std::function<void(int)> &f) { f(1); return 1; }\n";
        assert_eq!(one_of(first_arg(&read_cpp(source), "apply")), ["[](int) {}"]);
    }
}
