//! The mutants of each C++ operator, and the code that it leaves alone.

use crate::operators::testing::lines;
use crate::operators::{Group, all};

/// The lines of one operator's mutants.
fn made(operator: &str, text: &str) -> Vec<String> {
    assert!(all().iter().any(|known| known.name == operator));
    let lines = lines("-std=c++17", text, &[operator]);
    let start = format!("{operator}: ");
    lines.iter().map(|line| line.strip_prefix(&start).unwrap_or(line).to_string()).collect()
}

const SHAPES: &str = "
struct Shape {
    Shape() : id_(3) {}
    Shape(int id) : id_(id) {}
    virtual ~Shape() {}
    virtual int area() const = 0;
    virtual int sides() const { return id_; }
    virtual void reset(int to) { id_ = to; }
    virtual Shape *self() { return this; }
protected:
    int id_;
};
";

fn with_shapes(text: &str) -> String {
    format!("{SHAPES}{text}")
}

#[test]
fn an_override_calls_what_it_overrides() {
    let text = with_shapes(
        "struct Square : Shape {
            int area() const override { return id_ * id_; }
            int sides() const override { return 4; }
            void reset(int value) override { id_ = value + 1; }
            Square *self() override { return this; }
            int plain() const { return 1; }
        };",
    );
    assert_eq!(
        made("IOD", &text),
        [
            "int area() const override { return {}; }",
            "int sides() const override { return Shape::sides(); }",
            "void reset(int value) override { Shape::reset(value); }",
        ]
    );
}

#[test]
fn a_definition_with_other_names_for_its_parameters_is_left_alone() {
    let text = with_shapes(
        "struct Square : Shape { int area() const override; void reset(int) override; };
        int Square::area() const { return 5; }
        void Square::reset(int) { id_ = 1; }",
    );
    assert_eq!(made("IOD", &text), ["int Square::area() const { return {}; }"]);
}

#[test]
fn the_call_of_the_base_is_moved_and_deleted() {
    let text = with_shapes(
        "struct Square : Shape {
            int area() const override { return Shape::sides(); }
            void reset(int value) override { id_ = 1; Shape::reset(value); id_ += value; }
            int other(int value) { int x = value; Shape::reset(x); return x; }
        };",
    );
    assert_eq!(
        made("IOP", &text),
        [
            "void reset(int value) override { Shape::reset(value); id_ = 1; ; id_ += value; }",
            "void reset(int value) override { id_ = 1; ; id_ += value; Shape::reset(value); }",
            "void reset(int value) override { id_ = 1; ; id_ += value; }",
        ]
    );
}

#[test]
fn calls_choose_the_version_of_the_base_and_back() {
    let text = with_shapes(
        "struct Square : Shape {
            int area() const override { return sides() + Shape::sides(); }
            int sides() const override { return Shape::sides(); }
        };
        int f(Square &square, Shape &shape) { return square.sides() + shape.sides() + square.area(); }",
    );
    assert_eq!(
        made("ISI", &text),
        [
            "int area() const override { return Shape::sides() + Shape::sides(); }",
            "int f(Square &square, Shape &shape) { return square.Shape::sides() + shape.sides() + square.area(); }",
        ]
    );
    assert_eq!(made("ISD", &text), ["int area() const override { return sides() + sides(); }"]);
}

#[test]
fn another_class_is_made_where_it_fits() {
    let text = format!(
        "#include <memory>\n{}",
        with_shapes(
            "struct Square : Shape { Square(int a) : Shape(a) {} int area() const override { return 1; } };
            struct Circle : Shape { Circle(int r) : Shape(r) {} int area() const override { return 2; } };
            struct Point : Shape { int area() const override { return 0; } };
            struct Big : Square { Big(int a) : Square(a) {} };
            Shape *f(int a) { return new Square(a); }
            std::unique_ptr<Shape> g(int a) { return std::make_unique<Circle>(a); }
            int h(int a) { Circle *circle = new Circle(a); auto square = new Square(a); return circle->area() + \
            square->area(); }
            int i() { Shape *shape = new Point(); return shape->area(); }
            struct Late : Shape { Late(int a) : Shape(a) {} int area() const override { return 3; } };",
        )
    );
    assert_eq!(
        made("PNC", &text),
        [
            "Shape *f(int a) { return new Big(a); }",
            "Shape *f(int a) { return new Circle(a); }",
            "std::unique_ptr<Shape> g(int a) { return std::make_unique<Square>(a); }",
            "std::unique_ptr<Shape> g(int a) { return std::make_unique<Big>(a); }",
        ]
    );
}

