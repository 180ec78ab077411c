//! Constants: ICR and LVR.

use super::binding::{PRIMARY, UNARY};
use super::context::Wanted;
use super::flow::{Changed, breaks_flow};
use super::kinds::*;
use super::site::{Edits, Site};
use crate::model::TypeKind;
use crate::tree::{Kind, Node, Role};
use std::collections::BTreeSet;

/// `i` → 1, 0, -1, i+1, i-1, -i
pub(super) fn icr(site: &Site<'_>, edits: &mut Edits<'_>) {
    if let Kind::Integer(Some(i)) = site.node.kind {
        let new = [Some(1), Some(0), Some(-1), i.checked_add(1), i.checked_sub(1), i.checked_neg()];
        integers(site, edits, i, &new);
    }
}

/// A literal becomes another of its type.
pub(super) fn lvr(site: &Site<'_>, edits: &mut Edits<'_>) {
    let bytes = site.bytes(site.node.span);
    let text = String::from_utf8_lossy(bytes);
    let bytes_of = |new: Vec<String>| new.into_iter().map(String::into_bytes).collect();
    let new: Vec<Vec<u8>> = match site.node.kind {
        Kind::Integer(Some(0)) => return integers(site, edits, 0, &[Some(-1)]),
        Kind::Integer(Some(i)) => return integers(site, edits, i, &[i.checked_neg(), Some(0)]),
        Kind::Floating if !is_overloaded(site) => bytes_of(floating(&text)),
        Kind::Boolean(value) if matches!(bytes, b"true" | b"false") && may_decide(site, !value) => {
            vec![site.scene.truth(!value).into()]
        }
        Kind::Character if !is_label(site) => bytes_of(character(&text)),
        Kind::Text => string(site, &text, bytes),
        _ => return,
    };
    for new in new {
        site.replace(edits, &new, if new.starts_with(b"-") { UNARY } else { PRIMARY });
    }
}

/// Replaces the literal `old` by those of the values that its place allows, each once.
fn integers(site: &Site<'_>, edits: &mut Edits<'_>, old: i64, values: &[Option<i64>]) {
    let is_allowed = allowed(site, old);
    let mut made = BTreeSet::from([old]);
    for new in values.iter().flatten() {
        if is_allowed(*new)
            && may_decide(site, *new != 0)
            && made.insert(*new)
            && let Some(text) = integer(site.text(site.node.span), *new)
        {
            site.replace(edits, text, if *new < 0 { UNARY } else { PRIMARY });
        }
    }
}

/// Whether the literal may have this truth value, if it is the whole condition of a statement.
fn may_decide(site: &Site<'_>, value: bool) -> bool {
    site.node.role != Role::Condition || is_label(site) || !breaks_flow(site, Changed::Constant(site.node, value))
}

fn is_label(site: &Site<'_>) -> bool {
    site.climb().any(|(parent, node)| parent.kind == Kind::Case && node.role == Role::Condition)
}

/// `1.0_km` and the like.
fn is_overloaded(site: &Site<'_>) -> bool {
    matches!(site.parent().map(|parent| &parent.kind), Some(Kind::Other(name)) if name.contains("UserDefined"))
}

/// The values allowed in this place.
fn allowed(site: &Site<'_>, old: i64) -> impl Fn(i64) -> bool + use<> {
    let parent = site.parent();
    let left = parent.and_then(|parent| parent.child(Role::Left)).and_then(|left| site.ty(left));
    let role = site.node.role;
    let cxx = site.scene.cxx;
    let mut least = i64::MIN;
    let mut most = i64::MAX;
    let mut not: BTreeSet<i64> = BTreeSet::new();
    let mut never = is_overloaded(site);
    // 0 as a null pointer, also as an argument of unknown parameters.
    match site.wanted() {
        Wanted::Type(ty) if is_pointer(ty) => never = true,
        Wanted::Type(ty) if cxx && enumeration(ty, site.scene.around).is_some() => never = true,
        Wanted::Type(ty) if is_class(ty) && old == 0 => never = true,
        Wanted::Unknown if old == 0 && cxx => never = true,
        // A 0 may select an overload with a pointer.
        Wanted::Type(ty) if is_class(ty) => drop(not.insert(0)),
        Wanted::Unknown if cxx => drop(not.insert(0)),
        _ => {}
    }
    match parent.map(|parent| &parent.kind) {
        Some(Kind::Binary { op, .. } | Kind::Assign { op, .. }) if role == Role::Right => {
            match op.trim_end_matches('=') {
                // Undefined for every left side.
                "/" | "%" => drop(not.insert(0)),
                "<<" | ">>" => {
                    least = 0;
                    let bits = left.and_then(|ty| ty.size).map_or(32, |size| (size * 8).max(32));
                    most = i64::try_from(bits).map_or(31, |bits| bits - 1);
                }
                _ => {}
            }
        }
        Some(Kind::Index) if role == Role::Right => {
            if let Some(TypeKind::Array(_, length)) = left.map(|ty| &ty.without_ref().kind) {
                least = 0;
                most = length.and_then(|length| i64::try_from(length).ok()).map_or(i64::MAX, |length| length - 1);
            }
        }
        Some(Kind::Variable { .. }) if parent.and_then(|parent| site.ty(parent)).is_some_and(|ty| ty.is_const) => {
            // It may be the length of an array.
            least = 1.min(old);
        }
        Some(Kind::OperatorCall { op, .. }) if op == "[]" => least = 0,
        _ => {}
    }
    if site.in_braces() {
        least = least.max(0);
        most = most.min(match site.wanted() {
            Wanted::Type(ty) => limit(ty),
            _ => i64::from(i8::MAX).max(old),
        });
    }
    if is_label(site) {
        match labels(site) {
            Some(taken) => not.extend(taken),
            None => never = true,
        }
        least = least.max(0);
        never |= !matches!(parent.map(|parent| &parent.kind), Some(Kind::Case));
    }
    if site.above.iter().any(|node| matches!(&node.kind, Kind::Call { name, .. } if wants_constants(name))) {
        never = true;
    }
    move |new| !never && least <= new && new <= most && !not.contains(&new)
}

