//! Calls that bring an object of C into a state worth testing: `list_push(list, 3)` before `list_sum(list)`. What
//! methods are to a class, functions are to a structure that they take a pointer to before everything else.

use super::c_lifecycle::{as_sizes, handle_of, is_made, takes};
use super::public_members;
use super::setup_calls::{CHOICES, ENDINGS, MOST, SETS_UP, Step, in_order, is_small};
use crate::facts::text_readers::reads_a_file;
use crate::lexicon::{MAKES, Role};
use crate::model::{Class, Function, Language, Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, SetUpCall, Slot};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// A function that asks for more is no step on the way.
const ASKS_FOR: usize = 3;

/// The object that a function of the project has made, with calls that fill it.
pub(in crate::plan) fn set_up_in_c<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    to: &Type,
    class: &'m Class,
    request: Request<'_>,
) -> Recipe {
    if request.without_setup {
        return recipe;
    }
    let handle = handle_of(scope.model, &recipe);
    let mut calls = steps_in_c(scope, class, handle, request);
    // (What has made the object is told by the data as well.)
    let mut makers = Vec::new();
    recipe.walk(&mut |part| {
        if let Kind::Factory { function, .. } = &part.kind {
            makers.push(function.clone());
        }
    });
    calls.retain(|call| !makers.contains(&call.method));
    // (Whoever has no more than the handle sets no members.)
    let mut members = Vec::new();
    if handle.is_none() || !request.as_handle {
        members = public_members::assignments(scope, class, &Substitution::default(), request);
        if members.is_empty() {
            members = public_members::states(scope, class, request);
        }
        members.extend(super::links_c::links(scope, class, request));
    }
    let most = public_members::most(MOST, members.len());
    calls.extend(members);
    if calls.is_empty() {
        return recipe;
    }
    let ty = value_type(to);
    let name = crate::types::spelling::variable(ty.bare_spelling());
    let object = Slot::new(name, ty.clone(), recipe);
    Kind::SetUp { object: Box::new(object), calls, most }.of(ty)
}

/// The calls of functions that take the object. Of one that users have by a `handle` they are those that take this:
/// what takes the structure itself may rely on what its callers have done before.
fn steps_in_c<'m>(
    scope: &UnitScope<'m>,
    class: &'m Class,
    handle: Option<&Type>,
    request: Request<'_>,
) -> Vec<SetUpCall> {
    let lexicon = scope.lexicon();
    let usage = scope.field_usage.of_class(scope.model, scope.hierarchy, class);
    let changed = |f: &'m Function| usage.as_ref().and_then(|usage| usage.changed_by(scope.model, f));
    let may_be_step = |f: &&Function| {
        f.language == Language::C
            && f.owner.is_none()
            && !f.is_variadic
            && (1..=1 + ASKS_FOR).contains(&f.params.len())
            && takes(&f.params[0], &class.usr)
            && f.params[1..]
                .iter()
                .all(|p| keeps_nothing(&p.ty) && !lexicon.says(&p.name, Role::File) || is_handed_over(scope, f, &p.ty))
            && !(reads_a_file(lexicon, f) && f.params[1..].iter().all(|p| keeps_nothing(&p.ty)))
            && !lexicon.says(&f.name, ENDINGS)
            // (It may be the object anew.)
            && [&f.result, f.yielded()].iter().all(|ty| ty.pointee().is_none_or(|to| to.record() != Some(&class.usr)))
            && (f.result.pointee().is_none() || f.result.canonical() != f.params[0].ty.canonical())
    };
    let step = |method: &'m Function| {
        // What a file keeps to itself may rely on what its callers have done before.
        let changes = changed(method).filter(|_| !method.is_file_local);
        let takes_more = method.params.len() > 1;
        let makes = lexicon.says(&method.name, MAKES);
        let by_name = lexicon.rank(&method.name, SETS_UP).filter(|_| !makes);
        // A function that only returns something else need not change the object.
        let by_type = (method.result.kind == TypeKind::Void && takes_more && !makes).then(|| lexicon.ranks(SETS_UP));
        // `mesh_new_points(mesh, 3)` makes a part of it.
        let changes_it = takes_more
            && changes.as_ref().is_some_and(|changes| !changes.members.is_empty())
            && !lexicon.says(&method.name, Role::Clears);
        // A container is worth more with something in it.
        let fills = method.params[1..].iter().any(|param| is_handed_over(scope, method, &param.ty));
        let by_name = by_name.map(|rank| if fills { 0 } else { rank.max(1) });
        let rank = by_name.or(by_type).or(changes_it.then(|| lexicon.ranks(SETS_UP) + 1))?;
        Some(Step { rank, changes, method })
    };
    let is_seen = |f: &&Function| {
        let at_home = f.definition.as_ref().is_some_and(|at| scope.sees(&at.extent.file));
        (!f.is_file_local || at_home) && scope.is_declared(f)
    };
    let functions = scope.model.functions.values().filter(may_be_step).filter(is_seen);
    let mut steps: Vec<Step<'m>> = functions.filter_map(step).collect();
    let by_handle =
        |step: &Step<'m>| handle.is_some_and(|handle| handle.canonical() == step.method.params[0].ty.canonical());
    if steps.iter().any(by_handle) {
        steps.retain(by_handle);
    }
    steps.sort_by_key(|step| (step.rank, step.method.params.len(), step.method.id.clone()));
    let made = in_order(lexicon, steps).into_iter().filter_map(|f| {
        let args = scope.params(
            &crate::facts::out_params::without(&f.params, 0),
            &Default::default(),
            None,
            request.without_setup().for_function(lexicon, &f.name),
        );
        let mut args = args.ok()?;
        args.iter_mut().for_each(|arg| hand_over(scope, arg, request));
        if !args.iter().all(|arg| is_plain(&arg.recipe) && is_small(&arg.recipe)) {
            return None;
        }
        if lexicon.says(&f.name, MAKES) {
            as_sizes(&mut args);
        }
        Some(SetUpCall { method: f.usr.clone(), name: f.name.clone(), args, fills: false })
    });
    made.take(CHOICES).collect()
}

