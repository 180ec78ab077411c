//! Which classes can be derived from, and what a derived class must have.

use crate::model::{Access, Class, Function, FunctionKind, Model, Param, Type, TypeKind, Usr};
use std::collections::BTreeSet;

/// The methods that a class which derives from `class` must have.
///
/// # Errors
/// Why nobody can derive from it.
pub fn to_implement<'m>(
    model: &'m Model,
    ancestors: &BTreeSet<Usr>,
    class: &'m Class,
) -> Result<Vec<&'m Function>, &'static str> {
    let not_to_be_derived = class.template.is_some() && !class.bases.is_empty()
        || class.is_final
        || class.definition.is_none()
        || !class.specialized_for.is_empty()
        || matches!(class.access, Some(Access::Private | Access::Protected));
    if not_to_be_derived {
        return Err("nobody can derive from it");
    }
    constructor(model, class)?;
    let methods = methods(model, ancestors, class);
    if methods.iter().any(|f| f.kind == FunctionKind::Destructor && f.access == Some(Access::Private)) {
        return Err("its destructor is private");
    }
    let overridden: BTreeSet<&Usr> = methods.iter().flat_map(|f| &f.overrides).collect();
    let pure: Vec<&Function> = methods
        .into_iter()
        .filter(|f| f.is_pure && f.kind != FunctionKind::Destructor && !overridden.contains(&f.usr))
        .collect();
    let is_template = class.template.is_some();
    let known = |f: &Function| is_template || can_be_written(f.params.iter().map(|p| &p.ty), &f.result);
    let is_method = |f: &Function| matches!(f.kind, FunctionKind::Method | FunctionKind::Conversion);
    if pure.iter().any(|f| !is_method(f) || f.ref_qualifier.is_some() || !known(f)) {
        return Err("a pure method of it can't be written again");
    }
    Ok(pure)
}

/// The methods of a class and of its bases that subclasses may override though they need not: they do nothing.
pub fn hooks<'m>(model: &'m Model, ancestors: &BTreeSet<Usr>, class: &'m Class) -> Vec<&'m Function> {
    let methods = methods(model, ancestors, class);
    let overridden: BTreeSet<&Usr> = methods.iter().flat_map(|f| &f.overrides).collect();
    let is_hook = |f: &&Function| {
        f.is_virtual
            && f.kind == FunctionKind::Method
            && f.ref_qualifier.is_none()
            && !f.is_variadic
            && !overridden.contains(&f.usr)
            && f.definition.as_ref().is_some_and(|definition| definition.is_hook)
            && can_be_written(f.params.iter().map(|p| &p.ty), &f.result)
    };
    methods.into_iter().filter(is_hook).collect()
}

/// Whether objects of a class are there to be told something, by what they are asked: a listener, a visitor, a sink.
/// What it does is up to subclasses: all of it where it has no members, most of it where it has.
pub fn is_listener(model: &Model, ancestors: &BTreeSet<Usr>, class: &Class) -> bool {
    let is_told = |f: &&Function| {
        let is_status = matches!(f.result.kind, TypeKind::Prim(_) | TypeKind::Enum(_));
        !f.params.is_empty() && (f.result.kind == TypeKind::Void || is_status && !f.is_const)
    };
    let open = |f: &&Function| f.is_pure || f.definition.as_ref().is_some_and(|definition| definition.is_hook);
    let methods = methods(model, ancestors, class);
    let of_classes = std::iter::once(class).chain(ancestors.iter().filter_map(|usr| model.classes.get(usr)));
    let is_destructor = |f: &&Function| f.kind == FunctionKind::Destructor;
    let has_members = of_classes.flat_map(|class| &class.fields).any(|field| !field.is_static);
    let asked: Vec<&&Function> = methods.iter().filter(|f| f.is_virtual && !is_destructor(f)).collect();
    let told = asked.iter().filter(|f| open(f) && is_told(f)).count();
    told > 0 && if has_members { 2 * told > asked.len() } else { asked.iter().all(|f| open(f)) }
}

/// The methods of a class and of all that it derives from.
fn methods<'m>(model: &'m Model, ancestors: &BTreeSet<Usr>, class: &'m Class) -> Vec<&'m Function> {
    let of_ancestors = ancestors.iter().filter_map(|usr| model.classes.get(usr));
    let methods = std::iter::once(class).chain(of_ancestors).flat_map(|class| &class.methods);
    methods.filter_map(|usr| model.functions.get(usr)).collect()
}

/// The constructor that a derived class calls, the one that asks for least first; none where the class declares none.
pub fn constructor<'m>(model: &'m Model, class: &'m Class) -> Result<Option<&'m Function>, &'static str> {
    let mut declared = class.constructors(model).filter(|c| !c.is_copy_or_move).peekable();
    if declared.peek().is_none() {
        return Ok(None);
    }
    let known = |c: &&Function| class.template.is_some() || can_be_written(c.params.iter().map(|p| &p.ty), &c.result);
    let open = |c: &&Function| c.access != Some(Access::Private) && !c.is_deleted && c.template.is_none() && known(c);
    let least = declared.filter(open).min_by_key(|c| asked_for(c).len());
    least.map(Some).ok_or("it has no constructor that a derived class could call")
}

/// Whether a class has constructors for its subclasses alone.
pub fn is_for_subclasses(model: &Model, class: &Class) -> bool {
    let mut usual = class.constructors(model).filter(|c| !c.is_copy_or_move && !c.is_deleted).peekable();
    usual.peek().is_some() && usual.all(|c| c.access == Some(Access::Protected)) && !class.is_final
}

/// The parameters that a call has to give.
pub fn asked_for(function: &Function) -> &[Param] {
    let count = function.params.iter().take_while(|p| p.default.is_none()).count();
    &function.params[..count]
}

/// Whether an overrider's head can be written from what is known.
pub fn can_be_written<'t>(params: impl Iterator<Item = &'t Type>, result: &'t Type) -> bool {
    let mut known = true;
    for ty in params.chain([result]) {
        ty.walk(&mut |ty| known &= !matches!(ty.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_)));
        known &= !matches!(ty.kind, TypeKind::MemberPointer)
            && !matches!(ty.pointee().map(|to| &to.kind), Some(TypeKind::Function { .. } | TypeKind::Array(..)));
    }
    known
}
