//! Expressions, but for calls and names.

use super::grower::{Grower, Spot, expressions_of};
use super::statements;
use crate::lex;
use crate::model::TypeKind;
use crate::parse::literals::integer;
use crate::tree::{Kind, Node, Role, Span};
use clang::{Entity, EntityKind};

const ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
const BINARY: &[&str] = &[
    "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "<=>", "&&", "||", "&", "|", "^", "<<", ">>", ",", ".*",
    "->*",
];
const UNARY: &[&str] = &["+", "-", "!", "~", "*", "&", "++", "--"];

/// `&&` for `and`, and so on.
pub(super) fn operator(text: &str) -> &str {
    match text {
        "and" => "&&",
        "or" => "||",
        "not" => "!",
        "compl" => "~",
        "bitand" => "&",
        "bitor" => "|",
        "xor" => "^",
        "not_eq" => "!=",
        "and_eq" => "&=",
        "or_eq" => "|=",
        "xor_eq" => "^=",
        other => other,
    }
}

impl<'tu> Grower<'tu> {
    /// An expression without what nobody wrote around it; none where nobody wrote it at all.
    pub(super) fn expression(&mut self, entity: Entity<'tu>, role: Role) -> Option<Node> {
        let spot = self.spot(entity)?;
        match self.deeper(|grower| grower.expression_at(spot)) {
            Some(node) => node.map(|node| Node { role, ..node }),
            None => {
                let too_deep = Spot { in_macro: true, ..spot };
                Some(self.node(Kind::Other("TooDeep".into()), role, too_deep, Vec::new()))
            }
        }
    }

