//! The check of one value: an expression, and what the record says that it is.

use super::check::{Check, CheckKind};
use crate::generate::literal::{self, Scalar, unhex};
use crate::generate::lower::files::READS;
use crate::model::{ClassKind, Language, Model, Prim, Scope, Type, TypeKind, Usr};
use crate::types::library::row_of;
use crate::types::standard::{anatomy, element_type, smart_pointee};
use serde_json::Value;

/// The check that an expression of a type has the value of an entry of a record.
pub(super) fn check_of(model: &Model, language: Language, actual: String, ty: Type, entry: &Value) -> Option<Check> {
    if let Some(is_null) = entry.get("null").and_then(Value::as_bool) {
        let null = crate::cpp::null(language);
        let way = row_of(model, &ty).and_then(|row| row.target.as_deref()?.strip_suffix("->"));
        let actual = match way {
            Some(way) => format!("{actual}.{way}"),
            None if crate::types::standard::is_unconditional(model, &ty) => format!("{actual}.get()"),
            None => actual,
        };
        return Some(match language {
            Language::C => {
                Check::equal(format!("({actual} == {null})"), if is_null { "1" } else { "0" }, CheckKind::Bool)
            }
            Language::Cxx => Check::equal(format!("{actual} == {null}"), is_null.to_string(), CheckKind::Bool),
        });
    }
    if let Some(text) = entry.get("text").and_then(Value::as_str) {
        let is_text =
            |to: &Type| matches!(&to.kind, TypeKind::Record { name, .. } if crate::types::standard::is_text(name));
        let (actual, ty) = behind(model, actual, ty, &is_text);
        let (actual, ty) = told(model, actual, ty);
        let bytes = unhex(text);
        let expected = crate::cpp::string_literal(&bytes);
        // Which member of a union counts nobody knows: its storage is compared.
        if model.class_of(&ty).is_some_and(|class| class.kind == ClassKind::Union) {
            let (compare, object) = (crate::cpp::of_c_library(language, "memcmp"), crate::cpp::address_of(&actual));
            let actual = format!("{compare}({object}, {expected}, {})", bytes.len());
            return Some(Check::equal(actual, "0", CheckKind::Int));
        }
        let is_string = matches!(&ty.kind, TypeKind::Record { name, .. } if crate::types::standard::is_text(name));
        let is_pointer = matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Array(..));
        // What a file has in it may be any bytes.
        let is_of_file = ["text_of(", READS].iter().any(|asks| actual.starts_with(asks));
        if is_pointer && is_of_file && bytes.contains(&0) {
            let compare = crate::cpp::of_c_library(language, "memcmp");
            let actual = format!("{compare}({actual}, {expected}, {})", bytes.len() + 1);
            return Some(Check::equal(actual, "0", CheckKind::Int));
        }
        // A pointer's text ends at its first zero.
        if !(is_string || is_pointer && !bytes.contains(&0)) {
            return None;
        }
        let actual = if is_pointer && language == Language::Cxx { format!("std::string({actual})") } else { actual };
        return Some(Check::equal(actual, expected, CheckKind::Text));
    }
    let (actual, ty) = told(model, actual, ty);
    let value: Scalar = serde_json::from_value(entry.get("value")?.clone()).ok()?;
    // Of a smart pointer to a number, the number is recorded in its place.
    let is_number = |to: &Type| matches!(to.kind, TypeKind::Prim(_) | TypeKind::Enum(_));
    let (actual, ty) = behind(model, actual, ty, &is_number);
    match &ty.kind {
        TypeKind::Prim(prim) => {
            let kind = match prim {
                Prim::Bool => CheckKind::Bool,
                Prim::Float => CheckKind::Float,
                Prim::Double => CheckKind::Double,
                Prim::LongDouble => CheckKind::LongDouble,
                _ => CheckKind::Int,
            };
            let sign = actual.ends_with(']').then(|| literal::sign(&value, &ty)).flatten();
            Some(Check::equal(actual, sign.unwrap_or_else(|| literal::scalar(&value, *prim, language)), kind))
        }
        TypeKind::Enum(usr) => {
            let number = value.integer()?;
            // (`std::byte` is one of the library's.)
            let Some(known) = model.enums.get(usr) else {
                let as_number = if language == Language::C { "(long long)" } else { "static_cast<long long>" };
                return Some(Check::equal(format!("{as_number}({actual})"), number.to_string(), CheckKind::Int));
            };
            // A type that an unnamed structure defines can't be named.
            let is_unnamed = |usr: &Usr| model.classes.get(usr).is_none_or(|class| class.name.is_empty());
            let mut around = known.scopes.iter().filter_map(Scope::class);
            if language == Language::Cxx && around.any(is_unnamed) {
                let actual = format!("static_cast<long long>({actual})");
                return Some(Check::equal(actual, number.to_string(), CheckKind::Int));
            }
            let names = known.enumerators_of(&ty, model);
            let expected = match names.iter().find(|(_, v)| *v == number) {
                // (Enumerators within a structure of C have no scope but the file's.)
                Some((name, _)) if language == Language::C => name.rsplit("::").next().unwrap_or(name).to_owned(),
                Some((name, _)) => name.clone(),
                None if language == Language::C => format!("({}){number}", ty.bare_spelling()),
                None => format!("static_cast<{}>({number})", ty.bare_spelling()),
            };
            Some(Check::equal(actual, expected, CheckKind::Enum))
        }
        // A pointer member is recorded by its null-ness.
        TypeKind::Pointer(_) if value.kind == "bool" => {
            let actual = format!("{actual} != {}", crate::cpp::null(language));
            Some(Check::equal(actual, literal::scalar(&value, Prim::Bool, language), CheckKind::Bool))
        }
        TypeKind::Record { .. } if value.kind == "size" => {
            Some(Check::equal(actual, format!("{}u", value.integer()?), CheckKind::Int))
        }
        _ => None,
    }
}

/// Of what leads to such a value, by itself or by a call, that value.
fn behind(model: &Model, actual: String, ty: Type, is_such: &dyn Fn(&Type) -> bool) -> (String, Type) {
    let way = row_of(model, &ty).and_then(|row| row.target.as_deref());
    let to = if way.is_some() { element_type(model, &ty) } else { smart_pointee(model, &ty).cloned() };
    match (to.filter(is_such), way) {
        (Some(to), None) => (crate::cpp::dereference(&actual), to),
        (Some(to), Some(way)) if way.ends_with("->") => (format!("*{actual}.{}", way.trim_end_matches("->")), to),
        (Some(to), Some(way)) => (format!("{actual}.{}", way.trim_end_matches('.')), to),
        (None, _) => (actual, ty),
    }
}

/// Of what tells its one part when it is asked (`count()` of a duration), that part.
fn told(model: &Model, mut actual: String, mut ty: Type) -> (String, Type) {
    while let Some(call) = row_of(model, &ty).and_then(|row| row.tells.as_deref())
        && let Some((_, part)) = anatomy(model, &ty).and_then(|parts| parts.parts.into_iter().next())
    {
        actual = match actual.strip_prefix('*') {
            Some(pointer) => format!("{pointer}->{call}"),
            None => format!("{actual}.{call}"),
        };
        ty = part;
    }
    (actual, ty)
}
