//! Arguments that a method removes or looks up are inserted before: `removeChild(child)` after `addChild(child)`. Many
//! methods crash on an object that was never inserted.

use super::request::Request;
use super::unit_scope::UnitScope;
use super::{Given, PairedSetup, Slot};
use crate::lexicon::Role;
use crate::model::{Class, Function, FunctionKind, Language, Model, Param, Type, TypeKind};
use crate::plan::rules::setup_calls::public_methods;
use crate::types::records::points_to;
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// How methods are called that put something in, the best first.
const PUTS_IN: [Role; 2] = [Role::Adds, Role::Sets];
/// A method that asks for more besides is no way to put something in.
const BESIDES: usize = 2;

/// How an argument of `method`, called on an object of `class`, gets into that object beforehand; none where the method
/// takes nothing out and looks for nothing, or nothing puts it in.
pub(super) fn put_in<'m>(
    scope: &UnitScope<'m>,
    method: &Function,
    class: &'m Class,
    with: &Substitution,
    args: &[Slot],
    request: Request<'_>,
) -> Option<PairedSetup> {
    let lexicon = scope.lexicon();
    let (_, what) = lexicon.first(&method.name, [Role::Removes, Role::LooksUp])?;
    let takes = lexicon.begins(&method.name, Role::Removes);
    let is_told = |slot: &Slot| scope.overrides.parameter(&method.id, &slot.name).is_some();
    let can = |slot: &Slot| can_be_put_in(scope, slot, takes) && !is_told(slot);
    let mut ways: Vec<(usize, &Function)> = public_methods(scope.model, class)
        .into_iter()
        .filter(|f| f.kind == FunctionKind::Method && f.usr != method.usr)
        .filter(|f| !f.is_const && !f.is_deleted && !f.is_variadic && f.template.is_none())
        .filter(|f| f.ref_qualifier.as_deref() != Some("&&"))
        .filter_map(|f| {
            let (rank, put) = lexicon.first(&f.name, PUTS_IN)?;
            // `removeListener` goes with `addListener`, and with `add`.
            let likeness = if put == what {
                0
            } else if put.is_empty() || what.is_empty() {
                1
            } else {
                return None;
            };
            Some((likeness * lexicon.ranks(PUTS_IN) + rank, f))
        })
        .collect();
    ways.sort_by_key(|(rank, f)| (*rank, f.params.len(), f.id.clone()));
    let open: Vec<usize> = (0..args.len()).filter(|at| can(&args[*at])).collect();
    ways.into_iter().find_map(|(_, f)| {
        let required = f.params.iter().take_while(|param| param.default.is_none()).count();
        if crate::plan::rules::setup_calls::is_ambiguous(scope.model, class, f, required) {
            return None;
        }
        let given = given(scope, &f.params[..required], with, args, &open, request)?;
        Some(PairedSetup { method: f.usr.clone(), name: f.name.clone(), args: given })
    })
}

