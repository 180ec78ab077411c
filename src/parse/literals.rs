//! Literals: the numbers that expressions come to, and the bytes of strings.

use crate::model::Literal;
use clang::{Entity, EvaluationResult};

/// The number that an expression is.
pub(super) fn number(entity: Entity<'_>) -> Option<Literal> {
    Some(match entity.evaluate()? {
        EvaluationResult::SignedInteger(value) => Literal::Int(value.into()),
        EvaluationResult::UnsignedInteger(value) => Literal::Int(value.into()),
        EvaluationResult::Float(value) => Literal::Float(value.to_bits()),
        _ => return None,
    })
}

/// The whole number that an expression is.
pub(super) fn integer(entity: Entity<'_>) -> Option<i128> {
    match number(entity)? {
        Literal::Int(value) => Some(value),
        _ => None,
    }
}

/// The bytes of a string as clang prints it, quoted and with octal escapes; none for wide strings.
pub(super) fn string_of(printed: &str) -> Option<Vec<u8>> {
    let inner = printed.strip_prefix("u8").unwrap_or(printed).strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = inner.bytes().peekable();
    let mut out = Vec::with_capacity(inner.len());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next()? {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            first @ b'0'..=b'7' => {
                let mut value = u32::from(first - b'0');
                for _ in 0..2 {
                    match bytes.next_if(|digit| matches!(digit, b'0'..=b'7')) {
                        Some(digit) => value = value * 8 + u32::from(digit - b'0'),
                        None => break,
                    }
                }
                value as u8
            }
            other => other,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_string_is_read_back() {
        assert_eq!(string_of(r#""a\"\\\n\377b""#).as_deref(), Some(&b"a\"\\\n\xffb"[..]));
        assert_eq!(string_of(r#"L"wide""#), None);
    }
}