    fn expression_at(&mut self, spot: Spot<'tu>) -> Option<Node> {
        let entity = spot.entity;
        use EntityKind::*;
        Some(match entity.get_kind() {
            // `NotImplemented` is what the binding has no name for.
            UnexposedExpr | NotImplemented => return self.unexposed(spot),
            CallExpr => return self.call(spot),
            DeclRefExpr => self.name(spot),
            MemberRefExpr => self.member(spot),
            BinaryOperator | CompoundAssignOperator => self.binary(spot),
            UnaryOperator => self.unary(spot),
            ParenExpr => {
                let children = self.children(entity, &[Role::Operand]);
                let fine = children.len() == 1 && self.source.is_enclosed(spot.span, "(", ")");
                self.part(Kind::Paren, spot, children, fine)
            }
            ConditionalOperator => self.conditional(spot),
            ArraySubscriptExpr => {
                let children = self.children(entity, &[Role::Left, Role::Right]);
                let fine = match &children[..] {
                    [left, right] => {
                        self.is_between(left, right, "[")
                            && left.span.start == spot.span.start
                            && self.ends_with(spot.span, "]")
                    }
                    _ => false,
                };
                self.part(Kind::Index, spot, children, fine)
            }
            IntegerLiteral => {
                let value = integer(entity).and_then(|value| i64::try_from(value).ok());
                self.literal(spot, Kind::Integer(value), |text| text.starts_with(|c: char| c.is_ascii_digit()))
            }
            FloatingLiteral => {
                self.literal(spot, Kind::Floating, |text| text.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
            }
            CharacterLiteral => self.literal(spot, Kind::Character, |text| text.ends_with('\'')),
            BoolLiteralExpr => {
                let says =
                    |text: &str| self.source.at(spot.span.start).is_some_and(|token| self.source.is(token, text));
                let value = integer(entity).map_or_else(|| says("true"), |value| value != 0);
                let word = if value { "true" } else { "false" };
                self.literal(spot, Kind::Boolean(value), |text| text == word)
            }
            NullPtrLiteralExpr => self.literal(spot, Kind::Null, |text| text == "nullptr"),
            GNUNullExpr => self.literal(spot, Kind::Null, |text| text == "__null"),
            StringLiteral => {
                // `__func__` is a string to clang.
                let first = self.source.within(spot.span).first().copied();
                let kind = match first.filter(|first| first.kind == lex::Kind::Word) {
                    Some(_) => Kind::Other("PredefinedExpr".into()),
                    None => Kind::Text,
                };
                self.part(kind, spot, Vec::new(), first.is_some())
            }
            ThisExpr => {
                let is_written = self.source.at(spot.span.start).is_some_and(|token| self.source.is(token, "this"));
                if !is_written && !spot.in_macro {
                    return None;
                }
                self.node(Kind::This, Role::Part, spot, Vec::new())
            }
            CStyleCastExpr | StaticCastExpr | DynamicCastExpr | ReinterpretCastExpr | ConstCastExpr => {
                let operand = self.cast_operand(spot).and_then(|cast| self.expression(cast, Role::Operand));
                let fine = operand.is_some();
                self.part(Kind::Cast, spot, operand.into_iter().collect(), fine)
            }
            FunctionalCastExpr => self.functional_cast(spot),
            InitListExpr => {
                let children = self.children(entity, &[]);
                let fine = self.source.is_enclosed(spot.span, "{", "}");
                self.part(Kind::InitList, spot, children, fine)
            }
            CompoundLiteralExpr => {
                let value = expressions_of(entity).pop().and_then(|value| self.expression(value, Role::Operand));
                let kind = Kind::Other("CompoundLiteralExpr".into());
                self.node(kind, Role::Part, spot, value.into_iter().collect())
            }
            ThrowExpr => {
                let children = self.children(entity, &[Role::Operand]);
                let fine = self.source.at(spot.span.start).is_some_and(|token| self.source.is(token, "throw"));
                self.part(Kind::Throw, spot, children, fine)
            }
            DeleteExpr => {
                let children = self.children(entity, &[Role::Operand]);
                self.node(Kind::Delete, Role::Part, spot, children)
            }
            NewExpr => self.new_expression(spot),
            LambdaExpr | StmtExpr => {
                let body = entity.get_children().into_iter().find(|child| child.get_kind() == CompoundStmt);
                let stop = if spot.in_macro { spot.span.start.max(1) } else { 0 };
                let (kind, role) = match entity.get_kind() {
                    LambdaExpr => (Kind::Lambda, Role::Then),
                    kind => (Kind::Other(format!("{kind:?}")), Role::Part),
                };
                let body = body.and_then(|body| statements::statement(self, body, role, stop));
                self.node(kind, Role::Part, spot, body.into_iter().collect())
            }
            UnaryExpr | TypeidExpr | SizeOfPackExpr => self.node(Kind::Unevaluated, Role::Part, spot, Vec::new()),
            // Which association is taken, the types decide.
            kind @ GenericSelectionExpr => self.node(Kind::Other(format!("{kind:?}")), Role::Part, spot, Vec::new()),
            kind => self.other(spot, &format!("{kind:?}")),
        })
    }

    /// The expressions below a cursor, with their roles in order; those behind the last role are parts.
    pub(super) fn children(&mut self, entity: Entity<'tu>, roles: &[Role]) -> Vec<Node> {
        let children = expressions_of(entity);
        let mut nodes = Vec::with_capacity(children.len());
        for (index, child) in children.into_iter().enumerate() {
            nodes.extend(self.expression(child, roles.get(index).copied().unwrap_or_default()));
        }
        nodes
    }

    /// All of these expressions in one role.
    pub(super) fn all(&mut self, entities: impl IntoIterator<Item = Entity<'tu>>, role: Role) -> Vec<Node> {
        entities.into_iter().filter_map(|entity| self.expression(entity, role)).collect()
    }

    fn other(&mut self, spot: Spot<'tu>, name: &str) -> Node {
        let children = self.children(spot.entity, &[]);
        self.node(Kind::Other(name.into()), Role::Part, spot, children)
    }

    fn literal(&mut self, spot: Spot<'tu>, kind: Kind, is_it: impl Fn(&str) -> bool) -> Node {
        let fine = match self.source.within(spot.span) {
            [token] => is_it(self.source.str(*token)) && token.start == spot.span.start && token.end == spot.span.end,
            _ => false,
        };
        self.part(kind, spot, Vec::new(), fine)
    }

    /// The operand of a cast, behind constructors that nobody wrote.
    fn cast_operand(&mut self, spot: Spot<'tu>) -> Option<Entity<'tu>> {
        let mut operand = expressions_of(spot.entity).pop()?;
        while matches!(operand.get_kind(), EntityKind::UnexposedExpr | EntityKind::CallExpr)
            && self.spot(operand).is_some_and(|operand| operand.span == spot.span && !spot.in_macro)
        {
            operand = expressions_of(operand).into_iter().find(|child| self.spot(*child).is_some())?;
        }
        Some(operand)
    }

    /// Whether nothing but the token `text` stands between two nodes.
    pub(super) fn is_between(&self, left: &Node, right: &Node, text: &str) -> bool {
        matches!(self.source.between(left.span.end, right.span.start), [token] if self.source.is(*token, text))
    }

    pub(super) fn ends_with(&self, span: Span, text: &str) -> bool {
        let last = self.source.within(span).last();
        last.is_some_and(|last| last.end == span.end && self.source.is(*last, text))
    }

    /// Implicit conversions and temporaries give way to their operand; the rest is what libclang has no name for.
    fn unexposed(&mut self, spot: Spot<'tu>) -> Option<Node> {
        let children = expressions_of(spot.entity);
        if let [child] = &children[..]
            && let Some(inner) = self.spot(*child)
            && (inner.span == spot.span || spot.in_macro)
        {
            return self.expression_at(inner);
        }
        if let [child] = &children[..]
            && !spot.in_macro
            && let Some(node) = self.rewritten(*child, spot)
        {
            return Some(node);
        }
        let first = self.source.at(spot.span.start);
        let first = first.map(|first| self.source.str(first).to_string()).unwrap_or_default();
        let is_unwritten = children.is_empty() && self.source.within(spot.span).is_empty() && !spot.in_macro;
        if is_unwritten {
            return None;
        }
        Some(match first.as_str() {
            "noexcept" | "requires" => self.node(Kind::Unevaluated, Role::Part, spot, Vec::new()),
            "[" | "." if !children.is_empty() => {
                let last = children.len() - 1;
                let mut nodes = Vec::new();
                for (index, child) in children.into_iter().enumerate() {
                    nodes.extend(self.expression(child, if index == last { Role::Init } else { Role::Declared }));
                }
                self.node(Kind::Other("DesignatedInitExpr".into()), Role::Part, spot, nodes)
            }
            // The values of a variable whose type depends on a template's parameters.
            "(" if self.source.is_enclosed(spot.span, "(", ")") && self.is_list(spot.span) => {
                let values = self.all(children, Role::Argument);
                let kind = Kind::Construct { target: String::new() };
                self.node(kind, Role::Part, spot, values)
            }
            // `int()`.
            _ if children.is_empty() && self.source.is_empty_call(spot.span) => {
                self.node(Kind::Construct { target: String::new() }, Role::Part, spot, Vec::new())
            }
            _ => self.other(spot, "UnexposedExpr"),
        })
    }

    /// Whether the parenthesis that opens a span is the one that closes it, and what is inside no fold expression.
    fn is_list(&self, span: Span) -> bool {
        let open = self.source.from(span.start);
        let close = self.source.closing(open).and_then(|close| self.source.token(close));
        close.is_some_and(|close| close.end == span.end)
            && self.source.top_level(span.start + 1, span.end - 1, "...").is_empty()
    }

    fn binary(&mut self, spot: Spot<'tu>) -> Node {
        let entity = spot.entity;
        let children = self.children(entity, &[Role::Left, Role::Right]);
        let nowhere = Span { start: spot.span.start, end: spot.span.start };
        let (mut op, mut at, mut fine) = (String::new(), nowhere, false);
        if let [left, right] = &children[..]
            && let [token] = self.source.between(left.span.end, right.span.start)
            && left.span.start == spot.span.start
            && right.span.end == spot.span.end
            && !spot.in_macro
        {
            op = operator(self.source.str(*token)).to_string();
            at = Span { start: token.start, end: token.end };
            fine = ASSIGNMENTS.contains(&op.as_str()) || BINARY.contains(&op.as_str());
        }
        let is_assignment = ASSIGNMENTS.contains(&op.as_str())
            || op.is_empty() && entity.get_kind() == EntityKind::CompoundAssignOperator;
        let kind = if is_assignment { Kind::Assign { op, at } } else { Kind::Binary { op, at } };
        self.part(kind, spot, children, fine)
    }

    fn unary(&mut self, spot: Spot<'tu>) -> Node {
        let children = self.children(spot.entity, &[Role::Operand]);
        let (mut op, mut postfix, mut fine) = (String::new(), false, false);
        if let [operand] = &children[..]
            && !spot.in_macro
        {
            postfix = operand.span.start == spot.span.start;
            let tokens = match postfix {
                true => self.source.between(operand.span.end, spot.span.end),
                false => self.source.between(spot.span.start, operand.span.start),
            };
            if let [token] = tokens {
                let text = operator(self.source.str(*token));
                if text.starts_with("__") {
                    return self.node(Kind::Other(text.to_string()), Role::Part, spot, children);
                }
                op = text.to_string();
                fine = UNARY.contains(&text)
                    && (if postfix { token.end == spot.span.end } else { operand.span.end == spot.span.end });
            }
        }
        self.part(Kind::Unary { op, postfix }, spot, children, fine)
    }

    fn conditional(&mut self, spot: Spot<'tu>) -> Node {
        let children = self.children(spot.entity, &[Role::Condition, Role::Then, Role::Else]);
        let fine = match &children[..] {
            [condition, then, otherwise] => {
                self.is_between(condition, then, "?")
                    && self.is_between(then, otherwise, ":")
                    && condition.span.start == spot.span.start
                    && otherwise.span.end == spot.span.end
            }
            _ => false,
        };
        self.part(Kind::Conditional, spot, children, fine)
    }

    /// `T(…)`, `T{…}`: of a class it constructs, of others it is a cast.
    fn functional_cast(&mut self, spot: Spot<'tu>) -> Node {
        let operand = expressions_of(spot.entity).pop().and_then(|operand| self.expression(operand, Role::Operand));
        let Some(operand) = operand else { return self.node(Kind::Cast, Role::Part, spot, Vec::new()) };
        if matches!(operand.kind, Kind::Construct { .. }) && operand.span == spot.span {
            return operand;
        }
        let node = self.node(Kind::Cast, Role::Part, spot, vec![operand]);
        let is_class = node
            .ty
            .and_then(|ty| self.types.get(ty as usize))
            .is_some_and(|ty| matches!(ty.kind, TypeKind::Record { .. } | TypeKind::Dependent(_)));
        match &node.children[..] {
            [list] if is_class && list.kind == Kind::InitList && list.span.end == spot.span.end => {
                let values = list.children.iter().map(|value| Node { role: Role::Argument, ..value.clone() }).collect();
                Node { kind: Kind::Construct { target: String::new() }, children: values, ..node }
            }
            _ => node,
        }
    }
}