#[test]
fn initialisers_are_deleted_and_swapped() {
    let text = with_shapes(
        "struct NoDefault { NoDefault(int); };
        struct Square : Shape {
            Square(int &ref, int a, int b)
                : Shape(a), ref_(ref), a_(a), b_{b}, c_(0), d_(a_), e_(a)
            {}
            int area() const override { return a_; }
            int &ref_;
            int a_, b_, c_, d_;
            NoDefault e_;
        };",
    );
    let text = text.replace(": id_(3)", ": id_()");
    let made = |operator| made(operator, &text);
    assert_eq!(made("IPC"), [": Shape(), ref_(ref), a_(a), b_{b}, c_(0), d_(a_), e_(a)"]);
    assert_eq!(
        made("CID"),
        [
            "Shape(int id) : id_() {}",
            ": Shape(a), ref_(ref), a_(), b_{b}, c_(0), d_(a_), e_(a)",
            ": Shape(a), ref_(ref), a_(a), b_(), c_(0), d_(a_), e_(a)",
            ": Shape(a), ref_(ref), a_(a), b_{b}, c_(0), d_(), e_(a)",
        ]
    );
    assert_eq!(
        made("CIS"),
        [
            ": Shape(a), ref_(ref), a_{b}, b_(a), c_(0), d_(a_), e_(a)",
            ": Shape(a), ref_(ref), a_(a), b_(0), c_{b}, d_(a_), e_(a)",
        ]
    );
}

#[test]
fn members_are_not_assigned_or_not_meant() {
    let text = "
        struct Part { int v; };
        struct A {
            void set(int x) { this->x = x; this->y = x; }
            void grow(int by) { x += by; part.v = by; int local; local = by; }
            bool same(int by) { return x == by; }
            void keep(const int x) { this->x = x; }
            bool is(const int &x) { return this->x == x; }
            int x, y;
            Part part;
        };";
    assert_eq!(
        made("CTD", text),
        ["void set(int x) { x = x; this->y = x; }", "bool is(const int &x) { return x == x; }"]
    );
    assert_eq!(
        made("CAD", text),
        [
            "void set(int x) { ; this->y = x; }",
            "void set(int x) { this->x = x; ; }",
            "void grow(int by) { ; part.v = by; int local; local = by; }",
            "void grow(int by) { x += by; ; int local; local = by; }",
            "void keep(const int x) { ; }",
        ]
    );
}

#[test]
fn arguments_are_left_out_and_change_places() {
    let text = "
        int two(int a, int b = 7);
        int same(int a, double b);
        int over(int a);
        int over(int a, int b);
        int f(int x, int y) {
            two(x, y); two(x, 7);
            same(x, 2.0);
            return over(x, y) + over(1, 1);
        }";
    assert_eq!(
        made("OAN", text),
        ["two(x); two(x, 7);", "return over(x) + over(1, 1);", "return over(x, y) + over(1);"]
    );
    assert_eq!(
        made("OAO", text),
        ["two(y, x); two(x, 7);", "two(x, y); two(7, x);", "return over(y, x) + over(1, 1);"]
    );
}

