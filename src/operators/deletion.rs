//! The deletion set without literals: AOD, LOD, ROD, BOD, SOD.

use super::kinds::*;
use super::site::{Edits, Site, sides};
use crate::tree::{Kind, Node, Role};

/// `a + b` → `a`, `-a` → `a`
pub(super) fn aod(site: &Site<'_>, edits: &mut Edits<'_>) {
    delete(site, edits, &["+", "-", "*", "/", "%"], &["-", "+"], fits_arithmetic);
}

/// `a && b` → `a`, `!a` → `a`
pub(super) fn lod(site: &Site<'_>, edits: &mut Edits<'_>) {
    delete(site, edits, &["&&", "||"], &["!"], |site, kept, _| is_truth_of(site, kept, true));
}

/// `a < b` → `a`
pub(super) fn rod(site: &Site<'_>, edits: &mut Edits<'_>) {
    delete(site, edits, &["<", "<=", ">", ">=", "==", "!="], &[], |site, kept, _| is_truth_of(site, kept, false));
}

/// `a & b` → `a`, `~a` → `a`
pub(super) fn bod(site: &Site<'_>, edits: &mut Edits<'_>) {
    delete(site, edits, &["&", "|", "^"], &["~"], fits_bits);
}

/// `a << b` → `a`
pub(super) fn sod(site: &Site<'_>, edits: &mut Edits<'_>) {
    delete(site, edits, &["<<", ">>"], &[], fits_bits);
}

/// Replaces an operation by one of its operands; `fits` says whether the first can stand for the whole without the
/// second.
fn delete(
    site: &Site<'_>,
    edits: &mut Edits<'_>,
    binary: &[&str],
    unary: &[&str],
    fits: fn(&Site<'_>, &Node, &Node) -> bool,
) {
    // The value of the whole is discarded.
    if site.parent().is_some_and(|parent| parent.kind == Kind::Expression) {
        return;
    }
    match &site.node.kind {
        Kind::Binary { op, .. } if binary.contains(&op.as_str()) && !is_returned_by_reference(site) => {
            let Some((left, right)) = sides(site.node) else { return };
            for (kept, other) in [(left, right), (right, left)] {
                if fits(site, kept, other) {
                    site.keep(edits, kept);
                }
            }
        }
        Kind::Unary { op, postfix: false } if unary.contains(&op.as_str()) => {
            let Some(inner) = site.node.child(Role::Operand) else { return };
            let fits = match op.as_str() {
                "!" => is_truth_of(site, inner, true),
                "+" => false,
                // For constants LVR and ICR make the same; they come first.
                _ => site.ty(inner).is_some_and(|ty| is_arithmetic(ty) && !(is_promoted(ty) && is_deduced(site))),
            };
            if fits {
                site.keep(edits, inner);
            }
        }
        _ => {}
    }
}

/// A temporary that is bound to a reference would become the operand itself, and an operand that is a value cannot be
/// returned by reference.
fn is_returned_by_reference(site: &Site<'_>) -> bool {
    site.parent().is_some_and(|parent| parent.kind == Kind::Return) && site.scene.function.result.is_reference()
}

fn fits_arithmetic(site: &Site<'_>, kept: &Node, other: &Node) -> bool {
    let (Some(kept_ty), Some(other_ty)) = (site.ty(kept), site.ty(other)) else {
        // In a template both are likely of the same type, but not in `p + i`.
        return site.ty(site.node).is_none()
            && matches!(&site.node.kind, Kind::Binary { op, .. } if op != "+" && op != "-");
    };
    if is_pointer(kept_ty) || is_pointer(other_ty) {
        return !is_pointer(other_ty);
    }
    let narrows = site.in_braces() && is_floating(kept_ty) != is_floating(other_ty);
    let deduces = is_promoted(kept_ty) && is_deduced(site);
    !(is_class(kept_ty) || is_class(other_ty) || is_identity(site, kept, other) || narrows || deduces)
}

fn fits_bits(site: &Site<'_>, kept: &Node, _: &Node) -> bool {
    let (Some(kept), Some(whole)) = (site.ty(kept), site.ty(site.node)) else { return false };
    // A shift count does not affect the type of the whole.
    is_integer_like(site, kept)
        && is_integer_like(site, whole)
        && !(site.in_braces() && kept.size != whole.size)
        && !(kept != whole && is_deduced(site))
}

/// `x + 0`, `x * 1`: deleting changes nothing.
fn is_identity(site: &Site<'_>, kept: &Node, other: &Node) -> bool {
    let Kind::Binary { op, .. } = &site.node.kind else { return false };
    let right = other.role == Role::Right && kept.role == Role::Left;
    match (op.as_str(), &other.kind) {
        ("+", Kind::Integer(Some(0))) | ("*", Kind::Integer(Some(1))) => true,
        ("-", Kind::Integer(Some(0))) | ("/", Kind::Integer(Some(1))) => right,
        ("*", Kind::Floating) => site.text(other.span) == "1.0",
        _ => false,
    }
}

/// The value's type matters more than the value: template arguments, `auto`, `case`, `throw`.
fn is_deduced(site: &Site<'_>) -> bool {
    if !site.scene.cxx {
        return false;
    }
    for (parent, node) in site.climb() {
        return match (&parent.kind, node.role) {
            (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => continue,
            (Kind::Call { target, .. } | Kind::Construct { target }, Role::Argument) => {
                site.scene.called(target).is_none_or(|function| function.template.is_some())
            }
            (Kind::New { .. }, Role::Argument) => true,
            (Kind::Throw | Kind::OperatorCall { .. } | Kind::InitList, _) => true,
            (Kind::Return, _) => site.in_lambda(),
            _ => false,
        };
    }
    false
}

/// Whether an operand can replace the result of a comparison or (`of_truths`) of `&&`, `||`, `!`.
fn is_truth_of(site: &Site<'_>, kept: &Node, of_truths: bool) -> bool {
    if matches!(kept.kind, Kind::Null | Kind::Text | Kind::Lambda | Kind::InitList) {
        return false;
    }
    let truth = site.is_truth();
    match site.ty(kept) {
        Some(ty) if is_bool(ty) => true,
        Some(ty) if is_arithmetic(ty) || enumeration(ty, site.scene.around) == Some(false) => {
            !(site.in_braces() || is_deduced(site))
        }
        // `if (p)`; arrays and functions are never null.
        Some(ty) if is_pointer(ty) => {
            use crate::model::TypeKind::{MemberPointer, Pointer};
            truth && matches!(ty.without_ref().kind, Pointer(_) | MemberPointer)
        }
        // An operand of `&&` is a truth value already, also of a class; elsewhere its conversion may be explicit.
        Some(ty) => truth && of_truths && is_class(ty),
        None => truth && of_truths,
    }
}
