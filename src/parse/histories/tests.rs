use super::*;
use crate::model::Model;
use crate::model::history::Step;
use crate::parse::testing::Small;

const LIBRARY: &str = "#pragma once\nclass Node { public: Node *add(const char *name); void weigh(double w); int \
    depth() const; };\n\
     enum class Mode { plain, strict };\n\
     class Doc { public: Doc(); explicit Doc(int level); int parse(const char *text, Mode mode = Mode::plain); Node \
     *root();\n\
     void take(Node *node); void link(Doc &other); bool ok() const; Doc &operator<<(int n); };\n";

/// What GoogleTest makes of a test, as far as reading it goes.
const FRAMEWORK: &str = "#pragma once\nstruct Fixture { virtual void TestBody() = 0; };\nstruct Message { bool ok; };\n\
     template <typename A, typename B> Message same(const A &a, const B &b);\n\
     #define TEST(suite, name) struct suite##_##name : Fixture { void TestBody() override; }; void \
     suite##_##name::TestBody()\n\
     #define EXPECT_EQ(a, b) switch (0) case 0: default: if (const Message message = same(a, b)) ; else throw message\n\
     #define EXPECT_THROW(what) try { what; } catch (...) {}\n";

fn library() -> (&'static str, String) {
    (
        "doc.cpp",
        "#include \"doc.h\"\nint Doc::parse(const char *text, Mode) { Node local; local.weigh(2); Doc \
        other(3); other.parse(text); return 1; }\n"
            .into(),
    )
}

fn model(test: &str) -> Model {
    let framework =
        FRAMEWORK.replace("if (const Message message = same(a, b))", "if (const bool message = same(a, b).ok)");
    let (name, text) = library();
    Small::new(&[("doc.h", LIBRARY), ("gtest.h", &framework), (name, &text), ("check.cpp", test)], "-std=c++17").model()
}

/// The histories of a class, each as text.
fn told(model: &Model, class: &str) -> Vec<String> {
    let class = model.class_named(class).unwrap();
    let Some(all) = model.histories.get(&class.usr) else { return Vec::new() };
    all.iter().map(|history| text(model, history)).collect()
}

fn text(model: &Model, history: &History) -> String {
    let value = |value: &Value| match value {
        Value::Literal(Literal::Int(n)) => n.to_string(),
        Value::Literal(Literal::Float(bits)) => format!("{:?}", f64::from_bits(*bits)),
        Value::Literal(Literal::Str(text)) => format!("'{}'", String::from_utf8_lossy(text)),
        Value::Null => "null".into(),
        Value::Made(index) => format!("${index}"),
        Value::Table(table) => table.text.clone(),
        Value::Any => "?".into(),
    };
    let step = |step: &Step| {
        let (on, name) = match &step.action {
            Action::Construct { given, .. } => {
                let class = &model.classes[&step.yields.as_ref().unwrap().class].name;
                (None, format!("{}{class}", if *given { "new " } else { "" }))
            }
            Action::Call { function, on } => (*on, model.functions[function].name.clone()),
        };
        let on = on.map_or(String::new(), |on| format!("${on}."));
        let args = step.args.iter().map(value).collect::<Vec<_>>().join(", ");
        let name_of = step.yields.as_ref().map_or("", |yields| yields.name.as_str());
        format!("{name_of}={on}{name}({args})")
    };
    let steps = history.steps.iter().map(step).collect::<Vec<_>>().join("; ");
    format!("{steps} -> ${}", history.object)
}

#[test]
fn a_plain_program_tells_what_it_does_to_an_object_and_to_what_that_needs() {
    let model = model(
        "#include \"doc.h\"\nstatic const char *const text = \"<a/>\";\n\
         int main() {\n  Doc doc(2);\n  if (doc.parse(text, Mode::strict) != 0) return 1;\n\
         Node *node = doc.root();\n  node->add(\"b\")->weigh(-1.5);\n  node = nullptr;\n  return doc.ok() ? 0 : 1;\n\
         }\n",
    );
    assert_eq!(
        told(&model, "Doc"),
        ["doc=Doc(2); =$0.parse('<a/>', 1); node=$0.root(); =$2.add('b'); =$3.weigh(-1.5) -> $0"]
    );
    assert_eq!(
        told(&model, "Node"),
        [
            "doc=Doc(2); =$0.parse('<a/>', 1); node=$0.root(); =$2.add('b'); =$3.weigh(-1.5) -> $2",
            "doc=Doc(2); =$0.parse('<a/>', 1); node=$0.root(); =$2.add('b'); =$3.weigh(-1.5) -> $3",
        ]
    );
}

