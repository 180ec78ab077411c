//! Smart pointers: of objects, of arrays, and with functions of somebody's that end what they own.

use super::writer::{Lowered, Lowering, Made};
use super::{fill, owned};
use crate::generate::literal;
use crate::model::library::Shape;
use crate::model::{TemplateArg, Type, TypeKind};
use crate::plan::{Kind, Recipe, Slot};
use crate::types::library::row_of;
use crate::types::spelling::value_type;
use crate::types::standard::owns_alone;

use super::fill::flat;

/// A smart pointer to what it owns from then on.
pub(super) fn smart(lowering: &mut Lowering<'_>, ty: &Type, to: &Slot, name: &str) -> Lowered<Made> {
    if matches!((&to.recipe.kind, &to.recipe.ty.kind), (Kind::Array { .. }, TypeKind::Array(..))) {
        return owner_of_array(lowering, ty, &to.recipe, name);
    }
    let made = match owned::lent(lowering, ty, &to.recipe, name)? {
        Some(lent) => lent,
        None => owned::owned(lowering, &to.recipe, name)?,
    };
    let name = lowering.name(&format!("{name}_owner"));
    let init = format!("{made}{}", behind_object(lowering, ty));
    let ty = lowering.ty(ty);
    Ok(lowering.variable(&name, &ty, &init))
}

fn owner_of_array(lowering: &mut Lowering<'_>, ty: &Type, of: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Array { element, length, text } = &of.kind else { unreachable!("called for arrays") };
    let (length, text) = (*length, *text);
    let name = lowering.name(&format!("{name}_owner"));
    let ender = behind_object(lowering, ty);
    let array = format!("new {}[{length}]", lowering.ty(&value_type(&element.ty)));
    let ty = lowering.ty(ty);
    let numbers = flat(element, length).filter(|_| matches!(element.recipe.kind, Kind::Prim { .. }));
    if let (false, Some((prim, _))) = (lowering.from_input(), numbers) {
        let (values, used) = fill::drawn_elements(lowering, length, text)?;
        let list: Vec<String> = values[..used].iter().map(|v| literal::scalar(v, prim, lowering.language)).collect();
        lowering.line(format!("{ty} {name}({array}{{{}}}{ender});", list.join(", ")));
        return Ok(Made::variable(&name));
    }
    let init = format!("{array}(){ender}");
    let owner = lowering.variable(&name, &ty, &init);
    if let (true, Some((_, total))) = (lowering.from_input(), numbers) {
        lowering.line(format!("in.array({name}.get(), {total});"));
        if text {
            lowering.line(format!("{name}[{}] = 0;", length - 1));
        }
    } else {
        fill::fill_array(lowering, (element, length, text), &name, false)?;
    }
    Ok(owner)
}

/// The arguments of a smart pointer behind its object.
fn behind_object(lowering: &Lowering<'_>, ty: &Type) -> String {
    ender_of(lowering, ty).map_or_else(String::new, |ender| format!(", {ender}"))
}

/// The deleter of a smart pointer that has no default one.
pub(super) fn ender_of(lowering: &Lowering<'_>, ty: &Type) -> Option<String> {
    let TypeKind::Record { args, .. } = &ty.kind else { return None };
    let [TemplateArg::Type(to), TemplateArg::Type(ender)] = args.as_slice() else { return None };
    let function = match &ender.kind {
        TypeKind::Pointer(function) => function,
        TypeKind::Record { args, .. } if row_of(None, ender).is_some_and(|row| row.shape == Shape::Function) => {
            match args.first() {
                Some(TemplateArg::Type(function)) => function,
                _ => return None,
            }
        }
        _ => return None,
    };
    let TypeKind::Function { result, params, .. } = &function.kind else { return None };
    let ([param], true) = (params.as_slice(), owns_alone(lowering.model, ty)) else { return None };
    let spelled = lowering.ty(param);
    let it = if matches!(param.pointee().map(|to| &to.kind), Some(TypeKind::Void)) {
        format!("static_cast<{} *>(it)", lowering.ty(to))
    } else {
        "it".to_owned()
    };
    let ends = match &to.kind {
        TypeKind::Record { name, .. } if name == "_IO_FILE" => format!("fclose({it})"),
        TypeKind::Array(..) => format!("delete[] {it}"),
        _ => format!("delete {it}"),
    };
    let parameter = crate::cpp::declare(&spelled, "it");
    Some(match &result.kind {
        TypeKind::Void => format!("[]({parameter}) {{ {ends}; }}"),
        _ if ends.starts_with("fclose") => format!("[]({parameter}) {{ return {ends}; }}"),
        _ => {
            let result = lowering.ty(result);
            format!("[]({parameter}) -> {result} {{\n    {ends};\n    return {result}();\n  }}")
        }
    })
}
