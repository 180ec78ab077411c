//! A node with what is around it, as the operators of C++ look at it, and where their changes go.

use super::types;
use crate::model::{Class, Function, Type, TypeKind, Usr};
use crate::mutant::made::{Change, Edit};
use crate::operators::Surroundings;
use crate::tree::{Body, Entity, Kind, Node, Role, Span};

/// What holds for the whole body.
pub(super) struct Scene<'a> {
    pub(super) body: &'a Body,
    pub(super) around: &'a Surroundings<'a>,
    pub(super) function: &'a Function,
    pub(super) owner: Option<&'a Class>,
}

/// A node in its place.
pub(super) struct Site<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) node: &'a Node,
    /// What is around it, the nearest last.
    pub(super) above: Vec<&'a Node>,
}

/// Where changes go.
pub(super) struct Edits<'a> {
    pub(super) operator: &'static str,
    pub(super) out: &'a mut Vec<Change>,
}

impl Edits<'_> {
    /// One stretch becomes `text`.
    pub(super) fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.all(vec![(span, text.into())]);
    }

    /// Several stretches at once.
    pub(super) fn all(&mut self, edits: Vec<(Span, Vec<u8>)>) {
        let mut edits: Vec<Edit> =
            edits.into_iter().map(|(span, text)| Edit { start: span.start, end: span.end, text }).collect();
        edits.sort();
        self.out.push(Change { operator: self.operator.to_string(), edits });
    }
}

impl<'a> Scene<'a> {
    /// The text of a span, to be looked at; empty where it is not UTF-8.
    pub(super) fn text(&self, span: Span) -> &'a str {
        std::str::from_utf8(self.bytes(span)).unwrap_or_default()
    }

    /// The bytes of a span, to be written elsewhere.
    pub(super) fn bytes(&self, span: Span) -> &'a [u8] {
        span.text(self.around.source)
    }

    pub(super) fn ty(&self, node: &Node) -> Option<&'a Type> {
        self.around.trees.types.get(node.ty? as usize)
    }

    pub(super) fn called(&self, target: &Usr) -> Option<&'a Function> {
        self.around.model.functions.get(target)
    }

    /// The functions beside a function that is no method: those of its scope that are called `name`. Their USRs start
    /// alike, up to the parameters.
    pub(super) fn free_functions(&self, beside: &Function, name: &str) -> Vec<&'a Function> {
        let own = format!("@F@{}#", beside.name);
        let Some(at) = beside.usr.rfind(&own) else { return Vec::new() };
        let prefix = format!("{}@F@{name}#", &beside.usr[..at]);
        let functions = self.around.model.functions.range(prefix.clone()..);
        functions.take_while(|(usr, _)| usr.starts_with(&prefix)).map(|(_, function)| function).collect()
    }

    /// Whether the function's names are those that the model has; a definition may name its parameters differently.
    pub(super) fn names_parameters(&self) -> bool {
        let Some(definition) = &self.function.definition else { return false };
        let start = definition.name_offset + definition.name_len;
        let end = definition.initializers.as_ref().map_or(definition.body.start, |extent| extent.start);
        let head = self.text(Span { start, end });
        self.function.params.iter().all(|param| !param.name.is_empty() && has_word(head, &param.name))
    }
}

impl<'a> Site<'a> {
    pub(super) fn text(&self, span: Span) -> &'a str {
        self.scene.text(span)
    }

    pub(super) fn bytes(&self, span: Span) -> &'a [u8] {
        self.scene.bytes(span)
    }

    pub(super) fn parent(&self) -> Option<&'a Node> {
        self.above.last().copied()
    }

    pub(super) fn in_lambda(&self) -> bool {
        self.above.iter().any(|node| node.kind == Kind::Lambda)
    }

    /// What stands around it but parentheses.
    pub(super) fn user(&self) -> Option<&'a Node> {
        self.above.iter().rev().find(|node| node.kind != Kind::Paren).copied()
    }

    /// The role that it, or the parentheses around it, has.
    pub(super) fn part(&self) -> Role {
        let mut role = self.node.role;
        for node in self.above.iter().rev() {
            if node.kind != Kind::Paren {
                break;
            }
            role = node.role;
        }
        role
    }

    /// Its value is only read, so that a constant or a temporary does as well.
    pub(super) fn is_read_only(&self) -> bool {
        let part = self.part();
        match self.user() {
            Some(user) => match &user.kind {
                Kind::Expression => part == Role::Operand,
                Kind::Binary { op, .. } => op != ",",
                Kind::Assign { .. } => part == Role::Right,
                Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Switch => part == Role::Condition,
                Kind::Unary { op, .. } => matches!(op.as_str(), "-" | "!" | "~" | "+" | "*"),
                Kind::Conditional => part == Role::Condition,
                Kind::Index => part == Role::Right,
                Kind::Return => {
                    !self.in_lambda()
                        && !matches!(self.scene.function.result.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_))
                }
                Kind::Call { target, .. } if part == Role::Argument => {
                    let index = types::arguments(user).iter().position(|argument| {
                        argument.span.start <= self.node.span.start && self.node.span.end <= argument.span.end
                    });
                    let called = self.scene.called(target).filter(|called| called.template.is_none());
                    called.zip(index).and_then(|(called, index)| called.params.get(index)).is_some_and(|param| {
                        match &param.ty.kind {
                            TypeKind::LvalueRef(to) => to.is_const,
                            _ => types::is_object(&param.ty),
                        }
                    })
                }
                Kind::Member { of: Entity::Method, .. } => {
                    // The method that is called of it must be one for constant objects.
                    let call = self.above.iter().rev().find(|node| matches!(node.kind, Kind::Call { .. }));
                    match call.map(|call| &call.kind) {
                        Some(Kind::Call { target, name, .. }) => match self.scene.called(target) {
                            Some(called) => called.is_const,
                            None => name.starts_with("std::") && CONSTANT.contains(&last(name)),
                        },
                        _ => false,
                    }
                }
                Kind::Variable { .. } => {
                    part == Role::Init
                        && self.scene.ty(user).is_some_and(types::is_object)
                        && !self
                            .above
                            .iter()
                            .rev()
                            .any(|node| node.kind == Kind::Declaration && has_word(self.text(node.span), "auto"))
                }
                _ => false,
            },
            None => false,
        }
    }
}

/// Methods of the standard library that all classes have for constant objects, with the same result.
const CONSTANT: &[&str] = &["size", "length", "empty", "count", "c_str", "compare", "capacity", "has_value"];

/// Whether `text` has `word` as a word of its own.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(is_part)
            && !text[at + word.len()..].chars().next().is_some_and(is_part)
    })
}

/// The last component of a qualified name.
pub(super) fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}
