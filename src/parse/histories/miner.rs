//! The state of mining histories.

use crate::model::Usr;
use crate::model::history::*;
use crate::parse::reader::Reader;
use clang::{Entity, EntityKind};
use std::collections::{BTreeMap, HashMap};

/// A step with what only its function tells.
#[derive(Clone)]
pub(super) struct Seen {
    pub(super) step: Step,
    pub(super) line: u32,
    /// Steps whose objects it may change.
    pub(super) changes: Vec<usize>,
    /// The step whose object it is a part of.
    pub(super) part_of: Option<usize>,
}

pub(super) struct Miner<'r, 'tu> {
    pub(super) reader: &'r mut Reader<'tu>,
    pub(super) steps: Vec<Seen>,
    /// The values of variables.
    pub(super) known: HashMap<Entity<'tu>, Value>,
    pub(super) found: BTreeMap<Usr, Vec<History>>,
    pub(super) depth: usize,
}

pub(super) fn expressions(entity: Entity<'_>) -> Vec<Entity<'_>> {
    entity.get_children().into_iter().filter(Entity::is_expression).collect()
}

/// The cursor without brackets and what nobody wrote.
pub(super) fn stripped(entity: Entity<'_>) -> Entity<'_> {
    let mut entity = entity;
    while matches!(entity.get_kind(), EntityKind::UnexposedExpr | EntityKind::ParenExpr) {
        match expressions(entity)[..] {
            [inner] => entity = inner,
            _ => break,
        }
    }
    entity
}
