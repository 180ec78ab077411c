//! What C can ask an object whose structure only another source knows: functions that take a pointer to it, look at it,
//! and return a number.

use crate::lexicon::Lexicon;
use crate::model::{Class, Function, FunctionKind, Language, Model, Param, Type, TypeKind};
use crate::plan::record_paths::is_told;

/// The most questions to one object.
const MOST: usize = 8;

/// The functions that tell something of an object of the class, and that a header declares.
pub fn tellers<'m>(
    lexicon: &'m Lexicon,
    model: &'m Model,
    class: &'m Class,
) -> impl Iterator<Item = &'m Function> + use<'m> {
    let all = model.functions.values().filter(|_| class.language == Language::C);
    all.filter(move |function| tells(lexicon, function, class) && is_in_header(model, function)).take(MOST)
}

fn tells(lexicon: &Lexicon, function: &Function, class: &Class) -> bool {
    let [object] = function.params.as_slice() else { return false };
    let only_reads = object.ty.pointee().is_some_and(|to| to.is_const) || object.only_read.is_some();
    function.language == Language::C
        && function.kind == FunctionKind::Function
        && leads_to(object, class)
        && only_reads
        && !function.is_variadic
        && function.definition.is_some()
        && matches!(function.result.kind, TypeKind::Prim(_) | TypeKind::Enum(_))
        && is_told(lexicon, &function.name)
}

/// Whether a parameter points to an object of the class, which it may change or not.
pub fn leads_to(param: &Param, class: &Class) -> bool {
    param.ty.pointee().and_then(Type::record) == Some(&class.usr)
}

fn is_in_header(model: &Model, function: &Function) -> bool {
    let is_main = |file: &std::path::Path| model.units.iter().any(|unit| unit.main_file == file);
    !function.is_file_local && function.declarations.iter().any(|at| !is_main(&at.file))
}
