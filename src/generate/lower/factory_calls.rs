//! Calls of what yields objects.

use super::writer::{Lowered, Lowering, Values};
use super::{calls, exact};
use crate::cpp::{call, print, raw};
use crate::model::{Function, FunctionKind, Param, Type, TypeKind};
use crate::plan::{Kind, Recipe};
use crate::types::records::is_place_of;
use crate::types::spelling::value_type;

/// The call that yields an object, or of which nobody keeps what it yields; with `out` a text for the argument at an
/// index that no recipe makes.
pub(super) fn factory_call(
    lowering: &mut Lowering<'_>,
    recipe: &Recipe,
    out: Option<(usize, String)>,
) -> Lowered<String> {
    let Kind::Factory { function, callee, object, args, .. } = &recipe.kind else {
        unreachable!("called for factories")
    };
    let object = match object {
        Some(slot) => Some(lowering.value(&slot.recipe, &slot.name)?),
        None => None,
    };
    let made = lowering.slots(args)?;
    let mut list = exact::pass_to(lowering, Some(function).filter(|_| out.is_none()), args, &made);
    if let Some((place, out)) = out.filter(|(place, _)| *place <= list.len()) {
        list.insert(place, raw(out));
    }
    let function = lowering.model.functions.get(function);
    Ok(match (object, function.filter(|_| callee.starts_with("operator"))) {
        (Some(object), Some(function)) if function.kind == FunctionKind::Method => {
            calls::operator(function, &object, &list)
        }
        // Its name is a type, which its class need not spell in full.
        (Some(object), Some(function)) if !crate::plan::entry::is_open(&function.result) => {
            let name = format!("operator {}", lowering.ty(&function.result));
            print(&call(object.member(&name), &list))
        }
        (Some(object), _) => print(&call(object.member(callee), &list)),
        (None, _) => print(&call(raw(lowering.spell(callee)), &list)),
    })
}

/// The call that ends an object of C of type `ty`, which its function may take for something else: a handle.
pub(in crate::generate) fn ends(end: &Function, ty: &Type, object: &str) -> String {
    let Some(param) = end.params.first() else { return format!("{}({object});", end.name) };
    if ty.record().is_some_and(|usr| is_place_of(&param.ty, usr)) {
        let is_variable = object.chars().all(|c| c.is_alphanumeric() || c == '_');
        let place = if is_variable { object.to_owned() } else { format!("({} *){{{object}}}", ty.bare_spelling()) };
        return format!("{}(&{place});", end.name);
    }
    format!("{}({}{object});", end.name, as_declared(param, ty))
}

/// The cast that makes of a structure what a function of C declares, where its body takes that for the structure.
pub(super) fn as_declared(param: &Param, structure: &Type) -> String {
    let is_void = param.ty.pointee().is_some_and(|to| to.kind == TypeKind::Void);
    if is_another(&param.ty, structure) && !is_void {
        format!("({})", value_type(&param.ty).spelling)
    } else {
        String::new()
    }
}

/// Whether a pointer is declared to lead to something else than a structure.
pub(super) fn is_another(pointer: &Type, structure: &Type) -> bool {
    pointer.pointee().is_some_and(|to| structure.record().is_some() && to.record() != structure.record())
}

pub(super) fn give_up_on_null(lowering: &mut Lowering<'_>, name: &str) {
    if lowering.from_input() {
        lowering.line(format!("if (!{name}) return;"));
    } else if lowering.is_c() {
        lowering.line(format!("assert({name} != NULL);"));
    } else {
        lowering.line(format!("ASSERT_TRUE({name} != nullptr);"));
    }
}
