//! The sufficient set without constants and statements: ABS, AOR, LCR, ROR, UOI.

use super::kinds::*;
use super::view::*;
use crate::mutant::made::Change;
use crate::tree::{Entity, Kind, Node, Role, Span};

const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
const RELATIONAL: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const BITWISE: [&str; 3] = ["&", "|", "^"];

pub(super) fn collect<'a>(view: &View<'a>, place: &Place<'a>, wanted: &dyn Fn(&str) -> bool, out: &mut Vec<Change>) {
    if wanted("ABS") {
        abs(view, place, out);
    }
    if wanted("AOR") {
        aor(view, place, out);
    }
    if wanted("LCR") {
        lcr(view, place, out);
    }
    if wanted("ROR") {
        ror(view, place, out);
        conditions(view, place, out);
    }
    if wanted("UOI") {
        uoi(view, place, out);
    }
}

/// Whether a node may get an operator of its own: an object, or the result of a call.
fn is_operand(node: &Node) -> bool {
    is_lvalue(node) && !matches!(node.kind, Kind::Paren)
        || matches!(node.kind, Kind::Call { .. } | Kind::OperatorCall { .. })
}

/// A number that is used as a value.
fn is_used<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    is_operand(place.node)
        && !matches!(place.parent().map(|parent| &parent.kind), Some(Kind::Expression))
        && !discarded(place)
        && !view.wants_object(place)
        && !matches!(place.node.role, Role::Callee | Role::Object)
}

/// The value is discarded: an expression statement, the step of a `for`, before a comma, cast to `void`.
fn discarded(place: &Place<'_>) -> bool {
    let mut node = place.node;
    for parent in place.path.iter().rev() {
        match (&parent.kind, node.role) {
            (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => {}
            (Kind::Binary { op, .. }, Role::Left) if op == "," => return true,
            (Kind::Binary { op, .. }, _) if op == "," => {}
            (Kind::Expression, _) | (Kind::For, Role::Step | Role::Init) => return true,
            (Kind::Cast, _) => return parent.ty.is_none(),
            _ => return false,
        }
        node = parent;
    }
    false
}

/// An operator before the node would promote its type, and that matters here.
fn may_not_widen<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    let Some(ty) = view.ty(place.node) else { return true };
    is_promoted(ty) && (view.in_braces(place) || (view.cxx && is_open_argument(view, place)))
}

/// An argument of a call whose parameter types may be deduced from it.
fn is_open_argument<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    place.node.role == Role::Argument
        && place.parent().is_some_and(|parent| match &parent.kind {
            Kind::Call { target, .. } | Kind::Construct { target } => {
                view.around.model.functions.get(target).is_none_or(|function| function.template.is_some())
            }
            _ => true,
        })
}

fn abs<'a>(view: &View<'a>, place: &Place<'a>, out: &mut Vec<Change>) {
    let node = place.node;
    if !is_used(view, place) || !view.ty(node).is_some_and(is_number) {
        return;
    }
    // AOD covers the sign of `-v`; in a condition it does not matter.
    let signed = place.parent().is_some_and(|parent| matches!(&parent.kind, Kind::Unary { op, .. } if op == "-"));
    if signed || view.is_truth(place) || may_not_widen(view, place) {
        return;
    }
    out.push(prefixed(view, place, "ABS", "-"));
}

fn prefixed<'a>(view: &View<'a>, place: &Place<'a>, operator: &str, prefix: &str) -> Change {
    let (prefix, text) = (prefix.as_bytes(), view.bytes(place.node.span));
    let weak = strength(place.node, view) < UNARY;
    let text = if weak { [prefix, b"(", text, b")"].concat() } else { [prefix, text].concat() };
    view.replace(place, operator, text, UNARY)
}

/// The operator of a node, without the `=` of a compound assignment.
fn operator_of(node: &Node) -> Option<(&str, Span, bool)> {
    match &node.kind {
        Kind::Binary { op, at } => Some((op, *at, false)),
        Kind::Assign { op, at } => Some((op.strip_suffix('=')?, *at, true)),
        _ => None,
    }
}

fn sides(node: &Node) -> Option<(&Node, &Node)> {
    Some((node.child(Role::Left)?, node.child(Role::Right)?))
}

/// A literal of this value.
fn is_literal(node: &Node, value: i64) -> bool {
    match &node.kind {
        Kind::Integer(Some(known)) => *known == value,
        Kind::Paren => node.child(Role::Operand).is_some_and(|inner| is_literal(inner, value)),
        _ => false,
    }
}

