//! Finds the places in a function's body where original and mutants can be switched.
//!
//! A mutant does not need a copy of the whole function: the smallest statement around its edits is enough or, if that
//! would be a whole loop or block, the edited condition or initial value. Code that cannot be duplicated is left out:
//! declarations (later code needs them), labels that an outer `goto` or `switch` jumps to, and text with half of an
//! `#if`.

use crate::lex::{self, Token};
use crate::model::Type;
use crate::tree::{Body, Initialized, Kind, Node, Role, Span, Trees};

/// The form of the alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A statement: `{ if (…) { mutant } else { original } }`.
    Statement,
    /// A condition: `(… ? (mutant) ? 1 : 0 : (original) ? 1 : 0)`, whatever the types.
    Condition,
    /// An expression whose value is discarded, the step of a `for`.
    Discarded,
    /// An arithmetic value or a pointer.
    Value,
}

/// A place for alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub form: Form,
    pub span: Span,
    /// Labels inside, which every copy must have for itself (only for a whole body).
    pub labels: Vec<String>,
}

/// A preprocessor directive.
struct Directive {
    start: u32,
    end: u32,
    /// 1 for `#if…`, -1 for `#endif`, 0 for directives between.
    depth: Option<i32>,
    pragma: bool,
}

/// The places of one file.
pub(super) struct Places<'a> {
    source: &'a [u8],
    types: &'a [Type],
    directives: Vec<Directive>,
}

impl<'a> Places<'a> {
    pub(super) fn new(source: &'a [u8], trees: &'a Trees) -> Self {
        Self { source, types: &trees.types, directives: directives(source, &lex::tokens(source)) }
    }

    /// All places of a body, outer ones first.
    pub(super) fn of(&self, body: &Body) -> Vec<Place> {
        let mut found = Vec::new();
        for initializer in &body.initializers {
            // A value bound to a reference must be the object itself.
            let plain = matches!(initializer.of, Initialized::Member { ty, .. } if self.is_scalar(ty));
            match initializer.values.as_slice() {
                [value] if plain => self.expression(value, Form::Value, &mut found),
                values => values.iter().for_each(|value| self.below(value, &mut found)),
            }
        }
        self.statement(&body.root, true, &mut found);
        found
    }

    fn statement(&self, node: &Node, whole: bool, found: &mut Vec<Place>) {
        let doubled = match node.kind {
            Kind::Declaration | Kind::Case | Kind::Default | Kind::Label | Kind::Empty | Kind::Catch => false,
            Kind::Other(_) => node.ty.is_none(),
            _ => node.kind.is_statement(),
        };
        // The handlers of a constructor's function-try-block also catch exceptions of its initialisers: it must stay
        // outermost.
        let outermost_try = whole && node.kind == Kind::Try;
        if doubled && !outermost_try && (whole || !node.is_entered_by_labels()) {
            let labels = if whole { self.labels(node) } else { Vec::new() };
            let span = self.with_semicolon(node);
            if self.can_be_copied(node, span) {
                found.push(Place { form: Form::Statement, span, labels });
            }
        }
        let branching = matches!(node.kind, Kind::If | Kind::While | Kind::DoWhile | Kind::For);
        for child in &node.children {
            match (&node.kind, child.role) {
                (Kind::Block, _) | (_, Role::Then | Role::Else) => self.statement(child, false, found),
                (Kind::Try, _) => self.statement(child, false, found),
                (_, Role::Condition) if branching => self.expression(child, Form::Condition, found),
                (Kind::For, Role::Init | Role::Step) => self.expression(child, Form::Discarded, found),
                _ => self.below(child, found),
            }
        }
    }

    /// Adds an expression that can have alternatives in this form, and places below it.
    fn expression(&self, node: &Node, form: Form, found: &mut Vec<Place>) {
        let known = match node.kind {
            Kind::Declaration | Kind::Variable { .. } | Kind::InitList | Kind::Empty => false,
            Kind::Other(_) => node.ty.is_some(),
            _ => true,
        };
        let mut span = node.span;
        while span.text(self.source).last().is_some_and(|byte| *byte == b';' || byte.is_ascii_whitespace()) {
            span.end -= 1;
        }
        let is_list = span.text(self.source).first() == Some(&b'{');
        if known && !is_list && span.end > span.start && !node.is_entered_by_labels() && self.can_be_copied(node, span)
        {
            found.push(Place { form, span, labels: Vec::new() });
        }
        self.below(node, found);
    }

    fn value(&self, node: &Node, found: &mut Vec<Place>) {
        match self.is_scalar(node.ty) {
            true => self.expression(node, Form::Value, found),
            false => self.below(node, found),
        }
    }

