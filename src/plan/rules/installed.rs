//! Objects of installed libraries that are made in ways of their own: rows and columns whose elements are set, and what
//! holds a value of one of several types.

use crate::model::{Class, Function, FunctionKind, Type, TypeKind};
use crate::plan::construction_graph::{Builder, Edge, Need, Object, Way};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, SetUpCall, Slot};
use crate::types::spelling::value_type;

/// The most rows, and the most columns, where an object may have any number.
const ROWS: u64 = 4;

/// Rows and columns.
pub(in crate::plan) fn ways<'m>(_: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    if object.is_grid() {
        edges.push(Edge::new(Way::Fields, Need::of(2)));
    }
}

/// The recipe for an object of `class`, if it is one of those.
pub(in crate::plan) fn installed<'m>(
    scope: &UnitScope<'m>,
    ty: &Type,
    class: &'m Class,
    request: Request<'_>,
) -> Option<Recipe> {
    let installed =
        class.installed.as_ref().filter(|_| scope.in_reach(class) && !super::overrides::is_told_of(scope, class))?;
    if let Some(element) = &installed.grid {
        let element = super::memory::element_slot(scope, element, request).ok()?;
        return Some(Kind::Grid { element, most: ROWS, fixed: installed.is_fixed }.of(value_type(ty)));
    }
    installed.spelling.as_ref()?;
    any(scope, ty, class, request)
}

/// A class with constructors for several types may hold a value of any: the data says which.
fn any<'m>(scope: &UnitScope<'m>, ty: &Type, class: &'m Class, request: Request<'_>) -> Option<Recipe> {
    let is_plain = |function: &&Function| match function.params.as_slice() {
        [] => true,
        [only] => matches!(only.ty.without_ref().kind, TypeKind::Prim(_) | TypeKind::Record { .. }),
        _ => false,
    };
    let made = class.constructors(scope.model).filter(is_plain);
    let taken: Vec<&Function> = made.filter(|function| function.kind == FunctionKind::Constructor).collect();
    if taken.iter().filter(|function| !function.params.is_empty()).count() < 2 {
        return None;
    }
    let grows = class.methods.iter().filter_map(|usr| scope.model.functions.get(usr)).find(|f| f.name == "push_back");
    let ty = &value_type(ty);
    let name = crate::types::spelling::variable(&ty.spelling);
    let slot = |recipe| Slot::new(name.clone(), ty.clone(), recipe);
    let mut among: Vec<Slot> = taken
        .iter()
        .filter_map(|constructor| {
            let args = scope
                .params(
                    &constructor.params,
                    &crate::types::substitution::Substitution::none(scope.model),
                    None,
                    request,
                )
                .ok()?;
            let constructor = Some(constructor.usr.clone());
            Some(slot(Kind::Construct { constructor, args, kept: false }.of(ty.clone())))
        })
        .collect();
    // An empty one may become a list of others.
    if let Some(grows) = grows
        && let Some(nothing) =
            among.iter().find(|slot| matches!(&slot.recipe.kind, Kind::Construct { args, .. } if args.is_empty()))
    {
        let object = Box::new(nothing.clone());
        let element = Slot { name: "element".into(), ..slot(Kind::Choice { among: among.clone() }.of(ty.clone())) };
        let call = SetUpCall { method: grows.usr.clone(), name: grows.name.clone(), args: vec![element], fills: false };
        among.push(slot(Kind::SetUp { object, calls: vec![call], most: super::setup_calls::MOST }.of(ty.clone())));
    }
    Some(Kind::Choice { among }.of(ty.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::Small;
    use crate::plan::planner::Planner;

    #[test]
    fn rows_and_columns_are_set_and_what_holds_anything_is_made_of_anything() {
        let header = "#pragma GCC system_header\n#include <string>\nnamespace lib {\n\
            template <int R> class Grid { public: int rows() const { return R; } int cols() const { return 2; } \
            void resize(int, int) {}\n\
            float &operator()(int r, int c) { return all_[r][c]; } float operator()(int r, int c) const { return \
            all_[r][c]; } private: float all_[R][2]; };\n\
            template <class T> class Any { public: Any() {} Any(bool) {} Any(double) {} Any(const std::string &) {} \
            void push_back(const Any &) {} };\n\
            class Alone { public: int of() const { return 1; } private: Alone() {} }; }\n";
        let text = "#include <lib.h>\nint take(const lib::Grid<3> &grid, const lib::Any<int> &any) { return \
            grid.rows(); }\n\
            int refuse(const lib::Alone &alone) { return alone.of(); }\n";
        let model = Small::new(&[("lib.h", header), ("a.cpp", text)], "-std=c++17").model();
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = |name: &str| model.functions.values().find(|f| f.name == name).map(|f| f.usr.clone()).unwrap();
        let plan = crate::plan::plan_unit(&planner, &unit("take")).expect("it can be planned");
        let [grid, any] = plan.entries[0].args.as_slice() else { panic!("two arguments") };
        assert!(matches!(grid.recipe.kind, Kind::Grid { fixed: true, .. }), "{grid:?}");
        let Kind::Choice { among, .. } = &any.recipe.kind else { panic!("{any:?}") };
        let is_list = |slot: &&Slot| matches!(slot.recipe.kind, Kind::SetUp { .. });
        assert_eq!(
            (among.iter().filter(is_list).count(), among.len()),
            (1, 5),
            "nothing, three values, and a list of these"
        );
        assert!(crate::plan::plan_unit(&planner, &unit("refuse")).is_err());
        assert!(!hierarchy.dot().contains("lib::"), "{}", hierarchy.dot());
    }
}
