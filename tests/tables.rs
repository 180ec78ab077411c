//! Virtual functions that stand in headers, of objects that other files make: they are called through tables that those
//! files have.

use crate::support::{Project, all_die};

const SHAPES_H: &str = "#pragma once\nclass Disc;\nclass Shape {\n public:\n  virtual ~Shape();\n  virtual int corners() const = 0;\n  \
    int sides(int n) const;\n  int twice(int n) const;\n  friend int compare(const Shape &one, const Shape &other) {\n    \
    return one.corners() > other.corners() ? 1 : 0;\n  }\n};\n\
    class Box : public Shape {\n public:\n  int corners() const override;\n  int room(int by) const;\n  int area() const;\n};\n\
    class Disc : public Shape {\n public:\n  ~Disc() override;\n  int corners() const override { return size_ > 3 ? 7 : 1; }\n  \
    virtual int grown(int by) const { return size_ + by; }\n\n private:\n  friend class Maker;\n  explicit Disc(int size);\n  Disc(const Disc &);\n  \
    int size_;\n};\nclass Maker {\n public:\n  Disc *createDisc(int size) const;\n};\nextern int discs;\n";
const SHAPES: &str = "#include \"shapes.h\"\nShape::~Shape() {}\nint Shape::sides(int n) const { return corners() + n; }\n\
    int Shape::twice(int n) const { return 2 * n + corners(); }\nint Box::corners() const { return 4; }\n\
    int Box::room(int by) const { return by + 1; }\nint Box::area() const { return 16; }\n";
const DISC: &str = "#include \"shapes.h\"\nint discs = 0;\nDisc::Disc(int size) : size_(size) { ++discs; }\nDisc::~Disc() {\n  discs -= 1;\n}\n\
    Disc *Maker::createDisc(int size) const { return new Disc(size); }\n";

#[test]
fn the_body_that_is_mutated_is_the_one_that_their_tables_lead_to() {
    let project = Project::of(&[("shapes.h", SHAPES_H), ("shapes.cpp", SHAPES), ("disc.cpp", DISC)]);
    all_die(
        &project,
        "1s",
        &[
            ("shapes.mut.22.1_1_1.ROR.corners.h", "size_ > 3", "size_ >= 3"),
            ("shapes.mut.22.2_1_1.ICR.corners.h", "? 7 : 1", "? 7 : 2"),
            ("shapes.mut.23.1_1_1.AOR.grown.h", "size_ + by", "size_ - by"),
        ],
    );
    assert!(["Disc::corners", "Disc::grown"].iter().all(|unit| is_entered(&project, unit)));
}

/// Whether an input gets into the unit where nothing is a copy.
fn is_entered(project: &Project, unit: &str) -> bool {
    let run = project.run(["analyze", "-p", "build", "--build", "--budget", "200ms", "--format", "json", unit]);
    run.ends_with(0);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    found["units"][0]["build"]["runs"] == true
}

#[test]
fn a_friend_that_nothing_else_declares_is_found_by_its_arguments() {
    let project = Project::of(&[("shapes.h", SHAPES_H), ("shapes.cpp", SHAPES), ("disc.cpp", DISC)]);
    let id = "shapes.mut.10.1_1_1.ROR.compare.h";
    let outcome = all_die(&project, "1s", &[(id, "one.corners() > other", "one.corners() >= other")]);
    let text = project.test_of(&outcome, id);
    assert!(text.contains(" compare("), "{text}");
}

#[test]
fn what_can_not_be_copied_is_taken_down_itself() {
    let project = Project::of(&[("shapes.h", SHAPES_H), ("shapes.cpp", SHAPES), ("disc.cpp", DISC)]);
    assert!(is_entered(&project, "Disc::~Disc"));
}
