//! The types that members of the standard library's type traits stand for. libclang leaves them as they are written
//! while they depend on a template's parameters.

use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::types::arithmetic::simple_type;
use crate::types::compose::{pointer, void};
use crate::types::iterators::of_container;
use crate::types::spelling::{split_arguments, value_type};
use crate::types::standard::element_type;

/// The type that `typename std::TRAIT<…>::MEMBER` is, where `named` knows the types that stand in it; none for
/// anything else.
pub(crate) fn member(model: Option<&Model>, name: &str, named: &dyn Fn(&str) -> Option<Type>) -> Option<Type> {
    let text = name.trim_start_matches("typename ").trim_start_matches("std::");
    let (head, rest) = text.split_once('<')?;
    let close = rest.rfind('>')?;
    let args = split_arguments(&rest[..close]);
    let first = || named(args.first()?.trim());
    match (head, rest[close + 1..].trim_start_matches("::")) {
        // An instantiation has the type.
        ("enable_if", "type") | ("enable_if_t", "") => match args.as_slice() {
            [_] => Some(void()),
            [_, to] if to.trim() == "void" => Some(void()),
            [_, to] => named(to.trim()),
            _ => None,
        },
        ("conditional", "type") | ("conditional_t", "") => match args.as_slice() {
            [when, one, other] => named(if holds(when, named)? { one.trim() } else { other.trim() }),
            _ => None,
        },
        ("iterator_traits", "difference_type") => Some(simple_type("long")),
        ("iterator_traits", "value_type") => element(model, &first()?),
        ("remove_reference" | "remove_cv" | "remove_const" | "decay", "type")
        | ("remove_reference_t" | "remove_cv_t" | "remove_const_t" | "decay_t", "") => {
            Some(value_type(first()?.without_ref()))
        }
        ("add_const", "type") | ("add_const_t", "") => Some(constant(first()?)),
        ("remove_pointer", "type") | ("remove_pointer_t", "") => {
            let ty = first()?;
            Some(ty.pointee().cloned().unwrap_or(ty))
        }
        ("allocator_traits", of) => {
            let TypeKind::Record { args, .. } = first()?.kind else { return None };
            let Some(TemplateArg::Type(element)) = args.into_iter().next() else { return None };
            match of {
                "value_type" => Some(element),
                "pointer" => Some(pointer(&element)),
                "const_pointer" => Some(pointer(&constant(element))),
                "difference_type" => Some(simple_type("long")),
                "size_type" => Some(simple_type("unsigned long")),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `const T`.
fn constant(ty: Type) -> Type {
    let is_there = ty.is_const || ty.without_ref() != &ty;
    let spelling =
        if ty.pointee().is_some() { format!("{}const", ty.spelling) } else { format!("const {}", ty.spelling) };
    if is_there { ty } else { Type { spelling, is_const: true, ..ty } }
}

/// Whether a condition on types is true; none where that can't be said.
fn holds(condition: &str, named: &dyn Fn(&str) -> Option<Type>) -> Option<bool> {
    let text = condition.trim().trim_start_matches("std::");
    if let Some(rest) = text.strip_prefix('!') {
        return holds(rest, named).map(|is| !is);
    }
    let (head, rest) = match text {
        "true" | "false" => return Some(text == "true"),
        _ => text.split_once('<')?,
    };
    let close = rest.rfind('>')?;
    let args = split_arguments(&rest[..close]);
    let first = || named(args.first()?.trim());
    match (head, rest[close + 1..].trim()) {
        ("is_const", "::value") | ("is_const_v", "") => Some(first()?.is_const),
        ("is_pointer", "::value") | ("is_pointer_v", "") => Some(first()?.pointee().is_some()),
        ("is_reference", "::value") | ("is_reference_v", "") => {
            Some(matches!(first()?.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)))
        }
        ("is_same", "::value") | ("is_same_v", "") => Some(first()?.spelling == named(args.get(1)?.trim())?.spelling),
        _ => None,
    }
}

/// The element that an iterator points to.
pub(crate) fn element(model: Option<&Model>, iterator: &Type) -> Option<Type> {
    if let Some(to) = iterator.pointee() {
        return Some(value_type(to));
    }
    let TypeKind::Record { name, args, .. } = &iterator.kind else { return None };
    let (container, _) = of_container(model, name, args)?;
    element_type(model, &container)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_traits_come_to_what_stands_in_them() {
        let pointer = TypeKind::Pointer(Box::new(Type {
            spelling: "const short".into(),
            is_const: true,
            ..simple_type("short")
        }));
        let named = |text: &str| match text {
            "It" => Some(Type::new("const short *", pointer.clone())),
            other => crate::types::arithmetic::primitive(other),
        };
        let seen = |text: &str| member(None, text, &named).map(|ty| ty.spelling);
        assert_eq!(seen("typename std::iterator_traits<It>::difference_type").as_deref(), Some("long"));
        assert_eq!(seen("typename std::iterator_traits<It>::value_type").as_deref(), Some("short"));
        assert_eq!(seen("typename std::enable_if<std::is_same<It, int>::value, bool>::type").as_deref(), Some("bool"));
        assert_eq!(seen("std::enable_if_t<sizeof(It) == 8>").as_deref(), Some("void"));
        assert_eq!(seen("typename std::decay<int>::type").as_deref(), Some("int"));
        assert_eq!(seen("typename Own<It>::type"), None);
        assert_eq!(seen("typename std::add_const<int>::type").as_deref(), Some("const int"));
        assert_eq!(seen("std::remove_pointer_t<It>").as_deref(), Some("const short"));
        let chosen = "typename std::conditional<std::is_const<It>::value, int, long>::type";
        assert_eq!(seen(chosen).as_deref(), Some("long"));
        assert_eq!(seen(&chosen.replace("is_const", "is_pointer")).as_deref(), Some("int"));
        assert_eq!(seen(&chosen.replace("is_const", "is_whatever")), None);
        assert_eq!(seen("It"), None);
    }
}
