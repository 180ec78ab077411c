//! What is driven: each kind on a project of a few lines, through the real command, to a test that is proved.

use crate::support;
use crate::support::{Project, all_die};

#[test]
fn an_array_that_the_callee_allocates_is_compared_up_to_its_least_length_and_only_then() {
    let text = "#include <stdlib.h>\nint *steps(int first) {\n  int *made = malloc(3 * sizeof(int));\n  \
                if (made != NULL) {\n    made[0] = first;\n    made[1] = 2;\n    made[2] = 3;\n  }\n  return made;\n}\n";
    let project = Project::of(&[("steps.c", text)]);
    let id = "steps.mut.6.1_1_1.ICR.steps.c";
    project.write(&format!("mutants/{id}"), &text.replace("made[1] = 2", "made[1] = 4"));
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    assert_eq!(project.outcome().status(id), "live", "nobody said how long the array is");
    project.write("utility-overrides/steps.yaml", "function: steps\nresult: {least_length: 2}\n");
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}: {}", outcome.status(id), outcome.reason(id));
    assert_eq!(outcome.0["units"][0]["driver"], "overridden");
    let input = outcome.mutants()[id]["kill"]["input"].as_str().unwrap().to_owned();
    assert!(project.read(format!("motif.out/{input}.json")).contains("\"first\""));
}

#[test]
fn in_cxx_as_well_an_array_that_the_callee_hands_out_is_compared_up_to_its_least_length() {
    let text = "#include <cstdlib>\nnamespace n {\nint *table(int first) {\n  static int made[3];\n  made[0] = first;\n  \
                made[1] = 2;\n  made[2] = 3;\n  return made;\n}\nint fill(int **out, int first) {\n  static int made[3];\n  \
                made[0] = first;\n  made[1] = 5;\n  *out = made;\n  return 2;\n}\nint lend(int *&out, int first) {\n  \
                static int made[3];\n  made[0] = first;\n  made[1] = 7;\n  out = made;\n  return 2;\n}\n}\n";
    let project = Project::of(&[("n.cpp", text)]);
    let mutants = [
        ("n.mut.6.1_1_1.ICR.table.cpp", "made[1] = 2", "made[1] = 4"),
        ("n.mut.13.1_1_1.ICR.fill.cpp", "made[1] = 5", "made[1] = 6"),
        ("n.mut.20.1_1_1.ICR.lend.cpp", "made[1] = 7", "made[1] = 8"),
    ];
    project.write("utility-overrides/table.yaml", "function: n::table\nresult: {least_length: 3}\n");
    for unit in ["fill", "lend"] {
        let said = format!("function: n::{unit}\nparameters: {{out: {{least_length: 2}}}}\n");
        project.write(&format!("utility-overrides/{unit}.yaml"), &said);
    }
    // Proved: the test's declaration of the function, which no header has, is the project's, not a file-local one.
    all_die(&project, "1s", &mutants);
}

