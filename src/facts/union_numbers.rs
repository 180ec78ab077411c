//! The numbers of a union in which an address may be: what can be looked at, whichever member is alive.

use super::anonymous_members::within;
use crate::model::{Class, Field, Model, Prim, Type, TypeKind};

/// The most numbers of one union that are looked at.
const MOST: usize = 24;
/// So deep in the structures of a union numbers are looked for.
pub const DEEPEST: usize = 3;
/// The longest array that is.
const LONGEST: u64 = 16;

/// A number of a union, or a structure in it that may have some.
pub enum Part<'m> {
    /// A number, or a row of them.
    Number(&'m Field),
    /// The field, with its class.
    Structure(&'m Field, &'m Class),
}

/// Whether such a value can be looked at, whatever its bytes are.
fn is_number(ty: &Type) -> bool {
    if ty.spelling.contains("volatile") {
        return false;
    }
    match &ty.kind {
        TypeKind::Prim(prim) => !matches!(prim, Prim::Bool | Prim::LongDouble | Prim::Int128 | Prim::UInt128),
        TypeKind::Enum(_) => true,
        TypeKind::Array(element, Some(1..=LONGEST)) => {
            is_number(element) && !matches!(element.kind, TypeKind::Array(..))
        }
        _ => false,
    }
}

/// The numbers of a union, or of a structure so deep in one.
pub fn parts<'m>(model: &'m Model, class: &'m Class, depth: usize) -> Vec<Part<'m>> {
    let mut found = Vec::new();
    for field in class.fields.iter().filter(|field| !field.is_static && field.bit_width.is_none()) {
        let inner = field.ty.record().and_then(|usr| model.classes.get(usr));
        match inner.filter(|inner| depth < DEEPEST && inner.definition.is_some() && !inner.is_polymorphic) {
            Some(inner) if within(model, field).is_some() => found.extend(parts(model, inner, depth + 1)),
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
pub fn has_numbers(model: &Model, union: &Class) -> bool {
    has_numbers_at(model, union, 0)
}

fn has_numbers_at(model: &Model, class: &Class, depth: usize) -> bool {
    parts(model, class, depth).iter().any(|part| match part {
        Part::Number(_) => true,
        Part::Structure(_, inner) => depth < DEEPEST && has_numbers_at(model, inner, depth + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_c;

    #[test]
    fn numbers_of_a_union_are_found_in_its_structures_too_but_nothing_that_may_not_be_looked_at() {
        let model = read_c(
            "#include <stdbool.h>\nunion value { int n; const char *text; bool is; struct { short line, column; } at;\n\
             struct { double real; }; volatile int state; int bits : 3; unsigned char bytes[8]; long double wide; };\n\
             union only { char *a; void (*b)(void); };",
        );
        let of = |name: &str| model.classes.values().find(|class| class.name == name).unwrap();
        let named = |part: &Part<'_>| match part {
            Part::Number(field) | Part::Structure(field, _) => field.name.clone(),
        };
        let found: Vec<String> = parts(&model, of("value"), 0).iter().map(named).collect();
        assert_eq!(found, ["n", "at", "real", "bytes"]);
        assert!(has_numbers(&model, of("value")) && !has_numbers(&model, of("only")));
    }
}
