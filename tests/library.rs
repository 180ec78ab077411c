//! Types that a row makes known: the standard library's that few use, and containers of a project's own.

use crate::support::{Project, all_die};

/// A container of which calls before the test would not put in as many elements as the unit asks for. Its room is never
/// all in use, so that only what lies between its beginning and its end can be compared.
const RING_H: &str = r#"#pragma once
#include <cstddef>
namespace lab {
template <class T> class ring {
 public:
  ring() : room_(new unsigned char[16 * sizeof(T)]) {}
  ring(const ring &other) : ring() { for (const T &value : other) append(value); }
  ring &operator=(const ring &) = delete;
  ~ring() { delete[] room_; }
  void append(const T &value) { if (count_ < 16) new (room_ + count_++ * sizeof(T)) T(value); }
  const T *begin() const { return reinterpret_cast<const T *>(room_); }
  const T *end() const { return begin() + count_; }
 private:
  unsigned char *room_;
  std::size_t count_ = 0;
};
int weigh(const ring<int> &all);
ring<int> doubled(const ring<int> &all);
}
"#;

const RING_CPP: &str = r#"#include <new>
#include "ring.h"
int lab::weigh(const ring<int> &all) {
  int sum = 0, place = 0;
  for (int value : all) sum += ++place > 4 ? value & 7 : 1;
  return sum;
}
lab::ring<int> lab::doubled(const ring<int> &all) {
  ring<int> result;
  for (int value : all) result.append(value / 4 * 2);
  return result;
}
"#;

const ROW: &str = "library:\n  lab::ring: {shape: sequence, parts: {element: $1}, fill: append, index: iterator}\n";

#[test]
fn a_container_of_the_projects_own_is_filled_and_compared_by_its_row_alone() {
    let project = Project::of(&[("ring.cpp", RING_CPP), ("ring.h", RING_H), ("utility-overrides/ring.yaml", ROW)]);
    let mutants = [
        ("ring.mut.5.1_1_1.ICR.weigh.cpp", "value & 7", "value & 5"),
        ("ring.mut.10.1_1_1.ICR.doubled.cpp", "value / 4 * 2", "value / 4 * 3"),
    ];
    let outcome = all_die(&project, "4000x", &mutants);
    let test = project.test_of(&outcome, mutants[1].0);
    // It fills by the method that the row names, and asks for elements as everybody may.
    assert!(test.contains(".append(") && test.contains("*result.begin()") && !test.contains("room_"), "{test}");
}

#[test]
fn a_row_that_does_not_fit_the_class_is_an_error_with_its_line() {
    let project = Project::of(&[("ring.cpp", RING_CPP), ("ring.h", RING_H)]);
    project.database(&["ring.cpp"]);
    let refuses = |row: &str, mentions: &[&str]| {
        project.write("utility-overrides/ring.yaml", &format!("library:\n  lab::ring:\n{row}"));
        project.refuses(&project.run(["analyze"]), 2, mentions);
    };
    let parts = "    parts: {element: $1}\n";
    refuses(&format!("    shape: sequense\n{parts}"), &["ring.yaml:3", "sequense", "did you mean `sequence`?"]);
    refuses(&format!("    shap: sequence\n{parts}"), &["ring.yaml:3", "shap", "did you mean `shape`?"]);
    let misspelled = format!("    shape: sequence\n{parts}    fill: apend\n");
    refuses(&misspelled, &["ring.yaml:5", "no public method `apend`", "did you mean `append`?"]);
    refuses("    shape: map\n    parts: {key: $1}\n    fill: append\n", &["ring.yaml:4", "two parts"]);
    let unknown = "    shape: sequence\n    parts: {element: lab::rung<$1>}\n    fill: append\n";
    refuses(unknown, &["ring.yaml:4", "lab::rung", "lab::ring"]);
    project.write("utility-overrides/ring.yaml", "library:\n  lab::rink: {shape: empty}\n");
    project.refuses(&project.run(["analyze"]), 2, &["ring.yaml:2", "lab::rink", "lab::ring"]);
}

#[test]
fn a_view_of_wide_characters_is_made_and_compared() {
    let source = "#include <string_view>\nint caps(std::wstring_view text) {\n  int count = 0;\n\
        for (wchar_t c : text) count += c >= L'A' && c <= L'Z';\n  return count;\n}\n";
    let project = Project::of(&[("caps.cpp", source)]);
    all_die(&project, "20000x", &[("caps.mut.4.1_1_1.ROR.caps.cpp", "c <= L'Z'", "c < L'Z'")]);
}
