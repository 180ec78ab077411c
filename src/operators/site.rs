//! A node in its place, as operators look at it, and edits that neither regroup expressions nor glue tokens.

use super::Surroundings;
use super::binding::{UNARY, binary_strength, glue, required, strength};
use crate::model::{Class, Function, Language, Type, TypeKind, Usr};
use crate::mutant::made::{Change, Edit};
use crate::tree::{Body, Entity, Initialized, Initializer, Kind, Node, Role, Span};

/// One body with its surroundings.
pub(super) struct Scene<'a> {
    pub around: &'a Surroundings<'a>,
    pub body: &'a Body,
    pub function: &'a Function,
    /// The function's class.
    pub owner: Option<&'a Class>,
    /// C++ and not C.
    pub cxx: bool,
}

/// A node in its place.
pub(super) struct Site<'a> {
    pub scene: &'a Scene<'a>,
    pub node: &'a Node,
    /// Its ancestors, outermost first.
    pub above: Vec<&'a Node>,
    /// The constructor initialiser that contains it.
    pub initializer: Option<&'a Initializer>,
}

/// Where the changes of one operator go.
pub(super) struct Edits<'a> {
    pub operator: &'static str,
    pub out: &'a mut Vec<Change>,
}

impl Edits<'_> {
    /// Replaces one span by `text`.
    pub fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.all(vec![(span, text.into())]);
    }

    /// Inserts `text` before an offset.
    pub fn insert(&mut self, at: u32, text: impl Into<Vec<u8>>) {
        self.replace(Span { start: at, end: at }, text);
    }

    /// Replaces several spans at once.
    pub fn all(&mut self, edits: Vec<(Span, Vec<u8>)>) {
        let edits = edits.into_iter().map(|(span, text)| Edit { start: span.start, end: span.end, text });
        let mut edits: Vec<Edit> = edits.collect();
        edits.sort();
        self.push(edits);
    }

    /// Adds a change with these edits, in order.
    pub fn push(&mut self, edits: Vec<Edit>) {
        self.out.push(Change { operator: self.operator.to_owned(), edits });
    }
}

impl<'a> Scene<'a> {
    /// `None` if the model has no such function.
    pub fn new(body: &'a Body, around: &'a Surroundings<'a>) -> Option<Self> {
        let function = around.model.functions.get(&body.unit)?;
        let owner = function.owner.as_ref().and_then(|usr| around.model.classes.get(usr));
        Some(Self { around, body, function, owner, cxx: function.language == Language::Cxx })
    }

    /// Visits every node that may be edited, parents first, in order of the source.
    pub fn visit(&'a self, visit: &mut dyn FnMut(&Site<'a>)) {
        for initializer in &self.body.initializers {
            for value in &initializer.values {
                self.below(value, &mut Vec::new(), false, Some(initializer), visit);
            }
        }
        self.below(&self.body.root, &mut Vec::new(), false, None, visit);
    }

    fn below(
        &'a self,
        node: &'a Node,
        above: &mut Vec<&'a Node>,
        in_macro: bool,
        initializer: Option<&'a Initializer>,
        visit: &mut dyn FnMut(&Site<'a>),
    ) {
        // Statements below a head from a macro are as written; nothing else below it is.
        let in_macro = node.in_macro || (in_macro && !node.kind.is_statement());
        let is_assembler = matches!(&node.kind, Kind::Other(name) if name.contains("Asm"));
        // Array lengths, designators, and local classes, whose methods are other functions.
        let is_fixed = node.role == Role::Declared && !matches!(node.kind, Kind::Variable { .. });
        if node.kind == Kind::Unevaluated || is_assembler || is_fixed {
            return;
        }
        if !in_macro {
            let site = Site { scene: self, node, above: above.clone(), initializer };
            if !self.cxx || !site.decides_at_compile_time() {
                visit(&site);
            }
        }
        above.push(node);
        for child in &node.children {
            self.below(child, above, in_macro, initializer, visit);
        }
        above.pop();
    }

    /// The text of a span, to be looked at; empty if it is not UTF-8.
    pub fn text(&self, span: Span) -> &'a str {
        std::str::from_utf8(self.bytes(span)).unwrap_or_default()
    }

    /// The bytes of a span, to be written elsewhere.
    pub fn bytes(&self, span: Span) -> &'a [u8] {
        span.text(self.around.source)
    }

    /// A node's type.
    pub fn ty(&self, node: &Node) -> Option<&'a Type> {
        self.around.trees.types.get(node.ty? as usize)
    }

    /// `true` or `false` in the language.
    pub fn truth(&self, value: bool) -> &'static str {
        match (self.cxx, value) {
            (true, true) => "true",
            (true, false) => "false",
            (false, true) => "1",
            (false, false) => "0",
        }
    }

    /// The type of the member that an initialiser is for.
    pub fn initialized(&self, initializer: &Initializer) -> Option<&'a Type> {
        match initializer.of {
            Initialized::Member { ty, .. } => self.around.trees.types.get(ty? as usize),
            _ => None,
        }
    }

    /// A function of the project.
    pub fn called(&self, target: &Usr) -> Option<&'a Function> {
        self.around.model.functions.get(target)
    }

    /// The methods of a class.
    pub fn methods(&self, class: &'a Class) -> impl Iterator<Item = &'a Function> + use<'a> {
        let functions = &self.around.model.functions;
        class.methods.iter().filter_map(|usr| functions.get(usr))
    }

    /// The functions of the project called `name` that are declared beside `function`: in its class, or in its scope,
    /// where their USRs start alike, up to the parameters.
    pub fn named_beside(&self, function: &Function, name: &str) -> Vec<&'a Function> {
        let model = self.around.model;
        if let Some(owner) = function.owner.as_ref().and_then(|owner| model.classes.get(owner)) {
            return self.methods(owner).filter(|method| method.name == name).collect();
        }
        let own = format!("@F@{}#", function.name);
        let Some(at) = function.usr.rfind(&own) else { return Vec::new() };
        let prefix = format!("{}@F@{name}#", &function.usr[..at]);
        let functions = model.functions.range(prefix.clone()..);
        functions.take_while(|(usr, _)| usr.starts_with(&prefix)).map(|(_, function)| function).collect()
    }

    /// Whether the definition names its parameters as the model does.
    pub fn names_parameters(&self) -> bool {
        let Some(definition) = &self.function.definition else { return false };
        let start = definition.name_offset + definition.name_len;
        let end = definition.initializers.as_ref().map_or(definition.body.start, |extent| extent.start);
        let head = self.text(Span { start, end });
        self.function.params.iter().all(|param| !param.name.is_empty() && has_word(head, &param.name))
    }
}

