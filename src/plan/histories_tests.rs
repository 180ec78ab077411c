use super::super::entry::plan_unit;
use super::super::planner::Planner;
use super::super::{UnitPlan, seeds};
use super::*;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::overrides::Overrides;
use crate::parse::testing::Small;

const LIBRARY: &str = "#pragma once\n#include <memory>\nclass Doc; enum class Mode { plain, strict };\n\
     class Node { Node(); friend class Doc; public: int depth() const { return 1; } void weigh(double w);\n\
       Node *add(const char *name, int n = 0); Node *next(); };\n\
     class Doc { public: Doc(); Doc(const Doc &) = delete; int parse(const char *text, Mode mode = Mode::plain); \
     Node *root();\n\
       void take(Doc *other); void loadFile(const char *fileName); void run(); void close(); \
       int size() const { return 2; }\n\
       static bool same(const Doc &a, Doc *b) { return &a == b; } private: void hidden(); };\n\
     inline int count(Doc &doc, Node *node) { return doc.size() + node->depth(); }\n";

fn model(test: &str) -> Model {
    let test = format!("#include \"doc.h\"\n{test}");
    let library = "#include \"doc.h\"\nvoid Node::weigh(double) {}\nint Doc::parse(const char *, Mode) { return 1; }\n";
    Small::new(&[("doc.h", LIBRARY), ("doc.cpp", library), ("check.cpp", &test)], "-std=c++17").model()
}

fn plan_with(model: &Model, overrides: &Overrides, unit: &str) -> UnitPlan {
    let hierarchy = Hierarchy::new(model);
    let planner = Planner::new(model, &hierarchy, overrides);
    let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
    plan_unit(&planner, &function.usr).expect("it can be planned")
}

fn plan(test: &str, unit: &str) -> UnitPlan {
    plan_with(&model(test), &Overrides::default(), unit)
}

/// The calls and constructions of each history among the ways to an object.
fn histories(recipe: &Recipe) -> Vec<String> {
    let recipe = if let Kind::Pointer { to, .. } = &recipe.kind { &to.recipe } else { recipe };
    let Kind::Choice { among, .. } = &recipe.kind else { return Vec::new() };
    let step = |step: &MinedStep| match &step.slot.recipe.kind {
        Kind::Factory { callee, .. } => callee.clone(),
        Kind::Pointer { given: true, .. } => format!("new {}", step.slot.name),
        _ => step.slot.name.clone(),
    };
    let mined = among.iter().filter_map(|slot| match &slot.recipe.kind {
        Kind::Mined { steps, .. } => Some(steps.iter().map(step).collect::<Vec<_>>().join(" ")),
        _ => None,
    });
    mined.collect()
}

#[test]
fn a_node_of_a_parsed_document_is_an_alternative_to_one_that_is_made_otherwise() {
    let plan = plan(
        "int main() { Doc doc; doc.parse(\"<a><b/></a>\", Mode::strict); Node *node = doc.root(); node->add(\"c\");\n\
         return node->next()->depth(); }",
        "Node::depth",
    );
    let object = &plan.entries[0].object.as_ref().unwrap().recipe;
    assert_eq!(histories(object), ["doc parse root add next", "doc parse root add", "doc parse root add"]);
    let Kind::Choice { among, .. } = &object.kind else { panic!() };
    assert!(matches!(among[0].recipe.kind, Kind::SetUp { .. }), "what was planned before comes first: {:?}", among[0]);
    let Recipe { ty, kind: Kind::Mined { from, .. }, .. } = &among[1].recipe else { panic!() };
    assert_eq!((from.as_str(), ty.spelling.as_str()), ("check.cpp:3", "Node"));
    assert_eq!(plan.histories_used(), ["check.cpp:3", "check.cpp:2"]);
    assert!(plan.words.contains(&Literal::Str(b"<a><b/></a>".to_vec())), "{:?}", plan.words);
}

