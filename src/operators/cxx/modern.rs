//! C++11: moves, references in loops, captures, initialiser lists.

use super::types::copies;
use crate::model::library::Shape;
use crate::model::{TemplateArg, Type, TypeKind};
use crate::operators::kinds::{is_integer, prim};
use crate::operators::site::{Edits, Site, arguments};
use crate::tree::{Entity, Kind, Node, Role, Span};
use crate::types::library::row_of;

/// The only argument of a call of `function`.
fn argument_of<'a>(node: &'a Node, function: &str) -> Option<&'a Node> {
    let Kind::Call { name, .. } = &node.kind else { return None };
    if name != function {
        return None;
    }
    match arguments(node)[..] {
        [only] if !only.in_macro => Some(only),
        _ => None,
    }
}

/// `std::move(x)` → `x`
pub fn mvd(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some(moved) = argument_of(site.node, "std::move") else { return };
    let Some(ty) = site.scene.ty(moved).map(Type::without_ref) else { return };
    // Moving a number or pointer is a copy.
    if !matches!(ty.kind, TypeKind::Record { .. }) || !copies(ty, site.scene.around.model) || ty.is_const {
        return;
    }
    let Some((user, part)) = site.user() else {
        // The value of an initialiser.
        edits.replace(site.node.span, held(site, moved));
        return;
    };
    let takes_copy = match &user.kind {
        Kind::Call { target, name, .. } => part == Role::Argument && accepts(site, user, target, name),
        Kind::Construct { target } => accepts(site, user, target, ""),
        Kind::New { class, .. } => {
            let class = class.as_ref().and_then(|usr| site.scene.around.model.classes.get(usr));
            class.is_some_and(|class| !takes_rvalues(site, class))
        }
        Kind::Variable { .. } => {
            part == Role::Init && site.scene.ty(user).is_some_and(|ty| matches!(ty.kind, TypeKind::Record { .. }))
        }
        Kind::Assign { .. } | Kind::OperatorCall { .. } => part == Role::Right,
        // A returned local variable is moved anyway.
        Kind::Return => {
            let is_local = matches!(moved.kind, Kind::Name { of: Entity::Local | Entity::Parameter, .. });
            !is_local && !site.in_lambda() && !site.scene.function.result.is_reference()
        }
        _ => false,
    };
    if takes_copy {
        edits.replace(site.node.span, held(site, moved));
    }
}

/// Whether the callee accepts an lvalue in place of the moved argument.
fn accepts(site: &Site<'_>, user: &Node, target: &String, name: &str) -> bool {
    let Some(called) = site.scene.called(target) else {
        let forwards = name.contains("make_") || name.contains("emplace") || name.is_empty();
        // A class of the project is constructed from the arguments: its constructors are known.
        let mut fine = !target.is_empty() && (name.starts_with("std::") || name.is_empty());
        if let Some(ty) = site.scene.ty(user).filter(|_| forwards) {
            ty.walk(&mut |ty| {
                let class = ty.record().and_then(|usr| site.scene.around.model.classes.get(usr));
                fine &= class.is_none_or(|class| !takes_rvalues(site, class));
            });
        }
        // The container holds copyable values: of the argument's type, or made from it.
        return fine && !name.contains("emplace");
    };
    let at = site.argument_index(user);
    at.and_then(|at| called.params.get(at)).is_some_and(|param| match &param.ty.kind {
        TypeKind::RvalueRef(_) | TypeKind::Unknown(_) | TypeKind::Dependent(_) => called.is_copy_or_move,
        TypeKind::LvalueRef(to) => to.is_const,
        _ => true,
    })
}

fn takes_rvalues(site: &Site<'_>, class: &crate::model::Class) -> bool {
    class.constructors(site.scene.around.model).any(|constructor| {
        !constructor.is_copy_or_move
            && constructor.params.iter().any(|param| matches!(param.ty.kind, TypeKind::RvalueRef(_)))
    })
}

/// Text that can replace a call without regrouping.
fn held(site: &Site<'_>, node: &Node) -> Vec<u8> {
    let text = site.bytes(node.span);
    let is_whole = matches!(
        node.kind,
        Kind::Name { .. }
            | Kind::Member { .. }
            | Kind::Index
            | Kind::Call { .. }
            | Kind::Paren
            | Kind::Construct { .. }
    );
    if is_whole { text.to_vec() } else { [b"(", text, b")"].concat() }
}

/// `std::forward<T>(x)` → `std::move(x)`
pub fn fwd(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some(callee) = argument_of(site.node, "std::forward").and_then(|_| site.node.child(Role::Callee)) else {
        return;
    };
    // An argument before `...` is one of many, and each is moved.
    let text = site.text(callee.span);
    if !callee.in_macro && text.starts_with("std::forward") && text.ends_with('>') {
        edits.replace(callee.span, "std::move");
    }
}

