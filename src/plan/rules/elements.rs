//! Objects with elements: vectors, matrices and tables of the project. They are told how many elements they have as
//! they are constructed, and hand out a reference to each. What else they could be made of, a factory of something
//! special or nothing at all, seldom agrees with what a unit wants of them.

use super::constructors;
use crate::lexicon::Role;
use crate::model::{Access, Class, Function, FunctionKind, Prim, Type, TypeKind};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe};
use crate::types::arithmetic::is_integer;
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// The most elements in a row, and the most rows and columns.
const MOST: u64 = 8;
const ROWS: u64 = 4;

/// An object of `class` whose elements are set; none where it is no such class, or somebody says how it is made.
pub(in crate::plan) fn elements(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    request: Request<'_>,
) -> Option<Recipe> {
    // (It may be the wrong way: where no input gets anywhere with it, there are others.)
    if super::overrides::is_told_of(scope, class) || scope.skipped > 0 {
        return None;
    }
    let with = Substitution::of(scope.model, class, ty.args());
    // (What hands out one of a row may be a bit of a number, or a field by its number.)
    let has_rows = tells_its_length(scope, class);
    [Some(2), has_rows.then_some(1)].into_iter().flatten().find_map(|dimensions| {
        let constructor = class.constructors(scope.model).find(|ctor| is_told(scope, ctor, dimensions))?;
        let accessors = class.functions(scope.model).filter(|f| hands_out(f, dimensions));
        let (accessor, of) = accessors.filter_map(|f| Some((f, element(&with, f)?))).next()?;
        let element = super::memory::element_slot(scope, &of, request).ok()?;
        let types = |function: &Function| -> Vec<Type> {
            function.params[..dimensions].iter().map(|param| value_type(param.ty.without_ref())).collect()
        };
        let kind = Kind::Elements {
            element,
            constructor: constructor.usr.clone(),
            lengths: types(constructor),
            indices: types(accessor),
            brackets: accessor.name == "operator[]",
            most: if dimensions == 1 { MOST } else { ROWS },
        };
        Some(kind.of(value_type(ty)).by("elements"))
    })
}

/// Whether an object says how many elements it has.
fn tells_its_length(scope: &UnitScope<'_>, class: &Class) -> bool {
    class.functions(scope.model).any(|f| {
        let tells = f.kind == FunctionKind::Method && f.is_const && f.params.is_empty() && is_count(&f.result);
        tells && scope.lexicon().says(&f.name, Role::Length)
    })
}

/// Whether a constructor may be told so many numbers, and nothing else.
fn is_told(scope: &UnitScope<'_>, ctor: &Function, dimensions: usize) -> bool {
    let (told, others) = ctor.params.split_at(dimensions.min(ctor.params.len()));
    constructors::is_open(ctor)
        && ctor.template.is_none()
        && told.len() == dimensions
        && told.iter().all(|param| is_count(&param.ty) && param.default.is_none())
        // (Where there is room, there is nothing yet.)
        && !told.iter().any(|param| scope.lexicon().says(&param.name, Role::Room))
        && others.iter().all(|param| param.default.is_some())
}

/// Whether a method may change the element at so many numbers.
fn hands_out(function: &Function, dimensions: usize) -> bool {
    let is_named = match dimensions {
        1 => matches!(function.name.as_str(), "operator[]" | "operator()"),
        _ => function.name == "operator()",
    };
    is_named
        && function.access == Some(Access::Public)
        && !function.is_const
        && !function.is_deleted
        && function.template.is_none()
        && function.params.len() == dimensions
        && function.params.iter().all(|param| is_count(&param.ty))
}

/// The number that a method hands out a reference to.
fn element(with: &Substitution, accessor: &Function) -> Option<Type> {
    let result = with.apply(&accessor.result);
    let TypeKind::LvalueRef(to) = &result.kind else { return None };
    (matches!(to.kind, TypeKind::Prim(_)) && !to.is_const).then(|| (**to).clone())
}

/// A number that may count.
fn is_count(ty: &Type) -> bool {
    use Prim::{Bool, Char, SChar, Short, UChar, UShort};
    let is_small = |prim: &Prim| matches!(prim, Bool | Char | SChar | UChar | Short | UShort);
    matches!(&ty.without_ref().kind, TypeKind::Prim(prim) if is_integer(*prim) && !is_small(prim))
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;
    use crate::plan::{Kind, Recipe};

    fn argument(source: &str) -> Recipe {
        let model = read_cpp(source);
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == "unit").unwrap();
        let plan = crate::plan::plan_unit(&planner, &unit.usr).expect("it can be planned");
        plan.entries[0].args[0].recipe.clone()
    }

    /// The first way to an object.
    fn first(recipe: &Recipe) -> &Recipe {
        if let Kind::Choice { among } = &recipe.kind { &among[0].recipe } else { recipe }
    }

    #[test]
    fn what_is_told_its_length_and_hands_out_elements_gets_them() {
        let vector = "template <class T> class Vec { public: Vec(); explicit Vec(int size, bool clear = false); \
            Vec(const char *text); int length() const { return n_; } T &operator()(int at) { return all_[at]; } \
            const T &operator()(int at) const { return all_[at]; } private: int n_ = 0; T *all_ = nullptr; };\n\
            Vec<double> sequence(int seed);\n";
        let recipe = argument(&format!("{vector}double unit(const Vec<double> &v) {{ return v(0); }}\n"));
        let Kind::Elements { element, lengths, indices, brackets: false, .. } = &first(&recipe).kind else {
            panic!("{recipe:?}")
        };
        assert_eq!((element.ty.spelling.as_str(), lengths.len(), indices.len()), ("double", 1, 1));
    }

    #[test]
    fn rows_and_columns_are_preferred_and_what_tells_no_length_is_no_row() {
        let recipe = argument(
            "class Table { public: Table(unsigned rows, unsigned columns); explicit Table(unsigned all); \
             unsigned size() const; float &operator()(unsigned r, unsigned c); float &operator[](unsigned at); };\n\
             float unit(Table &t) { return t(0, 0); }\n",
        );
        assert!(matches!(&first(&recipe).kind, Kind::Elements { lengths, .. } if lengths.len() == 2), "{recipe:?}");
        let recipe = argument(
            "class Box { public: explicit Box(unsigned colour); float &operator[](unsigned at); };\n\
             float unit(Box &b) { return b[0]; }\n",
        );
        assert!(!matches!(first(&recipe).kind, Kind::Elements { .. }), "{recipe:?}");
    }
}
