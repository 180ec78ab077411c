//! Definitions and settings: classes that open all their members, and whose constructor only says what these are at first. Whoever
//! makes one sets what matters (`definition.body = &body;`), and without that it is an empty form.

use super::request::Request;
use super::unit_scope::UnitScope;
use super::{Kind, Recipe, Slot};
use crate::model::{Access, Class, Field, FunctionKind, Model, Type, TypeKind};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;

/// Members of more than so many are not all set.
const MOST: usize = 24;

/// As its constructor makes it, or filled: the data says which.
pub(super) fn either(ty: &Type, made: Recipe, filled: Recipe) -> Recipe {
    let ty = value_type(ty);
    let slot = |recipe| Slot { name: "made".into(), ty: ty.clone(), recipe, nullable: false };
    Kind::Choice { among: vec![slot(made), slot(filled)] }.of(ty.clone())
}

/// An object of `class` with its members set; none where the class is no definition, or nothing can be set.
pub(super) fn filled(scope: &UnitScope<'_>, ty: &Type, class: &Class, request: Request<'_>) -> Option<Recipe> {
    let TypeKind::Record { args, .. } = &ty.kind else { return None };
    if super::hooks::is_told_of(scope, class) || request.is_open(&class.usr) {
        return None;
    }
    let members = members_of(scope.model, class, &Substitution::of(scope.model, class, args))?;
    let open = request.opening(&class.usr);
    let inside = request.inside(&open);
    let mut fields = Vec::new();
    for (class, field, ty) in &members {
        // What can't be made stays as it is.
        if let Ok(Some(recipe)) = super::values::field_recipe(scope, class, field, ty, inside) {
            fields.push(Slot { name: field.name.clone(), ty: ty.clone(), recipe, nullable: false });
        }
    }
    (!fields.is_empty()).then(|| Kind::Fields { fields, statements: Vec::new() }.of(value_type(ty)))
}

/// Whether an object of the class is a form to be filled in.
pub(super) fn is_definition(model: &Model, class: &Class, with: &Substitution) -> bool {
    members_of(model, class, with).is_some_and(|members| !members.is_empty())
}

/// The members of a definition, with the classes that have them and their types; none where the class is no definition.
fn members_of<'m>(
    model: &'m Model,
    class: &'m Class,
    with: &Substitution,
) -> Option<Vec<(&'m Class, &'m Field, Type)>> {
    let mut members = Vec::new();
    open_members(model, class, with, &mut members)?;
    let names: BTreeSet<&str> = members.iter().map(|(_, field, _)| field.name.as_str()).collect();
    let mut made = class.constructors(model).filter(|c| !c.is_copy_or_move);
    let is_definition =
        names.len() == members.len() && members.len() <= MOST && made.all(|c| c.params.is_empty() && !c.is_deleted);
    is_definition.then_some(members)
}

/// The members of a class and of its bases, these first, with their types; none where one of them is not open to everybody,
/// can't be assigned to, or the class is asked for more than them.
fn open_members<'m>(
    model: &'m Model,
    class: &'m Class,
    with: &Substitution,
    members: &mut Vec<(&'m Class, &'m Field, Type)>,
) -> Option<()> {
    let methods = class.methods.iter().filter_map(|usr| model.functions.get(usr));
    let mut asked = methods.filter(|f| f.kind == FunctionKind::Method && f.is_const && !f.name.starts_with("operator"));
    if class.is_polymorphic || class.template.is_some() && !class.bases.is_empty() || asked.next().is_some() {
        return None;
    }
    for base in &class.bases {
        let ty = with.apply(&base.ty);
        let of = model.classes.get(ty.record()?).filter(|_| base.access == Access::Public && !base.is_virtual)?;
        let TypeKind::Record { args, .. } = &ty.kind else { return None };
        open_members(model, of, &Substitution::of(model, of, args), members)?;
    }
    for field in class.fields.iter().filter(|field| !field.is_static) {
        let ty = with.apply(&field.ty);
        let is_set = field.access == Access::Public
            && !field.name.is_empty()
            && !ty.is_const
            && !matches!(ty.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) | TypeKind::Dependent(_));
        if !is_set {
            return None;
        }
        members.push((class, field, ty));
    }
    Some(())
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
