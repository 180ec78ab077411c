//! Functions, methods, constructors and their definitions.

use super::body::Facts;
use super::files::{Place, Text};
use super::histories;
use super::reader::{Reader, Written, class_around, place_extent};
use super::signatures;
use super::types;
use super::variables::key;
use crate::model::*;
use clang::{Entity, EntityKind};

pub(super) fn function<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    let usr = reader.usr(entity);
    let Some((extent, text, _)) = reader.extent(entity) else {
        return;
    };
    let Some(place) = reader.place(entity) else { return };
    if usr.is_empty() || reader.is_explicit_instantiation(entity) {
        reader.scan_children(entity, &mut None);
        return;
    }
    let parent = class_around(entity);
    // A member that is specialised for one instantiation alone belongs to the template all the same.
    let template = parent.map(|parent| reader.primary(parent));
    if template != parent
        && let Some(ty) = parent.and_then(|parent| parent.get_type())
        && let TypeKind::Record { args, .. } = types::model_type(reader, ty).kind
    {
        reader.model.used_of.entry(usr.clone()).or_default().insert(args);
    }
    let mut function = signatures::signature(reader, entity, &usr, (&text, &extent), &place);
    let kind = function.kind;
    let target = match (&function.owner, kind) {
        (Some(owner), FunctionKind::Constructor | FunctionKind::Destructor) => owner.clone(),
        _ => usr.clone(),
    };
    reader.declare_name(Some(&place), function.name.trim_start_matches('~'), &target);
    let body = entity
        .get_children()
        .into_iter()
        .filter(|child| matches!(child.get_kind(), EntityKind::CompoundStmt | EntityKind::TryStmt))
        // A defaulted function has a body that nobody wrote.
        .rfind(|_| !function.is_defaulted);
    let mut facts = body.map(|_| Facts::default());
    reader.scan_children(entity, &mut facts);
    match (body, facts) {
        (Some(body), Some(mut facts)) => {
            histories::mine(reader, entity, body);
            let keys = signatures::parameters(entity).into_iter().map(|param| key(param).unwrap_or_default());
            let keys: Vec<String> = keys.collect();
            for (param, key) in function.params.iter_mut().zip(&keys) {
                param.tested = facts.tested.contains(key);
                param.is_passed_on = facts.passed_on.contains(key) && !facts.used.contains(key);
                param.only_read = facts.uses.get(key).cloned().flatten();
                param.seen_as = match facts.seen_as.get(key).map(Vec::as_slice) {
                    Some([only]) if facts.seen_for_certain.contains(key) => Some(only.clone()),
                    _ => None,
                };
            }
            facts.places.tell(&mut function.params, &keys);
            facts.indices.tell(&mut function.params, &keys);
            facts.places.tell_of_members(&mut reader.model.elements);
            let at = |key: &String| keys.iter().position(|param| param == key);
            let ends: Vec<_> = facts.pointers.ends(&keys).iter().map(|(to, from)| (at(to), at(from))).collect();
            for (end, begin) in ends {
                if let Some(end) = end {
                    function.params[end].ends = begin;
                }
            }
            if let Some(mut definition) = definition(reader, &text, extent, body, &place, kind, facts) {
                definition.is_hook &= function.is_virtual;
                if let Some(written) = &mut reader.written {
                    written.push(Written { usr, entity, body, definition: definition.clone() });
                }
                if let Some(template) = &function.template {
                    let whole = text.slice(definition.extent.start, definition.extent.end);
                    let whole = String::from_utf8_lossy(whole);
                    function.wants = super::wanted_members::wanted(&whole, template, &function.params);
                }
                function.definition = Some(definition);
            }
        }
        _ if signatures::leans_on_main(reader, entity, &extent) => {}
        _ => function.declarations.push(extent),
    }
    if function.name == "main" && function.scopes.is_empty() && function.definition.is_some() {
        reader.model.files.entry(text.path.clone()).or_default().defines_main = true;
    }
    super::merge::function(&mut reader.model, function);
}

fn definition<'tu>(
    reader: &mut Reader<'tu>,
    text: &Text,
    extent: Extent,
    body: Entity<'tu>,
    place: &Place,
    kind: FunctionKind,
    facts: Facts,
) -> Option<Definition> {
    let (mut body, _, body_in_macro) = reader.extent(body)?;
    let bytes = text.bytes();
    // A macro in front of the name (an export mark, say) does no harm; one that makes the braces does.
    let mut in_macro = body_in_macro
        || place.file.path != extent.file
        || body.file != extent.file
        || !(extent.start..body.start).contains(&place.offset);
    let mut extent = extent;
    let (mut initializers, mut name_len) = (None, 0);
    if !in_macro {
        if let Some(start) = super::head::function_try(text, place.offset, body.start) {
            body = Extent { start, ..body };
        }
        let opens =
            bytes.get(body.start as usize) == Some(&b'{') || text.slice(body.start, body.end).starts_with(b"try");
        in_macro = !opens || bytes.get(body.end as usize - 1) != Some(&b'}');
        name_len = super::head::name_len(text, place.offset);
        extent.start = super::head::with_attributes(text, extent.start);
        if kind == FunctionKind::Constructor && !in_macro {
            initializers = super::head::initializers(text, place.offset + name_len, body.start)
                .map(|(start, end)| place_extent(text, start, end));
        }
    }
    let extent = place_extent(text, extent.start, extent.end);
    let is_hook = !in_macro && super::head::is_hook(text, place.offset, &body);
    Some(Definition {
        is_hook,
        body: place_extent(text, body.start, body.end),
        extent,
        initializers,
        name_offset: place.offset,
        name_len,
        in_macro,
        labels: facts.labels,
        literals: facts.literals.into_vec(),
        calls: facts.calls,
        hands_on: facts.named.difference(&facts.called).cloned().collect(),
        touches: facts.touches,
        members: facts.members,
        initialized: facts.initialized,
        changes: facts.changes,
        sets: facts.sets,
        asked: facts.asked,
        member_types: facts.member_types,
        passes: facts.passes,
        calls_members: facts.calls_members,
        returns: match facts.returned.as_slice() {
            [only] => only.clone(),
            _ => None,
        },
        compared: facts.compared,
        only_read: facts
            .uses
            .into_iter()
            .filter(|(name, _)| facts.globals.contains(name))
            .filter_map(|(name, lent)| Some((name, lent?)))
            .collect(),
        globals: facts.globals,
    })
}
