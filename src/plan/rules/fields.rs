//! Structures field by field.

use super::memory::{are_ends, array_length, buffer, range};
use super::rule::RecordRule;
use crate::facts::member_lengths::{self, Extent};
use crate::model::{Class, ClassKind, Field, LARGE, Language, TemplateArg, Type, TypeKind};
use crate::plan::construction_graph::{Builder, Edge, Need, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe, Slot};
use crate::types::arithmetic::is_integer;
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// A structure that its fields alone make.
pub(super) const FIELDS: RecordRule = RecordRule {
    name: "field by field",
    // The graph has it among the ways of the class.
    cost: |_, _| None,
    recipe: |scope, ty, request| {
        let TypeKind::Record { usr, args, .. } = &ty.kind else { return Ok(None) };
        let Some(class) = scope.model.classes.get(usr) else { return Ok(None) };
        let is_known = class.definition.is_some() && scope.in_reach(class);
        if !is_known || !is_structure(class) || super::overrides::is_told_of(scope, class) {
            return Ok(None);
        }
        match plain(scope, ty, class, args, request) {
            Err(_) if class.language == Language::Cxx => Ok(None),
            made => made.map(Some),
        }
    },
};

/// The fields of a structure that are no pointers, which may be null.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    let class = object.class;
    if class.definition.is_none() || object.is_grid() || !is_structure(class) {
        return;
    }
    let with = Substitution::of(graph.facts.model, class, object.ty.args());
    let mut need = Some(Need::default());
    if class.kind != ClassKind::Union {
        let fields = class.fields.iter().filter(|f| !f.is_static && f.ty.pointee().is_none());
        let types: Vec<Type> = fields.map(|f| with.apply(&f.ty)).collect();
        need = graph.values(&types);
    }
    edges.extend(need.map(|need| Edge::new(Way::Fields, need.plus(1))));
}

/// Whether nothing but fields makes an object of the class.
fn is_structure(class: &Class) -> bool {
    let is_plain = class.kind == ClassKind::Union || class.is_aggregate || class.language == Language::C;
    is_plain && !class.is_polymorphic
}

