//! Small projects with hand-written mutants, through the real compiler.

use super::*;
use crate::mutant::made::Change;
use crate::parse::testing::Small;
use crate::tools::{Surroundings, Toolchain};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A project with hand-written mutants.
pub(super) struct Bench {
    small: Small,
    model: Model,
    builder: Builder,
    cache: PathBuf,
    pub mutants: Vec<Made>,
    pub report: Report,
}

impl Bench {
    fn new(files: &[(&str, &str)], flags: &str) -> Self {
        let small = Small::new(files, flags);
        let model = small.model();
        let tools = Toolchain::discover(&Surroundings::of_process());
        let cache = small.root.join("cache");
        let builder = Builder::new(&tools, &cache.join("build"), 2, Arc::new(AtomicBool::new(false))).unwrap();
        Self { small, model, builder, cache, mutants: Vec::new(), report: Report::default() }
    }

    /// Replaces `from` by `to` in the function of that id or name.
    #[track_caller]
    fn mutate(&mut self, unit: &str, from: &str, to: &str) {
        let functions = || self.model.functions.values().filter(|function| function.definition.is_some());
        let function = functions()
            .find(|function| function.id == unit)
            .or_else(|| functions().find(|function| function.name == unit || function.qualified == unit))
            .unwrap_or_else(|| panic!("no {unit} in {:?}", functions().map(|f| &f.id).collect::<Vec<_>>()));
        let extent = &function.definition.as_ref().unwrap().extent;
        let source = std::fs::read(&extent.file).unwrap();
        let text = String::from_utf8_lossy(&source[extent.start as usize..extent.end as usize]).into_owned();
        assert_eq!(text.matches(from).count(), 1, "`{from}` in {text}");
        let start = extent.start + text.find(from).unwrap() as u32;
        let edit = Edit { start, end: start + from.len() as u32, text: to.into() };
        self.mutants.push(Made {
            id: format!("{unit}: {from} -> {to}"),
            file: extent.file.clone(),
            line: extent.line,
            column: 1,
            unit: function.usr.clone(),
            unit_id: function.id.clone(),
            change: Change { operator: "OP".into(), edits: vec![edit] },
            standing: Standing::New,
            reason: None,
        });
    }

    fn number(&self, standing: Standing) -> usize {
        self.mutants.iter().filter(|mutant| mutant.standing == standing).count()
    }

    fn run(&mut self) {
        let ground = Ground {
            model: &self.model,
            database: &self.small.database,
            builder: &self.builder,
            cache: &self.cache.join("filter"),
        };
        self.report = filter(&mut self.mutants, &ground, &|_| {}).unwrap();
    }
}

/// Runs the mutants and compares: `=` equivalent, `2` a duplicate of the mutant at 2, `!` unbuildable, `.` new.
#[track_caller]
fn expect(files: &[(&str, &str)], flags: &str, mutants: &[(&str, &str, &str, char)]) -> Bench {
    let mut bench = Bench::new(files, flags);
    for (unit, from, to, _) in mutants {
        bench.mutate(unit, from, to);
    }
    bench.run();
    let mut wrong = Vec::new();
    for (index, (made, (.., expected))) in bench.mutants.iter().zip(mutants).enumerate() {
        let is = match made.standing {
            Standing::New => '.',
            Standing::Equivalent => '=',
            Standing::Unbuildable => '!',
            Standing::Duplicate => {
                let of = bench.mutants.iter().position(|other| Some(&other.id) == made.reason.as_ref()).unwrap();
                assert!(of < index);
                char::from_digit(of as u32, 10).unwrap()
            }
            other => panic!("{other:?}"),
        };
        if is != *expected {
            wrong.push(format!("{}: {is}, not {expected} ({:?})", made.id, made.reason));
        }
    }
    assert!(wrong.is_empty(), "{}\n{:#?}", wrong.join("\n"), bench.report);
    bench
}

/// As [`expect`], and no function needed another way than copies and comparison.
#[track_caller]
fn expect_copied(files: &[(&str, &str)], flags: &str, mutants: &[(&str, &str, &str, char)]) -> Bench {
    let bench = expect(files, flags, mutants);
    assert!(bench.report.uncopied.is_empty() && bench.report.uncompared.is_empty(), "{:#?}", bench.report);
    bench
}

