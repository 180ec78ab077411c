//! The standard library: counterparts of functions, the ends of a range, emptiness checks.

use super::types::{alike, exactly};
use crate::model::{FunctionKind, TemplateArg, Type, TypeKind};
use crate::operators::site::{Edits, Site, arguments, last};
use crate::tree::{Entity, Kind, Node, Role, Span};
use crate::types::library::{builtin, row_of};

/// The two ends of a range.
const ENDS: &[(&str, &str)] = &[("begin", "end"), ("cbegin", "cend"), ("rbegin", "rend"), ("crbegin", "crend")];

/// `std::min(a, b)` → `std::max(a, b)`, `v.front()` → `v.back()`, `pair.first` → `pair.second`
pub fn lib(site: &Site<'_>, edits: &mut Edits<'_>) {
    if let Kind::Member { name, at, of: Entity::Field, .. } = &site.node.kind {
        swap_pair(site, name, *at, edits);
        return;
    }
    let Kind::Call { target, name, .. } = &site.node.kind else { return };
    // Functions of the project are not the library's.
    if site.scene.called(target).is_some() {
        return;
    }
    let Some(callee) = site.callee() else { return };
    match &callee.kind {
        Kind::Name { name: written, qualifier, of: Entity::Function, .. } => {
            let Some(row) = builtin().names.get(name) else { return };
            let at = name_in(site, callee.span, qualifier, written);
            for other in &row.counterparts {
                let named = !qualifier.is_empty() || !name.starts_with("std::") || is_used(site, other);
                if let Some(at) = at.filter(|_| named && site.text(callee.span).contains(last(name))) {
                    edits.replace(at, other.as_str());
                }
            }
        }
        Kind::Member { name: written, at, qualifier, .. } if qualifier.is_empty() => {
            let Some(object) = callee.child(Role::Object).and_then(|object| site.scene.ty(object)) else { return };
            let object = object.without_ref();
            let class = object.pointee().map_or(object, Type::without_ref);
            let pairs = row_of(site.scene.around.model, class).into_iter().flat_map(|row| &row.counterparts);
            for (one, other) in pairs.filter(|_| site.text(*at) == written) {
                if one == written {
                    edits.replace(*at, other.as_str());
                } else if other == written {
                    edits.replace(*at, one.as_str());
                }
            }
        }
        _ => {}
    }
}

/// The place of the plain name in a qualified one with template arguments.
fn name_in(site: &Site<'_>, span: Span, qualifier: &str, name: &str) -> Option<Span> {
    let text = site.text(span);
    let rest = text.strip_prefix(qualifier)?;
    let at = qualifier.len() + (rest.len() - rest.trim_start().len());
    text[at..].starts_with(name).then_some(())?;
    let start = span.start + at as u32;
    Some(Span { start, end: start + name.len() as u32 })
}

/// Whether a name of `std` can be written unqualified.
fn is_used(site: &Site<'_>, name: &str) -> bool {
    let source = String::from_utf8_lossy(site.scene.around.source);
    source.contains("using namespace std;") || source.contains(&format!("using std::{name};"))
}

fn swap_pair(site: &Site<'_>, name: &str, at: Span, edits: &mut Edits<'_>) {
    let other = match name {
        "first" => "second",
        "second" => "first",
        _ => return,
    };
    let Some(object) = site.node.child(Role::Object).and_then(|object| site.scene.ty(object)) else { return };
    let object = object.without_ref();
    let Some(TypeKind::Record { name, args, .. }) = Some(&object.pointee().unwrap_or(object).kind) else { return };
    if crate::types::standard::is_pair(name)
        && let [TemplateArg::Type(a), TemplateArg::Type(b)] = &args[..]
        && exactly(a, b)
    {
        edits.replace(at, other);
    }
}

/// A call of `begin` or `end` in one of its forms.
struct End<'a> {
    /// The place of the name.
    at: Span,
    /// Its replacement.
    other: &'static str,
    is_begin: bool,
    /// The container, as written.
    of: &'a [u8],
    pair: usize,
}

fn end_of<'a>(site: &Site<'a>, node: &'a Node) -> Option<End<'a>> {
    let Kind::Call { target, .. } = &node.kind else { return None };
    let callee = node.child(Role::Callee).filter(|callee| !callee.in_macro && !node.in_macro)?;
    let values = arguments(node);
    let (at, name, of) = match (&callee.kind, &values[..]) {
        (Kind::Member { name, at, of: Entity::Method, .. }, []) => {
            (*at, name, site.bytes(callee.child(Role::Object)?.span))
        }
        (Kind::Name { name, qualifier, .. }, [of]) if qualifier == "std::" => {
            (name_in(site, callee.span, qualifier, name)?, name, site.bytes(of.span))
        }
        _ => return None,
    };
    if site.text(at) != name {
        return None;
    }
    let pair = ENDS.iter().position(|(begin, end)| begin == name || end == name)?;
    let (begin, end) = ENDS[pair];
    let is_begin = begin == name;
    let other = if is_begin { end } else { begin };
    // A class of the project may have only one of them, or another type.
    if let Some(called) = site.scene.called(target) {
        let owner = site.scene.around.model.classes.get(called.owner.as_ref()?)?;
        site.scene.methods(owner).find(|method| {
            method.name == other
                && method.kind == FunctionKind::Method
                && method.params.is_empty()
                && method.is_const == called.is_const
                && alike(&method.result, &called.result)
        })?;
    }
    Some(End { at, other, is_begin, of, pair })
}

