//! What stubs are called with counts as much as what a unit returns: through the real command, to tests that are
//! proved.

use crate::support::{Project, all_die};

/// The text of all tests that a run has left.
fn tests_of(project: &Project) -> String {
    let mut text = String::new();
    let mut folders = vec![project.root().join("motif.out/tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cpp") {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    text
}

#[test]
fn objects_that_an_interface_is_handed_are_compared_member_by_member() {
    let header = "#pragma once\n#include <memory>\n#include <vector>\nnamespace n {\nclass Spot {\n  double x;\n  int weight;\n  \
        std::vector<int> marks;\n  const Spot *next = nullptr;\n public:\n  Spot(double x, int weight) : x(x), weight(weight) {}\n  \
        void mark(int n) { marks.push_back(n); }\n  void behind(const Spot *other) { next = other; }\n  \
        void show(class Painter &painter) const;\n};\nclass Painter {\n public:\n  virtual ~Painter() {}\n  \
        virtual void dot(const Spot &spot) = 0;\n  virtual bool dot(std::unique_ptr<Spot> spot) = 0;\n  \
        virtual bool line(const Spot *from, const Spot *to, int width) = 0;\n  \
        virtual void all(const std::vector<Spot> &spots) = 0;\n};\nvoid paint(Painter &painter, double x, int weight);\n\
        void give(Painter &painter, int weight);\n}\n";
    let text = "#include \"spot.h\"\nnamespace n {\nvoid Spot::show(Painter &painter) const {\n  Spot twin(x, weight);\n  \
        twin.weight -= 7;\n  painter.dot(twin);\n}\nvoid paint(Painter &painter, double x, int weight) {\n  \
        Spot from(x, 0), to(x * 0.5, weight);\n  from.mark(3);\n  from.behind(&to);\n  to.behind(&from);\n  \
        if (weight < 0) to.mark(weight > 0 ? 2 : 1);\n  painter.line(&from, &to, 1);\n}\n\
        void give(Painter &painter, int weight) {\n  std::unique_ptr<Spot> spot(new Spot(1, 2));\n  \
        spot->mark(weight & 1);\n  painter.dot(std::move(spot));\n  painter.all({Spot(weight / 2, 1), Spot(2, 2)});\n}\n}\n";
    let project = Project::of(&[("spot.h", header), ("spot.cpp", text)]);
    let alike = "spot.mut.13.1_1_1.ROR.paint.cpp";
    project.write(&format!("mutants/{alike}"), &text.replace("weight > 0 ?", "weight >= 0 ?"));
    let mutants = [
        ("spot.mut.5.1_1_1.ICR.show.cpp", "-= 7", "-= 8"),
        ("spot.mut.9.1_1_1.ICR.paint.cpp", "x * 0.5", "x * 0.25"),
        ("spot.mut.10.1_1_1.ICR.paint.cpp", "mark(3)", "mark(4)"),
        ("spot.mut.18.1_1_1.AOR.give.cpp", "weight & 1", "weight & 2"),
        ("spot.mut.20.1_1_1.AOR.give.cpp", "weight / 2", "weight * 2"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    assert_eq!(outcome.status(alike), "live", "nothing that is handed over depends on it");
    let tests = tests_of(&project);
    assert!(tests.contains(", argument1.weight = "), "{tests}");
    assert!(tests.contains("line(&..., &..., 1), argument1->marks[0] = 3"), "{tests}");
}

#[test]
fn what_is_handed_over_without_a_value_or_when_it_is_gone_does_no_harm() {
    let header = "#pragma once\nnamespace n {\nclass Cell {\n public:\n  Cell() {}\n  int a;\n  Cell *next;\n  double rest;\n};\n\
        class Sink {\n public:\n  virtual ~Sink() {}\n  virtual void take(const Cell &cell) = 0;\n  virtual void gone(Cell *cell) = 0;\n};\n\
        int run(Sink &sink, int n);\nint leave(Sink &sink, int n);\n}\n";
    let text = "#include \"cell.h\"\nnamespace n {\nint run(Sink &sink, int n) {\n  Cell cell;\n  cell.a = n * 3;\n  sink.take(cell);\n  \
        return 1;\n}\nint leave(Sink &sink, int n) {\n  Cell *cell = new Cell;\n  cell->rest = n;\n  delete cell;\n  sink.gone(cell);\n  \
        return n + 1;\n}\n}\n";
    let project = Project::of(&[("cell.h", header), ("cell.cpp", text)]);
    let unseen = "cell.mut.11.1_1_1.AOR.leave.cpp";
    project.write(&format!("mutants/{unseen}"), &text.replace("rest = n;", "rest = n + 1;"));
    let mutants = [
        ("cell.mut.5.1_1_1.ICR.run.cpp", "n * 3", "n * 5"),
        ("cell.mut.14.1_1_1.ICR.leave.cpp", "return n + 1", "return n + 2"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    assert_eq!(outcome.status(unseen), "live", "it was gone when it was handed over");
    let units = outcome.0["units"].as_array().unwrap();
    let faults: Vec<_> = units.iter().filter_map(|unit| unit["suspected_faults"].as_array()).flatten().collect();
    assert!(faults.is_empty(), "nobody but the driver looks there: {faults:?}");
}
