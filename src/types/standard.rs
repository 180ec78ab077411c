//! The parts of library types, by their rows, and the uses of their values.

use crate::model::library::{Ability, Owner, Row, Shape};
use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::types::compose::{character, constant, pair, some_memory, type_argument};
use crate::types::forms::{Form, Meaning};
use crate::types::iterators;
use crate::types::library::{own_row, row, row_of};

/// The name of C's complex numbers, whose argument is the type of their parts.
pub const COMPLEX: &str = "_Complex";

/// What the parts of a complex number of C are.
pub fn complex_part(ty: &Type) -> Option<&Type> {
    match &ty.kind {
        TypeKind::Record { name, args, .. } if name == COMPLEX => type_argument(args, 0),
        _ => None,
    }
}

/// A type's shape, and what it is made of.
pub struct Anatomy<'m> {
    /// How a value of it comes to be.
    pub shape: Shape,
    /// A name and a type for each part.
    pub parts: Vec<(String, Type)>,
    /// Its row; none for an iterator.
    pub row: Option<&'m Row>,
}

/// Takes a type of a library apart; none where it is not known how one is made.
pub fn anatomy<'m>(model: &'m Model, ty: &Type) -> Option<Anatomy<'m>> {
    let TypeKind::Record { name, args, .. } = &ty.kind else { return None };
    if let Some((range, _)) = iterators::of_container(model, name, args) {
        return Some(Anatomy { shape: Shape::Iterator, parts: vec![("range".into(), range)], row: None });
    }
    let row = row(model, name)?;
    let (shape, forms) = row.shaped(type_argument(args, 0).map(Type::bare_spelling))?;
    let with = Meaning { model: Some(model), args, itself: ty };
    let mut parts = Vec::new();
    for (name, text) in &forms.0 {
        match Form::read(text).ok()? {
            Form::All => {
                for index in 0..args.len() {
                    parts.push((format!("{name}{}", index + 1), type_argument(args, index)?.clone()));
                }
            }
            form => parts.push((name.clone(), form.made(&with)?)),
        }
    }
    // Nobody can name the object behind a shared owner of `void` any more: it is some memory.
    if let (Shape::Smart, Some(Owner::Shared), [(_, value)]) = (shape, row.owner, parts.as_mut_slice())
        && matches!(value.kind, TypeKind::Void)
    {
        *value = some_memory();
    }
    Some(Anatomy { shape, parts, row: Some(row) })
}

/// Whether an object of such a type is made of values that it holds, whoever has filled it.
pub fn holds_values(model: &Model, ty: &Type) -> bool {
    use Shape::{Array, List, Map, Optional, Row, Sequence, Smart, Variant};
    anatomy(model, ty).is_some_and(|anatomy| {
        matches!(anatomy.shape, Sequence | Map | Array | Row | Optional | Variant | Smart | List)
    })
}

/// Whether a class of that name is the standard library's, or of an implementation of it.
pub fn is_standard(name: &str) -> bool {
    name.starts_with("std::") || name == COMPLEX || iterators::is_iterator(None, name)
}

/// Whether values of a class of that name are made by a row: the standard library's, and what the project has rows for.
pub fn is_of_library(model: &Model, name: &str) -> bool {
    is_standard(name) || own_row(model, name).is_some()
}

/// Whether it is a text or a container of a library, whose elements are what it is.
pub fn has_elements(model: &Model, ty: &Type) -> bool {
    row_of(model, ty).is_some_and(|row| matches!(row.shape, Shape::Text | Shape::Sequence | Shape::Map) && !row.view)
}

/// Whether it is a record of a first and a second value, by the name of the class.
pub fn is_pair(name: &str) -> bool {
    let names = |row: &Row| row.parts.0.iter().map(|(name, _)| name.as_str()).eq(["first", "second"]);
    row(None, name).is_some_and(names)
}

/// Whether it is text of `char`, or a view of it, by the name of the class.
pub fn is_text(name: &str) -> bool {
    row(None, name).is_some_and(|row| row.shape == Shape::Text)
}

/// Whether it is made of text, or is text, by the name of the class: a path.
pub fn is_made_of_text(name: &str) -> bool {
    let parts = |row: &Row| row.parts.0.iter().map(|(name, _)| name.as_str()).eq(["text"]);
    is_text(name) || row(None, name).is_some_and(parts)
}

/// Whether it is text that owns its characters, by the name of the class.
pub fn is_string(name: &str) -> bool {
    row(None, name).is_some_and(|row| row.shape == Shape::Text && !row.view)
}

/// Whether it has `begin()` and `end()`, with elements between them that somebody puts into it.
pub fn is_range(model: &Model, ty: &Type) -> bool {
    row_of(model, ty).is_some_and(Row::is_range)
}

/// Whether a value made of nothing holds, or leads to, nothing.
pub fn may_be_nothing(model: &Model, ty: &Type) -> bool {
    use Shape::{Function, Map, Optional, Sequence, Smart};
    row_of(model, ty).is_some_and(|row| match row.shape {
        Sequence | Map | Optional | Smart | Function => true,
        _ => row.owner.is_some() && row.default == Ability::Always,
    })
}

/// Whether it holds elements that somebody puts into it, text included.
pub fn holds_elements(model: &Model, ty: &Type) -> bool {
    row_of(model, ty).is_some_and(|row| matches!(row.shape, Shape::Sequence | Shape::Map | Shape::Text))
}

