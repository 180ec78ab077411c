//! Unions in which an address may be: their numbers are looked at one by one, where they are no part of an address.
//! Which member is alive nobody knows, so pointers are not followed.

use super::how::Observing;
use crate::facts::anonymous_members::holds_pointer;
use crate::facts::union_numbers::{DEEPEST, Part, parts};
use crate::model::{Class, Field};
use std::fmt::Write;

impl<'o> Observing<'o> {
    /// The statements that record the numbers of a union in C++. Members that are left out are of `outer`, in which the
    /// union has no name.
    pub(super) fn cxx_numbers(&self, outer: &Class, union: &'o Class) -> String {
        self.cxx_numbers_at(outer, union, "it.", (0, holds_pointer(self.model, union)))
    }

    fn cxx_numbers_at(&self, outer: &Class, class: &'o Class, grip: &str, (depth, may_point): (usize, bool)) -> String {
        let (pad, mut out) = ("  ".repeat(depth + 1), String::new());
        let record = if may_point { "member_unless_address" } else { "member" };
        for part in parts(self.model, class, depth) {
            match part {
                Part::Number(Field { name, .. }) if self.reason(outer, name).is_none() => {
                    let _ = writeln!(out, "{pad}record.{record}(\"{name}\", {grip}{name});");
                }
                Part::Structure(Field { name, .. }, inner) if depth < DEEPEST => {
                    let inside = format!("{grip}{name}.");
                    let inside = self.cxx_numbers_at(inner, inner, &inside, (depth + 1, may_point));
                    if !inside.is_empty() {
                        let _ = writeln!(out, "{pad}record.beside(\"{name}\", [&] {{\n{inside}{pad}}});");
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// The same in C, indented by `indent` levels.
    pub(super) fn c_numbers(&self, outer: &Class, union: &'o Class, grip: &str, indent: usize) -> String {
        self.c_numbers_at(outer, union, grip, (0, holds_pointer(self.model, union), indent))
    }

    fn c_numbers_at(
        &self,
        outer: &Class,
        class: &'o Class,
        grip: &str,
        (depth, may_point, indent): (usize, bool, usize),
    ) -> String {
        let pad = "  ".repeat(indent + 1);
        let mut out = String::new();
        for part in parts(self.model, class, depth) {
            let (name, inside) = match part {
                Part::Number(Field { name, ty, .. }) if self.reason(outer, name).is_none() => {
                    let it = format!("{grip}{name}");
                    let value = self.c_value(ty, &it, indent);
                    let guarded = || {
                        let value = self.c_value(ty, &it, indent + 1);
                        format!(
                            "{pad}if (motif_may_be_address(&{it}, sizeof {it})) {{\n\
                             {pad}  motif_skip(record, MOTIF_MAY_BE_ADDRESS);\n{pad}}} else {{\n{value}{pad}}}\n"
                        )
                    };
                    (name, if may_point { guarded() } else { value })
                }
                Part::Structure(Field { name, .. }, inner) if depth < DEEPEST => {
                    let inside = format!("{grip}{name}.");
                    (name, self.c_numbers_at(inner, inner, &inside, (depth + 1, may_point, indent)))
                }
                _ => continue,
            };
            if !inside.is_empty() {
                let _ = write!(out, "{pad}motif_open_member(record, \"{name}\");\n{inside}{pad}motif_close(record);\n");
            }
        }
        out
    }
}
