//! Statements and declarations.

use super::grower::{Grower, Spot, checked, expressions_of, is_expression, mark};
use crate::parse::names::is_class;
use crate::tree::{Kind, Node, Role, Span};
use clang::{Entity, EntityKind};

/// The parentheses behind a keyword: offsets behind the opening and of the closing one.
struct Head {
    open: u32,
    close: u32,
}

/// A statement; the `;` that ends it starts before `stop`, or wherever it likes where that is 0.
pub(super) fn statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, stop: u32) -> Option<Node> {
    let spot = grower.spot(entity)?;
    let made = grower.deeper(|grower| statement_at(grower, entity, role, spot, stop));
    made.unwrap_or_else(|| {
        let too_deep = Spot { in_macro: true, ..spot };
        let node = grower.node(Kind::Other("TooDeep".into()), role, too_deep, entity, Vec::new());
        Some(ended(grower, node, stop))
    })
}

fn statement_at<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Option<Node> {
    use EntityKind::*;
    let kind = entity.get_kind();
    Some(match kind {
        CompoundStmt => block(grower, entity, role, spot),
        IfStmt => if_statement(grower, entity, role, spot, stop),
        SwitchStmt => with_body(grower, entity, Kind::Switch, &["switch"], role, spot, stop),
        WhileStmt => with_body(grower, entity, Kind::While, &["while"], role, spot, stop),
        ForStmt => for_statement(grower, entity, role, spot, stop),
        ForRangeStmt => range_for(grower, entity, role, spot, stop),
        DoStmt => do_statement(grower, entity, role, spot, stop),
        CaseStmt | DefaultStmt | LabelStmt => labelled(grower, entity, role, spot, stop),
        ReturnStmt | BreakStmt | ContinueStmt | GotoStmt | IndirectGotoStmt => {
            let kind = match kind {
                ReturnStmt => Kind::Return,
                BreakStmt => Kind::Break,
                ContinueStmt => Kind::Continue,
                GotoStmt => Kind::Goto,
                _ => Kind::Other(format!("{kind:?}")),
            };
            let value = expressions_of(entity).into_iter().next();
            let value = value.and_then(|value| grower.expression(value, Role::Operand));
            let node = grower.node(kind, role, spot, entity, value.into_iter().collect());
            ended(grower, node, stop)
        }
        NullStmt => {
            let node = grower.node(Kind::Empty, role, spot, entity, Vec::new());
            let fine = grower.source.is_enclosed(spot.span, ";", ";");
            checked(node, fine)
        }
        DeclStmt => declaration(grower, entity, role, spot, stop),
        TryStmt => try_statement(grower, entity, role, spot),
        CatchStmt => catch(grower, entity, role, spot),
        _ if is_expression(entity) => {
            let inner = grower.expression(entity, Role::Operand)?;
            let (span, in_macro) = (inner.span, inner.in_macro);
            let node = Node { kind: Kind::Expression, role, span, in_macro, ty: None, children: vec![inner] };
            ended(grower, node, stop)
        }
        _ => other_statement(grower, entity, role, spot, stop),
    })
}

/// The statement with the `;` behind it.
fn ended(grower: &Grower<'_>, mut node: Node, stop: u32) -> Node {
    let next = grower.source.next(node.span.end);
    match next.filter(|next| grower.source.is(*next, ";") && (stop == 0 || next.start < stop)) {
        Some(semicolon) => {
            node.span.end = semicolon.end;
            node
        }
        None => checked(node, false),
    }
}

/// A statement that ends with another.
fn ends_with_last(mut node: Node) -> Node {
    if !node.in_macro
        && let Some(end) = node.children.iter().map(|child| child.span.end).max()
    {
        node.span.end = node.span.end.max(end);
    }
    node
}

/// What `stop` is for statements within: those that a macro makes end within it.
fn stop_within(spot: Spot, stop: u32) -> u32 {
    if spot.in_macro { spot.span.start.max(1) } else { stop }
}

