//! Looks up names that people write in the model.

use super::{names_function, squeezed};
use crate::model::{Class, Function, FunctionKind, Model, TypeKind};
use std::collections::BTreeSet;

/// The class with this qualified name, unique plain name, or typedef.
pub fn class_named<'m>(model: &'m Model, name: &str) -> Option<&'m Class> {
    let name = name.trim().trim_start_matches("::");
    let name = ["struct ", "class ", "union "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name).trim();
    model
        .class_named(name)
        .or_else(|| model.classes.values().find(|class| class.aliases.iter().any(|alias| alias == name)))
}

/// The functions with this id or qualified name.
pub fn functions_named<'m>(model: &'m Model, name: &str) -> Vec<&'m Function> {
    let callable =
        |function: &&Function| !matches!(function.kind, FunctionKind::Constructor | FunctionKind::Destructor);
    model.functions.values().filter(callable).filter(|function| names_function(name, &function.id)).collect()
}

/// The public methods of `class` and its bases with this name or id; the nearest class's first, which hide the
/// others.
pub fn methods_named<'m>(model: &'m Model, class: &'m Class, name: &str) -> Vec<&'m Function> {
    let short = name.split('(').next().unwrap_or(name).rsplit("::").next().unwrap_or(name).trim();
    let mut todo = vec![class];
    let mut seen = BTreeSet::new();
    while let Some(class) = todo.pop() {
        let own = class.functions(model);
        let fits = |function: &&Function| {
            matches!(function.kind, FunctionKind::Method | FunctionKind::StaticMethod)
                && function.access == Some(crate::model::Access::Public)
                && function.name == short
                && !function.is_deleted
                && (!name.contains('(') || squeezed(&signature(function)) == squeezed(parameters(name)))
        };
        let found: Vec<&Function> = own.filter(fits).collect();
        if !found.is_empty() {
            return found;
        }
        for base in class.bases.iter().rev() {
            if let Some(base) = model.class_of(&base.ty).filter(|base| seen.insert(&base.usr)) {
                todo.push(base);
            }
        }
    }
    Vec::new()
}

/// `(int, char)` of `sat::f(int, char) const`.
fn parameters(id: &str) -> &str {
    let from = id.find('(').unwrap_or(0);
    let to = id.rfind(')').map_or(id.len(), |at| at + 1);
    &id[from..to.max(from)]
}

/// The constructors of `class` with the parameter types in `wanted`: `(double, int)`, with or without a name before
/// it.
pub fn constructors_like<'m>(model: &'m Model, class: &'m Class, wanted: &str) -> Vec<&'m Function> {
    let list = wanted.find('(').map_or(wanted, |at| &wanted[at..]);
    let list = squeezed(list);
    class.constructors(model).filter(|constructor| squeezed(&signature(constructor)) == list).collect()
}

/// A function's parameter types in parentheses.
pub fn signature(function: &Function) -> String {
    let types: Vec<&str> = function.params.iter().map(|param| param.ty.spelling.as_str()).collect();
    format!("({})", types.join(", "))
}

/// Whether `class` derives, directly or not, from the class with the qualified name `base`.
pub fn derives_from(model: &Model, class: &Class, base: &str) -> bool {
    let mut todo = vec![class];
    let mut seen = BTreeSet::new();
    while let Some(class) = todo.pop() {
        for parent in &class.bases {
            let TypeKind::Record { usr, name, .. } = &parent.ty.kind else { continue };
            if name == base {
                return true;
            }
            if seen.insert(usr)
                && let Some(parent) = model.classes.get(usr)
            {
                if parent.qualified == base {
                    return true;
                }
                todo.push(parent);
            }
        }
    }
    false
}

/// `sat::Ring` of `sat::Ring<int, 4>`.
pub fn without_arguments(name: &str) -> &str {
    name.split('<').next().unwrap_or(name).trim()
}

/// The type's name without `const`, pointers and references.
pub fn core_of(text: &str) -> &str {
    let mut text = text.trim().trim_end_matches(['*', '&', ' ']);
    for word in ["const ", "volatile ", "struct ", "class ", "union ", "enum "] {
        text = text.strip_prefix(word).unwrap_or(text).trim();
    }
    text.strip_suffix(" const").unwrap_or(text).trim()
}

/// Whether the name is a built-in type, or an integer type of the C library.
pub fn is_builtin(name: &str) -> bool {
    let word = |word: &str| {
        matches!(
            word,
            "bool" | "_Bool" | "char" | "short" | "int" | "long" | "signed" | "unsigned" | "float" | "double" | "void"
        ) || matches!(word, "wchar_t" | "char8_t" | "char16_t" | "char32_t" | "__int128" | "auto")
            || matches!(word, "size_t" | "ssize_t" | "ptrdiff_t" | "time_t" | "off_t" | "intmax_t" | "uintmax_t")
            || word.trim_start_matches('u').strip_prefix("int").is_some_and(|rest| rest.ends_with("_t"))
    };
    !name.is_empty() && name.split_whitespace().all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_of_a_type_is_its_name() {
        assert_eq!(core_of("const sat::Frame *"), "sat::Frame");
        assert_eq!(core_of("struct T_POS"), "T_POS");
        assert_eq!(core_of("unsigned char"), "unsigned char");
    }

    #[test]
    fn builtin_types_are_recognised() {
        assert!(is_builtin("unsigned long") && is_builtin("uint8_t") && is_builtin("size_t"));
        assert!(!is_builtin("sat::Frame") && !is_builtin("") && !is_builtin("flag_t"));
    }

    #[test]
    fn template_arguments_split_at_the_outer_commas_only() {
        assert_eq!(crate::types::spelling::split_arguments("int, std::map<int, char>"), ["int", "std::map<int, char>"]);
    }
}
