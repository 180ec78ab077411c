//! Objects that only their own class may make: a static method makes one for itself and hands it to nobody, so that no
//! other way leads to it.

use crate::model::{Access, Class, Function, Model, Type};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Entry, Kind, Recipe};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// By a private constructor, the one that asks for least.
pub(in crate::plan) fn by_hidden_constructor<'m>(
    scope: &UnitScope<'m>,
    ty: &Type,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Option<Recipe> {
    if class.is_abstract || class.installed.is_some() || !scope.in_reach(class) {
        return None;
    }
    let mut hidden: Vec<&Function> = class.constructors(scope.model).filter(|ctor| is_hidden(ctor)).collect();
    hidden.sort_by_key(|ctor| ctor.params.len());
    hidden.into_iter().find_map(|ctor| {
        let args = scope.params(&ctor.params, with, None, request).ok()?;
        let kept = crate::facts::factories::is_kept(scope.model, class);
        Some(Kind::Construct { constructor: Some(ctor.usr.clone()), args, kept }.of(value_type(ty)))
    })
}

/// A private constructor. Without a body it says that there are no objects: that was how it was said before C++11's `=
/// delete`.
fn is_hidden(ctor: &Function) -> bool {
    ctor.access == Some(Access::Private)
        && (ctor.definition.is_some() || ctor.is_defaulted)
        && !ctor.is_deleted
        && !ctor.is_copy_or_move
        && ctor.template.is_none()
}

/// Whether an object of this way into a unit is made by what is not everybody's to call, or of a class that is not
/// everybody's to name.
pub fn makes_privately(model: &Model, entry: &Entry) -> bool {
    let is_closed = |class: &Class| class.access.is_some_and(|access| access != Access::Public);
    let of_closed = |recipe: &Recipe| {
        let class = recipe.ty.record().and_then(|usr| model.classes.get(usr));
        class.is_some_and(|class| is_closed(class) || class.around(model).any(is_closed))
    };
    let is_private = |recipe: &Recipe| match &recipe.kind {
        Kind::Construct { constructor, .. } => {
            let constructor = constructor.as_ref().and_then(|usr| model.functions.get(usr));
            constructor.is_some_and(is_hidden) || of_closed(recipe)
        }
        Kind::Fields { .. } | Kind::Bytes => of_closed(recipe),
        _ => false,
    };
    let mut found = false;
    entry.slots().for_each(|slot| slot.recipe.walk(&mut |recipe| found |= is_private(recipe)));
    found
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;
    use crate::plan::{Kind, Recipe};

    #[test]
    fn what_only_its_class_makes_is_made_as_that_does_where_no_other_way_leads_to_it() {
        let model = read_cpp(
            "class Own { Own(int a, int b) : n(a + b) {} explicit Own(int a) : n(a) {} int n; \
                public: int get() const { return n; } };
             class None { None(); None(int); public: int get() const { return 1; } };
             class Given { Given() {} public: static Given make(int n) { (void)n; return Given(); } \
             int get() const { return 2; } };",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let plan = |class: &str| {
            let unit = model.functions.values().find(|f| f.qualified == format!("{class}::get")).unwrap();
            crate::plan::plan_unit(&planner, &unit.usr).map(|plan| plan.entries[0].object.clone().unwrap().recipe)
        };
        assert!(matches!(plan("Own"), Ok(Recipe { kind: Kind::Construct { args, .. }, .. }) if args.len() == 1));
        assert!(matches!(plan("Given"), Ok(Recipe { kind: Kind::Factory { .. }, .. })));
        assert!(plan("None").is_err_and(|reason| reason.what.contains("no public constructor or factory")));
    }
}
