//! Objects that a function leaves in a parameter (`plan::handed`).

use super::writer::{Lowered, Lowering, Made};
use super::{factory_calls, ownership};
use crate::cpp::address_of;
use crate::model::{Function, FunctionKind, Type, TypeKind};
use crate::plan::{Kind, Recipe};

use crate::facts::factories::is_kept;

/// An object that stays with the one who asked for it, and is taken down at the end.
pub(super) fn handed_out(lowering: &mut Lowering<'_>, recipe: &Recipe, place: usize, name: &str) -> Lowered<Made> {
    let (name, is_smart) = left_behind(lowering, recipe, place, name)?;
    if is_smart {
        return Ok(Made::smart(&name));
    }
    // In C the pointer to it says who ends it.
    if !lowering.is_c() && may_be_deleted(lowering, &recipe.ty) {
        if lowering.outlives() {
            lowering.line(format!("keep({name});"));
        } else {
            let owner = lowering.name(&format!("{name}_owner"));
            let ty = lowering.ty(&recipe.ty);
            lowering.line(format!("const std::unique_ptr<{ty}> {owner}({name});"));
        }
    }
    Ok(Made::pointer(&name))
}

/// An object that whoever is called with it makes its own.
pub(super) fn handed_over(lowering: &mut Lowering<'_>, recipe: &Recipe, place: usize, name: &str) -> Lowered<String> {
    let (name, is_smart) = left_behind(lowering, recipe, place, name)?;
    if !is_smart {
        return Ok(name);
    }
    let is_unique =
        out_type(lowering, recipe, place).is_some_and(|ty| crate::types::standard::owns_alone(lowering.model, ty));
    Ok(if is_unique { format!("{name}.release()") } else { format!("new {}(*{name})", lowering.ty(&recipe.ty)) })
}

/// A structure that a function makes ready where it stands.
pub(super) fn made_ready(lowering: &mut Lowering<'_>, recipe: &Recipe, place: usize, name: &str) -> Lowered<Made> {
    let function = function_of(lowering, recipe).ok_or("a factory that the project does not have")?;
    let (says, called) = (function.result.kind != TypeKind::Void, function.name.clone());
    // A variable of that name would hide it.
    lowering.reserve(&called);
    let (name, ty, lasts) = (lowering.name(name), lowering.ty(&recipe.ty), lowering.outlives());
    match (lowering.is_c(), lasts) {
        (true, true) => lowering.line(format!("{ty} *{name} = motif_allocate(in, sizeof *{name});")),
        (true, false) => {
            let declaration = lowering.declare(&recipe.ty, &name);
            lowering.line(format!("{declaration};"));
            lowering.line(format!("memset(&{name}, 0, sizeof {name});"));
        }
        (false, true) => lowering.line(format!("auto &{name} = keep(new {ty}());")),
        (false, false) => lowering.line(format!("{ty} {name}{{}};")),
    }
    let made = if lowering.is_c() && lasts { Made::pointer(&name) } else { Made::variable(&name) };
    let call = factory_calls::factory_call(lowering, recipe, Some((place, made.address())))?;
    dropping(lowering, &call, says);
    Ok(made)
}

/// Writes the call; the name of the variable that has the object then, and whether that is a smart pointer.
fn left_behind(lowering: &mut Lowering<'_>, recipe: &Recipe, place: usize, name: &str) -> Lowered<(String, bool)> {
    let to = out_type(lowering, recipe, place).ok_or("a factory that the project does not have")?.clone();
    let is_smart = to.record().is_some();
    let name = lowering.name(name);
    let ty = if is_smart { lowering.ty(&to) } else { lowering.ty(&recipe.ty) };
    if is_smart {
        lowering.object(&name, &format!("{ty}()"), format!("{ty} {name};"));
    } else {
        lowering.line(format!("{ty} *{name} = {};", lowering.null()));
    }
    let function = function_of(lowering, recipe).ok_or("a factory that the project does not have")?;
    let by_address = function.params[place].ty.pointee().is_some();
    let says = function.result.kind != TypeKind::Void;
    let out = if by_address { address_of(&name) } else { name.clone() };
    let made = factory_calls::factory_call(lowering, recipe, Some((place, out)))?;
    // Whether it could, the object itself says.
    dropping(lowering, &made, says);
    let of_old = crate::types::standard::is_unconditional(lowering.model, &to);
    factory_calls::give_up_on_null(lowering, &if of_old { format!("{name}.get()") } else { name.clone() });
    Ok((name, is_smart))
}

/// Writes a call whose result, if it has one that is to be looked at, nobody looks at.
pub(super) fn dropping(lowering: &mut Lowering<'_>, call: &str, has_result: bool) {
    lowering.line(match (has_result, lowering.is_c()) {
        (false, _) => format!("{call};"),
        (true, true) => format!("(void){call};"),
        (true, false) => format!("static_cast<void>({call});"),
    });
}

fn function_of<'m>(lowering: &Lowering<'m>, recipe: &Recipe) -> Option<&'m Function> {
    let Kind::Factory { function, .. } = &recipe.kind else { return None };
    lowering.model.functions.get(function)
}

/// The type behind an out parameter: a pointer, plain or smart.
fn out_type<'m>(lowering: &Lowering<'m>, recipe: &Recipe, place: usize) -> Option<&'m Type> {
    let ty = &function_of(lowering, recipe)?.params.get(place)?.ty;
    ty.pointee().or(Some(ty.without_ref()))
}

/// Whether `delete` takes all of such an object down.
fn may_be_deleted(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let class = lowering.model.class_of(ty);
    class.is_some_and(|class| {
        let destructor = class.functions(lowering.model);
        let is_virtual = destructor.filter(|f| f.kind == FunctionKind::Destructor).any(|f| f.is_virtual);
        ownership::is_defined(lowering, ty)
            && !is_kept(lowering.model, class)
            && (is_virtual || !class.is_polymorphic || !class.bases.is_empty())
    })
}
