//! Unions in which an address may be. Where a member beside one says which of its members is alive, that is looked at.
//! Else nobody knows, so pointers are not followed: numbers are looked at one by one, where they are no part of an
//! address.

use super::how::{Observing, obscure};
use crate::facts::anonymous_members::holds_pointer;
use crate::facts::union_numbers::{DEEPEST, Part, parts};
use crate::facts::union_tags::{Tag, tag};
use crate::model::{Class, ClassKind, Field, Prim, Type, TypeKind};
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

    /// The statements that record in C the member of a union that another member says is alive.
    pub(super) fn c_alive(&self, class: &'o Class, field: &'o Field, grip: &str, indent: usize) -> Option<String> {
        let union = self.model.class_of(&field.ty).filter(|union| obscure(self.model, union).is_some())?;
        let Tag { field: tag, alive } = tag(self.model, class, field)?;
        let (pad, name) = ("  ".repeat(indent + 1), &field.name);
        let mut out = format!("{pad}switch ((long long){grip}{}) {{\n", tag.name);
        for (values, member) in alive {
            let it = format!("{grip}{name}.{}", member.name);
            let alive = self.c_alive_member(member, &it, (indent + 3, 0));
            // (What nothing is known of is as if it were not known to be alive.)
            if !alive.is_empty() {
                values.iter().for_each(|value| out += &format!("{pad}  case {value}:\n"));
                out += &format!("{alive}{pad}    break;\n");
            }
        }
        let unknown = format!("{pad}    motif_skip(record, \"which member is alive is not known\");\n");
        let unknown = unknown + &self.c_numbers(union, union, &format!("{grip}{name}."), indent + 1);
        Some(out + &format!("{pad}  default:\n{unknown}{pad}    break;\n{pad}}}\n"))
    }

    fn c_alive_member(&self, field: &'o Field, it: &str, (indent, depth): (usize, usize)) -> String {
        let pad = "  ".repeat(indent);
        let inside = self.c_alive_value(&field.ty, it, (indent, depth));
        let open = format!("{pad}motif_open_member(record, \"{}\");\n", field.name);
        if inside.is_empty() { inside } else { format!("{open}{inside}{pad}motif_close(record);\n") }
    }

    fn c_alive_value(&self, ty: &'o Type, it: &str, (indent, depth): (usize, usize)) -> String {
        let pad = "  ".repeat(indent);
        match &ty.kind {
            TypeKind::Prim(_) | TypeKind::Enum(_) => self.c_value(ty, it, indent - 1),
            TypeKind::Pointer(to) => {
                if let TypeKind::Prim(Prim::Char) = to.kind {
                    return format!("{pad}motif_alive_text(record, {it});\n");
                }
                let null = format!("{pad}motif_null(record, {it} == NULL);\n");
                let observed = || self.model.class_of(to).filter(|class| self.observes(class));
                // (What says so may not be true.)
                let follow = |class| {
                    format!(
                        "{pad}if (motif_is_readable({it}, sizeof *{it}) && motif_follow({it})) {{\n\
                         {pad}  {}(record, {it});\n{pad}  --motif_depth;\n{pad}}}\n",
                        super::c::c_name(class)
                    )
                };
                null + &observed().map_or_else(String::new, follow)
            }
            TypeKind::Array(element, Some(_)) if matches!(element.kind, TypeKind::Prim(_) | TypeKind::Enum(_)) => {
                self.c_value(ty, it, indent - 1)
            }
            _ => {
                let inner = self.model.class_of(ty).filter(|inner| inner.kind == ClassKind::Struct && depth < DEEPEST);
                let fields = inner.into_iter().flat_map(|inner| &inner.fields).filter(|field| !field.name.is_empty());
                let plain = fields.filter(|field| field.bit_width.is_none());
                plain
                    .map(|field| self.c_alive_member(field, &format!("{it}.{}", field.name), (indent, depth + 1)))
                    .collect()
            }
        }
    }
}
