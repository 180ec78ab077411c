//! What is compared of objects that an installed library's classes have: what everybody may see of them. Members that
//! are open, what they say when they are asked, and what is written of them to a stream; never what they keep to
//! themselves.

use crate::lexicon::Lexicon;
use crate::model::{Access, Class, Function, FunctionKind, Model, Prim, Type, TypeKind};
use crate::plan::record_paths::{PRINTED, is_told};
use std::fmt::Write as _;

/// The most questions to one object.
const MOST: usize = 24;

/// Whether an observer is written for the class: not for what the runtime knows by its shape, nor where there is
/// nothing to see.
pub(super) fn shows(lexicon: &Lexicon, model: &Model, class: &Class) -> bool {
    let Some(installed) = &class.installed else { return true };
    let has_shape = installed.grid.is_some() || installed.elements.is_some() || installed.leads_on;
    let is_open = class.fields.iter().any(|field| !field.is_static && field.access == Access::Public);
    !has_shape
        && (installed.is_printed
            || is_open
            || getters(lexicon, model, class).next().is_some()
            || has_open_base(lexicon, model, class))
}

fn has_open_base(lexicon: &Lexicon, model: &Model, class: &Class) -> bool {
    let open = class.other_bases().filter(|base| base.access == Access::Public);
    open.filter_map(|base| model.class_of(&base.ty)).any(|base| shows(lexicon, model, base))
}

/// The methods of an installed class's own that tell something of an object.
pub(super) fn getters<'m>(
    lexicon: &'m Lexicon,
    model: &'m Model,
    class: &'m Class,
) -> impl Iterator<Item = &'m Function> + 'm {
    let methods = class.functions(model);
    let told = methods.filter(|method| {
        let is_open =
            method.access == Some(Access::Public) && method.kind == FunctionKind::Method && !method.is_deleted;
        is_open
            && method.is_const
            && method.params.is_empty()
            && is_told(lexicon, &method.name)
            && is_plain(&method.result)
    });
    told.take(if class.installed.is_some() { MOST } else { 0 })
}

/// Numbers, enumerators and text: what is the same in every run, and changes with nothing else.
fn is_plain(ty: &Type) -> bool {
    match &ty.without_ref().kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        TypeKind::Pointer(to) => to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Record { name, .. } => crate::types::standard::is_string(name),
        _ => false,
    }
}

/// The statements that ask an object.
pub(super) fn questions(
    lexicon: &Lexicon,
    model: &Model,
    class: &Class,
    excluded: &[(String, String, String)],
) -> String {
    let mut text = String::new();
    let is_left_out = |name: &str| excluded.iter().any(|(of, member, _)| *of == class.qualified && member == name);
    if class.installed.as_ref().is_some_and(|installed| installed.is_printed) && !is_left_out(PRINTED) {
        let _ = writeln!(text, "  record.asked(\"{PRINTED}\", [&it] {{");
        let _ = writeln!(text, "    std::ostringstream text;\n    text << it;\n    return text.str();\n  }});");
    }
    for getter in getters(lexicon, model, class) {
        let name = format!("{}()", getter.name);
        if !is_left_out(&name) {
            let _ = writeln!(text, "  record.asked(\"{name}\", [&it] {{ return it.{name}; }});");
        }
    }
    text
}

/// A helper of tests that prints an object.
pub const PRINT: &str = "template <typename T>
std::string printed(const T &value) {
  std::ostringstream text;
  text << value;
  return text.str();
}";
