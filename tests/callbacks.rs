//! What calls back: functions of the project's, and such as note what they are called with and answer with data.

use crate::support::{Project, all_die};

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
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(test.contains("called_visitor(") && test.contains("stand_ins.calls"), "{test}");
}

#[test]
fn of_what_a_callback_is_handed_no_more_is_read_or_written_than_is_known_to_be_there() {
    let text = "#include <cstdio>\n\
                void lines(void (*each)(const char *first, const char *last), int n) {\n  char text[8];\n  \
                for (char &c : text) c = static_cast<char>('a' + (n & 7));\n  each(text, text + 8);\n}\n\
                void chars(void (*each)(const char *, void *), int n) {\n  char c = static_cast<char>('a' + (n & 7));\n  \
                each(&c, nullptr);\n}\n\
                int put(int (*write)(char *, int), int n) {\n  int guard[4] = {1, 2, 3, 4};\n  char c[2] = {0, 0};\n  \
                write(c, 64);\n  int sum = n & 15;\n  for (int g : guard) sum += g;\n  return sum;\n}\n\
                int flagged(int (*control)(char *arg, int request), int n) {\n  char c[2] = {0, 0};\n  int sum = n & 15;\n  \
                return control(c, 0x5401) + sum + c[1];\n}\n\
                int spans(void (*each)(int *first, int *last), int n) {\n  int at[3] = {n, 1, 2};\n  int more = n & 7;\n  \
                each(at, at + 3);\n  return at[1] + more;\n}\n\
                void entry(void (*tell)(const char *name, long size), int n) {\n  char text[4] = {'a', static_cast<char>('b' + (n & 7)), 0, 0};\n  \
                tell(text, 1L << 30);\n}\n\
                void before(void (*tell)(int length, const char *text), int n) {\n  char one = static_cast<char>('a' + (n & 7));\n  \
                tell(1, &one);\n}\n\
                int level(int (*get)(unsigned char *to, int length), int n) {\n  unsigned char b[4] = {0, 0, 0, 0};\n  \
                return get(b, 4) > n ? b[3] + 1 : b[2];\n}\n";
    let project = Project::of(&[("told.cpp", text)]);
    let mutants = [
        (
            "told.mut.3.1_1_1.EQ.lines.cpp",
            "  char text[8];",
            "  long more[3] = {0x41424344, n, 7}; (void)more; char text[8];",
        ),
        (
            "told.mut.8.1_1_1.EQ.chars.cpp",
            "  char c = static",
            "  int more[3] = {n, 0x45454545, 9}; (void)more; char c = static",
        ),
        ("told.mut.12.1_1_1.EQ.put.cpp", "int guard[4]", "int more[9] = {n}; (void)more; int guard[4]"),
        ("told.mut.21.1_1_1.EQ.flagged.cpp", "return control(", "int more[9] = {n}; (void)more; return control("),
        (
            "told.mut.26.1_1_1.EQ.spans.cpp",
            "  each(at, at + 3);",
            "  int some[5] = {more}; (void)some; each(at, at + 3);",
        ),
        ("told.mut.31.1_1_1.EQ.entry.cpp", "  tell(text, 1L", "  int some[5] = {n}; (void)some; tell(text, 1L"),
        ("told.mut.35.1_1_1.EQ.before.cpp", "  tell(1, &one)", "  int some[5] = {n}; (void)some; tell(1, &one)"),
        // A length that is called so is one: what is written reaches the end.
        ("told.mut.39.1_1_1.AOR.level.cpp", "b[3] + 1", "b[3] - 1"),
    ];
    for (name, from, to) in mutants {
        let source = project.read("told.cpp");
        assert!(source.contains(from), "{from}");
        project.write(&format!("mutants/{name}"), &source.replace(from, to));
    }
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    let (equivalent, [seen]) = mutants.split_at(7) else { panic!("there is one that is none") };
    for (name, ..) in equivalent {
        assert_eq!(outcome.status(name), "live", "{name}");
    }
    assert_eq!(outcome.status(seen.0), "killed");
}

#[test]
fn callbacks_of_all_types_side_by_side_build() {
    let text = "#include <functional>\n#include <string>\nnamespace a { typedef int (*op)(int); }\ntypedef int (*a_op)(double);\n\
                struct P { int v; explicit P(int n) : v(n) {} };\nstruct X { explicit X() {} int v = 1; };\n\
                int called_int_int(int n) { return n; }\nint both(void (*f)(int), void (*g)(int &), int n) { f(n); g(n); return n; }\n\
                int longs(void (*f)(long, long), void (*g)(long long), int n) { f(n, n); g(n); return n; }\n\
                int apply(a::op f, a_op g, int n) { return f(n) + g(n); }\nint own(int (*f)(int), int n) { return f(n) + 1; }\n\
                int makes(X (*make)(int), int n) { return make(n).v + 1; }\nint deep(int (*(*f)(int))(int), int n) { return f(n) ? 1 : 2; }\n\
                int quiet(void (*f)(int) noexcept, int n) { f(n); return n; }\ntypedef int (*quiet_t)(int) noexcept;\n\
                int still(quiet_t f, int n) { return f(n) + 1; }\n\
                int more(int (*f)(const char *, ...), int n) { return f(\"%d\", n) + 1; }\n\
                struct Node { int v; struct Deep { enum Kind { one, two }; };\n\
                \x20 int visit(void (*f)(Node::Deep::Kind, const Node &), int k) { f(k > 2 ? Deep::one : Deep::two, *this); return v; } };\n\
                int none(P (*make)(int), int n) { return make(n).v; }\n";
    let c = "int old(int (*f)(), int n) { return f(n) + n; }\nint told(int (*f)(const char *, ...), int n) { return f(\"%d\", n) + n; }\n\
             int shadows(int (*f)(int stand_in_note, int memcpy), int n) { return f(n, n) + n; }\n\
             struct ops { int (*read)(char *to, unsigned long size); void (*log)(const char *line, int level); };\n\
             int work(const struct ops *o, int n) { char b[4] = {0}; int r = o->read(b, sizeof b); o->log(\"on\", 7); return r + b[0] + n; }\n";
    let project = Project::of(&[("each.cpp", text), ("old.c", c)]);
    let out = project.run(["analyze", "-p", "build", "--build", "--budget", "100ms"]);
    let text = format!("{}{}", out.stdout, out.stderr);
    assert!(!text.contains("unbuildable") && !text.contains("not entered"), "{text}");
    assert!(text.contains("18 units: 17 can be driven, 1 can't"), "{text}");
}
