//! Overridden methods: which version is called.

use super::types::{alike, copies, defaults};
use crate::model::{Access, Class, Function, FunctionKind, TypeKind, Usr};
use crate::operators::site::{Edits, Site, is_of_this};
use crate::tree::{Entity, Kind, Node, Role, Span};

impl<'a> Site<'a> {
    /// The method that `method` overrides, as its own class inherits it, and the name of that class.
    fn overridden(&self, method: &Function) -> Option<(&'a Function, String)> {
        let model = self.scene.around.model;
        let [base] = &method.overrides[..] else { return None };
        let base = model.functions.get(base)?;
        let owner = model.classes.get(method.owner.as_ref()?)?;
        (base.access != Some(Access::Private)).then_some(())?;
        Some((base, self.base_name(owner, base.owner.as_ref()?)?))
    }

    /// The name of a base in a class that derives from it, directly or not.
    fn base_name(&self, class: &Class, base: &Usr) -> Option<String> {
        if let Some(direct) = class.bases.iter().find(|direct| direct.ty.record() == Some(base)) {
            let is_open = matches!(direct.ty.kind, TypeKind::Dependent(_));
            return (!is_open && class.template.is_none()).then(|| direct.ty.bare_spelling().to_string());
        }
        let of = self.scene.around.model.classes.get(base)?;
        (of.template.is_none() && self.scene.around.hierarchy.ancestors(&class.usr).contains(base))
            .then(|| of.qualified.clone())
    }

    /// The called method of the project, and the callee.
    fn called_method(&self) -> Option<(&'a Function, &'a Node)> {
        self.called().filter(|called| called.kind == FunctionKind::Method).zip(self.callee())
    }

    /// A call of the version that the enclosing body overrides.
    fn is_super_call(&self, node: &Node) -> bool {
        let Kind::Call { target, .. } = &node.kind else { return false };
        let qualified = node.child(Role::Callee).is_some_and(|callee| match &callee.kind {
            Kind::Name { qualifier, of: Entity::Method, .. } => !qualifier.is_empty(),
            Kind::Member { qualifier, of: Entity::Method, .. } => !qualifier.is_empty() && is_of_this(callee),
            _ => false,
        });
        let function = self.scene.function;
        let overrides = function.overrides.contains(target)
            || self.scene.around.hierarchy.overridden(&function.usr).contains(target);
        // In a constructor or an ordinary method `Base::m()` is a super call too.
        let same_name = self.scene.called(target).is_some_and(|called| called.name == function.name);
        qualified && !self.in_lambda() && (overrides || same_name)
    }
}

/// The body of an override calls the overridden method; if that is pure, it does nothing.
pub fn iod(site: &Site<'_>, edits: &mut Edits<'_>) {
    let function = site.scene.function;
    let is_root = site.above.is_empty() && std::ptr::eq(site.node, &site.scene.body.root);
    if !is_root || site.node.kind != Kind::Block || site.node.children.is_empty() {
        return;
    }
    if function.kind != FunctionKind::Method || function.overrides.is_empty() || function.is_noreturn {
        return;
    }
    let is_void = matches!(function.result.kind, TypeKind::Void);
    let model = site.scene.around.model;
    if let Some((base, class)) = site.overridden(function)
        && !base.is_pure
        && alike(&base.result, &function.result)
        && site.scene.names_parameters()
        && base.params.len() == function.params.len()
        && !function.params.iter().any(|param| {
            matches!(param.ty.kind, TypeKind::RvalueRef(_))
                || matches!(param.ty.kind, TypeKind::Record { .. }) && !copies(&param.ty, model)
        })
    {
        let arguments: Vec<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
        let call = format!("{class}::{}({});", base.name, arguments.join(", "));
        let text = if is_void { format!("{{ {call} }}") } else { format!("{{ return {call} }}") };
        edits.replace(site.node.span, text);
    } else if function.overrides.iter().all(|base| model.functions.get(base).is_some_and(|base| base.is_pure)) {
        if is_void {
            edits.replace(site.node.span, "{}");
        } else if defaults(&function.result, model) {
            edits.replace(site.node.span, "{ return {}; }");
        }
    }
}