/// A structure without constructors, field by field; a union by one of its members, or as storage.
fn plain(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    args: &[TemplateArg],
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    if class.kind == ClassKind::Union {
        let with = Substitution::of(scope.model, class, args);
        let made = super::unions::one_member(scope, ty, class, &with, request);
        return Ok(made.unwrap_or_else(|| Kind::Bytes.of(value_type(ty))));
    }
    if request.is_open(&class.usr) && !leads_on(scope, class, request) {
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
pub(in crate::plan) struct Filled {
    fields: Vec<Slot>,
    statements: Vec<String>,
    overridden: bool,
}

pub(in crate::plan) fn fields(
    scope: &UnitScope<'_>,
    class: &Class,
    with: &Substitution,
    request: Request<'_>,
) -> Result<Filled, Reason> {
    let mut slots: Vec<Slot> = Vec::new();
    let (mut statements, mut overridden) = (Vec::new(), false);
    let left_out = if crate::facts::default_construction::is_default_constructible(scope.model, class) {
        scope.field_usage.left_out(scope.lexicon(), scope.model, class)
    } else {
        Default::default()
    };
    let mut extents = extents(scope, class, with, request);
    let is_told = |place: usize| scope.overrides.field(&class.qualified, &class.fields[place].name).is_some();
    let is_said =
        |place: usize| left_out.contains(&place) || is_told(place) || extents.iter().any(|(at, _)| *at == place);
    let counted = super::array_lengths::counted_members(scope, class, with, request, is_said);
    extents.extend(counted);
    // (Nobody can set constant bits behind their declaration.)
    let is_fixed = |field: &Field| field.is_static || field.bit_width.is_some() && field.ty.is_const;
    for (place, field) in class.fields.iter().enumerate().filter(|(_, field)| !is_fixed(field)) {
        if left_out.contains(&place) && !is_told(place) {
            continue;
        }
        if let Some((_, recipe)) = extents.iter().find(|(at, _)| *at == place) {
            let ty = with.apply(&field.ty);
            slots.push(Slot::new(field.name.clone(), ty, recipe.clone()));
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
            slots.extend(unnamed(scope, (inner, &with.apply(&field.ty)), with, request)?);
            continue;
        }
        let ty = with.apply(&field.ty);
        if let Some(begin) = slots.last_mut()
            && let Slot { name, ty: begins, recipe, .. } = begin
            && are_ends(scope.lexicon(), (name.as_str(), begins), (field.name.as_str(), &ty), false)
            && let Some(pointee) = begins.pointee()
            && scope.overrides.field(&class.qualified, name).is_none()
            && scope.overrides.field(&class.qualified, &field.name).is_none()
        {
            *recipe = range(scope, begins, pointee, request)?;
            let recipe = Kind::End { most: ARRAY_LENGTH }.of(value_type(&ty));
            slots.push(Slot::new(field.name.clone(), ty, recipe));
            continue;
        }
        // A length behind its array, as among parameters.
        let told = scope.overrides.field(&class.qualified, &field.name).is_some();
        if let (TypeKind::Prim(prim), Some(previous), false) = (&ty.kind, slots.last(), told)
            && is_integer(*prim)
            && field.bit_width.is_none()
            && scope.lexicon().is_length(&field.name, Some(&previous.name))
            && previous.ty.pointee().is_some()
            && let Some(most) = array_length(&previous.recipe)
        {
            let free = scope.field_usage.asks_beyond(&field.usr, most);
            let recipe = Kind::Length { most, free, below: false }.of(value_type(&ty));
            slots.push(Slot::new(field.name.clone(), ty, recipe));
            continue;
        }
        match field_recipe(scope, class, field, &ty, request) {
            Ok(Some(recipe)) => {
                let recipe = super::callbacks::of_member(scope, class, &field.name, recipe);
                // A list may end anywhere, and what nothing is known of may be missing.
                let is_untyped = !is_told(place) && ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Void));
                let nullable = is_untyped || matches!(recipe.kind, Kind::Pointer { .. }) && is_open(&ty, request);
                slots.push(Slot { nullable, ..Slot::new(field.name.clone(), ty, recipe) });
            }
            Ok(None) => {}
            Err(reason) => {
                return Err(Reason {
                    what: format!("field `{}::{}`: {}", class.qualified, field.name, reason.what),
                    needs: vec![format!("fields.{}.{}", class.qualified, field.name)],
                });
            }
        }
    }
    let is_freed = |slot: &Slot| class.fields.iter().any(|f| f.name == slot.name && scope.field_usage.frees(&f.usr));
    for slot in slots.iter_mut().filter(|slot| scope.is_in_c() && is_freed(slot)) {
        slot.recipe = super::memory::on_heap(slot.recipe.clone());
    }
    Ok(Filled { fields: slots, statements, overridden })
}

/// Whether a pointer is to a class of which an object is under construction.
fn is_open(ty: &Type, request: Request<'_>) -> bool {
    ty.pointee().and_then(Type::record).is_some_and(|usr| request.is_open(usr))
}

/// Whether a node under construction leads to another one: a list in C has up to three, a tree two levels. Further
/// inside than a member of an argument they have one: each node of a list would have lists of its own.
pub(super) fn leads_on(scope: &UnitScope<'_>, class: &Class, request: Request<'_>) -> bool {
    let to_itself = |field: &&Field| field.ty.pointee().and_then(Type::record) == Some(&class.usr);
    let levels = if class.fields.iter().filter(to_itself).count() > 1 { 2 } else { 3 };
    scope.is_in_c()
        && class.language == Language::C
        && class.size.is_some_and(|size| size <= LARGE)
        && request.innermost() == Some(&class.usr)
        && request.objects_of(&class.usr) < levels
        && request.objects_open() <= request.objects_of(&class.usr) + 1
}

