//! Overloads: which of several functions of one name is called, and with which arguments.

use super::types::{alike, derives, takes};
use crate::model::{Access, Function, FunctionKind, Type, TypeKind};
use crate::operators::kinds::{is_object, prim};
use crate::operators::site::{Edits, Site, arguments, is_lvalue};
use crate::tree::{Entity, Kind, Node, Role, Span};

/// The most other overloads per call.
const MOST_OVERLOADS: usize = 3;

impl<'a> Site<'a> {
    /// The functions of the project that a call may select besides the called one.
    fn siblings(&self, called: &Function) -> Vec<&'a Function> {
        let mut others = self.scene.named_beside(called, &called.name);
        others.retain(|other| other.usr != called.usr && !other.is_deleted);
        others
    }

    /// A sibling that can be called here.
    fn can_be_called(&self, other: &Function) -> bool {
        let inside = other.owner.is_some() && self.scene.owner.map(|owner| &owner.usr) == other.owner.as_ref();
        other.usr != self.scene.function.usr
            && (inside || !matches!(other.access, Some(Access::Private | Access::Protected)))
    }

    /// The called function or constructor, with the written arguments.
    fn call(&self) -> Option<(&'a Function, Vec<&'a Node>)> {
        let (Kind::Call { target, .. } | Kind::Construct { target }) = &self.node.kind else { return None };
        let called = self.scene.called(target)?;
        let arguments = arguments(self.node);
        let is_pack = |node: &Node| matches!(node.kind, Kind::Other(_)) || self.text(node.span).ends_with("...");
        let is_plain = arguments.len() <= called.params.len()
            && arguments.iter().all(|argument| !argument.in_macro && !is_pack(argument));
        is_plain.then_some((called, arguments))
    }
}

/// The defaults of parameters serve for the arguments from `count` on.
fn defaults_from(function: &Function, count: usize) -> bool {
    function.params.get(count..).is_some_and(|rest| rest.iter().all(|param| param.default.is_some()))
}

/// Whether two functions take the same.
fn same_parameters(a: &Function, b: &Function) -> bool {
    a.params.len() == b.params.len() && a.params.iter().zip(&b.params).all(|(a, b)| alike(&a.ty, &b.ty))
}

/// `f(a, b)` → `f(a)`
pub fn oan(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((called, arguments)) = site.call() else { return };
    let Some((last, others)) = arguments.split_last() else { return };
    if called.is_variadic {
        return;
    }
    let siblings = site.siblings(called);
    let fitting: Vec<&&Function> = siblings.iter().filter(|other| takes(site.scene, other, others)).collect();
    let own = called.params.get(others.len()).and_then(|param| param.default.as_ref());
    let is_call = matches!(site.node.kind, Kind::Call { .. });
    let fine = match (own, &fitting[..]) {
        // Nothing changes if the argument is the default.
        (Some(default), _) => {
            let shorter = siblings.iter().any(|other| defaults_from(other, others.len()));
            default.trim().as_bytes() != site.bytes(last.span).trim_ascii() && !shorter
        }
        (None, [only]) if is_call => {
            alike(&only.result, &called.result) && only.is_const == called.is_const && site.can_be_called(only)
        }
        (None, [only]) => !only.is_copy_or_move && site.can_be_called(only),
        _ => false,
    };
    // `T name()` would declare a function.
    if !fine || others.is_empty() && !is_call {
        return;
    }
    match others.last() {
        None => edits.replace(last.span, ""),
        Some(before) => {
            let gap = Span { start: before.span.end, end: last.span.start };
            if site.text(gap).trim() == "," {
                edits.replace(Span { start: gap.start, end: last.span.end }, "");
            }
        }
    }
}

