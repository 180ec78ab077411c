//! The view of operators on a tree: position, type and context of a node, and edits that neither regroup expressions
//! nor glue tokens.

use super::Surroundings;
use super::flow::{Changed, locks_in, runs_off};
use super::kinds::*;
use crate::model::{Function, Language, Type, TypeKind};
use crate::mutant::made::{Change, Edit};
use crate::tree::{Body, Entity, Initialized, Initializer, Kind, Node, Role, Span};

/// One body with its surroundings.
pub(super) struct View<'a> {
    pub around: &'a Surroundings<'a>,
    pub body: &'a Body,
    pub function: Option<&'a Function>,
    /// C++ and not C.
    pub cxx: bool,
}

/// A node that may be edited, with its context.
pub(super) struct Place<'a> {
    pub node: &'a Node,
    /// Its ancestors, outermost first.
    pub path: Vec<&'a Node>,
    /// The constructor initialiser that contains it.
    pub initializer: Option<&'a Initializer>,
}

/// The type that a place converts its value to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted<'a> {
    /// This type.
    Type(&'a Type),
    /// Any type.
    Open,
    /// Unknown.
    Unknown,
}

impl<'a> View<'a> {
    pub fn new(body: &'a Body, around: &'a Surroundings<'a>) -> Self {
        let function = around.model.functions.get(&body.unit);
        let cxx = function.map_or_else(
            || around.trees.file.extension().is_none_or(|extension| extension != "c"),
            |function| function.language == Language::Cxx,
        );
        Self { around, body, function, cxx }
    }

