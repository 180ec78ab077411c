//! Statements and declarations.

use super::grower::{Grower, Spot, checked, expressions_of, is_expression, mark};
use crate::parse::type_shapes::is_class;
use crate::tree::{Kind, Node, Role, Span};
use clang::{Entity, EntityKind};

/// A statement that is read: where it stands, and what it is to its parent. The `;` that ends it starts before
/// `stop`, or anywhere where that is 0.
#[derive(Clone, Copy)]
struct Stmt<'tu> {
    spot: Spot<'tu>,
    role: Role,
    stop: u32,
}

impl<'tu> Stmt<'tu> {
    fn node(self, grower: &mut Grower<'tu>, kind: Kind, children: Vec<Node>) -> Node {
        grower.node(kind, self.role, self.spot, children)
    }

    /// `stop` for statements within: those that a macro makes end within it.
    fn stop_within(self, stop: u32) -> u32 {
        if self.spot.in_macro { self.spot.span.start.max(1) } else { stop }
    }

    /// Where the statement begins.
    fn start(self) -> u32 {
        self.spot.span.start
    }
}

/// A statement; the `;` that ends it starts before `stop`, or anywhere where that is 0.
pub(super) fn statement<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, role: Role, stop: u32) -> Option<Node> {
    let stmt = Stmt { spot: grower.spot(entity)?, role, stop };
    let made = grower.deeper(|grower| statement_at(grower, stmt));
    made.unwrap_or_else(|| {
        let too_deep = Stmt { spot: Spot { in_macro: true, ..stmt.spot }, ..stmt };
        let node = too_deep.node(grower, Kind::Other("TooDeep".into()), Vec::new());
        Some(ended(grower, node, stop))
    })
}

fn statement_at<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>) -> Option<Node> {
    use EntityKind::*;
    let Stmt { spot, role, stop } = stmt;
    let entity = spot.entity;
    let kind = entity.get_kind();
    Some(match kind {
        CompoundStmt => block(grower, stmt),
        IfStmt => headed(grower, stmt, Kind::If, "if"),
        SwitchStmt => headed(grower, stmt, Kind::Switch, "switch"),
        WhileStmt => headed(grower, stmt, Kind::While, "while"),
        ForStmt => headed(grower, stmt, Kind::For, "for"),
        ForRangeStmt => headed(grower, stmt, Kind::RangeFor, "for"),
        DoStmt => do_statement(grower, stmt),
        CaseStmt | DefaultStmt | LabelStmt => labelled(grower, stmt),
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
            let node = stmt.node(grower, kind, value.into_iter().collect());
            ended(grower, node, stop)
        }
        NullStmt => {
            let node = stmt.node(grower, Kind::Empty, Vec::new());
            let fine = grower.source.is_enclosed(spot.span, ";", ";");
            checked(node, fine)
        }
        DeclStmt => declaration(grower, stmt),
        TryStmt => guarded(grower, stmt, Kind::Try, "try"),
        CatchStmt => guarded(grower, stmt, Kind::Catch, "catch"),
        _ if is_expression(entity) => {
            let inner = grower.expression(entity, Role::Operand)?;
            let (span, in_macro) = (inner.span, inner.in_macro);
            let node = Node { kind: Kind::Expression, role, span, in_macro, ty: None, children: vec![inner] };
            ended(grower, node, stop)
        }
        _ => other_statement(grower, stmt),
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

fn block<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>) -> Node {
    let children = stmt.spot.entity.get_children();
    let starts: Vec<Option<u32>> =
        children.iter().map(|child| grower.spot(*child).map(|spot| spot.span.start)).collect();
    let mut statements = Vec::new();
    for (index, child) in children.into_iter().enumerate() {
        let own = starts[index].unwrap_or(0);
        let next = starts[index + 1..].iter().flatten().find(|next| **next > own).copied();
        let stop = stmt.stop_within(next.unwrap_or(stmt.spot.span.end));
        statements.extend(statement(grower, child, Role::Part, stop));
    }
    let mut node = stmt.node(grower, Kind::Block, statements);
    // Statements between braces that a macro made are as written.
    node.in_macro |= !grower.source.is_enclosed(stmt.spot.span, "{", "}");
    node
}

/// The parentheses behind `keyword` at `from`: offsets behind the opening and of the closing one.
fn head(grower: &Grower<'_>, from: u32, keyword: &str) -> Option<(u32, u32)> {
    let first = grower.source.at(from)?;
    if !grower.source.is(first, keyword) {
        return None;
    }
    let mut open = grower.source.from(from) + 1;
    while grower.source.token(open).is_some_and(|token| grower.source.is(token, "constexpr")) {
        open += 1;
    }
    let close = grower.source.closing(open).and_then(|close| grower.source.token(close))?;
    Some((grower.source.token(open)?.end, close.start))
}

/// The parts of a statement's head in order: where each ends at the latest, and what it is. Behind the last stands what
/// the statement does.
fn parts(grower: &Grower<'_>, stmt: Stmt<'_>, kind: &Kind, keyword: &str) -> Option<Vec<(u32, Role)>> {
    let (open, close) = head(grower, stmt.start(), keyword).filter(|_| !stmt.spot.in_macro)?;
    let ends = grower.source.top_level(open, close, ";");
    let init = (ends.first().copied().unwrap_or(0), Role::Init);
    Some(match kind {
        Kind::For => match ends[..] {
            [_, second] => vec![init, (second, Role::Condition), (close, Role::Step)],
            _ => return None,
        },
        Kind::RangeFor => {
            let colon = grower.source.top_level(open, close, ":").last().copied()?;
            vec![init, (colon, Role::Declared), (close, Role::Operand)]
        }
        _ => vec![init, (close, Role::Condition)],
    })
}

/// A part of the head of `if`, `while`, `switch`: an initialiser, a condition.
fn in_head<'tu>(grower: &mut Grower<'tu>, child: Entity<'tu>, role: Role) -> Option<Node> {
    match child.get_kind() {
        EntityKind::VarDecl => variable(grower, child, role),
        EntityKind::DeclStmt => statement(grower, child, role, 0),
        EntityKind::NullStmt => None,
        _ => grower.expression(child, role),
    }
}

