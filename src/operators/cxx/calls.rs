//! Members: assignments, calls and their receivers.

use super::types::{alike, exactly};
use crate::model::{Access, Function, FunctionKind, Type, TypeKind};
use crate::operators::site::{Edits, Site, has_word, is_of_this};
use crate::tree::{Entity, Kind, Node, Role, Span};

/// `this->x` → `x`, if a parameter or variable has that name.
pub fn ctd(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Kind::Member { name, of: Entity::Field, at, qualifier, .. } = &site.node.kind else { return };
    let is_plain = is_of_this(site.node) && qualifier.is_empty() && !site.in_lambda();
    let Some(ty) = site.scene.ty(site.node).filter(|_| is_plain) else { return };
    // A constant may be read too.
    let is_read = site.is_read_only();
    let same = |other: &Type| {
        let other = other.without_ref();
        (is_read || !other.is_const) && alike(other, ty)
    };
    let parameter = site.scene.names_parameters()
        && site.scene.function.params.iter().any(|param| param.name == *name && same(&param.ty));
    let mut local = false;
    let mut hides = false;
    site.scene.body.root.walk(&mut |node| {
        if let Kind::Variable { name: known, .. } = &node.kind
            && known == name
        {
            hides = true;
            // Declarations further down, or in another block, do not count.
            local |= node.span.end <= site.node.span.start && site.scene.ty(node).is_some_and(same);
        }
    });
    if (parameter && !hides || local) && at.end == site.node.span.end {
        edits.replace(site.node.span, name.clone());
    }
}

/// A member of `*this`, or a part of one.
fn is_own_member(node: &Node) -> bool {
    match &node.kind {
        Kind::Name { of: Entity::Field, .. } => true,
        Kind::Member { of: Entity::Field, .. } => {
            node.child(Role::Object).is_some_and(|object| object.kind == Kind::This || is_own_member(object))
        }
        Kind::Index | Kind::Paren => node.children.first().is_some_and(is_own_member),
        Kind::OperatorCall { op, .. } if op == "[]" => node.children.first().is_some_and(is_own_member),
        _ => false,
    }
}

/// `member = x;` → `;`
pub fn cad(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some(value) = site.node.child(Role::Operand).filter(|_| site.node.kind == Kind::Expression) else { return };
    let assigns = match &value.kind {
        Kind::Assign { .. } => true,
        Kind::OperatorCall { op, .. } => op == "=" || op.len() > 1 && op.ends_with('=') && !is_comparison(op),
        _ => false,
    };
    if assigns && !value.in_macro && value.child(Role::Left).is_some_and(is_own_member) {
        edits.replace(site.node.span, ";");
    }
}

fn is_comparison(op: &str) -> bool {
    matches!(op, "==" | "!=" | "<=" | ">=")
}

/// The place of the called method's name, without qualifiers.
fn called_name(site: &Site<'_>) -> Option<(Span, bool)> {
    let callee = site.callee()?;
    let (at, name, qualifier, by_object) = match &callee.kind {
        Kind::Name { name, qualifier, of: Entity::Method, .. } => (callee.span, name, qualifier, false),
        Kind::Member { name, at, qualifier, of: Entity::Method, .. } => (*at, name, qualifier, true),
        _ => return None,
    };
    (qualifier.is_empty() && site.text(at) == name).then_some((at, by_object))
}

/// The next method of its class that matches the called one by `same` and is not overloaded.
fn next_method<'a>(
    site: &Site<'a>,
    called: &'a Function,
    by_object: bool,
    same: impl Fn(&Function) -> bool,
) -> Option<&'a Function> {
    let class = site.scene.around.model.classes.get(called.owner.as_ref()?)?;
    let methods: Vec<&Function> = site.scene.methods(class).collect();
    let at = methods.iter().position(|method| method.usr == called.usr)?;
    let inside = site.scene.owner.is_some_and(|owner| owner.usr == class.usr);
    let single = |method: &Function| methods.iter().filter(|other| other.name == method.name).count() == 1;
    // A method that a derived class hides does not count.
    let hidden = |method: &Function| {
        let mut own = site.scene.owner.into_iter().flat_map(|owner| site.scene.methods(owner));
        !by_object && !inside && own.any(|own| own.name == method.name)
    };
    methods[at + 1..].iter().chain(&methods[..at]).copied().find(|method| {
        method.kind == FunctionKind::Method
            && method.template.is_none()
            && !method.is_deleted
            && method.ref_qualifier.is_none()
            && method.usr != site.scene.function.usr
            && method.name != called.name
            && !method.name.starts_with("operator")
            && (inside || method.access == Some(Access::Public))
            && single(method)
            && !hidden(method)
            && same(method)
    })
}

