//! Iterators, of the standard library's containers and of the project's own: each needs a container to point into, and
//! two of one type that follow each other are the ends of one range.

use crate::model::{Access, Class, Function, FunctionKind, TemplateArg, Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Reason, Recipe, Slot};
use crate::types::iterators::{Approach, Unequal, of_container};
use crate::types::records::{alike, params_of, record_type};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// An iterator of the project's own, into a container that can be had; none where `class` is no such thing.
///
/// Made by its constructors it would point nowhere.
pub(in crate::plan) fn own_iterator<'m>(
    scope: &UnitScope<'m>,
    ty: &Type,
    class: &'m Class,
    request: Request<'_>,
) -> Option<Recipe> {
    let said = scope.overrides.makes(&class.qualified);
    let operators = Operators::of(scope, class);
    if said || !operators.goes_on || scope.model.is_foreign(class) {
        return None;
    }
    let begins = &scope.planner.begins;
    let (mut made, wanted) = (None, value_type(ty));
    for begin in begins.iter().filter(|f| f.access == Some(Access::Public)) {
        let Some(container) = begin.owner.as_ref().and_then(|usr| scope.model.classes.get(usr)) else { continue };
        if request.is_open(&container.usr) || container.usr == class.usr || !scope.in_reach(container) {
            continue;
        }
        let Some(of) = containers_args(scope, container, ty).into_iter().find(|args| {
            let with = Substitution::of(scope.model, container, args);
            let yields = |f: &Function| alike(&value_type(with.apply(&f.result).without_ref()), &wanted);
            let mut ends = container.methods.iter().filter_map(|usr| scope.model.functions.get(usr));
            yields(begin) && ends.any(|f| f.name == "end" && f.is_const == begin.is_const && yields(f))
        }) else {
            continue;
        };
        let with = Substitution::of(scope.model, container, &of);
        let of = record_type(scope.model, container, of);
        if let Ok(recipe) = scope.value(&of, request.deeper()) {
            // Without elements there is nothing to point to.
            let recipe = super::setup_calls::set_up_with(scope, recipe, container, &with, request);
            let range = Box::new(Slot::new("range", of, recipe));
            let approach = Approach::Own { is_const: begin.is_const, steps: operators.unequal, alone: true };
            made = Some(Kind::Iterator { range, approach }.of(wanted.clone()));
            // A class may be its own view, and yield such as read only: what writes is seen as well.
            if !begin.is_const {
                break;
            }
        }
    }
    made
}

/// Arguments with which a container may be one that such an iterator points into: those of the template around the
/// iterator, those that the iterator was given for its container, those that the project uses.
fn containers_args(scope: &UnitScope<'_>, container: &Class, iterator: &Type) -> Vec<Vec<TemplateArg>> {
    let count = params_of(scope.model, container).len();
    if count == 0 {
        return vec![Vec::new()];
    }
    let TypeKind::Record { args, .. } = &iterator.kind else { return Vec::new() };
    let mut all: Vec<Vec<TemplateArg>> = args.get(..count).map(<[_]>::to_vec).into_iter().collect();
    all.extend(args.iter().filter_map(|arg| match arg {
        TemplateArg::Type(Type { kind: TypeKind::Record { usr, args, .. }, .. }) if *usr == container.usr => {
            Some(args.clone())
        }
        _ => None,
    }));
    all.extend(crate::plan::class_arguments::template_args(scope, container));
    all
}

/// The operators of the project's iterators.
struct Operators {
    /// `++`.
    goes_on: bool,
    /// How it is compared with the end.
    unequal: Option<Unequal>,
}

impl Operators {
    fn of(scope: &UnitScope<'_>, class: &Class) -> Self {
        let model = scope.model;
        let ancestors = scope.hierarchy.ancestors(&class.usr);
        let classes = || std::iter::once(class).chain(ancestors.iter().filter_map(|usr| model.classes.get(usr)));
        let has =
            |name: &str| {
                classes().any(|class| {
                    class.methods.iter().filter_map(|usr| model.functions.get(usr)).any(|f| {
                        f.name == name && f.access.is_none_or(|access| access == Access::Public) && !f.is_deleted
                    })
                })
            };
        let takes = |f: &Function, class: &Class| {
            f.params.first().and_then(|param| param.ty.without_ref().record()).is_some_and(|usr| *usr == class.usr)
        };
        let free = |name: &str| {
            let named = model.functions.values().filter(|f| f.kind == FunctionKind::Function && f.name == name);
            named.into_iter().any(|f| classes().any(|class| takes(f, class)))
        };
        let goes_on = has("operator++");
        let unequal = match () {
            () if !goes_on => None,
            () if has("operator!=") || free("operator!=") => Some(Unequal::Differ),
            () if has("operator==") || free("operator==") => Some(Unequal::NotSame),
            () => None,
        };
        Self { goes_on, unequal }
    }
}

/// An iterator to the first element of a container of its own.
pub(in crate::plan) fn iterator(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let TypeKind::Record { name, args, .. } = &ty.kind else {
        return Err(Reason::new(format!("`{}` is no iterator", ty.spelling)));
    };
    let (of, approach) = of_container(scope.model, name, args)
        .ok_or_else(|| Reason::new(format!("what `{}` points into is not known", ty.spelling)))?;
    let mut recipe = scope.value(&of, request.deeper())?;
    // A callee that gets an iterator alone may read the element.
    if let (Recipe { kind: Kind::Sequence { least, .. }, .. }, Some(_)) = (&mut recipe, approach.ends()) {
        *least = 1;
    }
    let range = Box::new(Slot::new("range", of, recipe));
    Ok(Kind::Iterator { range, approach }.of(value_type(ty)))
}

/// Whether a slot of type `ty` is in the range that `before` begins, by iterators of the project's own.
pub(in crate::plan) fn are_one_own_range(before: &Slot, ty: &Type) -> bool {
    let is_own = matches!(before.recipe.kind, Kind::Iterator { approach: Approach::Own { .. }, .. });
    is_own && alike(&value_type(before.ty.without_ref()), &value_type(ty.without_ref()))
}

/// Makes room for an empty range: its end is known.
pub(in crate::plan) fn may_be_empty(begin: &mut Recipe) {
    if let Kind::Iterator { approach: Approach::Own { alone, .. }, .. } = &mut begin.kind {
        *alone = false;
    }
    if let Kind::Iterator { range, .. } = &mut begin.kind
        && let Kind::Sequence { least, .. } = &mut range.recipe.kind
    {
        *least = 0;
    }
}
