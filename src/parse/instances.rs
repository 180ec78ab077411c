//! Which arguments the project's templates are used with: in plain code, and in the instantiations that come of it.

use super::mentions;
use super::names::is_class;
use super::reader::Reader;
use super::signatures;
use super::types;
use crate::model::{ParamNames, Returned, TemplateArg, Type, TypeKind, Usr};
use clang::{Entity, EntityKind, TemplateArgument};
use std::collections::BTreeMap;

/// Notes the instantiations of project templates that the entity's type is made of.
pub(super) fn harvest<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    let Some(mut ty) = entity.get_type().map(|ty| ty.get_canonical_type()) else { return };
    for _ in 0..4 {
        match ty.get_pointee_type().or_else(|| ty.get_element_type()) {
            Some(inner) => ty = inner,
            None => break,
        }
    }
    let has_arguments = ty.get_template_argument_types().is_some_and(|args| !args.is_empty());
    if (has_arguments || reader.in_instance && is_in_instance(ty)) && reader.harvested.insert(ty.get_display_name()) {
        types::model_type(reader, ty);
    }
}

/// Notes the arguments with which a function template of the project is used, or the class that a function is used of.
pub(super) fn harvest_function<'tu>(reader: &mut Reader<'tu>, target: Entity<'tu>) {
    if !reader.harvested_functions.insert(target) {
        return;
    }
    let template = reader.primary(target);
    if template == target || !reader.is_project(template) {
        return;
    }
    reader.instances.push(target);
    let usr = reader.usr(template);
    let parent = target.get_semantic_parent().filter(|parent| is_class(parent.get_kind()));
    let of = match parent.and_then(|parent| parent.get_type()).map(|ty| types::model_type(reader, ty).kind) {
        Some(TypeKind::Record { args, .. }) => args,
        _ => Vec::new(),
    };
    if can_be_said(&of) {
        reader.model.used_of.entry(usr.clone()).or_default().insert(of.clone());
    }
    let own = arguments_of(reader, target);
    if let Some(list) = &own {
        mentions::instantiated(reader, usr.clone(), list.clone());
    }
    if own.is_some() || can_be_said(&of) {
        note_result(reader, usr, template, target, of, own.unwrap_or_default());
    }
}

/// Notes what an instantiation returns where the template says it in terms that only a compiler can follow.
fn note_result<'tu>(
    reader: &mut Reader<'tu>,
    usr: Usr,
    template: Entity<'tu>,
    instance: Entity<'tu>,
    of: Vec<TemplateArg>,
    own: Vec<TemplateArg>,
) {
    let (Some(written), Some(actual)) = (template.get_result_type(), instance.get_result_type()) else { return };
    let is_open = |ty: &Type| super::arguments::is_dependent(&TemplateArg::Type(ty.clone()));
    let is_plain = |ty: &Type| {
        let mut plain = true;
        ty.walk(&mut |part| {
            plain &= match &part.kind {
                TypeKind::Dependent(name) => name.chars().all(|c| c.is_alphanumeric() || c == '_'),
                TypeKind::Unknown(_) => false,
                _ => true,
            };
        });
        plain
    };
    let written = types::model_type(reader, written);
    if is_plain(&written) {
        return;
    }
    let ty = types::model_type(reader, actual.get_canonical_type());
    if !is_open(&ty) && can_be_said(&[TemplateArg::Type(ty.clone())]) {
        reader.model.returned.entry(usr).or_default().insert(Returned { of, own, ty });
    }
}

/// A type; for that of a lambda, which has no name, a function object that can be called like it.
fn said<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>) -> Type {
    let to = ty.get_pointee_type().filter(|_| is_reference(ty));
    let Some((result, params)) = call_of(to.unwrap_or(ty)) else { return types::model_type(reader, ty) };
    let (result, params) = (
        types::model_type(reader, result),
        params.into_iter().map(|param| types::model_type(reader, param)).collect::<Vec<_>>(),
    );
    let list: Vec<&str> = params.iter().map(|param| param.spelling.as_str()).collect();
    let spelling = format!("{} ({})", result.spelling, list.join(", "));
    let kind = TypeKind::Function {
        result: Box::new(result),
        params,
        is_variadic: false,
        is_noexcept: false,
        names: ParamNames::default(),
    };
    let signature = Type { spelling, is_const: false, kind, size: None };
    let called = crate::types::compose::function(&signature);
    if to.is_none() {
        return called;
    }
    let spelling = format!("{} &", called.spelling);
    Type { spelling, is_const: false, kind: TypeKind::LvalueRef(Box::new(called)), size: None }
}

