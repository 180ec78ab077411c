//! The sufficient set without constants and statements: ABS, AOR, LCR, ROR, UOI.

use super::binding::{POSTFIX, PRIMARY};
use super::flow::{Changed, breaks_flow};
use super::kinds::*;
use super::site::{Edits, Site, is_lvalue, is_of_this, sides};
use crate::model::Type;
use crate::tree::{Entity, Kind, Node, Role, Span};

const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
const RELATIONAL: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const BITWISE: [&str; 3] = ["&", "|", "^"];

/// Whether a node may get an operator of its own: an object, or the result of a call.
fn is_operand(node: &Node) -> bool {
    is_lvalue(node) && !matches!(node.kind, Kind::Paren)
        || matches!(node.kind, Kind::Call { .. } | Kind::OperatorCall { .. })
}

/// An operand that is used as a value.
fn is_used(site: &Site<'_>) -> bool {
    is_operand(site.node)
        && !is_discarded(site)
        && !site.wants_object()
        && !matches!(site.node.role, Role::Callee | Role::Object)
}

/// The value is discarded: an expression statement, the step of a `for`, before a comma, cast to `void`.
fn is_discarded(site: &Site<'_>) -> bool {
    for (parent, node) in site.climb() {
        return match (&parent.kind, node.role) {
            (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => continue,
            (Kind::Binary { op, .. }, role) if op == "," && role != Role::Left => continue,
            (Kind::Binary { op, .. }, _) => op == ",",
            (Kind::Expression, _) | (Kind::For, Role::Step | Role::Init) => true,
            (Kind::Cast, _) => parent.ty.is_none(),
            _ => false,
        };
    }
    false
}

/// An operator before the node would promote its type, and that matters here.
fn may_not_widen(site: &Site<'_>) -> bool {
    let Some(ty) = site.ty(site.node) else { return true };
    is_promoted(ty) && (site.in_braces() || (site.scene.cxx && is_open_argument(site)))
}

/// An argument of a call whose parameter types may be deduced from it.
fn is_open_argument(site: &Site<'_>) -> bool {
    site.node.role == Role::Argument
        && site.parent().is_some_and(|parent| match &parent.kind {
            Kind::Call { target, .. } | Kind::Construct { target } => {
                site.scene.called(target).is_none_or(|function| function.template.is_some())
            }
            _ => true,
        })
}

/// Whether the node is the operand of this unary operator.
fn is_under(site: &Site<'_>, sign: &str) -> bool {
    site.parent().is_some_and(|parent| matches!(&parent.kind, Kind::Unary { op, .. } if op == sign))
}

/// `x` → `-x`
pub(super) fn abs(site: &Site<'_>, edits: &mut Edits<'_>) {
    // AOD covers the sign of `-v`; in a condition it does not matter.
    let is_number = is_used(site) && site.ty(site.node).is_some_and(is_number);
    if is_number && !is_under(site, "-") && !site.is_truth() && !may_not_widen(site) {
        site.prefix(edits, "-");
    }
}

/// The operator of a node, without the `=` of a compound assignment, and that `=`.
fn operator_of(node: &Node) -> Option<(&str, Span, &str)> {
    match &node.kind {
        Kind::Binary { op, at } => Some((op, *at, "")),
        Kind::Assign { op, at } => Some((op.strip_suffix('=')?, *at, "=")),
        _ => None,
    }
}

/// A literal of this value.
fn is_literal(node: &Node, value: i64) -> bool {
    match &node.kind {
        Kind::Integer(Some(known)) => *known == value,
        Kind::Paren => node.child(Role::Operand).is_some_and(|inner| is_literal(inner, value)),
        _ => false,
    }
}

/// `a + b` → `a - b`, also of compound assignments
pub(super) fn aor(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((op, at, equals)) = operator_of(site.node) else { return };
    let Some((left, right)) = sides(site.node).filter(|_| ARITHMETIC.contains(&op)) else { return };
    let is_number_like = |ty| is_floating(ty) || is_integer_like(site, ty);
    let is_compound = !equals.is_empty();
    let allowed: &[&str] = match (site.ty(left), site.ty(right)) {
        (Some(l), Some(r)) if is_pointer(l) && is_integer_like(site, r) => match op {
            "+" | "-" => &["+", "-"],
            _ => &[],
        },
        (Some(l), Some(r)) if is_pointer(l) || is_pointer(r) || is_class(l) || is_class(r) => &[],
        (Some(l), _) if is_compound && (is_bool(l) || is_enumeration(site, l)) => &[],
        (Some(l), Some(r)) if is_floating(l) || is_floating(r) => &ARITHMETIC[..4],
        (Some(l), Some(r)) if is_number_like(l) && is_number_like(r) => &ARITHMETIC,
        // In a template `+` may belong to a string or an iterator.
        (l, r) if op != "+" && l.is_none_or(is_number) && r.is_none_or(is_number) => match op {
            "-" => &["+", "-"],
            _ => &ARITHMETIC[..4],
        },
        _ => &[],
    };
    for new in allowed {
        let by_zero = matches!(*new, "/" | "%") && is_literal(right, 0);
        let same = matches!((op, *new), ("+", "-") | ("-", "+")) && is_literal(right, 0)
            || matches!((op, *new), ("*", "/") | ("/", "*")) && is_literal(right, 1);
        if *new != op && !by_zero && !same {
            site.exchange(edits, at, &format!("{new}{equals}"));
        }
    }
}

fn is_enumeration(site: &Site<'_>, ty: &Type) -> bool {
    enumeration(ty, site.scene.around).is_some()
}

/// `a && b` → `a || b`, `a & b` → `a | b`, also of compound assignments
pub(super) fn lcr(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((op, at, equals)) = operator_of(site.node) else { return };
    match op {
        "&&" if equals.is_empty() => site.exchange(edits, at, "||"),
        "||" if equals.is_empty() => site.exchange(edits, at, "&&"),
        "&" | "|" | "^" => {
            let Some((left, right)) = sides(site.node) else { return };
            if [left, right].iter().all(|side| site.ty(side).is_some_and(|ty| is_integer_like(site, ty))) {
                for new in BITWISE.iter().filter(|new| **new != op) {
                    site.exchange(edits, at, &format!("{new}{equals}"));
                }
            }
        }
        _ => {}
    }
}

/// `a < b` → `a <= b`; a condition becomes its negation, `true` or `false`
pub(super) fn ror(site: &Site<'_>, edits: &mut Edits<'_>) {
    relations(site, edits);
    conditions(site, edits);
}

fn relations(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Kind::Binary { op, at } = &site.node.kind else { return };
    let Some((left, right)) = sides(site.node).filter(|_| RELATIONAL.contains(&op.as_str())) else { return };
    let equality = op == "==" || op == "!=";
    let ordered: bool = match (site.ty(left), site.ty(right)) {
        (Some(l), Some(r)) if is_bool(l) && is_bool(r) => !equality,
        (Some(l), Some(r)) if is_pointer(l) || is_pointer(r) => {
            let null = |node: &Node| matches!(node.kind, Kind::Null) || is_literal(node, 0);
            !equality && !null(left) && !null(right)
        }
        (Some(l), Some(r)) => [l, r].iter().all(|ty| is_arithmetic(ty) || is_enumeration(site, ty)),
        (l, r) => l.is_some_and(is_number) || r.is_some_and(is_number),
    };
    let known = site.ty(left).is_some() && site.ty(right).is_some();
    for new in RELATIONAL {
        let kind_stays = matches!(new, "==" | "!=") == equality;
        // For dependent types only `==` certainly has its counterpart `!=`.
        let allowed = ordered || (kind_stays && (equality || known));
        if new != op && allowed {
            site.exchange(edits, *at, new);
        }
    }
}

/// Conditions: negated, true and false.
fn conditions(site: &Site<'_>, edits: &mut Edits<'_>) {
    let (node, Some(parent)) = (site.node, site.parent()) else { return };
    let decides = matches!(parent.kind, Kind::While | Kind::DoWhile | Kind::For | Kind::If | Kind::Conditional);
    if node.role != Role::Condition
        || !decides
        || matches!(node.kind, Kind::Variable { .. } | Kind::Boolean(_) | Kind::Integer(_))
    {
        return;
    }
    for value in [true, false] {
        if !breaks_flow(site, Changed::Constant(node, value)) {
            site.replace(edits, site.scene.truth(value), PRIMARY);
        }
    }
    match &node.kind {
        // The opposite operator exists already.
        Kind::Binary { op, .. } if RELATIONAL.contains(&op.as_str()) => {}
        Kind::Unary { op, .. } if op == "!" => {
            if let Some(inner) = node.child(Role::Operand) {
                site.keep(edits, inner);
            }
        }
        _ => site.prefix(edits, "!"),
    }
}

/// `x` → `++x`, `--x`, `x++`, `x--`, `~x`, `!x`
pub(super) fn uoi(site: &Site<'_>, edits: &mut Edits<'_>) {
    let node = site.node;
    let Some(ty) = site.ty(node).filter(|_| is_used(site)) else { return };
    if is_number(ty) && site.is_modifiable() && !is_written_nearby(site) {
        for prefix in ["++", "--"] {
            site.prefix(edits, prefix);
        }
        // A local that is never read again.
        let local = matches!(node.kind, Kind::Name { of: Entity::Local | Entity::Parameter, .. })
            && site.parent().is_some_and(|parent| parent.kind == Kind::Return);
        if !local && site.strength(node) >= POSTFIX {
            for postfix in ["++", "--"] {
                site.replace(edits, [site.bytes(node.span), postfix.as_bytes()].concat(), POSTFIX);
            }
        }
    }
    if is_integer(ty) && !site.is_truth() && !is_under(site, "~") && !may_not_widen(site) {
        site.prefix(edits, "~");
    }
    if is_bool(ty) && node.role != Role::Condition && !is_under(site, "!") {
        site.prefix(edits, "!");
    }
}

/// Whether the same variable occurs elsewhere in the same full expression without a defined order: two writes, or a
/// write and a read, are undefined then, and the mutant would be worthless. An order that only some language versions
/// define (the sides of `=` and `<<` since C++17) does not count.
fn is_written_nearby(site: &Site<'_>) -> bool {
    let is_bound = |node: &Node| node.kind.is_statement() || matches!(node.kind, Kind::Variable { .. } | Kind::Lambda);
    site.climb().take_while(|(parent, _)| !is_bound(parent)).any(|(parent, below)| {
        // Their operands are ordered, or exclude each other; the surroundings are unordered with both.
        let ordered = matches!(&parent.kind, Kind::Binary { op, .. } if op == "&&" || op == "||" || op == ",")
            || parent.kind == Kind::Conditional;
        let mut found = false;
        for other in parent.children.iter().filter(|other| !ordered && !std::ptr::eq(*other, below)) {
            other.walk(&mut |node| found |= is_same(site, node, site.node));
        }
        found
    })
}

/// Whether two expressions denote the same object textually. A member is the same with and without `this->`.
fn is_same(site: &Site<'_>, a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Name { target: a, .. }, Kind::Name { target: b, .. }) => a == b,
        (Kind::Member { target: x, .. }, Kind::Name { target: y, .. })
        | (Kind::Name { target: x, .. }, Kind::Member { target: y, .. }) => x == y && (is_of_this(a) || is_of_this(b)),
        (Kind::Member { .. }, Kind::Member { .. })
        | (Kind::Index, Kind::Index)
        | (Kind::Unary { .. }, Kind::Unary { .. }) => site.bytes(a.span) == site.bytes(b.span),
        _ => false,
    }
}