fn block<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot) -> Node {
    let children = entity.get_children();
    let starts: Vec<Option<u32>> =
        children.iter().map(|child| grower.spot(*child).map(|spot| spot.span.start)).collect();
    let mut statements = Vec::new();
    for (index, child) in children.into_iter().enumerate() {
        let own = starts[index].unwrap_or(0);
        let next = starts[index + 1..].iter().flatten().find(|next| **next > own).copied();
        let stop = stop_within(spot, next.unwrap_or(spot.span.end));
        statements.extend(statement(grower, child, Role::Part, stop));
    }
    let mut node = grower.node(Kind::Block, role, spot, entity, statements);
    // What stands between braces that a macro made is as it is written.
    node.in_macro |= !grower.source.is_enclosed(spot.span, "{", "}");
    node
}

/// The parentheses behind one of `keywords` at `from`.
fn head(grower: &Grower<'_>, from: u32, keywords: &[&str]) -> Option<Head> {
    let first = grower.source.at(from)?;
    if !keywords.contains(&grower.source.str(first)) {
        return None;
    }
    let mut open = grower.source.from(from) + 1;
    while grower.source.token(open).is_some_and(|token| grower.source.is(token, "constexpr")) {
        open += 1;
    }
    let close = grower.source.closing(open).and_then(|close| grower.source.token(close))?;
    Some(Head { open: grower.source.token(open)?.end, close: close.start })
}

/// What stands in the head of `if`, `while`, `switch`: with `;`, what is before it comes first.
fn in_head<'tu>(grower: &mut Grower<'tu>, child: Entity<'tu>, role: Role) -> Option<Node> {
    match child.get_kind() {
        EntityKind::VarDecl => variable(grower, child, role),
        EntityKind::DeclStmt => statement(grower, child, role, 0),
        EntityKind::NullStmt => None,
        _ => grower.expression(child, role),
    }
}

fn if_statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let head = head(grower, spot.span.start, &["if"]);
    let Some(head) = head.filter(|_| !spot.in_macro) else {
        return by_position(grower, entity, Kind::If, role, spot, stop);
    };
    let init_ends = grower.source.top_level(head.open, head.close, ";").first().copied().unwrap_or(0);
    let mut children = Vec::new();
    let mut branches = 0;
    let mut fine = true;
    for child in entity.get_children() {
        let Some(child_spot) = grower.spot(child) else { continue };
        if child_spot.span.start < head.close {
            let role = if child_spot.span.start < init_ends { Role::Init } else { Role::Condition };
            children.extend(in_head(grower, child, role));
            continue;
        }
        let branch = statement(grower, child, if branches == 0 { Role::Then } else { Role::Else }, stop);
        if let (1, Some(branch), Some(then)) = (branches, &branch, children.last()) {
            let between = grower.source.between(then.span.end, branch.span.start);
            fine = matches!(between, [word] if grower.source.is(*word, "else"));
        }
        branches += 1;
        children.extend(branch);
    }
    let node = grower.node(Kind::If, role, spot, entity, children);
    fine &= matches!(branches, 1 | 2)
        && node.children.iter().filter(|child| matches!(child.role, Role::Then | Role::Else)).count() == branches
        && node.child(Role::Condition).is_some();
    ends_with_last(checked(node, fine))
}

/// `while (…) …`, `switch (…) …`.
fn with_body<'tu>(
    grower: &mut Grower<'tu>,
    entity: Entity<'tu>,
    kind: Kind,
    words: &[&str],
    role: Role,
    spot: Spot,
    stop: u32,
) -> Node {
    let head = head(grower, spot.span.start, words);
    let Some(head) = head.filter(|_| !spot.in_macro) else {
        return by_position(grower, entity, kind, role, spot, stop);
    };
    let init_ends = grower.source.top_level(head.open, head.close, ";").first().copied().unwrap_or(0);
    let mut children = Vec::new();
    for child in entity.get_children() {
        let Some(child_spot) = grower.spot(child) else { continue };
        children.extend(if child_spot.span.start >= head.close {
            statement(grower, child, Role::Then, stop)
        } else if child_spot.span.start < init_ends {
            in_head(grower, child, Role::Init)
        } else {
            in_head(grower, child, Role::Condition)
        });
    }
    let node = grower.node(kind, role, spot, entity, children);
    let fine = node.child(Role::Then).is_some();
    ends_with_last(checked(node, fine))
}

