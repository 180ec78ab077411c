//! Construction of objects: classes and initialisers.

use super::types::{alike, class_defaults, defaults, is_child, is_known, takes};
use crate::model::{Access, Class, TemplateArg, Type, TypeKind, Usr};
use crate::operators::kinds::is_object;
use crate::operators::site::{Edits, Site, arguments, has_word, last};
use crate::tree::{Entity, Initialized, Initializer, Kind, Node, Role, Span};
use crate::types::standard::smart_pointee;

/// The most other classes per object.
const MOST_CLASSES: usize = 3;

/// The pointee of a pointer, plain or smart.
fn pointee(ty: &Type) -> Option<&Usr> {
    let ty = ty.without_ref();
    ty.pointee().or_else(|| smart_pointee(None, ty))?.record()
}

/// The element type of a container.
fn element(ty: &Type) -> Option<&Type> {
    match &ty.without_ref().kind {
        TypeKind::Record { name, args, .. } if name.starts_with("std::") => match args.first() {
            Some(TemplateArg::Type(of)) => Some(of),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Site<'a> {
    /// The class that the new pointer must point to.
    fn wanted_class(&self) -> Option<&'a Usr> {
        let scene = self.scene;
        let (user, _) = self.user()?;
        match &user.kind {
            Kind::Variable { .. } => {
                let declaration = self.above.iter().rev().find(|node| node.kind == Kind::Declaration)?;
                let is_auto = has_word(self.text(declaration.span), "auto");
                pointee(scene.ty(user)?).filter(|_| !is_auto)
            }
            Kind::Return if !self.in_lambda() => {
                (!has_word(&scene.function.result.spelling, "auto")).then_some(())?;
                pointee(&scene.function.result)
            }
            Kind::Assign { op, .. } | Kind::OperatorCall { op, .. } if op == "=" => {
                pointee(scene.ty(user.child(Role::Left)?)?)
            }
            Kind::Construct { .. } => pointee(scene.ty(user)?),
            Kind::Call { target, name, .. } => {
                let index = self.argument_index(user)?;
                if let Some(called) = scene.called(target).filter(|called| called.template.is_none()) {
                    return pointee(&called.params.get(index)?.ty);
                }
                let object = scene.ty(user.child(Role::Callee)?.child(Role::Object)?)?;
                match last(name) {
                    "reset" => pointee(object),
                    "push_back" | "emplace_back" | "push_front" | "emplace_front" | "push" => pointee(element(object)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Classes that may replace `class` where a `wanted` is needed: its children, then its siblings.
    fn other_classes(&self, class: &Usr, wanted: &Usr, values: &[&Node]) -> Vec<&'a Class> {
        let around = self.scene.around;
        let ancestors = around.hierarchy.ancestors(class);
        let mut classes: Vec<&'a Class> = Vec::new();
        for usr in [class, wanted].into_iter().flat_map(|usr| around.hierarchy.concrete_subtypes(usr)) {
            let Some(other) = around.model.classes.get(&usr) else { continue };
            if other.usr == *class
                || ancestors.contains(&usr)
                || classes.iter().any(|known| known.usr == other.usr)
                || other.template.is_some()
                || other.specializes.is_some()
                || other.is_abstract
                || matches!(other.access, Some(Access::Private | Access::Protected))
                || !(other.usr == *wanted || is_child(self.scene, &other.usr, wanted))
                || !is_known(other, self.scene)
            {
                continue;
            }
            let mut constructors = other.constructors(around.model).peekable();
            let made = if constructors.peek().is_none() {
                values.is_empty() && class_defaults(other, around.model)
            } else {
                constructors.any(|constructor| {
                    constructor.access == Some(Access::Public)
                        && !constructor.is_deleted
                        && !constructor.is_copy_or_move
                        && takes(self.scene, constructor, values)
                        && (!constructor.is_defaulted || class_defaults(other, around.model))
                })
            };
            if made {
                classes.push(other);
            }
        }
        classes.truncate(MOST_CLASSES);
        classes
    }
}

/// `new Circle(x)` → `new Square(x)`, `std::make_unique<Circle>(x)` → `std::make_unique<Square>(x)`
pub fn pnc(site: &Site<'_>, edits: &mut Edits<'_>) {
    let (class, at) = match &site.node.kind {
        Kind::New { class: Some(class), at } if site.node.child(Role::Declared).is_none() => {
            let text = site.text(*at);
            if text.starts_with('(') || text.contains(['<', '*']) || has_word(text, "const") {
                return;
            }
            (class.clone(), *at)
        }
        Kind::Call { name, .. } if matches!(name.as_str(), "std::make_unique" | "std::make_shared") => {
            let Some(callee) = site.callee() else { return };
            let Some(class) = site.scene.ty(site.node).and_then(pointee) else { return };
            let text = site.text(callee.span);
            let (Some(open), Some(close)) = (text.find('<'), text.rfind('>')) else { return };
            if close < open || text[open + 1..close].contains(['<', ',', '[']) {
                return;
            }
            let start = callee.span.start;
            (class.clone(), Span { start: start + open as u32 + 1, end: start + close as u32 })
        }
        _ => return,
    };
    let Some(wanted) = site.wanted_class() else { return };
    let values = arguments(site.node);
    // Some arguments may be unknown: a braced list is one argument, not several.
    if values.iter().any(|value| value.kind == Kind::InitList) {
        return;
    }
    for other in site.other_classes(&class, wanted, &values) {
        edits.replace(at, other.qualified.clone());
    }
}

/// The initialisers, when the walk is at the body.
fn initializers<'a>(site: &Site<'a>) -> &'a [Initializer] {
    let body = site.scene.body;
    if site.above.is_empty() && std::ptr::eq(site.node, &body.root) { &body.initializers } else { &[] }
}

/// The brackets with their content.
fn bracket(initializer: &Initializer) -> Span {
    Span { start: initializer.span.start + initializer.name.len() as u32, end: initializer.span.end }
}

/// The content of the brackets, trimmed.
fn inside<'a>(site: &Site<'a>, initializer: &Initializer) -> &'a [u8] {
    let text = site.bytes(bracket(initializer)).trim_ascii();
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default().trim_ascii()
}

/// `Base(x)` → `Base()`
pub fn ipc(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some(owner) = site.scene.owner else { return };
    let model = site.scene.around.model;
    for initializer in initializers(site) {
        if initializer.of != Initialized::Base || inside(site, initializer).is_empty() {
            continue;
        }
        let mut named = owner.bases.iter().filter(|base| {
            let TypeKind::Record { name, .. } = &base.ty.kind else { return false };
            last(name) == last(&initializer.name)
        });
        let Some(base) = named.next().filter(|_| named.next().is_none()) else { continue };
        let fine = match base.ty.record().and_then(|usr| model.classes.get(usr)) {
            // An abstract base does not matter.
            Some(class) => class_defaults(class, model),
            None => defaults(&base.ty, model),
        };
        if fine {
            edits.replace(bracket(initializer), "()");
        }
    }
}

/// `member(x)` → `member()`: a number becomes 0, so nothing uninitialised is read.
pub fn cid(site: &Site<'_>, edits: &mut Edits<'_>) {
    let model = site.scene.around.model;
    for initializer in initializers(site) {
        let Some(ty) = site.scene.initialized(initializer) else { continue };
        let text = inside(site, initializer);
        let is_zero = match &initializer.values[..] {
            [value] => match &value.kind {
                Kind::Integer(Some(0)) | Kind::Boolean(false) | Kind::Null => true,
                Kind::Text => text == b"\"\"",
                Kind::Floating => {
                    let text = String::from_utf8_lossy(text);
                    text.trim_end_matches(['f', 'F', 'l', 'L']).parse() == Ok(0.0)
                }
                // A macro for a null pointer.
                _ => text == b"NULL",
            },
            _ => text.is_empty(),
        };
        if !is_zero && !text.is_empty() && defaults(ty, model) {
            edits.replace(bracket(initializer), "()");
        }
    }
}

/// `a(x), b(y)` → `a(y), b(x)`
pub fn cis(site: &Site<'_>, edits: &mut Edits<'_>) {
    let of = |initializer: &Initializer| {
        let ty = site.scene.initialized(initializer).filter(|ty| is_object(ty));
        ty.filter(|_| stands_alone(initializer))
    };
    let all = initializers(site);
    for (index, one) in all.iter().enumerate() {
        let Some(ty) = of(one) else { continue };
        let partner = all[index + 1..].iter().find(|other| of(other).is_some_and(|it| alike(it, ty)));
        let Some(other) = partner.filter(|other| inside(site, one) != inside(site, other)) else { continue };
        let text = |initializer: &Initializer| site.bytes(bracket(initializer)).trim_ascii().to_vec();
        edits.all(vec![(bracket(one), text(other)), (bracket(other), text(one))]);
    }
}

/// The values use no member that is not yet initialised.
fn stands_alone(initializer: &Initializer) -> bool {
    let mut alone = true;
    for value in &initializer.values {
        value.walk(&mut |node| {
            alone &= !node.in_macro
                && !matches!(node.kind, Kind::This | Kind::Name { of: Entity::Field | Entity::Method, .. });
        });
    }
    alone
}