/// The elements of a container; of other classes their first argument.
pub(crate) fn element_type<'m>(model: impl Into<Option<&'m Model>>, ty: &Type) -> Option<Type> {
    let TypeKind::Record { name, args, .. } = &ty.kind else { return None };
    let (row, first) = (row(model, name), type_argument(args, 0));
    match row.map(|row| row.shape) {
        Some(Shape::Map) => Some(pair(&constant(first?), type_argument(args, 1)?)),
        Some(Shape::Text) if args.is_empty() => character(),
        _ => first.cloned(),
    }
}

/// Whether it is a smart pointer that owns, by the name of the class.
pub fn is_smart(name: &str) -> bool {
    row(None, name).is_some_and(|row| row.shape == Shape::Smart)
}

/// The pointee of an owning smart pointer.
pub fn smart_pointee<'t, 'm>(model: impl Into<Option<&'m Model>>, ty: &'t Type) -> Option<&'t Type> {
    let TypeKind::Record { name, args, .. } = &ty.kind else { return None };
    row(model, name).filter(|row| row.shape == Shape::Smart).and_then(|_| type_argument(args, 0))
}

/// Whose an object is that such a pointer leads to.
pub fn owner(model: &Model, ty: &Type) -> Option<Owner> {
    row_of(model, ty)?.owner
}

/// Whether it is a smart pointer that owns alone, and can let go of what it owns.
pub fn owns_alone(model: &Model, ty: &Type) -> bool {
    owner(model, ty) == Some(Owner::Sole)
}

/// Whether it is a smart pointer that neither can be compared with `nullptr` nor is a condition.
pub fn is_unconditional(model: &Model, ty: &Type) -> bool {
    row_of(model, ty).is_some_and(|row| row.shape == Shape::Smart && !row.condition)
}

/// Whether something can be done with values of the arguments, where that decides it for the whole.
pub fn is_able(ability: Ability, args: &[TemplateArg], of_argument: &dyn Fn(&Type) -> bool) -> bool {
    match ability {
        Ability::Always => true,
        Ability::Arguments => args.iter().all(|arg| match arg {
            TemplateArg::Type(ty) => of_argument(ty),
            TemplateArg::Value(_) => true,
        }),
        Ability::Unknown | Ability::Never => false,
    }
}

/// The values of a type that has a few.
pub fn known_values(row: &Row, ty: &Type) -> Vec<String> {
    row.values.iter().map(|text| text.replace("$self", &ty.spelling)).collect()
}

pub(crate) fn is_file(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Record { name, .. } if name == "_IO_FILE")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::arithmetic::simple_type;
    use crate::types::compose::{class_of, vector};

    fn seen(model: &Model, ty: &Type) -> Option<(Shape, Vec<String>)> {
        let found = anatomy(model, ty)?;
        Some((found.shape, found.parts.into_iter().map(|(name, ty)| format!("{name}: {}", ty.spelling)).collect()))
    }

    #[test]
    fn types_of_the_library_fall_apart_as_their_rows_say() {
        let (int, wide) = (simple_type("int"), Type { spelling: "wchar_t".into(), ..simple_type("int") });
        let model = Model::default();
        let of = |ty: &Type| seen(&model, ty);
        let parts =
            |shape, parts: &[&str]| Some((shape, parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>()));
        assert_eq!(of(&vector(&int)), parts(Shape::Sequence, &["element: int"]));
        let tuple = class_of("std::tuple", &[&int, &vector(&int)]);
        assert_eq!(of(&tuple), parts(Shape::Row, &["item1: int", "item2: std::vector<int>"]));
        assert_eq!(of(&class_of("std::basic_string", &[&simple_type("char")])), parts(Shape::Text, &[]));
        assert_eq!(of(&class_of("std::basic_string", &[&wide])), parts(Shape::Sequence, &["element: wchar_t"]));
        let looked_at = parts(Shape::Row, &["characters: std::basic_string<wchar_t> &"]);
        assert_eq!(of(&class_of("std::basic_string_view", &[&wide])), looked_at);
        let weak = parts(Shape::Row, &["shared: std::shared_ptr<int>"]);
        assert_eq!(of(&class_of("std::weak_ptr", &[&int])), weak);
        assert_eq!(of(&class_of("std::basic_regex", &[&wide])), None);
        assert_eq!(of(&class_of("std::no_such", &[&int])), None);
        let iterator = parts(Shape::Iterator, &["range: std::list<int>"]);
        assert_eq!(of(&class_of("std::_List_iterator", &[&int])), iterator);
    }

    #[test]
    fn a_row_of_the_projects_own_makes_a_type_known() {
        let row: Row = serde_yaml::from_str("{shape: sequence, parts: {element: $1}, fill: add}").unwrap();
        let model = Model { library: [("lib::ring".to_owned(), row)].into(), ..Model::default() };
        let ring = class_of("lib::ring", &[&simple_type("int")]);
        assert_eq!(seen(&model, &ring), Some((Shape::Sequence, vec!["element: int".to_owned()])));
        assert!(is_of_library(&model, "lib::ring") && !is_of_library(&Model::default(), "lib::ring"));
        assert!(holds_elements(&model, &ring) && !owns_alone(&model, &ring));
    }
}
