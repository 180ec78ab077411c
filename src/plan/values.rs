//! Recipes for values of a given type: arithmetic, text, containers, structures, pointers.
//! Objects of classes are `construct`'s.

use super::names::unique;
use super::request::Request;
use super::unit_scope::UnitScope;
use super::{ARRAY_LENGTH, Kind, Reason, Recipe, STRING_LENGTH, Slot};
use crate::lexicon::{are_the_ends_of_a_range, looks_like_a_length, looks_like_a_place};
use crate::model::{Class, Field, Language, Param, Prim, TemplateArg, Type, TypeKind, Usr};
use crate::plan::construction_graph::NEVER;
use crate::types::arithmetic::{is_character, is_integer, is_plain_void, is_scalar, primitive};
use crate::types::compose::OPAQUE_LENGTH;
pub use crate::types::spelling::identifier;
use crate::types::spelling::{null_of, value_type};
use crate::types::substitution::Substitution;

/// The most elements that an object is told to make room for when it is set up.
const ROOM: u64 = 255;
/// How deep a value may be made of others before the search gives up on a branch.
const DEPTH: usize = 8;

/// Slots for all parameters of a function, template parameters filled in by `with`.
///
/// # Errors
/// The first parameter that can't be made, with its name.
pub fn params(
    scope: &UnitScope<'_>,
    params: &[Param],
    with: &Substitution,
    unit: Option<&str>,
    request: Request<'_>,
) -> Result<Vec<Slot>, Reason> {
    let request = Request { service: false, ..request };
    let params = &*with.spread_params(params);
    let mut slots: Vec<Slot> = Vec::new();
    for (index, param) in params.iter().enumerate() {
        let name = unique(&identifier(&param.name, &format!("argument{}", index + 1)), &slots);
        let mut ty = with.apply(&param.ty);
        let is_said = unit.is_some_and(|unit| scope.overrides.parameter(unit, &param.name).is_some());
        if let Some(seen) = param.seen_as.as_ref().filter(|seen| is_in_sight(scope, seen))
            && unit.is_none_or(|unit| scope.overrides.parameter(unit, &param.name).is_none())
        {
            ty = with.apply(seen);
        }
        let recipe = match argument(scope, param, &ty, params, with, &slots, unit, request) {
            Ok(recipe) if is_said => recipe.by_override(),
            Ok(recipe) => recipe,
            // From here on the callee has defaults: better a shorter call than none.
            Err(_) if param.default.is_some() => break,
            Err(reason) => {
                return Err(Reason {
                    what: format!("parameter `{}` ({}): {}", name, ty.spelling, reason.what),
                    needs: if reason.needs.is_empty() { vec![format!("parameters.{name}")] } else { reason.needs },
                });
            }
        };
        let nullable = super::nullness::may_be_null(scope, param, &recipe, unit);
        if matches!(recipe.kind, Kind::End { .. } | Kind::Behind)
            && let Some(begin) = slots.last_mut()
        {
            begin.nullable = false;
            super::iterators::may_be_empty(&mut begin.recipe);
        }
        slots.push(Slot { name, ty, recipe, nullable });
    }
    Ok(slots)
}

/// Whether a driver of the unit can name what a parameter is cast to in a body: that source may be alone in knowing it.
fn is_in_sight(scope: &UnitScope<'_>, ty: &Type) -> bool {
    let mut can = true;
    ty.walk(&mut |part| {
        if let TypeKind::Record { usr, name, .. } = &part.kind {
            let class = scope.model.classes.get(usr);
            can &= crate::types::standard::is_of_library(scope.model, name)
                || name == "_IO_FILE"
                || class.is_some_and(|class| scope.in_reach(class));
        }
    });
    can
}