#[test]
fn in_c_equivalents_duplicates_and_errors_are_found_and_the_rest_is_new() {
    let c = "static int helper(int a) { return a * 2; }\n\
             int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += helper(i); return s; }\n\
             int old(a, b) int a; int b; { return a + b; }\n\
             inline int shared(int a) { return a + 1; }\n\
             extern int shared(int a);\n\
             #ifdef __STDC__\n\
             int both(int a)\n\
             #else\n\
             int both(a) int a;\n\
             #endif\n\
             { return a * __LINE__; }\n\
             int try_catch; int dead(int a) { int x = 3; x = 4; return a + x; }\n";
    let bench = expect_copied(
        &[("a.c", c)],
        "-std=c99",
        &[
            ("helper", "a * 2", "a << 1", '='),
            ("helper", "a * 2", "a / 2", '.'),
            ("helper", "a * 2", "a / 2 + 0", '1'),
            ("helper", "a * 2", "a.x", '!'),
            ("f", "i++", "++i", '='),
            ("f", "i < n", "i <= n", '.'),
            ("f", "i < n", "i <= n - 1", '='),
            ("old", "a + b", "b + a", '='),
            ("old", "a + b", "a - b", '.'),
            ("shared", "a + 1", "a - -1", '='),
            ("shared", "a + 1", "a", '.'),
            ("dead", "x = 3", "x = 5", '='),
            ("both", "a * __LINE__", "a * 11", '='),
            ("both", "a * __LINE__", "a * 12", '.'),
        ],
    );
    assert_eq!(bench.number(Standing::Unbuildable), 1);
    let reason = bench.mutants[3].reason.as_ref().unwrap();
    assert!(reason.starts_with("a.c:1: member reference base type 'int'"), "{reason}");
    let numbers = [Standing::Equivalent, Standing::Duplicate, Standing::New].map(|standing| bench.number(standing));
    assert_eq!(numbers, [7, 1, 5]);
}

const HEADER: &str = "#pragma once\n\
    #include <string>\n\
    namespace n {\n\
    class B { public: virtual int v(int a) const = 0; virtual ~B() {} };\n\
    class C final : public B { // a comment\n\
     public:\n\
      explicit C(int a = 3);\n\
      C(const C &o) : x_(o.x_), y_(0) { y_ = o.y_; }\n\
      C(void);\n\
      ~C() override;\n\
      virtual int v(int a) const override;\n\
      int inside(int a) const { return a + x_; } int other();\n\
      static int st(int a, int b = 2);\n\
      operator bool() const;\n\
      explicit operator std::string() const { return x_ ? \"yes\" : \"no\"; }\n\
      C &operator++();\n\
      int operator()(int a) const noexcept;\n\
      friend bool operator<(const C &a, const C &b) { return a.x_ < b.x_; }\n\
      constexpr static int ce(int a) { return a * 4; }\n\
      auto deduced(int a) const { return a + 1; }\n\
      auto trailing(int a) const -> int;\n\
      [[nodiscard]] int attr(int a)\n\
        const;\n\
      template <class T> T member(T a) const;\n\
     private:\n\
      int hidden(int a);\n\
      int x_, y_;\n\
    };\n\
    int free_declared(int a);\n\
    template <class T> class V { T t; int priv(int a) { return a * 8; } public: T get(T a) { return a + t; } V() : \
    t(0) {} int out(int a) const; ~V() { t = 1; } int use() { return priv(2); } };\n\
    template <class T> int V<T>::out(int a) const { return a * 2 + t; }\n\
    }\n";

