//! Which member of a union is alive, by a member beside it.

use crate::model::{Class, Field, Model, TypeKind};
use crate::types::arithmetic::is_integer;
use std::collections::BTreeMap;

/// Fewer values that bodies tell apart are no kinds.
const LEAST: usize = 2;

/// What says which member of a union is alive.
pub struct Tag<'m> {
    /// The member beside the union.
    pub field: &'m Field,
    /// The values of that, and the member of the union that is alive then.
    pub alive: Vec<(Vec<i64>, &'m Field)>,
}

/// What says which member of the union `field` of `class` is alive: all bodies of the project agree on it.
pub fn tag<'m>(model: &'m Model, class: &'m Class, field: &Field) -> Option<Tag<'m>> {
    let union = model.class_of(&field.ty)?;
    let mut by_tag: BTreeMap<&str, BTreeMap<i64, Vec<&str>>> = BTreeMap::new();
    for told in model.union_tags.get(&field.usr)? {
        by_tag.entry(&told.tag).or_default().entry(told.value).or_default().push(&told.member);
    }
    by_tag.values_mut().for_each(|values| values.retain(|_, members| members.len() == 1));
    // (A count that is compared once says nothing of the kind.)
    let candidates = by_tag.into_iter().filter(|(_, values)| values.len() >= LEAST).filter_map(|(name, values)| {
        let tag = class.fields.iter().find(|tag| tag.name == name)?;
        let rank = match tag.ty.kind {
            TypeKind::Enum(_) => 1,
            TypeKind::Prim(prim) if is_integer(prim) => 0,
            _ => return None,
        };
        Some(((rank, values.len()), tag, values))
    });
    let (_, tag, values) = candidates.max_by_key(|(rank, ..)| *rank)?;
    let alive = union.fields.iter().filter_map(|member| {
        let of_it = |(value, members): (&i64, &Vec<&str>)| (members[..] == [member.name.as_str()]).then_some(*value);
        let values: Vec<i64> = values.iter().filter_map(of_it).collect();
        (!values.is_empty()).then_some((values, member))
    });
    Some(Tag { field: tag, alive: alive.collect() }).filter(|tag| !tag.alive.is_empty())
}