fn for_statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let parts = head(grower, spot.span.start, &["for"]).filter(|_| !spot.in_macro).and_then(|head| {
        let ends = grower.source.top_level(head.open, head.close, ";");
        (ends.len() == 2).then_some((head, ends[0], ends[1]))
    });
    let Some((head, first, second)) = parts else {
        return by_position(grower, entity, Kind::For, role, spot, stop);
    };
    let mut children = Vec::new();
    for child in entity.get_children() {
        let Some(start) = grower.spot(child).map(|spot| spot.span.start) else { continue };
        children.extend(if start >= head.close {
            statement(grower, child, Role::Then, stop)
        } else if start < first {
            in_head(grower, child, Role::Init)
        } else if start < second {
            in_head(grower, child, Role::Condition)
        } else if start > second {
            in_head(grower, child, Role::Step)
        } else {
            None
        });
    }
    let node = grower.node(Kind::For, role, spot, entity, children);
    let fine = node.child(Role::Then).is_some();
    ends_with_last(checked(node, fine))
}

fn range_for<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let parts = head(grower, spot.span.start, &["for"]).filter(|_| !spot.in_macro).and_then(|head| {
        let colon = grower.source.top_level(head.open, head.close, ":").last().copied()?;
        let init_ends = grower.source.top_level(head.open, head.close, ";").first().copied().unwrap_or(0);
        Some((head, init_ends, colon))
    });
    let Some((head, init_ends, colon)) = parts else {
        return by_position(grower, entity, Kind::RangeFor, role, spot, stop);
    };
    let mut children = Vec::new();
    for child in entity.get_children() {
        let Some(start) = grower.spot(child).map(|spot| spot.span.start) else { continue };
        children.extend(if start >= head.close {
            statement(grower, child, Role::Then, stop)
        } else if start < init_ends {
            in_head(grower, child, Role::Init)
        } else if start < colon {
            // libclang's extent has the colon in it, and an initialiser that nobody wrote.
            let variable = variable(grower, child, Role::Declared);
            let last = grower.source.between(start, colon).last().copied();
            variable.zip(last).map(|(variable, last)| Node {
                span: Span { end: last.end, ..variable.span },
                children: Vec::new(),
                ..variable
            })
        } else if start > colon {
            grower.expression(child, Role::Operand)
        } else {
            None
        });
    }
    let node = grower.node(Kind::RangeFor, role, spot, entity, children);
    let fine = [Role::Declared, Role::Operand, Role::Then].iter().all(|role| node.child(*role).is_some());
    ends_with_last(checked(node, fine))
}

fn do_statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let within = stop_within(spot, 0);
    let mut children = entity.get_children().into_iter();
    let body = children.next().and_then(|body| statement(grower, body, Role::Then, within));
    let condition = children.next().and_then(|condition| grower.expression(condition, Role::Condition));
    let mut fine = grower.source.at(spot.span.start).is_some_and(|first| grower.source.is(first, "do"));
    if let (Some(body), Some(condition)) = (&body, &condition) {
        let head = grower.source.next(body.span.end).and_then(|word| head(grower, word.start, &["while"]));
        fine &= head.is_some_and(|head| head.open <= condition.span.start && condition.span.end <= head.close);
    } else {
        fine = false;
    }
    let node = grower.node(Kind::DoWhile, role, spot, entity, body.into_iter().chain(condition).collect());
    ended(grower, checked(node, fine), stop)
}

