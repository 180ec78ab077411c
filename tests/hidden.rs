//! Objects that only a static method of their own class makes.

use crate::support::{Project, all_die};

const FILTER_H: &str = "#pragma once\n#include <vector>\nclass Filter {\n public:\n  static std::vector<int> above(int least, const std::vector<int> &from);\n  \
    void visit(int at);\n  int sum(int by) const;\n\n private:\n  explicit Filter(int least) : least_(least) {}\n  int least_;\n  std::vector<int> found_;\n};\n\
    class Registry {\n public:\n  static int total(int n);\n  void add(int n) { count_ += n; }\n  int count(int by) const;\n\n \
    private:\n  Registry() = default;\n  ~Registry() = default;\n  Registry(const Registry &) = delete;\n  int count_ = 0;\n};\n";
const FILTER: &str = "#include \"filter.h\"\nstd::vector<int> Filter::above(int least, const std::vector<int> &from) {\n  Filter filter(least);\n  \
    for (int n : from) filter.visit(n);\n  return filter.found_;\n}\n\
    void Filter::visit(int at) {\n  if (at > least_) found_.push_back(at - 1);\n}\n\
    int Filter::sum(int by) const {\n  int sum = 0;\n  for (int n : found_) sum += n * by;\n  return sum;\n}\n\
    int Registry::total(int n) {\n  Registry registry;\n  registry.add(n);\n  return registry.count(2);\n}\n\
    int Registry::count(int by) const { return count_ * by + 1; }\n";

#[test]
fn they_are_made_by_their_private_constructors_and_tests_say_so() {
    let project = Project::of(&[("filter.h", FILTER_H), ("filter.cpp", FILTER)]);
    let mutants = [
        ("filter.mut.8.1_1_1.AOR.visit.cpp", "at - 1", "at + 1"),
        ("filter.mut.8.2_1_1.ROR.visit.cpp", "at > least_", "at >= least_"),
        ("filter.mut.12.1_1_1.AOR.sum.cpp", "n * by", "n + by"),
        ("filter.mut.20.1_1_1.AOR.count.cpp", "count_ * by", "count_ + by"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let text = project.test_of(&outcome, mutants[3].0);
    assert!(text.contains("new Registry()") && text.contains("-fno-access-control"), "{text}");
}