/// The arguments of a function template's specialisation, explicit or not; none where they can't be said.
pub(super) fn arguments_of<'tu>(reader: &mut Reader<'tu>, target: Entity<'tu>) -> Option<Vec<TemplateArg>> {
    let template = target.get_template().filter(|t| t.get_kind() == EntityKind::FunctionTemplate)?;
    let list = match target.get_template_arguments() {
        Some(args) => listed(reader, template, target, args),
        None => deduced(reader, template, target),
    };
    list.filter(|list: &Vec<TemplateArg>| can_be_said(list))
}

/// The arguments as libclang lists them, which is silent on what is in a pack.
fn listed<'tu>(
    reader: &mut Reader<'tu>,
    template: Entity<'tu>,
    instance: Entity<'tu>,
    args: Vec<TemplateArgument<'tu>>,
) -> Option<Vec<TemplateArg>> {
    let mut list = Vec::new();
    for (index, arg) in args.into_iter().enumerate() {
        list.push(match arg {
            TemplateArgument::Type(ty) => TemplateArg::Type(match call_of(ty) {
                Some(_) => said(reader, ty),
                None => types::model_type(reader, ty),
            }),
            TemplateArgument::Integral(value, _) => TemplateArg::Value(value.to_string()),
            TemplateArgument::Pack => {
                let params = reader.template_params(template);
                list.extend(bound(reader, template, instance).remove(&params.get(index)?.name)?);
                let rest = params.get(index + 1..).unwrap_or_default();
                return rest.iter().all(|param| param.default.is_some()).then_some(list);
            }
            _ => return None,
        });
    }
    Some(list)
}

/// The arguments of a method template's instantiation, which not every libclang tells: what stands in the places of
/// the parameters.
fn deduced<'tu>(reader: &mut Reader<'tu>, template: Entity<'tu>, instance: Entity<'tu>) -> Option<Vec<TemplateArg>> {
    let mut found = bound(reader, template, instance);
    let params = reader.template_params(template);
    let mut list = Vec::new();
    let mut behind_pack = false;
    for param in params {
        match found.remove(&param.name) {
            // Arguments behind a pack can't be told apart.
            _ if behind_pack && param.default.is_none() => return None,
            _ if behind_pack => break,
            Some(args) => list.extend(args),
            // From here on the template says itself what they are.
            None if param.default.is_some() => break,
            None => return None,
        }
        behind_pack = param.is_pack();
    }
    Some(list)
}

/// The template arguments of an instantiation, deduced from its parameters and result.
fn bound<'tu>(
    reader: &mut Reader<'tu>,
    template: Entity<'tu>,
    instance: Entity<'tu>,
) -> BTreeMap<String, Vec<TemplateArg>> {
    let mut found = BTreeMap::new();
    let patterns: Vec<Type> = signatures::params(reader, template).into_iter().map(|param| param.ty).collect();
    let actual: Vec<_> = instance.get_arguments().unwrap_or_default();
    let actual: Option<Vec<_>> = actual.into_iter().map(|param| param.get_type()).collect();
    let actual: Vec<Type> = actual.unwrap_or_default().into_iter().map(|ty| said(reader, ty)).collect();
    bind_all(&patterns, &actual, &mut found);
    if let (Some(pattern), Some(actual)) = (template.get_result_type(), instance.get_result_type()) {
        bind(&types::model_type(reader, pattern), &types::model_type(reader, actual), &mut found);
    }
    found
}

fn is_reference(ty: clang::Type<'_>) -> bool {
    matches!(ty.get_kind(), clang::TypeKind::LValueReference | clang::TypeKind::RValueReference)
}

/// The result and parameters of a lambda; none for other types and for generic lambdas.
fn call_of<'tu>(ty: clang::Type<'tu>) -> Option<(clang::Type<'tu>, Vec<clang::Type<'tu>>)> {
    let canonical = ty.get_canonical_type();
    let closure = canonical.get_declaration().filter(|_| canonical.get_display_name().contains("(lambda"))?;
    let call = closure
        .get_children()
        .into_iter()
        .find(|child| child.get_kind() == EntityKind::Method && child.get_name().as_deref() == Some("operator()"))?;
    let ty = call.get_type()?;
    Some((ty.get_result_type()?, ty.get_argument_types()?))
}

