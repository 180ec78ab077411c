//! Definitions and settings: classes that open all their members, and whose constructor only says what these are at
//! first. Whoever makes one sets what matters (`definition.body = &body;`), and without that it is an empty form.

use crate::facts::definitions::members_of;
use crate::model::{Class, Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, Slot};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// As its constructor makes it, or filled: the data says which.
pub(in crate::plan) fn either(ty: &Type, made: Recipe, filled: Recipe) -> Recipe {
    one_of_these(ty, made, [filled])
}

/// One of several ways to the same object: the data says which.
pub(in crate::plan) fn one_of_these(ty: &Type, made: Recipe, others: impl IntoIterator<Item = Recipe>) -> Recipe {
    let ty = value_type(ty);
    let slot = |recipe| Slot::new("made", ty.clone(), recipe);
    let mut among: Vec<Slot> = [made].into_iter().chain(others).map(slot).collect();
    match among.len() {
        1 => among.remove(0).recipe,
        _ => Kind::Choice { among }.of(ty.clone()),
    }
}

/// An object of `class` with its members set; none where the class is no definition, or nothing can be set.
pub(in crate::plan) fn filled(scope: &UnitScope<'_>, ty: &Type, class: &Class, request: Request<'_>) -> Option<Recipe> {
    let TypeKind::Record { args, .. } = &ty.kind else { return None };
    if super::overrides::is_told_of(scope, class) || request.is_open(&class.usr) {
        return None;
    }
    let members = members_of(scope.model, class, &Substitution::of(scope.model, class, args))?;
    let open = request.opening(&class.usr);
    let inside = request.inside(&open);
    let mut fields = Vec::new();
    for (class, field, ty) in &members {
        // A member that can't be made stays as it is.
        if let Ok(Some(recipe)) = super::fields::field_recipe(scope, class, field, ty, inside) {
            fields.push(Slot::new(field.name.clone(), ty.clone(), recipe));
        }
    }
    (!fields.is_empty()).then(|| Kind::Fields { fields, statements: Vec::new() }.of(value_type(ty)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;

    fn argument(source: &str) -> Recipe {
        let model = read_cpp(source);
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == "unit").unwrap();
        crate::plan::plan_unit(&planner, &unit.usr).unwrap().entries[0].args[0].recipe.clone()
    }

    /// The members that are set of an object that may also be as its constructor makes it.
    fn set(recipe: &Recipe) -> Vec<&str> {
        match &recipe.kind {
            Kind::Choice { among, .. } => match among.as_slice() {
                [
                    Slot { recipe: Recipe { kind: Kind::Construct { .. }, .. }, .. },
                    Slot { recipe: Recipe { kind: Kind::Fields { fields, .. }, .. }, .. },
                ] => fields.iter().map(|slot| slot.name.as_str()).collect(),
                other => panic!("{other:?}"),
            },
            _ => Vec::new(),
        }
    }

    #[test]
    fn members_of_a_definition_and_its_base_are_set_or_left_as_they_are() {
        let source = "struct Body { Body(int n); int mass; };\n\
                      struct Def { Def() : kind(0), body(nullptr) {} int kind; Body *body; };\n\
                      struct Joint : Def { Joint() { kind = 2; } float length = 1; void *user = nullptr; };\n\
                      int unit(const Joint &joint) { return joint.kind; }";
        assert_eq!(set(&argument(source)), ["kind", "body", "length"]);
    }

    #[test]
    fn what_a_constructor_is_told_or_the_class_keeps_to_itself_is_not_set() {
        let told = "struct Point { Point(); Point(int x, int y); int x, y; }; int unit(const Point &p) { return p.x; }";
        let hidden = "class Box { int n; public: Box(); int m; }; int unit(const Box &b) { return b.m; }";
        let fixed = "struct Id { Id(); const int n; int m; }; int unit(const Id &i) { return i.m; }";
        for source in [told, hidden, fixed] {
            assert_eq!(set(&argument(source)), [""; 0], "{source}");
        }
    }
}
