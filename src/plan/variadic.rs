//! Functions that take `...` or a `va_list`: what they are given there, and the text that says how it is to be read. Nothing but that
//! text tells such a function what it was called with, so both are made together: a conversion for each value, of its type, and none
//! that writes (`%n`).

use super::entry::simple_type;
use super::values::value_type;
use super::{Recipe, Slot};
use crate::model::{Function, Param, Prim, Type, TypeKind};

/// Names of parameters that say how what follows them is to be read.
const FORMATS: [&str; 5] = ["fmt", "format", "frmt", "msg", "message"];
/// What is put around the conversions, with the variant of each that goes along.
const STYLES: [(&str, &str, &str); 6] =
    [("", " ", ""), ("[", ", ", "]"), ("", "|", "%%"), ("a", "", "z"), ("'", "' ", "'"), ("", ":", "\\n")];

/// The index of a function's `va_list`, if it is the last that it takes.
pub fn list_at(function: &Function) -> Option<usize> {
    let last = function.params.len().checked_sub(1)?;
    is_list(&function.params[last].ty).then_some(last)
}

/// Whether a type is `va_list`, by whichever of its names.
pub fn is_list(ty: &Type) -> bool {
    ty.spelling.contains("va_list")
}

/// Whether what a function takes behind its last parameter is read as that one says.
pub(super) fn is_readable(function: &Function) -> bool {
    format_at(function).is_some()
}

/// The parameter of a function that says how those behind it are to be read, where `...` or a `va_list` is behind it.
fn format_at(function: &Function) -> Option<usize> {
    let before = if function.is_variadic { function.params.len() } else { list_at(function)? };
    let at = before.checked_sub(1)?;
    let is_reader = function.name.to_ascii_lowercase().contains("scan");
    (is_format(&function.params[at]) && !is_reader).then_some(at)
}

fn is_format(param: &Param) -> bool {
    let name = param.name.to_ascii_lowercase();
    let is_text = param.ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Prim(Prim::Char)));
    is_text && FORMATS.iter().any(|word| name.contains(word))
}

/// The parameters with values for `...` or the `va_list`: a number, text, a number with a fraction.
pub(super) fn with_values(function: &Function, params: &[Param]) -> Vec<Param> {
    if !is_readable(function) {
        return params.to_vec();
    }
    let text = Type { is_const: true, spelling: "const char".into(), ..simple_type("char") };
    let text = Type {
        spelling: "const char *".into(),
        is_const: false,
        kind: TypeKind::Pointer(Box::new(text)),
        size: Some(8),
    };
    let more = [("value", simple_type("int")), ("text", text), ("real", simple_type("double"))];
    let fixed = if function.is_variadic { params.len() } else { params.len() - 1 };
    let more =
        more.map(|(name, ty)| Param { name: name.into(), ty, default: None, tested: false, ends: None, seen_as: None });
    params[..fixed].iter().cloned().chain(more).collect()
}

/// Lets the text that says how to read what follows it say what follows it: behind it stand `...`, a `va_list` or a pack.
pub(super) fn match_formats(function: &Function, slots: &mut [Slot], is_told: &dyn Fn(&str) -> bool) {
    let pack = || {
        let at = function.params.len().checked_sub(2)?;
        let is_pack = matches!(&function.params[at + 1].ty.kind, TypeKind::Dependent(text) if text.ends_with("..."));
        (is_pack && is_format(&function.params[at])).then_some(at)
    };
    let Some(at) = format_at(function).or_else(pack) else { return };
    if is_told(&function.params[at].name) || at >= slots.len() {
        return;
    }
    let types: Vec<&Type> = slots[at + 1..].iter().map(|slot| &slot.ty).collect();
    let expressions = formats(&types);
    let ty = value_type(&slots[at].ty);
    slots[at].recipe = Recipe::OneOf { ty, expressions };
    slots[at].nullable = false;
}

/// Literals with a conversion for each type, up to the first that has none.
fn formats(types: &[&Type]) -> Vec<String> {
    let styles = STYLES.iter().enumerate().map(|(variant, (open, between, close))| {
        let conversions: Vec<String> = types.iter().map_while(|ty| conversion(ty, variant)).collect();
        format!("\"{open}{}{close}\"", conversions.join(between))
    });
    styles.collect()
}

/// How a value of a type is printed; some of the variants differ. Nothing gets long: the text may end in an array.
fn conversion(ty: &Type, variant: usize) -> Option<String> {
    let ty = ty.without_ref();
    let integer = |signed: bool, length: &str| {
        let (flags, hexadecimal) =
            [("", false), ("5", false), ("", true), ("-3", false), ("03", false), ("", true)][variant % 6];
        let letter = if hexadecimal {
            "x"
        } else if signed {
            "d"
        } else {
            "u"
        };
        Some(format!("%{flags}{length}{letter}"))
    };
    match &ty.kind {
        TypeKind::Prim(prim) => match prim {
            Prim::Bool | Prim::Char | Prim::SChar | Prim::UChar | Prim::Short | Prim::UShort | Prim::Int => {
                integer(true, "")
            }
            Prim::UInt => integer(false, ""),
            Prim::Long => integer(true, "l"),
            Prim::ULong => integer(false, "l"),
            Prim::LongLong => integer(true, "ll"),
            Prim::ULongLong => integer(false, "ll"),
            Prim::Float | Prim::Double => Some(["%g", "%9.3g", "%e", "%.1g", "%G", "%g"][variant % 6].into()),
            _ => None,
        },
        TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Prim(Prim::Char)) => {
            Some(["%s", "%8s", "%.2s", "%-4s", "%s", "%s"][variant % 6].into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_has_a_conversion_of_its_type_for_each_value_and_ends_at_what_has_none() {
        let (int, long) = (simple_type("int"), simple_type("unsigned long"));
        let text = simple_type("std::string");
        let all = formats(&[&int, &long]);
        assert_eq!(all[..2], ["\"%d %lu\"", "\"[%5d, %5lu]\""]);
        assert_eq!(formats(&[&int, &text, &long])[0], "\"%d\"");
        assert!(all.iter().all(|format| !format.contains("%n")), "{all:?}");
    }
}