/// Whether a class is nested in an instantiation of a template.
fn is_in_instance(ty: clang::Type<'_>) -> bool {
    let mut scope = ty.get_declaration().and_then(|class| class.get_semantic_parent());
    while let Some(parent) = scope.filter(|parent| is_class(parent.get_kind())) {
        if parent.get_template().is_some() {
            return true;
        }
        scope = parent.get_semantic_parent();
    }
    false
}

/// Whether there are arguments, and all have names outside their function.
fn can_be_said(list: &[TemplateArg]) -> bool {
    let nameless = |arg: &TemplateArg| match arg {
        TemplateArg::Type(ty) => {
            ty.spelling.is_empty() || ["(lambda", "(anonymous", "(unnamed"].iter().any(|no| ty.spelling.contains(no))
        }
        TemplateArg::Value(_) => false,
    };
    let no_name = |arg: &TemplateArg| nameless(arg) || super::arguments::is_local(arg);
    !list.is_empty() && !list.iter().any(|arg| no_name(arg) || super::arguments::is_dependent(arg))
}

/// Binds the template parameters in `pattern` to the parts of `actual` in their place.
fn bind(pattern: &Type, actual: &Type, found: &mut BTreeMap<String, Vec<TemplateArg>>) {
    use TypeKind::{Array, Dependent, Function, LvalueRef, Pointer, Record, RvalueRef};
    match (&pattern.kind, &actual.kind) {
        (Dependent(name), _) => {
            let mut ty = actual.clone();
            if pattern.is_const && ty.is_const {
                ty.spelling = ty.bare_spelling().to_owned();
                ty.is_const = false;
            }
            found.entry(name.trim_start_matches("const ").to_owned()).or_insert_with(|| vec![TemplateArg::Type(ty)]);
        }
        (Pointer(pattern), Pointer(actual))
        | (LvalueRef(pattern), LvalueRef(actual))
        | (RvalueRef(pattern), RvalueRef(actual) | LvalueRef(actual))
        | (Array(pattern, _), Array(actual, _)) => bind(pattern, actual, found),
        (Record { args: patterns, .. }, Record { args, .. }) => bind_arguments(patterns, args, found),
        (Function { result: pattern, params: patterns, .. }, Function { result, params, .. }) => {
            bind(pattern, result, found);
            bind_all(patterns, params, found);
        }
        _ => {}
    }
}

/// The same of a list of parameters, of which one may be a pack's.
fn bind_all(patterns: &[Type], actual: &[Type], found: &mut BTreeMap<String, Vec<TemplateArg>>) {
    let mut rest = actual;
    for (index, pattern) in patterns.iter().enumerate() {
        let behind = patterns.len() - index - 1;
        match &pattern.kind {
            TypeKind::Dependent(text) if text.ends_with("...") => {
                let (share, others) = rest.split_at(rest.len().saturating_sub(behind));
                rest = others;
                let share: Vec<TemplateArg> = share.iter().cloned().map(TemplateArg::Type).collect();
                bind_pack(text, &share, found);
            }
            _ => {
                let Some((first, others)) = rest.split_first() else { return };
                rest = others;
                bind(pattern, first, found);
            }
        }
    }
}

fn bind_arguments(patterns: &[TemplateArg], args: &[TemplateArg], found: &mut BTreeMap<String, Vec<TemplateArg>>) {
    for (index, pattern) in patterns.iter().enumerate() {
        let text = match pattern {
            TemplateArg::Type(Type { kind: TypeKind::Dependent(text), .. }) | TemplateArg::Value(text) => text.as_str(),
            TemplateArg::Type(_) => "",
        };
        match (pattern, args.get(index)) {
            _ if text.ends_with("...") => {
                return bind_pack(text, args.get(index..).unwrap_or_default(), found);
            }
            (TemplateArg::Type(pattern), Some(TemplateArg::Type(actual))) => bind(pattern, actual, found),
            (_, Some(value @ TemplateArg::Value(_))) if is_name(text) => {
                found.entry(text.to_owned()).or_insert_with(|| vec![value.clone()]);
            }
            _ => {}
        }
    }
}

/// What each of `args` has in the place of the pack that `pattern` names. What the pattern makes of it is followed
/// through references, pointers, `const` and the first argument of templates.
fn bind_pack(pattern: &str, args: &[TemplateArg], found: &mut BTreeMap<String, Vec<TemplateArg>>) {
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
            element(super::arguments::split_args(text).first()?, args.first()?)
        }
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
}
