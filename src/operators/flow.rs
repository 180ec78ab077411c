//! Control flow after a statement: is the end of a function reached, and is a loop ever left, also after a statement
//! is deleted or a condition becomes constant?
//!
//! If in doubt, the end is reached. A label is reached by the `goto` that names it; which one that is, is not
//! analysed.

use super::Surroundings;
use super::site::{Scene, Site};
use crate::model::TypeKind;
use crate::tree::{Kind, Node, Role};
use crate::types::library::builtin;

/// The change.
#[derive(Clone, Copy)]
pub(super) enum Changed<'a> {
    /// Nothing.
    Nothing,
    /// This statement is deleted.
    Gone(&'a Node),
    /// This condition is constant.
    Constant(&'a Node, bool),
}

/// How a statement may be left, other than by `return` and exceptions.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// By its end.
    falls: bool,
    /// By a `break` of an enclosing statement.
    breaks: bool,
    /// By a `continue` of an enclosing statement.
    continues: bool,
}

const NOWHERE: Ways = Ways { falls: false, breaks: false, continues: false };

impl Ways {
    /// Only by the end, or not at all.
    fn falls(falls: bool) -> Ways {
        Ways { falls, ..NOWHERE }
    }

    fn or(self, other: Ways) -> Ways {
        Ways {
            falls: self.falls || other.falls,
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
        }
    }
}

/// A change with its surroundings.
struct Flow<'a> {
    around: &'a Surroundings<'a>,
    changed: Changed<'a>,
}

/// Whether a change of a node, or below it, makes a loop endless, or the end of a function reached that must not be.
pub(super) fn breaks_flow<'a>(site: &Site<'a>, changed: Changed<'a>) -> bool {
    locks_in(site, changed) || runs_off(site, changed)
}

/// Whether a change lets control reach the end of a non-void or `noreturn` function, which is undefined.
fn runs_off<'a>(site: &Site<'a>, changed: Changed<'a>) -> bool {
    let Scene { around, body, function, .. } = *site.scene;
    let lambda = site.above.iter().rev().find(|node| node.kind == Kind::Lambda);
    let (root, must_not) = match lambda {
        Some(lambda) => {
            let Some(root) = lambda.child(Role::Then) else { return true };
            (root, gives_value(around, lambda, root))
        }
        None => (&body.root, function.result.kind != TypeKind::Void || function.is_noreturn),
    };
    if !must_not {
        return false;
    }
    let falls = |changed| Flow { around, changed }.ways(root, true).falls;
    if !falls(Changed::Nothing) {
        return falls(changed);
    }
    // The reason why the end is unreachable is unknown (a `switch` over all enumerators, say): anything that may be
    // the reason must stay.
    match changed {
        Changed::Nothing => false,
        Changed::Constant(..) => true,
        Changed::Gone(node) => {
            let is_last = root.children.last().is_some_and(|last| std::ptr::eq(last, node)) || std::ptr::eq(root, node);
            is_last || (Flow { around, changed: Changed::Nothing }).may_turn(node)
        }
    }
}

/// Whether a change makes an enclosing loop, or the loop of the changed condition, endless: that would only run into
/// the time limit.
fn locks_in<'a>(site: &Site<'a>, changed: Changed<'a>) -> bool {
    let is_endless = |node: &Node, changed| {
        let flow = Flow { around: site.scene.around, changed };
        let goes_on = match node.child(Role::Condition) {
            None => node.kind == Kind::For,
            Some(condition) => flow.outcome(condition) == Some(true),
        };
        let is_left = |body| flow.ways(body, true).breaks || flow.escapes(body, false);
        goes_on && !node.child(Role::Then).is_some_and(is_left)
    };
    let own = site.above.iter().rev().take_while(|node| node.kind != Kind::Lambda);
    own.filter(|node| matches!(node.kind, Kind::While | Kind::DoWhile | Kind::For))
        .any(|node| is_endless(node, changed) && !is_endless(node, Changed::Nothing))
}

/// Whether a lambda returns a value.
fn gives_value(around: &Surroundings<'_>, lambda: &Node, root: &Node) -> bool {
    let head = around.source.get(lambda.span.start as usize..root.span.start as usize).unwrap_or_default();
    let mut value = head.windows(2).any(|pair| pair == b"->");
    own(root, &mut |node| value |= node.kind == Kind::Return && node.child(Role::Operand).is_some());
    value
}

/// Visits a node and its descendants, without nested functions.
fn own<'t>(node: &'t Node, visit: &mut dyn FnMut(&'t Node)) {
    visit(node);
    if !node.is_apart() {
        node.children.iter().for_each(|child| own(child, visit));
    }
}

