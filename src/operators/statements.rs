//! Deletes statements and blocks: SDL.

use super::flow::{Changed, breaks_flow};
use super::site::{Edits, Site, arguments};
use crate::model::TypeKind;
use crate::tree::{Entity, Kind, Node, Role};

/// `x = 1;` → `;`, `{ … }` → `{}`
pub(super) fn sdl(site: &Site<'_>, edits: &mut Edits<'_>) {
    if is_removable(site) {
        edits.replace(site.node.span, if site.node.kind == Kind::Block { "{}" } else { ";" });
    }
}

fn is_removable(site: &Site<'_>) -> bool {
    let node = site.node;
    // The value of a statement expression is that of its last statement.
    if site.above.iter().any(|above| matches!(&above.kind, Kind::Other(name) if name.contains("StmtExpr"))) {
        return false;
    }
    let kind_goes = match &node.kind {
        // `throw` has its own operator.
        Kind::Expression => node
            .child(Role::Operand)
            .is_some_and(|inner| inner.kind != Kind::Throw && has_effect(inner) && !is_only_write(site, inner)),
        Kind::If | Kind::For | Kind::RangeFor | Kind::While | Kind::DoWhile | Kind::Switch | Kind::Goto => true,
        Kind::Return => !is_last_return(site),
        // The last `break` of a `switch`, the last `continue` of a loop: control would continue there anyway.
        Kind::Break => !breakable(site, true).is_some_and(|body| is_at_end(body, node)),
        Kind::Continue => !breakable(site, false).is_some_and(|body| is_at_end(body, node)),
        Kind::Block => block_goes(site),
        _ => false,
    };
    kind_goes
        && parent_allows(site.parent(), node)
        && !node.is_entered_by_labels()
        && !breaks_flow(site, Changed::Gone(node))
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
            Kind::Try | Kind::Lambda => node.role == Role::Then,
            _ => false,
        },
    }
}

/// Not `(void)x;`, `x;`.
fn has_effect(node: &Node) -> bool {
    let mut effect = false;
    node.walk(&mut |node| effect |= acts(node));
    effect
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
fn is_only_write(site: &Site<'_>, node: &Node) -> bool {
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
    site.scene.body.root.walk(&mut |node| match &node.kind {
        Kind::Variable { usr, .. } if usr == target => {
            initialised = node.children.iter().any(|child| child.role == Role::Init || child.role == Role::Condition);
        }
        Kind::Assign { .. } => writes += usize::from(is_it(node.child(Role::Left))),
        Kind::Unary { op, .. } if matches!(op.as_str(), "&" | "++" | "--") => {
            writes += usize::from(is_it(node.child(Role::Operand)));
        }
        // It may be passed by reference.
        Kind::Call { .. } if site.scene.cxx => {
            writes += arguments(node).into_iter().filter(|argument| is_it(Some(argument))).count();
        }
        _ => {}
    });
    !initialised && writes <= 1
}

fn block_goes(site: &Site<'_>) -> bool {
    match (site.node.children.as_slice(), site.parent()) {
        ([], _) => false,
        // The statement itself is removed.
        ([only], Some(parent)) if !matches!(only.kind, Kind::Declaration) || parent.kind == Kind::Lambda => false,
        // A loop that would become endless.
        (_, Some(parent)) if matches!(parent.kind, Kind::While | Kind::DoWhile) => {
            parent.child(Role::Condition).is_some_and(has_effect)
        }
        (_, Some(parent)) if parent.kind == Kind::For => parent.child(Role::Step).is_some(),
        (_, Some(_)) => true,
        // The whole body; an override has its own operator.
        (children, None) => {
            let function = site.scene.function;
            let may_do_nothing = function.result.kind == TypeKind::Void && !function.is_noreturn;
            children.len() > 1 && function.overrides.is_empty() && may_do_nothing
        }
    }
}

/// A final `return;` of the lambda or the function.
fn is_last_return(site: &Site<'_>) -> bool {
    let lambda = site.above.iter().rev().find(|node| node.kind == Kind::Lambda);
    let body = lambda.and_then(|lambda| lambda.child(Role::Then)).unwrap_or(&site.scene.body.root);
    body.children.last().is_some_and(|last| std::ptr::eq(last, site.node))
}

/// The body of the innermost loop or, if that is the target of a `break`, of the `switch`.
fn breakable<'a>(site: &Site<'a>, is_break: bool) -> Option<&'a Node> {
    let is_loop = |node: &Node| matches!(node.kind, Kind::While | Kind::DoWhile | Kind::For | Kind::RangeFor);
    let target = site.above.iter().rev().find(|node| is_loop(node) || is_break && node.kind == Kind::Switch)?;
    if is_break == (target.kind == Kind::Switch) { target.child(Role::Then) } else { None }
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
