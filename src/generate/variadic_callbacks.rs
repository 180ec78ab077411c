//! Functions that stand in for callbacks in C, which has no lambdas, and that hand on what they are called with as a
//! `va_list`: in drivers and in tests alike.

use crate::cpp;
use crate::model::{Function, Language, Type, TypeKind};
use crate::plan::Outside;
use crate::plan::{Entry, Kind, Recipe};

/// The function that calls another one with a `va_list` of what is behind its last parameter.
pub(super) const WITH_LIST: &str = "call_with_list";

/// The definitions of all stand-ins that the way into the unit by `callee` needs, those in what other stand-ins answer
/// included, each once.
pub fn stand_ins(entry: &Entry, callee: &Function, language: Language) -> Vec<String> {
    let mut found = Vec::new();
    if language != Language::C {
        return found;
    }
    found.extend(with_list(callee));
    let answers = entry.outside.iter().flat_map(Outside::slots);
    for slot in entry.object.iter().chain(&entry.args).chain(answers) {
        slot.recipe.walk(&mut |recipe| {
            let notes = |name: &String| {
                let is_it =
                    |outside: &Outside| matches!(outside, Outside::Callback { function, .. } if function.name == *name);
                entry.outside.iter().any(is_it)
            };
            if let Recipe { ty, kind: Kind::OneOf { expressions }, .. } = recipe
                && let Some(name) = expressions.iter().find(|expression| expression.starts_with("called_"))
                && !notes(name)
                && let Some(definition) = definition(ty, name)
                && !found.contains(&definition)
            {
                found.push(definition);
            }
        });
    }
    found
}

fn definition(ty: &Type, stand_in: &str) -> Option<String> {
    let TypeKind::Function { result, params, is_variadic, .. } = &ty.pointee()?.kind else { return None };
    let names: Vec<String> = (1..=params.len()).map(|number| format!("argument{number}")).collect();
    let mut list: Vec<String> = params.iter().zip(&names).map(|(ty, name)| cpp::declare(&ty.spelling, name)).collect();
    list.extend((*is_variadic && !params.is_empty()).then(|| "...".to_owned()));
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let mut text = format!("static {} {{\n", cpp::declare(&result.spelling, &format!("{stand_in}({list})")));
    for name in &names {
        text.push_str(&format!("  (void){name};\n"));
    }
    if !matches!(result.kind, TypeKind::Void) {
        // Whatever its type is: what is static is all zeroes.
        let bare = crate::types::spelling::value_type(result);
        text.push_str(&format!("  static {};\n  return nothing;\n", cpp::declare(&bare.spelling, "nothing")));
    }
    text.push('}');
    Some(text)
}

/// Calls `callee` with its own further arguments as a `va_list`; none for a function that takes none.
fn with_list(callee: &Function) -> Option<String> {
    let at = crate::plan::variadic::list_at(callee)?;
    let fixed = &callee.params[..at];
    let last = &fixed.last()?.name;
    let name = |index: usize| match fixed[index].name.as_str() {
        "" => format!("argument{}", index + 1),
        name => name.to_owned(),
    };
    let taken: Vec<String> =
        fixed.iter().enumerate().map(|(index, param)| cpp::declare(&param.ty.spelling, &name(index))).collect();
    let given: Vec<String> = (0..at).map(name).chain(["va_arguments".into()]).collect();
    let pointer = super::function_pointers::pointer(callee, "callee");
    let head = cpp::declare(&callee.result.spelling, &format!("{WITH_LIST}({pointer}, {}, ...)", taken.join(", ")));
    let call = format!("callee({});", given.join(", "));
    let (declared, call, returned) = match callee.result.kind {
        TypeKind::Void => (String::new(), call, String::new()),
        _ => {
            let ty = crate::types::spelling::value_type(&callee.result);
            let declared = format!("  {};\n", cpp::declare(&ty.spelling, "result"));
            (declared, format!("result = {call}"), "  return result;\n".into())
        }
    };
    Some(format!(
        "static {head} {{\n  va_list va_arguments;\n{declared}  va_start(va_arguments, {last});\n  {call}\n  \
         va_end(va_arguments);\n{returned}}}"
    ))
}
