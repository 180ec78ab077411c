//! Values by what their type is: arithmetic, enumerations, arrays, pointers, records.

use super::memory::{buffer, element_slot, text_buffer};
use super::{Found, RECORDS, first};
use crate::model::{Language, Prim, Type, TypeKind, Usr};
use crate::plan::c_lifecycle::{InC, made_in_c, unit_ends};
use crate::plan::construction_graph::NEVER;
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe, STRING_LENGTH, Slot};
use crate::types::arithmetic::{is_character, is_plain_void, primitive};
use crate::types::compose::OPAQUE_LENGTH;
use crate::types::spelling::{null_of, value_type};

/// How deep a value may be made of others before the search gives up on a branch.
const DEPTH: usize = 8;

/// A recipe for a value of type `ty`.
///
/// # Errors
/// Why none exists.
pub fn value(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let request = Request { service: false, ..request };
    if request.depth > DEPTH {
        return Err(Reason::new(format!("`{}` is nested too deep", ty.spelling)));
    }
    if let Some(recipe) = crate::plan::hooks::told_of_type(scope, ty)? {
        return Ok(recipe);
    }
    match &ty.kind {
        TypeKind::LvalueRef(inner) | TypeKind::RvalueRef(inner) => record_or_value(scope, inner, request),
        TypeKind::Prim(_) => Ok(Kind::Prim { range: None }.of(value_type(ty))),
        TypeKind::Enum(usr) => enumeration(scope, ty, usr),
        TypeKind::NullPtr => Ok(Kind::Fixed { expression: "nullptr".into() }.of(ty.clone())),
        TypeKind::Array(element, length) => {
            let length = length.unwrap_or(ARRAY_LENGTH);
            Ok(Kind::Array { element: element_slot(scope, element, request)?, length, text: false }.of(value_type(ty)))
        }
        TypeKind::Pointer(to) => pointer(scope, ty, to, request),
        TypeKind::Record { .. } => record_or_value(scope, ty, request),
        TypeKind::Void => Err(Reason::new("a value of type void")),
        TypeKind::Function { .. } => Err(Reason::new("a function can't be made up").needs("parameters.NAME.value")),
        TypeKind::MemberPointer => {
            Err(Reason::new("a pointer to member can't be made up").needs("parameters.NAME.value"))
        }
        TypeKind::Dependent(name) => {
            Err(Reason::new(format!("the template argument for `{name}` is not known")).needs("templates"))
        }
        TypeKind::Unknown(what) => Err(Reason::new(format!("libclang does not describe this type ({what})"))),
    }
}

fn enumeration(scope: &UnitScope<'_>, ty: &Type, usr: &Usr) -> Result<Recipe, Reason> {
    match scope.model.enums.get(usr) {
        Some(known) => Ok(Kind::Enum { values: known.enumerators_of(ty, scope.model) }.of(value_type(ty))),
        // An opaque or system enumeration: any value of the width.
        None => Ok(Kind::Enum { values: Vec::new() }.of(value_type(ty))),
    }
}

fn pointer(scope: &UnitScope<'_>, ty: &Type, to: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    match &to.kind {
        TypeKind::Prim(Prim::Char) if to.is_const => Ok(Kind::CString { most: STRING_LENGTH }.of(value_type(ty))),
        // In C++ a single non-const char pointer is a buffer; the callee may write to all of it.
        TypeKind::Prim(_) | TypeKind::Enum(_) => {
            if is_character(to) {
                text_buffer(scope, ty, to, request)
            } else if matches!(to.kind, TypeKind::Prim(Prim::SChar | Prim::UChar)) {
                buffer(scope, ty, to, ARRAY_LENGTH, request)
            } else {
                pointer_to_value(scope, ty, to, request)
            }
        }
        TypeKind::Record { name, .. } if name == "_IO_FILE" => Ok(Kind::File.of(value_type(ty))),
        TypeKind::Record { .. } => pointer_to_value(scope, ty, to, request),
        TypeKind::Pointer(inner) => match &inner.kind {
            TypeKind::Prim(_) | TypeKind::Record { .. } | TypeKind::Pointer(_) | TypeKind::Enum(_) | TypeKind::Void => {
                pointer_to_value(scope, ty, to, request)
            }
            _ => Err(Reason::new(format!("nothing is known of what `{}` points to", ty.spelling))),
        },
        TypeKind::Array(..) => pointer_to_value(scope, ty, to, request),
        // What is given so is mostly handed on, kept for somebody else, or looked at byte by byte: any memory will
        // do. A name for a handle is another matter.
        TypeKind::Void if is_inside(request) || is_plain_void(ty) => {
            let byte = primitive("unsigned char").expect("an arithmetic type");
            buffer(scope, ty, &byte, OPAQUE_LENGTH, request)
        }
        TypeKind::Void => Err(Reason::new("nothing says what the handle stands for").needs("parameters.NAME.type")),
        TypeKind::Function { .. } => crate::plan::callbacks::callback(scope, ty),
        _ => {
            Err(Reason::new(format!("nothing is known of what `{}` points to", ty.spelling))
                .needs("parameters.NAME.type"))
        }
    }
}