    fn is_scalar(&self, ty: Option<u32>) -> bool {
        ty.and_then(|ty| self.types.get(ty as usize)).is_some_and(Type::is_scalar)
    }

    /// Places in expressions and declarations: initial values, and bodies of lambdas.
    fn below(&self, node: &Node, found: &mut Vec<Place>) {
        match node.kind {
            Kind::Unevaluated => {}
            Kind::Declaration => {
                let simple = !self.fixes_its_value(node.span);
                for child in &node.children {
                    match child.kind {
                        Kind::Variable { .. } => self.variable(child, simple, found),
                        _ => self.below(child, found),
                    }
                }
            }
            Kind::Variable { .. } => self.variable(node, !self.fixes_its_value(node.span), found),
            Kind::Lambda => {
                for child in &node.children {
                    match child.role {
                        Role::Then => self.statement(child, true, found),
                        _ => self.below(child, found),
                    }
                }
            }
            _ => node.children.iter().for_each(|child| self.below(child, found)),
        }
    }

    /// A declared variable; a value bound to a reference must be the object itself.
    fn variable(&self, node: &Node, simple: bool, found: &mut Vec<Place>) {
        let simple = simple && self.is_scalar(node.ty);
        for child in &node.children {
            match child.role {
                Role::Init if simple => self.value(child, found),
                _ => self.below(child, found),
            }
        }
    }

    /// Whether a declaration deduces its type from its initial value, or may need that value at compile time.
    fn fixes_its_value(&self, declaration: Span) -> bool {
        let words = ["auto", "__auto_type", "const", "constexpr", "constinit", "static", "decltype", "thread_local"];
        let text = declaration.text(self.source);
        let tokens = lex::tokens(text);
        let mut declared = tokens.iter().take_while(|token| !token.is(text, "="));
        declared.any(|token| words.iter().any(|word| token.is(text, word)))
    }

    fn can_be_copied(&self, node: &Node, span: Span) -> bool {
        if node.in_macro {
            return false;
        }
        let mut depth = 0;
        for directive in self.directives.iter().filter(|d| d.start >= span.start && d.start < span.end) {
            match directive.depth {
                Some(step) => depth += step,
                None if directive.pragma => {}
                None => return false,
            }
            // `#else` of an earlier `#if`.
            if depth < 0 || (depth == 0 && directive.depth == Some(0)) {
                return false;
            }
        }
        depth == 0 && !self.follows_pragma(span.start)
    }

    /// A pragma right before `offset` may apply to it.
    fn follows_pragma(&self, offset: u32) -> bool {
        let before = self.directives.iter().rev().find(|directive| directive.end <= offset);
        before.is_some_and(|directive| {
            directive.pragma && self.source[directive.end as usize..offset as usize].iter().all(u8::is_ascii_whitespace)
        })
    }

    /// The statement's span with its `;`.
    fn with_semicolon(&self, node: &Node) -> Span {
        let text = node.span.text(self.source);
        if text.ends_with(b";") || text.ends_with(b"}") {
            return node.span;
        }
        let rest = self.source.get(node.span.end as usize..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match rest.get(blank) {
            Some(b';') => Span { end: node.span.end + blank as u32 + 1, ..node.span },
            _ => node.span,
        }
    }

    fn labels(&self, node: &Node) -> Vec<String> {
        let mut labels = Vec::new();
        walk_own(node, &mut |inner| {
            if inner.kind == Kind::Label {
                let text = inner.span.text(self.source);
                let word = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
                labels.push(String::from_utf8_lossy(&word.copied().collect::<Vec<_>>()).into_owned());
            }
        });
        labels
    }
}

/// The directives among the tokens.
fn directives(source: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let mut found: Vec<Directive> = Vec::new();
    let mut begin: Option<usize> = None;
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.directive) {
        let first = *begin.get_or_insert(index);
        if token.kind == lex::Kind::DirectiveEnd {
            let name = tokens.get(first + 1).map_or(&b""[..], |name| name.text(source));
            let depth = match name {
                b"if" | b"ifdef" | b"ifndef" => Some(1),
                b"endif" => Some(-1),
                b"else" | b"elif" | b"elifdef" | b"elifndef" => Some(0),
                _ => None,
            };
            found.push(Directive { start: tokens[first].start, end: token.end, depth, pragma: name == b"pragma" });
            begin = None;
        }
    }
    found
}

/// Visits nodes of the same function as `node`: not the bodies of lambdas inside.
fn walk_own<'t>(node: &'t Node, visit: &mut dyn FnMut(&'t Node)) {
    visit(node);
    for child in node.children.iter().filter(|child| child.kind != Kind::Lambda) {
        walk_own(child, visit);
    }
}
