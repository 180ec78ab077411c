//! The deletion set without literals: AOD, LOD, ROD, BOD, SOD.

use super::kinds::*;
use super::view::*;
use crate::mutant::made::Change;
use crate::tree::{Kind, Node, Role};

pub(super) fn collect<'a>(view: &View<'a>, place: &Place<'a>, wanted: &dyn Fn(&str) -> bool, out: &mut Vec<Change>) {
    match &place.node.kind {
        Kind::Binary { op, .. } => {
            let Some(operator) = of_binary(op).filter(|operator| wanted(operator)) else { return };
            let sides = [place.node.child(Role::Left), place.node.child(Role::Right)];
            let [Some(left), Some(right)] = sides else { return };
            for (kept, other) in [(left, right), (right, left)] {
                if fits(view, place, operator, kept, other) {
                    out.push(view.keep(place, operator, kept));
                }
            }
        }
        Kind::Unary { op, postfix: false } => {
            let operator = match op.as_str() {
                "-" | "+" => "AOD",
                "!" => "LOD",
                "~" => "BOD",
                _ => return,
            };
            let Some(inner) = place.node.child(Role::Operand).filter(|_| wanted(operator)) else { return };
            if fits_alone(view, place, operator, inner) {
                out.push(view.keep(place, operator, inner));
            }
        }
        _ => {}
    }
}

fn of_binary(op: &str) -> Option<&'static str> {
    Some(match op {
        "+" | "-" | "*" | "/" | "%" => "AOD",
        "&&" | "||" => "LOD",
        "<" | "<=" | ">" | ">=" | "==" | "!=" => "ROD",
        "&" | "|" | "^" => "BOD",
        "<<" | ">>" => "SOD",
        _ => return None,
    })
}

/// Whether one operand can replace the whole.
fn fits<'a>(view: &View<'a>, place: &Place<'a>, operator: &str, kept: &Node, other: &Node) -> bool {
    // A temporary that is bound to a reference would become the operand itself, and an operand that is a value cannot
    // be returned by reference. Both are left alone.
    let by_reference = place.parent().is_some_and(|parent| parent.kind == Kind::Return)
        && view.function.is_some_and(|function| is_reference(&function.result));
    if by_reference || useless(place) {
        return false;
    }
    match operator {
        "AOD" => {
            let (Some(kept_ty), Some(other_ty)) = (view.ty(kept), view.ty(other)) else {
                // In a template both are likely of the same type, but not in `p + i`.
                return view.ty(place.node).is_none()
                    && matches!(&place.node.kind, Kind::Binary { op, .. } if op != "+" && op != "-");
            };
            match (is_pointer(kept_ty), is_pointer(other_ty)) {
                (true, true) | (false, true) => false,
                (true, false) => true,
                (false, false) => {
                    let narrows = view.in_braces(place) && is_floating(kept_ty) != is_floating(other_ty);
                    let deduces = is_promoted(kept_ty) && is_deduced(view, place);
                    let is_same = identity(view, place, kept, other);
                    !(is_class(kept_ty) || is_class(other_ty) || is_same || narrows || deduces)
                }
            }
        }
        "LOD" | "ROD" => is_truth_of(view, place, operator, kept),
        _ => {
            let (Some(kept), Some(whole)) = (view.ty(kept), view.ty(place.node)) else { return false };
            let number = |ty| is_integer(ty) || is_bool(ty) || enumeration(ty, view.around) == Some(false);
            // A shift count does not affect the type of the whole.
            number(kept)
                && number(whole)
                && !(view.in_braces(place) && kept.size != whole.size)
                && !(kept != whole && is_deduced(view, place))
        }
    }
}

/// `x + 0`, `x * 1`: deleting changes nothing.
fn identity(view: &View<'_>, place: &Place<'_>, kept: &Node, other: &Node) -> bool {
    let Kind::Binary { op, .. } = &place.node.kind else { return false };
    let right = other.role == Role::Right && kept.role == Role::Left;
    match (op.as_str(), &other.kind) {
        ("+", Kind::Integer(Some(0))) | ("*", Kind::Integer(Some(1))) => true,
        ("-", Kind::Integer(Some(0))) | ("/", Kind::Integer(Some(1))) => right,
        ("*", Kind::Floating) => view.text(other) == "1.0",
        _ => false,
    }
}

/// The value of the whole is discarded.
fn useless(place: &Place<'_>) -> bool {
    place.parent().is_some_and(|parent| parent.kind == Kind::Expression)
}

/// The value's type matters more than the value: template arguments, `auto`, `case`, `throw`.
fn is_deduced<'a>(view: &View<'a>, place: &Place<'a>) -> bool {
    if !view.cxx {
        return false;
    }
    let mut node = place.node;
    for parent in place.path.iter().rev() {
        match (&parent.kind, node.role) {
            (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => {}
            (Kind::Call { .. } | Kind::Construct { .. } | Kind::New { .. }, Role::Argument) => {
                return match &parent.kind {
                    Kind::Call { target, .. } | Kind::Construct { target } => {
                        let known = view.around.model.functions.get(target);
                        known.is_none_or(|function| function.template.is_some())
                    }
                    _ => true,
                };
            }
            (Kind::Throw | Kind::OperatorCall { .. } | Kind::InitList, _) => return true,
            (Kind::Return, _) => return place.path.iter().any(|node| node.kind == Kind::Lambda),
            _ => return false,
        }
        node = parent;
    }
    false
}

/// Whether an operand can replace the result of a comparison or of `&&`, `||`.
fn is_truth_of<'a>(view: &View<'a>, place: &Place<'a>, operator: &str, kept: &Node) -> bool {
    if matches!(kept.kind, Kind::Null | Kind::Text | Kind::Lambda | Kind::InitList) {
        return false;
    }
    let truth = view.is_truth(place);
    match view.ty(kept) {
        Some(ty) if is_bool(ty) => true,
        Some(ty) if is_arithmetic(ty) || enumeration(ty, view.around) == Some(false) => {
            !(view.in_braces(place) || is_deduced(view, place))
        }
        // `if (p)`; arrays and functions are never null.
        Some(ty) if is_pointer(ty) => {
            use crate::model::TypeKind::{MemberPointer, Pointer};
            truth && matches!(ty.without_ref().kind, Pointer(_) | MemberPointer)
        }
        // An operand of `&&` is a truth value already, also of a class; elsewhere its conversion may be explicit.
        Some(ty) => truth && operator == "LOD" && is_class(ty),
        None => truth && operator == "LOD",
    }
}

/// Whether the operand of `-`, `+`, `!` or `~` can replace the whole.
fn fits_alone<'a>(view: &View<'a>, place: &Place<'a>, operator: &str, inner: &Node) -> bool {
    if useless(place) {
        return false;
    }
    match operator {
        "LOD" => is_truth_of(view, place, operator, inner),
        "AOD" if matches!(&place.node.kind, Kind::Unary { op, .. } if op == "+") => false,
        // For constants LVR and ICR make the same; they come first.
        _ => view.ty(inner).is_some_and(|ty| is_arithmetic(ty) && !(is_promoted(ty) && is_deduced(view, place))),
    }
}