/// `f(v.begin(), v.end())` → `f(v.end(), v.end())`; `it != v.end()` → `it != v.begin()`;
/// `v.insert(v.begin(), x)` → `v.insert(v.end(), x)`
pub fn bes<'a>(site: &Site<'a>, edits: &mut Edits<'_>) {
    match &site.node.kind {
        Kind::Call { .. } | Kind::Construct { .. } | Kind::New { .. } => {
            let values = arguments(site.node);
            let ends: Vec<Option<End<'_>>> = values.iter().map(|value| end_of(site, value)).collect();
            for pair in ends.windows(2) {
                if let [Some(begin), Some(end)] = pair
                    && begin.is_begin
                    && !end.is_begin
                    && begin.pair == end.pair
                    && begin.of == end.of
                {
                    edits.replace(begin.at, begin.other);
                }
            }
            insertion(site, &values, edits);
        }
        Kind::OperatorCall { op, .. } | Kind::Binary { op, .. } if matches!(op.as_str(), "==" | "!=") => {
            for operand in &site.node.children {
                if let Some(end) = end_of(site, operand) {
                    edits.replace(end.at, end.other);
                }
            }
        }
        _ => {}
    }
}

fn insertion<'a>(site: &Site<'a>, values: &[&'a Node], edits: &mut Edits<'_>) {
    let Some(callee) = site.node.child(Role::Callee) else { return };
    let Kind::Member { name, .. } = &callee.kind else { return };
    let Some((first, object)) = values.first().zip(callee.child(Role::Object)) else { return };
    let is_sequence = site
        .scene
        .ty(object)
        .and_then(|ty| row_of(site.scene.around.model, ty.without_ref()))
        .is_some_and(|row| row.fill.as_deref() == Some("push_back"));
    if matches!(name.as_str(), "insert" | "emplace")
        && values.len() > 1
        && is_sequence
        && let Some(end) = end_of(site, first).filter(|end| end.of == site.bytes(object.span))
    {
        edits.replace(end.at, end.other);
    }
}

/// A place that expects a truth value and accepts contextual conversions.
fn is_tested(site: &Site<'_>) -> bool {
    site.user().is_some_and(|(user, role)| match &user.kind {
        Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Conditional => role == Role::Condition,
        Kind::Binary { op, .. } => matches!(op.as_str(), "&&" | "||"),
        _ => false,
    })
}

/// `if (optional)` → `if (!optional)`, `x.has_value()` → `!x.has_value()`
pub fn ncn(site: &Site<'_>, edits: &mut Edits<'_>) {
    let node = site.node;
    let user = site.user().map(|(user, _)| user);
    if is_not(node) {
        // `!x` → `x`: for types other than `bool` only where a truth value is expected.
        let Some(operand) = node.child(Role::Operand).filter(|operand| !operand.in_macro) else { return };
        let is_check = checks_for_nothing(site, operand);
        if (is_check || is_tested(site) && is_nullable(site, operand)) && node.span.start < operand.span.start {
            edits.replace(Span { start: node.span.start, end: operand.span.start }, "");
        }
    } else if checks_for_nothing(site, node) {
        let is_value = user.is_some_and(|user| {
            let is_branch = matches!(user.kind, Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Conditional);
            let is_operation = matches!(user.kind, Kind::Binary { .. } | Kind::Assign { .. } | Kind::Call { .. });
            is_branch || is_operation || matches!(user.kind, Kind::Return | Kind::Variable { .. })
        });
        if is_value && node.role != Role::Callee {
            edits.insert(node.span.start, "!");
        }
    } else if is_tested(site)
        && is_nullable(site, node)
        && matches!(node.kind, Kind::Name { .. } | Kind::Member { .. } | Kind::Call { .. } | Kind::Index)
    {
        edits.insert(node.span.start, "!");
    }
}

fn is_not(node: &Node) -> bool {
    matches!(&node.kind, Kind::Unary { op, .. } | Kind::OperatorCall { op, .. } if op == "!")
}

/// `has_value`, `empty`, `expired` of the standard library.
fn checks_for_nothing(site: &Site<'_>, node: &Node) -> bool {
    let Kind::Call { name, .. } = &node.kind else { return false };
    name.starts_with("std::")
        && matches!(last(name), "has_value" | "empty" | "expired")
        && arguments(node).is_empty()
        && node.child(Role::Callee).is_some_and(|callee| matches!(callee.kind, Kind::Member { .. }))
        && !site.bytes(node.span).is_empty()
}

/// A pointer, or a class that may be empty and converts to a truth value.
fn is_nullable(site: &Site<'_>, node: &Node) -> bool {
    let Some(ty) = site.scene.ty(node).map(Type::without_ref) else { return false };
    match &ty.kind {
        TypeKind::Pointer(_) => true,
        TypeKind::Record { .. } => row_of(site.scene.around.model, ty).is_some_and(|row| row.condition),
        _ => false,
    }
}
