//! Arithmetic types: by their spelling, their size, and whether they are whole numbers, text or signed.

use crate::model::{Prim, Type, TypeKind};

/// An arithmetic type by its spelling.
pub fn primitive(text: &str) -> Option<Type> {
    let prim = match text {
        "bool" | "_Bool" => Prim::Bool,
        "char" => Prim::Char,
        "signed char" | "int8_t" | "std::int8_t" => Prim::SChar,
        "unsigned char" | "uint8_t" | "std::uint8_t" => Prim::UChar,
        "short" | "int16_t" | "std::int16_t" => Prim::Short,
        "unsigned short" | "uint16_t" | "std::uint16_t" => Prim::UShort,
        "int" | "int32_t" | "std::int32_t" => Prim::Int,
        "unsigned" | "unsigned int" | "uint32_t" | "std::uint32_t" => Prim::UInt,
        "long" | "int64_t" | "std::int64_t" => Prim::Long,
        "unsigned long" | "uint64_t" | "std::uint64_t" | "size_t" | "std::size_t" => Prim::ULong,
        "long long" => Prim::LongLong,
        "unsigned long long" => Prim::ULongLong,
        "float" => Prim::Float,
        "double" => Prim::Double,
        "long double" => Prim::LongDouble,
        _ => return None,
    };
    Some(Type { spelling: text.to_owned(), is_const: false, kind: TypeKind::Prim(prim), size: Some(prim_size(prim)) })
}

/// A type that a person wrote and the model does not know: passed through by its spelling.
pub fn simple_type(text: &str) -> Type {
    primitive(text).unwrap_or_else(|| {
        let kind = match text {
            "std::string" => {
                TypeKind::Record { usr: "std::string".into(), name: "std::basic_string".into(), args: Vec::new() }
            }
            _ => TypeKind::Unknown("named in an override".into()),
        };
        Type::new(text.to_owned(), kind)
    })
}

/// `sizeof` of an arithmetic type on the targets that are driven (LP64).
pub fn prim_size(prim: Prim) -> u64 {
    match prim {
        Prim::Bool | Prim::Char | Prim::SChar | Prim::UChar | Prim::Char8 => 1,
        Prim::Short | Prim::UShort | Prim::Char16 => 2,
        Prim::Int | Prim::UInt | Prim::WChar | Prim::Char32 | Prim::Float => 4,
        Prim::Long | Prim::ULong | Prim::LongLong | Prim::ULongLong | Prim::Double => 8,
        Prim::Int128 | Prim::UInt128 | Prim::LongDouble => 16,
    }
}

/// An integer type, characters excluded.
pub fn is_integer(prim: Prim) -> bool {
    prim.is_integer()
}

/// Whether it is a signed integer type.
pub fn is_signed(prim: Prim) -> bool {
    matches!(prim, Prim::SChar | Prim::Short | Prim::Int | Prim::Long | Prim::LongLong | Prim::Int128)
}

/// Whether it is an unsigned integer type, and no type of characters or truth values.
pub fn is_unsigned(prim: Prim) -> bool {
    matches!(prim, Prim::UChar | Prim::UShort | Prim::UInt | Prim::ULong | Prim::ULongLong | Prim::UInt128)
}

/// A type that text is made of.
pub fn is_character(ty: &Type) -> bool {
    use Prim::{Char, Char8, Char16, Char32, WChar};
    matches!(ty.kind, TypeKind::Prim(Char | Char8 | Char16 | Char32 | WChar))
}

pub(crate) fn is_scalar(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_))
}
