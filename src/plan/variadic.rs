//! Functions that take `...` or a `va_list`: what they are given there, and the text that says how it is to be read.
//! Nothing but that text tells such a function what it was called with, so both are made together: a conversion for
//! each value, of its type, and none that writes (`%n`).

use super::unit_scope::UnitScope;
use super::{Kind, Reason, Slot};
use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, Language, Param, Prim, Type, TypeKind};
use crate::types::arithmetic::{is_integer, primitive, simple_type};
use crate::types::spelling::value_type;

/// So many values of one type are given to who reads them in a loop.
const MANY: usize = 4;
/// The text around the conversions, and between them.
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

/// The parameter of a function that says how those behind it are to be read, where `...` or a `va_list` is behind it.
fn format_at(lexicon: &Lexicon, function: &Function) -> Option<usize> {
    let before = if function.is_variadic { function.params.len() } else { list_at(function)? };
    let at = before.checked_sub(1)?;
    let is_reader = lexicon.says(&function.name, Role::Scans);
    // Who has text and reads nothing behind it himself hands it on to somebody who reads it by the text.
    let hands_on = function.is_variadic && function.reads.is_empty() && is_text(&function.params[at].ty);
    (function.reads.is_empty() && (is_format(lexicon, &function.params[at]) || hands_on) && !is_reader).then_some(at)
}

fn is_format(lexicon: &Lexicon, param: &Param) -> bool {
    is_text(&param.ty) && lexicon.says(&param.name, Role::Format)
}

fn is_text(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Prim(Prim::Char)))
}

/// The parameters with values for `...` or the `va_list`: a number, text, a number with a fraction where a format tells
/// them, else what the body reads there.
///
/// # Errors
/// It reads what can't be made.
pub(super) fn with_values(scope: &UnitScope<'_>, function: &Function, params: &[Param]) -> Result<Vec<Param>, Reason> {
    if format_at(scope.lexicon(), function).is_none() {
        let more = if function.is_variadic { read(scope, function)? } else { Vec::new() };
        return Ok(params.iter().cloned().chain(more.into_iter().map(|ty| Param::new("value", ty))).collect());
    }
    let more = [("value", simple_type("int")), ("text", text()), ("real", simple_type("double"))];
    let fixed = if function.is_variadic { params.len() } else { params.len() - 1 };
    Ok(params[..fixed].iter().cloned().chain(more.map(|(name, ty)| Param::new(name, ty))).collect())
}

fn text() -> Type {
    let text = Type { is_const: true, spelling: "const char".into(), ..simple_type("char") };
    let (spelling, kind) = ("const char *".into(), TypeKind::Pointer(Box::new(text)));
    Type { spelling, is_const: false, kind, size: Some(8) }
}

/// The types of what a function is given for its `...`: what is read over and over several times, anything else once.
/// The end of such a list, a null pointer or a zero, stands behind it, for callees that read on until they meet it.
fn read(scope: &UnitScope<'_>, function: &Function) -> Result<Vec<Type>, Reason> {
    let types = function.reads.iter().map(|read| {
        let is_text = matches!(read.as_str(), "char *" | "char*" | "const char *" | "const char*" | "char const *");
        let known = if is_text {
            Some(text())
        } else {
            primitive(read).or_else(|| super::class_arguments::named_type(scope, read))
        };
        known.filter(|ty| is_text || matches!(ty.kind, TypeKind::Prim(_))).ok_or_else(|| {
            Reason::new(format!("it reads `{read}` from `...`, and nothing says what that is to be"))
                .needs("parameters")
        })
    });
    let mut types: Vec<Type> = types.collect::<Result<_, _>>()?;
    let Some(last) = types.last().cloned() else { return Ok(types) };
    if types.iter().all(|ty| *ty == last) {
        types = vec![last.clone(); MANY];
    }
    types.push(last);
    Ok(types)
}

/// How many values follow, where a parameter before them says so; what ends them elsewhere.
pub(super) fn count_values(lexicon: &Lexicon, function: &Function, slots: &mut [Slot], is_told: &dyn Fn(&str) -> bool) {
    let is_c = function.language == Language::C;
    let at = match function.params.len().checked_sub(1) {
        Some(at) if function.is_variadic && !function.reads.is_empty() && at < slots.len() => at,
        _ => return,
    };
    let most = (slots.len() - at - 1).saturating_sub(1) as u64;
    let is_number = matches!(slots[at].ty.kind, TypeKind::Prim(prim) if is_integer(prim));
    if is_number && lexicon.says(&function.params[at].name, Role::Length) && !is_told(&function.params[at].name) {
        slots[at].recipe = Kind::Length { most, free: false, below: false }.of(value_type(&slots[at].ty));
    }
    let Some(end) = slots[at + 1..].last_mut() else { return };
    let expression = match (is_text(&end.ty), is_c) {
        (true, true) => "(const char *)NULL".to_owned(),
        (true, false) => crate::types::spelling::null_of(&end.ty, false),
        // (A zero of another type than is read would be read wrongly.)
        (false, true) => format!("({})0", end.ty.spelling),
        (false, false) => format!("static_cast<{}>(0)", end.ty.spelling),
    };
    end.recipe = Kind::Fixed { expression }.of(end.ty.clone());
    for text in slots[at + 1..].iter_mut().filter(|slot| is_text(&slot.ty)) {
        text.nullable =
            !lexicon.says(&function.params[at].name, Role::Length) && !matches!(text.recipe.kind, Kind::Fixed { .. });
    }
}

/// Lets the text that says how to read what follows it say what follows it: behind it stand `...`, a `va_list` or a
/// pack.
pub(super) fn match_formats(
    lexicon: &Lexicon,
    function: &Function,
    slots: &mut [Slot],
    is_told: &dyn Fn(&str) -> bool,
) {
    let pack = || {
        let at = function.params.len().checked_sub(2)?;
        let is_pack = matches!(&function.params[at + 1].ty.kind, TypeKind::Dependent(text) if text.ends_with("..."));
        (is_pack && is_format(lexicon, &function.params[at])).then_some(at)
    };
    let Some(at) = format_at(lexicon, function).or_else(pack) else { return };
    if is_told(&function.params[at].name) || at >= slots.len() {
        return;
    }
    let types: Vec<&Type> = slots[at + 1..].iter().map(|slot| &slot.ty).collect();
    let expressions = formats(&types);
    let ty = value_type(&slots[at].ty);
    slots[at].recipe = Kind::OneOf { expressions }.of(ty);
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