/// `o.width()` → `o.height()`
pub fn eam(site: &Site<'_>, edits: &mut Edits<'_>) {
    let is_getter = |method: &Function| {
        method.kind == FunctionKind::Method
            && method.params.is_empty()
            && method.is_const
            && !matches!(method.result.kind, TypeKind::Void)
    };
    call_next(site, edits, is_getter);
}

/// `o.setWidth(x)` → `o.setHeight(x)`
pub fn emm(site: &Site<'_>, edits: &mut Edits<'_>) {
    let is_setter = |method: &Function| {
        method.kind == FunctionKind::Method && method.params.len() == 1 && !method.is_const && !method.is_variadic
    };
    call_next(site, edits, is_setter);
}

/// Calls the next method of this kind with the same types.
fn call_next(site: &Site<'_>, edits: &mut Edits<'_>, is_one: impl Fn(&Function) -> bool) {
    let Some(called) = site.called().filter(|called| is_one(called)) else { return };
    let Some((at, by_object)) = called_name(site) else { return };
    let same = |method: &Function| {
        is_one(method)
            && exactly(&method.result, &called.result)
            && method.params.iter().zip(&called.params).all(|(method, called)| {
                exactly(&method.ty, &called.ty) && method.default.is_some() == called.default.is_some()
            })
    };
    if let Some(other) = next_method(site, called, by_object, same) {
        edits.replace(at, other.name.clone());
    }
}

/// `a.m()` → `b.m()`
pub fn mco(site: &Site<'_>, edits: &mut Edits<'_>) {
    let is_call = matches!(site.node.kind, Kind::Call { .. }) && !site.above.is_empty();
    let Some(callee) = site.callee().filter(|_| is_call) else { return };
    let Kind::Member { of: Entity::Method, .. } = callee.kind else { return };
    let Some(object) = callee.child(Role::Object).filter(|object| !object.in_macro) else { return };
    match &object.kind {
        Kind::Name { name, of: Entity::Field, qualifier, .. } if qualifier.is_empty() => {
            if let Some(other) = next_field(site, name, false) {
                edits.replace(object.span, other);
            }
        }
        Kind::Member { name, of: Entity::Field, at, qualifier, .. } if qualifier.is_empty() && is_of_this(object) => {
            if let Some(other) = next_field(site, name, true) {
                edits.replace(*at, other);
            }
        }
        Kind::Name { name, of: Entity::Parameter, .. } if !site.in_lambda() && site.scene.names_parameters() => {
            let params = &site.scene.function.params;
            let Some(at) = params.iter().position(|param| param.name == *name) else { return };
            let fits = |ty: &Type| exactly(ty.without_ref(), params[at].ty.without_ref());
            let other = params[at + 1..].iter().chain(&params[..at]).find(|param| fits(&param.ty));
            if let Some(other) = other.filter(|other| !declares(site, &other.name)) {
                edits.replace(object.span, other.name.clone());
            }
        }
        _ => {}
    }
}

/// Whether the body has a variable of this name.
fn declares(site: &Site<'_>, name: &str) -> bool {
    let mut found = false;
    site.scene.body.root.walk(&mut |node| {
        found |= matches!(&node.kind, Kind::Variable { name: known, .. } if known == name || has_word(known, name));
    });
    found
}

/// The next field of the same type; its plain name must not be hidden here.
fn next_field<'a>(site: &Site<'a>, name: &str, by_this: bool) -> Option<&'a str> {
    let fields = &site.scene.owner?.fields;
    let at = fields.iter().position(|field| field.name == name)?;
    let is_static = site.scene.function.kind == FunctionKind::StaticMethod;
    fields[at + 1..]
        .iter()
        .chain(&fields[..at])
        .find(|field| {
            !field.name.is_empty()
                && (field.is_static || !is_static && !fields[at].is_static)
                && field.is_mutable == fields[at].is_mutable
                && exactly(&field.ty, &fields[at].ty)
                && (by_this
                    || !declares(site, &field.name)
                        && !site.scene.function.params.iter().any(|param| param.name == field.name))
        })
        .map(|field| field.name.as_str())
}
