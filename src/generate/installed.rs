//! What is compared of objects whose state can't be seen: those of an installed library's classes, and those of the
//! project's that hide it (`facts::hidden_state`). Members that are open, what they say when they are asked, and what
//! is written of them to a stream; never what another library keeps to itself.

use crate::facts::hidden_state::{self, asks, is_hidden};
use crate::lexicon::Lexicon;
use crate::model::{Access, Class, Function, Model, Prim, Type, TypeKind};
use crate::plan::UnitPlan;
use crate::plan::record_paths::{ELEMENTS, PRINTED, RANGE, is_told};
use crate::types::substitution::Substitution;
use std::fmt::Write as _;

/// The most questions to one object.
const MOST: usize = 24;
/// The most questions to one of the project's own, which answers with code under test.
const MOST_OF_PROJECT: usize = 8;

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

/// The methods of a class's own that tell something of an object whose state can't be seen.
pub(super) fn getters<'m>(
    lexicon: &'m Lexicon,
    model: &'m Model,
    class: &'m Class,
) -> impl Iterator<Item = &'m Function> + 'm {
    let most = match class.installed {
        Some(_) => MOST,
        None if is_hidden(model, class) => MOST_OF_PROJECT,
        None => 0,
    };
    let is_installed = class.installed.is_some();
    // (Text of the project need not end with a zero.)
    let is_answer = move |ty: &Type| is_plain(ty) && (is_installed || ty.without_ref().pointee().is_none());
    let methods = class.functions(model);
    let told = methods.filter(move |method| {
        asks(method)
            && is_told(lexicon, &method.name)
            && (is_answer(&method.result) || text_of(model, class, method).is_some())
            && (is_installed || method.definition.is_some())
    });
    told.take(most)
}

/// The class of a library's texts that a method of one of its other classes answers with.
pub(super) fn text_of<'m>(model: &'m Model, class: &Class, method: &Function) -> Option<&'m Class> {
    let is_text = |class: &Class| {
        let is_text =
            |ty: &Type| is_plain(ty) && !matches!(ty.without_ref().kind, TypeKind::Prim(_) | TypeKind::Enum(_));
        class.installed.is_some() && class.functions(model).any(|method| asks(method) && is_text(&method.result))
    };
    let result = model.class_of(method.result.without_ref()).filter(|result| is_text(result));
    result.filter(|_| class.installed.is_some() && !is_text(class))
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
    with: &Substitution,
    excluded: &[(String, String, String)],
) -> String {
    let mut text = String::new();
    let is_left_out = |name: &str| excluded.iter().any(|(of, member, _)| *of == class.qualified && member == name);
    if class.installed.as_ref().is_some_and(|installed| installed.is_printed) && !is_left_out(PRINTED) {
        let _ = writeln!(text, "  record.asked(\"{PRINTED}\", [&it] {{");
        let _ = writeln!(text, "    std::ostringstream text;\n    text << it;\n    return text.str();\n  }});");
    }
    let elements = if is_hidden(model, class) { hidden_state::elements(model, class, with) } else { None };
    if let Some(element) = elements.filter(|_| !is_left_out(ELEMENTS)) {
        let is_text = matches!(element.kind, TypeKind::Prim(Prim::Char));
        let label = if is_text { format!("{ELEMENTS}{RANGE}end()") } else { ELEMENTS.to_owned() };
        let _ =
            writeln!(text, "  record.asked(\"{label}\", [&it] {{ return MOTIF::between(it.begin(), it.end()); }});");
    }
    for getter in getters(lexicon, model, class) {
        let name = format!("{}()", getter.name);
        if !is_left_out(&name) {
            // (What another library refers to need not be copied.)
            let result = if text_of(model, class, getter).is_some() && getter.result.is_reference() {
                format!("() -> decltype(it.{name}) ")
            } else {
                String::from(" ")
            };
            let _ = writeln!(text, "  record.asked(\"{name}\", [&it]{result}{{ return it.{name}; }});");
        }
    }
    text
}

/// What objects of the project are asked in the driver of a unit: the class, and under which name the answer is
/// recorded.
pub fn asked_of_project(model: &Model, plan: &UnitPlan) -> Vec<(String, String)> {
    let mut asked = Vec::new();
    for observed in super::observe::observed(model, plan) {
        let class = observed.class;
        if is_hidden(model, class) {
            let labels = getters(&plan.lexicon, model, class).map(|getter| format!("{}()", getter.name));
            asked.extend(labels.chain([ELEMENTS.to_owned()]).map(|label| (class.qualified.clone(), label)));
        }
    }
    asked
}

/// A helper of tests that prints an object.
pub const PRINT: &str = "template <typename T>
std::string printed(const T &value) {
  std::ostringstream text;
  text << value;
  return text.str();
}";