impl<'a> Site<'a> {
    pub fn text(&self, span: Span) -> &'a str {
        self.scene.text(span)
    }

    pub fn bytes(&self, span: Span) -> &'a [u8] {
        self.scene.bytes(span)
    }

    /// The type of a node; `None` if it is dependent.
    pub fn ty(&self, node: &Node) -> Option<&'a Type> {
        let ty = self.scene.ty(node)?;
        (!matches!(ty.without_ref().kind, TypeKind::Dependent(_) | TypeKind::Unknown(_))).then_some(ty)
    }

    pub fn parent(&self) -> Option<&'a Node> {
        self.above.last().copied()
    }

    /// Its ancestors, innermost first, each with the child that leads to the node.
    pub fn climb(&self) -> impl Iterator<Item = (&'a Node, &'a Node)> {
        let ancestors = self.above.iter().rev().copied();
        ancestors.clone().zip(std::iter::once(self.node).chain(ancestors))
    }

    /// The nearest ancestor but parentheses, and the role in it.
    pub fn user(&self) -> Option<(&'a Node, Role)> {
        self.climb().find(|(user, _)| user.kind != Kind::Paren).map(|(user, part)| (user, part.role))
    }

    pub fn in_lambda(&self) -> bool {
        self.above.iter().any(|node| node.kind == Kind::Lambda)
    }

    /// The callee of a call, unless a macro writes it.
    pub fn callee(&self) -> Option<&'a Node> {
        self.node.child(Role::Callee).filter(|callee| !callee.in_macro)
    }

    /// The called function of the project.
    pub fn called(&self) -> Option<&'a Function> {
        match &self.node.kind {
            Kind::Call { target, .. } => self.scene.called(target),
            _ => None,
        }
    }

    /// The index of the argument of `call` that contains the node.
    pub fn argument_index(&self, call: &Node) -> Option<usize> {
        let span = self.node.span;
        let holds = |argument: &&Node| argument.span.start <= span.start && span.end <= argument.span.end;
        arguments(call).iter().position(holds)
    }

    /// In the condition of `if constexpr`: the code of another branch is unknown.
    fn decides_at_compile_time(&self) -> bool {
        self.climb().any(|(parent, node)| {
            let head = Span { start: parent.span.start, end: node.span.start };
            let is_condition = parent.kind == Kind::If && node.role == Role::Condition;
            is_condition && self.bytes(head).windows(9).any(|word| word == b"constexpr")
        })
    }

    /// The binding strength of a node.
    pub fn strength(&self, node: &Node) -> u8 {
        strength(node, self.scene.around.source)
    }

    fn required(&self) -> u8 {
        required(self.node, self.parent())
    }

    /// Replaces `span`, with spaces where tokens would be glued.
    fn splice(&self, span: Span, text: impl AsRef<[u8]>) -> Edit {
        let text = text.as_ref();
        let source = self.scene.around.source;
        let byte = |at: Option<usize>| at.and_then(|at| source.get(at)).copied();
        let before = byte((span.start as usize).checked_sub(1));
        let after = byte(Some(span.end as usize));
        let (first, last) = (text.first().copied(), text.last().copied());
        let mut out = Vec::with_capacity(text.len() + 2);
        if glue(before, first.or(after)) {
            out.push(b' ');
        }
        out.extend_from_slice(text);
        if !text.is_empty() && glue(last, after) {
            out.push(b' ');
        }
        Edit { start: span.start, end: span.end, text: out }
    }

    /// Replaces the node by `text`, whose outermost operator has the binding strength `strength`.
    pub fn replace(&self, edits: &mut Edits<'_>, text: impl AsRef<[u8]>, strength: u8) {
        let text = text.as_ref();
        let text = if strength < self.required() { [b"(", text, b")"].concat() } else { text.to_vec() };
        edits.push(vec![self.splice(self.node.span, text)]);
    }

    /// Puts a unary operator before the node.
    pub fn prefix(&self, edits: &mut Edits<'_>, operator: &str) {
        let (operator, text) = (operator.as_bytes(), self.bytes(self.node.span));
        let is_weak = self.strength(self.node) < UNARY;
        let text = if is_weak { [operator, b"(", text, b")"].concat() } else { [operator, text].concat() };
        self.replace(edits, text, UNARY);
    }

    /// Replaces the node by the text of a descendant.
    pub fn keep(&self, edits: &mut Edits<'_>, kept: &Node) {
        let wrap = self.strength(kept) < self.required();
        let before = Span { start: self.node.span.start, end: kept.span.start };
        let after = Span { start: kept.span.end, end: self.node.span.end };
        let sides = [(before, "("), (after, ")")].into_iter().filter(|(side, _)| wrap || side.start < side.end);
        edits.push(sides.map(|(side, bracket)| self.splice(side, if wrap { bracket } else { "" })).collect());
    }

    /// Replaces a binary operator; parentheses keep the operands' grouping.
    pub fn exchange(&self, edits: &mut Edits<'_>, at: Span, op: &str) {
        let Some((left, right)) = sides(self.node) else { return };
        let new = binary_strength(op);
        let is_assign = matches!(self.node.kind, Kind::Assign { .. });
        let around = |wrap: bool, node: &Node, inner: Vec<Edit>| {
            let bracket = |at, bracket| wrap.then(|| self.splice(Span { start: at, end: at }, bracket));
            let (open, close) = (bracket(node.span.start, "("), bracket(node.span.end, ")"));
            open.into_iter().chain(inner).chain(close).collect::<Vec<Edit>>()
        };
        let mut inner = around(!is_assign && self.strength(left) < new, left, Vec::new());
        inner.push(self.splice(at, op));
        inner.extend(around(!is_assign && self.strength(right) <= new, right, Vec::new()));
        // Merges parentheses at the same point.
        let mut merged: Vec<Edit> = Vec::new();
        for edit in around(new < self.required() && !is_assign, self.node, inner) {
            match merged.last_mut() {
                Some(last) if last.end == edit.start && last.start == last.end && edit.start == edit.end => {
                    last.text.extend_from_slice(&edit.text);
                }
                _ => merged.push(edit),
            }
        }
        edits.push(merged);
    }
}

