//! The initialisers of constructors: found by their tokens, with the values that libclang has there.

use super::grower::{Grower, is_expression};
use crate::parse::reader::Written;
use crate::tree::{Initialized, Initializer, Kind, Node, Role, Span};
use clang::{Entity, EntityKind};

/// The initialisers as written, without those that a macro made.
pub(super) fn initializers<'tu>(grower: &mut Grower<'tu>, written: &Written<'tu>, root: &Node) -> Vec<Initializer> {
    let Some((mut at, end)) = place_of_initializers(grower, written, root) else { return Vec::new() };
    let children = written.entity.get_children();
    let mut found = Vec::new();
    while let Some(first) = grower.source.next(at).filter(|token| token.end <= end) {
        let Some((name_end, open)) = name_of_initializer(grower, first.start, end) else { break };
        let Some(close) = grower.source.closing(open).and_then(|close| grower.source.token(close)) else { break };
        let span = Span { start: first.start, end: close.end };
        if close.end > end {
            break;
        }
        let open = grower.source.token(open).map_or(name_end, |token| token.start);
        if let Some(of) = initialized(grower, written.entity, &children, span.start, name_end) {
            let values = values(grower, &children, Span { start: open, end: close.end }, span.start);
            let name = grower.source.slice(span.start, name_end);
            found.push(Initializer { name, of, span, values });
        }
        let comma = grower.source.top_level(close.end, end, ",").first().copied();
        at = comma.map_or(end, |comma| comma + 1);
    }
    found
}

/// From behind the `:` to before the block; of a function-try-block that is behind `try`.
fn place_of_initializers<'tu>(grower: &Grower<'tu>, written: &Written<'tu>, root: &Node) -> Option<(u32, u32)> {
    if let Some(extent) = &written.definition.initializers {
        return Some((extent.start, extent.end));
    }
    let block = root.child(Role::Then).filter(|_| root.kind == Kind::Try && !root.in_macro)?;
    match grower.source.between(root.span.start, block.span.start) {
        [_try, colon, ..] if grower.source.is(*colon, ":") => Some((colon.end, block.span.start)),
        _ => None,
    }
}

/// The end of the name at `start`, and the index of the bracket behind it.
fn name_of_initializer(grower: &Grower<'_>, start: u32, end: u32) -> Option<(u32, usize)> {
    let (mut angles, mut name_end) = (0i32, start);
    for index in grower.source.from(start).. {
        let token = grower.source.token(index).filter(|token| token.end <= end)?;
        angles += grower.source.angles(token);
        if angles <= 0 && matches!(grower.source.str(token), "(" | "{") {
            return Some((name_end, index));
        }
        name_end = token.end;
    }
    None
}

fn initialized<'tu>(
    grower: &mut Grower<'tu>,
    constructor: Entity<'tu>,
    children: &[Entity<'tu>],
    start: u32,
    end: u32,
) -> Option<Initialized> {
    // The last name outside angle brackets is what is initialised; those before are scopes.
    let (mut angles, mut name) = (0i32, start);
    for token in grower.source.between(start, end) {
        angles += grower.source.angles(*token);
        if angles == 0 && token.kind == crate::lex::Kind::Word {
            name = token.start;
        }
    }
    for child in children {
        let kind = child.get_kind();
        if !matches!(kind, EntityKind::MemberRef | EntityKind::TypeRef | EntityKind::TemplateRef)
            || grower.reader.place(*child).is_none_or(|place| place.offset != name)
        {
            continue;
        }
        let target = child.get_reference()?;
        if kind == EntityKind::MemberRef {
            return Some(Initialized::Member { usr: grower.reader.usr(target), ty: grower.ty(target) });
        }
        let class = target.get_typedef_underlying_type().and_then(|ty| ty.get_canonical_type().get_declaration());
        let class = grower.target(Some(class.unwrap_or(target)));
        let own = constructor.get_semantic_parent();
        return Some(if grower.target(own) == class { Initialized::Delegate } else { Initialized::Base });
    }
    None
}

fn values<'tu>(grower: &mut Grower<'tu>, children: &[Entity<'tu>], brackets: Span, name: u32) -> Vec<Node> {
    let mut values = Vec::new();
    for child in children.iter().filter(|child| is_expression(**child)) {
        let Some(spot) = grower.spot(*child) else { continue };
        let inside = spot.span.end <= brackets.end && (spot.span.start >= brackets.start || spot.span.start == name);
        if !inside {
            continue;
        }
        let Some(value) = grower.expression(*child, Role::Argument) else { continue };
        let whole = value.span.start <= brackets.start && value.span.end == brackets.end;
        if whole && matches!(value.kind, Kind::Construct { .. } | Kind::InitList) {
            values.extend(value.children.into_iter().map(|value| Node { role: Role::Argument, ..value }));
        } else {
            values.push(value);
        }
    }
    super::grower::in_order(values)
}
