use super::super::entry::plan_unit;
use super::super::planner::Planner;
use super::super::{Kind, Recipe, UnitPlan};
use crate::hierarchy::Hierarchy;
use crate::overrides::Overrides;
use crate::parse::project;
use crate::parse::testing::{Small, read_cpp};

fn planned(source: &str, unit: &str) -> Result<UnitPlan, String> {
    let model = read_cpp(source);
    let hierarchy = Hierarchy::new(&model);
    let overrides = Overrides::default();
    let planner = Planner::new(&model, &hierarchy, &overrides);
    let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
    plan_unit(&planner, &function.usr).map_err(|reason| reason.what)
}

fn argument(source: &str, unit: &str) -> Recipe {
    planned(source, unit).expect("it can be planned").entries[0].args[0].recipe.clone()
}

/// How often a recipe of this sort occurs.
fn count(recipe: &Recipe, wanted: &dyn Fn(&Recipe) -> bool) -> usize {
    let mut found = 0;
    recipe.walk(&mut |part| found += usize::from(wanted(part)));
    found
}

#[test]
fn a_factory_beats_an_empty_shell_and_a_constructor_with_numbers_beats_both() {
    let shell = "struct Doc { Doc(); }; Doc load(const char *text); int f(const Doc &d) { return 1; }";
    assert!(matches!(argument(shell, "f").kind, Kind::Factory { .. }));
    let numbers =
        "struct Doc { Doc(); Doc(int a, int b); }; Doc load(const char *text); int f(const Doc &d) { return 1; }";
    assert!(matches!(argument(numbers, "f").kind, Kind::Construct { args, .. } if args.len() == 2));
}