fn exchange<'a>(
    view: &View<'a>,
    place: &Place<'a>,
    name: &str,
    at: Span,
    op: &str,
    compound: bool,
    out: &mut Vec<Change>,
) {
    let op = if compound { format!("{op}=") } else { op.to_owned() };
    out.extend(view.exchange(place, name, at, &op));
}

fn aor<'a>(view: &View<'a>, place: &Place<'a>, out: &mut Vec<Change>) {
    let node = place.node;
    let Some((op, at, compound)) = operator_of(node) else { return };
    if !ARITHMETIC.contains(&op) {
        return;
    }
    let Some((left, right)) = sides(node) else { return };
    let allowed: &[&str] = match (view.ty(left), view.ty(right)) {
        (Some(l), Some(r)) if is_pointer(l) && is_integer_like(view, r) => match op {
            "+" | "-" => &["+", "-"],
            _ => &[],
        },
        (Some(l), Some(r)) if is_pointer(l) || is_pointer(r) || is_class(l) || is_class(r) => &[],
        (Some(l), _) if compound && (is_bool(l) || is_enumeration(view, l)) => &[],
        (Some(l), Some(r)) if is_floating(l) || is_floating(r) => &ARITHMETIC[..4],
        (Some(l), Some(r)) if is_number_like(view, l) && is_number_like(view, r) => &ARITHMETIC,
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
            exchange(view, place, "AOR", at, new, compound, out);
        }
    }
}

fn is_enumeration(view: &View<'_>, ty: &crate::model::Type) -> bool {
    enumeration(ty, view.around).is_some()
}

fn is_integer_like(view: &View<'_>, ty: &crate::model::Type) -> bool {
    is_integer(ty) || is_bool(ty) || enumeration(ty, view.around) == Some(false)
}

fn is_number_like(view: &View<'_>, ty: &crate::model::Type) -> bool {
    is_floating(ty) || is_integer_like(view, ty)
}

fn lcr<'a>(view: &View<'a>, place: &Place<'a>, out: &mut Vec<Change>) {
    let node = place.node;
    let Some((op, at, compound)) = operator_of(node) else { return };
    match op {
        "&&" if !compound => exchange(view, place, "LCR", at, "||", false, out),
        "||" if !compound => exchange(view, place, "LCR", at, "&&", false, out),
        "&" | "|" | "^" => {
            let Some((left, right)) = sides(node) else { return };
            let known = |node| view.ty(node).is_some_and(|ty| is_integer_like(view, ty));
            if !known(left) || !known(right) {
                return;
            }
            for new in BITWISE.iter().filter(|new| **new != op) {
                exchange(view, place, "LCR", at, new, compound, out);
            }
        }
        _ => {}
    }
}

fn ror<'a>(view: &View<'a>, place: &Place<'a>, out: &mut Vec<Change>) {
    let node = place.node;
    let Kind::Binary { op, at } = &node.kind else { return };
    if !RELATIONAL.contains(&op.as_str()) {
        return;
    }
    let Some((left, right)) = sides(node) else { return };
    let equality = op == "==" || op == "!=";
    let ordered: bool = match (view.ty(left), view.ty(right)) {
        (Some(l), Some(r)) if is_bool(l) && is_bool(r) => !equality,
        (Some(l), Some(r)) if is_pointer(l) || is_pointer(r) => {
            let null = |node: &Node| matches!(node.kind, Kind::Null) || is_literal(node, 0);
            !equality && !null(left) && !null(right)
        }
        (Some(l), Some(r)) => [l, r].iter().all(|ty| is_arithmetic(ty) || enumeration(ty, view.around).is_some()),
        (l, r) => l.is_some_and(is_number) || r.is_some_and(is_number),
    };
    let known = view.ty(left).is_some() && view.ty(right).is_some();
    for new in RELATIONAL {
        let kind_stays = matches!(new, "==" | "!=") == equality;
        // For dependent types only `==` certainly has its counterpart `!=`.
        let allowed = ordered || (kind_stays && (equality || known));
        if new != op && allowed {
            exchange(view, place, "ROR", *at, new, false, out);
        }
    }
}