const SOURCE: &str = "#include \"c.h\"\n\
    namespace n {\n\
    C::C(int a) : x_(a), y_(a) { if (a > 3) y_ = 4; }\n\
    C::C() : x_(1), y_(2) {}\n\
    C::~C() { extern int counter; counter += x_; }\n\
    int C::v(int a) const { return a + 0 + x_; }\n\
    int C::st(int a, int b) { return a * b * 2; }\n\
    C::operator bool() const { return x_ != 0; }\n\
    C &C::operator++() { x_ += 1; return *this; }\n\
    int C::operator()(int a) const noexcept { return a - x_; }\n\
    auto C::trailing(int a) const -> int { return a * 16; }\n\
    int C::attr(int a) const { return a + y_; }\n\
    template <class T> T C::member(T a) const { return a + x_; }\n\
    int C::hidden(int a) { return a ? 1 : 0; }\n\
    int C::other() { return hidden(x_) + member(3); }\n\
    namespace { int anonymous(int a) { return a * 32; } }\n\
    }\n\
    int n::free_declared(int a) { return anonymous(a) + 7; }\n\
    template <class T> T generic(T a) { return a + 1; }\n\
    template <> int generic<int>(int a) { return a * 64; }\n\
    int tried(int a) try { if (a > 3) throw a; return a; } catch (int b) { return b - 1; }\n\
    int use() { n::V<int> v; n::V<double> w; return v.get(1) + int(w.get(2.0)) + generic(2) + int(generic(2.0)) + \
    v.out(3) + w.out(4) + tried(1); }";

#[test]
fn every_form_of_function_of_cxx_is_copied() {
    let bench = expect(
        &[("c.h", HEADER), ("c.cpp", SOURCE)],
        "-std=c++17",
        &[
            ("n::C::C(int)", "y_ = 4", "y_ = 5", '.'),
            ("n::C::C(int)", "a > 3", "a >= 4", '='),
            ("n::C::C(int)", "y_(a)", "y_(b)", '!'),
            // A copy of itself would read the written value.
            ("n::C::C(const n::C &)", ", y_(0)", "", '.'),
            ("n::C::C(const n::C &)", "y_ = o.y_", "y_ = o.x_", '.'),
            ("n::C::C()", "x_(1)", "x_(0)", '.'),
            ("n::C::C()", "y_(2)", "y_(x_ + 1)", '='),
            ("n::C::~C()", "+= x_", "-= -x_", '='),
            ("n::C::~C()", "+= x_", "-= x_", '.'),
            ("n::C::v(int) const", "a + 0 +", "a +", '='),
            ("n::C::v(int) const", "a + 0 +", "0 +", '.'),
        ],
    );
    assert!(bench.report.uncopied.is_empty(), "{:#?}", bench.report);
    let bench = expect(
        &[("c.h", HEADER), ("c.cpp", SOURCE)],
        "-std=c++17",
        &[
            ("n::C::inside(int) const", "a + x_", "x_ + a", '='),
            ("n::C::inside(int) const", "a + x_", "x_ - a", '.'),
            ("n::C::st(int, int)", "* 2", "<< 1", '='),
            ("n::C::st(int, int)", "* 2", "* 3", '.'),
            ("n::C::operator bool() const", "x_ != 0", "x_", '='),
            ("n::C::operator bool() const", "x_ != 0", "x_ != 1", '.'),
            ("n::C::operator++()", "x_ += 1", "++x_", '='),
            ("n::C::operator++()", "x_ += 1", "--x_", '.'),
            ("n::C::operator()(int) const", "a - x_", "-x_ + a", '='),
            ("n::C::operator()(int) const", "a - x_", "a", '.'),
        ],
    );
    assert!(bench.report.uncopied.is_empty(), "{:#?}", bench.report);
    let bench = expect(
        &[("c.h", HEADER), ("c.cpp", SOURCE)],
        "-std=c++17",
        &[
            ("operator<", "a.x_ < b.x_", "!(a.x_ >= b.x_)", '='),
            ("operator<", "a.x_ < b.x_", "b.x_ >= a.x_", '.'),
            ("n::C::ce(int)", "a * 4", "a << 2", '='),
            ("n::C::ce(int)", "a * 4", "a << 3", '.'),
            ("n::C::deduced(int) const", "a + 1", "a - -1", '='),
            ("n::C::trailing(int) const", "a * 16", "a << 4", '='),
            ("n::C::attr(int) const", "a + y_", "y_ + a", '='),
            ("n::C::hidden(int)", "a ? 1 : 0", "a != 0", '='),
            ("n::C::hidden(int)", "a ? 1 : 0", "a ? 0 : 1", '.'),
        ],
    );
    assert!(bench.report.uncopied.is_empty(), "{:#?}", bench.report);
    let bench = expect(
        &[("c.h", HEADER), ("c.cpp", SOURCE)],
        "-std=c++17",
        &[
            ("anonymous", "a * 32", "a << 5", '='),
            ("n::free_declared(int)", "+ 7", "+ 8", '.'),
            ("n::free_declared(int)", "+ 7", "+ 6 + 1", '='),
            ("tried", "b - 1", "b + -1", '='),
            ("tried", "b - 1", "b", '.'),
            ("tried", "throw a", "throw 'a'", '.'),
            ("n::C::operator basic_string() const", "x_ ? \"yes\" : \"no\"", "!x_ ? \"no\" : \"yes\"", '='),
            ("n::C::operator basic_string() const", "\"yes\"", "\"yet\"", '.'),
        ],
    );
    assert!(bench.report.uncopied.is_empty(), "{:#?}", bench.report);
}