/// `f(a, b)` → `f(b, a)`
pub fn oao(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((called, arguments)) = site.call() else { return };
    for (index, argument) in arguments.iter().enumerate() {
        let param = &called.params[index].ty;
        let movable = |ty: &Type| !matches!(ty.kind, TypeKind::Unknown(_) | TypeKind::RvalueRef(_));
        let partner =
            (index + 1..arguments.len()).find(|other| movable(param) && alike(param, &called.params[*other].ty));
        let Some(other) = partner.map(|other| arguments[other]) else { continue };
        let (a, b) = (site.bytes(argument.span), site.bytes(other.span));
        let has_comment = |text: &[u8]| text.windows(2).any(|pair| pair == b"//");
        // A template deduces its parameters: the types must be equal.
        let deduced = called.template.is_some()
            && !matches!((site.scene.ty(argument), site.scene.ty(other)), (Some(a), Some(b)) if alike(a, b));
        if a != b && !deduced && !has_comment(a) && !has_comment(b) {
            edits.all(vec![(argument.span, b.to_vec()), (other.span, a.to_vec())]);
        }
    }
}

/// `f(x)` → `f(static_cast<double>(x))`, if there is `f(double)`.
pub fn omr(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((called, arguments)) = site.call() else { return };
    if called.template.is_some() || arguments.len() != called.params.len() || called.kind == FunctionKind::Constructor {
        return;
    }
    let mut made = 0;
    for other in site.siblings(called) {
        let same_call = other.template.is_none()
            && other.params.len() == called.params.len()
            && alike(&other.result, &called.result)
            && other.is_const == called.is_const
            && site.can_be_called(other);
        if !same_call || made == MOST_OVERLOADS {
            continue;
        }
        let differing: Vec<usize> =
            (0..arguments.len()).filter(|index| !alike(&called.params[*index].ty, &other.params[*index].ty)).collect();
        let [index] = differing[..] else { continue };
        let (argument, to) = (arguments[index], &other.params[index].ty);
        let Some(from) = site.scene.ty(argument).map(Type::without_ref) else { continue };
        let converts = match &to.kind {
            TypeKind::Prim(_) => prim(from).is_some(),
            TypeKind::LvalueRef(base) => {
                (base.is_const || !from.is_const && is_lvalue(argument)) && derives(site.scene, from, base)
            }
            TypeKind::Pointer(base) => {
                from.pointee().is_some_and(|from| (base.is_const || !from.is_const) && derives(site.scene, from, base))
            }
            _ => false,
        };
        // An argument that is converted already would only be spelled differently.
        if converts && argument.kind != Kind::InitList {
            made += 1;
            let cast = format!("static_cast<{}>(", to.bare_spelling());
            edits.replace(argument.span, [cast.as_bytes(), site.bytes(argument.span), b")"].concat());
        }
    }
}

/// `o.at(i)` → `static_cast<const T &>(o).at(i)`, `o[i]` → `static_cast<const T &>(o)[i]`
pub fn occ(site: &Site<'_>, edits: &mut Edits<'_>) {
    let called = match &site.node.kind {
        Kind::OperatorCall { target, op, .. } if op == "[]" => site.scene.called(target),
        _ => site.called(),
    };
    let Some(called) = called else { return };
    if called.kind != FunctionKind::Method || called.is_const || called.template.is_some() {
        return;
    }
    let constant = site.siblings(called).into_iter().find(|other| other.is_const && same_parameters(other, called));
    let Some(constant) = constant.filter(|other| site.can_be_called(other)) else { return };
    let same = alike(&constant.result, &called.result);
    let both = match (&constant.result.kind, &called.result.kind) {
        (TypeKind::LvalueRef(a), TypeKind::LvalueRef(b)) => alike(a, b),
        (_, TypeKind::LvalueRef(b)) => alike(&constant.result, b),
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => alike(a, b) && is_only_followed(site),
        _ => false,
    };
    if !(same || both && site.is_read_only()) {
        return;
    }
    let mut cast = |object: &Node, by_pointer: bool| {
        let Some(ty) = site.scene.ty(object).map(Type::without_ref).filter(|_| !object.in_macro) else { return };
        let to = match &ty.kind {
            TypeKind::Record { .. } if !by_pointer && !ty.is_const => format!("{} &", ty.spelling),
            TypeKind::Pointer(to) if by_pointer && is_object(to) && !to.is_const => format!("{} *", to.spelling),
            _ => return,
        };
        let cast = format!("static_cast<const {to}>(");
        edits.replace(object.span, [cast.as_bytes(), site.bytes(object.span), b")"].concat());
    };
    if let Some(object) = site.node.child(Role::Left) {
        return cast(object, false);
    }
    let Some(callee) = site.callee() else { return };
    match &callee.kind {
        Kind::Name { of: Entity::Method, qualifier, .. } if qualifier.is_empty() => {
            let Some(owner) = site.scene.owner.filter(|_| !site.in_lambda()) else { return };
            edits.insert(callee.span.start, format!("static_cast<const {} *>(this)->", owner.name));
        }
        Kind::Member { of: Entity::Method, arrow, .. } => {
            if let Some(object) = callee.child(Role::Object) {
                cast(object, *arrow);
            }
        }
        _ => {}
    }
}

