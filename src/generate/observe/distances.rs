//! Cursors: pointers of a class that stand in one block of memory. Where they point to is no value that could be
//! compared, but how far they are apart is.

use super::how::is_recorded;
use crate::model::{Class, ClassKind, Field, Type, TypeKind};
use crate::plan::record_paths::DISTANCE;
use crate::types::substitution::Substitution;

/// A member's distance is recorded from so many of those before it.
const FROM: usize = 3;

/// Members whose distance from another one tells where they are: the member, and one before it that points to such
/// elements. Which two stand in one block only running tells.
pub(super) fn distances<'c>(class: &'c Class, with: &Substitution) -> Vec<(&'c Field, &'c Field)> {
    if class.kind == ClassKind::Union || class.installed.is_some() {
        return Vec::new();
    }
    let elements = |field: &Field| element(&with.apply(&field.ty));
    let pointers = class.fields.iter().filter(|field| !field.is_static && !field.name.is_empty());
    let pointers: Vec<(&Field, Type)> = pointers.filter_map(|field| Some((field, elements(field)?))).collect();
    let mut pairs = Vec::new();
    for (place, (field, ty)) in pointers.iter().enumerate() {
        let before = pointers[..place].iter().filter(|(_, other)| other.bare_spelling() == ty.bare_spelling());
        let before: Vec<&Field> = before.take(FROM).map(|(other, _)| *other).collect();
        pairs.extend(before.into_iter().rev().map(|other| (*field, other)));
    }
    pairs
}

/// What a pointer to numbers points to.
fn element(ty: &Type) -> Option<Type> {
    let TypeKind::Pointer(to) = &ty.kind else { return None };
    matches!(to.kind, TypeKind::Prim(prim) if is_recorded(prim, to)).then(|| (**to).clone())
}

/// The name under which the distance is recorded.
pub(super) fn label(field: &Field, from: &Field) -> String {
    format!("{}{DISTANCE}{}", field.name, from.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn pointers_to_the_same_elements_are_told_by_how_far_they_are_apart() {
        let model = read_cpp(
            "struct Cursor { const char *begin; int *numbers; char *at; const char *end; void *other; };\n\
             int length(const Cursor &c) { return c.end - c.begin; }",
        );
        let class = model.class_named("Cursor").unwrap();
        let found = distances(class, &Substitution::of(&model, class, &[]));
        let labels: Vec<String> = found.iter().map(|(field, from)| label(field, from)).collect();
        assert_eq!(labels, ["at-begin", "end-at", "end-begin"]);
    }
}
