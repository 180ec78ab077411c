//! A text with its tokens and types, for the comparison of two trees.

use crate::lex::{Kind, Text, Token};
use crate::model::Type;
use crate::tree::{Node, Span};

/// The text that the trees were read from.
pub struct View<'v> {
    text: Text<&'v [u8]>,
    types: &'v [Type],
}

impl<'v> View<'v> {
    /// `types` are indexed by the nodes.
    pub fn new(text: &'v [u8], types: &'v [Type]) -> Self {
        Self { text: Text::new(text), types }
    }

    /// A node's type, without a reference.
    pub fn ty(&self, node: &Node) -> Option<&'v Type> {
        Some(self.types.get(node.ty? as usize)?.without_ref())
    }

    /// A node's type as declared.
    pub fn declared(&self, node: &Node) -> Option<&'v Type> {
        self.types.get(node.ty? as usize)
    }

    /// Reading it is a side effect.
    pub fn is_volatile(&self, node: &Node) -> bool {
        let quick = |ty: &Type| ty.spelling.contains("volatile") || ty.spelling.contains("_Atomic");
        self.declared(node).is_some_and(quick)
    }

    /// The text of a node.
    pub fn text(&self, node: &Node) -> &'v [u8] {
        node.span.text(self.text.bytes)
    }

    /// The tokens that start in `start..end`.
    pub fn tokens(&self, start: u32, end: u32) -> &[Token] {
        self.text.within(start, end)
    }

    fn words(&self, start: u32, end: u32) -> impl Iterator<Item = (Kind, &[u8])> {
        self.tokens(start, end).iter().map(|token| (token.kind, self.text.word(token)))
    }

    /// Whether two spans have the same tokens.
    pub fn same(&self, a: Span, b: Span) -> bool {
        self.words(a.start, a.end).eq(self.words(b.start, b.end))
    }

    /// The spans of a node that belong to none of its children; `None` if children are out of order.
    pub fn own(&self, node: &Node) -> Option<Vec<Span>> {
        let mut gaps = Vec::with_capacity(node.children.len() + 1);
        let mut at = node.span.start;
        for child in &node.children {
            if child.span.start < at || child.span.end > node.span.end {
                return None;
            }
            gaps.push(Span { start: at, end: child.span.start });
            at = child.span.end;
        }
        gaps.push(Span { start: at, end: node.span.end });
        Some(gaps)
    }

    /// The tokens of a node that belong to none of its children.
    pub fn own_words(&self, node: &Node) -> Vec<String> {
        let gaps = self.own(node).unwrap_or_else(|| vec![node.span]);
        let words = gaps.iter().flat_map(|gap| self.words(gap.start, gap.end));
        words.map(|(_, text)| String::from_utf8_lossy(text).into_owned()).collect()
    }

    /// A span on one line, without comments; `None` if that is impossible, or it is not text.
    pub fn line(&self, span: Span) -> Option<String> {
        let mut out = String::new();
        let mut last = span.start;
        for token in self.tokens(span.start, span.end) {
            let text = std::str::from_utf8(self.text.word(token)).ok()?;
            if token.directive || token.kind == Kind::DirectiveEnd || text.contains(['\n', '\r']) {
                return None;
            }
            if token.start > last {
                out.push(' ');
            }
            out.push_str(text);
            last = token.end;
        }
        Some(out.trim().to_owned())
    }
}