/// The recipe for the argument of one parameter.
fn argument(
    scope: &UnitScope<'_>,
    param: &Param,
    ty: &Type,
    params: &[Param],
    with: &Substitution,
    before: &[Slot],
    unit: Option<&str>,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    if let Some(unit) = unit
        && let Some(recipe) = super::hooks::overridden_param(scope, unit, &param.name, ty, before, request)?
    {
        return Ok(recipe);
    }
    let is_shown = crate::plan::array_lengths::is_shown(params, before.len());
    // A length behind its array: what it counts bounds it.
    if let (TypeKind::Prim(prim), Some(previous), false) = (&ty.kind, before.last(), is_shown)
        && is_integer(*prim)
        && looks_like_a_length(&param.name)
        && let Some(most) = array_length(&previous.recipe)
    {
        return Ok(Kind::Length { most, below: false }.of(value_type(ty)));
    }
    // How much room an object is to make, where it only has to be set up: four billion elements would take the
    // search up.
    if let TypeKind::Prim(prim) = ty.kind
        && unit.is_none()
        && is_integer(prim)
        && crate::types::arithmetic::prim_size(prim) > 1
        && looks_like_a_length(&param.name)
    {
        return Ok(Kind::Length { most: ROOM, below: false }.of(value_type(ty)));
    }
    // Beginning and end of one range of scalars.
    let index = before.len();
    let ends = |from: usize| {
        let to = params.get(from + 1)?;
        let (by_use, from) = (to.ends == Some(from), &params[from]);
        let (begins, ends) = (with.apply(&from.ty), with.apply(&to.ty));
        are_ends((&from.name, &begins), (&to.name, &ends), by_use).then_some(())
    };
    // A place in the range that the next two parameters are the ends of: its first element.
    let is_place = |at: usize| {
        let kind = |param: &Param| with.apply(&param.ty).without_ref().kind.clone();
        looks_like_a_place(&params[at].name) && ends(at + 1).is_some() && kind(&params[at]) == kind(&params[at + 1])
    };
    let length_of = |at: usize| before.get(at).and_then(|slot| array_length(&slot.recipe));
    if index.checked_sub(1).is_some_and(|at| is_place(at) && length_of(at).is_some()) {
        return Ok(Kind::End { most: 0 }.of(value_type(ty.without_ref())));
    }
    if let Some(place) = index.checked_sub(2).filter(|at| is_place(*at))
        && let Some(most) = length_of(place)
    {
        return Ok(Kind::End { most }.of(value_type(ty.without_ref())));
    }
    if let Some(pointee) = ty.without_ref().pointee()
        && (ends(index).is_some() || is_place(index))
    {
        return range(scope, ty.without_ref(), pointee, request);
    }
    if let (Some(before_it), Some(previous)) = (index.checked_sub(1), before.last())
        && ends(before_it).is_some()
        && let Some(most) = array_length(&previous.recipe)
    {
        return Ok(Kind::End { most }.of(value_type(ty.without_ref())));
    }
    if let Some(previous) = before.last()
        && matches!(previous.recipe.kind, Kind::Iterator { .. })
        && (crate::types::iterators::are_one_range(scope.model, &previous.ty, ty)
            || super::iterators::are_one_own_range(previous, ty))
    {
        return Ok(Kind::Behind.of(value_type(ty.without_ref())));
    }
    // Text with a length behind it is text as well, but may hold NULs: a buffer.
    if let Some(pointee) = ty.pointee()
        && let Some(next) = params.get(index + 1)
        && matches!(next.ty.kind, TypeKind::Prim(prim) if is_integer(prim))
        && looks_like_a_length(&next.name)
        && is_scalar(pointee)
        && !is_shown
    {
        return buffer(scope, ty, pointee, ARRAY_LENGTH, request);
    }
    match super::array_lengths::as_bodies_show(scope, params, index, ty, request)? {
        Some(recipe) => Ok(recipe),
        None => scope.value(ty, request.at(0)),
    }
}