    /// Every node that may be edited, parents first, in order of the source.
    pub fn places(&self) -> Vec<Place<'a>> {
        let mut places = Vec::new();
        for initializer in &self.body.initializers {
            for value in &initializer.values {
                below(value, &mut Vec::new(), false, Some(initializer), &mut places);
            }
        }
        below(&self.body.root, &mut Vec::new(), false, None, &mut places);
        if self.cxx {
            places.retain(|place| !self.decides_at_compile_time(place));
        }
        places
    }

    /// In the condition of `if constexpr`: the code of another branch is unknown.
    fn decides_at_compile_time(&self, place: &Place<'a>) -> bool {
        let mut node = place.node;
        place.path.iter().rev().any(|parent| {
            let head = Span { start: parent.span.start, end: node.span.start };
            let is_condition = parent.kind == Kind::If && node.role == Role::Condition;
            node = parent;
            is_condition && self.bytes(head).windows(9).any(|word| word == b"constexpr")
        })
    }

    /// The type of a node; `None` if it is dependent.
    pub fn ty(&self, node: &Node) -> Option<&'a Type> {
        let ty = self.around.trees.types.get(node.ty? as usize)?;
        (!matches!(value(ty).kind, TypeKind::Dependent(_) | TypeKind::Unknown(_))).then_some(ty)
    }

    pub fn bytes(&self, span: Span) -> &'a [u8] {
        span.text(self.around.source)
    }

    /// The text of a node for inspection: bytes that are not UTF-8 are replaced.
    pub fn text(&self, node: &Node) -> String {
        String::from_utf8_lossy(self.bytes(node.span)).into_owned()
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

    /// Replaces `span`, with spaces where tokens would be glued.
    pub fn splice(&self, span: Span, text: impl AsRef<[u8]>) -> Edit {
        let text = text.as_ref();
        let source = self.around.source;
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

    /// Replaces one node by `text`, whose outermost operator has the binding strength `strength`.
    pub fn replace(&self, place: &Place<'a>, operator: &str, text: impl AsRef<[u8]>, strength: u8) -> Change {
        let text = text.as_ref();
        let text = if strength < place.required() { [b"(", text, b")"].concat() } else { text.to_vec() };
        Change { operator: operator.to_owned(), edits: vec![self.splice(place.node.span, text)] }
    }

    /// Replaces one node by the text of a descendant.
    pub fn keep(&self, place: &Place<'a>, operator: &str, kept: &Node) -> Change {
        let strength = strength(kept, self);
        let mut edits = Vec::new();
        let wrap = strength < place.required();
        let before = Span { start: place.node.span.start, end: kept.span.start };
        let after = Span { start: kept.span.end, end: place.node.span.end };
        if wrap || before.start < before.end {
            edits.push(self.splice(before, if wrap { "(" } else { "" }));
        }
        if wrap || after.start < after.end {
            edits.push(self.splice(after, if wrap { ")" } else { "" }));
        }
        Change { operator: operator.to_owned(), edits }
    }

    /// Replaces a binary operator; parentheses keep the operands' grouping.
    pub fn exchange(&self, place: &Place<'a>, operator: &str, at: Span, op: &str) -> Option<Change> {
        let new = binary_strength(op);
        let (left, right) = (place.node.child(Role::Left)?, place.node.child(Role::Right)?);
        let mut edits = Vec::new();
        let around = |node: &Node, edits: &mut Vec<Edit>, middle: Option<Edit>| {
            let point = |at| Span { start: at, end: at };
            edits.push(self.splice(point(node.span.start), "("));
            edits.extend(middle);
            edits.push(self.splice(point(node.span.end), ")"));
        };
        let whole = new < place.required() && !matches!(place.node.kind, Kind::Assign { .. });
        let point = |at| Span { start: at, end: at };
        if whole {
            edits.push(self.splice(point(place.node.span.start), "("));
        }
        let is_assign = matches!(place.node.kind, Kind::Assign { .. });
        if !is_assign && strength(left, self) < new {
            around(left, &mut edits, None);
        }
        edits.push(self.splice(at, op));
        if !is_assign && strength(right, self) <= new {
            around(right, &mut edits, None);
        }
        if whole {
            edits.push(self.splice(point(place.node.span.end), ")"));
        }
        // Merges parentheses at the same point.
        let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
        for edit in edits {
            match merged.last_mut() {
                Some(last) if last.end == edit.start && last.start == last.end && edit.start == edit.end => {
                    last.text.extend_from_slice(&edit.text);
                }
                _ => merged.push(edit),
            }
        }
        Some(Change { operator: operator.to_owned(), edits: merged })
    }

    /// The type that the place converts its value to.
    pub fn wanted(&self, place: &Place<'a>) -> Wanted<'a> {
        let mut node = place.node;
        for parent in place.path.iter().rev() {
            match (&parent.kind, node.role) {
                (Kind::Paren, _) => {}
                (Kind::Conditional, Role::Then | Role::Else) => {
                    let other = parent
                        .children
                        .iter()
                        .find(|child| matches!(child.role, Role::Then | Role::Else) && child.role != node.role);
                    if let Some(ty) = other.and_then(|other| self.ty(other)).filter(|ty| is_pointer(ty)) {
                        return Wanted::Type(ty);
                    }
                }
                (Kind::Binary { op, .. }, Role::Right) if op == "," => {}
                (Kind::Binary { op, .. }, role @ (Role::Left | Role::Right)) => {
                    let other = parent.child(if role == Role::Left { Role::Right } else { Role::Left });
                    let comparing = matches!(op.as_str(), "==" | "!=" | "<" | ">" | "<=" | ">=");
                    let Some(ty) = other.and_then(|other| self.ty(other)) else { return Wanted::Unknown };
                    return if comparing && is_pointer(ty) { Wanted::Type(ty) } else { Wanted::Open };
                }
                (Kind::Assign { op, .. }, Role::Right) => {
                    return match parent.child(Role::Left).and_then(|left| self.ty(left)) {
                        Some(ty) if op == "=" || !is_pointer(ty) => Wanted::Type(ty),
                        Some(_) => Wanted::Open,
                        None => Wanted::Unknown,
                    };
                }
                (Kind::Variable { .. }, Role::Init) | (Kind::Cast, _) => return self.known(parent),
                (Kind::Return, _) => {
                    let lambda = place.path.iter().any(|node| node.kind == Kind::Lambda);
                    return match self.function {
                        Some(function) if !lambda => Wanted::Type(&function.result),
                        _ => Wanted::Unknown,
                    };
                }
                (Kind::Call { .. } | Kind::Construct { .. } | Kind::New { .. }, Role::Argument) => {
                    return match self.parameter(parent, node) {
                        Some(ty) => Wanted::Type(ty),
                        None if is_standard(parent) => Wanted::Open,
                        None => Wanted::Unknown,
                    };
                }
                (Kind::OperatorCall { .. }, _) => {
                    return match self.parameter(parent, node) {
                        Some(ty) => Wanted::Type(ty),
                        None if is_standard(parent) => Wanted::Open,
                        None => Wanted::Unknown,
                    };
                }
                (Kind::InitList, _) => return self.element(parent, node),
                (Kind::Throw | Kind::Other(_) | Kind::Lambda, _) => return Wanted::Unknown,
                _ => return Wanted::Open,
            }
            node = parent;
        }
        match place.initializer.map(|initializer| &initializer.of) {
            Some(Initialized::Member { ty, .. }) => match ty.and_then(|ty| self.around.trees.types.get(ty as usize)) {
                Some(ty) => Wanted::Type(ty),
                None => Wanted::Unknown,
            },
            _ => Wanted::Unknown,
        }
    }

    fn known(&self, node: &Node) -> Wanted<'a> {
        self.ty(node).map_or(Wanted::Unknown, Wanted::Type)
    }

    fn element(&self, list: &Node, node: &Node) -> Wanted<'a> {
        let Some(ty) = self.ty(list) else { return Wanted::Unknown };
        match &ty.kind {
            TypeKind::Array(element, _) => Wanted::Type(element),
            TypeKind::Prim(_) | TypeKind::Pointer(_) => Wanted::Type(ty),
            TypeKind::Record { usr, .. } => {
                let index = list.children.iter().position(|child| std::ptr::eq(child, node));
                let class = self.around.model.classes.get(usr).filter(|class| class.is_aggregate || !self.cxx);
                match (class, index) {
                    (Some(class), Some(index)) => class
                        .fields
                        .iter()
                        .filter(|field| !field.is_static)
                        .nth(index)
                        .map_or(Wanted::Unknown, |field| Wanted::Type(&field.ty)),
                    _ => Wanted::Unknown,
                }
            }
            _ => Wanted::Unknown,
        }
    }

    /// The type of the parameter that an argument is passed to.
    pub fn parameter(&self, call: &Node, argument: &Node) -> Option<&'a Type> {
        let (target, index) = match &call.kind {
            Kind::Call { target, .. } | Kind::Construct { target } => {
                let mut arguments = call.children.iter().filter(|child| child.role == Role::Argument);
                (target.as_str(), arguments.position(|child| std::ptr::eq(child, argument))?)
            }
            Kind::OperatorCall { target, .. } => {
                let method = self.around.model.functions.get(target).is_some_and(|f| f.owner.is_some());
                let right = argument.role == Role::Right;
                (target.as_str(), if method && right { 0 } else { usize::from(right) })
            }
            _ => return None,
        };
        if let Some(function) = self.around.model.functions.get(target) {
            return function.params.get(index).map(|param| &param.ty);
        }
        if matches!(call.kind, Kind::Construct { .. }) {
            // `int(x)` has its own type.
            return self.ty(call).filter(|ty| !is_class(ty));
        }
        let callee = call.child(Role::Callee).and_then(|callee| self.ty(callee))?;
        let mut kind = &callee.kind;
        while let TypeKind::Pointer(inner) | TypeKind::LvalueRef(inner) = kind {
            kind = &inner.kind;
        }
        match kind {
            TypeKind::Function { params, .. } => params.get(index),
            _ => None,
        }
    }

    /// Whether the value here may be bound to a reference, written to, or have its address taken, so that it must be
    /// an lvalue.
    pub fn wants_object(&self, place: &Place<'a>) -> bool {
        let mut node = place.node;
        for parent in place.path.iter().rev() {
            match (&parent.kind, node.role) {
                (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => {}
                (Kind::Binary { op, .. }, Role::Right) if op == "," => {}
                (Kind::Binary { .. }, _) => return false,
                (Kind::Unary { op, .. }, _) => return matches!(op.as_str(), "&" | "++" | "--"),
                (Kind::Assign { .. }, role) => return role == Role::Left,
                (Kind::Variable { .. }, Role::Init) => {
                    return self.ty(parent).is_none_or(|ty| matches!(ty.kind, TypeKind::LvalueRef(_)));
                }
                (Kind::Return, _) => {
                    if place.path.iter().any(|node| node.kind == Kind::Lambda) {
                        return false;
                    }
                    return self.function.is_none_or(|function| is_reference(&function.result));
                }
                (Kind::Call { .. } | Kind::Construct { .. } | Kind::OperatorCall { .. }, role)
                    if role != Role::Callee =>
                {
                    return match self.parameter(parent, node) {
                        Some(ty) => matches!(&ty.kind, TypeKind::LvalueRef(to) if !to.is_const),
                        None if !self.cxx => false,
                        None => self.may_write(parent),
                    };
                }
                (Kind::Cast, _) => return self.ty(parent).is_none_or(is_reference),
                (Kind::Other(_), _) => return true,
                _ => return false,
            }
            node = parent;
        }
        place.initializer.is_some_and(|initializer| match &initializer.of {
            Initialized::Member { ty, .. } => {
                ty.and_then(|ty| self.around.trees.types.get(ty as usize)).is_none_or(is_reference)
            }
            _ => true,
        })
    }

    /// Whether a call with unknown parameters may write to an argument.
    fn may_write(&self, call: &Node) -> bool {
        match &call.kind {
            Kind::OperatorCall { op, .. } => !is_standard(call) || op == ">>",
            Kind::Call { name, .. } => !is_standard(call) || name.ends_with("::get") || name.ends_with("::getline"),
            Kind::Construct { .. } => !is_standard(call),
            _ => true,
        }
    }

    /// An arithmetic lvalue that may be written.
    pub fn is_modifiable(&self, node: &Node) -> bool {
        is_lvalue(node) && self.ty(node).is_some_and(|ty| !ty.is_const)
    }

    /// Only the truth of the value matters.
    pub fn is_truth(&self, place: &Place<'a>) -> bool {
        let mut node = place.node;
        for parent in place.path.iter().rev() {
            match (&parent.kind, node.role) {
                (Kind::Paren, _) => {}
                (Kind::Binary { op, .. }, _) if op == "&&" || op == "||" => return true,
                (Kind::Unary { op, .. }, _) if op == "!" => return true,
                (Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Conditional, Role::Condition) => {
                    return true;
                }
                _ => return false,
            }
            node = parent;
        }
        false
    }

    /// Whether a condition may have this constant value: loops still end, and the end of a non-void function stays
    /// unreachable.
    pub fn may_always_be(&self, place: &Place<'a>, value: bool) -> bool {
        let changed = Changed::Constant(place.node, value);
        !locks_in(self.around, &place.path, changed)
            && !runs_off(self.around, self.body, &place.path, self.function, changed)
    }

    /// Directly in a braced initialiser, where C++ does not allow narrowing.
    pub fn in_braces(&self, place: &Place<'a>) -> bool {
        if !self.cxx {
            return false;
        }
        let mut node = place.node;
        for parent in place.path.iter().rev() {
            match (&parent.kind, node.role) {
                (Kind::Paren, _) | (Kind::Unary { .. }, _) | (Kind::Conditional, Role::Then | Role::Else) => {}
                (Kind::InitList, _) => return true,
                (Kind::Construct { .. } | Kind::Cast, _) => return self.bytes(parent.span).ends_with(b"}"),
                _ => return false,
            }
            node = parent;
        }
        place.initializer.is_some_and(|initializer| self.bytes(initializer.span).ends_with(b"}"))
    }
}

