//! The parts of a type in the places of a pattern's parameters.

use crate::model::{TemplateArg, Type, TypeKind};
use crate::types::spelling::value_type;
use std::collections::BTreeMap;

/// The parts of `arg` in the places of `pattern`'s parameters.
pub(crate) fn match_argument(pattern: &TemplateArg, arg: &TemplateArg, found: &mut BTreeMap<String, TemplateArg>) {
    match (pattern, arg) {
        (TemplateArg::Type(pattern), TemplateArg::Type(ty)) => match_type(pattern, ty, found),
        (TemplateArg::Value(name), value) => {
            found.entry(name.clone()).or_insert_with(|| value.clone());
        }
        // A parameter by its name alone may be a value.
        (TemplateArg::Type(Type { kind: TypeKind::Dependent(name), .. }), value) => {
            found.entry(name.clone()).or_insert_with(|| value.clone());
        }
        _ => {}
    }
}

fn match_type(pattern: &Type, ty: &Type, found: &mut BTreeMap<String, TemplateArg>) {
    use TypeKind::{Array, Dependent, Function, LvalueRef, Pointer, Record, RvalueRef};
    match (&pattern.kind, &ty.kind) {
        (Dependent(name), _) => {
            let bare = if pattern.is_const { value_type(ty) } else { ty.clone() };
            found.entry(name.clone()).or_insert(TemplateArg::Type(bare));
        }
        (Pointer(pattern), Pointer(ty))
        | (LvalueRef(pattern), LvalueRef(ty))
        | (RvalueRef(pattern), RvalueRef(ty))
        | (Array(pattern, _), Array(ty, _)) => match_type(pattern, ty, found),
        (Record { args: patterns, .. }, Record { args, .. }) => {
            patterns.iter().zip(args).for_each(|(pattern, arg)| match_argument(pattern, arg, found));
        }
        (Function { result: pattern, params: patterns, .. }, Function { result, params, .. }) => {
            match_type(pattern, result, found);
            patterns.iter().zip(params).for_each(|(pattern, ty)| match_type(pattern, ty, found));
        }
        _ => {}
    }
}
