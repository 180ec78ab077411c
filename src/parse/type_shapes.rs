//! Types as clang has them, without the model: what they are made of, and how they are written.

use crate::model::{ParamNames, Prim, Type, TypeKind};
use clang::{Entity, EntityKind, ExceptionSpecification, TypeKind as Kind};

/// Deeper types than this are not described.
pub(super) const DEEPEST: usize = 16;

/// The arithmetic type of a canonical kind.
pub(super) fn prim(kind: Kind) -> Option<Prim> {
    Some(match kind {
        Kind::Bool => Prim::Bool,
        Kind::CharS | Kind::CharU => Prim::Char,
        Kind::SChar => Prim::SChar,
        Kind::UChar => Prim::UChar,
        Kind::WChar => Prim::WChar,
        Kind::Char16 => Prim::Char16,
        Kind::Char32 => Prim::Char32,
        Kind::Short => Prim::Short,
        Kind::UShort => Prim::UShort,
        Kind::Int => Prim::Int,
        Kind::UInt => Prim::UInt,
        Kind::Long => Prim::Long,
        Kind::ULong => Prim::ULong,
        Kind::LongLong => Prim::LongLong,
        Kind::ULongLong => Prim::ULongLong,
        Kind::Int128 => Prim::Int128,
        Kind::UInt128 => Prim::UInt128,
        Kind::Float => Prim::Float,
        Kind::Double => Prim::Double,
        Kind::LongDouble => Prim::LongDouble,
        _ => return None,
    })
}

pub(super) fn is_class(kind: EntityKind) -> bool {
    use EntityKind::*;
    matches!(kind, StructDecl | ClassDecl | UnionDecl | ClassTemplate | ClassTemplatePartialSpecialization)
}

pub(super) fn unknown(why: &str) -> Type {
    Type::new(String::new(), TypeKind::Unknown(why.into()))
}

/// The last component of a type's display name, without qualifiers and arguments.
pub(super) fn head(display: &str) -> &str {
    let mut depth = 0;
    let mut end = display.len();
    for (at, c) in display.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => {
                depth -= 1;
                if depth == 0 {
                    end = at;
                    break;
                }
            }
            _ => {}
        }
    }
    let plain = &display[..end];
    plain.rsplit([':', ' ']).next().unwrap_or(plain)
}

/// Whether a function type says that it throws nothing: part of the type since C++17 (P0012), and compared where it
/// stands before.
pub(super) fn is_noexcept(ty: clang::Type<'_>) -> bool {
    use ExceptionSpecification::{BasicNoexcept, ComputedNoexcept, DynamicNone};
    let said = ty.get_exception_specification().or_else(|| ty.get_canonical_type().get_exception_specification());
    matches!(said, Some(BasicNoexcept | ComputedNoexcept | DynamicNone))
}

/// The alias nearest to a function type, or to a pointer to one, that `ty` is written by.
pub(super) fn aliased_function(ty: clang::Type<'_>) -> Option<Entity<'_>> {
    let ty = match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type()?,
        _ => ty,
    };
    let alias = ty.get_declaration().filter(|_| ty.get_kind() == Kind::Typedef)?;
    let under = alias.get_typedef_underlying_type()?;
    aliased_function(under).or(Some(alias))
}

/// Gives the parameters of a function type, or of what a pointer to one calls, the names that they have where `written`
/// spells it.
pub(super) fn name_params(kind: &mut TypeKind, written: Entity<'_>) {
    let function = match kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => &mut to.kind,
        kind => kind,
    };
    if let TypeKind::Function { params, names, .. } = function
        && names.is_empty()
    {
        let told = written.get_children().into_iter().filter(|child| child.get_kind() == EntityKind::ParmDecl);
        let told: Vec<String> = told.map(|param| param.get_name().unwrap_or_default()).collect();
        if told.len() == params.len() {
            *names = ParamNames(told);
        }
    }
}

/// Whether a type is written by a typedef, or with its scopes or keyword.
fn is_name(ty: clang::Type<'_>) -> bool {
    matches!(ty.get_kind(), Kind::Elaborated | Kind::Typedef)
}

/// The type that a typedef, or a name with its scopes, stands for.
fn named(ty: clang::Type<'_>) -> Option<clang::Type<'_>> {
    match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type(),
        Kind::Typedef => ty.get_declaration()?.get_typedef_underlying_type(),
        _ => None,
    }
}

