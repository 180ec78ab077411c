//! Signatures of functions: parameters, results, and the ids of units.

use super::files::{Place, Text};
use super::instances;
use super::names::default_of;
use super::reader::{Reader, access_of, class_around, is_internal};
use super::type_shapes::is_class;
use super::types;
use crate::model::*;
use clang::{Entity, EntityKind};

/// The signature that a declaration gives.
pub(super) fn signature<'tu>(
    reader: &mut Reader<'tu>,
    entity: Entity<'tu>,
    usr: &Usr,
    (text, extent): (&Text, &Extent),
    place: &Place,
) -> Function {
    let template_kind = entity.get_template_kind().filter(|_| entity.get_kind() == EntityKind::FunctionTemplate);
    let kind = match template_kind.unwrap_or(entity.get_kind()) {
        EntityKind::Constructor => FunctionKind::Constructor,
        EntityKind::Destructor => FunctionKind::Destructor,
        EntityKind::ConversionFunction => FunctionKind::Conversion,
        EntityKind::Method if entity.is_static_method() => FunctionKind::StaticMethod,
        EntityKind::Method => FunctionKind::Method,
        _ => FunctionKind::Function,
    };
    let parent = class_around(entity);
    let owner = parent.map(|parent| reader.primary(parent)).map(|template| reader.usr(template));
    let name = reader.own_name(entity);
    let params = params(reader, entity);
    let result = match entity.get_result_type() {
        Some(ty) if !matches!(kind, FunctionKind::Constructor | FunctionKind::Destructor) => {
            types::model_type(reader, ty)
        }
        _ => Type::default(),
    };
    let head = super::head::read(text, extent, place.offset, parent.is_some());
    let type_name = entity.get_type().map(|ty| ty.get_display_name()).unwrap_or_default();
    let qualified = reader.qualified(entity);
    let dependent = entity.get_kind() == EntityKind::FunctionTemplate || in_template(entity);
    let overridden = entity.get_overridden_methods().unwrap_or_default();
    let overridden: Vec<Entity<'tu>> = overridden.into_iter().map(|method| reader.primary(method)).collect();
    let overrides = overridden.into_iter().map(|method| reader.usr(method)).collect();
    let mut function = Function {
        qualified,
        scopes: reader.scopes(entity),
        kind,
        language: reader.language,
        access: access_of(entity),
        result,
        template: (entity.get_kind() == EntityKind::FunctionTemplate).then(|| reader.template_params(entity)),
        specialized_for: instances::arguments_of(reader, entity).unwrap_or_default(),
        is_virtual: entity.is_virtual_method(),
        is_pure: entity.is_pure_virtual_method(),
        overrides,
        is_const: entity.is_const_method(),
        ref_qualifier: head.ref_qualifier,
        is_file_local: is_internal(entity),
        is_inline: entity.is_inline_function() || head.words.contains("inline"),
        is_constexpr: head.words.contains("constexpr") || head.words.contains("consteval"),
        is_noexcept: head.is_noexcept,
        is_deleted: entity.get_availability() == clang::Availability::Unavailable && head.is_deleted,
        is_defaulted: entity.is_defaulted(),
        is_explicit: head.words.contains("explicit")
            || kind == FunctionKind::Constructor
                && template_kind.is_none()
                && !params.is_empty()
                && !entity.is_converting_constructor(),
        is_variadic: entity.is_variadic(),
        is_noreturn: head.words.contains("noreturn")
            || head.words.contains("_Noreturn")
            || type_name.contains("noreturn"),
        is_nodiscard: is_marked(entity)
            || entity.get_result_type().and_then(|ty| ty.get_canonical_type().get_declaration()).is_some_and(is_marked),
        is_copy_or_move: kind == FunctionKind::Constructor
            && (entity.is_copy_constructor() || entity.is_move_constructor()),
        asks: reader.asked_of_arguments(entity),
        reads: if entity.is_variadic() { reader.read_behind_the_last(entity) } else { Vec::new() },
        mangled: (!dependent && template_kind.is_none()).then(|| entity.get_mangled_name()).flatten(),
        owner,
        params,
        name,
        usr: usr.clone(),
        ..Function::default()
    };
    function.id = unit_id(&function);
    function
}

/// Whether what it returns, or is, is not to be dropped.
fn is_marked(entity: Entity<'_>) -> bool {
    entity.get_children().iter().any(|child| child.get_kind() == EntityKind::WarnUnusedResultAttr)
}

/// Whether a header's declaration has names of types from macros of the main file (`#define Handle lib::Writer`, then
/// `Handle *create(void);`): included elsewhere, the header declares something else.
pub(super) fn leans_on_main<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, extent: &Extent) -> bool {
    let main = reader.main_file().clone();
    if extent.file == main || entity.get_semantic_parent().is_some_and(|parent| is_class(parent.get_kind())) {
        return false;
    }
    let children = entity.get_children().into_iter();
    let named = children.flat_map(|child| std::iter::once(child).chain(child.get_children()));
    let types = named.filter(|child| matches!(child.get_kind(), EntityKind::TypeRef | EntityKind::TemplateRef));
    let mut places = types.filter_map(|child| child.get_location());
    places.any(|place| reader.files.is_written_in(place, &main))
}

/// The declarations of a function's parameters.
pub(super) fn parameters<'tu>(entity: Entity<'tu>) -> Vec<Entity<'tu>> {
    let is_parameter = |child: &Entity<'tu>| child.get_kind() == EntityKind::ParmDecl;
    entity.get_arguments().unwrap_or_else(|| entity.get_children().into_iter().filter(is_parameter).collect())
}

pub(super) fn params<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> Vec<Param> {
    parameters(entity)
        .into_iter()
        .map(|param| {
            let mut ty = match param.get_type() {
                Some(ty) => types::model_type(reader, ty),
                None => Type::default(),
            };
            super::type_shapes::name_params(&mut ty.kind, param);
            let default = reader.source_of(param).and_then(|text| default_of(&text));
            Param { default, ..Param::new(param.get_name().unwrap_or_default(), ty) }
        })
        .collect()
}

fn unit_id(function: &Function) -> String {
    if function.language == Language::C {
        return function.qualified.clone();
    }
    // The parameters' own `const` is no part of a signature.
    let bare = |ty: &'_ Type| match ty.kind {
        TypeKind::Array(..) => ty.spelling.clone(),
        TypeKind::Pointer(_) if ty.is_const => ty.spelling.trim_end_matches("const").to_string(),
        _ => ty.bare_spelling().to_string(),
    };
    let mut types: Vec<String> = function.params.iter().map(|param| bare(&param.ty)).collect();
    if function.is_variadic {
        types.push("...".into());
    }
    let constant = if function.is_const { " const" } else { "" };
    let reference = function.ref_qualifier.as_ref().map(|mark| format!(" {mark}")).unwrap_or_default();
    format!("{}({}){constant}{reference}", function.qualified, types.join(", "))
}

fn in_template(entity: Entity<'_>) -> bool {
    let mut parent = entity.get_semantic_parent();
    while let Some(scope) = parent {
        if matches!(scope.get_kind(), EntityKind::ClassTemplate | EntityKind::ClassTemplatePartialSpecialization) {
            return true;
        }
        parent = scope.get_semantic_parent();
    }
    false
}
