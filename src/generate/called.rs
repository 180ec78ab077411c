//! Functions that stand in for callbacks in C, which has no lambdas: in drivers and in tests alike.

use crate::cpp;
use crate::model::{Language, Type, TypeKind};
use crate::plan::callbacks::stand_in;
use crate::plan::{Entry, Recipe};

/// The definitions of all stand-ins that the way into the unit needs, each once.
pub fn stand_ins(entry: &Entry, language: Language) -> Vec<String> {
    let mut found = Vec::new();
    if language != Language::C {
        return found;
    }
    for slot in entry.object.iter().chain(&entry.args) {
        slot.recipe.walk(&mut |recipe| {
            if let Recipe::OneOf { ty, expressions } = recipe
                && expressions.iter().any(|expression| *expression == stand_in(ty))
                && let Some(definition) = definition(ty)
                && !found.contains(&definition)
            {
                found.push(definition);
            }
        });
    }
    found
}

fn definition(ty: &Type) -> Option<String> {
    let TypeKind::Function { result, params } = &ty.pointee()?.kind else { return None };
    let names: Vec<String> = (1..=params.len()).map(|number| format!("argument{number}")).collect();
    let list: Vec<String> = params.iter().zip(&names).map(|(ty, name)| cpp::declare(&ty.spelling, name)).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let mut text = format!("static {} {{\n", cpp::declare(&result.spelling, &format!("{}({list})", stand_in(ty))));
    for name in &names {
        text.push_str(&format!("  (void){name};\n"));
    }
    if !matches!(result.kind, TypeKind::Void) {
        // Whatever its type is: what is static is all zeroes.
        let bare = crate::plan::values::value_type(result);
        text.push_str(&format!("  static {};\n  return nothing;\n", cpp::declare(&bare.spelling, "nothing")));
    }
    text.push('}');
    Some(text)
}
