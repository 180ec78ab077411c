//! Calls, constructions, overloaded operators, names and members.

use super::grower::{Grower, Spot, entity_of, expressions_of};
use crate::lex;
use crate::parse::names::is_function;
use crate::tree::{Entity as Of, Kind, Node, Role, Span};
use clang::{Entity, EntityKind};

/// A name as written, with what stands before it.
struct Written {
    /// From its qualifier to its end, without template arguments.
    at: Span,
    name: String,
    qualifier: String,
}

/// The cursor without the implicit ones around it.
fn stripped(entity: Entity<'_>) -> Entity<'_> {
    let mut entity = entity;
    while entity.get_kind() == EntityKind::UnexposedExpr {
        match expressions_of(entity)[..] {
            [inner] => entity = inner,
            _ => break,
        }
    }
    entity
}

/// The entity that a name or a call refers to; the first of several.
fn reference_of(entity: Entity<'_>) -> Option<Entity<'_>> {
    entity.get_reference().filter(|target| target.get_kind() != EntityKind::OverloadedDeclRef)
}

fn overloaded(entity: Entity<'_>) -> Option<Entity<'_>> {
    entity.get_children().into_iter().find(|child| child.get_kind() == EntityKind::OverloadedDeclRef)
}

/// Of a name that a template leaves open: the first that it may mean.
fn first_overload(entity: Entity<'_>) -> Option<Entity<'_>> {
    overloaded(entity)?.get_overloaded_declarations()?.into_iter().next()
}

fn is_constructor(target: Entity<'_>) -> bool {
    target.get_kind() == EntityKind::Constructor || target.get_template_kind() == Some(EntityKind::Constructor)
}

impl<'tu> Grower<'tu> {
    /// A call in any form that libclang knows; none where nobody wrote it.
    pub(super) fn call(&mut self, spot: Spot<'tu>) -> Option<Node> {
        let entity = spot.entity;
        let target = reference_of(entity);
        let mut parts = self.spots(entity);
        if let [only] = parts[..]
            && only.span == spot.span
        {
            let only = only.entity;
            // A conversion that nobody wrote is the call of a constructor, or of a member of its operand.
            let member = stripped(only);
            if target.is_some_and(is_constructor) || target.is_none() && !spot.in_macro {
                return self.expression(only, Role::Part);
            } else if target.is_some_and(|target| target.get_kind() == EntityKind::ConversionFunction)
                && member.get_kind() == EntityKind::MemberRefExpr
                && let Some(object) = expressions_of(member).into_iter().next()
                && self.spot(object).is_some_and(|object| object.span == spot.span)
            {
                return self.expression(object, Role::Part);
            }
        }
        if let [token] = self.source.within(spot.span)
            && matches!(token.kind, lex::Kind::Number | lex::Kind::Str | lex::Kind::Char)
        {
            return Some(self.node(Kind::Other("UserDefinedLiteral".into()), Role::Part, spot, Vec::new()));
        }
        if let Some((index, op)) = self.operator_among(&parts) {
            let at = parts.remove(index);
            return self.operator_call(spot, &op, at, parts, target);
        }
        let constructs = target.is_some_and(is_constructor)
            || parts.first().is_none_or(|first| first.span.start != spot.span.start && !spot.in_macro);
        if constructs {
            return self.construction(spot, parts, target);
        }
        // A pointer to a function is called by nobody's name.
        let target = target.filter(|target| is_function(target.get_kind()));
        let name = match target.or_else(|| parts.first().and_then(|callee| first_overload(stripped(callee.entity)))) {
            Some(target) => {
                let primary = self.reader.primary(target);
                self.reader.qualified(primary)
            }
            None => String::new(),
        };
        let kind = Kind::Call { target: self.target(target), name, is_virtual: entity.is_dynamic_call() };
        Some(self.called(kind, spot, parts))
    }

    /// The call of the first part with the others.
    fn called(&mut self, kind: Kind, spot: Spot<'tu>, parts: Vec<Spot<'tu>>) -> Node {
        let mut parts = parts.into_iter().map(|part| part.entity);
        let callee = parts.next().and_then(|callee| self.expression(callee, Role::Callee));
        let fine = callee.as_ref().is_some_and(|callee| {
            callee.span.start == spot.span.start
                && self.source.next(callee.span.end).is_some_and(|open| self.source.is(open, "("))
        }) && self.ends_with(spot.span, ")");
        let children = callee.into_iter().chain(self.all(parts, Role::Argument)).collect();
        self.part(kind, spot, children, fine)
    }

    /// The operator among the parts of a call that is in operator notation.
    fn operator_among(&self, parts: &[Spot<'tu>]) -> Option<(usize, String)> {
        parts.iter().enumerate().find_map(|(index, spot)| {
            let name = stripped(spot.entity);
            if name.get_kind() != EntityKind::DeclRefExpr {
                return None;
            }
            let text = name.get_name().filter(|text| !text.is_empty());
            let text = text.or_else(|| overloaded(name).and_then(|name| name.get_name()))?;
            let op = text.strip_prefix("operator")?.trim();
            let is_operator = op.starts_with(|c: char| c.is_ascii_punctuation() && c != '_' && c != '"');
            let is_named = self.source.within(spot.span).iter().any(|token| self.source.is(*token, "operator"));
            // Template arguments are no part of the operator.
            let op = match op.find('<') {
                Some(at) if at > 0 && !op.starts_with("<<") && !op.starts_with("<=") => op[..at].trim(),
                _ => op,
            };
            (is_operator && !is_named).then(|| (index, op.to_string()))
        })
    }

    /// Since C++20 `a != b` may be `!(a == b)` to clang, and `a < b` be `a <=> b < 0`.
    pub(super) fn rewritten(&mut self, child: Entity<'tu>, spot: Spot<'tu>) -> Option<Node> {
        let mut call = child;
        for _ in 0..6 {
            let is_whole = self.spot(call).is_some_and(|call| call.span == spot.span);
            if is_whole && call.get_kind() == EntityKind::CallExpr {
                break;
            }
            call = expressions_of(call).into_iter().next()?;
        }
        let mut parts = self.spots(call);
        let (index, _) = self.operator_among(&parts)?;
        let at = parts.remove(index);
        let op = super::expressions::operator(self.source.str(self.source.at(at.span.start)?)).to_string();
        if parts.len() != 2 {
            return None;
        }
        self.operator_call(spot, &op, at, parts, reference_of(call))
    }

    fn operator_call(
        &mut self,
        spot: Spot<'tu>,
        op: &str,
        op_spot: Spot<'tu>,
        mut parts: Vec<Spot<'tu>>,
        target: Option<Entity<'tu>>,
    ) -> Option<Node> {
        parts.sort_by_key(|spot| spot.span.start);
        let target_usr = self.target(target);
        if op == "->" {
            return self.expression(parts.first()?.entity, Role::Part);
        }
        if op == "()" {
            let name = match target {
                Some(target) => self.reader.qualified(target),
                None => String::new(),
            };
            let kind = Kind::Call { target: target_usr, name, is_virtual: false };
            return Some(self.called(kind, spot, parts));
        }
        let roles: &[Role] = if parts.len() == 2 { &[Role::Left, Role::Right] } else { &[Role::Operand] };
        let mut children = Vec::new();
        for (part, role) in parts.into_iter().zip(roles) {
            children.extend(self.expression(part.entity, *role));
        }
        let mut at = Span { start: spot.span.start, end: spot.span.start };
        let mut fine = false;
        if let Some(token) = self.source.at(op_spot.span.start).filter(|_| !spot.in_macro) {
            at = Span { start: token.start, end: token.end };
            let text = super::expressions::operator(self.source.str(token));
            fine = match &children[..] {
                [left, right] if op == "[]" => {
                    text == "[" && self.is_between(left, right, "[") && self.ends_with(spot.span, "]")
                }
                [left, right] => {
                    text == op
                        && matches!(self.source.between(left.span.end, right.span.start), [only] if *only == token)
                        && left.span.start == spot.span.start
                        && right.span.end == spot.span.end
                }
                [operand] => {
                    text == op
                        && if operand.span.start == spot.span.start {
                            at.end == spot.span.end
                        } else {
                            at.start == spot.span.start && operand.span.end == spot.span.end
                        }
                }
                _ => false,
            };
        }
        let kind = Kind::OperatorCall { target: target_usr, op: op.to_string(), at };
        Some(self.part(kind, spot, children, fine))
    }

    /// `T(…)`, `T{…}`, or a variable's `name(…)`; none without brackets.
    fn construction(&mut self, spot: Spot<'tu>, parts: Vec<Spot<'tu>>, target: Option<Entity<'tu>>) -> Option<Node> {
        let first = parts.first().map_or(spot.span.end, |first| first.span.start);
        let is_bracketed = self.is_bracketed(spot.span, first);
        if !is_bracketed && !spot.in_macro {
            // An implicit constructor copies what initialises a variable or is returned.
            match parts[..] {
                [] => return None,
                [only] => return self.expression(only.entity, Role::Part),
                _ => {}
            }
        }
        let values = self.all(parts.into_iter().map(|value| value.entity), Role::Argument);
        let kind = Kind::Construct { target: self.target(target) };
        Some(self.part(kind, spot, values, is_bracketed))
    }

    /// Whether a span ends with a bracket that opens before `inside`, and begins with a name.
    fn is_bracketed(&self, span: Span, inside: u32) -> bool {
        let (Some(first), Some(last)) = (self.source.at(span.start), self.source.within(span).last()) else {
            return false;
        };
        let last = self.source.from(last.start);
        let closes = |open: &usize| self.source.closing(*open) == Some(last);
        !matches!(self.source.str(first), "return" | "=" | "co_return" | "co_yield" | "throw")
            && (self.source.from(span.start)..last)
                .take_while(|index| self.source.token(*index).is_some_and(|token| token.start <= inside))
                .any(|open| closes(&open))
    }

    /// `new T(…)`, with placement arguments, array lengths and values.
    pub(super) fn new_expression(&mut self, spot: Spot<'tu>) -> Node {
        let entity = spot.entity;
        let class = entity.get_type().and_then(|ty| ty.get_pointee_type()).and_then(|made| {
            let declaration = made.get_canonical_type().get_declaration()?;
            Some(self.target(Some(declaration))).filter(|usr| !usr.is_empty())
        });
        let at = (!spot.in_macro).then(|| self.type_of_new(spot.span)).flatten();
        let fine = at.is_some();
        let at = at.unwrap_or(Span { start: spot.span.start, end: spot.span.start });
        let mut children = Vec::new();
        for child in expressions_of(entity) {
            let Some(child_spot) = self.spot(child) else { continue };
            let Some(node) = self.expression(child, Role::Argument) else { continue };
            let start = child_spot.span.start;
            if child_spot.span.end <= at.start {
                children.push(Node { role: Role::Part, ..node });
            } else if start >= at.end
                && self.source.next(at.end).is_some_and(|token| {
                    let close =
                        self.source.closing(self.source.from(at.end)).and_then(|close| self.source.token(close));
                    self.source.is(token, "[") && close.is_some_and(|close| start < close.start)
                })
            {
                children.push(Node { role: Role::Declared, ..node });
            } else if matches!(node.kind, Kind::Construct { .. } | Kind::InitList)
                && node.span.end == spot.span.end
                && (start <= at.start || self.source.next(at.end).is_some_and(|token| token.start == start))
            {
                children.extend(node.children.into_iter().map(|value| Node { role: Role::Argument, ..value }));
            } else {
                children.push(node);
            }
        }
        self.part(Kind::New { class, at }, spot, children, fine)
    }

    /// Where the type stands in `new …`.
    fn type_of_new(&self, span: Span) -> Option<Span> {
        let mut index = self.source.from(span.start);
        let token = |index| self.source.token(index).filter(|token| token.end <= span.end);
        if self.source.is(token(index)?, "::") {
            index += 1;
        }
        if token(index)?.start != span.start && index == self.source.from(span.start)
            || !self.source.is(token(index)?, "new")
        {
            return None;
        }
        index += 1;
        if self.source.is(token(index)?, "(") {
            let close = self.source.closing(index)?;
            match token(close + 1).filter(|next| next.kind == lex::Kind::Word || self.source.is(*next, "::")) {
                // Placement arguments.
                Some(_) => index = close + 1,
                None => {
                    let (open, close) = (token(index)?, self.source.token(close)?);
                    return Some(Span { start: open.start, end: close.end });
                }
            }
        }
        let start = token(index)?.start;
        let (mut angles, mut end) = (0i32, start);
        while let Some(next) = token(index) {
            angles += self.source.angles(next);
            if angles <= 0 && matches!(self.source.str(next), "(" | "[" | "{") {
                break;
            }
            end = next.end;
            index += 1;
        }
        Some(Span { start, end })
    }

    /// A name, also of a member without an object.
    pub(super) fn name(&mut self, spot: Spot<'tu>) -> Node {
        let entity = spot.entity;
        let written = (!spot.in_macro).then(|| self.written_name(spot.span.start, spot.span.end)).flatten();
        let fine = written.as_ref().is_some_and(|written| written.at.start == spot.span.start);
        let target = reference_of(entity);
        let overloads = overloaded(entity);
        let of = target.or_else(|| first_overload(entity)).map_or(Of::Other, entity_of);
        let (name, qualifier) = match written {
            Some(written) => (written.name, written.qualifier),
            None => {
                let known = entity.get_name().filter(|name| !name.is_empty());
                (known.or_else(|| overloads.and_then(|name| name.get_name())).unwrap_or_default(), String::new())
            }
        };
        let kind = Kind::Name { target: self.target(target), name, of, qualifier };
        self.part(kind, spot, Vec::new(), fine)
    }

    /// `object.name`, `object->name`.
    pub(super) fn member(&mut self, spot: Spot<'tu>) -> Node {
        let entity = spot.entity;
        let object = expressions_of(entity).into_iter().next().and_then(|object| self.spot(object));
        let is_in_front = |object: &Spot<'_>| object.span.start == spot.span.start && object.span != spot.span;
        let object = object.filter(|object| spot.in_macro || is_in_front(object));
        let object = object.and_then(|object| self.expression(object.entity, Role::Object));
        let Some(object) = object else { return self.name(spot) };
        // A nameless structure or union between the object and its member is not written.
        let dot = self.source.next(object.span.end).filter(|dot| {
            !spot.in_macro && dot.end <= spot.span.end && (self.source.is(*dot, ".") || self.source.is(*dot, "->"))
        });
        let arrow = match dot {
            Some(dot) => self.source.is(dot, "->"),
            None => object.ty.and_then(|ty| self.types.get(ty as usize)).is_some_and(|ty| ty.pointee().is_some()),
        };
        let written = dot.and_then(|dot| self.written_name(dot.end, spot.span.end));
        let fine = written.is_some() && object.span.start == spot.span.start;
        let nowhere = Span { start: spot.span.start, end: spot.span.start };
        let written = written.unwrap_or_else(|| Written {
            at: nowhere,
            name: entity.get_name().unwrap_or_default(),
            qualifier: String::new(),
        });
        let target = reference_of(entity);
        let kind = Kind::Member {
            target: self.target(target),
            name: written.name,
            of: target.map_or(Of::Other, entity_of),
            arrow,
            at: written.at,
            qualifier: written.qualifier,
        };
        self.part(kind, spot, vec![object], fine)
    }

    /// The name that stands in `start..end`, perhaps qualified, perhaps with template arguments.
    fn written_name(&self, start: u32, end: u32) -> Option<Written> {
        let mut angles = 0i32;
        let mut name: Option<Span> = None;
        let mut first = None;
        let mut tokens = self.source.between(start, end).iter().peekable();
        while let Some(token) = tokens.next() {
            let text = self.source.str(*token);
            if text == "template" && first.is_none() {
                continue;
            }
            first = first.or(Some(token.start));
            angles += self.source.angles(*token);
            match text {
                "operator" if angles == 0 => {
                    name = Some(Span { start: token.start, end: self.source.between(start, end).last()?.end });
                    break;
                }
                "~" if angles == 0 => {
                    let word = tokens.peek()?;
                    name = Some(Span { start: token.start, end: word.end });
                    tokens.next();
                }
                "template" => {}
                _ if angles == 0 && token.kind == lex::Kind::Word => {
                    name = Some(Span { start: token.start, end: token.end })
                }
                _ => {}
            }
        }
        let name = name?;
        let first = first?;
        Some(Written {
            at: Span { start: first, end: name.end },
            name: self.source.slice(name.start, name.end),
            qualifier: self.source.slice(first, name.start).trim_end().to_string(),
        })
    }
}
