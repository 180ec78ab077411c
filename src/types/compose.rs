//! Types made of other types: pointers, references, constants, classes with arguments.

use crate::model::{TemplateArg, Type, TypeKind};
use crate::types::arithmetic::{primitive, simple_type};

/// Bytes behind a `void *`.
pub(crate) const OPAQUE_LENGTH: u64 = 64;

/// `NAME<ARGS…>` of a class that the model does not have.
pub(crate) fn class(name: &str, args: Vec<TemplateArg>) -> Type {
    let spelling = format!("{name}<{}>", TemplateArg::list(&args));
    let kind = TypeKind::Record { usr: name.to_owned(), name: name.to_owned(), args };
    Type::new(spelling, kind)
}

/// `NAME<of…>`.
pub(crate) fn class_of(name: &str, of: &[&Type]) -> Type {
    class(name, of.iter().map(|ty| TemplateArg::Type((*ty).clone())).collect())
}

/// `std::vector<of>`.
pub(crate) fn vector(of: &Type) -> Type {
    class_of("std::vector", &[of])
}

/// `std::pair<key, value>`.
pub(crate) fn pair(key: &Type, value: &Type) -> Type {
    class_of("std::pair", &[key, value])
}

/// `std::function<signature>`.
pub(crate) fn function(signature: &Type) -> Type {
    class_of("std::function", &[signature])
}

/// `std::string`.
pub(crate) fn text() -> Type {
    simple_type("std::string")
}

/// `std::array<unsigned char, 64>`.
pub(crate) fn some_memory() -> Type {
    let byte = TemplateArg::Type(simple_type("unsigned char"));
    class("std::array", vec![byte, TemplateArg::Value(OPAQUE_LENGTH.to_string())])
}

pub(crate) fn pointer(to: &Type) -> Type {
    let spelling = format!("{} *", to.spelling);
    Type::new(spelling, TypeKind::Pointer(Box::new(to.clone())))
}

pub(crate) fn pointing(to: Type, mark: &str, kind: fn(Box<Type>) -> TypeKind) -> Type {
    // A reference to a reference is one.
    if mark != "*" && matches!(to.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)) {
        return to;
    }
    let gap = if to.spelling.ends_with(['*', '&']) { "" } else { " " };
    Type::new(format!("{}{gap}{mark}", to.spelling), kind(Box::new(to)))
}

/// Makes a type of another.
type Wrap = fn(Type) -> Type;

/// Peels one layer off a spelling: `T &&`, `T &`, `T *`, `const T`. Gives the inner spelling, and how its type
/// becomes that of the whole.
pub(crate) fn peeled(text: &str) -> Option<(&str, Wrap)> {
    let text = text.trim();
    let marks: [(&str, Wrap); 3] = [
        ("&&", |to| pointing(to, "&&", TypeKind::RvalueRef)),
        ("&", |to| pointing(to, "&", TypeKind::LvalueRef)),
        ("*", |to| pointing(to, "*", TypeKind::Pointer)),
    ];
    let behind = marks.into_iter().find_map(|(mark, make)| Some((text.strip_suffix(mark)?, make)));
    behind.or_else(|| Some((text.strip_prefix("const ")?, |to| constant(&to))))
}

/// A reference to a type; to a reference, the one of the two that remains.
pub(crate) fn refer(to: Type, mark: &str) -> Type {
    let (to, mark) = match (to.kind, mark) {
        (TypeKind::LvalueRef(inner), _) | (TypeKind::RvalueRef(inner), "&") => (*inner, "&"),
        (TypeKind::RvalueRef(inner), _) => (*inner, "&&"),
        (kind, mark) => (Type { kind, ..to }, mark),
    };
    let at = match to.kind {
        TypeKind::Array(..) => to.spelling.find('['),
        TypeKind::Function { .. } => to.spelling.find('('),
        _ => None,
    };
    let spelling = match at {
        Some(at) => format!("{} ({mark}){}", to.spelling[..at].trim_end(), &to.spelling[at..]),
        None if to.spelling.ends_with(['*', '&']) => format!("{}{mark}", to.spelling),
        None => format!("{} {mark}", to.spelling),
    };
    let kind = if mark == "&" { TypeKind::LvalueRef(Box::new(to)) } else { TypeKind::RvalueRef(Box::new(to)) };
    Type::new(spelling, kind)
}

/// `to` with `const` where a declarator has it.
pub(crate) fn constant(to: &Type) -> Type {
    // (A reference is no more constant than it is.)
    if to.is_const || matches!(to.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)) {
        return to.clone();
    }
    let spelling = if to.spelling.contains("(*)") {
        to.spelling.replacen("(*)", "(*const)", 1)
    } else if to.pointee().is_some() {
        format!("{} const", to.spelling)
    } else {
        format!("const {}", to.spelling)
    };
    Type { spelling, is_const: true, ..to.clone() }
}

/// The type that is the argument at `index`.
pub(crate) fn type_argument(args: &[TemplateArg], index: usize) -> Option<&Type> {
    args.get(index)?.ty()
}

pub(crate) fn void() -> Type {
    Type::new("void", TypeKind::Void)
}

/// `char`.
pub(crate) fn character() -> Option<Type> {
    primitive("char")
}