/// The pointer is compared, or a method is called on its pointee, and nothing else.
fn is_only_followed(site: &Site<'_>) -> bool {
    site.user().is_some_and(|(user, role)| match &user.kind {
        Kind::Binary { op, .. } => matches!(op.as_str(), "==" | "!=" | "&&" | "||"),
        Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Conditional => role == Role::Condition,
        Kind::Unary { op, .. } => op == "!",
        Kind::Member { of: Entity::Method, .. } => true,
        _ => false,
    })
}

/// Operators that may replace one another.
const FAMILIES: &[&[&str]] = &[
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["+", "-", "*", "/", "%"],
    &["+=", "-=", "*=", "/=", "%="],
    &["&", "|", "^"],
    &["&=", "|=", "^="],
    &["<<", ">>"],
    &["<<=", ">>="],
    &["&&", "||"],
    &["++", "--"],
];

/// `a == b` → `a != b`, of classes.
pub fn oor(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Kind::OperatorCall { target, op, at } = &site.node.kind else { return };
    let Some(family) = FAMILIES.iter().find(|family| family.contains(&op.as_str())) else { return };
    // Unary `+` has the counterpart `-` only.
    let is_unary = site.node.child(Role::Operand).is_some();
    match site.scene.called(target) {
        Some(called) => {
            for other_op in family.iter().filter(|other| *other != op && (!is_unary || op.len() == 2 || **other == "-"))
            {
                let same = |other: &&Function| {
                    !other.is_deleted
                        && other.is_const == called.is_const
                        && same_parameters(other, called)
                        && alike(&other.result, &called.result)
                        && site.can_be_called(other)
                };
                if site.scene.named_beside(called, &format!("operator{other_op}")).iter().any(same) {
                    edits.replace(*at, *other_op);
                }
            }
        }
        // The standard library has all of these for types that have one of them.
        None if !target.is_empty() && !is_unary => {
            let operands = [Role::Left, Role::Right].map(|role| site.node.child(role).and_then(|it| site.scene.ty(it)));
            let is_std = operands.iter().flatten().any(|ty| {
                let TypeKind::Record { name, .. } = &ty.without_ref().kind else { return false };
                name.starts_with("std::") || name.starts_with("__gnu_cxx::")
            });
            let others: &[&str] = match op.as_str() {
                "==" => &["!="],
                "!=" => &["=="],
                "<" => &["<=", ">="],
                "<=" => &["<", ">"],
                ">" => &[">=", "<="],
                ">=" => &[">", "<"],
                _ => &[],
            };
            // A class of another library may have a single operator.
            let is_theirs = target.contains("@N@std") || target.contains("@N@__gnu_cxx");
            for other in others.iter().filter(|_| is_std && is_theirs) {
                edits.replace(*at, *other);
            }
        }
        None => {}
    }
}