/// Where a macro hides what tells the children apart: by their number, and marked, but for blocks of their own.
fn by_position<'tu>(
    grower: &mut Grower<'tu>,
    entity: Entity<'tu>,
    kind: Kind,
    role: Role,
    spot: Spot,
    stop: u32,
) -> Node {
    let stop = stop_within(spot, stop);
    let children: Vec<Entity<'tu>> =
        entity.get_children().into_iter().filter(|child| grower.spot(*child).is_some()).collect();
    let declares = |child: &Entity<'tu>| matches!(child.get_kind(), EntityKind::DeclStmt | EntityKind::VarDecl);
    let declared = children.iter().take_while(|child| declares(child)).count();
    let count = children.len();
    let mut nodes = Vec::new();
    for (index, child) in children.into_iter().enumerate() {
        let is_branch = match kind {
            Kind::If => index > declared,
            _ => index + 1 == count,
        };
        nodes.extend(if is_branch && index >= declared {
            let role = if kind == Kind::If && index == declared + 2 { Role::Else } else { Role::Then };
            statement(grower, child, role, stop)
        } else if index < declared {
            in_head(grower, child, if kind == Kind::RangeFor { Role::Declared } else { Role::Init })
        } else {
            let role = match kind {
                Kind::RangeFor => Role::Operand,
                Kind::For if index > declared => Role::Step,
                _ => Role::Condition,
            };
            in_head(grower, child, role)
        });
    }
    let node = grower.node(kind, role, spot, entity, nodes);
    ends_with_last(checked(node, false))
}

fn labelled<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let stop = stop_within(spot, stop);
    let (kind, word) = match entity.get_kind() {
        EntityKind::CaseStmt => (Kind::Case, Some("case")),
        EntityKind::DefaultStmt => (Kind::Default, Some("default")),
        _ => (Kind::Label, None),
    };
    let mut children: Vec<Entity<'tu>> = entity.get_children();
    children.retain(|child| !child.is_reference());
    let body = children.pop().and_then(|body| statement(grower, body, Role::Then, stop));
    let mut nodes: Vec<Node> = match kind {
        Kind::Case => children.into_iter().filter_map(|value| grower.expression(value, Role::Condition)).collect(),
        _ => Vec::new(),
    };
    let first = grower.source.at(spot.span.start);
    let mut fine = first.is_some_and(|first| word.is_none_or(|word| grower.source.is(first, word)));
    fine &= body.is_some() && (kind != Kind::Case || !nodes.is_empty());
    nodes.extend(body);
    let node = grower.node(kind, role, spot, entity, nodes);
    ends_with_last(checked(node, fine))
}

fn try_statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot) -> Node {
    let stop = stop_within(spot, 0);
    let mut children = Vec::new();
    for child in entity.get_children() {
        let role = if child.get_kind() == EntityKind::CatchStmt { Role::Part } else { Role::Then };
        children.extend(statement(grower, child, role, stop));
    }
    let node = grower.node(Kind::Try, role, spot, entity, children);
    let fine = grower.source.is_enclosed(spot.span, "try", "}") && node.child(Role::Then).is_some();
    checked(node, fine)
}

fn catch<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot) -> Node {
    let mut children = Vec::new();
    for child in entity.get_children() {
        children.extend(match child.get_kind() {
            EntityKind::VarDecl => variable(grower, child, Role::Declared),
            EntityKind::CompoundStmt => statement(grower, child, Role::Then, stop_within(spot, 0)),
            _ => None,
        });
    }
    let node = grower.node(Kind::Catch, role, spot, entity, children);
    let fine = grower.source.is_enclosed(spot.span, "catch", "}") && node.child(Role::Then).is_some();
    checked(node, fine)
}

/// Assembler, statements with attributes, coroutines, and what else has no kind of its own.
fn other_statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let kind = entity.get_kind();
    let children = if kind == EntityKind::UnexposedStmt { entity.get_children() } else { Vec::new() };
    let has_attributes = grower
        .source
        .at(spot.span.start)
        .is_some_and(|first| grower.source.is(first, "[") || grower.source.str(first).starts_with("__attribute"));
    let within = stop_within(spot, stop);
    let mut nodes = Vec::new();
    for child in children {
        nodes.extend(match child.get_kind() {
            _ if is_expression(child) && !has_attributes => grower.expression(child, Role::Operand),
            _ if is_expression(child) || child.is_statement() => statement(grower, child, Role::Then, within),
            _ => None,
        });
    }
    let node = grower.node(Kind::Other(format!("{kind:?}")), role, spot, entity, nodes);
    let node = ends_with_last(node);
    let last = grower.source.within(node.span).last().copied();
    match last.filter(|last| grower.source.is(*last, ";") || grower.source.is(*last, "}")) {
        Some(_) => node,
        None => ended(grower, node, stop),
    }
}

