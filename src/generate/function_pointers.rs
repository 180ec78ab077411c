//! Pointers to functions.

use super::name_clashes::Hidden;
use crate::model::{Function, TypeKind};

/// `R (*name)(P…)` for a function.
pub fn pointer(function: &Function, name: &str) -> String {
    pointer_to(&Hidden::default(), function, name)
}

/// The same where names of the project's are hidden.
pub(super) fn pointer_to(hidden: &Hidden, function: &Function, name: &str) -> String {
    let mut params: Vec<String> = function
        .params
        .iter()
        .map(|p| match &p.ty.kind {
            _ if crate::plan::variadic::is_list(&p.ty) => p.ty.spelling.clone(),
            // An array parameter is a pointer.
            TypeKind::Array(element, _) if matches!(element.kind, TypeKind::Array(..)) => {
                crate::cpp::declare(&element.spelling, "(*)")
            }
            TypeKind::Array(element, _) => format!("{} *", element.spelling),
            _ => p.ty.spelling.clone(),
        })
        .collect();
    if function.is_variadic {
        params.push("...".into());
    }
    let result = hidden.spell(&function.result.spelling);
    format!("{result} (*{name})({})", hidden.spell(&params.join(", ")))
}
