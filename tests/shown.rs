//! What is compared of objects that a caller can see only through something else: through a pointer that it gave a copy of away, or
//! through a base.

use crate::support::{Project, all_die};

const SHARED_H: &str = "#pragma once\n#include <memory>\n#include <vector>\nstruct Node {\n  int value = 0;\n  std::vector<int> items;\n};\n\
    struct View {\n  std::shared_ptr<Node> node;\n  int from;\n};\n\
    void raise(std::shared_ptr<Node> node, int by);\nvoid all(std::vector<std::shared_ptr<Node>> nodes, int by);\nvoid look(View view);\n\
    int total(std::shared_ptr<const Node> node);\n";
const SHARED: &str = "#include \"shared.h\"\nvoid raise(std::shared_ptr<Node> node, int by) {\n  node->value ^= by;\n  if (by > 3) node->items.push_back(by - 1);\n}\n\
    void all(std::vector<std::shared_ptr<Node>> nodes, int by) {\n  for (auto &node : nodes) node->value ^= by | 1;\n}\n\
    void look(View view) { view.node->value = view.from | 5; }\n\
    int total(std::shared_ptr<const Node> node) { return node->value ^ 9; }\n";

#[test]
fn what_a_callee_does_to_objects_that_it_shares_is_seen() {
    let project = Project::of(&[("shared.h", SHARED_H), ("shared.cpp", SHARED)]);
    let mutants = [
        ("shared.mut.3.1_1_1.AOR.raise.cpp", "value ^= by;\n  if", "value |= by;\n  if"),
        ("shared.mut.4.1_1_1.AOR.raise.cpp", "by - 1", "by - 2"),
        ("shared.mut.7.1_1_1.ICR.all.cpp", "by | 1", "by | 2"),
        ("shared.mut.9.1_1_1.ICR.look.cpp", "| 5", "| 4"),
        ("shared.mut.10.1_1_1.ICR.total.cpp", "^ 9", "^ 8"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = outcome.mutants()["shared.mut.4.1_1_1.AOR.raise.cpp"]["kill"]["test"].as_str().unwrap().to_owned();
    let text = project.read(format!("motif.out/{}", test.split_once('#').unwrap().0));
    assert!(text.contains("EXPECT_EQ(node_owner->items["), "{text}");
}

const SHAPES_H: &str = "#pragma once\n#include <memory>\n#include <vector>\nclass Shape {\n public:\n  explicit Shape(int id) : id_(id) {}\n  virtual ~Shape() = default;\n  \
    virtual int area() const = 0;\n\n protected:\n  int id_;\n};\n\
    class Named {\n public:\n  explicit Named(int name) : name_(name) {}\n  virtual ~Named() = default;\n\n protected:\n  int name_;\n};\n\
    class Round : public Shape {\n public:\n  Round(int id, int radius) : Shape(id), radius_(radius) {}\n\n protected:\n  int radius_;\n};\n\
    class Circle : public Round, public Named {\n public:\n  Circle(int radius, int name) : Round(1, radius), Named(name) {}\n  int area() const override { return 7; }\n};\n\
    class Square : public virtual Shape {\n public:\n  explicit Square(int side) : Shape(2), side_(side) {}\n  int area() const override { return 7; }\n\n private:\n  int side_;\n};\n\
    class Left : public Round {\n public:\n  Left() : Round(3, 3) {}\n  int area() const override { return 7; }\n};\n\
    class Right : public Round {\n public:\n  Right() : Round(4, 4) {}\n  int area() const override { return 7; }\n};\n\
    class Twice : public Left, public Right {};\n\
    std::unique_ptr<Shape> circle(int n);\nstd::vector<std::shared_ptr<Shape>> squares(int n);\nvoid fill(int n, std::unique_ptr<Shape> &out);\n\
    Left *twice(int n);\n";
const SHAPES: &str = "#include \"shapes.h\"\nstd::unique_ptr<Shape> circle(int n) { return std::unique_ptr<Shape>(new Circle(n | 2, n | 4)); }\n\
    std::vector<std::shared_ptr<Shape>> squares(int n) {\n  std::vector<std::shared_ptr<Shape>> all;\n  \
    for (int at = n & 3; at >= 0; --at) all.push_back(std::make_shared<Square>(at ^ 8));\n  return all;\n}\n\
    namespace {\nstruct Hidden : Shape {\n  explicit Hidden(int n) : Shape(n) {}\n  int area() const override { return 7; }\n  int more = 1;\n};\n}\n\
    void fill(int n, std::unique_ptr<Shape> &out) {\n  if (n > 5) out.reset(new Hidden(n));\n  else out.reset(new Circle(1, n ^ 16));\n}\n\
    Left *twice(int n) {\n  static Twice one;\n  static Left other;\n  return n > 0 ? &one : &other;\n}\n";

#[test]
fn objects_seen_through_a_base_are_compared_with_what_their_derived_classes_have() {
    let project = Project::of(&[("shapes.h", SHAPES_H), ("shapes.cpp", SHAPES)]);
    let mutants = [
        ("shapes.mut.2.1_1_1.ICR.circle.cpp", "n | 2", "n | 3"),
        ("shapes.mut.2.1_1_2.ICR.circle.cpp", "n | 4", "n | 5"),
        ("shapes.mut.5.1_1_1.ICR.squares.cpp", "at ^ 8", "at ^ 9"),
        ("shapes.mut.18.1_1_1.ICR.fill.cpp", "n ^ 16", "n ^ 17"),
        ("shapes.mut.23.1_1_1.ROR.twice.cpp", "n > 0", "n < 0"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let checks = [
        ("2.1_1_1.ICR.circle", "EXPECT_EQ(dynamic_cast<const Circle &>(*result).radius_, "),
        ("2.1_1_2.ICR.circle", "EXPECT_EQ(dynamic_cast<const Circle &>(*result).name_, "),
        ("5.1_1_1.ICR.squares", "EXPECT_EQ(dynamic_cast<const Square &>(*result[0]).side_, "),
        ("18.1_1_1.ICR.fill", "EXPECT_EQ(dynamic_cast<const Circle &>(*out_owner).name_, "),
        ("23.1_1_1.ROR.twice", "EXPECT_TRUE(dynamic_type_of(*result) == typeid("),
    ];
    for (mutant, check) in checks {
        let test = &outcome.mutants()[format!("shapes.mut.{mutant}.cpp").as_str()]["kill"]["test"];
        let text = project.read(format!("motif.out/{}", test.as_str().unwrap().split_once('#').unwrap().0));
        assert!(text.contains(check), "{check} is not in\n{text}");
    }
}

const OLD_H: &str = "#pragma once\n#include <memory>\n#include <string>\nclass Io {\n public:\n  typedef std::auto_ptr<Io> AutoPtr;\n  virtual ~Io() {}\n  virtual int read(int n) = 0;\n};\n\
    class MemIo : public Io {\n public:\n  explicit MemIo(const std::string &data) : data_(data), at_(0) {}\n  virtual int read(int n);\n\n private:\n  std::string data_;\n  std::size_t at_;\n};\n\
    class Image {\n public:\n  typedef std::auto_ptr<Image> AutoPtr;\n  explicit Image(Io::AutoPtr io) : io_(io), width_(0) {}\n  int load();\n  \
    AutoPtr half() const;\n  int width() const { return width_; }\n\n private:\n  Image(const Image &);\n  Io::AutoPtr io_;\n  int width_;\n};\n\
    Image::AutoPtr open(const std::string &text);\nbool make(int n, std::auto_ptr<MemIo> &out);\n";
const OLD: &str = "#include \"old.h\"\nint MemIo::read(int n) {\n  int sum = 0;\n  while (n-- > 0 && at_ < data_.size()) sum += data_[at_++];\n  return sum;\n}\n\
    int Image::load() {\n  width_ = io_->read(4);\n  return width_ > 100 ? width_ - 100 : width_;\n}\n\
    Image::AutoPtr Image::half() const {\n  if (width_ < 2) return AutoPtr();\n  AutoPtr made(new Image(Io::AutoPtr(new MemIo(\"\"))));\n  \
    made->width_ = width_ / 2;\n  return made;\n}\n\
    Image::AutoPtr open(const std::string &text) {\n  Image::AutoPtr image(new Image(Io::AutoPtr(new MemIo(text))));\n  \
    if (image->load() < 10) return Image::AutoPtr();\n  return image;\n}\n\
    bool make(int n, std::auto_ptr<MemIo> &out) {\n  if (n < 3) return false;\n  out.reset(new MemIo(std::string(n % 100, 'x')));\n  return true;\n}\n";

#[test]
fn the_smart_pointer_of_old_code_is_made_given_away_and_looked_into() {
    let project = Project::of(&[("old.h", OLD_H), ("old.cpp", OLD)]);
    let database = "build/compile_commands.json";
    project.write(database, &project.read(database).replace("-std=c++17", "-std=c++11"));
    let mutants = [
        ("old.mut.9.1_1_1.ICR.load.cpp", "width_ - 100", "width_ - 101"),
        ("old.mut.14.1_1_1.ICR.half.cpp", "width_ / 2", "width_ / 3"),
        ("old.mut.19.1_1_1.ICR.open.cpp", "< 10", "< 90"),
        ("old.mut.23.1_1_1.ICR.make.cpp", "n < 3", "n < 4"),
        ("old.mut.24.1_1_1.ICR.make.cpp", "'x'", "'y'"),
    ];
    all_die(&project, "1s", &mutants);
}

const ODD_H: &str = "#pragma once\n#include <functional>\n#include <memory>\n#include <string>\nstruct Root {\n  virtual ~Root() = default;\n  std::string type = \"root\";\n};\n\
    struct Left : virtual Root {\n  int left = 0;\n};\nstruct Right : virtual Root {\n  int right = 0;\n};\nstruct Both : Left, Right {\n  int both = 0;\n};\n\
    class Quiet : Root {\n public:\n  static std::unique_ptr<Root> make(int n) {\n    auto *quiet = new Quiet;\n    quiet->loud = n;\n    return std::unique_ptr<Root>(quiet);\n  }\n  int loud = 0;\n};\n\
    class Far : virtual Root {\n public:\n  static std::unique_ptr<Root> make(int n) {\n    auto *far = new Far;\n    far->type = n > 9 ? \"far\" : \"near\";\n    return std::unique_ptr<Root>(far);\n  }\n  int away = 0;\n};\n\
    template <class T> struct Typed : Root {\n  T value{};\n};\nstruct IntTyped : Typed<int> {\n  int own = 0;\n};\nstruct Node {\n  int value = 0;\n};\n\
    struct Holder {\n  Node *node;\n};\nstruct Wide : Holder {\n  int width;\n};\n\
    std::unique_ptr<Root> both(int n);\nstd::unique_ptr<Root> quiet(int n);\nstd::unique_ptr<Root> away(int n);\nstd::unique_ptr<Root> typed(int n);\nstd::shared_ptr<Root> kind(int n);\n\
    void number(std::shared_ptr<int> number, int k);\nvoid refer(std::reference_wrapper<Node> node, int k);\nvoid weak(std::weak_ptr<Node> node, int k);\nvoid widen(Wide wide, int k);\n";
const ODD: &str = "#include \"odd.h\"\nstd::unique_ptr<Root> both(int n) {\n  auto *made = new Both;\n  made->left = n | 1;\n  made->both = n | 2;\n  return std::unique_ptr<Root>(made);\n}\n\
    std::unique_ptr<Root> quiet(int n) { return Quiet::make(n | 4); }\nstd::unique_ptr<Root> away(int n) { return Far::make(n | 8); }\n\
    std::unique_ptr<Root> typed(int n) {\n  auto *made = new IntTyped;\n  made->value = n | 16;\n  return std::unique_ptr<Root>(made);\n}\n\
    std::shared_ptr<Root> kind(int n) {\n  if (n > 3) return std::make_shared<Both>();\n  return std::make_shared<IntTyped>();\n}\n\
    void number(std::shared_ptr<int> number, int k) {\n  if (number) *number = k | 32;\n}\nvoid refer(std::reference_wrapper<Node> node, int k) { node.get().value = k | 64; }\n\
    void weak(std::weak_ptr<Node> node, int k) {\n  if (auto held = node.lock()) held->value = k | 128;\n}\nvoid widen(Wide wide, int k) { wide.node->value = k | 256; }\n";

#[test]
fn bases_that_are_shared_hidden_or_templates_and_members_with_odd_names_get_in_nobodys_way() {
    let project = Project::of(&[("odd.h", ODD_H), ("odd.cpp", ODD)]);
    let mutants = [
        ("odd.mut.4.1_1_1.ICR.both.cpp", "n | 1;", "n | 3;"),
        ("odd.mut.5.1_1_1.ICR.both.cpp", "n | 2;", "n | 6;"),
        ("odd.mut.8.1_1_1.ICR.quiet.cpp", "n | 4", "n | 5"),
        ("odd.mut.9.1_1_1.ICR.away.cpp", "n | 8", "n | 1"),
        ("odd.mut.12.1_1_1.ICR.typed.cpp", "n | 16", "n | 17"),
        ("odd.mut.16.1_1_1.ROR.kind.cpp", "n > 3", "n < 3"),
        ("odd.mut.20.1_1_1.ICR.number.cpp", "k | 32", "k | 33"),
        ("odd.mut.22.1_1_1.ICR.refer.cpp", "k | 64", "k | 65"),
        ("odd.mut.24.1_1_1.ICR.weak.cpp", "k | 128", "k | 129"),
        ("odd.mut.26.1_1_1.ICR.widen.cpp", "k | 256", "k | 257"),
    ];
    all_die(&project, "1s", &mutants);
}

const TWICE_TWICE: &str = r#"#include "twice.h"
std::unique_ptr<Base> made(int k) { auto d = std::make_unique<Far>(1); d->near(k + 3); return d; }
Both both(int k) { Both b; b.Right::n = k | 128; return b; }
void change(Far &far, int k) { far.both(k + 7); }
"#;
const TWICE_TWICE_H: &str = r#"#pragma once
#include <memory>
class Base { public: explicit Base(int v) : value_(v) {} virtual ~Base() = default; int base(int k) { value_ = k | 1; return 0; } protected: int value_; };
class Derived : public Base { public: explicit Derived(int v) : Base(v), value_(v + 1) {} int own(int k) { value_ = k | 2; return 0; } int both(int k) { Base::value_ = k | 4; return 0; } private: int value_; };
class Far : public Derived { public: explicit Far(int v) : Derived(v), value_(v) {} int far(int k) { value_ = k | 8; return 0; } int near(int k) { Base::value_ = k | 16; return 0; } private: long value_; };
struct Left { int n = 0; }; struct Right { int n = 0; };
struct Both : Left, Right { int left(int k) { Left::n = k | 32; return 0; } int right(int k) { Right::n = k | 64; return 0; } };
std::unique_ptr<Base> made(int k);
Both both(int k);
void change(Far &far, int k);
template <class T> struct Box { T held{}; }; 
struct Boxes : Box<int>, Box<long> { int set(int k) { Box<long>::held = k | 256; return 0; } };
"#;

#[test]
fn members_that_have_the_same_name_on_the_way_down_are_told_apart() {
    let project = Project::of(&[("twice.cpp", TWICE_TWICE), ("twice.h", TWICE_TWICE_H)]);
    let mutants = [
        ("twice.mut.3.1_1_1.ICR.base.h", "= k | 1;", "= k | 3;"),
        ("twice.mut.4.1_1_1.ICR.own.h", "= k | 2;", "= k | 6;"),
        ("twice.mut.4.1_1_2.ICR.both.h", "k | 4", "k | 5"),
        ("twice.mut.5.1_1_1.ICR.far.h", "k | 8", "k | 9"),
        ("twice.mut.5.1_1_2.ICR.near.h", "= k | 16;", "= k | 17;"),
        ("twice.mut.7.1_1_1.ICR.left.h", "k | 32", "k | 33"),
        ("twice.mut.7.1_1_2.ICR.right.h", "k | 64", "k | 65"),
        ("twice.mut.12.1_1_1.ICR.set.h", "held = k | 256", "held = k | 257"),
        ("twice.mut.2.1_1_1.ICR.made.cpp", "k + 3", "k + 35"),
        ("twice.mut.3.1_1_1.ICR.both.cpp", "k | 128", "k | 129"),
        ("twice.mut.4.1_1_1.ICR.change.cpp", "k + 7", "k + 71"),
    ];
    all_die(&project, "1s", &mutants);
}