fn declaration<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, spot: Spot, stop: u32) -> Node {
    let mut children = Vec::new();
    for child in entity.get_children() {
        children.extend(match child.get_kind() {
            EntityKind::VarDecl => variable(grower, child, Role::Declared),
            EntityKind::UnexposedDecl if child.get_name().is_some_and(|name| name.starts_with('[')) => {
                variable(grower, child, Role::Declared)
            }
            _ => other_declaration(grower, child),
        });
    }
    let node = grower.node(Kind::Declaration, role, spot, entity, children);
    let last = grower.source.within(spot.span).last().copied();
    match last.filter(|last| grower.source.is(*last, ";") && last.end == spot.span.end) {
        Some(_) => node,
        None => ended(grower, node, stop),
    }
}

/// A local type, alias or assertion; of a class, the bodies of its methods.
fn other_declaration<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>) -> Option<Node> {
    let spot = grower.spot(entity)?;
    let mut bodies = Vec::new();
    if is_class(entity.get_kind()) {
        for method in entity.get_children() {
            let body = method.get_children().into_iter().rfind(|child| child.get_kind() == EntityKind::CompoundStmt);
            if let Some(body) = body.filter(|_| !method.is_defaulted()) {
                bodies.extend(statement(grower, body, Role::Part, 0));
            }
        }
    }
    let kind = Kind::Other(format!("{:?}", entity.get_kind()));
    let mut node = grower.node(kind, Role::Declared, spot, entity, bodies);
    node.ty = None;
    Some(node)
}

/// A declared variable.
pub(super) fn variable<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role) -> Option<Node> {
    let mut spot = grower.spot(entity)?;
    let kind = Kind::Variable { usr: grower.reader.usr(entity), name: entity.get_name().unwrap_or_default() };
    let place = grower.reader.place(entity).filter(|place| place.file.path == grower.source.text.path);
    let name = place.map(|place| place.offset).filter(|_| !spot.in_macro);
    let name = name.and_then(|name| grower.source.at(name).map(|_| grower.source.from(name)));
    let Some(name) = name else {
        let init = expressions_of(entity).into_iter().next_back();
        let init = init.and_then(|init| grower.expression(init, Role::Init));
        let node = grower.node(kind, role, spot, entity, init.into_iter().collect());
        return Some(checked(node, false));
    };
    let name_start = grower.source.token(name)?.start;
    let is_binding = grower.source.token(name).is_some_and(|token| grower.source.is(token, "["));
    let first_behind = if is_binding { grower.source.closing(name).map_or(name, |close| close + 1) } else { name + 1 };
    let mut behind = first_behind;
    while grower.source.token(behind).is_some_and(|token| grower.source.is(token, "[") && !is_binding) {
        let Some(close) = grower.source.closing(behind) else { break };
        behind = close + 1;
    }
    let end = spot.span.end;
    let offset_of = |index: usize| grower.source.token(index).map_or(end, |token| token.start);
    if let Some(close) = grower.source.token(behind).filter(|open| grower.source.is(*open, "(")).and_then(|_| {
        let close = grower.source.closing(behind)?;
        grower.source.token(close)
    }) {
        // libclang's extent of `int n(2)` ends before the parenthesis.
        spot.span.end = spot.span.end.max(close.end);
    }
    let (lengths, init) = (offset_of(first_behind), offset_of(behind));
    let mut children = Vec::new();
    for child in expressions_of(entity) {
        let Some(child_spot) = grower.spot(child) else { continue };
        let start = child_spot.span.start;
        if start == name_start || start >= init {
            // A constructor's call begins with the variable's name.
            let node = grower.expression(child, Role::Init).and_then(|mut node| {
                node.span.start = node.span.start.max(init);
                (node.span.start < node.span.end).then_some(node)
            });
            children.extend(node);
        } else if start >= lengths {
            children.extend(grower.expression(child, Role::Declared));
        }
    }
    let mut node = grower.node(kind, role, spot, entity, children);
    if node.children.iter().filter(|child| child.role == Role::Init).count() > 1 {
        mark(&mut node);
    }
    Some(node)
}
