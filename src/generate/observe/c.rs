//! Observers of C structures, and statements that record values of C.

use super::how::{How, OPAQUE, UNION_OF_POINTERS, UNION_WITH_GAPS, how};
use super::observed::Observed;
use super::shown_classes::can_be_named;
use crate::facts::anonymous_members;
use crate::facts::anonymous_members::holds_pointer;
use crate::facts::member_lengths::{element, shown};
use crate::generate::name_clashes::Hidden;
use crate::lexicon::Lexicon;
use crate::model::{Class, ClassKind, Model, Type, TypeKind};
use crate::plan::array_lengths::usual;
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The observers of C structures as static functions. Only those that are reached are written, so that none is
/// unused.
pub fn c(lexicon: &Lexicon, model: &Model, classes: &[Observed<'_>], excluded: &[(String, String, String)]) -> String {
    let known: BTreeSet<String> = classes.iter().map(|o| o.ty.canonical()).collect();
    let mut out = String::new();
    if classes.is_empty() {
        return out;
    }
    let hidden = Hidden::in_c(model);
    for observed in classes {
        let _ = writeln!(
            out,
            "__attribute__((unused)) static void {}(motif_record *record, const {} *it);",
            c_name(observed.class),
            hidden.spell(&hidden.spell(&observed.ty.spelling))
        );
    }
    out.push('\n');
    for observed in classes {
        let class = observed.class;
        let _ = writeln!(
            out,
            "static void {}(motif_record *record, const {} *it) {{",
            c_name(class),
            hidden.spell(&observed.ty.spelling)
        );
        if class.kind == ClassKind::Union && holds_pointer(model, class) {
            let _ = writeln!(out, "  (void)it;\n  motif_skip(record, \"{UNION_OF_POINTERS}\");\n}}\n");
            continue;
        }
        if class.kind == ClassKind::Union && anonymous_members::has_gaps(model, class) {
            let _ = writeln!(out, "  (void)it;\n  motif_skip(record, \"{UNION_WITH_GAPS}\");\n}}\n");
            continue;
        }
        if class.fields.is_empty() || class.kind == ClassKind::Union && anonymous_members::whole(model, class).is_none()
        {
            let _ = writeln!(out, "  motif_text(record, (const char *)it, sizeof *it);\n}}\n");
            continue;
        }
        let members = c_members(lexicon, model, class, "it->", excluded, &known, 0);
        out.push_str(if members.is_empty() { "  (void)record;\n  (void)it;\n" } else { &members });
        let _ = writeln!(out, "}}\n");
    }
    out
}

/// Statements that record the members of a structure, each of which is `grip` and its name.
fn c_members(
    lexicon: &Lexicon,
    model: &Model,
    class: &Class,
    grip: &str,
    excluded: &[(String, String, String)],
    known: &BTreeSet<String>,
    depth: usize,
) -> String {
    let pad = "  ".repeat(depth + 1);
    let mut out = String::new();
    if let Some(whole) = anonymous_members::whole(model, class) {
        let (name, value) =
            (&whole.name, c_value(lexicon, model, &whole.ty, &format!("{grip}{}", whole.name), false, depth));
        return format!("{pad}motif_open_member(record, \"{name}\");\n{value}{pad}motif_close(record);\n");
    }
    let (extents, structures) = shown(lexicon, model, class, &Substitution::of(model, class, &[]));
    for (place, field) in class.fields.iter().enumerate() {
        if field.bit_width.is_some() && field.name.is_empty() {
            continue;
        }
        if let Some((_, _, why)) = excluded.iter().find(|(c, f, _)| *c == class.qualified && *f == field.name) {
            if why.is_empty() {
                continue;
            }
            let why = crate::cpp::string_literal(why.as_bytes());
            let _ = writeln!(
                out,
                "{pad}motif_open_member(record, \"{}\");\n{pad}motif_skip(record, {why});\n{pad}motif_close(record);",
                field.name
            );
            continue;
        }
        let behind = extents.iter().find(|extent| extent.memory == place).and_then(|extent| {
            let TypeKind::Prim(prim) = element(&field.ty)?.kind else { return None };
            let (kind, count) = (crate::generate::lower::kind(prim), &class.fields[extent.count].name);
            let name = &field.name;
            Some(format!("motif_behind(record, {kind}, {grip}{name}, sizeof *{grip}{name}, (size_t){grip}{count});"))
        });
        if let Some(behind) = behind {
            let name = &field.name;
            let _ =
                writeln!(out, "{pad}motif_open_member(record, \"{name}\");\n{pad}{behind}\n{pad}motif_close(record);");
            continue;
        }
        // Those in use; what nobody made in an array has as many as are in use.
        if let Some(extent) = structures.iter().find(|extent| extent.memory == place)
            && let Some(to) =
                field.ty.pointee().filter(|_| !matches!(how(model, class, field, &field.ty, known), How::Skip(_)))
        {
            let (name, count, most) = (&field.name, &class.fields[extent.count].name, usual(to));
            let i = format!("i{depth}");
            let (grip_of, element) = (format!("{grip}{name}"), format!("{grip}{name}[{i}]"));
            let value = c_value(lexicon, model, to, &element, false, depth + 2);
            let _ = writeln!(
                out,
                "{pad}motif_open_member(record, \"{name}\");\n{pad}motif_null(record, {grip_of} == NULL);\n\
                 {pad}if ({grip_of} != NULL && motif_depth < MOTIF_DEEPEST) {{\n{pad}  ++motif_depth;\n\
                 {pad}  for (size_t {i} = 0; {grip}{count} > 0 && {i} < (size_t){grip}{count} && {i} < {most}; \
                 ++{i}) {{\n\
                 {pad}    motif_open_index(record, {i});\n{value}{pad}    motif_close(record);\n{pad}  }}\n\
                 {pad}  --motif_depth;\n{pad}}}\n{pad}motif_close(record);"
            );
            continue;
        }
        let (name, text) = match how(model, class, field, &field.ty, known) {
            How::Inside(inner) => {
                out.push_str(&c_members(lexicon, model, inner, grip, excluded, known, depth));
                continue;
            }
            How::Whole(whole) => {
                (whole.name.clone(), c_value(lexicon, model, &whole.ty, &format!("{grip}{}", whole.name), false, depth))
            }
            How::Storage(first, size) => {
                (first.clone(), format!("{pad}motif_text(record, (const char *)&{grip}{first}, {size});\n"))
            }
            How::Skip(why) if why.is_empty() => continue,
            How::Skip(why) => (field.name.clone(), format!("{pad}motif_skip(record, \"{why}\");\n")),
            How::Nullness => (field.name.clone(), format!("{pad}motif_null(record, {grip}{} == NULL);\n", field.name)),
            How::Value => (
                field.name.clone(),
                c_value(lexicon, model, &field.ty, &format!("{grip}{}", field.name), field.bit_width.is_some(), depth),
            ),
        };
        let _ = writeln!(out, "{pad}motif_open_member(record, \"{name}\");\n{text}{pad}motif_close(record);");
    }
    out
}

/// What the C observers of pointers count with.
pub const C_DEPTH: &str = "\
/* How deep pointers are followed: lists may be long, and cycles endless. */
enum { MOTIF_DEEPEST = 6 };
static int motif_depth;

";

/// The name of a structure's observer.
pub fn c_name(class: &Class) -> String {
    format!("observe_{}", class.qualified.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

/// Statements that record a C value which is an lvalue expression.
pub fn c_value(lexicon: &Lexicon, model: &Model, ty: &Type, expression: &str, is_bits: bool, depth: usize) -> String {
    let pad = "  ".repeat(depth + 1);
    match &ty.kind {
        TypeKind::Prim(prim) if is_bits => {
            // A bit-field has no address.
            let spelled = ty.bare_spelling();
            format!(
                "{pad}{{\n{pad}  const {spelled} bits = {expression};\n\
                 {pad}  motif_value(record, {}, &bits, sizeof bits);\n{pad}}}\n",
                crate::generate::lower::kind(*prim)
            )
        }
        TypeKind::Prim(prim) => {
            format!(
                "{pad}motif_value(record, {}, &{expression}, sizeof {expression});\n",
                crate::generate::lower::kind(*prim)
            )
        }
        TypeKind::Enum(_) => {
            format!(
                "{pad}{{\n{pad}  const long long number = (long long){expression};\n\
                 {pad}  motif_value(record, MOTIF_ENUM, &number, sizeof number);\n{pad}}}\n"
            )
        }
        TypeKind::Array(element, Some(length)) if matches!(element.kind, TypeKind::Prim(crate::model::Prim::Char)) => {
            format!("{pad}motif_text(record, {expression}, {length});\n")
        }
        TypeKind::Array(element, Some(length)) => {
            let i = format!("i{depth}");
            let inner = c_value(lexicon, model, element, &format!("{expression}[{i}]"), false, depth + 1);
            format!(
                "{pad}for (size_t {i} = 0; {i} < {length}; ++{i}) {{\n{pad}  motif_open_index(record, {i});\n\
                 {inner}{pad}  motif_close(record);\n{pad}}}\n"
            )
        }
        TypeKind::Pointer(to) => match model.class_of(to) {
            Some(class) if can_be_named(class) => format!(
                "{pad}motif_null(record, {expression} == NULL);\n\
                 {pad}if ({expression} != NULL && motif_depth < MOTIF_DEEPEST) {{\n{pad}  ++motif_depth;\n\
                 {pad}  {}(record, {expression});\n{pad}  --motif_depth;\n{pad}}}\n",
                c_name(class)
            ),
            _ => format!("{pad}motif_null(record, {expression} == NULL);\n"),
        },
        TypeKind::Record { usr, .. } => match model.classes.get(usr) {
            Some(class) if can_be_named(class) => format!("{pad}{}(record, &{expression});\n", c_name(class)),
            Some(class) if class.definition.is_none() => format!("{pad}motif_skip(record, \"{OPAQUE}\");\n"),
            Some(class)
                if anonymous_members::is_structure(class) || anonymous_members::whole(model, class).is_some() =>
            {
                c_members(lexicon, model, class, &format!("{expression}."), &[], &BTreeSet::new(), depth)
            }
            Some(class) if class.kind == ClassKind::Union && anonymous_members::has_gaps(model, class) => {
                format!("{pad}motif_skip(record, \"{UNION_WITH_GAPS}\");\n")
            }
            Some(class) if holds_pointer(model, class) => {
                format!("{pad}motif_skip(record, \"{UNION_OF_POINTERS}\");\n")
            }
            _ => format!("{pad}motif_text(record, (const char *)&{expression}, sizeof {expression});\n"),
        },
        _ => format!("{pad}motif_skip(record, \"not comparable\");\n"),
    }
}
