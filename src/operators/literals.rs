//! Constants: ICR and LVR.

use super::kinds::*;
use super::view::*;
use crate::model::TypeKind;
use crate::mutant::made::Change;
use crate::tree::{Kind, Node, Role};
use std::collections::BTreeSet;

pub(super) fn collect<'a>(view: &View<'a>, place: &Place<'a>, wanted: &dyn Fn(&str) -> bool, out: &mut Vec<Change>) {
    let node = place.node;
    let text = view.text(node);
    match &node.kind {
        Kind::Integer(Some(value)) => {
            let values = may_be(view, place, *value);
            let mut put = |operator: &str, wanted_values: &[Option<i64>]| {
                let mut made = BTreeSet::new();
                for new in wanted_values.iter().flatten() {
                    if values(*new)
                        && new != value
                        && (!decides(place) || view.may_always_be(place, *new != 0))
                        && made.insert(*new)
                        && let Some(text) = integer(&text, *new)
                    {
                        let strength = if *new < 0 { UNARY } else { PRIMARY };
                        out.push(view.replace(place, operator, &text, strength));
                    }
                }
            };
            let i = *value;
            if wanted("ICR") {
                put("ICR", &[Some(1), Some(0), Some(-1), i.checked_add(1), i.checked_sub(1), i.checked_neg()]);
            }
            if wanted("LVR") {
                put("LVR", &[if i == 0 { Some(-1) } else { i.checked_neg() }, Some(0)]);
            }
        }
        Kind::Floating if wanted("LVR") && !is_overloaded(place) => {
            for new in floating(&text) {
                let strength = if new.starts_with('-') { UNARY } else { PRIMARY };
                out.push(view.replace(place, "LVR", &new, strength));
            }
        }
        Kind::Boolean(value) if wanted("LVR") => {
            if decides(place) && !view.may_always_be(place, !value) {
                return;
            }
            let text = if text == "true" || text == "false" { view.truth(!value) } else { return };
            out.push(view.replace(place, "LVR", text, PRIMARY));
        }
        Kind::Character if wanted("LVR") && !is_label(place) => {
            for new in character(&text) {
                out.push(view.replace(place, "LVR", &new, PRIMARY));
            }
        }
        Kind::Text if wanted("LVR") => {
            for new in string(view, place, &text, view.bytes(node.span)) {
                out.push(view.replace(place, "LVR", &new, PRIMARY));
            }
        }
        _ => {}
    }
}

/// The literal is the whole condition of a statement.
fn decides(place: &Place<'_>) -> bool {
    place.node.role == Role::Condition && !is_label(place)
}

fn is_label(place: &Place<'_>) -> bool {
    place
        .path
        .iter()
        .rev()
        .zip(std::iter::once(place.node).chain(place.path.iter().rev().copied()))
        .any(|(parent, node)| parent.kind == Kind::Case && node.role == Role::Condition)
}

/// `1.0_km` and the like.
fn is_overloaded(place: &Place<'_>) -> bool {
    matches!(place.parent().map(|parent| &parent.kind), Some(Kind::Other(name)) if name.contains("UserDefined"))
}

