//! The expressions by which a test checks what a record shows.

use super::check::{Check, CheckKind, Root, TYPE_OF, has_a_name};
use super::path::{expression, is_open};
use super::value::check_of;
use crate::generate::literal::unhex;
use crate::model::{Language, Model, Prim, Type, TypeKind};
use crate::types::standard::smart_pointee;
use serde_json::Value;

/// Finds the expressions by which a test checks what a record shows.
pub(super) struct Asking<'a> {
    pub(super) model: &'a Model,
    pub(super) language: Language,
    pub(super) roots: &'a [Root],
    /// Not everybody may ask that.
    pub(super) private: bool,
}

impl Asking<'_> {
    pub(super) fn expression(&mut self, path: &str) -> Option<(String, Type)> {
        expression(self.model, path, self.roots, &mut self.private)
    }

    /// The check of the type that an object really is of, which the record has beside its members.
    fn dynamic_type(&mut self, entry: &Value, path: &str) -> Option<Check> {
        let model = self.model;
        let name = String::from_utf8(unhex(entry.get("text")?.as_str()?)).ok().filter(|name| has_a_name(name))?;
        let (object, ty) = self.expression(path.strip_suffix(".<type>")?)?;
        let (object, class) = match ty.pointee().or_else(|| smart_pointee(model, &ty)) {
            Some(to) => (crate::cpp::dereference(&object), to.record()?),
            None => (object, ty.record()?),
        };
        model.classes.get(class).filter(|class| class.is_polymorphic)?;
        self.private |= model.class_named(&name).is_some_and(|class| !is_open(model, class));
        Some(Check::equal(format!("{TYPE_OF}({object}) == typeid({name})"), "true", CheckKind::Bool))
    }

    /// The check of a buffer with text that ends before the buffer does: the text where that tells the two apart,
    /// else all bytes up to the last that do.
    pub(super) fn buffer(&mut self, entry: &Value, other: Option<&Value>, path: &str) -> Option<Check> {
        let (actual, ty) = self.expression(path)?;
        let is_text = |ty: &Type| matches!(ty.kind, TypeKind::Prim(Prim::Char));
        if !matches!(&ty.kind, TypeKind::Pointer(to) | TypeKind::Array(to, _) if is_text(to)) {
            return None;
        }
        let bytes = |entry: &Value| Some(unhex(entry.get("text")?.as_str()?));
        let (bytes, other) = (bytes(entry)?, other.and_then(bytes));
        let text = |bytes: &[u8]| bytes.iter().take_while(|byte| **byte != 0).copied().collect::<Vec<u8>>();
        let ends = bytes.contains(&0);
        if ends && other.as_ref().is_none_or(|other| text(other) != text(&bytes)) {
            let expected = crate::cpp::string_literal(&text(&bytes));
            let actual = if self.language == Language::Cxx { format!("std::string({actual})") } else { actual };
            return Some(Check::equal(actual, expected, CheckKind::Text));
        }
        let other = other?;
        let upto = bytes.iter().zip(&other).rposition(|(one, other)| one != other)? + 1;
        let literal = crate::cpp::string_literal(&bytes[..upto]);
        let compare = crate::cpp::of_c_library(self.language, "memcmp");
        Some(Check::equal(format!("{compare}({actual}, {literal}, {upto})"), "0", CheckKind::Int))
    }

    pub(super) fn check(&mut self, entry: &Value, path: &str) -> Option<Check> {
        // Where the text between two members is none, the first of them is null.
        let is_null = entry.get("null").is_some();
        let path = path.split(crate::plan::record_paths::RANGE).next().filter(|_| is_null).unwrap_or(path);
        let Some((actual, ty)) = self.expression(path) else { return self.dynamic_type(entry, path) };
        check_of(self.model, self.language, actual, ty, entry)
    }
}
