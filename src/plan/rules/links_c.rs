//! Links of an object of C to what it belongs to: `entry->parent = content`. Its maker leaves them null, since only the
//! other one's functions set them, and a unit that goes along them gets nowhere.

use super::c_lifecycle::{is_made, part};
use crate::model::{Class, Field, Language, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, SetUpCall, Slot};
use crate::types::spelling::{value_type, variable};

/// How many links a chain has at most.
const LONGEST: usize = 3;
/// The most links that the data chooses among.
const CHOICES: usize = 4;

/// Assignments to the pointers of an object along which the unit goes, each to an object that a function of the project
/// makes.
pub(super) fn links(scope: &UnitScope<'_>, class: &Class, request: Request<'_>) -> Vec<SetUpCall> {
    if class.language != Language::C || request.objects_open() >= LONGEST || !scope.in_reach(class) {
        return Vec::new();
    }
    let Some(usage) = scope.field_usage.of_class(scope.model, scope.hierarchy, class) else { return Vec::new() };
    let open = request.opening(&class.usr);
    let inside = request.without_setup().inside(&open);
    let fields = class.fields.iter().filter(|field| usage.names(&field.name) && !field.ty.is_const);
    fields.filter_map(|field| link(scope, class, field, inside)).take(CHOICES).collect()
}

fn link(scope: &UnitScope<'_>, class: &Class, field: &Field, inside: Request<'_>) -> Option<SetUpCall> {
    let TypeKind::Pointer(to) = &field.ty.kind else { return None };
    let other = to.record().and_then(|usr| scope.model.classes.get(usr))?;
    if other.usr == class.usr || inside.is_open(&other.usr) || to.is_const {
        return None;
    }
    let made = part(scope, to, other, inside)?;
    let named = |recipe| Slot::new(variable(to.bare_spelling()), (**to).clone(), recipe);
    let further = links(scope, other, inside);
    let recipe = if further.is_empty() {
        made
    } else {
        let most = further.len() as u64;
        Kind::SetUp { object: Box::new(named(made)), calls: further, most }.of(value_type(to))
    };
    let recipe = Kind::Pointer { to: Box::new(named(recipe)), given: true }.of(field.ty.clone());
    let value = Slot::new(variable(to.bare_spelling()), field.ty.clone(), recipe);
    Some(SetUpCall { method: field.usr.clone(), name: field.name.clone(), args: vec![value], fills: false })
}

/// Whether a value is such an object, which has a name of its own.
pub fn is_link(slot: &Slot) -> bool {
    matches!(&slot.recipe.kind, Kind::Pointer { to, given: true } if is_made(&to.recipe))
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;
    use crate::plan::Kind;
    use crate::plan::planner::Planner;

    #[test]
    fn an_object_is_linked_to_what_the_unit_looks_for_behind_it() {
        let model = read_c(
            "struct book { int kind; struct page *pages; };\nstruct page { struct book *owner; int n; };\n\
             struct line { struct page *owner; struct line *next; struct page *unused; char *text; };\n\
             struct book *book_new(void);\nstruct page *page_new(void);\nstruct line *line_new(void);\n\
             void page_add(struct page *it, struct line *other) { other->owner = it; }\n\
             int kind_of(struct line *it) { return it->owner && it->owner->owner ? it->owner->owner->kind : -1; }\n",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == "kind_of").unwrap();
        let plan = crate::plan::plan_unit(&planner, &unit.usr).unwrap();
        let Kind::Pointer { to, .. } = &plan.entries[0].args[0].recipe.kind else { panic!("{plan:?}") };
        let Kind::SetUp { calls, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
        assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["owner"]);
        let Kind::Pointer { to, given: true } = &calls[0].args[0].recipe.kind else { panic!("{calls:?}") };
        let Kind::SetUp { calls, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
        assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["owner"]);
    }
}
