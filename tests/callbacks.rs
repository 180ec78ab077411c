//! What calls back: functions of the project's, and such as note what they are called with and answer with data.

mod support;

use support::{Project, all_die};

#[test]
fn what_a_function_calls_back_with_and_what_it_makes_of_the_answer_is_seen_in_c() {
    let text = "#include <stddef.h>\ntypedef int (*visitor)(int item, void *context);\n\
                int each(const int *items, int count, visitor visit, void *context) {\n  int n = 0;\n  \
                for (int i = 0; i < count; i++)\n    if (visit(items[i] + 1, context) > 0) n += 1;\n  return n;\n}\n\
                int fill(int (*get)(unsigned char *to, int length)) {\n  unsigned char b[4] = {0, 0, 0, 0};\n  \
                int n = get(b, 4);\n  return n > 0 ? b[0] + 2 : -1;\n}\n\
                int sorted(const int *items, int count, int (*compare)(const void *, const void *)) {\n  int n = 1;\n  \
                for (int i = 1; i < count; i++) n = n && compare(items + i - 1, items + i) <= 0;\n  return n + count;\n}\n";
    let project = Project::of(&[("each.c", text)]);
    let mutants = [
        ("each.mut.6.1_1_1.AOR.each.c", "items[i] + 1", "items[i] - 1"),
        ("each.mut.6.2_2_2.AOR.each.c", "n += 1", "n -= 1"),
        ("each.mut.12.1_1_1.AOR.fill.c", "b[0] + 2", "b[0] - 2"),
        ("each.mut.17.1_1_1.AOR.sorted.c", "n + count", "n - count"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let test = outcome.mutants()[mutants[0].0]["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{}", test.split('#').next().unwrap()));
    assert!(test.contains("called_visitor(") && test.contains("stand_ins.calls"), "{test}");
}

#[test]
fn what_a_function_calls_back_with_is_seen_in_cxx_whatever_it_is_handed() {
    let text = "#include <functional>\n#include <string>\nnamespace bus {\nenum class Level { low, high };\n\
                using Told = std::function<void(int, const std::string &)>;\n\
                void tell(const Told &told, int n) {\n  told(n * 2, n > 3 ? \"high\" : \"low\");\n}\n\
                class Port {\n  int (*ask_)(Level) = nullptr;\n public:\n  explicit Port(int (*ask)(Level)) : ask_(ask) {}\n  \
                int level(bool up) const {\n    return ask_(up ? Level::high : Level::low) + 5;\n  }\n};\n}\n\
                int use() { bus::Port p([](bus::Level) { return 2; }); return p.level(true); }\n";
    let project = Project::of(&[("bus.cpp", text)]);
    let mutants = [
        ("bus.mut.7.1_1_1.AOR.tell.cpp", "n * 2", "n * 3"),
        ("bus.mut.7.2_2_2.ROR.tell.cpp", "n > 3", "n < 3"),
        ("bus.mut.14.1_1_1.SVR.level.cpp", "up ? Level::high", "!up ? Level::high"),
        ("bus.mut.14.2_2_2.AOR.level.cpp", "+ 5", "- 5"),
    ];
    all_die(&project, "2s", &mutants);
}
