//! Units that call what nobody defines: drivers of hardware, an operating system, what is built elsewhere.

use crate::support::{Project, all_die};
use std::process::Command;

const BUS_H: &str = "#include <stddef.h>\n#include <stdint.h>\ntypedef struct { uint16_t id; uint8_t data[4]; } frame_t;\n\
                     uint16_t adc_read(uint8_t channel);\nvoid gpio_write(uint8_t pin, int level);\n\
                     int bus_send(const uint8_t *data, size_t length);\nint bus_receive(uint8_t *data, size_t length);\n\
                     int frame_get(frame_t *frame);\nvoid *never_called(void);\nextern volatile uint32_t ticks;\n";

#[test]
fn what_nobody_defines_is_stood_in_for_in_c_and_the_tests_link_and_pass_without_it() {
    let node = "#include \"bus.h\"\nint heat(int limit) {\n  uint16_t raw = adc_read(3);\n  if (raw > limit) {\n    \
                gpio_write(4, 0);\n    return (int)(ticks & 7);\n  }\n  return -1;\n}\n\
                int report(uint8_t kind) {\n  uint8_t data[2];\n  data[0] = kind;\n  data[1] = 0xa5;\n  \
                return bus_send(data, sizeof data);\n}\n\
                int take(void) {\n  uint8_t data[4] = {0, 0, 0, 0};\n  frame_t frame;\n  frame.id = 0;\n  \
                if (bus_receive(data, sizeof data) < 0) return -1;\n  while (!frame_get(&frame)) ticks = ticks + 2;\n  \
                return data[1] + frame.id;\n}\nvoid *unit_of_its_own(void) { return never_called(); }\n";
    let project = Project::of(&[("bus.h", BUS_H), ("node.c", node)]);
    let mutants = [
        ("node.mut.3.1_1_1.ICR.heat.c", "adc_read(3)", "adc_read(2)"),
        ("node.mut.5.1_1_1.ICR.heat.c", "gpio_write(4, 0)", "gpio_write(4, 1)"),
        ("node.mut.6.1_1_1.BWR.heat.c", "ticks & 7", "ticks | 7"),
        ("node.mut.13.1_1_1.ICR.report.c", "data[1] = 0xa5", "data[1] = 0xa4"),
        ("node.mut.20.1_1_1.ROR.take.c", "< 0", "> 0"),
        ("node.mut.21.1_1_1.ICR.take.c", "ticks + 2", "ticks + 3"),
        ("node.mut.22.1_1_1.AOR.take.c", "data[1] + frame.id", "data[1] - frame.id"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let test = outcome.mutants()[mutants[3].0]["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    assert!(test.contains("int bus_send(const uint8_t *data, size_t length) {"), "{test}");
    assert!(test.contains(" a5}, 2)\\n\") == 0);"), "{test}");
    // `never_called` is defined nowhere, and no test needs it.
    the_tests_pass_for_whoever_gets_them(&project);
}

fn the_tests_pass_for_whoever_gets_them(project: &Project) {
    let tests = project.root().join("motif.out/tests");
    let make = format!(
        "cmake -S {0} -B {0}/build && cmake --build {0}/build -j 2 && ctest --test-dir {0}/build",
        tests.display()
    );
    let made = Command::new("sh").args(["-c", &make]).output().unwrap();
    assert!(
        made.status.success(),
        "{}{}",
        String::from_utf8_lossy(&made.stdout),
        String::from_utf8_lossy(&made.stderr)
    );
}

#[test]
fn who_lacks_a_library_is_told_so_and_who_lacks_hardware_that_it_is_stood_in_for() {
    let text = "void gone(int);\nint run(int n) { gone(n); return n + 1; }\n";
    let project = Project::of(&[("run.c", text)]);
    project.write("mutants/run.mut.2.1_1_1.AOR.run.c", &text.replace("n + 1", "n - 1"));
    let run = project.fuzz(&["--budget", "1s"]);
    run.ends_with(0);
    let said = &run.stderr;
    assert!(said.contains("[undefined]") && said.contains("gone") && said.contains("`link:`"), "{said}");
}

#[test]
fn a_class_whose_source_does_not_parse_costs_those_only_who_use_it() {
    let header = "#pragma once\nclass Label {\n  char *text_;\n public:\n  explicit Label(const char *text);\n  virtual ~Label();\n  \
                  virtual int size() const;\n  static int made;\n};\n";
    let broken = "#include <gone/checked.h>\n#include \"label.hpp\"\nint Label::made = 0;\nLabel::Label(const char *) : text_(nullptr) {}\n\
                  Label::~Label() = default;\nint Label::size() const { return 0; }\n";
    let unit = "#include \"label.hpp\"\nstatic const Label none(\"\");\nclass Tag : public Label {\n public:\n  Tag() : Label(\"tag\") {}\n  \
                int size() const override { return 3; }\n};\nstatic const Tag tag;\n\
                int twice(int x) {\n  return x * 2;\n}\nint made() {\n  return Label::made + 1;\n}\n\
                int named(const char *s) {\n  return Label(s).size() + 1;\n}\n";
    let project = Project::of(&[("label.hpp", header), ("label.cpp", broken), ("unit.cpp", unit)]);
    for (id, from, to) in [
        ("unit.mut.10.1_1_1.AOR.twice.cpp", "x * 2", "x + 2"),
        ("unit.mut.13.1_1_1.AOR.made.cpp", "made + 1", "made - 1"),
        ("unit.mut.16.1_1_1.AOR.named.cpp", "size() + 1", "size() - 1"),
    ] {
        project.write(&format!("mutants/{id}"), &unit.replace(from, to));
    }
    let run = project.fuzz(&["--budget", "1s"]);
    run.ends_with(0);
    let outcome = project.outcome();
    for id in ["unit.mut.10.1_1_1.AOR.twice.cpp", "unit.mut.13.1_1_1.AOR.made.cpp"] {
        assert!(outcome.status(id) == "killed" && outcome.verified(id), "{id}: {}", outcome.reason(id));
    }
    let named = "unit.mut.16.1_1_1.AOR.named.cpp";
    assert_eq!(outcome.status(named), "baseline_failed");
    assert!(
        outcome.reason(named).contains("it calls `Label::Label(char const*)`, which nobody defines"),
        "{}",
        outcome.reason(named)
    );
    // Their program makes and ends two objects of the class before and after them.
    the_tests_pass_for_whoever_gets_them(&project);
}

#[test]
fn a_library_that_the_projects_build_links_is_linked_and_not_stood_in_for() {
    let vendor = tempfile::tempdir().unwrap();
    let (source, library) = (vendor.path().join("vendor.c"), vendor.path().join("libvendor.so"));
    std::fs::write(&source, "int vendor_scale(int n) { return n * 3; }\n").unwrap();
    let built = Command::new("gcc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
    assert!(built.success());
    let text = "int vendor_scale(int n);\nint level(int n) {\n  return vendor_scale(n & 0xff) + 1;\n}\n";
    let project = Project::of(&[("level.c", text)]);
    let ninja = format!("build own: C_SHARED_LIBRARY level.o\n  LINK_LIBRARIES = -lm {}\n", library.display());
    project.write("build/build.ninja", &ninja);
    let mutants = [("level.mut.3.1_1_1.ICR.level.c", "+ 1", "+ 2")];
    let outcome = all_die(&project, "1s", &mutants);
    let test = outcome.mutants()[mutants[0].0]["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    assert!(!test.contains("int vendor_scale(int"), "{test}");
    the_tests_pass_for_whoever_gets_them(&project);
}