#[test]
fn a_test_in_a_frameworks_macros_is_read_through_them() {
    let model = model(
        "#include \"doc.h\"\n#include \"gtest.h\"\nTEST(DocTest, Parses) {\n  Doc doc;\n\
         EXPECT_THROW(doc.parse(\"bad\"));\n  EXPECT_EQ(1, doc.parse(\"good\"));\n  EXPECT_EQ(true, doc.ok());\n}\n",
    );
    assert_eq!(told(&model, "Doc"), ["doc=Doc(); =$0.parse('good') -> $0"]);
}

#[test]
fn what_stands_in_one_branch_only_is_not_seen_behind_it_and_loops_run_once() {
    let model = model(
        "#include \"doc.h\"\nvoid check(int n) {\n  Doc doc;\n  if (n > 1) { doc.parse(\"branch\"); }\n\
         for (int i = 0; i < 3; ++i) doc << i << 7;\n  doc.parse(nullptr);\n}\n",
    );
    assert_eq!(
        told(&model, "Doc"),
        [
            "doc=Doc(); =$0.operator<<(?); =$0.operator<<(7); =$0.parse(null) -> $0",
            "doc=Doc(); =$0.parse('branch') -> $0"
        ]
    );
}

#[test]
fn objects_that_are_handed_to_others_are_made_first_and_who_owns_them_is_noted() {
    let model = model(
        "#include \"doc.h\"\nvoid check() {\n  Doc doc, other(1);\n  other.parse(\"o\");\n  doc.link(other);\n\
         doc.take(new Node);\n  Node *mine = new Node();\n  mine->weigh(1);\n  doc.take(mine);\n  delete mine;\n}\n",
    );
    assert_eq!(
        told(&model, "Doc")[0],
        "doc=Doc(); other=Doc(1); =$1.parse('o'); =$0.link($1); =new Node(); =$0.take($4); mine=Node(); =$6.weigh(1); \
         =$0.take($6) -> $0"
    );
}

#[test]
fn the_librarys_own_sources_and_what_nobody_knows_tell_nothing() {
    let model =
        model("#include \"doc.h\"\nvoid check(Doc &doc, Doc (*make)()) { doc.parse(\"a\"); make().parse(\"b\"); }\n");
    assert!(model.histories.is_empty(), "{:?}", model.histories);
}

#[test]
fn a_fixtures_members_are_there_before_its_tests() {
    let model = model(
        "#include \"doc.h\"\nstruct Tests { Doc doc_; void first(); };\n\
         void Tests::first() { doc_.parse(\"x\"); this->doc_.parse(\"y\"); }\n",
    );
    assert_eq!(told(&model, "Doc"), ["doc_=Doc(); =$0.parse('x'); =$0.parse('y') -> $0"]);
}

#[test]
fn tests_are_read_whatever_a_framework_makes_of_them() {
    // Catch2 and doctest: a static function; Boost.Test: a method; TUT: a specialisation of a member template.
    for head in [
        "static void DOCTEST_ANON_FUNC_2()",
        "struct parses { void test_method(); };\nvoid parses::test_method()",
        "namespace tut { template <typename D> struct test_object { template <int n> void test(); };\n\
         struct data {}; typedef test_object<data> object;\ntemplate <> template <> void object::test<1>()",
    ] {
        let end = if head.starts_with("namespace") { "}" } else { "" };
        let model = model(&format!("#include \"doc.h\"\n{head} {{ Doc doc; doc.parse(\"x\"); }}{end}\n"));
        assert_eq!(told(&model, "Doc"), ["doc=Doc(); =$0.parse('x') -> $0"], "{head}");
    }
}
