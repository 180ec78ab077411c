//! Flexible array members: `struct message { uint16_t length; uint8_t data[]; };` (C11 6.7.2.1, paragraph 18), and
//! `data[0]`, which compilers take for the same. Who makes such an object makes room for its elements.

use crate::model::{Class, ClassKind, Field, Type, TypeKind};

/// The flexible array member of a class.
#[derive(Clone, Copy, Debug)]
pub struct Flexible<'c> {
    /// Its place among the members: the last.
    pub place: usize,
    /// The member.
    pub field: &'c Field,
    /// What it has any number of.
    pub element: &'c Type,
}

/// The flexible array member of a class, if it has one beside others.
pub fn flexible(class: &Class) -> Option<Flexible<'_>> {
    let (place, field) = class.fields.iter().enumerate().rfind(|(_, field)| !field.is_static)?;
    let TypeKind::Array(element, None | Some(0)) = &field.ty.kind else { return None };
    let is_one = place > 0 && class.kind != ClassKind::Union && !field.name.is_empty();
    is_one.then_some(Flexible { place, field, element })
}

#[cfg(test)]
mod tests {
    use super::flexible;

    #[test]
    fn the_last_member_of_a_structure_is_flexible_where_its_length_is_not_said() {
        let of = |text: &str| {
            let model = crate::parse::testing::read_c(&format!("struct it {{ {text} }}; struct it *make(void);"));
            let class = model.classes.values().find(|class| class.name == "it").expect("it is there");
            flexible(class).map(|found| (found.field.name.clone(), found.element.spelling.clone()))
        };
        let found = |name: &str, element: &str| Some((name.to_owned(), element.to_owned()));
        assert_eq!(of("int n; short values[];"), found("values", "short"));
        assert_eq!(of("int n; short values[0];"), found("values", "short"));
        assert_eq!(of("int n; short values[1];"), None);
        assert_eq!(of("short values[0]; int n;"), None);
        assert_eq!(of("int n; union { int a; } u;"), None);
    }
}