/// What a container takes in: an object of a structure, by a function whose name says that it inserts or sets. From
/// then on it belongs to the container. What is called back is no content.
fn is_handed_over(scope: &UnitScope<'_>, function: &Function, ty: &Type) -> bool {
    let to = ty.pointee().filter(|to| !to.is_const);
    let other = to.and_then(Type::record).and_then(|usr| scope.model.classes.get(usr));
    let is_called = |ty: &Type| ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Function { .. }));
    let is_content = |class: &Class| !class.fields.iter().any(|field| is_called(&field.ty));
    let inserts = scope.lexicon().says(&function.name, [Role::Sets, Role::Adds]);
    inserts && other.is_some_and(|other| other.language == Language::C && is_content(other))
}

/// An object that a function of the project has made is not taken down by whoever has made it. Its members are set.
fn hand_over(scope: &UnitScope<'_>, slot: &mut Slot, request: Request<'_>) {
    let Kind::Pointer { to, given } = &mut slot.recipe.kind else { return };
    if !is_made(&to.recipe) {
        return;
    }
    *given = true;
    // What its maker is told its members have to agree with.
    let is_blank = matches!(&to.recipe.kind, Kind::Factory { args, .. } if args.is_empty());
    let class = to.ty.record().and_then(|usr| scope.model.classes.get(usr)).filter(|_| is_blank);
    let members = class.map(|class| public_members::assignments_after(scope, class, &Substitution::default(), request));
    if let Some(calls) = members.filter(|members| !members.is_empty()) {
        let (ty, most) = (to.recipe.ty.clone(), public_members::most(0, calls.len()));
        let object = Box::new(Slot::new(to.name.clone(), to.ty.clone(), to.recipe.clone()));
        to.recipe = Kind::SetUp { object, calls, most }.of(ty);
    }
}

/// A number, or text or numbers in a row that are only read: they last as long as the input, should somebody keep them.
pub(super) fn keeps_nothing(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        TypeKind::Pointer(to) => to.is_const && matches!(to.kind, TypeKind::Prim(_)),
        _ => false,
    }
}