/// `for (auto &x : v)` → `for (auto x : v)`
pub fn range_for(site: &Site<'_>, edits: &mut Edits<'_>) {
    if site.node.kind != Kind::RangeFor {
        return;
    }
    let (Some(variable), Some(range)) = (site.node.child(Role::Declared), site.node.child(Role::Operand)) else {
        return;
    };
    let Some(Type { kind: TypeKind::LvalueRef(of), .. }) = site.scene.ty(variable) else { return };
    if variable.in_macro || range.in_macro || of.is_const || !copies(of, site.scene.around.model) {
        return;
    }
    let head = Span { start: site.node.span.start, end: range.span.start };
    let text = site.text(head);
    if let [(at, _)] = text.match_indices('&').collect::<Vec<_>>()[..] {
        let glued = text[..at].ends_with(|c: char| !c.is_whitespace()) && !text[at + 1..].starts_with([' ', '\t', '[']);
        let start = head.start + at as u32;
        edits.replace(Span { start, end: start + 1 }, if glued { " " } else { "" });
    }
}

/// `[x]` → `[&x]`, `[=]` → `[&]`, `[&, x]` → `[&]`
pub fn lmb(site: &Site<'_>, edits: &mut Edits<'_>) {
    if site.node.kind != Kind::Lambda {
        return;
    }
    let Some(body) = site.node.child(Role::Then) else { return };
    let text = site.text(Span { end: body.span.start, ..site.node.span });
    let Some(list) = text.strip_prefix('[').and_then(|rest| rest.split(']').next()) else { return };
    let start = site.node.span.start + 1;
    let mut at = start;
    let captures: Vec<&str> = list.split(',').collect();
    let is_name =
        |name: &str| !name.is_empty() && name != "this" && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    for (index, capture) in captures.iter().enumerate() {
        let lead = (capture.len() - capture.trim_start().len()) as u32;
        let place = at + lead;
        let name = capture.trim();
        if name == "=" && captures.len() == 1 {
            edits.replace(Span { start: place, end: place + 1 }, "&");
        } else if is_name(name) && captures[0].trim() == "&" && index > 0 {
            edits.replace(Span { start: at - 1, end: at + capture.trim_end().len() as u32 }, "");
        } else if is_name(name) {
            edits.replace(Span { start: place, end: place }, "&");
        }
        at += capture.len() as u32 + 1;
    }
}

/// `std::vector<int> v{3, 4}` → `std::vector<int> v(3, 4)`
pub fn ini(site: &Site<'_>, edits: &mut Edits<'_>) {
    if std::ptr::eq(site.node, &site.scene.body.root) {
        for initializer in &site.scene.body.initializers {
            let Some(ty) = site.scene.initialized(initializer) else { continue };
            let values: Vec<&Node> = match &initializer.values[..] {
                [list] if list.kind == Kind::InitList => list.children.iter().collect(),
                values => values.iter().collect(),
            };
            in_parentheses(site, ty, &values, initializer.span, edits);
        }
    }
    // A variable's list is the constructor's argument; the list's own type is that of its elements.
    let (of, values) = match (&site.node.kind, site.parent()) {
        (Kind::Construct { .. }, _) => (site.node, arguments(site.node)),
        (Kind::InitList, Some(parent)) if matches!(parent.kind, Kind::Variable { .. } | Kind::Construct { .. }) => {
            (parent, site.node.children.iter().collect())
        }
        _ => return,
    };
    let before = site.scene.around.source[..site.node.span.start as usize].trim_ascii_end();
    if !before.ends_with(b"=")
        && !before.ends_with(b"return")
        && let Some(ty) = site.scene.ty(of)
    {
        in_parentheses(site, ty, &values, site.node.span, edits);
    }
}

/// Turns the braces at the end of `whole` into parentheses, if the class then chooses its constructor of a number and
/// a value instead of that of a list.
fn in_parentheses(site: &Site<'_>, ty: &Type, values: &[&Node], whole: Span, edits: &mut Edits<'_>) {
    let TypeKind::Record { args, .. } = &ty.kind else { return };
    let holds_numbers = matches!(args.first(), Some(TemplateArg::Type(of)) if prim(of).is_some());
    let row = row_of(site.scene.around.model, ty);
    let fits =
        row.is_some_and(|row| row.counted.contains(&values.len()) && (holds_numbers || row.shape == Shape::Text));
    let are_numbers = values.iter().all(|value| !value.in_macro && site.scene.ty(value).is_some_and(is_integer));
    let (Some(first), true) = (values.first(), fits && are_numbers) else { return };
    let head = site.bytes(Span { start: whole.start, end: first.span.start });
    let Some(open) = head.iter().rposition(|byte| *byte == b'{').filter(|_| site.bytes(whole).ends_with(b"}")) else {
        return;
    };
    let (open, end) = (whole.start + open as u32, whole.end);
    edits
        .all(vec![(Span { start: open, end: open + 1 }, b"(".to_vec()), (Span { start: end - 1, end }, b")".to_vec())]);
}