#[test]
fn members_of_templates_and_specialisations_and_of_classes_spread_over_files_are_driven() {
    let header = "#pragma once\n#include <string>\nnamespace n {\n\
        template <typename T> struct Math {\n  static T twice(T v) { return v + v; }\n};\n\
        template <typename T> struct Info { static bool whole() { return false; } };\n\
        template <> struct Info<int> {\n  static int digits(int n) {\n    return n > 9 ? 2 : 1;\n  }\n};\n\
        template <typename T, typename S> class Token {\n  T value = T();\n public:\n  Token() = default;\n  \
        explicit Token(T v) : value(v) {}\n  Token &assign(const Token &other) {\n    value = other.value + 1;\n    \
        return *this;\n  }\n};\n\
        class Base;\n\
        class Reader {\n  Base *parent;\n  int depth = 0;\n public:\n  explicit Reader(Base *p) : parent(p) {}\n  \
        int step(int by);\n  Base *owner() { return parent; }\n};\n\
        class Base {\n  Reader reader;\n  std::string text;\n public:\n  Base();\n  int length() const;\n  \
        static const Base &instance();\n};\n}\n";
    let base = "#include \"n.h\"\n#include <cassert>\n#include <vector>\nusing namespace std;\nnamespace n {\n\
        Base::Base() : reader(this) {}\nint Base::length() const {\n  vector<int> v(text.size());\n  assert(v.size() < 1000);\n  \
        return static_cast<int>(v.size());\n}\nconst Base &Base::instance() {\n  static const Base only;\n  return only;\n}\n}\n";
    let reader = "#include \"n.h\"\nnamespace n {\nint Reader::step(int by) {\n  depth += by > 3 ? 1 : 2;\n  return depth;\n}\n\
        namespace { struct Own { int reach(Base &b) { return b.length(); } }; }\n\
        Token<double, std::string> token(double v) { return Token<double, std::string>(v); }\n\
        int all(int v) { Own own; Base b; return Math<int>::twice(v) + Info<int>::digits(v) + own.reach(b); }\n}\n";
    let project = Project::of(&[("base.cpp", base), ("reader.cpp", reader), ("n.h", header)]);
    let mutants = [
        ("reader.mut.4.1_1_1.ROR.step.cpp", "by > 3", "by >= 3"),
        ("n.mut.5.1_1_1.AOR.twice.h", "v + v", "v - v"),
        ("n.mut.10.1_1_1.ROR.digits.h", "n > 9", "n < 9"),
        ("n.mut.19.1_1_1.ICR.assign.h", "other.value + 1", "other.value + 2"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    // The reader's copy brings the class that it points to, with members that need another file's headers and usings.
    let units = outcome.0["units"].as_array().unwrap();
    let step = units.iter().find(|unit| unit["id"].as_str().unwrap().contains("step")).unwrap();
    assert_eq!(step["copy"], "class", "{step}");
}

#[test]
fn text_that_two_members_hold_the_ends_of_is_compared() {
    let text = "#include <cstring>\nclass Span {\n  char *_start = nullptr;\n  char *_end = nullptr;\n public:\n  \
                ~Span() { delete[] _start; }\n  void set(bool v) {\n    const char *text = v ? \"true\" : \"false\";\n    \
                delete[] _start;\n    _start = new char[8];\n    std::strcpy(_start, text);\n    \
                _end = _start + std::strlen(text);\n  }\n};\nclass Wild {\n  const char *begin = (const char *)16;\n  const char *end = (const char *)32;\n  int n = 0;\n \
                public:\n  void touch(int by) {\n    n += by > 2;\n  }\n};\n";
    let project = Project::of(&[("span.cpp", text)]);
    let (kept, wild) = ("span.mut.8.1_1_1.LVR.set.cpp", "span.mut.20.1_1_1.ROR.touch.cpp");
    let mutants = [(kept, "\"false\"", "\"fals_\""), (wild, "by > 2", "by >= 2")];
    let outcome = all_die(&project, "1s", &mutants);
    let test = outcome.mutants()[kept]["kill"]["test"].as_str().unwrap().to_owned();
    let file = test.split('#').next().unwrap();
    assert!(project.read(format!("motif.out/{file}")).contains("std::string(object._start, object._end)"));
}

#[test]
fn what_a_set_up_call_was_given_lives_as_long_as_the_object_and_ends_of_one_range_belong_together() {
    let text = "class Reader {\n  const char *at_ = nullptr;\n  const char *end_ = nullptr;\n  const double *scale_ = nullptr;\n \
                public:\n  void open(const char *begin, const char *end) {\n    at_ = begin;\n    end_ = end;\n  }\n  \
                void scale(const double *by) { scale_ = by; }\n  double left() const {\n    double n = 0;\n    \
                for (const char *p = at_; p != end_; ++p) n += *p == 'x' ? 2 : 1;\n    return scale_ ? n * *scale_ : n;\n  }\n};\n";
    let project = Project::of(&[("reader.cpp", text)]);
    let mutants = [
        ("reader.mut.14.1_1_1.ICR.left.cpp", "'x' ? 2", "'x' ? 3"),
        ("reader.mut.15.1_1_1.AOR.left.cpp", "n * *scale_", "n + *scale_"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let unit = &outcome.0["units"][0];
    assert!(unit["suspected_faults"].as_array().is_none_or(Vec::is_empty), "{unit}");
}

#[test]
fn alternatives_that_a_factory_hands_out_in_a_smart_pointer_are_driven() {
    let text = "#include <memory>\n#include <vector>\nstruct Shape {\n  virtual ~Shape() = default;\n  virtual int area() const = 0;\n};\n\
                class Box : public Shape {\n  int side_;\n  explicit Box(int side) : side_(side) {}\n public:\n  \
                static std::unique_ptr<Box> make(int side) { return std::unique_ptr<Box>(new Box(side)); }\n  \
                int area() const override { return side_; }\n};\n\
                struct Dot : Shape {\n  int area() const override { return 0; }\n};\n\
                int twice(const Shape &shape) {\n  return 2 + shape.area();\n}\n\
                int all(const std::vector<std::unique_ptr<Shape>> &shapes) {\n  int sum = 0;\n  \
                for (const auto &shape : shapes) sum += shape->area();\n  return sum;\n}\n";
    let project = Project::of(&[("shape.cpp", text)]);
    let mutants = [
        ("shape.mut.18.1_1_1.AOR.twice.cpp", "2 + shape.area()", "2 - shape.area()"),
        ("shape.mut.22.1_1_1.AOR.all.cpp", "sum += shape->area()", "sum -= shape->area()"),
    ];
    all_die(&project, "2s", &mutants);
}

#[test]
fn a_private_function_that_no_caller_lets_anything_into_is_entered_directly() {
    let text = "class Gate {\n  long sum_ = 1;\n  long pass(long by) {\n    return by * 3 + sum_;\n  }\n public:\n  \
                static bool closed();\n  long enter(int key) { return closed() ? 0 : pass(key); }\n};\n\
                bool Gate::closed() { return true; }\n";
    let project = Project::of(&[("gate.cpp", text)]);
    let outcome = all_die(&project, "1s", &[("gate.mut.4.1_1_1.AOR.pass.cpp", "by * 3", "by + 3")]);
    let test = outcome.mutants().values().next().unwrap()["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{}", test.split('#').next().unwrap()));
    assert!(test.contains(".pass(") && test.contains("private"), "{test}");
}

#[test]
fn a_pointer_that_is_compared_with_null_or_has_no_value_by_default_is_null_now_and_then() {
    let cxx = "class Log {\n  const char *name_;\n public:\n  explicit Log(const char *name = nullptr) : name_(name) {}\n  \
               int length(const int *more) const {\n    int n = 1;\n    if (name_ == nullptr) n = 4;\n    \
               if (!more) return n + 2;\n    return n + *more;\n  }\n};\n";
    let c = "#include <stddef.h>\ntypedef struct { int n; } item;\nint of(const item *it, char *out) {\n  \
             if (it == NULL) return 5;\n  if (out) out[0] = 'a';\n  return it->n;\n}\n";
    let project = Project::of(&[("log.cpp", cxx), ("item.c", c)]);
    let mutants = [
        ("log.mut.7.1_1_1.ICR.length.cpp", "n = 4", "n = 5"),
        ("log.mut.8.1_1_1.AOR.length.cpp", "n + 2", "n - 2"),
        ("item.mut.4.1_1_1.ICR.of.c", "return 5", "return 6"),
        ("item.mut.5.1_1_1.NCN.of.c", "if (out)", "if (1)"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    for (id, null) in [(mutants[0].0, "nullptr;"), (mutants[1].0, "more = nullptr;"), (mutants[3].0, "out = NULL;")] {
        let test = outcome.mutants()[id]["kill"]["test"].as_str().unwrap().to_owned();
        let test = project.read(format!("motif.out/{}", test.split('#').next().unwrap()));
        assert!(test.contains(null), "{id}: {test}");
    }
    for unit in outcome.0["units"].as_array().unwrap() {
        assert!(unit["suspected_faults"].as_array().is_none_or(Vec::is_empty), "{unit}");
    }
}

#[test]
fn calls_that_never_come_back_do_not_take_the_search_up() {
    let text = "class Pile {\n  int size_ = 0;\n public:\n  void grow(unsigned by) {\n    \
                for (volatile unsigned n = 0; n != by; ++n) {\n      if (n == 1000) n = 0;\n    }\n    size_ += 1;\n  }\n  \
                void fill(unsigned by) {\n    for (volatile unsigned n = 0; n != by; ++n) {\n      if (n == 1000) n = 0;\n    }\n    \
                size_ += 2;\n  }\n  void add(short by) { size_ += by; }\n  \
                int level(int key) const {\n    if (size_ > 2000 && key == 54321) return 1;\n    return 0;\n  }\n};\n";
    let project = Project::of(&[("pile.cpp", text)]);
    let outcome = all_die(&project, "100000x", &[("pile.mut.18.1_1_1.ICR.level.cpp", "return 1;", "return 2;")]);
    // What hangs takes as long as thousands of others: a budget in time would tell, but on an idle machine only.
    let hangs = outcome.0["units"][0]["hangs"].as_u64().unwrap();
    assert!((1..40).contains(&hangs), "{hangs} inputs hung");
}

#[test]
fn ends_of_one_text_in_members_and_references_belong_together() {
    let text = "#include <memory>\n#include <string>\n#include <array>\nstruct Token {\n  const char *start_;\n  const char *end_;\n};\n\
                int spaces(const Token &token, const char *&current, const char *end) {\n  int n = 0;\n  \
                for (const char *p = token.start_; p != token.end_; ++p) n += *p == ' ' ? 1 : 0;\n  \
                while (current != end && *current == 'x') ++current, n += 2;\n  return n;\n}\n\
                class Pair {\n  std::unique_ptr<std::array<std::string, 2>> held_;\n public:\n  \
                void set(int n) {\n    held_.reset(new std::array<std::string, 2>());\n    (*held_)[1] = std::to_string(n + 1);\n  }\n};\n";
    let project = Project::of(&[("token.cpp", text)]);
    let mutants = [
        ("token.mut.10.1_1_1.ICR.spaces.cpp", "? 1 : 0", "? 2 : 0"),
        ("token.mut.11.1_1_1.ICR.spaces.cpp", "n += 2", "n += 3"),
        ("token.mut.19.1_1_1.AOR.set.cpp", "n + 1", "n - 1"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    for unit in outcome.0["units"].as_array().unwrap() {
        assert!(unit["suspected_faults"].as_array().is_none_or(Vec::is_empty), "{unit}");
    }
}

#[test]
fn members_that_nobody_has_initialised_do_not_keep_the_others_from_being_compared() {
    let text = "class Big {\n  unsigned digits_[16];\n  int used_;\n  bool sign_;\n public:\n  Big() : used_(0) {}\n  \
                void push(unsigned digit) {\n    if (used_ == 16) used_ = 15;\n    digits_[used_++] = digit * 3;\n  }\n  \
                unsigned sum() const {\n    unsigned n = 0;\n    for (int i = 0; i < used_; ++i) n += digits_[i] + 1;\n    return n;\n  }\n};\n";
    let project = Project::of(&[("big.cpp", text)]);
    let mutants =
        [("big.mut.9.1_1_1.AOR.push.cpp", "digit * 3", "digit + 3"), ("big.mut.13.1_1_1.ICR.sum.cpp", "+ 1", "+ 2")];
    let outcome = all_die(&project, "3s", &mutants);
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(test.contains("digits_[0]") && !test.contains("sign_"), "{test}");
}

#[test]
fn an_object_that_cannot_be_taken_down_as_the_call_leaves_it_is_left_standing() {
    let text = "#include <cstdlib>\nclass Session {\n  bool closed_ = false;\n  int sent_ = 0;\n public:\n  explicit Session(short first) : sent_(first) {}\n  \
                ~Session() {\n    if (!closed_) std::abort();\n  }\n  int send(short n) {\n    sent_ += n;\n    return sent_;\n  }\n};\n";
    let project = Project::of(&[("session.cpp", text)]);
    let outcome = all_die(&project, "2s", &[("session.mut.11.1_1_1.ASR.send.cpp", "sent_ += n", "sent_ -= n")]);
    let test = project.test_of(&outcome, "session.mut.11.1_1_1.ASR.send.cpp");
    assert!(test.contains("Session &object = *new Session("), "{test}");
}

#[test]
fn objects_are_made_as_the_projects_own_tests_make_them() {
    let sources = [
        ("shelf.h", include_str!("shelf/shelf.h")),
        ("check.h", include_str!("shelf/check.h")),
        ("shelf.cpp", include_str!("shelf/shelf.cpp")),
        ("shelf_test.cpp", include_str!("shelf/shelf_test.cpp")),
    ];
    let project = Project::of(&sources);
    let mutants = [
        ("shelf.mut.17.1_1_1.AOR.between.cpp", "pages_) + right_", "pages_) - right_"),
        ("shelf.mut.66.1_1_1.ROR.weigh.cpp", "pages() > 300", "pages() >= 300"),
    ];
    // Nothing that can be read without the tests tells the word.
    project.database(&["shelf.cpp"]);
    for (id, from, to) in mutants {
        project.write(&format!("mutants/{id}"), &project.read("shelf.cpp").replace(from, to));
    }
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    for (id, ..) in mutants {
        assert_eq!(project.outcome().status(id), "live");
    }
    project.database(&["shelf.cpp", "shelf_test.cpp"]);
    let listed = project.run(["analyze", "-p", "build", "shelf::Book::between() const"]);
    assert!(listed.stdout.contains("objects as in shelf_test.cpp:16\n"), "{}", listed.stdout);
    let outcome = all_die(&project, "2s", &mutants);
    // The test reads like the one that it was learnt from.
    let test = outcome.mutants()[mutants[0].0]["kill"]["test"].as_str().unwrap().split('#').next().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    let statements = ["shelf::Shelf shelf;", "shelf.unlock(", "shelf::Book *book = shelf.first();", "= book->next();"];
    for statement in statements {
        assert!(test.contains(statement), "`{statement}` is not in\n{test}");
    }
    let driver = std::fs::read_dir(project.root().join("motif.out/drivers")).unwrap();
    let driver = driver.flatten().find(|entry| entry.file_name().to_string_lossy().contains("between")).unwrap();
    let driver = std::fs::read_to_string(driver.path().join("driver.cpp")).unwrap();
    assert!(driver.contains("a shelf::Book as in shelf_test.cpp:"), "{driver}");
}

#[test]
fn the_body_that_every_subclass_overrides_is_called_by_its_own_name() {
    let text = "class Store {\n public:\n  virtual ~Store() {}\n  virtual int room() const = 0;\n  \
                virtual int left(short used) const { return room() + used; }\n};\n\
                class Disk : public Store {\n  int room_;\n public:\n  explicit Disk(short room) : room_(room) {}\n  \
                int room() const override { return room_; }\n  int left(short used) const override { return used; }\n};\n\
                class Tape : public Disk {\n public:\n  explicit Tape(short room) : Disk(room) {}\n};\n";
    let project = Project::of(&[("store.cpp", text)]);
    let id = "store.mut.5.1_1_1.AOR.left.cpp";
    let outcome = all_die(&project, "2s", &[(id, "room() + used", "room() - used")]);
    let test = outcome.mutants()[id]["kill"]["test"].as_str().unwrap().split('#').next().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    assert!(test.contains("Store::left("), "{test}");
}

#[test]
fn code_in_a_header_is_read_with_the_source_that_has_the_rest_of_its_class() {
    let header = "#pragma once\n#include <memory>\nclass Shape {\n public:\n  static std::unique_ptr<Shape> create(int seed);\n  \
                  virtual ~Shape();\n  virtual int weigh(int a) const {\n    if (a > 1000) return a - 3;\n    \
                  return a + seed;\n  }\n protected:\n  explicit Shape(int s) : seed(s) {}\n  int seed;\n};\n";
    let shape = "#include \"shape.h\"\nstd::unique_ptr<Shape> Shape::create(int seed) {\n  \
                 return std::unique_ptr<Shape>(new Shape(seed));\n}\nShape::~Shape() {}\n";
    let other = "#include \"shape.h\"\nint use(const Shape &s) { return s.weigh(3); }\n";
    // The other one comes first in the compile database.
    let project = Project::of(&[("shape.h", header), ("other.cpp", other), ("shape.cpp", shape)]);
    let mutants = [
        ("shape.mut.12.1_1_1.UOI.Shape.h", ": seed(s)", ": seed(-s)"),
        ("shape.mut.8.1_1_1.ICR.weigh.h", "a - 3", "a - 2"),
    ];
    all_die(&project, "1s", &mutants);
}

#[test]
fn maps_of_owned_objects_and_ranges_without_type_names_and_members_that_are_only_declared_are_driven() {
    let marks = "#pragma once\nclass Marks {\n  int marks[3] = {0, 0, 0};\n public:\n  void set(int at, int to) { marks[at] = to; }\n  \
                 const int *begin() const { return marks; }\n  const int *end() const { return marks + 3; }\n};\n";
    let row = "#pragma once\nclass Row {\n public:\n  int length = 0;\n};\n";
    let ring = "#pragma once\n#include <map>\n#include <memory>\n#include \"marks.h\"\nclass Row;\nclass Ring {\n public:\n  Ring();\n  \
                explicit Ring(int size);\n  int size = 0;\n  std::unique_ptr<Row> row;\n};\nclass Edge {\n public:\n  \
                void join(const Ring &ring);\n  Marks marks;\n};\nint sum(std::map<int, std::unique_ptr<Marks>> &all);\n";
    let edge = "#include \"ring.h\"\nvoid Edge::join(const Ring &ring) {\n  marks.set(1, ring.size + 4);\n}\n\
                int sum(std::map<int, std::unique_ptr<Marks>> &all) {\n  int total = 0;\n  for (auto &one : all) total += one.first;\n  \
                return total;\n}\n";
    let made = "#include \"ring.h\"\n#include \"row.h\"\nRing::Ring() {}\nRing::Ring(int size) : size(size) {}\n";
    let files = [("marks.h", marks), ("row.h", row), ("ring.h", ring), ("edge.cpp", edge), ("ring.cpp", made)];
    let mutants = [
        ("edge.mut.3.1_1_1.ICR.join.cpp", "size + 4", "size + 5"),
        ("edge.mut.7.1_1_1.AOR.sum.cpp", "total += one.first", "total -= one.first"),
    ];
    all_die(&Project::of(&files), "1s", &mutants);
}

#[test]
fn structures_of_c_are_made_and_ended_by_their_own_functions_and_callbacks_stood_in_for() {
    let header = "#ifndef LIST_H\n#define LIST_H\nstruct list;\ntypedef long (*weight)(struct list *of, int by);\n\
                  struct list *list_new(int first);\nint list_add(struct list *it, int by);\n\
                  int list_sum(void *context);\nlong list_weigh(struct list *it, weight by);\n\
                  struct rule { int base; const struct rule *under; };\nconst struct rule *rule_of_all(void);\n\
                  int rule_apply(const struct rule *it, int n);\nstruct flags { unsigned open : 1, depth : 5; int sign : 3; };\n\
                  int flags_depth(const struct flags *it);\n#endif\n";
    let text = "#include \"list.h\"\n#include <stdlib.h>\nstruct list { struct list *next; int value; };\n\
        static int live;\nstruct list *list_new(int first) {\n  struct list *made = malloc(sizeof *made);\n  \
        if (made == NULL) return NULL;\n  live++;\n  made->next = NULL;\n  made->value = first;\n  return made;\n}\n\
        /* What ends it is declared elsewhere: the driver and the test\n   include what declares it. */\n\n\n\n\
        int list_add(struct list *it, int by) {\n  if (it->next != NULL) return -1;\n  it->value ^= by;\n  return it->value + 1;\n}\n\
        int list_sum(void *context) {\n  const struct list *it = context;\n  return it->value ^ 5;\n}\n\
        long list_weigh(struct list *it, weight by) {\n  return by(it, 3) + it->value % 100 + 4;\n}\n\
        static const struct rule all = {40, NULL};\nconst struct rule *rule_of_all(void) { return &all; }\n\
        int rule_apply(const struct rule *it, int n) {\n  if (it->base != 40) abort();\n  return n % 1000 - it->base;\n}\n\
        int flags_depth(const struct flags *it) {\n  return it->open ? it->depth + it->sign : 0;\n}\n";
    let end = "#ifndef END_H\n#define END_H\nstruct list;\nvoid list_free(struct list *it);\n#endif\n";
    let ends = "#include \"end.h\"\n#include <stdlib.h>\nvoid list_free(struct list *it) {\n  free(it);\n}\n";
    let project = Project::of(&[("list.h", header), ("list.c", text), ("end.h", end), ("end.c", ends)]);
    let mutants = [
        ("list.mut.19.1_1_1.ICR.list_add.c", "it->value + 1", "it->value + 2"),
        ("list.mut.23.1_1_1.ICR.list_sum.c", "it->value ^ 5", "it->value ^ 4"),
        ("list.mut.26.1_1_1.ICR.list_weigh.c", "% 100 + 4", "% 100 + 5"),
        ("list.mut.32.1_1_1.AOR.rule_apply.c", "- it->base", "+ it->base"),
        ("list.mut.35.1_1_1.AOR.flags_depth.c", "it->depth + it->sign", "it->depth - it->sign"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let test = |id: &str| {
        let test = outcome.mutants()[id]["kill"]["test"].as_str().unwrap().split('#').next().unwrap().to_owned();
        project.read(format!("motif.out/{test}"))
    };
    // What is made is ended, and a person could have written it.
    let added = test(mutants[0].0);
    assert!(added.contains(" = list_new(") && added.contains("  list_free("), "{added}");
    // What declares the one that ends it comes along: nobody has to guess.
    assert!(added.contains("#include \"end.h\""), "{added}");
    let driver = project.read("motif.out/drivers/list_add/driver.c");
    assert!(driver.contains("/end.h\""), "{driver}");
    assert!(test(mutants[2].0).contains("static long called_weight("), "{}", test(mutants[2].0));
    assert!(test(mutants[3].0).contains("rule_of_all()"), "{}", test(mutants[3].0));
}

#[test]
fn a_length_behind_its_array_in_a_structure_bounds_it_and_tests_of_old_c_can_speak_of_zero_and_infinity() {
    let text = "struct text { const unsigned char *bytes; unsigned long length; double weight; };\n\
        int sum(const struct text *it) {\n  int all = 0;\n  unsigned long at;\n  for (at = 0; at < it->length; at++) all += it->bytes[at];\n  \
        return all + 1;\n}\ndouble lift(const struct text *it, double by) {\n  return it->weight * 0 + by * 0 - 0.0;\n}\n";
    let project = Project::of(&[("sum.c", text)]);
    let root = project.root().display().to_string();
    let command = "clang -std=c89 -pedantic -c sum.c";
    let entry = format!("[{{\"directory\": \"{root}\", \"file\": \"sum.c\", \"command\": \"{command}\"}}]");
    project.write("build/compile_commands.json", &entry);
    let mutants = [
        ("sum.mut.6.1_1_1.ICR.sum.c", "return all + 1", "return all + 2"),
        ("sum.mut.9.1_1_1.AOR.lift.c", "by * 0 - 0.0", "by * 0 + 0.0"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let faults = outcome.0["units"][0]["suspected_faults"].as_array();
    assert!(faults.is_none_or(Vec::is_empty), "{}", outcome.0["units"][0]);
}

#[test]
fn objects_with_which_no_input_gets_into_a_unit_are_made_otherwise() {
    let text = "#include <cstdlib>\nclass Cell {\n  friend class Book;\n  friend class Node;\n  Cell *self = nullptr;\n public:\n  explicit Cell(int key) : key(key) {}\n  \
        int key;\n};\nclass Node {\n  Cell *cell;\n public:\n  explicit Node(Cell *cell) : cell(cell) {}\n  int weigh(int by) const;\n};\n\
        class Book {\n  Cell own;\n public:\n  Book() : own(5) { own.self = &own; }\n  Node first() { return Node(&own); }\n};\n\
        int Node::weigh(int by) const {\n  if (cell->self != cell) abort();\n  return cell->key + by % 100;\n}\n";
    let project = Project::of(&[("book.cpp", text)]);
    let id = "book.mut.24.1_1_1.AOR.weigh.cpp";
    let outcome = all_die(&project, "1s", &[(id, "cell->key + by", "cell->key - by")]);
    let test = outcome.mutants()[id]["kill"]["test"].as_str().unwrap().split('#').next().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    assert!(test.contains(".first()"), "{test}");
    // A run that goes on makes them so as well.
    project.fuzz(&["--budget", "1s", "--resume"]).ends_with(0);
    assert!(project.outcome().verified(id));
}

#[test]
fn definitions_are_filled_in_and_their_pointers_lead_to_objects() {
    let text = "#include <cassert>\nstruct Body {\n  explicit Body(int m) : mass(m) {}\n  int mass;\n};\n\
                struct Def {\n  Def() : first(nullptr), second(nullptr), stiff(false) {}\n  Body *first, *second;\n  bool stiff;\n};\n\
                class Joint {\n  Body *first_, *second_;\n  bool stiff_;\n public:\n  explicit Joint(const Def &def)\n      \
                : first_(def.first), second_(def.second), stiff_(def.stiff) {\n    assert(first_ && second_);\n  }\n  \
                long load() const {\n    return stiff_ ? 3L * first_->mass : second_->mass;\n  }\n};\n\
                long use(const Joint &joint) { return joint.load(); }\n";
    let project = Project::of(&[("joint.cpp", text)]);
    all_die(&project, "2s", &[("joint.mut.19.1_1_1.ICR.load.cpp", "3L *", "4L *")]);
}

#[test]
fn seeds_that_never_come_back_are_told_and_no_search_waits_for_them_again() {
    let text = "int half(int n) {\n  for (volatile int i = n; i < 0;) {\n  }\n  return n / 2;\n}\n";
    let project = Project::of(&[("half.cpp", text)]);
    project.write("mutants/half.mut.4.1_1_1.EQ.half.cpp", &text.replace("n / 2", "n / 2 + 0"));
    project.fuzz(&["--budget", "4x"]).ends_with(0);
    let outcome = project.outcome();
    let unit = &outcome.0["units"][0];
    assert_eq!(unit["hangs"].as_u64().unwrap_or(0), 0, "{unit}");
    let faults = unit["suspected_faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault["what"] == "hang"), "{unit}");
}

/// Large numbers turn for ever: most inputs would be spent waiting.
#[test]
fn where_large_numbers_hang_the_original_the_search_keeps_to_small_ones() {
    let text = "double turned(double angle, int steps) {\n  while (angle > 6.28) angle -= 6.28;\n  while (angle < 0) angle += 6.28;\n  \
                for (int i = 0; i < steps; ++i) angle = angle / 2 + 1;\n  if (angle > 2.1 && angle < 2.2 && steps > 3) return 5;\n  \
                return angle;\n}\n";
    let project = support::Project::of(&[("turned.cpp", text)]);
    support::all_die(&project, "4s", &[("turned.mut.5.1_1_1.ICR.turned.cpp", "return 5", "return 6")]);
}