#[test]
fn templates_are_compared_in_every_instantiation_that_is_used_or_not_at_all() {
    let bench = expect(
        &[("c.h", HEADER), ("c.cpp", SOURCE)],
        "-std=c++17",
        &[
            ("n::V::get", "a + t", "t + a", '='),
            // Equal for integers, not for `double`.
            ("n::V::get", "a + t", "a + t + 0", '.'),
            ("n::V::get", "a + t", "a.x + t", '!'),
            ("n::V::out", "a * 2", "2 * a", '='),
            ("n::V::out", "a * 2", "a << 1", '!'),
            ("n::V::priv", "a * 8", "a << 3", '='),
            // The instantiations are unknown.
            ("generic(T)", "a + 1", "1 + a", '.'),
            ("generic(T)", "a + 1", "nothing", '!'),
            ("n::C::member", "a + x_", "x_ + a", '.'),
        ],
    );
    assert!(bench.report.uncopied.is_empty(), "{:#?}", bench.report);
}

/// Copies that must never be called equal: they differ in one place that the code alone may not show.
#[test]
fn what_differs_in_data_tables_callees_or_exceptions_is_not_equal() {
    let cpp = "#include <cstring>\n#include <cassert>\n\
        int g(int), h(int); extern int one, two; int table[8]; void w(const char *); \n\
        const char *text() { return \"first\"; }\n\
        double number(double a) { return a * 2.5 + 1.0; }\n\
        int jump(int a) { switch (a) { case 0: return g(1); case 1: return h(2); case 2: return g(h(3)); case 3: \
        return h(h(4)); case 4: return g(5); case 5: return one; default: return 0; } }\n\
        const char *names(int a) { static const char *const all[] = { \"a\", \"b\", \"c\" }; return all[a]; }\n\
        int callee(int a) { return g(a); }\n\
        int global(int a) { one = a; return a; }\n\
        int *element() { return &table[2]; }\n\
        int caught(int a) { try { return g(a); } catch (int) { return 1; } catch (...) { return 2; } }\n\
        int silent(int a) noexcept { try { return g(a); } catch (int b) { return b; } }\n\
        int counted() { static int count = 3; return ++count; }\n\
        int zeroed() { static int count; return count++; }\n\
        int twice(volatile int *p) { return *p + *p; }\n\
        int assembled(int a) { __asm__ volatile(\"addl $5, %0\" : \"+r\"(a)); return a; }\n\
        int line() { return __LINE__; }\n\
        void checked(int a) { assert(a > 3 && \"one\"); }\n\
        int lambda(int a) { auto f = [](int b) { w(\"lambda\"); return b * 3; }; int (*p)(int) = f; one = p == \
        nullptr; return p(a); }\n\
        int recursive(int a) { return a <= 0 ? 0 : recursive(a - 1); }\n\
        struct P { int v; virtual int m(); ~P() { one = v; } int made(int a) { struct L { int x; int y() \
        { return x + 1; } } l = { a }; return l.y(); } };\n\
        P pair() { P a; a.v = 1; return a; }\n\
        const char *function() { return __func__; }\n\
        unsigned long long wide(unsigned a) { return a * 3ull; }\n\
        int shuffled(int a) { return a > 1 ? 4 : 9; }\n";
    let file = [("a.cpp", cpp)];
    let flags = "-std=c++17";
    expect_copied(
        &file,
        flags,
        &[
            ("text", "first", "worst", '.'),
            ("text", "\"first\"", "(\"first\")", '='),
            ("number", "2.5", "2.25", '.'),
            ("number", "2.5", "(5 / 2.0)", '='),
            ("jump", "case 0: return g(1); case 1", "case 1: return g(1); case 0", '.'),
            ("names", "\"b\"", "\"d\"", '.'),
            ("callee", "g(a)", "h(a)", '.'),
        ],
    );
    expect_copied(
        &file,
        flags,
        &[
            ("global", "one = a", "two = a", '.'),
            ("element", "table[2]", "table[3]", '.'),
            ("element", "&table[2]", "table + 2", '='),
            ("caught", "catch (int)", "catch (long)", '.'),
            ("caught", "catch (...)", "catch (char)", '.'),
            ("silent", "catch (int b)", "catch (const int &b)", '='),
            ("silent", "catch (int b)", "catch (char b)", '.'),
            ("counted", "count = 3", "count = 4", '.'),
            ("counted", "return ++count", "count += 1; return count", '='),
        ],
    );
    expect_copied(
        &file,
        flags,
        &[
            ("zeroed", "static int count", "static int count = 1", '.'),
            ("zeroed", "static int count", "static int count = 0", '='),
            ("twice", "*p + *p", "*p * 2", '.'),
            ("assembled", "$5", "$6", '.'),
            ("line", "__LINE__", "(__LINE__)", '='),
            ("checked", "a > 3", "a > 4", '.'),
            ("checked", "a > 3", "a>3", '.'),
            ("lambda", "b * 3", "b * 5", '.'),
            ("lambda", "\"lambda\"", "\"lambdb\"", '.'),
        ],
    );
    expect_copied(
        &file,
        flags,
        &[
            // Equal only if the compiler knew that the original returns 0 and ignored the endless recursion.
            ("recursive", "recursive(a - 1)", "recursive(a)", '.'),
            ("P::made(int)", "x + 1", "x + 2", '.'),
            ("P::made(int)", "x + 1", "1 + x", '='),
            ("pair", "a.v = 1", "a.v = 2", '.'),
            ("function", "__func__", "(__func__)", '='),
            ("wide", "3ull", "3u", '.'),
            ("shuffled", "a > 1 ? 4 : 9", "a <= 1 ? 9 : 4", '='),
            ("shuffled", "4 : 9", "9 : 4", '.'),
        ],
    );
}

