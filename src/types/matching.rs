//! The parts of a type in the places of a pattern's parameters.

use crate::model::{TemplateArg, Type, TypeKind, is_name};
use crate::types::spelling::{split_arguments, value_type};
use std::collections::BTreeMap;

/// The arguments by the names of the parameters; several for a pack, one for all others.
pub(crate) type Bound = BTreeMap<String, Vec<TemplateArg>>;

/// Notes the parts of `actual` in the places of `pattern`'s parameters.
pub(crate) fn match_type(pattern: &Type, actual: &Type, found: &mut Bound) {
    use TypeKind::{Array, Dependent, Function, LvalueRef, Pointer, Record, RvalueRef};
    match (&pattern.kind, &actual.kind) {
        (Dependent(name), _) => {
            let mut ty = actual.clone();
            if pattern.is_const && ty.is_const {
                ty = value_type(&ty);
            }
            found.entry(name.trim_start_matches("const ").to_owned()).or_insert_with(|| vec![TemplateArg::Type(ty)]);
        }
        (Pointer(pattern), Pointer(actual))
        | (LvalueRef(pattern), LvalueRef(actual))
        | (RvalueRef(pattern), RvalueRef(actual) | LvalueRef(actual))
        | (Array(pattern, _), Array(actual, _)) => match_type(pattern, actual, found),
        (Record { args: patterns, .. }, Record { args, .. }) => match_arguments(patterns, args, found),
        (Function { result: pattern, params: patterns, .. }, Function { result, params, .. }) => {
            match_type(pattern, result, found);
            match_all(patterns, params, found);
        }
        _ => {}
    }
}

/// The same of a list of parameters, of which one may be a pack's.
pub(crate) fn match_all(patterns: &[Type], actual: &[Type], found: &mut Bound) {
    let mut rest = actual;
    for (index, pattern) in patterns.iter().enumerate() {
        let behind = patterns.len() - index - 1;
        match &pattern.kind {
            TypeKind::Dependent(text) if text.ends_with("...") => {
                let (share, others) = rest.split_at(rest.len().saturating_sub(behind));
                rest = others;
                let share: Vec<TemplateArg> = share.iter().cloned().map(TemplateArg::Type).collect();
                match_pack(text, &share, found);
            }
            _ => {
                let Some((first, others)) = rest.split_first() else { return };
                rest = others;
                match_type(pattern, first, found);
            }
        }
    }
}

/// The same of the arguments of a template.
pub(crate) fn match_arguments(patterns: &[TemplateArg], args: &[TemplateArg], found: &mut Bound) {
    for (index, pattern) in patterns.iter().enumerate() {
        let text = match pattern {
            TemplateArg::Type(Type { kind: TypeKind::Dependent(text), .. }) | TemplateArg::Value(text) => text.as_str(),
            TemplateArg::Type(_) => "",
        };
        match (pattern, args.get(index)) {
            _ if text.ends_with("...") => {
                return match_pack(text, args.get(index..).unwrap_or_default(), found);
            }
            (TemplateArg::Type(pattern), Some(TemplateArg::Type(actual))) => match_type(pattern, actual, found),
            (_, Some(value @ TemplateArg::Value(_))) if is_name(text) => {
                found.entry(text.to_owned()).or_insert_with(|| vec![value.clone()]);
            }
            _ => {}
        }
    }
}

/// What each of `args` has in the place of the pack that `pattern` names. What the pattern makes of it is followed
/// through references, pointers, `const` and the first argument of templates.
fn match_pack(pattern: &str, args: &[TemplateArg], found: &mut Bound) {
    let pattern = pattern.trim_end_matches("...").trim();
    let list: Option<Vec<TemplateArg>> = args.iter().map(|arg| element(pattern, arg)).collect();
    if let (Some(name), Some(list)) = (named_by(pattern), list) {
        found.entry(name.to_owned()).or_insert(list);
    }
}

/// The parameter that a pattern is made of.
fn named_by(pattern: &str) -> Option<&str> {
    let pattern = pattern.trim().trim_end_matches(['&', '*', ' ']).trim_start_matches("const ");
    match pattern.split_once('<') {
        Some((_, inner)) => named_by(inner.strip_suffix('>')?.split(',').next()?),
        None => is_name(pattern).then_some(pattern),
    }
}

fn element(pattern: &str, arg: &TemplateArg) -> Option<TemplateArg> {
    let pattern = pattern.trim();
    let TemplateArg::Type(ty) = arg else { return is_name(pattern).then(|| arg.clone()) };
    let inner = |text: &str, ty: &Type| element(text, &TemplateArg::Type(ty.clone()));
    match (pattern, &ty.kind) {
        _ if is_name(pattern) => Some(arg.clone()),
        // Of what can be named again the parameter is a reference.
        (text, TypeKind::LvalueRef(_)) if text.ends_with("&&") => inner(text.strip_suffix("&&")?, ty),
        (text, TypeKind::RvalueRef(to)) if text.ends_with("&&") => inner(text.strip_suffix("&&")?, to),
        (text, TypeKind::LvalueRef(to)) if text.ends_with('&') => inner(text.strip_suffix('&')?, to),
        (text, TypeKind::Pointer(to)) if text.ends_with('*') => inner(text.strip_suffix('*')?, to),
        (text, _) if text.starts_with("const ") => {
            let plain = Type { spelling: ty.bare_spelling().to_owned(), is_const: false, ..ty.clone() };
            inner(text.strip_prefix("const ")?, &plain)
        }
        (text, TypeKind::Record { args, .. }) if text.ends_with('>') => {
            let (_, list) = text.strip_suffix('>')?.split_once('<')?;
            element(split_arguments(list).first()?, args.first()?)
        }
        _ => None,
    }
}
