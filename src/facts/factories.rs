//! Factories: the class that a function yields an object of, how, and whether its name suggests that it makes one.

use crate::facts::out_params::without;
use crate::lexicon::{Lexicon, Role};
use crate::model::library::Owner;
use crate::model::{Access, Class, Function, FunctionKind, Model, Param, TemplateArg, Type, TypeKind};
use crate::types::standard::{owner, smart_pointee};
use serde::Serialize;
use std::borrow::Cow;

/// How a factory yields its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Yield {
    /// The object itself.
    Value,
    /// A reference to an object that somebody else owns.
    Reference,
    /// A pointer to an object that somebody else may own; may be null.
    Borrowed,
    /// A smart pointer.
    Smart,
    /// A smart pointer of the project's own.
    Handle,
    /// Nothing, but it leaves the object, which is the caller's, in the pointer behind the parameter of this index.
    Through(usize),
    /// Nothing, but it makes the object ready that the caller has room for, behind the parameter of this index.
    InPlace(usize),
}

impl Yield {
    /// The parameters of `function` that are given values: all but the one that the object is left behind.
    pub fn params(self, function: &Function) -> Cow<'_, [Param]> {
        match self {
            Yield::Through(place) | Yield::InPlace(place) => Cow::Owned(without(&function.params, place)),
            _ => Cow::Borrowed(&function.params),
        }
    }
}

/// The class that a result yields an object of, and how.
pub(crate) fn produced<'t>(model: &Model, result: &'t Type) -> Option<(&'t str, Yield)> {
    if let Some(inner) = smart_pointee(model, result) {
        return inner.record().filter(|_| !inner.is_const).map(|usr| (usr.as_str(), Yield::Smart));
    }
    match &result.kind {
        TypeKind::Record { usr, .. } => Some((usr, Yield::Value)),
        TypeKind::Pointer(inner) => Some((inner.record()?, Yield::Borrowed)),
        // A shared owner that is only looked at is shared.
        TypeKind::LvalueRef(inner) if owner(model, inner) == Some(Owner::Shared) => produced(model, inner),
        TypeKind::LvalueRef(inner) => Some((inner.record()?, Yield::Reference)),
        _ => None,
    }
}

/// Where a function leaves the object that it yields.
pub(crate) fn result_of(function: &Function, yields: Yield) -> &Type {
    match yields {
        Yield::Through(place) | Yield::InPlace(place) => &function.params[place].ty,
        _ => &function.result,
    }
}

/// Whether a result yields this very instantiation.
pub(crate) fn gives(result: &Type, ty: &Type) -> bool {
    let mut found = false;
    result.walk(&mut |part| {
        found |= matches!((&part.kind, &ty.kind), (TypeKind::Record { usr: a, args: x, .. },
            TypeKind::Record { usr: b, args: y, .. }) if a == b && x.iter().map(spelled).eq(y.iter().map(spelled)));
    });
    found
}

/// An argument by a name that is the same however it is spelled.
pub(crate) fn spelled(arg: &TemplateArg) -> String {
    match arg {
        TemplateArg::Type(ty) => format!("{}{}", if ty.is_const { "const " } else { "" }, ty.canonical()),
        TemplateArg::Value(text) => text.clone(),
    }
}

/// Whether a function's name says that it makes something.
pub(crate) fn creates(lexicon: &Lexicon, name: &str) -> bool {
    lexicon.begins(name, [Role::Creates, Role::Inserts])
}

/// Whether a method of that name can be expected to yield something whatever state its object is in.
pub(crate) fn works_on_a_shell(lexicon: &Lexicon, name: &str) -> bool {
    creates(lexicon, name)
        || lexicon.begins(name, [Role::Reads, Role::Opens, Role::Adds])
        || name.starts_with("operator")
}

/// Whether objects of the class are never taken down from outside: its destructor is not for everybody.
pub fn is_kept(model: &Model, class: &Class) -> bool {
    matches!(destructor_access(model, class), Some(Access::Private | Access::Protected))
}

/// The method by which others give up a share of an object that they can't destroy: `regexp->Decref();`.
pub fn gives_up_share<'m>(lexicon: &Lexicon, model: &'m Model, of: &Type) -> Option<&'m Function> {
    let class = of.record().and_then(|usr| model.classes.get(usr)).filter(|class| is_kept(model, class))?;
    let is_open = |f: &&Function| f.access == Some(Access::Public) && f.kind == FunctionKind::Method;
    let methods = class.methods.iter().filter_map(|usr| model.functions.get(usr)).filter(is_open);
    methods.filter(|f| f.is_const || !of.is_const).find(|f| f.params.is_empty() && lexicon.says(&f.name, Role::Ends))
}

/// Whether what a function yields may be a share of it: not what it is asked for, such as the only one.
pub fn gives_share(lexicon: &Lexicon, function: &Function) -> bool {
    !function.params.is_empty() && !lexicon.begins(&function.name, Role::LooksUp) || creates(lexicon, &function.name)
}

/// Who may destroy an object of the class; none where nobody said.
fn destructor_access(model: &Model, class: &Class) -> Option<Access> {
    class
        .methods
        .iter()
        .filter_map(|usr| model.functions.get(usr))
        .find(|f| f.kind == FunctionKind::Destructor)
        .and_then(|f| if f.is_deleted { Some(Access::Private) } else { f.access })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn a_shared_owner_yields_its_object_by_value_and_for_looking_at_and_a_sole_one_only_by_value() {
        let model = read_cpp(
            "#include <memory>\nstruct Node { int n; };\nNode value(); Node *pointer(); const Node &reference();\n\
             std::shared_ptr<Node> shared(); const std::shared_ptr<Node> &looked(); std::unique_ptr<Node> sole();\n\
             const std::unique_ptr<Node> &kept(); std::shared_ptr<const Node> fixed();\n",
        );
        let of = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            let node = &model.class_named("Node").unwrap().usr;
            produced(&model, &function.result).filter(|(usr, _)| usr == node).map(|(_, yields)| yields)
        };
        let expected = [
            ("value", Some(Yield::Value)),
            ("pointer", Some(Yield::Borrowed)),
            ("reference", Some(Yield::Reference)),
            ("shared", Some(Yield::Smart)),
            ("looked", Some(Yield::Smart)),
            ("sole", Some(Yield::Smart)),
            ("kept", None),
            ("fixed", None),
        ];
        for (name, yields) in expected {
            assert_eq!(of(name), yields, "{name}");
        }
    }
}
