//! Loops that count down while they move on: `while (n--) sum += *p++;` says that `n` counts what is behind `p`.

use super::operands::{bare, is_pointer, named, names};
use super::pointer_ranges::Pointers;
use clang::{Entity, EntityKind};
use std::collections::BTreeSet;

/// What one loop moves, and what it counts down meanwhile.
#[derive(Default)]
pub(super) struct Countdown {
    /// The variables that its head asks for and that it takes something from.
    pub counts: BTreeSet<String>,
    /// The pointers, by the parameters that they come from, and the numbers that it moves up, each once a round.
    pub moved: BTreeSet<String>,
    /// The pointers that loops within move: more than once a round.
    pub moved_within: BTreeSet<String>,
}

/// The loop that `entity` is, if it counts down; `operator` says which one an expression with these operands has.
pub(super) fn of_loop<'tu>(
    entity: Entity<'tu>,
    pointers: &Pointers,
    operator: &mut dyn FnMut(Entity<'tu>, &[Entity<'tu>]) -> Option<String>,
) -> Option<Countdown> {
    if !is_loop(entity.get_kind()) {
        return None;
    }
    let children = entity.get_children();
    let head = match (entity.get_kind(), &children[..]) {
        (EntityKind::DoStmt, [_, head @ ..]) => head,
        // (What comes last is done after each round, and asks for nothing.)
        (EntityKind::ForStmt, [head @ .., _, _]) if !head.is_empty() => head,
        (_, [head @ .., _]) => head,
        _ => return None,
    };
    let asked: BTreeSet<String> = head.iter().flat_map(|part| names(*part)).collect();
    let mut found = Countdown::default();
    let mut open: Vec<(Entity<'tu>, bool)> = children.iter().map(|child| (*child, false)).collect();
    while let Some((part, within)) = open.pop() {
        let kind = part.get_kind();
        let inner = part.get_children();
        if matches!(kind, EntityKind::UnaryOperator | EntityKind::CompoundAssignOperator)
            && let Some(of) = inner.first().map(|of| bare(*of))
        {
            match (operator(part, &inner).as_deref(), is_pointer(of)) {
                (Some("++" | "+="), true) if within => found.moved_within.extend(pointers.base(of)),
                (Some("++" | "+="), true) => found.moved.extend(pointers.base(of)),
                (Some("++" | "+="), false) if !within => found.moved.extend(named(of)),
                (Some("--" | "-="), false) => found.counts.extend(named(of).filter(|name| asked.contains(name))),
                _ => {}
            }
        }
        open.extend(inner.into_iter().map(|part| (part, within || is_loop(kind))));
    }
    let moves = !(found.moved.is_empty() && found.moved_within.is_empty());
    (moves && !found.counts.is_empty()).then_some(found)
}

fn is_loop(kind: EntityKind) -> bool {
    matches!(kind, EntityKind::WhileStmt | EntityKind::ForStmt | EntityKind::DoStmt)
}
