//! The requirements of a place on its value: a type, an object, a truth value.

use super::kinds::*;
use super::site::{Site, arguments, has_word, is_lvalue, is_standard, last};
use crate::model::{Type, TypeKind};
use crate::tree::{Entity, Kind, Node, Role, Span};

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

impl<'a> Site<'a> {
    /// The type that the place converts its value to.
    pub fn wanted(&self) -> Wanted<'a> {
        let known = |ty: Option<&'a Type>| ty.map_or(Wanted::Unknown, Wanted::Type);
        for (parent, node) in self.climb() {
            match (&parent.kind, node.role) {
                (Kind::Paren, _) => {}
                (Kind::Conditional, Role::Then | Role::Else) => {
                    let other = parent.child(if node.role == Role::Then { Role::Else } else { Role::Then });
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
                        Some(ty) if op != "=" && is_pointer(ty) => Wanted::Open,
                        ty => known(ty),
                    };
                }
                (Kind::Variable { .. }, Role::Init) | (Kind::Cast, _) => return known(self.ty(parent)),
                (Kind::Return, _) => {
                    return known((!self.in_lambda()).then_some(&self.scene.function.result));
                }
                (Kind::Call { .. } | Kind::Construct { .. } | Kind::New { .. }, Role::Argument)
                | (Kind::OperatorCall { .. }, _) => {
                    return match self.parameter(parent, node) {
                        None if is_standard(parent) => Wanted::Open,
                        ty => known(ty),
                    };
                }
                (Kind::InitList, _) => return known(self.element(parent, node)),
                (Kind::Throw | Kind::Other(_) | Kind::Lambda, _) => return Wanted::Unknown,
                _ => return Wanted::Open,
            }
        }
        known(self.initializer.and_then(|initializer| self.scene.initialized(initializer)))
    }

    /// The type of an element of a braced list.
    fn element(&self, list: &Node, node: &Node) -> Option<&'a Type> {
        let ty = self.ty(list)?;
        match &ty.kind {
            TypeKind::Array(element, _) => Some(element),
            TypeKind::Prim(_) | TypeKind::Pointer(_) => Some(ty),
            TypeKind::Record { usr, .. } => {
                let index = list.children.iter().position(|child| std::ptr::eq(child, node))?;
                let class = self.scene.around.model.classes.get(usr)?;
                let fields = class.fields.iter().filter(|_| class.is_aggregate || !self.scene.cxx);
                fields.filter(|field| !field.is_static).nth(index).map(|field| &field.ty)
            }
            _ => None,
        }
    }

    /// The type of the parameter that an argument is passed to.
    fn parameter(&self, call: &Node, argument: &Node) -> Option<&'a Type> {
        let (target, index) = match &call.kind {
            Kind::Call { target, .. } | Kind::Construct { target } => {
                (target, arguments(call).iter().position(|child| std::ptr::eq(*child, argument))?)
            }
            Kind::OperatorCall { target, .. } => {
                let method = self.scene.called(target).is_some_and(|function| function.owner.is_some());
                (target, usize::from(argument.role == Role::Right && !method))
            }
            _ => return None,
        };
        if let Some(function) = self.scene.called(target) {
            return function.params.get(index).map(|param| &param.ty);
        }
        if matches!(call.kind, Kind::Construct { .. }) {
            // `int(x)` has its own type.
            return self.ty(call).filter(|ty| !is_class(ty));
        }
        let mut callee = self.ty(call.child(Role::Callee)?)?;
        while let TypeKind::Pointer(inner) | TypeKind::LvalueRef(inner) = &callee.kind {
            callee = inner;
        }
        match &callee.kind {
            TypeKind::Function { params, .. } => params.get(index),
            _ => None,
        }
    }

    /// Whether the value here may be bound to a reference, written to, or have its address taken, so that it must be
    /// an lvalue.
    pub fn wants_object(&self) -> bool {
        for (parent, node) in self.climb() {
            return match (&parent.kind, node.role) {
                (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => continue,
                (Kind::Binary { op, .. }, Role::Right) if op == "," => continue,
                (Kind::Unary { op, .. }, _) => matches!(op.as_str(), "&" | "++" | "--"),
                (Kind::Assign { .. }, role) => role == Role::Left,
                (Kind::Variable { .. }, Role::Init) => {
                    self.ty(parent).is_none_or(|ty| matches!(ty.kind, TypeKind::LvalueRef(_)))
                }
                (Kind::Return, _) => !self.in_lambda() && self.scene.function.result.is_reference(),
                (Kind::Call { .. } | Kind::Construct { .. } | Kind::OperatorCall { .. }, role)
                    if role != Role::Callee =>
                {
                    match self.parameter(parent, node) {
                        Some(ty) => matches!(&ty.kind, TypeKind::LvalueRef(to) if !to.is_const),
                        None => self.scene.cxx && may_write(parent),
                    }
                }
                (Kind::Cast, _) => self.ty(parent).is_none_or(Type::is_reference),
                (Kind::Other(_), _) => true,
                _ => false,
            };
        }
        self.initializer.is_some_and(|initializer| self.scene.initialized(initializer).is_none_or(Type::is_reference))
    }

    /// An arithmetic lvalue that may be written.
    pub fn is_modifiable(&self) -> bool {
        is_lvalue(self.node) && self.ty(self.node).is_some_and(|ty| !ty.is_const)
    }

    /// Only the truth of the value matters.
    pub fn is_truth(&self) -> bool {
        self.user().is_some_and(|(user, role)| match &user.kind {
            Kind::Binary { op, .. } => op == "&&" || op == "||",
            Kind::Unary { op, .. } => op == "!",
            Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Conditional => role == Role::Condition,
            _ => false,
        })
    }

    /// Directly in a braced initialiser, where C++ does not allow narrowing.
    pub fn in_braces(&self) -> bool {
        let ends_with_brace = |span: Span| self.bytes(span).ends_with(b"}");
        for (parent, node) in self.climb() {
            return match (&parent.kind, node.role) {
                (Kind::Paren, _) | (Kind::Unary { .. }, _) | (Kind::Conditional, Role::Then | Role::Else) => continue,
                (Kind::InitList, _) => self.scene.cxx,
                (Kind::Construct { .. } | Kind::Cast, _) => self.scene.cxx && ends_with_brace(parent.span),
                _ => false,
            };
        }
        self.initializer.is_some_and(|initializer| ends_with_brace(initializer.span))
    }

    /// Its value is only read, so that a constant or a temporary does as well.
    pub fn is_read_only(&self) -> bool {
        let Some((user, role)) = self.user() else { return false };
        let is_auto = |node: &&Node| node.kind == Kind::Declaration && has_word(self.text(node.span), "auto");
        match &user.kind {
            Kind::Expression => role == Role::Operand,
            Kind::Binary { op, .. } => op != ",",
            Kind::Assign { .. } | Kind::Index => role == Role::Right,
            Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Switch | Kind::Conditional => {
                role == Role::Condition
            }
            Kind::Unary { op, .. } => matches!(op.as_str(), "-" | "!" | "~" | "+" | "*"),
            Kind::Return => !self.in_lambda() && !self.scene.function.result.is_reference(),
            Kind::Call { target, .. } if role == Role::Argument => {
                let called = self.scene.called(target).filter(|called| called.template.is_none());
                let param = called.zip(self.argument_index(user)).and_then(|(called, index)| called.params.get(index));
                param.is_some_and(|param| match &param.ty.kind {
                    TypeKind::LvalueRef(to) => to.is_const,
                    _ => is_object(&param.ty),
                })
            }
            Kind::Member { of: Entity::Method, .. } => {
                // The method that is called of it must be one for constant objects.
                let call = self.above.iter().rev().find(|node| matches!(node.kind, Kind::Call { .. }));
                match call.map(|call| &call.kind) {
                    Some(Kind::Call { target, name, .. }) => match self.scene.called(target) {
                        Some(called) => called.is_const,
                        None => name.starts_with("std::") && CONSTANT.contains(&last(name)),
                    },
                    _ => false,
                }
            }
            Kind::Variable { .. } => {
                role == Role::Init && self.scene.ty(user).is_some_and(is_object) && !self.above.iter().any(is_auto)
            }
            _ => false,
        }
    }
}

/// Methods of the standard library that all classes have for constant objects, with the same result.
const CONSTANT: &[&str] = &["size", "length", "empty", "count", "c_str", "compare", "capacity", "has_value"];

/// Whether a call with unknown parameters may write to an argument.
fn may_write(call: &Node) -> bool {
    match &call.kind {
        Kind::OperatorCall { op, .. } => !is_standard(call) || op == ">>",
        Kind::Call { name, .. } => !is_standard(call) || name.ends_with("::get") || name.ends_with("::getline"),
        Kind::Construct { .. } => !is_standard(call),
        _ => true,
    }
}