fn below<'a>(
    node: &'a Node,
    path: &mut Vec<&'a Node>,
    inside: bool,
    initializer: Option<&'a Initializer>,
    out: &mut Vec<Place<'a>>,
) {
    // Statements below a head from a macro are as written; nothing else below it is.
    let inside = node.in_macro || (inside && !node.kind.is_statement());
    if matches!(&node.kind, Kind::Unevaluated) || matches!(&node.kind, Kind::Other(name) if name.contains("Asm")) {
        return;
    }
    // Array lengths, and designators.
    if node.role == Role::Declared && !matches!(node.kind, Kind::Variable { .. }) {
        return;
    }
    if !inside {
        out.push(Place { node, path: path.clone(), initializer });
    }
    path.push(node);
    for child in &node.children {
        below(child, path, inside, initializer, out);
    }
    path.pop();
}

impl<'a> Place<'a> {
    pub fn parent(&self) -> Option<&'a Node> {
        self.path.last().copied()
    }

    /// The binding strength that avoids parentheses here.
    pub fn required(&self) -> u8 {
        let Some(parent) = self.parent() else { return ASSIGNING };
        let role = self.node.role;
        match &parent.kind {
            Kind::Binary { op, .. } | Kind::OperatorCall { op, .. } if matches!(role, Role::Left | Role::Right) => {
                match op.as_str() {
                    "[]" if role == Role::Left => POSTFIX,
                    "[]" => COMMA,
                    op if is_assignment(op) => {
                        if role == Role::Left {
                            UNARY
                        } else {
                            ASSIGNING
                        }
                    }
                    op => binary_strength(op) + u8::from(role == Role::Right),
                }
            }
            Kind::Assign { .. } => {
                if role == Role::Left {
                    UNARY
                } else {
                    ASSIGNING
                }
            }
            Kind::Unary { postfix: true, .. } => POSTFIX,
            // `int(x)`, `static_cast<int>(x)`: inside parentheses.
            Kind::Cast if self.node.span.end < parent.span.end => ASSIGNING,
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
pub(super) fn strength(node: &Node, view: &View<'_>) -> u8 {
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
        Kind::Cast if view.bytes(node.span).starts_with(b"(") => UNARY,
        Kind::Conditional => CONDITIONAL,
        Kind::Other(_) => COMMA,
        Kind::Index | Kind::Member { .. } | Kind::Call { .. } | Kind::Construct { .. } | Kind::Cast => POSTFIX,
        _ => PRIMARY,
    }
}

/// Two bytes that might form another token side by side.
fn glue(left: Option<u8>, right: Option<u8>) -> bool {
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
        Kind::This => false,
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
