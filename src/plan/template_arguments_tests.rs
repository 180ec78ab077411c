//! Which arguments templates are driven with, on small sources.

use crate::hierarchy::Hierarchy;
use crate::model::{Model, TemplateArg};
use crate::overrides::Overrides;
use crate::parse::testing::read_cpp;
use crate::plan::planner::Planner;
use crate::plan::{Departure, Kind, Recipe, UnitPlan, plan_otherwise, plan_unit};
use crate::types::substitution::Substitution;

fn with_planner<T>(model: &Model, unit: &str, then: impl FnOnce(&Planner<'_>, &String) -> T) -> T {
    let hierarchy = Hierarchy::new(model);
    let overrides = Overrides::default();
    let planner = Planner::new(model, &hierarchy, &overrides);
    let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
    then(&planner, &function.usr)
}

fn planned(model: &Model, unit: &str) -> UnitPlan {
    with_planner(model, unit, plan_unit).unwrap_or_else(|reason| panic!("{unit}: {reason:?}"))
}

/// The class of the object and the types of the arguments.
fn types(plan: &UnitPlan) -> Vec<String> {
    let entry = &plan.entries[0];
    entry.class.iter().chain(entry.args.iter().map(|arg| &arg.ty)).map(|ty| ty.spelling.clone()).collect()
}

#[test]
fn what_only_instantiations_use_is_driven_as_they_use_it() {
    let model = read_cpp(
        "struct Value { int at; };\n\
         template <class T> struct Inner { int of(const T &t) const { return t.at; } };\n\
         template <class Visitor> int each(Visitor v) { return v.at + 1; }\n\
         template <class T> struct Outer { int run(T t) { Inner<T> inner; return inner.of(t) + each(t); } };\n\
         int use(Value v) { Outer<Value> outer; return outer.run(v); }\n",
    );
    assert_eq!(types(&planned(&model, "Inner::of")), ["Inner<Value>", "const Value &"]);
    assert_eq!(planned(&model, "each").entries[0].with_arguments("each"), "each<Value>");
    let inner = model.classes.values().find(|class| class.name == "Inner").unwrap();
    assert!(!model.instantiations.contains_key(&inner.usr) && model.inner_instantiations.contains_key(&inner.usr));
}

#[test]
fn a_method_is_driven_of_the_class_that_the_project_calls_it_of() {
    let model = read_cpp(
        "struct A { int a; }; struct B { int b; };\n\
         template <class T> struct Box { T held; int left() { return held.a; } int right() { return held.b; } };\n\
         int use(Box<A> a, Box<B> b) { return a.left() + b.right(); }\n",
    );
    assert_eq!(types(&planned(&model, "Box::left")), ["Box<A>"]);
    assert_eq!(types(&planned(&model, "Box::right")), ["Box<B>"]);
}

#[test]
fn a_constructor_template_is_driven_and_makes_objects_with_what_it_is_called_with() {
    let model = read_cpp(
        "struct Part { int n; };\n\
         class Sum { int n_; public: template <class T> explicit Sum(const T &part) : n_(part.n) {} \
         int get() { return n_; } };\n\
         int use(Part p) { return Sum(p).get(); }\n",
    );
    let made = planned(&model, "Sum::Sum").entries[0].object.clone().unwrap();
    let Kind::Construct { args, .. } = &made.recipe.kind else { panic!("{made:?}") };
    assert_eq!(args[0].ty.spelling, "const Part &");
    let object = planned(&model, "Sum::get").entries[0].object.clone().unwrap();
    assert!(matches!(&object.recipe.kind, Kind::Construct { args, .. } if args.len() == 1), "{object:?}");
}

#[test]
fn a_friend_that_a_class_template_defines_has_its_parameters() {
    let model = read_cpp(
        "template <class T> class Box { T held_{}; public: friend void swap(Box &left, Box &right) {\n    \
           T kept = left.held_; left.held_ = right.held_; right.held_ = kept; }\n  \
           friend T operator+(const Box &left, T right) { return left.held_ + right; } };\n\
         void use(Box<long> a, Box<long> b) { swap(a, b); a + 2; }\n",
    );
    let plan = planned(&model, "swap");
    assert_eq!(types(&plan), ["Box<long> &", "Box<long> &"]);
    assert_eq!(plan.entries[0].instance(&model).params[0].ty.spelling, "Box<long> &");
    assert_eq!(types(&planned(&model, "operator+")), ["const Box<long> &", "long"]);
}

#[test]
fn members_of_what_stands_for_a_parameter_are_looked_up() {
    let model = read_cpp(
        "#include <map>\n#include <string>\n#include <vector>\nnamespace n {\n\
         template <template <class, class...> class L = std::vector, class N = long> class Doc {\n public:\n  \
           using number_t = N; using list_t = L<N>; typedef std::map<std::string, N> object_t;\n  \
           N at(const typename object_t::key_type &key) { return N(key.size()); } };\n\
         template <class J> int read(const J &, typename J::list_t &to, typename J::number_t one) { \
         to.push_back(one); return 1; }\n\
         template <class J> struct Reader { using list_t = typename J::list_t; \
         int size(const list_t &list) { return int(list.size()); } };\n\
         int use(Doc<> d) { std::vector<long> to; Reader<Doc<>> r; return read(d, to, 2L) + r.size(to) + \
         int(d.at(\"\")); } }\n",
    );
    let seen = |unit: &str| types(&planned(&model, unit));
    assert_eq!(seen("n::read")[1..], ["std::vector<long> &", "long"]);
    assert_eq!(seen("n::Reader::size")[1..], ["const std::vector<long> &"]);
    assert_eq!(seen("n::Doc::at")[1..], ["const std::string &"]);
}

#[test]
fn a_class_template_that_is_nested_in_another_has_the_arguments_of_both() {
    let model = read_cpp(
        "template <class T> struct Outer { template <class U, int N> struct Inner { T t; U u[N]; \
            U sum(T more) { return u[0] + more + t; } }; };\n\
         long use() { Outer<short>::Inner<long, 3> inner{}; return inner.sum(2); }\n",
    );
    let plan = planned(&model, "Outer::Inner::sum");
    assert_eq!(types(&plan), ["Outer<short>::Inner<long, 3>", "short"]);
    assert_eq!(plan.entries[0].result.as_ref().unwrap().spelling, "long");
}

#[test]
fn a_partial_specialisation_is_driven_with_what_selects_it() {
    let source = "template <class T, class U> struct Pair { int a; };\n\
         template <class T, class U> struct Pair<T *, U> { U held; U get(T *of) { return of ? held : U(); } };\n";
    let used = read_cpp(&format!("{source}int use(Pair<const char *, short> p) {{ return p.get(nullptr); }}\n"));
    let plan = planned(&used, "Pair::get");
    assert_eq!(types(&plan), ["Pair<const char *, short>", "const char *"]);
    assert_eq!(plan.entries[0].result.as_ref().unwrap().spelling, "short");
    assert_eq!(types(&planned(&read_cpp(source), "Pair::get")), ["Pair<int *, int>", "int *"]);
}

#[test]
fn an_array_whose_length_is_a_parameter_is_one_of_that_length() {
    let model = read_cpp(
        "template <int N> int length(const char (&text)[N]) { return N - 1 + text[0]; }\n\
         int use() { return length(\"four\"); }\n",
    );
    assert_eq!(types(&planned(&model, "length")), ["const char (&)[5]"]);
}

#[test]
fn other_arguments_are_another_way() {
    let model = read_cpp(
        "#include <string>\ntemplate <class T> int size(const T &of) { return int(of.size()); }\n\
         template <class T> struct Box { T held; int get() { return int(held); } \
         };\nint use(Box<int> a, Box<long> b);\n",
    );
    let otherwise = |unit: &str, others: usize| {
        with_planner(&model, unit, |planner, usr| {
            plan_otherwise(planner, usr, Departure { skipped: others, ..Departure::default() })
        })
        .map(|plan| types(&plan))
    };
    assert_eq!(otherwise("size", 0).unwrap(), ["const int &"]);
    assert_eq!(otherwise("size", 1).unwrap(), ["const std::string &"]);
    assert_eq!(otherwise("Box::get", 1).unwrap(), ["Box<long>"]);
    assert!(otherwise("Box::get", 2).is_err());
}

#[test]
fn parameters_that_are_called_alike_in_one_header_get_the_same() {
    let model = read_cpp(
        "struct Doc { int n; };\ntemplate <class DocType> int used(DocType &d) { return d.n; }\n\
         template <class DocType> int unused(DocType &d, int by) { return d.n / by; \
         }\nint use(Doc d) { return used(d); }\n",
    );
    assert_eq!(types(&planned(&model, "unused"))[0], "Doc &");
}

#[test]
fn a_lambda_that_the_project_hands_on_becomes_a_function_object() {
    let model = read_cpp(
        "#include <functional>\ntemplate <class F> int each(int n, F &&visit) { int sum = 0; for (int i = 0; i < n; \
            ++i) sum += visit(i); return sum; }\n\
         struct Tree { template <class F> bool walk(F &&done) const { return done(1, 2.0); } };\n\
         int use(Tree t) { int seen = 0; t.walk([&](int a, double) { seen += a; return seen > 3; }); \
         return each(4, [](int i) { return i * 2; }); }\n",
    );
    assert_eq!(types(&planned(&model, "each")), ["int", "std::function<int (int)> &&"]);
    assert_eq!(types(&planned(&model, "Tree::walk")), ["Tree", "std::function<bool (int, double)> &&"]);
}

#[test]
fn what_only_a_compiler_can_say_of_a_result_an_instantiation_shows() {
    let model = read_cpp(
        "#include <utility>\nstruct Part { long of; };\n\
         template <class T> auto first(T t) -> decltype(std::declval<T>().of) { return t.of; }\n\
         long use(Part p) { return first(p); }\n",
    );
    assert_eq!(planned(&model, "first").entries[0].result.as_ref().unwrap().spelling, "long");
}

#[test]
fn what_a_template_says_itself_is_not_said_again() {
    let model = read_cpp(
        "#include <type_traits>\ntemplate <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = \
            0> T half(T x) { return x / 2; }\n\
         int use() { return half(3); }\ntemplate <class T = int> T one() { return 1; }\n",
    );
    assert_eq!(planned(&model, "one").entries[0].with_arguments("one"), "one");
    assert_eq!(planned(&model, "half").entries[0].with_arguments("half"), "half<int, 0>");
}

#[test]
fn an_argument_that_is_a_difference_is_computed() {
    let model = read_cpp(
        "template <unsigned N> struct rank : rank<N - 1> {}; template <> struct rank<0> {};\n\
         template <class T> int of(T t, rank<2>) { return t; }\nint use() { return of(1, rank<2>{}); }\n",
    );
    let class = model.classes.values().find(|class| class.name == "rank" && class.template.is_some()).unwrap();
    let with = Substitution::of(&model, class, &[TemplateArg::Value("2".into())]);
    assert_eq!(with.apply(&class.bases[0].ty).spelling, "rank<1>");
}

#[test]
fn a_member_that_is_specialised_for_one_class_is_driven_of_that() {
    let model = read_cpp(
        "template <class T> struct Format { static int digits(int more); int kept; };\n\
         template <> inline int Format<double>::digits(int more) { return more + 17; }\n\
         int use(Format<float> one) { return one.kept + Format<double>::digits(1); }\n",
    );
    assert_eq!(types(&planned(&model, "Format::digits")), ["Format<double>", "int"]);
}

#[test]
fn a_class_template_that_nobody_uses_gets_what_it_says_itself() {
    let model = read_cpp("template <class Ch = char> struct Text { Ch first; int is(Ch c) { return first == c; } };\n");
    assert_eq!(types(&planned(&model, "Text::is")), ["Text<char>", "char"]);
}

#[test]
fn a_class_template_that_overrides_what_a_base_with_its_parameter_leaves_open_is_not_abstract() {
    let model = read_cpp(
        "template <class C> struct Sink { virtual ~Sink() = default; virtual void put(C c) = 0; \
            virtual int size() const = 0; };\n\
         template <class C> struct Counter : Sink<C> { int n = 0; void put(C) override { ++n; } \
         int size() const override { return n; } };\n\
         template <class C> struct Half : Sink<C> { void put(C) override {} };\n",
    );
    let is_abstract = |name: &str| model.classes.values().find(|class| class.name == name).unwrap().is_abstract;
    assert_eq!(["Sink", "Counter", "Half"].map(is_abstract), [true, false, true]);
}

#[test]
fn a_constructor_template_of_a_class_template_makes_the_instantiation_that_the_project_makes_with_it() {
    let model = read_cpp(
        "struct Part { int n; };\n\
         template <class T> class Sum { T n_; public: template <class U> explicit Sum(const U &part) : n_(part.n) \
         {}\n  \
           T get() const { return n_ * 2; } };\n\
         class Text { int n_ = 0; public: template <class Iterator> Text(Iterator at, Iterator end) { for (; \
         at != end; ++at) ++n_; }\n  \
           int size() const { return n_; } };\n\
         long use(Part p) { return Sum<long>(p).get(); }\n",
    );
    let made = |unit: &str| match planned(&model, unit).entries[0].object.clone().unwrap().recipe {
        Recipe { kind: Kind::Construct { args, .. }, .. } => {
            args.into_iter().map(|arg| arg.ty.spelling).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(made("Sum::get"), ["const Part &"]);
    assert_eq!(made("Text::size"), ["const char *", "const char *"]);
}

#[test]
fn a_value_that_nobody_says_is_the_default_or_an_enumerator_where_such_a_constant_is_known() {
    let model = read_cpp(
        "namespace n { enum class Mode { fast, slow }; namespace detail { constexpr int most = 8; }\n\
         template <class T, int N = detail::most> struct Ring { int f(T t) { return t.a(N); } };\n\
         template <Mode M = Mode::slow> struct Engine { int f() { return M == Mode::slow; } };\n\
         template <Mode M> struct Gear { int f() { return M == Mode::slow; } };\n\
         template <class T, int N = T::size> struct Block { int f() { return N; } };\n\
         template <class T, int N = sizeof(T) * 2> struct Pair { int f() { return N; } }; }",
    );
    let arguments = |unit: &str| types(&planned(&model, unit))[0].clone();
    assert_eq!(arguments("n::Engine::f"), "n::Engine<n::Mode::slow>");
    assert_eq!(arguments("n::Gear::f"), "n::Gear<n::Mode::fast>");
    assert_eq!(arguments("n::Block::f"), "n::Block<int>");
    assert_eq!(arguments("n::Pair::f"), "n::Pair<int>");
}