#[test]
fn the_data_chooses_between_the_form_of_a_factory_that_asks_for_nothing_and_one_that_has_something_to_put_in() {
    let code = "struct Ring { friend struct Maker; int at; private: Ring(int at); };\n\
        struct Area { friend struct Maker; int size; private: Area(int size); };\n\
        struct Maker { Ring ring(); Ring ring(const char *text, struct Word &word); Area area(int dimension); \
        Area area(const Ring &ring); };\n\
        struct Word { int length; };\nint f(const Area &area) { return 1; }";
    let recipe = argument(code, "f");
    let Kind::Choice { among, .. } = &recipe.kind else { panic!("{recipe:?}") };
    let takes = |recipe: &Recipe| match recipe.clone().without_set_up() {
        Recipe { kind: Kind::Factory { args, .. }, .. } => {
            args.iter().map(|arg| arg.recipe.clone()).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert!(matches!(takes(&among[0].recipe)[..], [Recipe { kind: Kind::Prim { .. }, .. }]));
    let [ring] = &takes(&among[1].recipe)[..] else { panic!("{:?}", among[1]) };
    // An object that is put in is no shell either.
    assert_eq!(takes(ring).len(), 2, "{ring:?}");
    let only = code.replace("Area area(const Ring &ring);", "Area area(long dimension);");
    assert!(!matches!(argument(&only, "f").kind, Kind::Choice { .. }));
}

#[test]
fn the_data_chooses_between_an_object_of_nothing_and_one_that_something_else_is_made_into() {
    let code = "struct Piece { Piece(const char *text); };\n\
        struct Tree { friend struct Trees; int depth; struct Program *compile(int most); struct Program *current(); \
        private: Tree(); };\n\
        struct Trees { static Tree *leaf(int n); static Tree *parse(const Piece &text, struct Status *status); };\n\
        struct Status { int code; };\nstruct Program { Program(); int size() const; private: int size_; };\n\
        int f(const Program &program) { return 1; }";
    let recipe = argument(code, "f");
    let Kind::Choice { among, .. } = &recipe.kind else { panic!("{recipe:?}") };
    let [_, full] = &among[..] else { panic!("{among:?}") };
    let Kind::Factory { function, object: Some(tree), .. } = full.recipe.clone().without_set_up().kind else {
        panic!("{full:?}")
    };
    assert!(function.contains("compile"), "{function}");
    let Kind::Factory { function, .. } = tree.recipe.clone().without_set_up().kind else { panic!("{tree:?}") };
    assert!(function.contains("parse"), "what is read has more in it: {function}");
    // An object that is only looked up may be anybody's.
    let looked_up = code.replace("struct Program *compile(int most); ", "");
    assert!(!matches!(argument(&looked_up, "f").kind, Kind::Choice { .. }));
}

#[test]
fn what_only_makes_another_object_may_be_a_shell() {
    let source = "struct Reader { Reader(); int *p; }; class Doc { Doc(); friend struct Parser; };\n\
                  struct Parser { Parser(); Parser(const Reader &, const Reader &, int); \
                  Doc *parse(const char *text); };\n\
                  int f(const Doc &d) { return 1; }";
    let Kind::Factory { object, .. } = argument(source, "f").kind else { panic!() };
    let recipe = object.unwrap().recipe.without_set_up();
    assert!(matches!(&recipe.kind, Kind::Construct { args, .. } if args.is_empty()), "{recipe:?}");
}

#[test]
fn classes_that_need_each_other_end_the_search_and_a_pointer_to_what_can_not_be_had_is_null() {
    let circle = "class A; class B { public: B(A &a); }; class A { public: A(B &b); }; int f(A &a) { return 1; }";
    let why = planned(circle, "f").unwrap_err();
    assert!(why.contains("no `A` can be constructed") && why.contains("needs another one"), "{why}");
    let node = "class Node { public: Node(Node *parent, int value); int n; }; int f(const Node &n) { return n.n; }";
    let Kind::Construct { args, .. } = argument(node, "f").kind else { panic!() };
    assert!(
        matches!(&args[0].recipe.kind, Kind::Fixed { expression, .. } if expression == "static_cast<Node *>(nullptr)")
    );
}

#[test]
fn an_abstract_class_without_visible_subclasses_comes_from_the_function_that_hands_one_out() {
    let source = "struct Rule { virtual ~Rule(); virtual bool holds(int) const = 0; static const Rule &usual(); };\n\
                  int f(const Rule &rule) { return rule.holds(1); }";
    assert!(matches!(argument(source, "f").kind, Kind::Factory { callee, .. } if callee == "Rule::usual"));
    let opaque = "struct Handle; Handle *open_handle(int flags); int f(Handle *h) { return h != nullptr; }";
    let recipe = argument(opaque, "f");
    assert_eq!(count(&recipe, &|part| matches!(part.kind, Kind::Factory { .. })), 1, "{recipe:?}");
}

#[test]
fn plans_stay_small_where_every_class_has_many_subclasses_that_need_one_another() {
    let mut source = String::from("struct G { virtual ~G(); virtual int n() const = 0; };\n");
    for n in 0..10 {
        source +=
            &format!("struct G{n} : G {{ G{n}(const G &a, const G &b); int n() const override {{ return 1; }} }};\n");
    }
    source += "struct Point : G { Point(double x, double y); int n() const override { return 2; } };\n\
               int f(const G &g) { return g.n(); }";
    let recipe = argument(&source, "f");
    let Kind::Choice { among, .. } = &recipe.kind else { panic!("{recipe:?}") };
    assert_eq!(among.len(), 8);
    assert!(count(&recipe, &|part| matches!(part.kind, Kind::Construct { .. })) < 200);
}

#[test]
fn a_template_that_names_ever_greater_instantiations_of_itself_does_not_go_on_for_ever() {
    let source = "template <class T> struct Box { Box(T v, Box<Box<T>> *more); T v; };\n\
                  Box<int> *made(int n); int f(Box<int> &box) { return 1; }";
    assert!(planned(source, "f").is_ok());
}

#[test]
fn streams_over_memory_stand_in_for_streams() {
    let source = "#include <iosfwd>\n#include <ostream>\n#include <istream>\nint f(std::ostream &out) { out << 1; \
        return 1; }\n\
                  int g(std::istream &in) { int n; in >> n; return n; }";
    assert!(matches!(argument(source, "f").kind, Kind::Stream { reads: false, writes: true, .. }));
    assert!(matches!(argument(source, "g").kind, Kind::Stream { reads: true, writes: false, .. }));
}

#[test]
fn what_is_given_as_void_pointer_is_some_memory_by_whatever_name() {
    let source = "class Item { void *data_; public: Item(void *data, int n); int n() const; };\n\
                  int f(const Item &item) { return item.n(); }\nint g(void *p) { return p != nullptr; }\n\
                  typedef void *Handle; int h(Handle p) { return p != nullptr; }\n\
                  typedef void Complex; int i(Complex *p) { return p != nullptr; }";
    let Kind::Construct { args, .. } = argument(source, "f").kind else { panic!() };
    assert!(matches!(&args[0].recipe.kind, Kind::Array { length: 64, .. }));
    assert!(matches!(argument(source, "g").kind, Kind::Array { length: 64, .. }));
    assert!(matches!(argument(source, "i").kind, Kind::Array { length: 64, .. }));
    assert!(matches!(argument(source, "h").kind, Kind::Array { length: 64, .. }));
}

#[test]
fn what_an_empty_shell_is_asked_for_is_no_better_than_a_shell_unless_it_is_made_anew() {
    let source = "struct Status { Status(); static Status Refused(int code); int code; private: int more; };\n\
                  struct Walker { Walker(); Status status() const; int *at; };\n\
                  int f(const Status &status) { return status.code; }";
    // (Its public member may be set then.)
    let recipe = argument(source, "f").without_set_up();
    assert!(matches!(&recipe.kind, Kind::Factory { callee, .. } if callee == "Status::Refused"), "{recipe:?}");
    let only = source.replace("static Status Refused(int code); ", "");
    assert!(matches!(argument(&only, "f").without_set_up().kind, Kind::Construct { .. }), "its own shell is no worse");
    let made = only.replace("status()", "makeStatus()");
    assert!(
        matches!(argument(&made, "f").without_set_up().kind, Kind::Factory { callee, .. } if callee == "makeStatus")
    );
}

#[test]
fn an_object_that_only_its_own_class_destroys_is_made_all_the_same() {
    let source = "class File { ~File(); public: File(int size); void drop(); int size; };\n\
                  int f(File *file) { return file->size; }";
    let Kind::Pointer { to, .. } = argument(source, "f").kind else { panic!() };
    let Kind::SetUp { object, calls, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
    assert!(matches!(object.recipe.kind, Kind::Construct { .. }), "{object:?}");
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["size"], "no call may take it down");
}

#[test]
fn what_a_class_hands_out_to_whoever_asks_is_taken_before_what_needs_another_of_its_kind() {
    let source = "struct World { virtual ~World(); virtual int n() = 0; static World *usual(); };\n\
                  World *newLayer(World *below);\nint f(World &world) { return world.n(); }";
    assert!(matches!(argument(source, "f").kind, Kind::Factory { callee, .. } if callee == "World::usual"));
}

/// A library and a source of tests for which a header of somebody else's is missing.
fn half_broken(unit: &str) -> UnitPlan {
    let library =
        "#pragma once\nstruct Clock { virtual ~Clock() {} virtual long now() = 0; };\nlong ask(Clock &clock);\n";
    let helper = "#pragma once\n#include \"gone/mock.h\"\n#include \"clock.h\"\n\
        struct Fake : Clock { explicit Fake(long at) : at_(at) {} long now() override { return at_; } long at_; };\n\
        Fake makeFake(long at);\nlong twice(Clock &clock);\n";
    let files = [
        ("clock.h", library),
        ("clock.cpp", "#include \"clock.h\"\nlong ask(Clock &clock) { return clock.now() + 1; }\n"),
        ("helper.h", helper),
        ("check.cpp", "#include \"helper.h\"\nlong twice(Clock &clock) { return 2 * ask(clock); }\n"),
    ];
    let small = Small::new(&files, "-std=c++17");
    let (model, problems) = project(&small.database, &small.options).unwrap();
    assert_eq!(problems.len(), 1, "{problems:?}");
    let hierarchy = Hierarchy::new(&model);
    let overrides = Overrides::default();
    let planner = Planner::new(&model, &hierarchy, &overrides);
    assert!(model.classes.values().any(|class| class.qualified == "Fake"), "it is read all the same");
    let function = model.functions.values().find(|f| f.qualified == unit).unwrap();
    plan_unit(&planner, &function.usr).unwrap()
}

#[test]
fn what_stands_in_headers_that_no_source_can_read_is_not_used_for_the_units_of_others() {
    let plan = half_broken("ask");
    let mut stubs = 0;
    plan.entries[0].args[0].recipe.walk(&mut |recipe| {
        let text = format!("{recipe:?}");
        assert!(!text.contains("Fake"), "{text}");
        stubs += usize::from(matches!(recipe.kind, Kind::Stub { .. }));
    });
    assert_eq!(stubs, 1);
}
