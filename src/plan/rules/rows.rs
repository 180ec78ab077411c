//! Values of the types that rows describe: the standard library's, and those that a project has rows for.

use super::rule::RecordRule;
use crate::model::library::{Shape, Stream};
use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::overrides::Overrides;
use crate::plan::construction_graph::Need;
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, LIST_LENGTH, Reason, Recipe, SEQUENCE_LENGTH, Slot};
use crate::types::compose::{pair, pointer};
use crate::types::library::own_row;
use crate::types::spelling::value_type;
use crate::types::standard::{Anatomy, anatomy, is_file, is_standard, known_values};

/// The standard library's types, and those that a project has rows for.
pub(super) const ROW: RecordRule = RecordRule {
    name: "row",
    cost: |graph, ty| {
        let TypeKind::Record { name, .. } = &ty.kind else { return None };
        // A file behind what owns one.
        if is_file(ty) {
            return Some(Some(Need::of(2)));
        }
        let has_row = has_row(graph.facts.model, graph.facts.overrides, name);
        has_row.then(|| {
            let parts = anatomy(graph.facts.model, ty)?.parts;
            Some(graph.values(parts.iter().map(|(_, ty)| ty))?.plus(2))
        })
    },
    recipe: |scope, ty, request| match &ty.kind {
        TypeKind::Record { name, args, .. } if has_row(scope.model, scope.overrides, name) => {
            by_row(scope, ty, name, args, request).map(Some)
        }
        _ => Ok(None),
    },
};

/// Whether a type has a row, or is the standard library's.
fn has_row(model: &Model, overrides: &Overrides, name: &str) -> bool {
    // A construction that is written down for this class comes before its row.
    is_standard(name) || own_row(model, name).is_some() && !overrides.makes(name)
}

fn by_row(
    scope: &UnitScope<'_>,
    ty: &Type,
    name: &str,
    args: &[TemplateArg],
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let Some(Anatomy { shape, parts, row }) = anatomy(scope.model, ty) else {
        return Err(
            Reason::new(format!("no value of `{}` can be made", ty.spelling)).needs(format!("construct.{name}"))
        );
    };
    let slot = |(name, ty): &(String, Type)| -> Result<Slot, Reason> {
        Ok(Slot::new(name.clone(), ty.clone(), scope.value(ty, request.deeper())?))
    };
    let ty = value_type(ty);
    let recipe = match (shape, parts.as_slice()) {
        (Shape::Text, _) => Kind::StdString { most: super::pointers::longest_text(scope, request) }.of(ty),
        (Shape::Stream, _) => {
            let stream = row.and_then(|row| row.stream);
            let (reads, writes) = (stream != Some(Stream::Write), stream != Some(Stream::Read));
            Kind::Stream { reads, writes }.of(ty)
        }
        (Shape::Function, _) => match args.first() {
            Some(TemplateArg::Type(Type { kind: TypeKind::Function { .. }, .. })) => {
                super::callbacks::callback(scope, &ty)?
            }
            _ => return Err(Reason::new(format!("`{}` is of no function type", ty.spelling))),
        },
        (Shape::Sequence, [element]) => {
            let element = Box::new(slot(element)?);
            Kind::Sequence { element, least: 0, most: SEQUENCE_LENGTH }.of(ty)
        }
        (Shape::Map, [key, value]) => {
            let pair = Type { kind: ty.kind.clone(), ..pair(&key.1, &value.1) };
            let recipe = Kind::Pair { parts: vec![slot(key)?, slot(value)?] }.of(pair.clone());
            let element = Box::new(Slot::new("element", pair, recipe));
            Kind::Sequence { element, least: 0, most: SEQUENCE_LENGTH }.of(ty)
        }
        (Shape::Array, [element]) => {
            let length = match args.get(1) {
                Some(TemplateArg::Value(text)) => text.trim_end_matches(['u', 'l', 'U', 'L']).parse().ok(),
                _ => None,
            };
            let length = length.ok_or_else(|| Reason::new(format!("the length of `{}` is not known", ty.spelling)))?;
            Kind::Array { element: Box::new(slot(element)?), length, text: false }.of(ty)
        }
        (Shape::Optional, [value]) => Kind::Optional { value: Box::new(slot(value)?) }.of(ty),
        (Shape::Iterator, _) => super::iterators::iterator(scope, &ty, request)?,
        (Shape::List, [(name, element)]) => {
            let made = |n| slot(&(format!("{name}{n}"), element.clone()));
            Kind::List { elements: (1..=LIST_LENGTH).map(made).collect::<Result<_, _>>()? }.of(ty)
        }
        (Shape::Smart, [(name, owned)]) if is_file(owned) => {
            let recipe = Kind::File.of(pointer(owned));
            let to = Slot::new(name.clone(), owned.clone(), recipe);
            Kind::Smart { to: Box::new(to) }.of(ty)
        }
        (Shape::Smart, [(name, owned)]) if matches!(owned.kind, TypeKind::Array(_, None)) => {
            let recipe = owned_array(scope, owned, request)?;
            let to = Slot::new(name.clone(), owned.clone(), recipe);
            Kind::Smart { to: Box::new(to) }.of(ty)
        }
        (Shape::Smart, [value]) => Kind::Smart { to: Box::new(slot(value)?) }.of(ty),
        (Shape::Variant, among) => Kind::Variant { among: among.iter().map(slot).collect::<Result<_, _>>()? }.of(ty),
        (Shape::Known, _) => {
            let expressions = row.map(|row| known_values(row, &ty)).unwrap_or_default();
            Kind::OneOf { expressions }.of(ty)
        }
        (Shape::Empty, _) => Kind::Construct { constructor: None, args: Vec::new(), kept: false }.of(ty),
        (_, parts) => Kind::Pair { parts: parts.iter().map(slot).collect::<Result<_, _>>()? }.of(ty),
    };
    Ok(recipe)
}

/// As many elements as an owner of an array gets, which does not say how many there are.
fn owned_array(scope: &UnitScope<'_>, array: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let TypeKind::Array(element, _) = &array.kind else { return scope.value(array, request) };
    let is_number = matches!(element.kind, TypeKind::Prim(_));
    let length = if is_number { ARRAY_LENGTH } else { SEQUENCE_LENGTH };
    let text = crate::types::arithmetic::is_character(element);
    Ok(Kind::Array { element: super::memory::element_slot(scope, element, request)?, length, text }
        .of(value_type(array)))
}