impl<'a> Flow<'a> {
    /// How a statement may be left that is reached, or (not `live`) reached by its labels only.
    fn ways(&self, node: &Node, live: bool) -> Ways {
        if !live && !node.is_entered_by_labels() {
            return NOWHERE;
        }
        if matches!(self.changed, Changed::Gone(gone) if std::ptr::eq(gone, node)) {
            return Ways::falls(live);
        }
        let then = |live| node.child(Role::Then).map_or(Ways::falls(live), |then| self.ways(then, live));
        match &node.kind {
            Kind::Block => {
                let mut ways = Ways::falls(live);
                for child in &node.children {
                    let next = self.ways(child, ways.falls);
                    ways = Ways { falls: next.falls, ..ways.or(next) };
                }
                ways
            }
            Kind::Return | Kind::Goto => NOWHERE,
            Kind::Break => Ways { breaks: true, ..NOWHERE },
            Kind::Continue => Ways { continues: true, ..NOWHERE },
            Kind::Expression if node.child(Role::Operand).is_some_and(|inner| self.never_returns(inner)) => NOWHERE,
            Kind::Label | Kind::Case | Kind::Default => then(true),
            Kind::If => {
                let outcome = node.child(Role::Condition).and_then(|condition| self.outcome(condition));
                let other = node.child(Role::Else);
                let other = |live| other.map_or(Ways::falls(live), |other| self.ways(other, live));
                then(live && outcome != Some(false)).or(other(live && outcome != Some(true)))
            }
            Kind::While | Kind::For | Kind::RangeFor => {
                let outcome = match node.child(Role::Condition) {
                    Some(condition) => self.outcome(condition),
                    None => (node.kind == Kind::For).then_some(true),
                };
                let body = then(outcome != Some(false));
                Ways::falls(body.breaks || outcome != Some(true))
            }
            Kind::DoWhile => {
                let body = then(true);
                let outcome = node.child(Role::Condition).and_then(|condition| self.outcome(condition));
                let ends = (body.falls || body.continues) && outcome != Some(true);
                Ways::falls(body.breaks || ends)
            }
            Kind::Switch => {
                let body = then(false);
                let falls = body.falls || body.breaks || !has_default(node);
                Ways { falls, breaks: false, ..body }
            }
            Kind::Try => {
                let handlers = node.children.iter().filter(|child| child.kind == Kind::Catch);
                handlers.fold(then(live), |ways, handler| {
                    ways.or(handler.child(Role::Then).map_or(Ways::falls(true), |block| self.ways(block, true)))
                })
            }
            _ => Ways::falls(true),
        }
    }

    /// The constant value of a condition, if known.
    fn outcome(&self, node: &Node) -> Option<bool> {
        if let Changed::Constant(changed, value) = self.changed
            && std::ptr::eq(changed, node)
        {
            return Some(value);
        }
        match &node.kind {
            Kind::Boolean(value) => Some(*value),
            Kind::Integer(value) => value.map(|value| value != 0),
            Kind::Null => Some(false),
            Kind::Paren => self.outcome(node.child(Role::Operand)?),
            Kind::Unary { op, .. } if op == "!" => Some(!self.outcome(node.child(Role::Operand)?)?),
            _ => None,
        }
    }

    /// A `throw`, or a call of a function that never returns.
    fn never_returns(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Throw => true,
            Kind::Paren | Kind::Cast => node.child(Role::Operand).is_some_and(|inner| self.never_returns(inner)),
            Kind::Binary { op, .. } if op == "," => node.children.iter().any(|child| self.never_returns(child)),
            Kind::Call { target, name, .. } => match self.around.model.functions.get(target) {
                Some(function) => function.is_noreturn,
                None => builtin().never_return.contains(name.strip_prefix("std::").unwrap_or(name)),
            },
            _ => false,
        }
    }

    /// Whether control leaves a loop from its body other than by `break`: a `throw` in a `try` may be caught there.
    fn escapes(&self, node: &Node, in_try: bool) -> bool {
        if matches!(self.changed, Changed::Gone(gone) if std::ptr::eq(gone, node)) {
            return false;
        }
        match &node.kind {
            Kind::Return | Kind::Goto => true,
            Kind::Throw => !in_try,
            _ if node.is_apart() => false,
            Kind::Call { .. } if self.never_returns(node) => true,
            Kind::Try => node
                .children
                .iter()
                .any(|child| self.escapes(child, in_try || child.role == Role::Then && child.kind != Kind::Catch)),
            _ => node.children.iter().any(|child| self.escapes(child, in_try)),
        }
    }

    /// Whether a statement may be the reason why the code after it is unreachable.
    fn may_turn(&self, node: &Node) -> bool {
        let mut turns = false;
        own(node, &mut |node| {
            turns |= matches!(
                node.kind,
                Kind::Return
                    | Kind::Goto
                    | Kind::Continue
                    | Kind::Throw
                    | Kind::While
                    | Kind::DoWhile
                    | Kind::For
                    | Kind::Other(_)
            ) || self.never_returns(node);
        });
        turns
    }
}

/// Whether a `switch` has a `default`.
fn has_default(node: &Node) -> bool {
    node.children.iter().any(|child| match child.kind {
        Kind::Default => true,
        Kind::Switch => false,
        _ => !child.is_apart() && has_default(child),
    })
}
