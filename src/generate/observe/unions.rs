//! Unions in which an address may be: their numbers are looked at one by one, where they are no part of an address.
//! Which member is alive nobody knows, so pointers are not followed.

use super::how::Observing;
use crate::facts::anonymous_members;
use crate::model::{Class, Field, Prim, Type, TypeKind};
use std::fmt::Write;

/// The most numbers of one union that are looked at, and how deep in its structures.
const MOST: usize = 24;
const DEEPEST: usize = 3;
/// The longest array that is.
const LONGEST: u64 = 16;

/// A number of a union, or a structure in it that has some.
enum Part<'m> {
    Number(&'m Field),
    /// The field, with its class.
    Structure(&'m Field, &'m Class),
}

/// Whether such a value can be looked at, whatever its bytes are.
fn is_number(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Prim(prim) => !matches!(prim, Prim::Bool | Prim::LongDouble | Prim::Int128 | Prim::UInt128),
        TypeKind::Enum(_) => true,
        TypeKind::Array(element, Some(1..=LONGEST)) => {
            is_number(element) && !matches!(element.kind, TypeKind::Array(..))
        }
        _ => false,
    }
}

impl<'o> Observing<'o> {
    fn parts(&self, class: &'o Class, depth: usize) -> Vec<Part<'o>> {
        let mut found = Vec::new();
        for field in class.fields.iter().filter(|field| !field.is_static && field.bit_width.is_none()) {
            let inner = field.ty.record().and_then(|usr| self.model.classes.get(usr));
            match inner.filter(|inner| depth < DEEPEST && inner.definition.is_some() && !inner.is_polymorphic) {
                Some(inner) if anonymous_members::within(self.model, field).is_some() => {
                    found.extend(self.parts(inner, depth + 1));
                }
                Some(inner) if !field.name.is_empty() && inner.bases.is_empty() && field.ty.args().is_empty() => {
                    found.push(Part::Structure(field, inner));
                }
                _ if !field.name.is_empty() && is_number(&field.ty) => found.push(Part::Number(field)),
                _ => {}
            }
        }
        found.truncate(MOST);
        found
    }

    /// Whether there is a number to look at in a union.
    pub(super) fn has_numbers(&self, union: &'o Class) -> bool {
        self.has_numbers_at(union, 0)
    }

    fn has_numbers_at(&self, class: &'o Class, depth: usize) -> bool {
        self.parts(class, depth).iter().any(|part| match part {
            Part::Number(_) => true,
            Part::Structure(_, inner) => depth < DEEPEST && self.has_numbers_at(inner, depth + 1),
        })
    }

    /// The statements that record the numbers of a union in C++. Members that are left out are of `outer`, in which the
    /// union has no name.
    pub(super) fn cxx_numbers(&self, outer: &Class, union: &'o Class) -> String {
        self.cxx_numbers_at(outer, union, "it.", 0)
    }

    fn cxx_numbers_at(&self, outer: &Class, class: &'o Class, grip: &str, depth: usize) -> String {
        let mut out = String::new();
        for part in self.parts(class, depth) {
            match part {
                Part::Number(Field { name, .. }) if self.reason(outer, name).is_none() => {
                    let _ = writeln!(out, "  record.member_unless_address(\"{name}\", {grip}{name});");
                }
                Part::Structure(Field { name, .. }, inner) if depth < DEEPEST => {
                    let inside = self.cxx_numbers_at(inner, inner, &format!("{grip}{name}."), depth + 1);
                    if !inside.is_empty() {
                        let _ = writeln!(out, "  record.beside(\"{name}\", [&] {{\n{inside}  }});");
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// The same in C.
    pub(super) fn c_numbers(&self, outer: &Class, union: &'o Class, grip: &str, depth: usize) -> String {
        let pad = "  ".repeat(depth + 1);
        let mut out = String::new();
        for part in self.parts(union, depth) {
            match part {
                Part::Number(Field { name, ty, .. }) if self.reason(outer, name).is_none() => {
                    let value = self.c_value(ty, &format!("{grip}{name}"), depth + 1);
                    let _ = write!(
                        out,
                        "{pad}if (!motif_may_be_address(&{grip}{name}, sizeof {grip}{name})) {{\n\
                         {pad}  motif_open_member(record, \"{name}\");\n{value}{pad}  motif_close(record);\n{pad}}}\n"
                    );
                }
                Part::Structure(Field { name, .. }, inner) if depth < DEEPEST => {
                    let inside = self.c_numbers(inner, inner, &format!("{grip}{name}."), depth);
                    if !inside.is_empty() {
                        let _ = write!(
                            out,
                            "{pad}motif_open_member(record, \"{name}\");\n{inside}{pad}motif_close(record);\n"
                        );
                    }
                }
                _ => {}
            }
        }
        out
    }
}