#[test]
fn what_tests_show_can_be_left_out_again() {
    let shown = "int main() { Doc doc; doc.parse(\"<a><b/></a>\", Mode::strict); Node *node = doc.root(); \
        node->add(\"c\");\n\
                 return node->next()->depth(); }";
    let mut learnt = plan(shown, "Node::depth");
    assert!(learnt.ignore_histories() && learnt.histories_used().is_empty() && !learnt.clone().ignore_histories());
    let plain = plan("int main() { return 0; }", "Node::depth");
    assert_eq!(learnt.entries[0].object, plain.entries[0].object);
}

#[test]
fn what_is_written_in_a_test_is_a_seed() {
    let plan = plan("int main() { Doc doc; doc.parse(\"<a/>\", Mode::strict); doc.size(); return 0; }", "Doc::size");
    // The alternative, the text with its end, the enumerator.
    let seed = [&[1][..], b"<a/>\0", &[1, 0]].concat();
    let all = seeds::all(&plan);
    assert!(all.iter().any(|known| known.starts_with(&seed)), "{all:?}");
    assert!(all.iter().any(|known| known.first() == Some(&0)), "the way without the test has its seeds as well");
}

#[test]
fn what_a_test_calls_the_unit_with_is_a_seed_as_well() {
    let text = "<a><b>long enough to need more room than strings usually have in a driver</b></a>";
    let plan = plan(
        &format!("int main() {{ Doc doc; doc.parse(\"{text}\", Mode::strict); doc.parse(\"\"); return doc.size(); }}"),
        "Doc::parse",
    );
    assert!(matches!(plan.entries[0].args[0].recipe.kind, Kind::CString { most, .. } if most == text.len() as u64));
    let seed = [text.as_bytes(), &[1, 0]].concat();
    let all = seeds::all(&plan);
    assert!(all.iter().any(|known| known.starts_with(&[0]) && known.ends_with(&seed)), "{all:?}");
}

#[test]
fn a_unit_that_is_entered_through_callers_is_not_run_by_what_sets_them_up() {
    let header = "#pragma once\nclass Doc { int n = 0; public: int parse(const char *text); void open(int mode); \
        void link(Doc &other);\n\
         private: int hidden(char c); };\n";
    let source = "#include \"doc.h\"\nint Doc::parse(const char *text) { return hidden(*text); }\n\
         int Doc::hidden(char c) { return c; }\n";
    let test =
        "#include \"doc.h\"\nint main() { Doc doc; doc.link(doc); Doc other; other.link(doc); other.parse(\"x\"); }";
    let model = Small::new(&[("doc.h", header), ("doc.cpp", source), ("check.cpp", test)], "-std=c++17").model();
    let entry = &plan_with(&model, &Overrides::default(), "Doc::hidden").entries[0];
    // (The one object, and the other without its last call.)
    assert_eq!(histories(&entry.object.as_ref().unwrap().recipe), ["doc link other link", "doc link other link"]);
    assert_eq!(entry.called_with, [[Some(Literal::Str(b"x".to_vec()))]]);
}

#[test]
fn an_object_that_is_handed_on_is_passed_as_its_taker_wants_it_and_is_owned_where_it_is_kept() {
    let plan = plan(
        "int main() { Doc doc; Doc *other = new Doc; other->parse(\"x\"); doc.take(other); Doc mine; mine.take(&doc);\n\
         return Doc::same(doc, &mine); }",
        "Doc::size",
    );
    let object = &plan.entries[0].object.as_ref().unwrap().recipe;
    assert_eq!(histories(object)[0], "doc new other parse take mine take Doc::same");
}

#[test]
fn calls_that_reach_outside_or_take_their_time_are_left_out() {
    let plan = plan(
        "int main() { Doc doc; doc.loadFile(\"a.xml\"); doc.run(); doc.parse(\"x\"); doc.close(); return doc.size(); }",
        "Doc::size",
    );
    assert_eq!(histories(&plan.entries[0].object.as_ref().unwrap().recipe), ["doc parse close"]);
}