/// As `put_in`, for a function of C and the structure that it takes a pointer to before everything else: `ht_get(table,
/// key)` after `ht_set(table, key, value)`.
pub(super) fn put_in_c(
    scope: &UnitScope<'_>,
    function: &Function,
    args: &[Slot],
    request: Request<'_>,
) -> Option<PairedSetup> {
    let (object, rest) = args.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let of = object.ty.pointee()?.record()?;
    let lexicon = scope.lexicon();
    let (what, takes) = match lexicon.apart(&function.name, Role::Removes) {
        Some((_, what)) => (what, true),
        None => (lexicon.apart(&function.name, Role::LooksUp)?.1, false),
    };
    let is_told = |slot: &Slot| scope.overrides.parameter(&function.id, &slot.name).is_some();
    if object.nullable || is_told(object) {
        return None;
    }
    let can = |slot: &Slot| can_be_put_in(scope, slot, takes) && !is_told(slot);
    let open: Vec<usize> = (0..rest.len()).filter(|at| can(&rest[*at])).collect();
    let is_near = |f: &Function| {
        let at_home = f.definition.as_ref().is_some_and(|at| scope.sees(&at.extent.file));
        (!f.is_file_local || at_home) && scope.is_declared(f)
    };
    let puts = |f: &Function| {
        let takes_one = f.params.len() > 1 && points_to(&f.params[0].ty, of) && !f.is_variadic && f.usr != function.usr;
        let (rank, put) = lexicon.apart(&f.name, PUTS_IN).filter(|_| takes_one)?;
        let within = |some: &[String], all: &[String]| some.iter().all(|word| all.contains(word));
        // `list_remove_node` goes with `list_add_node`, and with `list_add`.
        let likeness = if put == what {
            0
        } else if within(&put, &what) || within(&what, &put) {
            1
        } else {
            return None;
        };
        Some(likeness * lexicon.ranks(PUTS_IN) + rank)
    };
    let functions = scope.model.functions.values().filter(|f| f.language == Language::C && f.owner.is_none());
    let mut ways: Vec<(usize, &Function)> = functions.filter_map(|f| Some((puts(f)?, f))).collect();
    ways.sort_by_key(|(rank, f)| (*rank, f.params.len(), f.id.clone()));
    ways.into_iter().filter(|(_, f)| is_near(f)).find_map(|(_, f)| {
        let given = given(scope, &f.params[1..], &Substitution::default(), rest, &open, request)?;
        let behind = given.into_iter().map(|arg| match arg {
            Given::Argument(at) => Given::Argument(at + 1),
            own => own,
        });
        let args = std::iter::once(Given::Argument(0)).chain(behind).collect();
        Some(PairedSetup { method: f.usr.clone(), name: f.name.clone(), args })
    })
}

/// The arguments of a method that inserts: arguments of the unit, of which those at `open` can be
/// passed twice, and plain values besides. Names tell which is which, where they agree; else it is the first of a type.
/// None where no argument of the unit is among them, or too much else.
fn given(
    scope: &UnitScope<'_>,
    params: &[Param],
    with: &Substitution,
    args: &[Slot],
    open: &[usize],
    request: Request<'_>,
) -> Option<Vec<Given>> {
    let fits = |at: usize, param: &Param| {
        let ty = with.apply(&param.ty);
        takes_no_rvalue(&ty) && alike(&args[at].ty, &ty)
    };
    let named = |param: &Param| open.iter().copied().find(|at| args[*at].name == param.name && fits(*at, param));
    let mut places: Vec<Option<usize>> = params.iter().map(named).collect();
    if places.iter().all(Option::is_none) {
        // `insert(index, value)` and `find(value)`: what is called otherwise there is something else.
        let is_else = |at: usize| params.iter().any(|param| param.name == args[at].name && !param.name.is_empty());
        let first = |param: &Param| open.iter().copied().find(|at| fits(*at, param) && !is_else(*at));
        let (place, at) = params.iter().enumerate().find_map(|(place, param)| Some((place, first(param)?)))?;
        places[place] = Some(at);
    }
    if params.len() - places.iter().flatten().count() > BESIDES {
        return None;
    }
    let given = places.into_iter().zip(params).map(|(at, param)| {
        Some(match at {
            Some(at) => Given::Argument(at),
            None => Given::Own(Box::new(besides(scope, param, with, request)?)),
        })
    });
    given.collect()
}

/// Whether the value of a slot can be put in and passed once more. An empty smart pointer is nothing to put in.
fn can_be_put_in(scope: &UnitScope<'_>, slot: &Slot, takes: bool) -> bool {
    let is_object = |ty: &Type| matches!(ty.kind, TypeKind::Record { .. });
    let moves = |ctor: &Function| {
        ctor.is_copy_or_move && (ctor.is_deleted || matches!(ctor.params.first(), Some(p) if !takes_no_rvalue(&p.ty)))
    };
    let class = slot.ty.record().filter(|_| is_object(&slot.ty)).and_then(|usr| scope.model.classes.get(usr));
    let is_moved = class.is_some_and(|class| {
        let copies = |ctor: &Function| ctor.is_copy_or_move && !ctor.is_deleted && takes_no_rvalue(&ctor.params[0].ty);
        class.constructors(scope.model).any(moves) && !class.constructors(scope.model).any(copies)
    });
    can_be_passed_twice(scope.model, &slot.ty, takes)
        && !is_moved
        && !(slot.nullable && is_object(slot.ty.without_ref()))
}

