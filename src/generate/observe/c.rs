//! Observers of C structures, and statements that record values of C.

use super::distances::{distances, label};
use super::how::{How, OPAQUE, Observing, obscure};
use super::observed::Observed;
use super::shown_classes::can_be_named;
use crate::cpp::string_literal;
use crate::facts::anonymous_members::{is_structure, may_lead_on, whole};
use crate::facts::flexible_members::{Flexible, flexible};
use crate::facts::member_lengths::{element, shown};
use crate::generate::lower::kind;
use crate::generate::name_clashes::Hidden;
use crate::model::{Class, ClassKind, Function, Prim, Type, TypeKind};
use crate::plan::array_lengths::usual;
use crate::types::spelling::value_type;
use crate::types::standard::complex_part;
use crate::types::substitution::Substitution;
use std::fmt::Write as _;

impl Observing<'_> {
    /// The observers of C structures as static functions: those that these lines call, and those that they call.
    pub fn c(&self, classes: &[Observed<'_>], lines: &[String]) -> String {
        let hidden = Hidden::in_c(self.model);
        let head = |of: &Observed<'_>| {
            let (name, spelling) = (c_name(of.class), hidden.spell(&of.ty.spelling));
            format!("static void {name}(motif_record *record, const {spelling} *it)")
        };
        let bodies: Vec<String> = classes.iter().map(|of| self.c_body(of.class)).collect();
        let mut is_called = vec![false; classes.len()];
        let mut ahead: Vec<&String> = lines.iter().collect();
        while let Some(text) = ahead.pop() {
            for (place, observed) in classes.iter().enumerate() {
                if !is_called[place] && text.contains(&format!("{}(", c_name(observed.class))) {
                    is_called[place] = true;
                    ahead.push(&bodies[place]);
                }
            }
        }
        let called = || classes.iter().zip(&bodies).zip(&is_called).filter(|(_, is_called)| **is_called);
        let mut out: String = called().skip(1).map(|((of, _), _)| format!("{};\n", head(of))).collect();
        for ((observed, body), _) in called() {
            let _ = writeln!(out, "\n{} {{\n{body}}}", head(observed));
        }
        let out = out.trim_start_matches('\n');
        if out.is_empty() { String::new() } else { format!("{out}\n") }
    }

    fn c_body(&self, class: &Class) -> String {
        let is_union = class.kind == ClassKind::Union;
        if let Some(why) = obscure(self.model, class).filter(|_| is_union) {
            let numbers = self.c_numbers(class, class, "it->", 0);
            let unused = if numbers.is_empty() { "  (void)it;\n" } else { "" };
            return format!("{unused}  motif_skip(record, \"{why}\");\n{numbers}");
        }
        if class.fields.is_empty() || is_union && whole(self.model, class).is_none() {
            return "  motif_text(record, (const char *)it, sizeof *it);\n".to_owned();
        }
        let members = self.c_members(class, "it->", 0);
        if members.is_empty() {
            return "  (void)record;\n  (void)it;\n".to_owned();
        }
        // (What leads nowhere does not lead back.)
        match members.contains("motif_follow(") {
            true => format!(
                "  if (!motif_visit(it, __func__)) {{\n    motif_skip(record, \"\");\n    return;\n  }}\n\
                 {members}  --motif_inside;\n"
            ),
            false => members,
        }
    }

    /// Statements that record the members of a structure, each of which is `grip` and its name.
    fn c_members(&self, class: &Class, grip: &str, depth: usize) -> String {
        let pad = "  ".repeat(depth + 1);
        let mut out = String::new();
        let member = |name: &str, text: &str| {
            format!("{pad}motif_open_member(record, \"{name}\");\n{text}{pad}motif_close(record);\n")
        };
        let value = |name: &str, ty: &Type| self.c_value(ty, &format!("{grip}{name}"), depth);
        if let Some(whole) = whole(self.model, class) {
            return member(&whole.name, &value(&whole.name, &whole.ty));
        }
        let (extents, structures) = shown(self.lexicon, self.model, class, &Substitution::of(self.model, class, &[]));
        for (place, field) in class.fields.iter().enumerate() {
            let name = field.name.as_str();
            if field.bit_width.is_some() && name.is_empty() {
                continue;
            }
            if let Some(why) = self.reason(class, name) {
                if !why.is_empty() {
                    let why = string_literal(why.as_bytes());
                    out.push_str(&member(name, &format!("{pad}motif_skip(record, {why});\n")));
                }
                continue;
            }
            // (Elements that nobody has set yet lead nowhere.)
            if let Some(flexible) = flexible(class).filter(|f| f.place == place && !may_lead_on(self.model, f.element))
            {
                out.push_str(&member(name, &self.trailing(flexible, grip, depth)));
                continue;
            }
            if let Some(alive) = self.c_alive(class, field, grip, depth) {
                out.push_str(&member(name, &alive));
                continue;
            }
            let how = self.how(class, field, &field.ty);
            let behind = extents.iter().find(|extent| extent.memory == place).and_then(|extent| {
                let TypeKind::Prim(prim) = element(&field.ty)?.kind else { return None };
                let (kind, count, it) = (kind(prim), &class.fields[extent.count].name, format!("{grip}{name}"));
                Some(format!("{pad}motif_behind(record, {kind}, {it}, sizeof *{it}, (size_t){grip}{count});\n"))
            });
            let in_use = || {
                let extent = structures.iter().find(|extent| extent.memory == place)?;
                let to = field.ty.pointee().filter(|_| !matches!(how, How::Skip(_)))?;
                let (count, most) = (format!("{grip}{}", class.fields[extent.count].name), usual(to));
                let (i, it) = (format!("i{depth}"), format!("{grip}{name}"));
                let value = self.c_value(to, &format!("{it}[{i}]"), depth + 2);
                Some(format!(
                    "{pad}motif_null(record, {it} == NULL);\n\
                     {pad}if (motif_follow({it})) {{\n\
                     {pad}  for (size_t {i} = 0; {count} > 0 && {i} < (size_t){count} && {i} < {most}; ++{i}) {{\n\
                     {pad}    motif_open_index(record, {i});\n{value}{pad}    motif_close(record);\n{pad}  }}\n\
                     {pad}  --motif_depth;\n{pad}}}\n"
                ))
            };
            // Those in use; what nobody made in an array has as many as are in use.
            if let Some(text) = behind.or_else(in_use) {
                out.push_str(&member(name, &text));
                continue;
            }
            out.push_str(&match how {
                How::Inside(inner) => self.c_members(inner, grip, depth),
                How::Whole(whole) => member(&whole.name, &value(&whole.name, &whole.ty)),
                How::Storage(first, size) => {
                    let text = format!("{pad}motif_text(record, (const char *)&{grip}{first}, {size});\n");
                    member(&first, &text)
                }
                How::Numbers(union, why) => {
                    let skip = member(name, &format!("{pad}motif_skip(record, \"{why}\");\n"));
                    skip + &self.c_numbers(class, union, grip, depth)
                }
                How::Skip("") => continue,
                How::Skip(why) => member(name, &format!("{pad}motif_skip(record, \"{why}\");\n")),
                How::Nullness => {
                    let (it, is_null) =
                        (format!("{grip}{name}"), format!("{pad}motif_null(record, {grip}{name} == NULL);\n"));
                    let behind = self.behind(field).map(|to| self.behind_untyped(to, &it, depth));
                    member(name, &(is_null + &behind.unwrap_or_default()))
                }
                How::Allocated(prim) => {
                    let (kind, it) = (kind(prim), format!("{grip}{name}"));
                    member(name, &format!("{pad}motif_allocated(record, {kind}, {it}, sizeof *{it});\n"))
                }
                How::Value | How::Reference => match field.ty.kind {
                    TypeKind::Prim(prim) if field.bit_width.is_some() => {
                        let (spelled, kind) = (field.ty.bare_spelling(), kind(prim));
                        // A bit-field has no address.
                        let text = format!(
                            "{pad}{{\n{pad}  const {spelled} bits = {grip}{name};\n\
                             {pad}  motif_value(record, {kind}, &bits, sizeof bits);\n{pad}}}\n"
                        );
                        member(name, &text)
                    }
                    _ => member(name, &value(name, &field.ty)),
                },
            });
        }
        for (field, from) in distances(class, &Substitution::of(self.model, class, &[])) {
            let left_out = |name: &str| self.reason(class, name).is_some();
            if ![&label(field, from), &field.name, &from.name].iter().any(|name| left_out(name)) {
                let (to, it) = (format!("{grip}{}", from.name), format!("{grip}{}", field.name));
                let _ =
                    writeln!(out, "{pad}motif_distance(record, \"{}\", {it}, {to}, sizeof *{it});", label(field, from));
            }
        }
        out
    }

    /// Statements that record what is behind a `void *`.
    fn behind_untyped(&self, to: &Type, pointer: &str, depth: usize) -> String {
        let (pad, name) = ("  ".repeat(depth + 1), crate::plan::record_paths::derived(&to.spelling));
        let Some(class) = self.model.class_of(to) else { return String::new() };
        format!(
            "{pad}if (motif_follow({pointer})) {{\n\
             {pad}  motif_open_member(record, \"{name}\");\n{pad}  {}(record, {pointer});\n\
             {pad}  motif_close(record);\n{pad}  --motif_depth;\n{pad}}}\n",
            c_name(class)
        )
    }

    /// Statements that record the elements of a flexible array member, as far as there is room for them.
    fn trailing(&self, flexible: Flexible<'_>, grip: &str, depth: usize) -> String {
        let pad = "  ".repeat(depth + 1);
        let object = match grip.strip_suffix("->") {
            Some(pointer) => pointer.to_owned(),
            None => crate::cpp::address_of(grip.trim_end_matches('.')),
        };
        let (i, room, it) = (format!("i{depth}"), format!("room{depth}"), format!("{grip}{}", flexible.field.name));
        let value = self.c_value(flexible.element, &format!("{it}[{i}]"), depth + 1);
        format!(
            "{pad}const size_t {room} = motif_trailing(record, {object}, {it}, sizeof {it}[0]);\n\
             {pad}for (size_t {i} = 0; {i} < {room}; ++{i}) {{\n\
             {pad}  motif_open_index(record, {i});\n{value}{pad}  motif_close(record);\n{pad}}}\n"
        )
    }

    /// Statements that record what an object tells of itself; `pointer` leads to it.
    fn answers(&self, class: &Class, pointer: &str, depth: usize) -> String {
        let pad = "  ".repeat(depth + 1);
        let class = self.model.classes.get(&class.usr);
        let tellers = class.map(|class| self.tellers(class)).unwrap_or_default();
        let told = tellers.into_iter().map(|function| {
            let Function { name, params, result, .. } = function;
            let is_const = params[0].ty.pointee().is_some_and(|to| to.is_const);
            let cast = if is_const { String::new() } else { format!("({})", params[0].ty.spelling) };
            let answer = crate::cpp::declare(&value_type(result).spelling, "answer");
            let value = self.c_value(result, "answer", depth + 1);
            format!(
                "{pad}motif_open_member(record, \"{name}()\");\n{pad}{{\n\
                 {pad}  const {answer} = {name}({cast}{pointer});\n\
                 {value}{pad}}}\n{pad}motif_close(record);\n"
            )
        });
        told.collect()
    }

    /// Statements that record a C value which is an lvalue expression.
    pub fn c_value(&self, ty: &Type, expression: &str, depth: usize) -> String {
        let pad = "  ".repeat(depth + 1);
        match &ty.kind {
            TypeKind::Prim(prim) => {
                format!("{pad}motif_value(record, {}, &{expression}, sizeof {expression});\n", kind(*prim))
            }
            TypeKind::Enum(_) => format!(
                "{pad}{{\n{pad}  const long long number = (long long){expression};\n\
                 {pad}  motif_value(record, MOTIF_ENUM, &number, sizeof number);\n{pad}}}\n"
            ),
            TypeKind::Array(element, Some(length)) if matches!(element.kind, TypeKind::Prim(Prim::Char)) => {
                format!("{pad}motif_text(record, {expression}, {length});\n")
            }
            TypeKind::Array(element, Some(length)) if let TypeKind::Prim(prim) = element.kind => {
                let kind = kind(prim);
                format!("{pad}motif_values(record, {kind}, {expression}, sizeof {expression}[0], {length});\n")
            }
            TypeKind::Array(element, Some(length)) => {
                let i = format!("i{depth}");
                let inner = self.c_value(element, &format!("{expression}[{i}]"), depth + 1);
                format!(
                    "{pad}for (size_t {i} = 0; {i} < {length}; ++{i}) {{\n{pad}  motif_open_index(record, {i});\n\
                     {inner}{pad}  motif_close(record);\n{pad}}}\n"
                )
            }
            TypeKind::Pointer(to) => {
                let is_null = format!("{pad}motif_null(record, {expression} == NULL);\n");
                if let TypeKind::Prim(prim) = to.kind
                    && prim != Prim::Char
                {
                    let kind = kind(prim);
                    let pointer = crate::cpp::dereference(expression);
                    return is_null + &format!("{pad}motif_pointee(record, {kind}, {expression}, sizeof {pointer});\n");
                }
                let Some(class) = self.model.class_of(to) else { return is_null };
                if !self.observes(class) {
                    let answers = self.answers(class, expression, depth + 1);
                    let is_there = format!("{pad}if ({expression} != NULL) {{\n{answers}{pad}}}\n");
                    return if answers.is_empty() { is_null } else { is_null + &is_there };
                }
                format!(
                    "{is_null}{pad}if (motif_follow({expression})) {{\n{pad}  {}(record, {expression});\n\
                     {pad}  --motif_depth;\n{pad}}}\n",
                    c_name(class)
                )
            }
            TypeKind::Record { .. } if let Some(Type { kind: TypeKind::Prim(prim), .. }) = complex_part(ty) => {
                let part = |name: &str, part: &str| {
                    let (kind, part) = (kind(*prim), format!("{part} {expression}"));
                    format!(
                        "{pad}motif_open_member(record, \"{name}\");\n\
                         {pad}motif_value(record, {kind}, &{part}, sizeof({part}));\n{pad}motif_close(record);\n"
                    )
                };
                part("real", "__real__") + &part("imag", "__imag__")
            }
            TypeKind::Record { usr, .. } => {
                let class = self.model.classes.get(usr);
                let bytes = format!("{pad}motif_text(record, (const char *)&{expression}, sizeof {expression});\n");
                let Some(class) = class else { return bytes };
                if self.observes(class) {
                    return format!("{pad}{}(record, &{expression});\n", c_name(class));
                }
                let answers = self.answers(class, &crate::cpp::address_of(expression), depth);
                if !answers.is_empty() {
                    return answers;
                }
                if is_structure(class) || whole(self.model, class).is_some() {
                    let grip = format!("{expression}.");
                    return self.clone().with_all_members().c_members(class, &grip, depth);
                }
                let opaque = (class.definition.is_none() || can_be_named(class)).then_some(OPAQUE);
                let why = opaque.or_else(|| obscure(self.model, class));
                why.map_or(bytes, |why| format!("{pad}motif_skip(record, \"{why}\");\n"))
            }
            _ => format!("{pad}motif_skip(record, \"not comparable\");\n"),
        }
    }
}