#[test]
fn arguments_of_the_unit_are_made_so_as_well_and_a_person_has_the_last_word() {
    let test = "int main() { Doc doc; doc.parse(\"x\"); return count(doc, doc.root()); }";
    let made = plan(test, "count");
    assert_eq!(histories(&made.entries[0].args[0].recipe), ["doc parse"]);
    assert_eq!(histories(&made.entries[0].args[1].recipe), ["doc parse root"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("utility-overrides/doc.yaml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "function: count\nsequences: {Doc: {calls: [{method: close}]}}\n").unwrap();
    let model = model(test);
    let mut overrides = Overrides::load(folder.path()).unwrap();
    overrides.resolve(&model).unwrap();
    let made = plan_with(&model, &overrides, "count");
    assert_eq!(histories(&made.entries[0].args[0].recipe), [""; 0]);
}

#[test]
fn what_is_given_away_is_never_something_that_a_test_only_borrows() {
    let mut plan = plan("int main() { Doc doc; doc.parse(\"x\"); return count(doc, doc.root()); }", "count");
    assert!(plan.transfer_ownership());
    assert_eq!(histories(&plan.entries[0].args[1].recipe), [""; 0]);
    assert_eq!(histories(&plan.entries[0].args[0].recipe), ["doc parse"]);
}

#[test]
fn what_the_data_leads_to_anyway_is_no_alternative_and_neither_are_plain_numbers() {
    let header = "#pragma once\nclass Tank { double level; bool open; public: explicit Tank(double l); \
        void add(double l);\n\
         void seal(Tank &other); double get() const { return level; } };\nclass Point { double x, y; \
         public: Point(double x, double y);\n\
         Point plus(const Point &other) const; double get() const { return x; } };\n";
    let test = |text: &str| {
        let text = format!(
            "#include \"tank.h\"\nint main() {{ Tank tank(1); tank.add(2); {text} Point p(1, 2); p.plus(p).get(); }}"
        );
        Small::new(&[("tank.h", header), ("tank.cpp", "#include \"tank.h\"\n"), ("check.cpp", &text)], "-std=c++17")
            .model()
    };
    let object = |text: &str, unit: &str| plan_with(&test(text), &Overrides::default(), unit).entries[0].object.clone();
    assert_eq!(histories(&object("", "Tank::get").unwrap().recipe), [""; 0]);
    assert_eq!(histories(&object("tank.seal(tank);", "Tank::get").unwrap().recipe), ["tank add seal"]);
    assert_eq!(histories(&object("", "Point::get").unwrap().recipe), [""; 0]);
}

#[test]
fn a_null_pointer_that_a_program_of_c_passes_is_written_in_c() {
    let files = [
        (
            "shelf.h",
            "struct shelf; struct shelf *shelf_new(void (*heard)(int), int size); int room(struct shelf *s);\n\
             void put(struct shelf *s, int n);\n",
        ),
        (
            "shelf.c",
            "#include \"shelf.h\"\n#include <stdlib.h>\nstruct shelf { void (*heard)(int); int size; };\n\
             struct shelf *shelf_new(void (*heard)(int), int size) {\n  struct shelf *s = malloc(sizeof *s);\n\
             s->heard = heard; s->size = size; return s; }\n\
             void put(struct shelf *s, int n) { s->size += n; }\nint room(struct shelf *s) { return s->size * 3; }\n",
        ),
        (
            "check.c",
            "#include \"shelf.h\"\n#include <stddef.h>\n\
             int main(void) { struct shelf *made = shelf_new(NULL, 3); put(made, 4); return room(made); }\n",
        ),
    ];
    let plan = plan_with(&Small::new(&files, "-std=c11").model(), &Overrides::default(), "room");
    let said = format!("{:?}", plan.entries[0].args);
    assert!(said.contains("\"NULL\"") && !said.contains("nullptr"), "{said}");
}