/// A type without typedefs and other sugar around it, but with the sugar inside kept.
pub(super) fn structural(ty: clang::Type<'_>, depth: usize) -> clang::Type<'_> {
    let canonical = ty.get_canonical_type();
    let same = |other: clang::Type<'_>| other.get_canonical_type().get_kind() == canonical.get_kind();
    if named(ty).is_none() && ty.get_kind() == canonical.get_kind() {
        return ty;
    }
    match named(ty) {
        // Within an instantiation a typedef may stand for a type written in terms of the parameters.
        Some(under) if depth < DEEPEST && same(under) && (!mentions_parameters(under) || mentions_parameters(ty)) => {
            structural(under, depth + 1)
        }
        _ => canonical,
    }
}

/// `name<arguments>` of a class template, as written; no alias of one.
pub(super) fn is_specialization(ty: clang::Type<'_>) -> bool {
    ty.get_template_argument_types().is_some_and(|args| !args.is_empty())
        && ty.get_declaration().is_some_and(|declaration| {
            is_class(declaration.get_kind())
                && head(&ty.get_display_name()) == declaration.get_name().unwrap_or_default()
        })
}

/// The specialisation that a type was written as, behind typedefs.
pub(super) fn specialization(ty: clang::Type<'_>, depth: usize) -> Option<clang::Type<'_>> {
    if ty.get_kind() == Kind::Unexposed && is_specialization(ty) {
        return Some(ty);
    }
    let is_open = |under: &clang::Type<'_>| mentions_parameters(*under) && !mentions_parameters(ty);
    let under = named(ty).filter(|under| ty.get_kind() == Kind::Elaborated || !is_open(under));
    specialization(under.filter(|_| depth < DEEPEST)?, depth + 1)
}

/// The parameter that a typedef within its template is another name for.
pub(super) fn parameter_behind(ty: clang::Type<'_>, depth: usize) -> Option<clang::Type<'_>> {
    if !is_name(ty) {
        let is_parameter = ty.get_canonical_type().get_display_name().contains("type-parameter-");
        let name = ty.get_display_name();
        let bare = name.trim_start_matches("const ");
        let is_word = bare.chars().all(|c| c.is_alphanumeric() || c == '_');
        return (depth > 0 && is_parameter && is_word).then_some(ty);
    }
    parameter_behind(named(ty).filter(|_| depth < DEEPEST)?, depth + 1)
}

/// The type with arguments that a typedef is another name for.
pub(super) fn applied(ty: clang::Type<'_>, depth: usize) -> Option<clang::Type<'_>> {
    if !is_name(ty) {
        return ty.get_template_argument_types().filter(|args| !args.is_empty()).map(|_| ty);
    }
    applied(named(ty).filter(|_| depth < DEEPEST)?, depth + 1)
}

pub(super) fn mentions_parameters(ty: clang::Type<'_>) -> bool {
    ty.get_sizeof() == Err(clang::SizeofError::Dependent)
        || ty
            .get_pointee_type()
            .or_else(|| ty.get_element_type())
            .is_some_and(|inner| inner.get_sizeof() == Err(clang::SizeofError::Dependent))
}

/// `name<args>`, the standard library's default arguments left out and its usual short names used.
pub(super) fn tidy(name: &str, mut args: Vec<String>) -> String {
    if args.is_empty() {
        return name.to_string();
    }
    if name.starts_with("std::") {
        use crate::types::library::row;
        let (first, row) = (args[0].clone(), row(None, name));
        let of_row = row.iter().flat_map(|row| &row.default_arguments);
        let own: Vec<String> = of_row.map(|text| text.replace("$1", &first)).collect();
        // An allocator or an order: of the first argument, or (of a map) of what is made of it.
        let is_usual = |last: &str| {
            let Some((head, of)) = last.split_once('<') else { return false };
            let stands_in = crate::types::library::row(None, head).is_some_and(|row| row.default_argument);
            stands_in && (of.strip_suffix('>') == Some(&first) || head.ends_with("::allocator"))
        };
        while args.len() > 1 && args.last().is_some_and(|last| is_usual(last) || own.contains(last)) {
            args.pop();
        }
        if args.len() == 1
            && let Some(short) = short_name(name, &args[0])
        {
            return short;
        }
    }
    format!("{name}<{}>", args.join(", "))
}

/// `std::string` for `std::basic_string<char>` and its like.
pub(super) fn short_name(name: &str, char_type: &str) -> Option<String> {
    let rest = name.strip_prefix("std::basic_")?;
    let prefix = match char_type {
        "char" => "",
        "wchar_t" => "w",
        "char8_t" if rest.starts_with("string") => "u8",
        "char16_t" if rest.starts_with("string") => "u16",
        "char32_t" if rest.starts_with("string") => "u32",
        _ => return None,
    };
    Some(format!("std::{prefix}{rest}"))
}
