//! What stands around a function's name: specifiers, qualifiers, initialisers. Read from tokens, for libclang does
//! not tell.

use super::files::Text;
use crate::lex::{Kind, Token, closing};
use crate::model::Extent;
use std::collections::BTreeSet;

/// Specifiers and qualifiers of a function's declarator.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The words in front of the name.
    pub words: BTreeSet<String>,
    /// `&` or `&&` behind the parameters.
    pub ref_qualifier: Option<String>,
    /// `noexcept` behind the parameters.
    pub is_noexcept: bool,
    /// `= delete`.
    pub is_deleted: bool,
}

/// Reads the tokens around the name at `name`.
pub(super) fn read(text: &Text, extent: &Extent, name: u32, member: bool) -> Head {
    let bytes = text.bytes();
    let mut head = Head::default();
    let start = with_attributes(text, extent.start);
    for token in text.tokens_in(start, name) {
        if token.kind == Kind::Word {
            head.words.insert(String::from_utf8_lossy(token.text(bytes)).into_owned());
        }
    }
    let tokens = text.tokens_in(name + name_len(text, name), extent.end);
    let Some(close) = tokens.iter().position(|t| t.is(bytes, "(")).and_then(|open| closing(bytes, tokens, open)) else {
        return head;
    };
    let mut rest = tokens[close + 1..].iter().peekable();
    while let Some(token) = rest.next() {
        match token.text(bytes) {
            b"{" | b";" | b":" | b"->" | b"try" => break,
            b"noexcept" => {
                let open = rest.peek().is_some_and(|next| next.is(bytes, "("));
                let value = rest.clone().nth(1);
                head.is_noexcept = !(open && value.is_some_and(|value| value.is(bytes, "false")));
            }
            b"throw" => head.is_noexcept = rest.clone().nth(1).is_some_and(|next| next.is(bytes, ")")),
            mark @ (b"&" | b"&&") if member && head.ref_qualifier.is_none() => {
                head.ref_qualifier = Some(String::from_utf8_lossy(mark).into_owned());
            }
            b"=" => head.is_deleted = rest.peek().is_some_and(|next| next.is(bytes, "delete")),
            _ => {}
        }
    }
    head
}

/// Whether a body does nothing, or no more than return a constant or refuse, and no `final` keeps subclasses from
/// another.
pub(super) fn is_hook(text: &Text, name: u32, body: &Extent) -> bool {
    let bytes = text.bytes();
    let does_nothing = match text.tokens_in(body.start, body.end) {
        [_, _] => true,
        [_, returns, value, _, _] if returns.is(bytes, "return") => {
            let is_name_of_constant = [&b"true"[..], b"false", b"nullptr", b"NULL"].contains(&value.text(bytes));
            value.kind != Kind::Word || is_name_of_constant
        }
        [_, asserts, _, value, _, _, _] if asserts.is(bytes, "assert") => {
            value.is(bytes, "0") || value.is(bytes, "false")
        }
        [_, throws, .., _] if throws.is(bytes, "throw") => {
            text.tokens_in(body.start, body.end).iter().filter(|token| token.is(bytes, ";")).count() == 1
        }
        _ => false,
    };
    does_nothing && !text.tokens_in(name, body.start).iter().any(|token| token.is(bytes, "final"))
}

/// Length of the function's name that begins at `offset`: `f`, `~Foo`, `operator==`, `operator bool`.
pub(super) fn name_len(text: &Text, offset: u32) -> u32 {
    let bytes = text.bytes();
    let tokens = &text.tokens()[text.token_from(offset)..];
    let Some(first) = tokens.first().filter(|token| token.start == offset) else { return 0 };
    let end = if first.is(bytes, "~") {
        tokens.get(1).map_or(first.end, |name| name.end)
    } else if first.is(bytes, "operator") {
        let call = |at: usize, what: &str| tokens.get(at).is_some_and(|token| token.is(bytes, what));
        if call(1, "(") && call(2, ")") {
            tokens[2].end
        } else {
            let open = tokens.iter().skip(1).position(|token| token.is(bytes, "(")).map_or(1, |at| at + 1);
            tokens[open.saturating_sub(1)].end
        }
    } else {
        first.end
    };
    end - offset
}

/// Of a constructor: from behind `:` to the body, between the end of its name and the body.
pub(super) fn initializers(text: &Text, name_end: u32, body: u32) -> Option<(u32, u32)> {
    let bytes = text.bytes();
    let tokens = text.tokens_in(name_end, body);
    let open = tokens.iter().position(|token| token.is(bytes, "("))?;
    let mut at = closing(bytes, tokens, open)? + 1;
    while let Some(token) = tokens.get(at) {
        match token.text(bytes) {
            b":" => return Some((token.end, body)),
            b"(" | b"[" => at = closing(bytes, tokens, at)? + 1,
            _ => at += 1,
        }
    }
    None
}

/// Of a function-try-block: where `try` stands between the parameters and the first body.
pub(super) fn function_try(text: &Text, name: u32, body: u32) -> Option<u32> {
    let bytes = text.bytes();
    let tokens = text.tokens_in(name + name_len(text, name), body);
    let open = tokens.iter().position(|token| token.is(bytes, "("))?;
    let close = closing(bytes, tokens, open)?;
    tokens[close + 1..].iter().find(|token| token.is(bytes, "try")).map(|token| token.start)
}

/// The start of a declaration with the attributes in front of it, which clang leaves out of its ranges.
pub(super) fn with_attributes(text: &Text, start: u32) -> u32 {
    let bytes = text.bytes();
    let tokens = text.tokens();
    let mut first = text.token_from(start);
    while let Some(before) = attribute_before(bytes, tokens, first) {
        first = before;
    }
    tokens.get(first).map_or(start, |token| token.start.min(start))
}

/// Index of the first token of the attribute (or specifier that clang leaves out) that ends right before `first`.
fn attribute_before(bytes: &[u8], tokens: &[Token], first: usize) -> Option<usize> {
    let last = first.checked_sub(1)?;
    if matches!(tokens[last].text(bytes), b"static" | b"inline" | b"constexpr" | b"virtual" | b"explicit" | b"friend") {
        return Some(last);
    }
    let (open_text, close_text) = match tokens[last].text(bytes) {
        b"]" => ("[", "]"),
        b")" => ("(", ")"),
        _ => return None,
    };
    let mut depth = 0;
    for at in (0..=last).rev() {
        if tokens[at].is(bytes, close_text) {
            depth += 1;
        } else if tokens[at].is(bytes, open_text) {
            depth -= 1;
            if depth == 0 {
                let inner = tokens.get(at + 1)?.is(bytes, open_text);
                return match at.checked_sub(1).map(|before| tokens[before].text(bytes)) {
                    Some(b"__attribute__" | b"__attribute" | b"__declspec" | b"alignas") if close_text == ")" => {
                        Some(at - 1)
                    }
                    _ => (close_text == "]" && inner).then_some(at),
                };
            }
        }
    }
    None
}