/// A recipe for a value of type `ty`.
///
/// # Errors
/// Why none exists.
pub fn value(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let request = Request { service: false, ..request };
    if request.depth > DEPTH {
        return Err(Reason::new(format!("`{}` is nested too deep", ty.spelling)));
    }
    if let Some(recipe) = super::hooks::told_of_type(scope, ty)? {
        return Ok(recipe);
    }
    match &ty.kind {
        TypeKind::LvalueRef(inner) | TypeKind::RvalueRef(inner) => object_or_value(scope, inner, request),
        TypeKind::Prim(_) => Ok(Kind::Prim { range: None }.of(value_type(ty))),
        TypeKind::Enum(usr) => enumeration(scope, ty, usr),
        TypeKind::NullPtr => Ok(Kind::Fixed { expression: "nullptr".into() }.of(ty.clone())),
        TypeKind::Array(element, length) => {
            let length = length.unwrap_or(ARRAY_LENGTH);
            Ok(Kind::Array { element: element_slot(scope, element, request)?, length, text: false }.of(value_type(ty)))
        }
        TypeKind::Pointer(to) => pointer(scope, ty, to, request),
        TypeKind::Record { .. } => object_or_value(scope, ty, request),
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
        TypeKind::Function { .. } => super::callbacks::callback(scope, ty),
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
    let told = super::hooks::told_of_type(scope, to)?.is_some();
    let made = if told { None } else { super::c_lifecycle::made_in_c(scope, to, request) };
    // Of what the unit ends nobody else does.
    let given = made.as_ref().is_some_and(|made| scope.is_in_c() && super::c_lifecycle::unit_ends(scope, to, made));
    let recipe = match made {
        Some(recipe) => recipe,
        None => scope.value(to, request.deeper())?,
    };
    let slot = Slot { name: "value".into(), ty: to.clone(), recipe, nullable: false };
    Ok(Kind::Pointer { to: Box::new(slot), given }.of(value_type(ty)))
}

/// A pointer into an array of `length` elements of its own.
pub(super) fn buffer(
    scope: &UnitScope<'_>,
    ty: &Type,
    element: &Type,
    length: u64,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    Ok(Kind::Array { element: element_slot(scope, element, request.at(0))?, length, text: false }.of(value_type(ty)))
}

/// What lies between two pointers; behind text there is a zero, for those who look for one all the same.
pub(super) fn range(scope: &UnitScope<'_>, ty: &Type, pointee: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    if is_character(pointee) {
        text_buffer(scope, ty, pointee, request)
    } else {
        buffer(scope, ty, pointee, ARRAY_LENGTH, request)
    }
}

/// A buffer of characters that whoever looks for its end finds.
fn text_buffer(scope: &UnitScope<'_>, ty: &Type, element: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let element = element_slot(scope, element, request.at(0))?;
    Ok(Kind::Array { element, length: ARRAY_LENGTH, text: true }.of(value_type(ty)))
}