fn is_plain(recipe: &Recipe) -> bool {
    match &recipe.kind {
        Kind::Array { element, .. } => matches!(element.recipe.kind, Kind::Prim { .. }),
        Kind::Pointer { given, .. } => *given,
        _ => {
            matches!(recipe.kind, Kind::Prim { .. } | Kind::Enum { .. } | Kind::CString { .. } | Kind::Length { .. })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;
    use crate::plan::Kind;
    use crate::plan::planner::Planner;

    #[test]
    fn what_fills_an_object_is_called_before_the_unit_and_what_ends_it_or_reads_it_is_not() {
        let model = read_c(
            "struct list { int n; int *items; };\nstruct list *list_new(int room);\nvoid list_free(struct list *l);\n\
             static int list_bump(struct list *l, int by) { return l->n += by; }\n\
             int list_clear(struct list *l, int n) { list_bump(l, 0); return l->n = n; }\n\
             int list_new_items(struct list *l, int n) { l->items = 0; return l->n = n; }\n\
             int list_push(struct list *l, int value);\nvoid list_set_all(struct list *l, const unsigned char *items, \
             unsigned long size);\nvoid list_scale(struct list *l, double by);\nint list_load_file(struct list *l, \
             const char *path);\n\
             int list_at(const struct list *l, int at);\nvoid list_close(struct list *l);\nint list_size(struct list \
             *l);\n\
             int list_sum(const struct list *l, int bias) { return l->n + bias; \
             }\nint list_pop(struct list *l) { return l->items[--l->n]; }",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        for unit in ["list_sum", "list_pop"] {
            let function = model.functions.values().find(|f| f.name == unit).unwrap();
            let plan = crate::plan::plan_unit(&planner, &function.usr).unwrap();
            let Kind::Pointer { to, .. } = &plan.entries[0].args[0].recipe.kind else { panic!("{plan:?}") };
            let Kind::SetUp { calls, object, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
            assert_eq!(
                calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(),
                ["list_new_items", "list_set_all", "list_push", "list_scale"]
            );
            assert_eq!(calls[2].args.len(), 1);
            assert!(matches!(calls[1].args[0].recipe.kind, Kind::Array { .. }), "{:?}", calls[1].args);
            assert!(matches!(calls[1].args[1].recipe.kind, Kind::Length { .. }), "{:?}", calls[1].args);
            // It says how much is made.
            assert!(matches!(calls[0].args[0].recipe.kind, Kind::Length { .. }), "{:?}", calls[0].args);
            assert!(matches!(object.recipe.kind, Kind::Factory { .. }));
        }
    }

    #[test]
    fn an_object_that_users_have_by_a_handle_is_set_up_by_what_takes_the_handle() {
        let model = read_c(
            "typedef struct gauge *gauge;\nenum mode { OFF, ON };\n\
             struct inside { int level; int marks; enum mode mode; struct inside *next; };\n\
             gauge gauge_new(void) { static struct inside one, *it = &one; return (gauge)it; }\n\
             void gauge_free(gauge of) { struct inside *it = (struct inside *)of; it->level = 0; }\n\
             int gauge_set_level(gauge of, int level) { struct inside *it = (struct inside *)of; \
             return it->level = level; }\n\
             int gauge_load_file(gauge of, const char *name) { struct inside *it = (struct inside *)of; \
             return it->level = *name; }\n\
             void inside_set_marks(struct inside *it, int marks) { it->marks = marks; }\n\
             int inside_sum(struct inside *it) { return it->level + it->marks + it->mode; }\n\
             int gauge_sum(gauge of) { struct inside *it = (struct inside *)of; \
             return it->level + it->marks + it->mode; }\n",
        );
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let calls = |unit: &str| {
            let function = model.functions.values().find(|f| f.name == unit).unwrap();
            let plan = crate::plan::plan_unit(&planner, &function.usr).unwrap();
            let Kind::Pointer { to, .. } = &plan.entries[0].args[0].recipe.kind else { panic!("{plan:?}") };
            let Kind::SetUp { calls, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
            calls.iter().map(|call| call.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(calls("inside_sum"), ["gauge_set_level", "mode"]);
        assert_eq!(calls("gauge_sum"), ["gauge_set_level"], "nobody with a handle sets members");
    }
}