/// The values allowed in this place.
fn may_be<'a>(view: &View<'a>, place: &Place<'a>, old: i64) -> impl Fn(i64) -> bool + use<'a> {
    let parent = place.parent();
    let role = place.node.role;
    let mut least = i64::MIN;
    let mut most = i64::MAX;
    let mut not: BTreeSet<i64> = BTreeSet::new();
    let mut never = is_overloaded(place);
    // 0 as a null pointer, also as an argument of unknown parameters.
    match view.wanted(place) {
        Wanted::Type(ty) if is_pointer(ty) => never = true,
        Wanted::Type(ty) if view.cxx && enumeration(ty, view.around).is_some() => never = true,
        Wanted::Type(ty) if is_class(ty) && old == 0 => never = true,
        Wanted::Unknown if old == 0 && view.cxx => never = true,
        // A 0 may select an overload with a pointer.
        Wanted::Type(ty) if is_class(ty) => drop(not.insert(0)),
        Wanted::Unknown if view.cxx => drop(not.insert(0)),
        _ => {}
    }
    match parent.map(|parent| &parent.kind) {
        Some(Kind::Binary { op, .. } | Kind::Assign { op, .. }) if role == Role::Right => {
            match op.trim_end_matches('=') {
                // Undefined for every left side.
                "/" | "%" => drop(not.insert(0)),
                "<<" | ">>" => {
                    least = 0;
                    let left = parent.and_then(|parent| parent.child(Role::Left)).and_then(|left| view.ty(left));
                    let bits = left.and_then(|ty| ty.size).map_or(32, |size| (size * 8).max(32));
                    most = i64::try_from(bits).map_or(31, |bits| bits - 1);
                }
                _ => {}
            }
        }
        Some(Kind::Index) if role == Role::Right => {
            let array = parent.and_then(|parent| parent.child(Role::Left)).and_then(|left| view.ty(left));
            if let Some(TypeKind::Array(_, length)) = array.map(|ty| &ty.without_ref().kind) {
                least = 0;
                most = length.and_then(|length| i64::try_from(length).ok()).map_or(i64::MAX, |length| length - 1);
            }
        }
        Some(Kind::Variable { .. }) if parent.and_then(|parent| view.ty(parent)).is_some_and(|ty| ty.is_const) => {
            // It may be the length of an array.
            least = 1.min(old);
        }
        Some(Kind::OperatorCall { op, .. }) if op == "[]" => least = 0,
        _ => {}
    }
    if view.in_braces(place) {
        least = least.max(0);
        most = most.min(match view.wanted(place) {
            Wanted::Type(ty) => limit(ty),
            _ => i64::from(i8::MAX).max(old),
        });
    }
    if is_label(place) {
        match labels(place) {
            Some(taken) => not.extend(taken),
            None => never = true,
        }
        least = least.max(0);
        never |= !matches!(parent.map(|parent| &parent.kind), Some(Kind::Case));
    }
    if place.path.iter().any(|node| matches!(&node.kind, Kind::Call { name, .. } if wants_constants(name))) {
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
fn labels(place: &Place<'_>) -> Option<BTreeSet<i64>> {
    let switch = place.path.iter().rev().find(|node| node.kind == Kind::Switch)?;
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
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let suffix = &text[digits.len()..];
    let lower = digits.to_ascii_lowercase();
    let sign = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    let plain = |digits: &str, radix| {
        digits.chars().all(|c| c.is_digit(radix) || c == '\'') && digits.starts_with(|c: char| c.is_digit(radix))
    };
    // One digit looks the same in every base.
    let body = if let Some(hex) = lower.strip_prefix("0x") {
        if !plain(hex, 16) {
            return None;
        }
        if size < 10 { format!("{size}") } else { format!("0x{size:x}") }
    } else if let Some(binary) = lower.strip_prefix("0b") {
        if !plain(binary, 2) {
            return None;
        }
        if size < 2 { format!("{size}") } else { format!("0b{size:b}") }
    } else if lower.len() > 1 && lower.starts_with('0') {
        if !plain(&lower, 8) {
            return None;
        }
        if size < 8 { format!("{size}") } else { format!("0{size:o}") }
    } else if plain(&lower, 10) {
        format!("{size}")
    } else {
        return None;
    };
    Some(format!("{sign}{body}{suffix}"))
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
fn string<'a>(view: &View<'a>, place: &Place<'a>, text: &str, bytes: &[u8]) -> Vec<Vec<u8>> {
    let (Some(quote), true) = (text.find('"'), text.ends_with('"')) else { return Vec::new() };
    let prefix = &text[..quote];
    // Not inside macros that compose a literal, and not unevaluated strings.
    if !matches!(prefix.trim_end_matches('R'), "" | "L" | "u" | "U" | "u8") {
        return Vec::new();
    }
    let plain = format!("{}\"\"", prefix.trim_end_matches('R'));
    let is_empty = text[quote..].split('"').all(|piece| piece.trim().is_empty());
    let array = matches!(view.wanted(place), Wanted::Type(ty) if matches!(ty.kind, TypeKind::Array(..)));
    // An array may be too short for more; a raw string does not end with its last character.
    let longer = (!array && !prefix.ends_with('R') && !text.contains("R\""))
        .then(|| [&bytes[..bytes.len() - 1], b"_\""].concat());
    let mut made = Vec::new();
    if !is_empty {
        made.push(plain.into());
    }
    made.extend(longer);
    made
}