#[test]
fn a_sibling_overload_is_called() {
    let text = "
        struct Base { virtual ~Base() {} };
        struct Child : Base {};
        int f(int a);
        int f(double a);
        int f(const Base &base);
        int f(const Child &child);
        void f(long a, int b);
        int g(Child &child) { f(1L, 2); return f(3) + f(child); }
        template <class T> int h(T t) { return f(t); }";
    assert_eq!(
        made("OMR", text),
        [
            "int g(Child &child) { f(1L, 2); return f(static_cast<double>(3)) + f(child); }",
            "int g(Child &child) { f(1L, 2); return f(3) + f(static_cast<const Base &>(child)); }",
        ]
    );
}

#[test]
fn the_constant_overload_is_called_where_its_result_does() {
    let text = "
        struct A {
            int &at(int i) { return v[i]; }
            const int &at(int i) const { return v[i + 1]; }
            int get() { return 1; }
            int get() const { return 2; }
            int only() { return get(); }
            int &operator[](int i) { return v[i]; }
            int operator[](int i) const { return v[i] + 1; }
            A *next() { return this; }
            const A *next() const { return this; }
            int v[9];
        };
        int g(A &a) {
            a[1] = a[2];
            A *kept = a.next();
            if (a.next()) return a.next()->get();
            return a.next()->only() + (kept != nullptr);
        }
        int f(A &a, A *p, const A &c) {
            a.at(1) = 2;
            int &bound = a.at(1);
            int x = p->at(3);
            return a.at(2) + a.get() + a.only() + c.get() + x + bound;
        }";
    assert_eq!(
        made("OCC", text),
        [
            "int only() { return static_cast<const A *>(this)->get(); }",
            "a[1] = static_cast<const A &>(a)[2];",
            "if (static_cast<const A &>(a).next()) return a.next()->get();",
            "if (a.next()) return static_cast<const A *>(a.next())->get();",
            "int x = static_cast<const A *>(p)->at(3);",
            "return static_cast<const A &>(a).at(2) + a.get() + a.only() + c.get() + x + bound;",
            "return a.at(2) + static_cast<const A &>(a).get() + a.only() + c.get() + x + bound;",
        ]
    );
}