/// How C observers follow pointers. A structure that leads to many others, which lead on, would take all the time.
pub const C_FOLLOWS: &str = "\
/* How deep pointers are followed, and how many at each depth: lists may be long, cycles endless, trees wide. */
enum { MOTIF_DEEPEST = 6, MOTIF_WIDEST = 32 };
static int motif_depth;
static int motif_followed[MOTIF_DEEPEST];

static int motif_follow(const void *pointer) {
  if (pointer == NULL || motif_depth == MOTIF_DEEPEST || motif_followed[motif_depth] == MOTIF_WIDEST) return 0;
  ++motif_followed[motif_depth++];
  return 1;
}

";

/// How C observers stay out of circles: a parent that is noted behind its child takes the depth that the child's own
/// children need.
pub const C_VISITS: &str = "\
/* The objects whose members are being noted: what leads back to one of them ends there. */
enum { MOTIF_INSIDE = 32 };
static int motif_inside;
static struct { const void *it; const char *by; } motif_around[MOTIF_INSIDE];

static int motif_visit(const void *it, const char *by) {
  int at;
  for (at = 0; at < motif_inside && at < MOTIF_INSIDE; ++at) {
    if (motif_around[at].it == it && motif_around[at].by == by) return 0;
  }
  if (motif_inside < MOTIF_INSIDE) {
    motif_around[motif_inside].it = it;
    motif_around[motif_inside].by = by;
  }
  ++motif_inside;
  return 1;
}

";

/// The name of a structure's observer.
pub fn c_name(class: &Class) -> String {
    format!("observe_{}", class.qualified.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}
