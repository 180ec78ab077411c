//! The text of a file between macros: the tokens that the compiler saw there as they stand.

use crate::lex::{self, Token};
use crate::parse::files::Text;
use crate::tree::Span;
use std::rc::Rc;

/// A file as the compiler saw it.
pub(super) struct Source {
    pub text: Rc<Text>,
    /// Tokens outside directives, skipped groups and macro expansions.
    live: Vec<Token>,
    /// The outermost macro expansions, in order.
    expansions: Vec<Span>,
}

impl Source {
    /// `expansions` and the `skipped` groups of `#if` in any order, also within one another.
    pub fn new(text: Rc<Text>, expansions: &[(u32, u32)], skipped: &[(u32, u32)]) -> Self {
        let expansions = outermost(expansions);
        let skipped = outermost(skipped);
        let within = |spans: &[Span], offset: u32| find(spans, offset).is_some();
        let live = text
            .tokens()
            .iter()
            .filter(|token| !token.directive && !within(&expansions, token.start) && !within(&skipped, token.start));
        let live = live.copied().collect();
        Self { live, expansions, text }
    }

    /// The expansion that covers the byte at `offset`.
    pub fn expansion(&self, offset: u32) -> Option<Span> {
        find(&self.expansions, offset)
    }

    /// Index of the first live token that starts at `offset` or later.
    pub fn from(&self, offset: u32) -> usize {
        self.live.partition_point(|token| token.start < offset)
    }

    /// The live token with this index.
    pub fn token(&self, index: usize) -> Option<Token> {
        self.live.get(index).copied()
    }

    /// The live token that starts at `offset` exactly.
    pub fn at(&self, offset: u32) -> Option<Token> {
        self.token(self.from(offset)).filter(|token| token.start == offset)
    }

    /// The first live token at `offset` or behind it.
    pub fn next(&self, offset: u32) -> Option<Token> {
        self.token(self.from(offset))
    }

    /// The live tokens within `start..end`.
    pub fn between(&self, start: u32, end: u32) -> &[Token] {
        let tokens = &self.live[self.from(start)..];
        &tokens[..tokens.partition_point(|token| token.end <= end)]
    }

    /// The live tokens of a span.
    pub fn within(&self, span: Span) -> &[Token] {
        self.between(span.start, span.end)
    }

    /// Whether the token's text is `text`.
    pub fn is(&self, token: Token, text: &str) -> bool {
        token.is(self.text.bytes(), text)
    }

    /// The token's text.
    pub fn str(&self, token: Token) -> &str {
        std::str::from_utf8(token.text(self.text.bytes())).unwrap_or_default()
    }

    /// How much deeper in angle brackets the next token is.
    pub fn angles(&self, token: Token) -> i32 {
        match self.str(token) {
            "<" => 1,
            ">" => -1,
            ">>" => -2,
            _ => 0,
        }
    }

    /// The bytes `start..end` as text.
    pub fn slice(&self, start: u32, end: u32) -> String {
        String::from_utf8_lossy(self.text.slice(start, end)).into_owned()
    }

    /// Whether a span begins with the live token `first` and ends with `last`.
    pub fn is_enclosed(&self, span: Span, first: &str, last: &str) -> bool {
        let tokens = self.within(span);
        let (Some(begin), Some(end)) = (tokens.first(), tokens.last()) else { return false };
        begin.start == span.start && end.end == span.end && self.is(*begin, first) && self.is(*end, last)
    }

    /// Whether a span is a name and `()` behind it.
    pub fn is_empty_call(&self, span: Span) -> bool {
        match self.within(span) {
            [first, .., open, close] => {
                first.kind == lex::Kind::Word && self.is(*open, "(") && self.is(*close, ")") && close.end == span.end
            }
            _ => false,
        }
    }

    /// Index of the token that closes the bracket with index `open`.
    pub fn closing(&self, open: usize) -> Option<usize> {
        lex::closing(self.text.bytes(), &self.live, open)
    }

    /// Starts of the tokens `what` within `start..end` that stand outside all brackets.
    pub fn top_level(&self, start: u32, end: u32, what: &str) -> Vec<u32> {
        let mut depth = 0i32;
        let mut found = Vec::new();
        for token in self.between(start, end) {
            match token.text(self.text.bytes()) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth -= 1,
                text if depth == 0 && text == what.as_bytes() => found.push(token.start),
                _ => {}
            }
        }
        found
    }
}

/// The spans that no other contains, in order.
fn outermost(spans: &[(u32, u32)]) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.iter().map(|&(start, end)| Span { start, end }).collect();
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            // An argument that calls another macro whose argument list ends behind the first one's.
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

fn find(spans: &[Span], offset: u32) -> Option<Span> {
    let next = spans.partition_point(|span| span.start <= offset);
    let span = spans[next.checked_sub(1)?];
    (offset < span.end).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_within_others_are_one() {
        let span = |start, end| Span { start, end };
        assert_eq!(outermost(&[(8, 9), (2, 6), (3, 5), (5, 7)]), [span(2, 7), span(8, 9)]);
        assert_eq!(find(&[span(2, 7), span(8, 9)], 7), None);
        assert_eq!(find(&[span(2, 7), span(8, 9)], 6), Some(span(2, 7)));
        assert_eq!(find(&[span(2, 7)], 1), None);
    }
}