#[test]
fn what_was_found_is_kept_until_something_changes() {
    let header = ("k.h", "#define FACTOR 2\n");
    let source = ("k.cpp", "#include \"k.h\"\nint f(int a) { return a * FACTOR; }\nint g() { return 1; }\n");
    let mut bench = Bench::new(&[header, source], "");
    bench.mutate("f", "a * FACTOR", "a + a");
    bench.mutate("g", "return 1", "return nothing");
    let fresh = bench.mutants.clone();
    bench.run();
    let first = bench.mutants.clone();
    assert_eq!(first[0].standing, Standing::Equivalent);
    let spent = bench.report.cpu_seconds;
    bench.mutants = fresh.clone();
    bench.run();
    assert_eq!(bench.mutants, first);
    assert!(bench.report.cpu_seconds < spent, "{} is not less than {spent}", bench.report.cpu_seconds);
    std::fs::write(bench.small.root.join("k.h"), "#define FACTOR 3\n").unwrap();
    bench.mutants = fresh;
    bench.run();
    assert_eq!(bench.mutants[0].standing, Standing::New);
}

#[test]
fn what_can_not_be_copied_is_compiled_in_the_originals_place() {
    let cpp = "#define OVERRIDE override\n\
        struct B { virtual int v(int a); };\n\
        struct D : B { int v(int a) OVERRIDE { return a * 2; } };\n\
        int B::v(int a) { return a * 4; }\n\
        template <class T> struct S { int f(int a) { return a * 8; } };\n\
        template <> int S<int>::f(int a) { return a * 16; }\n\
        constexpr int four(int a) { return a * 4; }\n\
        static_assert(four(1) == 4, \"four\");\n\
        int main(int n, char **) { S<int> s; return n * 2 + s.f(n); }\n";
    let bench = expect(
        &[("m.cpp", cpp)],
        "-std=c++17",
        &[
            ("D::v(int)", "a * 2", "a << 1", '.'),
            ("D::v(int)", "a * 2", "nothing", '!'),
            ("main", "n * 2", "2 * n", '='),
            ("main", "n * 2", "n * 3", '.'),
            ("main", "n * 2", "3 * n", '3'),
            ("main", "n * 2", "n * nothing", '!'),
            // Its copy compiles; the file does not.
            ("four", "a * 4", "a * 5", '!'),
            ("four", "a * 4", "a << 2", '='),
        ],
    );
    let mut uncopied: Vec<&str> = bench.report.uncopied.iter().map(|(id, _)| id.as_str()).collect();
    uncopied.sort_unstable();
    assert_eq!(uncopied, ["D::v(int)", "main(int, char **)"]);
    assert_eq!(bench.mutants[5].reason.as_deref(), Some("m.cpp:9: use of undeclared identifier 'nothing'"));
}