/// A plain value for a parameter besides.
fn besides(scope: &UnitScope<'_>, param: &Param, with: &Substitution, request: Request<'_>) -> Option<Slot> {
    let made = scope.params(std::slice::from_ref(param), with, None, request.without_setup());
    made.ok()?.pop().filter(|slot| crate::plan::rules::setup_calls::is_simple(&slot.recipe))
}

/// Whether a value that is passed by a parameter of one type can be passed by one of the other as well.
fn alike(one: &Type, other: &Type) -> bool {
    let bare = |ty: &Type| match &ty.without_ref().kind {
        TypeKind::Pointer(to) => format!("{} *", value_type(to).canonical()),
        _ => value_type(ty.without_ref()).canonical(),
    };
    let keeps_const = |ty: &Type| matches!(&ty.without_ref().kind, TypeKind::Pointer(to) if to.is_const);
    bare(one) == bare(other) && (!keeps_const(one) || keeps_const(other))
}

fn takes_no_rvalue(ty: &Type) -> bool {
    !matches!(ty.kind, TypeKind::RvalueRef(_))
}

/// Whether a value is still there after it was passed. Objects behind pointers may be somebody's from then on: they are
/// passed twice only where they are taken out again.
fn can_be_passed_twice(model: &Model, ty: &Type, takes: bool) -> bool {
    match &ty.kind {
        TypeKind::RvalueRef(_) => false,
        TypeKind::LvalueRef(to) => can_be_passed_twice(model, to, takes),
        TypeKind::Pointer(to) => match &to.kind {
            TypeKind::Prim(_) => to.is_const,
            TypeKind::Record { .. } => takes,
            // What a callback is to be given, say: nobody but the caller knows what it is.
            TypeKind::Void => takes || to.is_const,
            _ => false,
        },
        TypeKind::Record { .. } => !crate::types::standard::owns_alone(model, ty),
        TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;

    fn put_in(unit: &str) -> Option<String> {
        let model = read_cpp(
            "#include <memory>\n#include <string>\nstruct Item { int n; };\n\
             class Bag { Item *first = nullptr; public: void add(Item *item); \
             void addName(const std::string &name, double weight);\n\
               void addSole(std::unique_ptr<Item> item); void addShared(std::shared_ptr<Item> item); \
               void insertAt(int at, Item *item);\n\
               void remove(Item *item) { first = item; } bool contains(const Item *item) const { return item; }\n\
               double nameOf(const std::string &n) const { return n.size(); } \
               bool hasName(const std::string &n) const { return n.size(); }\n\
               void removeSole(std::unique_ptr<Item> i) { i.reset(); } \
               void eraseShared(const std::shared_ptr<Item> &i) { first = i.get(); }\n\
               void issue(Item *item) { first = item; } void removeAt(int at) { first += at; } };",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
        let plan = crate::plan::plan_unit(&planner, &function.usr).expect("it can be planned");
        let put = plan.entries[0].put_in.as_ref()?;
        let args = put.args.iter().map(|arg| match arg {
            Given::Argument(at) => plan.entries[0].args[*at].name.clone(),
            Given::Own(slot) => format!("own {}", slot.name),
        });
        Some(format!("{}({})", put.name, args.collect::<Vec<_>>().join(", ")))
    }

    #[test]
    fn what_is_taken_out_or_looked_for_was_put_in_by_what_puts_in_such() {
        assert_eq!(put_in("Bag::remove").as_deref(), Some("add(item)"));
        assert_eq!(put_in("Bag::hasName").as_deref(), Some("addName(n, own weight)"));
        assert_eq!(put_in("Bag::eraseShared").as_deref(), Some("addShared(i)"));
    }

    #[test]
    fn nothing_is_put_in_that_could_be_somebody_elses_or_that_nobody_looks_for() {
        // Who is asked for what an owner has been given would see it die.
        for unit in ["Bag::contains", "Bag::removeSole", "Bag::nameOf", "Bag::issue"] {
            assert_eq!(put_in(unit), None, "{unit}");
        }
    }
}
