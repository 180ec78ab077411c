//! The member types of containers, text and iterators of libraries: `value_type`, `iterator`.

use crate::model::library::Shape;
use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::types::arithmetic::simple_type;
use crate::types::compose::{self, constant, pointing, type_argument};
use crate::types::iterators::{is_iterator, of_container, within};
use crate::types::library::row;
use crate::types::spelling::value_type;
use crate::types::standard::{element_type, is_standard};
use crate::types::traits;

/// The member type `name` of `of`, a type of the class `class` of a library with the arguments `args`.
pub(crate) fn member_type(
    model: Option<&Model>,
    of: &Type,
    class: &str,
    args: &[TemplateArg],
    name: &str,
) -> Option<Type> {
    let row = row(model, class);
    let is_iterator = is_iterator(model, class);
    if row.is_none() && !is_iterator && !is_standard(class) {
        return None;
    }
    let is_map = row.is_some_and(|row| row.shape == Shape::Map);
    let part = |name: &str| {
        let index = row?.parts.0.iter().position(|(part, _)| part == name)?;
        type_argument(args, index).cloned()
    };
    let element = || if is_iterator { traits::element(model, of) } else { element_type(model, of) };
    let named = |ty: Type| Type { spelling: format!("{}::{name}", of.bare_spelling()), ..ty };
    match name {
        "value_type" | "element_type" => element(),
        "key_type" => part("key"),
        "mapped_type" if is_map => part("value"),
        "first_type" => part("first"),
        "second_type" => part("second"),
        "reference" => Some(pointing(element()?, "&", TypeKind::LvalueRef)),
        "const_reference" => Some(pointing(constant(&element()?), "&", TypeKind::LvalueRef)),
        "pointer" => Some(pointing(value_type(&element()?), "*", TypeKind::Pointer)),
        "const_pointer" => Some(pointing(constant(&element()?), "*", TypeKind::Pointer)),
        "size_type" => Some(simple_type("std::size_t")),
        "iterator_type" if is_iterator => type_argument(args, 0).cloned(),
        "difference_type" => Some(simple_type("long")),
        "reverse_iterator" | "const_reverse_iterator" => {
            let inner = member_type(model, of, class, args, &name.replace("reverse_", ""))?;
            of_container(model, class, args).is_none().then_some(())?;
            Some(named(compose::class_of("std::reverse_iterator", &[&inner])))
        }
        "iterator" | "const_iterator" => within(model, class, of, args, name == "const_iterator").map(named),
        _ => None,
    }
}
