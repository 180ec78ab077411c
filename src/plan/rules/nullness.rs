//! Which pointers may lead nowhere: those of which the code that takes them asks, and those that it may leave out.

use crate::model::{Param, Type};
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, Yield};
use crate::types::standard::is_unconditional;

/// Whether what takes the parameter is prepared for a null pointer, plain or smart, and nobody has said what is to be
/// passed.
pub(in crate::plan) fn may_be_null(scope: &UnitScope<'_>, param: &Param, recipe: &Recipe, unit: Option<&str>) -> bool {
    let is_none = param.default.as_deref().is_some_and(|text| is_nothing(text, &param.ty));
    let made = matches!(
        recipe.kind,
        Kind::Pointer { .. } | Kind::Array { .. } | Kind::CString { .. } | Kind::File | Kind::FileName { .. }
    );
    // (Not all can be made of `nullptr`.)
    let is_smart = matches!(recipe, Recipe { ty, kind: Kind::Smart { .. }, .. } if !is_unconditional(scope.model, ty))
        || matches!(recipe.kind, Kind::Construct { .. } | Kind::Factory { yields: Yield::Value, .. })
            && crate::facts::handles::may_be_empty(scope.model, &recipe.ty);
    (made && param.ty.pointee().is_some() || is_smart)
        && (param.tested || is_none)
        && unit.is_none_or(|unit| scope.overrides.parameter(unit, &param.name).is_none())
}

/// Whether a default argument leads nowhere: `nullptr`, `{}`, or an object that is made of nothing, such as `Ref<T>()`.
fn is_nothing(default: &str, ty: &Type) -> bool {
    let text = default.trim();
    let of_nothing = || text.strip_suffix("()").or_else(|| text.strip_suffix("{}"));
    let same = |made: &str| !made.is_empty() && last_name(made) == last_name(ty.without_ref().bare_spelling());
    matches!(text, "0" | "NULL" | "nullptr" | "{}") || of_nothing().is_some_and(same)
}

/// `Ref` of `util::Ref<util::Node>`.
fn last_name(spelling: &str) -> &str {
    let template = spelling.split('<').next().unwrap_or(spelling).trim();
    template.rsplit("::").next().unwrap_or(template)
}

#[cfg(test)]
mod tests {
    use super::is_nothing;
    use crate::model::{Type, TypeKind};

    fn named(spelling: &str) -> Type {
        Type { spelling: spelling.to_owned(), is_const: false, kind: TypeKind::Void, size: None }
    }

    #[test]
    fn a_default_argument_leads_nowhere_where_it_is_made_of_nothing() {
        let (smart, plain) = (named("std::shared_ptr<geo::Point>"), named("geo::Point *"));
        for text in ["{}", "nullptr", "std::shared_ptr<Point>()", "std::shared_ptr<Point>{}"] {
            assert!(is_nothing(text, &smart), "{text}");
        }
        for text in ["makeDefault()", "std::make_shared<Point>()", "Point::origin()", "std::shared_ptr<Point>(&origin)"]
        {
            assert!(!is_nothing(text, &smart), "{text}");
        }
        assert!(is_nothing("0", &plain) && !is_nothing("&origin", &plain));
    }
}
