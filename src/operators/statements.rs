//! Deletes statements and blocks: SDL.

use super::flow::{Changed, has_labels, locks_in, runs_off};
use super::view::*;
use crate::model::TypeKind;
use crate::mutant::made::{Change, Edit};
use crate::tree::{Entity, Kind, Node, Role};

pub(super) fn collect<'a>(view: &View<'a>, place: &Place<'a>, wanted: &dyn Fn(&str) -> bool, out: &mut Vec<Change>) {
    let node = place.node;
    if !wanted("SDL") || !is_removable(view, place) {
        return;
    }
    let text = if node.kind == Kind::Block { "{}" } else { ";" };
    let edit = Edit { start: node.span.start, end: node.span.end, text: text.into() };
    out.push(Change { operator: "SDL".into(), edits: vec![edit] });
}

fn is_removable<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    let node = place.node;
    let parent = place.parent();
    // The value of a statement expression is that of its last statement.
    if place.path.iter().any(|above| matches!(&above.kind, Kind::Other(name) if name.contains("StmtExpr"))) {
        return false;
    }
    let kind_goes = match &node.kind {
        // `throw` has its own operator.
        Kind::Expression => node
            .child(Role::Operand)
            .is_some_and(|inner| inner.kind != Kind::Throw && !has_no_effect(inner) && !is_only_write(view, inner)),
        Kind::If | Kind::For | Kind::RangeFor | Kind::While | Kind::DoWhile | Kind::Switch => true,
        Kind::Return => !is_last_return(view, place),
        Kind::Break => !ends_switch(place),
        Kind::Continue => !is_last_of_loop(place),
        Kind::Goto => true,
        Kind::Block => block_goes(view, place),
        _ => false,
    };
    kind_goes
        && parent_allows(parent, node)
        && !has_labels(node, false)
        && !locks_in(view.around, &place.path, Changed::Gone(node))
        && !runs_off(view.around, view.body, &place.path, view.function, Changed::Gone(node))
}

/// Whether another statement may be in this place.
fn parent_allows(parent: Option<&Node>, node: &Node) -> bool {
    match parent {
        None => node.kind == Kind::Block,
        Some(parent) => match parent.kind {
            Kind::Block | Kind::Case | Kind::Default | Kind::Label => true,
            Kind::If | Kind::For | Kind::RangeFor | Kind::While | Kind::DoWhile | Kind::Switch => {
                matches!(node.role, Role::Then | Role::Else)
            }
            // The guarded block and its handlers have their own operators.
            Kind::Try => node.role == Role::Then,
            Kind::Lambda => node.role == Role::Then,
            _ => false,
        },
    }
}

/// `(void)x;`, `x;`: no effect.
fn has_no_effect(node: &Node) -> bool {
    let mut effect = false;
    node.walk(&mut |node| effect |= acts(node));
    !effect
}

fn acts(node: &Node) -> bool {
    match &node.kind {
        Kind::Call { .. }
        | Kind::OperatorCall { .. }
        | Kind::Construct { .. }
        | Kind::New { .. }
        | Kind::Delete
        | Kind::Assign { .. }
        | Kind::Throw
        | Kind::Other(_) => true,
        Kind::Unary { op, .. } => op == "++" || op == "--",
        _ => node.in_macro,
    }
}

/// A local variable without initialiser gets its only value here: without it, reads are undefined.
fn is_only_write(view: &View<'_>, node: &Node) -> bool {
    let Kind::Assign { op, .. } = &node.kind else { return false };
    let Some(Kind::Name { target, of: Entity::Local, .. }) = node.child(Role::Left).map(|left| &left.kind) else {
        return false;
    };
    if op != "=" {
        return false;
    }
    let (mut initialised, mut writes) = (true, 0);
    let is_it = |node: Option<&Node>| match node.map(|node| &node.kind) {
        Some(Kind::Name { target: found, .. }) => found == target,
        _ => false,
    };
    view.body.root.walk(&mut |node| match &node.kind {
        Kind::Variable { usr, .. } if usr == target => {
            initialised = node.children.iter().any(|child| child.role == Role::Init || child.role == Role::Condition);
        }
        Kind::Assign { .. } => writes += usize::from(is_it(node.child(Role::Left))),
        Kind::Unary { op, .. } if matches!(op.as_str(), "&" | "++" | "--") => {
            writes += usize::from(is_it(node.child(Role::Operand)));
        }
        // It may be passed by reference.
        Kind::Call { .. } if view.cxx => {
            writes += node.children.iter().filter(|child| child.role == Role::Argument && is_it(Some(child))).count();
        }
        _ => {}
    });
    !initialised && writes <= 1
}

fn block_goes<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    let node = place.node;
    match (node.children.as_slice(), place.parent()) {
        ([], _) => false,
        // The statement itself is removed.
        ([only], Some(parent)) if !matches!(only.kind, Kind::Declaration) || parent.kind == Kind::Lambda => false,
        // A loop that would become endless.
        (_, Some(parent)) if matches!(parent.kind, Kind::While | Kind::DoWhile) => {
            let mut acting = false;
            if let Some(condition) = parent.child(Role::Condition) {
                condition.walk(&mut |node| acting |= acts(node));
            }
            acting
        }
        (_, Some(parent)) if parent.kind == Kind::For => parent.child(Role::Step).is_some(),
        (_, Some(_)) => true,
        // The whole body; an override has its own operator.
        (children, None) => {
            children.len() > 1
                && view.function.is_some_and(|function| {
                    function.overrides.is_empty() && function.result.kind == TypeKind::Void && !function.is_noreturn
                })
        }
    }
}

/// The body that contains a node: the lambda's or the function's.
fn own_body<'a>(view: &View<'a>, place: &Place<'a>) -> &'a Node {
    let lambda = place.path.iter().rev().find(|node| node.kind == Kind::Lambda);
    lambda.and_then(|lambda| lambda.child(Role::Then)).unwrap_or(&view.body.root)
}

/// A final `return;`.
fn is_last_return<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    let body = own_body(view, place);
    body.children.last().is_some_and(|last| std::ptr::eq(last, place.node))
}

/// The last `break` of a `switch`: control would continue there anyway.
fn ends_switch(place: &Place<'_>) -> bool {
    let around = place
        .path
        .iter()
        .rev()
        .find(|node| matches!(node.kind, Kind::While | Kind::DoWhile | Kind::For | Kind::RangeFor | Kind::Switch));
    let body = around.filter(|around| around.kind == Kind::Switch).and_then(|switch| switch.child(Role::Then));
    body.is_some_and(|body| is_at_end(body, place.node))
}

fn is_last_of_loop(place: &Place<'_>) -> bool {
    let around = place
        .path
        .iter()
        .rev()
        .find(|node| matches!(node.kind, Kind::While | Kind::DoWhile | Kind::For | Kind::RangeFor));
    around.and_then(|around| around.child(Role::Then)).is_some_and(|body| is_at_end(body, place.node))
}

/// Whether `inner` is at the end of a block.
fn is_at_end(outer: &Node, inner: &Node) -> bool {
    std::ptr::eq(outer, inner)
        || match outer.kind {
            Kind::Block => outer.children.last(),
            Kind::Case | Kind::Default | Kind::Label => outer.child(Role::Then),
            _ => None,
        }
        .is_some_and(|last| is_at_end(last, inner))
}