/// `if (…) …`, `while (…) …`, `switch (…) …`, `for (…) …`.
fn headed<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>, kind: Kind, keyword: &str) -> Node {
    let Some(parts) = parts(grower, stmt, &kind, keyword) else { return by_position(grower, stmt, kind) };
    let mut children: Vec<Node> = Vec::new();
    let (mut branches, mut made, mut fine) = (0, 0, true);
    for child in stmt.spot.entity.get_children() {
        let Some(start) = grower.spot(child).map(|spot| spot.span.start) else { continue };
        match parts.iter().find(|(end, _)| start < *end) {
            Some((colon, Role::Declared)) => children.extend(loop_variable(grower, child, start, *colon)),
            Some((_, role)) => children.extend(in_head(grower, child, *role)),
            None => {
                let role = if kind == Kind::If && branches > 0 { Role::Else } else { Role::Then };
                let branch = statement(grower, child, role, stmt.stop);
                if let (1, Some(branch), Some(then)) = (branches, &branch, children.last()) {
                    let between = grower.source.between(then.span.end, branch.span.start);
                    fine = matches!(between, [word] if grower.source.is(*word, "else"));
                }
                branches += 1;
                made += usize::from(branch.is_some());
                children.extend(branch);
            }
        }
    }
    let needed: &[Role] = match kind {
        Kind::If => &[Role::Condition, Role::Then],
        Kind::RangeFor => &[Role::Declared, Role::Operand, Role::Then],
        _ => &[Role::Then],
    };
    let node = stmt.node(grower, kind, children);
    fine &= made == branches && branches < 3 && needed.iter().all(|role| node.child(*role).is_some());
    ends_with_last(checked(node, fine))
}

/// The variable of a range-based loop: libclang's extent has the colon in it, and an initialiser that nobody wrote.
fn loop_variable<'tu>(grower: &mut Grower<'tu>, entity: Entity<'tu>, start: u32, colon: u32) -> Option<Node> {
    let variable = variable(grower, entity, Role::Declared)?;
    let end = grower.source.between(start, colon).last()?.end;
    Some(Node { span: Span { end, ..variable.span }, children: Vec::new(), ..variable })
}

fn do_statement<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>) -> Node {
    let within = stmt.stop_within(0);
    let mut children = stmt.spot.entity.get_children().into_iter();
    let body = children.next().and_then(|body| statement(grower, body, Role::Then, within));
    let condition = children.next().and_then(|condition| grower.expression(condition, Role::Condition));
    let mut fine = grower.source.at(stmt.start()).is_some_and(|first| grower.source.is(first, "do"));
    fine &= body.as_ref().zip(condition.as_ref()).is_some_and(|(body, condition)| {
        let head = grower.source.next(body.span.end).and_then(|word| head(grower, word.start, "while"));
        head.is_some_and(|(open, close)| open <= condition.span.start && condition.span.end <= close)
    });
    let node = stmt.node(grower, Kind::DoWhile, body.into_iter().chain(condition).collect());
    ended(grower, checked(node, fine), stmt.stop)
}