/// Whether what is being made is only for an object, not for the unit under test.
fn is_inside(request: Request<'_>) -> bool {
    request.objects_open() > 0
}

fn pointer_to_value(scope: &UnitScope<'_>, ty: &Type, to: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    // A node's parent, an optional strategy: what can't be had is left out, further inside.
    let is_open = || to.record().is_some_and(|usr| request.is_open(usr));
    if to.record().is_some() && is_inside(request) && (is_open() || scope.cost_of(to) == NEVER) {
        let expression = if scope.is_in_c() { "NULL".to_owned() } else { null_of(ty) };
        return Ok(Kind::Fixed { expression }.of(value_type(ty)));
    }
    let told = crate::plan::hooks::told_of_type(scope, to)?.is_some();
    let made = if told { InC::Nothing } else { made_in_c(scope, to, request) };
    // Of what the unit ends nobody else does.
    let given = made.recipe().is_some_and(|made| scope.is_in_c() && unit_ends(scope, to, made));
    let recipe = match made {
        InC::Made(recipe) => recipe.by("C lifecycle"),
        InC::Skipped => Recipe { skipped: 1, ..scope.value(to, request.deeper())? },
        InC::Nothing => scope.value(to, request.deeper())?,
    };
    let slot = Slot { name: "value".into(), ty: to.clone(), recipe, nullable: false };
    Ok(Kind::Pointer { to: Box::new(slot), given }.of(value_type(ty)))
}

/// A record by the first of [`RECORDS`] that makes it; what a reference leads to may be no record.
fn record_or_value(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let TypeKind::Record { name, .. } = &ty.kind else {
        return scope.value(ty, request.deeper());
    };
    first(RECORDS, |rule| rule(scope, ty, request))?.ok_or_else(|| {
        Reason::new(format!("`{name}` is not a class of the project")).needs(format!("construct.{name}"))
    })
}

/// What an override says of every value of the type.
pub(super) fn by_type_override(scope: &UnitScope<'_>, ty: &Type, _: Request<'_>) -> Found {
    crate::plan::hooks::told_of_type(scope, ty)
}

/// What an override says of a class that the project only uses.
pub(super) fn by_foreign_override(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Found {
    let TypeKind::Record { usr, name, .. } = &ty.kind else { return Ok(None) };
    let is_own = scope.model.classes.get(usr).is_some_and(|class| class.installed.is_none());
    if is_own { Ok(None) } else { crate::plan::hooks::overridden_foreign(scope, ty, name, request) }
}

/// A type that has a row: the standard library's, and those that a project has rows for.
pub(super) fn by_row(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Found {
    let TypeKind::Record { name, .. } = &ty.kind else { return Ok(None) };
    crate::plan::standard::standard(scope, ty, name, request)
}

/// A base that is told its derived class: its code takes itself for what derives from it.
pub(super) fn by_derived(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Found {
    let derived = crate::plan::construct::derived_from_itself(scope, ty);
    derived.map(|derived| record_or_value(scope, &derived, request.deeper())).transpose()
}

/// A structure that nothing but its fields makes.
pub(super) fn by_fields(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Found {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return Ok(None) };
    let Some(class) = scope.model.classes.get(usr) else { return Ok(None) };
    let is_structure = !crate::plan::hooks::is_told_of(scope, class)
        && !class.is_polymorphic
        && (class.kind == crate::model::ClassKind::Union || class.is_aggregate || class.language == Language::C)
        && class.definition.is_some()
        && scope.in_reach(class);
    if !is_structure {
        return Ok(None);
    }
    match super::fields::plain(scope, ty, class, args, request) {
        Ok(recipe) => Ok(Some(recipe)),
        Err(reason) if class.language == Language::C => Err(reason),
        Err(_) => Ok(None),
    }
}

/// An object of a class; where its constructor only makes a form to fill in, the data chooses whether it is filled in.
pub(super) fn by_construction(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Found {
    let Some(class) = ty.record().and_then(|usr| scope.model.classes.get(usr)) else { return Ok(None) };
    let made = scope.object(ty, request)?;
    Ok(Some(match crate::plan::option_structs::filled(scope, ty, class, request) {
        Some(filled) if matches!(made.kind, Kind::Construct { .. }) => {
            crate::plan::option_structs::either(ty, made, filled).by("filled-in form")
        }
        _ => made,
    }))
}
