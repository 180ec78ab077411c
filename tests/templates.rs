//! Templates and the standard library: each kind on a project of a few lines, through the real command, to a test that
//! is proved.

use crate::support::{Project, all_die};

#[test]
fn iterators_point_into_containers_of_their_own_and_two_of_one_type_are_the_ends_of_a_range() {
    let text = "#include <deque>\n#include <list>\n#include <map>\n#include <string>\n#include <vector>\n\
                template <typename Iterator> int spaces(Iterator it, Iterator end) {\n  int n = 0;\n  \
                for (; it != end; ++it) n += *it == ' ' ? 1 : 0;\n  return n;\n}\n\
                template <typename Iterator> Iterator skip(Iterator start, Iterator end) {\n  \
                while (start != end && *start == 'A') ++start;\n  return start;\n}\n\
                template <typename Iterator> bool next(Iterator &it, Iterator end) {\n  if (it == end) return false;\n  \
                it += 1;\n  return true;\n}\n\
                template <typename Out> Out twice(char c, Out to) {\n  *to++ = c;\n  *to++ = c + 1;\n  return to;\n}\n\
                int use(const std::string &s, std::string &to) {\n  auto at = s.begin();\n  next(at, s.end());\n  \
                twice('a', std::back_inserter(to));\n  \
                return spaces(s.begin(), s.end()) + (skip(s.begin(), s.end()) == s.end());\n}\n\
                void raise(std::vector<int>::iterator first, std::vector<int>::iterator last) {\n  \
                for (; first != last; ++first) *first = 7;\n}\n\
                long sum(std::list<long>::const_iterator from, std::list<long>::const_iterator to) {\n  long n = 0;\n  \
                for (; from != to; ++from) n += *from;\n  return n;\n}\n\
                int key(std::map<int, std::string>::iterator at) {\n  return at->first + 5;\n}\n\
                int back(std::deque<int>::reverse_iterator at, std::deque<int>::reverse_iterator end) {\n  \
                return at == end ? 3 : *at;\n}\n";
    let project = Project::of(&[("it.cpp", text)]);
    let mutants = [
        ("it.mut.8.1_1_1.ROR.spaces.cpp", "' ' ? 1", "' ' ? 2"),
        ("it.mut.12.1_1_1.ROR.skip.cpp", "*start == 'A'", "*start != 'A'"),
        ("it.mut.17.1_1_1.ICR.next.cpp", "it += 1", "it += 0"),
        ("it.mut.22.1_1_1.AOR.twice.cpp", "c + 1", "c + 2"),
        ("it.mut.32.1_1_1.ICR.raise.cpp", "*first = 7", "*first = 8"),
        ("it.mut.36.1_1_1.AOR.sum.cpp", "n += *from", "n -= *from"),
        ("it.mut.40.1_1_1.AOR.key.cpp", "first + 5", "first - 5"),
        ("it.mut.43.1_1_1.ICR.back.cpp", "end ? 3", "end ? 4"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[2].0);
    assert!(test.contains("EXPECT_EQ(std::distance(it_range.cbegin(), it), "), "{test}");
}

#[test]
fn a_template_that_nobody_uses_is_given_pointers_for_what_it_calls_iterators() {
    let text = "template <typename Iterator> long length(Iterator first, Iterator last) {\n  long n = 1;\n  \
                for (; first != last; ++first) ++n;\n  return n;\n}\n\
                template <typename Iterator> class Walk {\n  Iterator at_;\n public:\n  \
                explicit Walk(Iterator at) : at_(at) {}\n  int value() const { return *at_ + 1; }\n};\n";
    let project = Project::of(&[("walk.cpp", text)]);
    let mutants = [
        ("walk.mut.2.1_1_1.ICR.length.cpp", "n = 1", "n = 2"),
        ("walk.mut.10.1_1_1.AOR.value.cpp", "*at_ + 1", "*at_ - 1"),
    ];
    all_die(&project, "1s", &mutants);
}

#[test]
fn lists_that_are_written_down_have_a_few_elements_from_the_data() {
    let text = "#include <initializer_list>\n#include <string>\n#include <utility>\n\
                int longest(std::initializer_list<std::string> all) {\n  int most = 0;\n  \
                for (const std::string &one : all) most = one.size() > 2 ? 9 : most;\n  return most;\n}\n\
                class Sum {\n  long n_ = 0;\n public:\n  Sum(std::initializer_list<std::pair<int, long>> all) {\n    \
                for (const auto &one : all) n_ += one.second + 1;\n  }\n  long n() const { return n_ * 3; }\n};\n";
    let project = Project::of(&[("list.cpp", text)]);
    let mutants = [
        ("list.mut.6.1_1_1.ICR.longest.cpp", "? 9 :", "? 8 :"),
        ("list.mut.13.1_1_1.AOR.Sum.cpp", "one.second + 1", "one.second - 1"),
        ("list.mut.15.1_1_1.AOR.n.cpp", "n_ * 3", "n_ + 3"),
    ];
    all_die(&project, "1s", &mutants);
}

#[test]
fn what_only_instantiations_use_dies_in_nested_templates_partial_specialisations_and_lambdas() {
    let text = "#include <functional>\n#include <vector>\n\
                struct Value {\n  int at;\n  explicit Value(int n) : at(n) {}\n};\n\
                template <class T> struct Inner {\n  int of(const T &t) const {\n    return t.at + 3;\n  }\n};\n\
                template <class T> struct Outer {\n  int run(const T &t) {\n    Inner<T> inner;\n    return inner.of(t);\n  }\n\
                template <class U, int N> struct Cell {\n    T t;\n    U u[N];\n    U sum(T more) {\n      return u[0] + more * t;\n    }\n  };\n};\n\
                template <class T> struct Cut {\n  int one() { return 1; }\n};\n\
                template <class T> struct Cut<T *> {\n  T held{};\n  T left(T by) {\n    return held + by * 2;\n  }\n};\n\
                template <class F> int each(int n, F &&visit) {\n  int sum = 0;\n  for (int i = 0; i < n % 5; ++i) sum += visit(i);\n  return sum + 4;\n}\n\
                int use(Value v, Outer<short>::Cell<long, 3> cell, Cut<short *> cut) {\n  Outer<Value> outer;\n  \
                int seen = int(cell.sum(1)) + cut.left(2);\n  return outer.run(v) + each(3, [&](int i) { return i + seen; });\n}\n";
    let project = Project::of(&[("nest.cpp", text)]);
    let mutants = [
        ("nest.mut.9.1_1_1.AOR.of.cpp", "t.at + 3", "t.at - 3"),
        ("nest.mut.21.1_1_1.AOR.sum.cpp", "u[0] + more * t", "u[0] - more * t"),
        ("nest.mut.31.1_1_1.AOR.left.cpp", "by * 2", "by * 3"),
        ("nest.mut.37.1_1_1.AOR.each.cpp", "sum + 4", "sum - 4"),
    ];
    all_die(&project, "1s", &mutants);
}

#[test]
fn packs_get_one_parameter_for_each_argument_that_the_project_gives_them() {
    let text = "#include <cstddef>\n\
                #include <functional>\n\
                #include <memory>\n\
                #include <string>\n\
                #include <tuple>\n\
                #include <utility>\n\
                #include <vector>\n\
                template <class... Args> int shown(const char *fmt, Args &&...args) {\n\
                \x20 return (fmt ? 1 : 0) + static_cast<int>(sizeof...(args)) * 2;\n\
                }\n\
                struct Part {\n\
                \x20 int a;\n\
                \x20 std::string s;\n\
                \x20 Part(int n, std::string t) : a(n), s(std::move(t)) {}\n\
                };\n\
                template <class T, class... Args> std::unique_ptr<T> make(Args &&...args) {\n\
                \x20 auto made = std::unique_ptr<T>(new T(std::forward<Args>(args)...));\n\
                \x20 made->a += 3;\n\
                \x20 return made;\n\
                }\n\
                template <class... Ts> class Signal {\n\
                \x20 std::vector<std::function<void(Ts...)>> slots_;\n\
                \x20 std::tuple<Ts...> last_;\n\
                \n\
                \x20public:\n\
                \x20 void connect(std::function<void(Ts...)> to) { slots_.push_back(std::move(to)); }\n\
                \x20 int emit(const Ts &...values) {\n\
                \x20   last_ = std::tuple<Ts...>(values...);\n\
                \x20   for (auto &slot : slots_) slot(values...);\n\
                \x20   return static_cast<int>(slots_.size()) + 5;\n\
                \x20 }\n\
                };\n\
                template <class T, std::size_t... Is> int total(const T &all, std::index_sequence<Is...>) {\n\
                \x20 int sum = 0;\n\
                \x20 int each[] = {0, (sum += std::get<Is>(all))...};\n\
                \x20 return sum + each[0] * 7;\n\
                }\n\
                template <class... Ts> int unused(Ts... all) {\n\
                \x20 return static_cast<int>(sizeof...(all)) + 9;\n\
                }\n\
                int use(Signal<int, std::string> &signal) {\n\
                \x20 auto part = make<Part>(3, std::string(\"x\"));\n\
                \x20 std::tuple<int, int> two{1, part->a};\n\
                \x20 return signal.emit(1, \"a\") + shown(\"x\", 3, part->s) + total(two, std::make_index_sequence<2>{});\n\
                }\n";
    let project = Project::of(&[("packs.cpp", text)]);
    let mutants = [
        ("packs.mut.9.1_1_1.AOR.shown.cpp", "sizeof...(args)) * 2", "sizeof...(args)) * 3"),
        ("packs.mut.18.1_1_1.ICR.make.cpp", "made->a += 3", "made->a += 4"),
        ("packs.mut.30.1_1_1.ICR.emit.cpp", "slots_.size()) + 5", "slots_.size()) + 6"),
        ("packs.mut.36.1_1_1.AOR.total.cpp", "sum + each[0] * 7", "sum - each[0] * 7 + 1"),
        ("packs.mut.39.1_1_1.ICR.unused.cpp", "+ 9", "+ 8"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let driver = |unit: &str| project.read(format!("motif.out/drivers/{unit}/TestUtil.hpp"));
    assert!(driver("total").contains("total<std::tuple<int, int>, 0, 1>"), "{}", driver("total"));
    // A copy of a function template is one.
    assert!(outcome.mutants()[mutants[0].0]["image"].is_null(), "{:?}", outcome.mutants()[mutants[0].0]);
    let copy = project.read("motif.out/drivers/shown/mut_copy.hpp");
    assert!(copy.contains("template <class... Args> int mut_shown(const char *fmt, Args &&...args) {"), "{copy}");
}

#[test]
fn enumerators_of_class_templates_are_named_by_the_instantiation() {
    let text = "template <typename T> struct Angles {\n  enum Order { XYZ = 1, ZYX = 4 };\n  enum class Unit { Degree, Turn };\n  \
                T x;\n  explicit Angles(T v) : x(v) {}\n  T in(Order o, Unit u) const {\n    \
                return o == ZYX && u == Unit::Turn ? x + 2 : x;\n  }\n  \
                Order order() const { return x > 1 ? ZYX : XYZ; }\n  template <typename S> T moved(const S &by);\n};\n\
                template <typename T> template <typename S>\nT Angles<T>::moved(const S &by) { return x + by; }\n\
                double use(Angles<double> a) { return a.in(Angles<double>::XYZ, Angles<double>::Unit::Turn) + a.moved(1.f); }\n";
    let project = Project::of(&[("angles.cpp", text)]);
    let mutants = [
        ("angles.mut.7.1_1_1.AOR.in.cpp", "x + 2", "x - 2"),
        ("angles.mut.9.1_1_1.ROR.order.cpp", "x > 1", "x <= 1"),
        ("angles.mut.13.1_1_1.AOR.moved.cpp", "x + by", "x - by"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[1].0);
    assert!(test.contains("Angles<double>::"), "{test}");
}
