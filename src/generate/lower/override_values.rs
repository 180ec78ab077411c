//! Values and statements of overrides: patterns, and code that a person has written.

use super::writer::{Lowered, Lowering, Made};
use crate::cpp::string_literal;
use crate::model::{Type, TypeKind};
use crate::plan::Slot;

/// Text that a regular expression describes.
pub(super) fn pattern(lowering: &mut Lowering<'_>, ty: &Type, pattern: &str, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let text = if lowering.from_input() {
        let literal = string_literal(pattern.as_bytes());
        if lowering.is_c() { format!("motif_take_pattern(in, {literal})") } else { format!("in.pattern({literal})") }
    } else {
        lowering.draw_text("a pattern")?
    };
    let constant = ty.pointee().is_none_or(|to| to.is_const);
    let declaration = match (&ty.kind, lowering.from_input()) {
        (TypeKind::Pointer(_), false) if !constant => format!("char {name}[]"),
        (TypeKind::Pointer(_), _) => lowering.declare(ty, &name),
        // A view would look at a temporary.
        _ => format!("std::string {name}"),
    };
    lowering.line(format!("{declaration} = {text};"));
    Ok(Made::variable(&name))
}

/// Statements of an override; what stands for a value is replaced by the value's expression.
pub(super) fn told(lowering: &mut Lowering<'_>, statements: &[String], values: &[(&str, &Made)]) {
    let mut values: Vec<&(&str, &Made)> = values.iter().collect();
    // `$mission2` before `$mission`.
    values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for statement in statements {
        let text = values.iter().fold(statement.clone(), |text, (name, made)| {
            let plain = made.object.chars().all(|c| c.is_alphanumeric() || c == '_');
            let object = if plain { made.object.clone() } else { format!("({})", made.object) };
            text.replace(name, &object)
        });
        let text = lowering.spell(&text);
        lowering.line(text);
    }
}

/// The statements before the call under test.
pub fn before(lowering: &mut Lowering<'_>, statements: &[String], object: Option<&Made>, args: &[Slot], made: &[Made]) {
    let names: Vec<String> = args.iter().map(|slot| format!("${}", slot.name)).collect();
    let mut values: Vec<(&str, &Made)> = names.iter().map(String::as_str).zip(made).collect();
    values.extend(object.map(|object| ("$object", object)));
    told(lowering, statements, &values);
}