#[test]
fn operators_of_classes_become_those_that_the_class_has() {
    let text = "
        #include <string>
        struct V {
            V operator+(const V &o) const { return {x + o.x}; }
            V operator-(const V &o) const { return {x - o.x}; }
            bool operator==(const V &o) const { return x == o.x; }
            int x;
        };
        bool operator<(const V &a, const V &b);
        bool operator>(const V &a, const V &b);
        bool f(V a, V b) { return a + b == b || a < b; }
        bool g(const std::string &s, const std::string &t) { return s == \"x\" || s < t; }";
    assert_eq!(
        made("OOR", text),
        [
            "bool f(V a, V b) { return a - b == b || a < b; }",
            "bool f(V a, V b) { return a + b == b || a > b; }",
            "bool g(const std::string &s, const std::string &t) { return s != \"x\" || s < t; }",
            "bool g(const std::string &s, const std::string &t) { return s == \"x\" || s <= t; }",
            "bool g(const std::string &s, const std::string &t) { return s == \"x\" || s >= t; }",
        ]
    );
}

#[test]
fn getters_setters_and_objects_are_taken_for_one_another() {
    let text = "
        struct Box {
            int width() const { return w; }
            int height() const { return h; }
            double weight() const { return 1; }
            void setWidth(int x) { w = x; }
            void setHeight(int x) { h = x; }
            int w, h;
        };
        struct Room {
            int f() { return door.width(); }
            Box door, window;
        };
        void g(Box &a, Box &b, const Box &c) { a.setWidth(1); c.width(); c.weight(); }";
    assert_eq!(
        made("EAM", text),
        [
            "int f() { return door.height(); }",
            "void g(Box &a, Box &b, const Box &c) { a.setWidth(1); c.height(); c.weight(); }"
        ]
    );
    assert_eq!(made("EMM", text), ["void g(Box &a, Box &b, const Box &c) { a.setHeight(1); c.width(); c.weight(); }"]);
    assert_eq!(
        made("MCO", text),
        [
            "int f() { return window.width(); }",
            "void g(Box &a, Box &b, const Box &c) { b.setWidth(1); c.width(); c.weight(); }"
        ]
    );
}

#[test]
fn exceptions_are_not_thrown_not_caught_and_swallowed() {
    let text = "
        void act(int);
        int f(int x) {
            if (x > 3) throw x;
            try { act(x); } catch (int e) { act(e); }
            try { act(2); } catch (int) { return 1; } catch (...) { throw; }
            throw 4;
        }
        void g(int x) { throw x; }
        int h(int x) { try { return x; } catch (...) { return 2; } }";
    assert_eq!(
        made("TSD", text),
        ["if (x > 3) ;", "try { act(2); } catch (int) { return 1; } catch (...) { ; }", "void g(int x) { ; }"]
    );
    assert_eq!(
        made("EHR", text),
        [
            "{ act(x); }",
            "try { act(2); }  catch (...) { throw; }",
            "try { act(2); } catch (int) { return 1; }",
            "int h(int x) { { return x; } }",
        ]
    );
    assert_eq!(
        made("EHC", text),
        [
            "try { act(x); } catch (int e) { throw; }",
            "try { act(2); } catch (int) { throw; } catch (...) { throw; }",
            "int h(int x) { try { return x; } catch (...) { throw; } }",
        ]
    );
    assert_eq!(
        made("EXS", text),
        [
            "try { act(x); } catch (int e) {}",
            "try { act(2); } catch (int) {} catch (...) { throw; }",
            "try { act(2); } catch (int) { return 1; } catch (...) {}",
        ]
    );
}

#[test]
fn functions_of_the_library_become_their_counterparts() {
    let text = "
        #include <algorithm>
        #include <string>
        #include <utility>
        #include <vector>
        int min(int a, int b);
        int f(std::vector<int> &v, std::string s, std::pair<int, int> p, std::pair<int, char> q) {
            auto it = std::lower_bound(v.begin(), v.end(), std::max<int>(1, 2));
            using std::any_of;
            bool b = any_of(it, v.end(), [](int x) { return x > 1; });
            return min(1, 2) + v.front() + int(s.rfind('x')) + p.first + q.first + b;
        }";
    assert_eq!(
        made("LIB", text),
        [
            "auto it = std::upper_bound(v.begin(), v.end(), std::max<int>(1, 2));",
            "auto it = std::lower_bound(v.begin(), v.end(), std::min<int>(1, 2));",
            "return min(1, 2) + v.back() + int(s.rfind('x')) + p.first + q.first + b;",
            "return min(1, 2) + v.front() + int(s.find('x')) + p.first + q.first + b;",
            "return min(1, 2) + v.front() + int(s.rfind('x')) + p.second + q.first + b;",
        ]
    );
}

#[test]
fn the_ends_of_a_range_are_taken_for_one_another() {
    let text = "
        #include <algorithm>
        #include <vector>
        int f(std::vector<int> &v, std::vector<int> &w) {
            std::sort(v.begin(), v.end());
            std::copy(v.begin(), v.end(), w.begin());
            v.insert(v.end(), 3);
            for (auto it = std::begin(v); it != std::end(v); ++it) *it += 1;
            return *v.begin();
        }";
    assert_eq!(
        made("BES", text),
        [
            "std::sort(v.end(), v.end());",
            "std::copy(v.end(), v.end(), w.begin());",
            "v.insert(v.begin(), 3);",
            "for (auto it = std::begin(v); it != std::begin(v); ++it) *it += 1;",
        ]
    );
}

#[test]
fn checks_for_nothing_are_negated() {
    let text = "
        #include <memory>
        #include <optional>
        int f(std::optional<int> o, std::unique_ptr<int> u, int *p, int n) {
            if (o && n) return 1;
            if (!u) return 2;
            if (o.has_value() || p) return 3;
            int *q = p;
            return n ? *q : 0;
        }";
    assert_eq!(
        made("NCN", text),
        [
            "if (!o && n) return 1;",
            "if (u) return 2;",
            "if (!o.has_value() || p) return 3;",
            "if (o.has_value() || !p) return 3;",
        ]
    );
}

#[test]
fn moves_become_copies_where_the_class_can_be_copied() {
    let text = "
        #include <memory>
        #include <string>
        #include <vector>
        struct Only { Only(Only &&) = default; };
        void take(std::string s);
        void rob(std::string &&s);
        std::string f(std::string s, std::unique_ptr<int> u, Only o, std::vector<std::string> v) {
            take(std::move(s));
            rob(std::move(s));
            v.push_back(std::move(s));
            std::string t = std::move(s);
            auto w = std::move(u);
            Only p = std::move(o);
            return std::move(t);
        }
        template <class T> void g(T &&t) { take(std::forward<T>(t)); }";
    assert_eq!(made("MVD", text), ["take(s);", "v.push_back(s);", "std::string t = s;"]);
    assert_eq!(made("FWD", text), ["template <class T> void g(T &&t) { take(std::move(t)); }"]);
}

#[test]
fn loops_copy_lambdas_refer_and_braces_become_parentheses() {
    let text = "
        #include <string>
        #include <vector>
        struct Only { Only(Only &&) = default; };
        int f(std::vector<int> &v, std::vector<Only> &o, int a) {
            for (auto &x : v) x += 1;
            for (int&x : v) x += 1;
            for (const auto &x : v) a += x;
            for (auto &x : o) a += sizeof x;
            auto g = [=] { return a; };
            auto h = [a, &v] { return a + v[0]; };
            auto i = [&v, a] { return a + v[0]; };
            auto j = [&, a] { return a + v[0]; };
            std::vector<int> w{3, a};
            std::vector<std::string> s{\"x\", \"y\"};
            std::vector<double> d{1, 2};
            std::string t{'a', 'b'};
            std::string u{'c'};
            std::vector<int> y = {1, 2};
            return g() + h();
        }
        struct Holder { Holder(int n) : v{n, 1}, d{1.5} {} std::vector<int> v; std::vector<double> d; };";
    assert_eq!(made("FOR", text), ["for (auto x : v) x += 1;", "for (int x : v) x += 1;"]);
    assert_eq!(
        made("LMB", text),
        [
            "auto g = [&] { return a; };",
            "auto h = [&a, &v] { return a + v[0]; };",
            "auto i = [&v, &a] { return a + v[0]; };",
            "auto j = [&] { return a + v[0]; };",
        ]
    );
    assert_eq!(
        made("INI", text),
        [
            "std::vector<int> w(3, a);",
            "std::vector<double> d(1, 2);",
            "std::string t('a', 'b');",
            "struct Holder { Holder(int n) : v(n, 1), d{1.5} {} std::vector<int> v; std::vector<double> d; };",
        ]
    );
}

#[test]
fn macros_and_c_are_left_alone() {
    let text = "
        #define THROW(x) throw x
        #define CALL(x) do { if (x) throw 1; } while (0)
        struct A { int get() const { return 1; } int put() const { return 2; } };
        void f(int x, const A &a) { if (x) THROW(x); CALL(a.get()); }";
    let names: Vec<&str> =
        all().iter().filter(|known| known.group == Group::Cxx).map(|operator| operator.name).collect();
    assert_eq!(lines("-std=c++17", text, &names), [] as [&str; 0]);
    assert_eq!(lines("-std=c11", "int two(int a, int b); int f(int x) { return two(x, 1); }", &names), [] as [&str; 0]);
}

#[test]
fn windows_lines_and_a_missing_last_newline_do_no_harm() {
    let text = "void act();\r\nint f(int x) {\r\n  try {\r\n    act();\r\n  } catch (...) {\r\n    x = 1;\r\n  \
    }\r\n  return x;\r\n}";
    assert_eq!(made("EXS", text), ["} catch (...) {}"]);
}
