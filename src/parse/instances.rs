//! Which arguments the project's templates are used with: in plain code, and in the instantiations that come of it.

use super::mentions;
use super::reader::{Reader, class_around};
use super::signatures;
use super::type_shapes::is_class;
use super::types;
use crate::model::{ParamNames, Returned, TemplateArg, Type, TypeKind, Usr};
use crate::types::matching::{Bound, match_all, match_type};
use clang::{Entity, EntityKind, TemplateArgument};

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
    let parent = class_around(target);
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
        !ty.any(|part| match &part.kind {
            TypeKind::Dependent(name) => !name.chars().all(|c| c.is_alphanumeric() || c == '_'),
            kind => matches!(kind, TypeKind::Unknown(_)),
        })
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
    let signature = Type::new(spelling, kind);
    let called = crate::types::compose::function(&signature);
    if to.is_none() {
        return called;
    }
    let spelling = format!("{} &", called.spelling);
    Type::new(spelling, TypeKind::LvalueRef(Box::new(called)))
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
            TemplateArgument::Integral(value, _) => {
                let named = enumerator(reader, template, index, value);
                TemplateArg::Value(named.unwrap_or_else(|| value.to_string()))
            }
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

/// The enumerator that is the value of a template's parameter: there a number will not do.
fn enumerator<'tu>(reader: &mut Reader<'tu>, template: Entity<'tu>, index: usize, value: i64) -> Option<String> {
    use EntityKind::{NonTypeTemplateParameter, TemplateTemplateParameter, TemplateTypeParameter};
    let is_param = |child: &Entity<'_>| {
        matches!(child.get_kind(), TemplateTypeParameter | NonTypeTemplateParameter | TemplateTemplateParameter)
    };
    let param = template.get_children().into_iter().filter(is_param).nth(index)?;
    let declared = param.get_type()?.get_canonical_type().get_declaration()?;
    let is_it = |constant: &Entity<'_>| constant.get_enum_constant_value().is_some_and(|(signed, _)| signed == value);
    let enumerators = declared.get_children().into_iter().filter(|c| c.get_kind() == EntityKind::EnumConstantDecl);
    let mut named = enumerators.into_iter().filter(|_| declared.get_kind() == EntityKind::EnumDecl);
    let name = named.find(is_it)?.get_name()?;
    Some(format!("{}::{name}", reader.qualified(declared)))
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
fn bound<'tu>(reader: &mut Reader<'tu>, template: Entity<'tu>, instance: Entity<'tu>) -> Bound {
    let mut found = Bound::new();
    let patterns: Vec<Type> = signatures::params(reader, template).into_iter().map(|param| param.ty).collect();
    let actual: Vec<_> = instance.get_arguments().unwrap_or_default();
    let actual: Option<Vec<_>> = actual.into_iter().map(|param| param.get_type()).collect();
    let actual: Vec<Type> = actual.unwrap_or_default().into_iter().map(|ty| said(reader, ty)).collect();
    match_all(&patterns, &actual, &mut found);
    if let (Some(pattern), Some(actual)) = (template.get_result_type(), instance.get_result_type()) {
        match_type(&types::model_type(reader, pattern), &types::model_type(reader, actual), &mut found);
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