/// The members that a class has of a structure or a union without a name.
pub(super) fn unnamed(
    scope: &UnitScope<'_>,
    (inner, ty): (&Class, &Type),
    with: &Substitution,
    request: Request<'_>,
) -> Result<Vec<Slot>, Reason> {
    if inner.kind != ClassKind::Union {
        return Ok(fields(scope, inner, with, request)?.fields);
    }
    if let Some(member) = super::unions::one_member(scope, ty, inner, with, request) {
        // Its members are those of the structure that it stands in.
        return Ok(vec![Slot::new("", ty.clone(), member)]);
    }
    let Some(whole) = crate::facts::anonymous_members::whole(scope.model, inner) else { return Ok(Vec::new()) };
    let recipe = scope.value(&whole.ty, request.deeper())?;
    Ok(vec![Slot::new(whole.name.clone(), whole.ty.clone(), recipe)])
}

/// Members that are made together: memory, and what says how much of it there is. By their places in the class.
fn extents(scope: &UnitScope<'_>, class: &Class, with: &Substitution, request: Request<'_>) -> Vec<(usize, Recipe)> {
    let mut found = Vec::new();
    let is_told = |place: usize| scope.overrides.field(&class.qualified, &class.fields[place].name).is_some();
    for Extent { memory, count, room } in member_lengths::extents(scope.lexicon(), class, with) {
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
        let free = scope.field_usage.asks_beyond(&class.fields[count].usr, ARRAY_LENGTH);
        found.push((count, Kind::Length { most: ARRAY_LENGTH, free, below: false }.of(number(count))));
        if let Some(room) = room {
            found.push((room, Kind::Fixed { expression: ARRAY_LENGTH.to_string() }.of(number(room))));
        }
    }
    if let Some(recipe) = super::array_lengths::trailing(scope, class, request)
        && let Some(most) = array_length(&recipe)
        && let Some(Extent { memory, count, .. }) = member_lengths::trailing(scope.lexicon(), class)
        && ![memory, count].into_iter().any(is_told)
    {
        let number = value_type(&class.fields[count].ty);
        found.push((memory, recipe));
        let free = scope.field_usage.asks_beyond(&class.fields[count].usr, most);
        found.push((count, Kind::Length { most, free, below: false }.of(number)));
    }
    found
}

/// A field's recipe; none where it is left as value initialisation makes it.
pub(in crate::plan) fn field_recipe(
    scope: &UnitScope<'_>,
    class: &Class,
    field: &Field,
    ty: &Type,
    request: Request<'_>,
) -> Result<Option<Recipe>, Reason> {
    if let Some(hook) = scope.overrides.field(&class.qualified, &field.name)
        && let Some(pointee) = ty.pointee()
    {
        let named = hook.pointee.as_ref().and_then(|name| crate::plan::class_arguments::named_type(scope, name));
        let pointee = value_type(named.as_ref().unwrap_or(pointee));
        return buffer(scope, ty, &pointee, hook.length.unwrap_or(1), request).map(Some);
    }
    match &ty.kind {
        // Self-referential nodes (lists, trees) end in NULL.
        TypeKind::Pointer(to)
            if is_open(ty, request)
                && !scope.model.class_of(to).is_some_and(|class| leads_on(scope, class, request)) =>
        {
            Ok(None)
        }
        TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Void) => {
            let taken_for = scope.field_usage.taken_for(&field.usr).and_then(Type::pointee);
            let made =
                taken_for.map(|to| scope.value(&crate::types::compose::pointer(&value_type(to)), request.deeper()));
            Ok(made.and_then(Result::ok).filter(|made| !matches!(made.kind, Kind::Fixed { .. })))
        }
        // A class without a name can't be made.
        TypeKind::Pointer(to)
            if to.record().and_then(|usr| scope.model.classes.get(usr)).is_some_and(|class| class.name.is_empty()) =>
        {
            Ok(None)
        }
        TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Function { .. }) && class.language == Language::Cxx => {
            Ok(None)
        }
        // A flexible array member owns no storage in the structure.
        TypeKind::Array(_, None | Some(0)) => Ok(super::array_lengths::trailing(scope, class, request)),
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