/// The operands of a binary operator.
pub(super) fn sides(node: &Node) -> Option<(&Node, &Node)> {
    Some((node.child(Role::Left)?, node.child(Role::Right)?))
}

/// The arguments of a call or construction.
pub(super) fn arguments(node: &Node) -> Vec<&Node> {
    node.children.iter().filter(|child| child.role == Role::Argument).collect()
}

/// A member of `*this`, with `this` written.
pub(super) fn is_of_this(member: &Node) -> bool {
    member.child(Role::Object).is_some_and(|object| object.kind == Kind::This)
}

/// A name, member, element or pointee: an lvalue.
pub(super) fn is_lvalue(node: &Node) -> bool {
    match &node.kind {
        Kind::Name { of, .. } => matches!(of, Entity::Local | Entity::Parameter | Entity::Field | Entity::Global),
        Kind::Member { of, arrow, .. } => {
            matches!(of, Entity::Field | Entity::Global) && (*arrow || node.child(Role::Object).is_none_or(is_lvalue))
        }
        Kind::Index => true,
        Kind::Unary { op, .. } => op == "*",
        Kind::Paren => node.child(Role::Operand).is_some_and(is_lvalue),
        _ => false,
    }
}

/// A call, construction or operator of the standard library.
pub(super) fn is_standard(call: &Node) -> bool {
    match &call.kind {
        Kind::Call { target, name, .. } => target.starts_with("c:@N@std@") || name.starts_with("std::"),
        Kind::Construct { target } | Kind::OperatorCall { target, .. } => target.starts_with("c:@N@std@"),
        _ => false,
    }
}

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
