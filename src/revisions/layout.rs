//! Whether a header of one revision can stand among files of another: what both call by one name has one layout.

use crate::model::{Class, Enum, Extent, Model, Usr};
use std::path::Path;

/// The name of the first type that the header defines in both revisions with another layout: other members, bases,
/// virtual methods or enumerators. Files that are compiled with one header would misread what files with the other
/// make. Paths are absolute, each in its revision.
pub fn differs<'m>(older: (&'m Model, &Path), newer: (&'m Model, &Path)) -> Option<&'m str> {
    let is_here = |definition: &Option<Extent>, file: &Path| definition.as_ref().is_some_and(|it| it.file == file);
    let classes = older.0.classes.iter().filter(|(_, class)| is_here(&class.definition, older.1));
    let classes = classes.filter_map(|(usr, class)| Some((class, newer.0.classes.get(usr)?)));
    let mut classes = classes.filter(|(_, other)| is_here(&other.definition, newer.1));
    let enums = older.0.enums.iter().filter(|(_, one)| is_here(&one.definition, older.1));
    let mut enums = enums.filter_map(|(usr, one)| Some((one, newer.0.enums.get(usr)?)));
    let class = classes.find(|(class, other)| layout(older.0, class) != layout(newer.0, other));
    let changed = |(one, other): &(&Enum, &Enum)| values(one) != values(other);
    class
        .map(|(class, _)| class.qualified.as_str())
        .or_else(|| enums.find(changed).map(|(one, _)| one.qualified.as_str()))
}

/// What a compiler lays out for a class.
fn layout<'m>(model: &'m Model, class: &'m Class) -> impl PartialEq + use<'m> {
    let bases = class.bases.iter().map(|base| (base.ty.spelling.as_str(), base.is_virtual));
    let fields = class.fields.iter().filter(|field| !field.is_static);
    let fields =
        fields.map(|field| (field.name.as_str(), field.ty.spelling.as_str(), field.offset_bits, field.bit_width));
    let is_virtual = |usr: &&Usr| model.functions.get(*usr).is_some_and(|function| function.is_virtual);
    (
        (class.kind, class.size, class.align),
        bases.collect::<Vec<_>>(),
        fields.collect::<Vec<_>>(),
        class.methods.iter().filter(is_virtual).collect::<Vec<_>>(),
    )
}

/// The values of an enumeration that every file has to agree on.
fn values(one: &Enum) -> impl PartialEq + use<'_> {
    (one.underlying, &one.enumerators)
}