/// `Base::m();` moves to the other end of the body, or is deleted.
pub fn iop(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some(call) = site.node.child(Role::Operand).filter(|_| site.node.kind == Kind::Expression) else { return };
    if call.in_macro || !site.is_super_call(call) {
        return;
    }
    let statement = site.node.span;
    let root = &site.scene.body.root;
    if site.parent().is_some_and(|parent| std::ptr::eq(parent, root)) && root.kind == Kind::Block {
        let text = site.bytes(statement);
        let locals = uses_locals(call);
        let first = root.children.first().is_some_and(|first| std::ptr::eq(first, site.node));
        if let Some(last) = root.children.last()
            && !std::ptr::eq(last, site.node)
            && !last.in_macro
        {
            let ends =
                matches!(last.kind, Kind::Return) || last.child(Role::Operand).is_some_and(|e| e.kind == Kind::Throw);
            let at = if ends { last.span.start } else { last.span.end };
            let next = root.children.iter().skip_while(|child| !std::ptr::eq(*child, site.node)).nth(1);
            if !(ends && next.is_some_and(|next| std::ptr::eq(next, last))) {
                let text = if ends { [text, b" "].concat() } else { [b" ", text].concat() };
                edits.all(vec![(statement, b";".to_vec()), (Span { start: at, end: at }, text)]);
            }
        }
        if !first && !locals {
            let at = root.span.start + 1;
            edits.all(vec![(Span { start: at, end: at }, [b" ", text].concat()), (statement, b";".to_vec())]);
        }
    }
    edits.replace(statement, ";");
}

fn uses_locals(node: &Node) -> bool {
    let mut uses = false;
    node.walk(&mut |node| uses |= matches!(&node.kind, Kind::Name { of: Entity::Local, .. }));
    uses
}

/// `m()` → `Base::m()`, `p->m()` → `p->Base::m()`
pub fn isi(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((called, callee)) = site.called_method() else { return };
    let Some((base, class)) = site.overridden(called) else { return };
    if base.is_pure || !alike(&base.result, &called.result) {
        return;
    }
    // A protected method can be called on this object only.
    let owner = site.scene.owner.map(|owner| &owner.usr);
    match &callee.kind {
        Kind::Name { qualifier, name, .. } if qualifier.is_empty() && *name == called.name => {
            let inside = owner
                .zip(called.owner.as_ref())
                .is_some_and(|(owner, of)| owner == of || site.scene.around.hierarchy.ancestors(owner).contains(of));
            if inside {
                edits.insert(callee.span.start, format!("{class}::"));
            }
        }
        Kind::Member { qualifier, at, .. }
            if qualifier.is_empty() && (is_of_this(callee) || base.access == Some(Access::Public)) =>
        {
            edits.insert(at.start, format!("{class}::"));
        }
        _ => {}
    }
}

/// `Base::m()` → `m()`, unless that is the enclosing method.
pub fn isd(site: &Site<'_>, edits: &mut Edits<'_>) {
    let Some((called, callee)) = site.called_method() else { return };
    let (at, qualifier) = match &callee.kind {
        Kind::Name { qualifier, .. } => (callee.span, qualifier),
        Kind::Member { qualifier, at, .. } => (*at, qualifier),
        _ => return,
    };
    let hierarchy = site.scene.around.hierarchy;
    let (target, own) = (&called.usr, &site.scene.function.usr);
    // In its own override it would recurse endlessly.
    let recurses = own == target || hierarchy.overridden(own).contains(target);
    if qualifier.is_empty() || !called.is_virtual || hierarchy.overriders(target).is_empty() || recurses {
        return;
    }
    let text = site.text(at);
    if let Some(name) = text.strip_prefix(qualifier.as_str()).filter(|_| qualifier.ends_with("::")) {
        // The name may be overloaded, with versions that the derived class hides.
        let mut own = site.scene.owner.into_iter().flat_map(|owner| site.scene.methods(owner));
        if !own.any(|own| own.name == called.name && !own.overrides.contains(target)) {
            edits.replace(at, name.trim_start());
        }
    }
}