/// Where a macro hides what tells the children apart: by their number, and marked, but for blocks of their own.
fn by_position<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>, kind: Kind) -> Node {
    let stop = stmt.stop_within(stmt.stop);
    let children: Vec<Entity<'tu>> =
        stmt.spot.entity.get_children().into_iter().filter(|child| grower.spot(*child).is_some()).collect();
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
    let node = stmt.node(grower, kind, nodes);
    ends_with_last(checked(node, false))
}

fn labelled<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>) -> Node {
    let (kind, word) = match stmt.spot.entity.get_kind() {
        EntityKind::CaseStmt => (Kind::Case, Some("case")),
        EntityKind::DefaultStmt => (Kind::Default, Some("default")),
        _ => (Kind::Label, None),
    };
    let mut children: Vec<Entity<'tu>> = stmt.spot.entity.get_children();
    children.retain(|child| !child.is_reference());
    let body = children.pop().and_then(|body| statement(grower, body, Role::Then, stmt.stop_within(stmt.stop)));
    let mut nodes: Vec<Node> = match kind {
        Kind::Case => children.into_iter().filter_map(|value| grower.expression(value, Role::Condition)).collect(),
        _ => Vec::new(),
    };
    let first = grower.source.at(stmt.start());
    let mut fine = first.is_some_and(|first| word.is_none_or(|word| grower.source.is(first, word)));
    fine &= body.is_some() && (kind != Kind::Case || !nodes.is_empty());
    nodes.extend(body);
    let node = stmt.node(grower, kind, nodes);
    ends_with_last(checked(node, fine))
}

/// `try {…} catch …`, `catch (…) {…}`.
fn guarded<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>, kind: Kind, keyword: &str) -> Node {
    let mut children = Vec::new();
    for child in stmt.spot.entity.get_children() {
        children.extend(match child.get_kind() {
            EntityKind::CatchStmt => statement(grower, child, Role::Part, stmt.stop_within(0)),
            EntityKind::VarDecl => variable(grower, child, Role::Declared),
            EntityKind::CompoundStmt => statement(grower, child, Role::Then, stmt.stop_within(0)),
            _ => None,
        });
    }
    let node = stmt.node(grower, kind, children);
    let fine = grower.source.is_enclosed(stmt.spot.span, keyword, "}") && node.child(Role::Then).is_some();
    checked(node, fine)
}

/// Assembler, statements with attributes, coroutines, and what else has no kind of its own.
fn other_statement<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>) -> Node {
    let kind = stmt.spot.entity.get_kind();
    let children = if kind == EntityKind::UnexposedStmt { stmt.spot.entity.get_children() } else { Vec::new() };
    let first = grower.source.at(stmt.start()).map(|first| grower.source.str(first));
    let has_attributes = first.is_some_and(|first| first == "[" || first.starts_with("__attribute"));
    let within = stmt.stop_within(stmt.stop);
    let mut nodes = Vec::new();
    for child in children {
        nodes.extend(match child.get_kind() {
            _ if is_expression(child) && !has_attributes => grower.expression(child, Role::Operand),
            _ if is_expression(child) || child.is_statement() => statement(grower, child, Role::Then, within),
            _ => None,
        });
    }
    let node = ends_with_last(stmt.node(grower, Kind::Other(format!("{kind:?}")), nodes));
    let last = grower.source.within(node.span).last();
    if last.is_some_and(|last| matches!(grower.source.str(*last), ";" | "}")) {
        return node;
    }
    ended(grower, node, stmt.stop)
}

fn declaration<'tu>(grower: &mut Grower<'tu>, stmt: Stmt<'tu>) -> Node {
    let mut children = Vec::new();
    for child in stmt.spot.entity.get_children() {
        children.extend(match child.get_kind() {
            EntityKind::VarDecl => variable(grower, child, Role::Declared),
            EntityKind::UnexposedDecl if child.get_name().is_some_and(|name| name.starts_with('[')) => {
                variable(grower, child, Role::Declared)
            }
            _ => other_declaration(grower, child),
        });
    }
    let node = stmt.node(grower, Kind::Declaration, children);
    if grower.ends_with(stmt.spot.span, ";") { node } else { ended(grower, node, stmt.stop) }
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
    let mut node = grower.node(kind, Role::Declared, spot, bodies);
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
        let node = grower.node(kind, role, spot, init.into_iter().collect());
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
    let opens = grower.source.token(behind).is_some_and(|open| grower.source.is(open, "("));
    let close = grower.source.closing(behind).filter(|_| opens).and_then(|close| grower.source.token(close));
    if let Some(close) = close {
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
    let mut node = grower.node(kind, role, spot, children);
    if node.children.iter().filter(|child| child.role == Role::Init).count() > 1 {
        mark(&mut node);
    }
    Some(node)
}
