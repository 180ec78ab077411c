//! Whether a header of one revision can stand among files of another: what both call by one name has one layout, and
//! what C links by its name alone has one type.

use crate::model::{Class, Enum, Extent, Function, Language, Model, Type, Usr};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the first thing that the older header says otherwise than the newer revision does: members, bases or
/// virtual methods of a type, the value of an enumerator, what an alias stands for, the type of a variable or of a
/// function of C. Files that are compiled with one header would misread what files with the other make. The header's
/// path is absolute.
pub fn differs<'m>(older: &'m Model, header: &Path, newer: &'m Model) -> Option<&'m str> {
    let is_here = |extent: &Extent| extent.file == header;
    let is_defined = |definition: &Option<Extent>| definition.as_ref().is_some_and(is_here);
    let classes = older.classes.values().filter(|class| is_defined(&class.definition));
    let mut classes = classes.filter_map(|class| Some((class, newer.classes.get(&class.usr)?)));
    let class =
        classes.find(|(class, other)| other.definition.is_some() && layout(older, class) != layout(newer, other));
    let aliases = older.aliases.values().filter(|alias| is_here(&alias.definition));
    let mut aliases = aliases.filter_map(|alias| Some((alias, newer.aliases.get(&alias.usr)?)));
    let alias = aliases.find(|(alias, other)| said(&alias.target) != said(&other.target));
    let variables = older.variables.values().filter(|variable| is_here(&variable.extent));
    let mut variables = variables.filter_map(|variable| Some((variable, newer.variables.get(&variable.usr)?)));
    let variable = variables.find(|(variable, other)| said(&variable.ty) != said(&other.ty));
    let declared = |function: &&Function| {
        let places = function.declarations.iter().chain(function.definition.iter().map(|it| &it.extent));
        function.language == Language::C && places.into_iter().any(is_here)
    };
    let functions = older.functions.values().filter(declared);
    let mut functions = functions.filter_map(|function| Some((function, newer.functions.get(&function.usr)?)));
    let function = functions.find(|(function, other)| signature(function) != signature(other));
    let values = values(newer.enums.values());
    let mut enums = older.enums.values().filter(|one| is_defined(&one.definition));
    let number = enums.find_map(|one| {
        let is_other = |(name, value): &&(String, i128)| values.get(name.as_str()).is_some_and(|now| now != value);
        one.enumerators.iter().find(is_other).map(|(name, _)| name.as_str())
    });
    let class = class.map(|(class, _)| class.qualified.as_str());
    class
        .or_else(|| alias.map(|(alias, _)| alias.qualified.as_str()))
        .or_else(|| variable.map(|(variable, _)| variable.qualified.as_str()))
        .or_else(|| function.map(|(function, _)| function.qualified.as_str()))
        .or(number)
}

/// A type without aliases, and its size.
type Said = (String, Option<u64>);

/// What a type is, whatever stands for it.
fn said(ty: &Type) -> Said {
    (ty.canonical(), ty.size)
}

fn signature(function: &Function) -> (Vec<Said>, Said, bool) {
    let params = function.params.iter().map(|param| said(&param.ty)).collect();
    (params, said(&function.result), function.is_variadic)
}

/// The values of all enumerators, by their names.
fn values<'m>(enums: impl Iterator<Item = &'m Enum>) -> BTreeMap<&'m str, i128> {
    enums.flat_map(|one| &one.enumerators).map(|(name, value)| (name.as_str(), *value)).collect()
}

/// What a compiler lays out for a class.
fn layout<'m>(model: &'m Model, class: &'m Class) -> impl PartialEq + use<'m> {
    let bases = class.bases.iter().map(|base| (said(&base.ty), base.is_virtual));
    let fields = class.fields.iter().filter(|field| !field.is_static);
    let fields = fields.map(|field| (field.name.as_str(), said(&field.ty), field.offset_bits, field.bit_width));
    let is_virtual = |usr: &&Usr| model.functions.get(*usr).is_some_and(|function| function.is_virtual);
    (
        (class.kind, class.size, class.align),
        bases.collect::<Vec<_>>(),
        fields.collect::<Vec<_>>(),
        class.methods.iter().filter(is_virtual).collect::<Vec<_>>(),
    )
}