/// Conditions: negated, true and false.
fn conditions<'a>(view: &View<'a>, place: &Place<'a>, out: &mut Vec<Change>) {
    let (node, Some(parent)) = (place.node, place.parent()) else { return };
    let loops = matches!(parent.kind, Kind::While | Kind::DoWhile | Kind::For);
    if node.role != Role::Condition
        || !(loops || matches!(parent.kind, Kind::If | Kind::Conditional))
        || matches!(node.kind, Kind::Variable { .. } | Kind::Boolean(_) | Kind::Integer(_))
    {
        return;
    }
    for value in [true, false] {
        if view.may_always_be(place, value) {
            out.push(view.replace(place, "ROR", view.truth(value), PRIMARY));
        }
    }
    match &node.kind {
        // The opposite operator exists already.
        Kind::Binary { op, .. } if RELATIONAL.contains(&op.as_str()) => {}
        Kind::Unary { op, .. } if op == "!" => {
            if let Some(inner) = node.child(Role::Operand) {
                out.push(view.keep(place, "ROR", inner));
            }
        }
        _ => out.push(prefixed(view, place, "ROR", "!")),
    }
}

fn uoi<'a>(view: &View<'a>, place: &Place<'a>, out: &mut Vec<Change>) {
    let node = place.node;
    if !is_used(view, place) {
        return;
    }
    let Some(ty) = view.ty(node) else { return };
    let parent = place.parent();
    if is_number(ty) && view.is_modifiable(node) && !is_written_nearby(view, place) {
        for prefix in ["++", "--"] {
            out.push(prefixed(view, place, "UOI", prefix));
        }
        // A local that is never read again.
        let local = matches!(node.kind, Kind::Name { of: Entity::Local | Entity::Parameter, .. })
            && parent.is_some_and(|parent| parent.kind == Kind::Return);
        if !local && strength(node, view) >= POSTFIX {
            for postfix in ["++", "--"] {
                let text = [view.bytes(node.span), postfix.as_bytes()].concat();
                out.push(view.replace(place, "UOI", text, POSTFIX));
            }
        }
    }
    let under = |sign: &str| parent.is_some_and(|parent| matches!(&parent.kind, Kind::Unary { op, .. } if op == sign));
    if is_integer(ty) && !view.is_truth(place) && !under("~") && !may_not_widen(view, place) {
        out.push(prefixed(view, place, "UOI", "~"));
    }
    if is_bool(ty) && node.role != Role::Condition && !under("!") {
        out.push(prefixed(view, place, "UOI", "!"));
    }
}

/// Whether the same variable occurs elsewhere in the same full expression without a defined order: two writes, or a
/// write and a read, are undefined then, and the mutant would be worthless. An order that only some language versions
/// define (the sides of `=` and `<<` since C++17) does not count.
fn is_written_nearby<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    let mut below = place.node;
    for parent in place.path.iter().rev() {
        if parent.kind.is_statement() || matches!(parent.kind, Kind::Variable { .. } | Kind::Lambda) {
            break;
        }
        // Their operands are ordered, or exclude each other; the surroundings are unordered with both.
        let ordered = matches!(&parent.kind, Kind::Binary { op, .. } if op == "&&" || op == "||" || op == ",")
            || parent.kind == Kind::Conditional;
        let mut found = false;
        for other in parent.children.iter().filter(|other| !ordered && !std::ptr::eq(*other, below)) {
            other.walk(&mut |node| found |= same(view, node, place.node));
        }
        if found {
            return true;
        }
        below = parent;
    }
    // The rest of the variable's own expression: the `i` of `a[i]` is not written.
    false
}

/// Whether two expressions denote the same object textually. A member is the same with and without `this->`.
fn same(view: &View<'_>, a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Name { target: a, .. }, Kind::Name { target: b, .. }) => a == b,
        (Kind::Member { target: x, .. }, Kind::Name { target: y, .. })
        | (Kind::Name { target: x, .. }, Kind::Member { target: y, .. }) => x == y && (is_of_this(a) || is_of_this(b)),
        (Kind::Member { target: x, .. }, Kind::Member { target: y, .. }) => {
            x == y && view.bytes(a.span) == view.bytes(b.span)
        }
        (Kind::Index, Kind::Index) | (Kind::Unary { .. }, Kind::Unary { .. }) => {
            view.bytes(a.span) == view.bytes(b.span)
        }
        _ => false,
    }
}

fn is_of_this(node: &Node) -> bool {
    node.child(Role::Object).is_some_and(|object| object.kind == Kind::This)
}
