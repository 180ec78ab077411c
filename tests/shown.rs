//! What is compared of objects that a caller can see only through something else: through a pointer that it gave a copy
//! of away, or through a base.

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