pub(super) fn element_slot(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Box<Slot>, Reason> {
    let recipe = scope.value(ty, request.deeper())?;
    Ok(Box::new(Slot { name: "element".into(), ty: ty.clone(), recipe, nullable: false }))
}

/// A record: a standard type, a plain structure, or an object of a class.
fn object_or_value(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let TypeKind::Record { usr, name, args } = &ty.kind else {
        return scope.value(ty, request.deeper());
    };
    if let Some(recipe) = super::hooks::told_of_type(scope, ty)? {
        return Ok(recipe);
    }
    if scope.model.classes.get(usr).is_none_or(|class| class.installed.is_some())
        && let Some(recipe) = super::hooks::overridden_foreign(scope, ty, name, request)?
    {
        return Ok(recipe);
    }
    if let Some(recipe) = super::standard::standard(scope, ty, name, request)? {
        return Ok(recipe);
    }
    // Its code takes itself for what derives from it.
    if let Some(derived) = super::construct::derived_from_itself(scope, ty) {
        return object_or_value(scope, &derived, request.deeper());
    }
    let Some(class) = scope.model.classes.get(usr) else {
        return Err(Reason::new(format!("`{name}` is not a class of the project")).needs(format!("construct.{name}")));
    };
    if !super::hooks::is_told_of(scope, class)
        && !class.is_polymorphic
        && (class.kind == crate::model::ClassKind::Union || class.is_aggregate || class.language == Language::C)
        && class.definition.is_some()
        && scope.in_reach(class)
    {
        match plain(scope, ty, class, args, request) {
            Ok(recipe) => return Ok(recipe),
            Err(reason) if class.language == Language::C => return Err(reason),
            Err(_) => {}
        }
    }
    let made = scope.object(ty, request)?;
    Ok(match super::option_structs::filled(scope, ty, class, request) {
        Some(filled) if matches!(made.kind, Kind::Construct { .. }) => {
            crate::plan::option_structs::either(ty, made, filled)
        }
        _ => made,
    })
}

/// A structure without constructors, field by field; a union as storage.
fn plain(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    args: &[TemplateArg],
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    if class.kind == crate::model::ClassKind::Union {
        return Ok(Kind::Bytes.of(value_type(ty)));
    }
    if request.is_open(&class.usr) {
        return Err(Reason::new(format!("`{}` contains itself", class.qualified)));
    }
    let open = request.opening(&class.usr);
    let request = request.inside(&open);
    let filled = fields(scope, class, &Substitution::of(scope.model, class, args), request);
    let Filled { fields, statements, overridden } = filled?;
    let recipe = Kind::Fields { fields, statements }.of(value_type(ty)).by("field by field");
    Ok(Recipe { overridden, ..recipe })
}

/// A structure's fields, and statements for them from overrides.
pub(super) struct Filled {
    fields: Vec<Slot>,
    statements: Vec<String>,
    overridden: bool,
}

pub(super) fn fields(
    scope: &UnitScope<'_>,
    class: &Class,
    with: &Substitution,
    request: Request<'_>,
) -> Result<Filled, Reason> {
    let mut slots: Vec<Slot> = Vec::new();
    let (mut statements, mut overridden) = (Vec::new(), false);
    let left_out = if crate::facts::default_construction::is_default_constructible(scope.model, class) {
        scope.field_usage.left_out(scope.model, class)
    } else {
        Default::default()
    };
    let mut extents = extents(scope, class, with, request);
    let is_told = |place: usize| scope.overrides.field(&class.qualified, &class.fields[place].name).is_some();
    let is_said =
        |place: usize| left_out.contains(&place) || is_told(place) || extents.iter().any(|(at, _)| *at == place);
    let counted = super::array_lengths::counted_members(scope, class, with, request, is_said);
    extents.extend(counted);
    for (place, field) in class.fields.iter().enumerate().filter(|(_, f)| !f.is_static) {
        if left_out.contains(&place) && !is_told(place) {
            continue;
        }
        if let Some((_, recipe)) = extents.iter().find(|(at, _)| *at == place) {
            let ty = with.apply(&field.ty);
            slots.push(Slot { name: field.name.clone(), ty, recipe: recipe.clone(), nullable: false });
            continue;
        }
        if let Some(hook) = scope.overrides.field(&class.qualified, &field.name) {
            overridden = true;
            statements.extend(hook.init.iter().cloned());
            if hook.length.is_none() && hook.pointee.is_none() {
                continue;
            }
        }
        if let Some(inner) = crate::facts::anonymous_members::within(scope.model, field) {
            slots.extend(unnamed(scope, inner, with, request)?);
            continue;
        }
        let ty = with.apply(&field.ty);
        if let Some(begin) = slots.last_mut()
            && let Slot { name, ty: begins, recipe, .. } = begin
            && are_ends((name.as_str(), begins), (field.name.as_str(), &ty), false)
            && let Some(pointee) = begins.pointee()
            && scope.overrides.field(&class.qualified, name).is_none()
            && scope.overrides.field(&class.qualified, &field.name).is_none()
        {
            *recipe = range(scope, begins, pointee, request)?;
            let recipe = Kind::End { most: ARRAY_LENGTH }.of(value_type(&ty));
            slots.push(Slot { name: field.name.clone(), ty, recipe, nullable: false });
            continue;
        }
        // A length behind its array, as among parameters.
        let told = scope.overrides.field(&class.qualified, &field.name).is_some();
        if let (TypeKind::Prim(prim), Some(previous), false) = (&ty.kind, slots.last(), told)
            && is_integer(*prim)
            && field.bit_width.is_none()
            && looks_like_a_length(&field.name)
            && previous.ty.pointee().is_some()
            && let Some(most) = array_length(&previous.recipe)
        {
            let recipe = Kind::Length { most, below: false }.of(value_type(&ty));
            slots.push(Slot { name: field.name.clone(), ty, recipe, nullable: false });
            continue;
        }
        match field_recipe(scope, class, field, &ty, request) {
            Ok(Some(recipe)) => slots.push(Slot { name: field.name.clone(), ty, recipe, nullable: false }),
            Ok(None) => {}
            Err(reason) => {
                return Err(Reason {
                    what: format!("field `{}::{}`: {}", class.qualified, field.name, reason.what),
                    needs: vec![format!("fields.{}.{}", class.qualified, field.name)],
                });
            }
        }
    }
    Ok(Filled { fields: slots, statements, overridden })
}

/// The members that a class has of a structure or a union without a name.
fn unnamed(
    scope: &UnitScope<'_>,
    inner: &Class,
    with: &Substitution,
    request: Request<'_>,
) -> Result<Vec<Slot>, Reason> {
    if inner.kind != crate::model::ClassKind::Union {
        return Ok(fields(scope, inner, with, request)?.fields);
    }
    let Some(whole) = crate::facts::anonymous_members::whole(scope.model, inner) else { return Ok(Vec::new()) };
    let recipe = scope.value(&whole.ty, request.deeper())?;
    Ok(vec![Slot { name: whole.name.clone(), ty: whole.ty.clone(), recipe, nullable: false }])
}

/// Members that are made together: memory, and what says how much of it there is. By their places in the class.
fn extents(scope: &UnitScope<'_>, class: &Class, with: &Substitution, request: Request<'_>) -> Vec<(usize, Recipe)> {
    let mut found = Vec::new();
    let is_told = |place: usize| scope.overrides.field(&class.qualified, &class.fields[place].name).is_some();
    for crate::facts::member_lengths::Extent { memory, count, room } in
        crate::facts::member_lengths::extents(class, with)
    {
        let ty = with.apply(&class.fields[memory].ty);
        if [Some(memory), Some(count), room].into_iter().flatten().any(is_told) {
            continue;
        }
        let made = match ty.pointee() {
            Some(to) => range(scope, &ty, to, request),
            None => scope.value(&ty, request.at(1)),
        };
        let Ok(recipe) = made else { continue };
        found.push((memory, recipe));
        let number = |place: usize| value_type(&with.apply(&class.fields[place].ty));
        found.push((count, Kind::Length { most: ARRAY_LENGTH, below: false }.of(number(count))));
        if let Some(room) = room {
            found.push((room, Kind::Fixed { expression: ARRAY_LENGTH.to_string() }.of(number(room))));
        }
    }
    found
}

/// A field's recipe; none where it is left as value initialisation makes it.
pub(super) fn field_recipe(
    scope: &UnitScope<'_>,
    class: &Class,
    field: &Field,
    ty: &Type,
    request: Request<'_>,
) -> Result<Option<Recipe>, Reason> {
    if let Some(hook) = scope.overrides.field(&class.qualified, &field.name)
        && let Some(pointee) = ty.pointee()
    {
        let named = hook.pointee.as_ref().and_then(|name| super::construct::named_type(scope, name));
        let pointee = value_type(named.as_ref().unwrap_or(pointee));
        return buffer(scope, ty, &pointee, hook.length.unwrap_or(1), request).map(Some);
    }
    match &ty.kind {
        // Self-referential nodes (lists, trees) end in NULL.
        TypeKind::Pointer(to) if to.record().is_some_and(|usr| request.is_open(usr)) => Ok(None),
        TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Void) => Ok(None),
        // What has no name can't be made.
        TypeKind::Pointer(to)
            if to.record().and_then(|usr| scope.model.classes.get(usr)).is_some_and(|class| class.name.is_empty()) =>
        {
            Ok(None)
        }
        TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Function { .. }) && class.language == Language::Cxx => {
            Ok(None)
        }
        // A flexible array member owns no storage in the structure.
        TypeKind::Array(_, None | Some(0)) => Ok(None),
        _ if field.name.is_empty() => Ok(None),
        TypeKind::Pointer(to) => {
            match super::array_lengths::behind_member(scope, field, ty, to, request)
                .unwrap_or_else(|| scope.value(ty, request.deeper()))
            {
                // Null as value initialisation leaves it.
                Ok(Recipe { kind: Kind::Fixed { .. }, .. }) | Err(_) => Ok(None),
                Ok(recipe) => Ok(Some(recipe)),
            }
        }
        _ => match scope.value(ty, request.deeper()) {
            // In C a structure is all zeroes at first, and what is not known stays so.
            Err(_) if class.language == Language::C => Ok(None),
            made => made.map(Some),
        },
    }
}

/// Whether two pointers, by their names and types, or by use and their types, are the beginning and the end of one range
/// of scalars.
fn are_ends((from, begins): (&str, &Type), (to, ends): (&str, &Type), by_use: bool) -> bool {
    let (Some(begins), Some(ends)) = (begins.without_ref().pointee(), ends.without_ref().pointee()) else {
        return false;
    };
    begins.kind == ends.kind && is_scalar(begins) && (by_use || are_the_ends_of_a_range(from, to, is_character(begins)))
}

pub(super) fn array_length(recipe: &Recipe) -> Option<u64> {
    match &recipe.kind {
        Kind::Array { length, .. } => Some(*length),
        _ => None,
    }
}
