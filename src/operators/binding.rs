//! How strongly operators bind, and which bytes would form another token side by side.

use crate::tree::{Kind, Node, Role};

/// The binding strength that avoids parentheses in the place of `node`.
pub(super) fn required(node: &Node, parent: Option<&Node>) -> u8 {
    let Some(parent) = parent else { return ASSIGNING };
    let role = node.role;
    let of_assignment = if role == Role::Left { UNARY } else { ASSIGNING };
    match &parent.kind {
        Kind::Binary { op, .. } | Kind::OperatorCall { op, .. } if matches!(role, Role::Left | Role::Right) => {
            match op.as_str() {
                "[]" if role == Role::Left => POSTFIX,
                "[]" => COMMA,
                op if is_assignment(op) => of_assignment,
                op => binary_strength(op) + u8::from(role == Role::Right),
            }
        }
        Kind::Assign { .. } => of_assignment,
        Kind::Unary { postfix: true, .. } => POSTFIX,
        // `int(x)`, `static_cast<int>(x)`: inside parentheses.
        Kind::Cast if node.span.end < parent.span.end => ASSIGNING,
        Kind::Unary { .. } | Kind::Delete | Kind::OperatorCall { .. } | Kind::Cast => UNARY,
        Kind::Conditional => match role {
            Role::Condition => binary_strength("||"),
            Role::Then => COMMA,
            _ => CONDITIONAL,
        },
        Kind::Index if role == Role::Right => COMMA,
        Kind::Index | Kind::Member { .. } => POSTFIX,
        Kind::Call { .. } if role == Role::Callee => POSTFIX,
        Kind::Call { .. } | Kind::Construct { .. } | Kind::New { .. } | Kind::InitList => ASSIGNING,
        Kind::Variable { .. } | Kind::Throw => ASSIGNING,
        Kind::Case => CONDITIONAL,
        Kind::Other(_) => PRIMARY,
        _ => COMMA,
    }
}

pub(super) const COMMA: u8 = 1;
pub(super) const ASSIGNING: u8 = 2;
pub(super) const CONDITIONAL: u8 = 3;
pub(super) const UNARY: u8 = 15;
pub(super) const POSTFIX: u8 = 16;
pub(super) const PRIMARY: u8 = 17;

/// The binding strength of a binary operator.
pub(super) fn binary_strength(op: &str) -> u8 {
    match op {
        "," => COMMA,
        "||" => 4,
        "&&" => 5,
        "|" => 6,
        "^" => 7,
        "&" => 8,
        "==" | "!=" => 9,
        "<" | ">" | "<=" | ">=" => 10,
        "<=>" => 11,
        "<<" | ">>" => 12,
        "+" | "-" => 13,
        "*" | "/" | "%" => 14,
        // Of a pointer to member.
        ".*" | "->*" => UNARY,
        op if is_assignment(op) => ASSIGNING,
        _ => COMMA,
    }
}

pub(super) fn is_assignment(op: &str) -> bool {
    op.ends_with('=') && !matches!(op, "==" | "!=" | "<=" | ">=")
}

/// The binding strength of a node.
pub(super) fn strength(node: &Node, source: &[u8]) -> u8 {
    match &node.kind {
        Kind::Binary { op, .. } => binary_strength(op),
        Kind::OperatorCall { op, .. } => match (op.as_str(), node.child(Role::Right).is_some()) {
            ("[]", _) => POSTFIX,
            (op, true) => binary_strength(op),
            (_, false) => UNARY,
        },
        Kind::Assign { .. } | Kind::Throw => ASSIGNING,
        Kind::Unary { postfix: true, .. } => POSTFIX,
        Kind::Unary { .. } | Kind::New { .. } | Kind::Delete | Kind::Unevaluated => UNARY,
        Kind::Cast if node.span.text(source).starts_with(b"(") => UNARY,
        Kind::Conditional => CONDITIONAL,
        Kind::Other(_) => COMMA,
        Kind::Index | Kind::Member { .. } | Kind::Call { .. } | Kind::Construct { .. } | Kind::Cast => POSTFIX,
        _ => PRIMARY,
    }
}

/// Two bytes that might form another token side by side.
pub(super) fn glue(left: Option<u8>, right: Option<u8>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    if word(left) && word(right) {
        return true;
    }
    match (left, right) {
        (b'/', b'/' | b'*') | (b'*', b'/') => true,
        (b'-', b'>') | (b'.', b'0'..=b'9' | b'.' | b'*') => true,
        (b'+' | b'-' | b'&' | b'|' | b'<' | b'>' | b'=' | b':', _) if left == right => true,
        (b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=' | b'!', b'=') => true,
        (b'<', b':' | b'%') | (b'%', b':' | b'>') | (b':', b'>') => true,
        // `u"…"`, `L'…'`.
        (left, b'"' | b'\'') => word(left),
        (b'0'..=b'9', b'.') => true,
        _ => false,
    }
}