#[test]
fn line_ends_accents_and_a_missing_last_one_do_no_harm() {
    let cpp = "// \u{e9}t\u{e9}\r\nclass K {\r\n  int x; // \u{fc}\r\n public:\r\n  int get() const; // \u{e4}\r\n\
    };\r\n\
        int K::get() const\r\n{\r\n  // \u{df}\r\n  return x +\r\n    0 + __LINE__;\r\n}\r\n\
        static const char *const name = \"\u{e9}\"; const char *s() { return name; }\r\n\
        int last(int a) { return a * 2; }";
    expect_copied(
        &[("l.cpp", cpp)],
        "-std=c++11",
        &[
            ("K::get() const", "x +\r\n    0 +", "x +", '='),
            ("K::get() const", "x +\r\n    0 +", "x -", '.'),
            ("s", "return name", "return \"\u{e8}\"", '.'),
            ("s", "return name", "return \"\u{e9}\"", '='),
            ("last", "a * 2", "a << 1", '='),
            ("last", "a * 2", "b * 2", '!'),
        ],
    );
}

#[test]
fn nothing_is_said_of_files_that_do_not_compile_as_they_are() {
    let mut bench = Bench::new(
        &[("a.c", "#include \"made.h\"\nint f(int a) { return a * TWO; }\n"), ("made.h", "#define TWO 2\n")],
        "",
    );
    bench.mutate("f", "a * TWO", "a");
    bench.mutate("f", "a * TWO", "b");
    std::fs::remove_file(bench.small.root.join("made.h")).unwrap();
    bench.run();
    assert!(bench.mutants.iter().all(|mutant| mutant.standing == Standing::New));
    assert_eq!(bench.report.uncompiled.len(), 1);
}

#[test]
fn an_interrupted_run_leaves_the_rest_as_it_was() {
    let mut bench = Bench::new(&[("a.c", "int f(int a) { return a * 2; }\n")], "");
    bench.mutate("f", "a * 2", "a + a");
    let tools = Toolchain::discover(&Surroundings::of_process());
    bench.builder = Builder::new(&tools, &bench.cache.join("build"), 2, Arc::new(AtomicBool::new(true))).unwrap();
    bench.run();
    assert!(bench.report.interrupted);
    assert_eq!(bench.mutants[0].standing, Standing::New);
}

#[test]
fn what_is_no_longer_new_is_not_looked_at() {
    let mut bench = Bench::new(&[("a.c", "int f(int a) { return a * 2; }\n")], "");
    bench.mutate("f", "a * 2", "b");
    bench.mutants[0].standing = Standing::Live;
    bench.run();
    assert_eq!(bench.mutants[0].standing, Standing::Live);
}