/// The largest value that a type certainly has.
fn limit(ty: &crate::model::Type) -> i64 {
    match (ty.without_ref().size, is_bool(ty), is_unsigned(ty)) {
        (_, true, _) => 1,
        (Some(1), _, false) => i64::from(i8::MAX),
        (Some(1), _, true) => i64::from(u8::MAX),
        (Some(2), _, false) => i64::from(i16::MAX),
        (Some(2), _, true) => i64::from(u16::MAX),
        _ => i64::from(i32::MAX),
    }
}

/// Built-in functions with arguments that must be constants within limits.
fn wants_constants(name: &str) -> bool {
    name.starts_with("__builtin_") && name != "__builtin_expect"
        || name.starts_with("__atomic_")
        || name.starts_with("_mm")
}

/// The labels of the innermost `switch`, if all are literals.
fn labels(site: &Site<'_>) -> Option<BTreeSet<i64>> {
    let switch = site.above.iter().rev().find(|node| node.kind == Kind::Switch)?;
    let mut taken = BTreeSet::new();
    collect_labels(switch, &mut taken).then_some(taken)
}

fn collect_labels(node: &Node, taken: &mut BTreeSet<i64>) -> bool {
    node.children.iter().all(|child| {
        if child.kind == Kind::Case {
            let mut values = child.children.iter().filter(|part| part.role == Role::Condition);
            let first = values.next().map(|value| &value.kind);
            match (first, values.next()) {
                (Some(Kind::Integer(Some(value))), None) => drop(taken.insert(*value)),
                _ => return false,
            }
        }
        child.kind == Kind::Switch || child.kind == Kind::Lambda || collect_labels(child, taken)
    })
}

/// `value` in the base and with the suffix of `text`.
fn integer(text: &str, value: i64) -> Option<String> {
    let number = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let suffix = &text[number.len()..];
    let lower = number.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, lower.as_str()),
        _ => (10, lower.as_str()),
    };
    let is_digit = |c: char| c.is_digit(radix);
    if !digits.starts_with(is_digit) || !digits.chars().all(|c| is_digit(c) || c == '\'') {
        return None;
    }
    let sign = if value < 0 { "-" } else { "" };
    // One digit looks the same in every base.
    let new = match (radix, value.unsigned_abs()) {
        (16, size @ 10..) => format!("0x{size:x}"),
        (2, size @ 2..) => format!("0b{size:b}"),
        (8, size @ 8..) => format!("0{size:o}"),
        (_, size) => size.to_string(),
    };
    Some(format!("{sign}{new}{suffix}"))
}

/// The negative of a floating-point literal and zero; for zero, one and its negative.
fn floating(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let suffix = match lower.chars().last() {
        Some('l') => &text[text.len() - 1..],
        Some('f') if !hex || lower.contains('p') => &text[text.len() - 1..],
        Some('0'..='9' | '.') => "",
        Some('a'..='f') if hex => "",
        _ => return Vec::new(),
    };
    let digits = lower.trim_start_matches("0x");
    let mantissa = digits.split(if hex { 'p' } else { 'e' }).next().unwrap_or_default();
    let mantissa = mantissa.trim_end_matches(suffix.to_ascii_lowercase().as_str());
    let is_zero = mantissa.chars().all(|c| matches!(c, '0' | '.' | '\''));
    if is_zero {
        vec![format!("1.0{suffix}"), format!("-1.0{suffix}")]
    } else {
        vec![format!("-{text}"), format!("0.0{suffix}")]
    }
}

/// A character literal's replacements: `\0` and another character.
fn character(text: &str) -> Vec<String> {
    let Some(quote) = text.find('\'') else { return Vec::new() };
    let Some(inner) = text[quote + 1..].strip_suffix('\'') else { return Vec::new() };
    let prefix = &text[..quote];
    let other = match inner.as_bytes() {
        [byte @ (b'a'..=b'y' | b'A'..=b'Y' | b'0'..=b'8')] => char::from(byte + 1),
        [b'z'] => 'a',
        [b'Z'] => 'A',
        [b'9'] => '0',
        [b' '] => '_',
        _ => ' ',
    };
    let other = format!("{prefix}'{other}'");
    if inner == "\\0" { vec![other] } else { vec![format!("{prefix}'\\0'"), other] }
}

/// A string literal's replacements: an empty and a longer one.
fn string(site: &Site<'_>, text: &str, bytes: &[u8]) -> Vec<Vec<u8>> {
    let (Some(quote), true) = (text.find('"'), text.ends_with('"')) else { return Vec::new() };
    let prefix = &text[..quote];
    // Not inside macros that compose a literal, and not unevaluated strings.
    if !matches!(prefix.trim_end_matches('R'), "" | "L" | "u" | "U" | "u8") {
        return Vec::new();
    }
    let plain = format!("{}\"\"", prefix.trim_end_matches('R'));
    let is_empty = text[quote..].split('"').all(|piece| piece.trim().is_empty());
    let array = matches!(site.wanted(), Wanted::Type(ty) if matches!(ty.kind, TypeKind::Array(..)));
    // An array may be too short for more; a raw string does not end with its last character.
    let longer = (!array && !prefix.ends_with('R') && !text.contains("R\""))
        .then(|| [&bytes[..bytes.len() - 1], b"_\""].concat());
    (!is_empty).then(|| plain.into()).into_iter().chain(longer).collect()
}
