// Takes and observes values of every sort and checks what the record says of them. Exits 0 where all is well;
// tests/runtime.rs builds this file with several compilers and standards.
#include "motif.hpp"
#include "motif_internal.h"

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdio>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#if __cplusplus >= 201703L
#include <any>
#include <filesystem>
#include <optional>
#include <string_view>
#include <variant>
#endif

namespace sat {

struct Point {
  int x;
  int y;
};
struct Base {
  virtual ~Base() = default;
  int shared = 1;
};
struct Derived : Base {
  int own = 2;
};
struct Unknown {
  int hidden;
};
struct Node {
  int value;
  Node *next;
};
struct Wide {
  Wide(int);
  double value;
};
enum class Mode { off, on = 7 };
struct mut_Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};
template <class T>
struct Box {
  T held;
};
struct Forward;

}  // namespace sat

// Declared behind motif.hpp, as generated drivers do.
namespace MOTIF {

void observe_members(Record &record, const sat::Point &point) {
  record.member("x", point.x);
  record.member("y", point.y);
}
void observe_members(Record &record, const sat::Base &base) { record.member("shared", base.shared); }
void observe_members(Record &record, const sat::Node &node) {
  record.member("value", node.value);
  record.member("next", node.next);
}
void observe_members(Record &record, const sat::Wide &wide) { record.member("value", wide.value); }
template <class T>
void observe_members(Record &record, const sat::Box<T> &box) {
  record.member("held", box.held);
}

}  // namespace MOTIF

namespace {

int failures = 0;

void check(bool holds, const char *what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what);
}

struct Recorder {
  motif_record record;
  motif_sink sink;
  Recorder() {
    motif_record_create(&record, 1u << 16);
    motif_sink_create(&sink, 1u << 20);
    record.describe = &sink;
    motif_record_reset(&record);
  }
  std::string bytes() const { return std::string(reinterpret_cast<const char *>(record.bytes), record.used); }
  std::string text() const { return std::string(sink.text, sink.used); }
};

template <class T>
std::string bytes_of(const T &value) {
  Recorder recorder;
  MOTIF::Record record(&recorder.record);
  record.output("value", value);
  return recorder.bytes();
}
template <class T>
std::string text_of(const T &value) {
  Recorder recorder;
  MOTIF::Record record(&recorder.record);
  record.output("value", value);
  return recorder.text();
}

template <class T>
void differ(const T &one, const T &other, const char *what) {
  check(bytes_of(one) == bytes_of(one), what);
  check(bytes_of(one) != bytes_of(other), what);
  check(text_of(one).find("\"skip\"") == std::string::npos, what);
}
template <class T>
void same(const T &one, const T &other, const char *what) {
  check(bytes_of(one) == bytes_of(other), what);
}
template <class T>
void skipped(const T &value, const char *what) {
  check(text_of(value).find("\"skip\"") != std::string::npos, what);
}
void has(const std::string &text, const std::string &part) {
  if (text.find(part) == std::string::npos) std::fprintf(stderr, "%s lacks %s\n", text.c_str(), part.c_str());
  check(text.find(part) != std::string::npos, part.c_str());
}

void values() {
  differ(1, 2, "int");
  differ(true, false, "bool");
  differ(0.0, -0.0, "zero and minus zero");
  same(std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN(), "NaN is NaN");
  same(std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(), "NaN is NaN in float");
  differ(1.0L, 1.5L, "long double");
  differ(sat::Mode::off, sat::Mode::on, "enum");
  differ(std::string("a"), std::string("b"), "string");
  differ(std::wstring(L"a"), std::wstring(L"b"), "wstring");
  const char *text = "one", *other = "two", *none = nullptr;
  differ(text, other, "C string");
  differ(text, none, "no C string");
  char buffer[4] = {'a', 0, 'x', 'x'}, tail[4] = {'a', 0, 'y', 'y'};
  check(bytes_of(buffer) == bytes_of(tail), "behind the NUL of a text nothing counts");
  int numbers[2][2] = {{1, 2}, {3, 4}}, others[2][2] = {{1, 2}, {3, 5}};
  check(bytes_of(numbers) != bytes_of(others), "arrays of arrays");
}

void containers() {
  differ(std::vector<int>{1, 2}, std::vector<int>{1, 3}, "vector");
  differ(std::vector<int>{}, std::vector<int>{0}, "length");
  differ(std::vector<bool>{true, false}, std::vector<bool>{true, true}, "vector<bool>");
  differ(std::array<float, 2>{{1, 2}}, std::array<float, 2>{{1, 3}}, "array");
  differ(std::list<std::string>{"a"}, std::list<std::string>{"b"}, "list");
  differ(std::map<int, sat::Point>{{1, {2, 3}}}, std::map<int, sat::Point>{{1, {2, 4}}}, "map");
  differ(std::set<int>{1}, std::set<int>{2}, "set");
  differ(std::pair<int, double>{1, 2}, std::pair<int, double>{1, 3}, "pair");
  differ(std::tuple<int, char>{1, 'a'}, std::tuple<int, char>{1, 'b'}, "tuple");
  same(std::tuple<>(), std::tuple<>(), "empty tuple");
  differ(std::complex<double>{1, 2}, std::complex<double>{1, 3}, "complex");
  differ(std::bitset<5>(3), std::bitset<5>(4), "bitset");
  std::unordered_set<int> one, other;
  for (int i = 0; i < 40; ++i) one.insert(i);
  other.rehash(500);
  for (int i = 39; i >= 0; --i) other.insert(i);
  same(one, other, "an unordered set has no order");
  other.insert(99);
  differ(one, other, "an unordered set has elements");
  differ(std::unordered_map<std::string, int>{{"a", 1}}, std::unordered_map<std::string, int>{{"a", 2}}, "unordered map");
  std::ostringstream written, more;
  written << "text";
  more << "texts";
  check(bytes_of(written) != bytes_of(more), "string stream");
}

void pointers() {
  std::atomic<int> atom{1}, other_atom{2};
  check(bytes_of(atom) != bytes_of(other_atom), "atomic");
  check(bytes_of(std::make_unique<int>(1)) != bytes_of(std::make_unique<int>(2)), "unique_ptr");
  differ(std::make_shared<sat::Point>(), std::shared_ptr<sat::Point>(), "shared_ptr");
  const auto shared = std::make_shared<sat::Point>(sat::Point{1, 2});
  differ(std::weak_ptr<sat::Point>(shared), std::weak_ptr<sat::Point>(), "weak_ptr");
  differ(std::function<int()>(), std::function<int()>([] { return 1; }), "function");
  differ(std::chrono::seconds(1), std::chrono::seconds(2), "duration");
  differ(std::chrono::steady_clock::time_point(), std::chrono::steady_clock::time_point(std::chrono::seconds(1)), "time point");
  int number = 1, another = 2;
  int *to_number = &number, *to_another = &another, *to_none = nullptr;
  check(bytes_of(to_number) == bytes_of(to_another), "a pointer to a number counts as there or not");
  differ(to_number, to_none, "no pointer to a number");
  void *anything = &number, *nothing = nullptr;
  differ(anything, nothing, "void pointer");
  sat::Forward *incomplete = nullptr;
  has(text_of(incomplete), "\"null\":true");
  sat::Node ring{1, nullptr}, second{2, &ring}, other_second{3, &ring};
  ring.next = &second;
  differ(&ring, &second, "a cycle ends");
  ring.next = &other_second;
  sat::Point point{1, 2}, elsewhere{1, 2};
  check(bytes_of(&point) == bytes_of(&elsewhere), "an address is no value");
  elsewhere.y = 3;
  differ(std::ref(point), std::ref(elsewhere), "reference wrapper");
}

void classes() {
  differ(sat::Point{1, 2}, sat::Point{1, 3}, "class with a hook");
  has(text_of(sat::Point{1, 2}), "\"path\":\"value.x\",\"part\":\"output\",\"value\":{\"kind\":\"int32\",\"bytes\":\"01000000\",\"text\":\"1\"}");
  has(text_of(sat::Derived()), "value.shared");
  differ(sat::Box<int>{1}, sat::Box<int>{2}, "class template with a hook");
  skipped(sat::Unknown{1}, "class without a hook");
  skipped(std::vector<int>().begin(), "iterator");
  skipped(&sat::Point::x, "pointer to member");
  const sat::Derived derived;
  const sat::Base *base = &derived;
  has(text_of(base), "value.<type>");
  // An int is observed as itself although a Wide can be made of it.
  has(text_of(5), "\"kind\":\"int32\"");
}

void newer() {
#if __cplusplus >= 201703L
  differ(std::optional<int>(1), std::optional<int>(), "optional");
  differ(std::variant<int, std::string>(1), std::variant<int, std::string>("1"), "variant");
  differ(std::string_view("a"), std::string_view("b"), "string_view");
  differ(std::filesystem::path("a/b"), std::filesystem::path("a/c"), "path");
  skipped(std::any(1), "any");
#endif
}

template <class F>
std::string call(F &&body) {
  Recorder recorder;
  MOTIF::Record record(&recorder.record);
  record.returned("return", body);
  return recorder.text();
}

void calls() {
  has(call([] { return 3; }), "\"path\":\"return\",\"part\":\"output\",\"value\":{\"kind\":\"int32\"");
  check(call([] {}).empty(), "void returns nothing");
  const std::string thrown = call([]() -> int { throw sat::Fault("why"); });
  has(thrown, "\"path\":\"exception.type\",\"part\":\"exception\",\"text\":\"7361743a3a4661756c74\"");
  has(thrown, "exception.what");
  check(thrown == call([]() -> int { throw sat::mut_Fault("why"); }), "mut_ is taken out of type names");
  check(thrown != call([]() -> int { throw sat::Fault("else"); }), "what() counts");
  has(call([] { throw 5; }), "exception.value");
  has(call([] { throw sat::Point{1, 2}; }), "\"path\":\"exception.type\"");
  sat::Point point{1, 2};
  has(call([&]() -> sat::Point & { return point; }), "return.x");
  has(call([] { return std::make_unique<int>(1); }), "\"null\":false");
}

template <class T>
T take(const std::string &bytes, std::string *trace = nullptr, std::vector<motif_field> *fields = nullptr) {
  static motif_input input;
  static motif_sink sink;
  static motif_field field[MOTIF_FIELDS_MOST];
  if (!input.arena) {
    motif_input_create(&input);
    motif_sink_create(&sink, 1u << 20);
    input.trace = &sink;
    input.fields = field;
  }
  sink.used = 0;
  motif_input_reset(&input, reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  MOTIF::Input in(&input);
  T value = in.take<T>();
  if (trace) *trace = std::string(sink.text, sink.used);
  if (fields) fields->assign(field, field + input.field_count);
  return value;
}

void inputs() {
  using namespace std::string_literals;
  check(take<int>("\x01\x02"s) == 0x0201, "what is missing is zero");
  check(take<bool>("\x03"s), "a bool is 0 or 1");
  check(!take<bool>("\x02"s), "a bool is its lowest bit");
  check(take<std::string>("\x03" "a\0bc"s) == "a\0b"s, "a string is its length and characters");
  check(take<std::vector<short>>("\x02\x01\x00\x02\x00\x03\x00"s) == (std::vector<short>{1, 2}), "vector");
  check(take<std::vector<std::string>>("\x02\x01x\x01y"s) == (std::vector<std::string>{"x", "y"}), "vector of strings");
  check(take<std::array<char, 3>>("abc"s) == (std::array<char, 3>{{'a', 'b', 'c'}}), "array");
  check(take<std::pair<char, int>>("a\x01"s) == std::make_pair('a', 1), "pair");
  check(take<std::tuple<char, char>>("ab"s) == std::make_tuple('a', 'b'), "a tuple is taken in order");
  check(take<std::map<char, char>>("\x01xy"s).at('x') == 'y', "map");
  check(take<std::set<char>>("\x02xy"s).size() == 2, "set");
  check(take<std::complex<float>>(""s) == std::complex<float>(0, 0), "complex");
  std::string trace;
  std::vector<motif_field> fields;
  take<std::string>("\x02" "ab"s, &trace, &fields);
  check(trace == "{\"take\":\"size\",\"value\":2},{\"take\":\"array\",\"kind\":\"char\",\"values\":[{\"kind\":\"char\",\"bytes\":\"61\",\"text\":\"97\"},{\"kind\":\"char\",\"bytes\":\"62\",\"text\":\"98\"}]}", trace.c_str());
  check(fields.size() == 2 && fields[0].role == MOTIF_ROLE_SIZE && fields[1].offset == 1 && fields[1].count == 2, "fields");
  take<double>("\0\0\0\0\0\0\xf0\x3f"s, &trace);
  check(trace == "{\"take\":\"value\",\"value\":{\"kind\":\"double\",\"bytes\":\"000000000000f03f\",\"text\":\"1\",\"hex\":\"0x1p+0\"}}", trace.c_str());
  take<long>("\xff\xff\xff\xff\xff\xff\xff\xff"s, &trace);
  has(trace, "\"text\":\"-1\"");
  take<unsigned char>("\xff"s, &trace);
  has(trace, "\"text\":\"255\"");

  motif_input input;
  motif_input_create(&input);
  const std::string text = "ab\0cd"s;
  motif_input_reset(&input, reinterpret_cast<const uint8_t *>(text.data()), text.size());
  MOTIF::Input in(&input);
  check(std::string(in.cstring(10)) == "ab", "a NUL ends a C string");
  check(std::string(in.cstring(1)) == "c", "a C string has an end");
  check(in.pick(1) == 0 && input.offset == 4, "no choice takes no bytes");
  check(in.size(3, 5) == 3 + 'd' % 3, "a size lies within its bounds");
  check(in.enumerator({sat::Mode::off, sat::Mode::on}) == sat::Mode::off, "an enumerator");
  const std::string lengths = "\x63\x73\xfe\xff\xff\xff\x72"s;
  motif_input_reset(&input, reinterpret_cast<const uint8_t *>(lengths.data()), lengths.size());
  check(in.length<int>(100) == 99 && input.offset == 1, "what may be a length mostly is one");
  check(in.length<int>(100) == -2 && input.offset == 6, "now and then it is any value of its type");
  check(in.length<unsigned long long>(100) == 0 && input.offset == 15, "what an input lacks is zero");
  double *numbers = in.allocate<double>(1000000);
  check(numbers[0] == 0 && numbers[999999] == 0, "a large allocation is zeroed");
}

void limits() {
  Recorder recorder;
  motif_record small;
  motif_record_create(&small, 64);
  motif_record_reset(&small);
  MOTIF::Record record(&small);
  record.output("value", std::vector<int>(1000, 7));
  check(small.full && small.used <= 65, "a record that is full says so and takes no more");
  motif_record_reset(&small);
  motif_record_reset(&recorder.record);
  recorder.sink.used = 0;
  MOTIF::Record described(&recorder.record);
  described.output("na\"me\\", std::string(300000, 'x'));
  check(recorder.record.full, "a text that does not fit fills the record");
}

void ranges() {
  const char text[] = "abc";
  const auto said = [](const char *begin, const char *end) {
    Recorder recorder;
    MOTIF::Record record(&recorder.record);
    record.member_range("range", begin, end);
    return recorder.text();
  };
  has(said(text, text + 2), "\"text\":\"6162\"");
  // Where one end is null, the other is no text; a test asks whether the first is null.
  has(said(text, nullptr), "\"null\":false");
  has(said(nullptr, text), "\"null\":true");
  has(said(text + 2, text), "\"skip\"");
  Recorder recorder;
  MOTIF::Record record(&recorder.record);
  const int numbers[] = {1, 2};
  const int below_zero = -1;
  record.member_array("numbers", numbers, static_cast<std::size_t>(below_zero));
  has(recorder.text(), "\"skip\"");
  record.member_array("numbers", numbers, 2);
  has(recorder.text(), "numbers[1]");
}

}  // namespace

int main() {
  values();
  containers();
  pointers();
  classes();
  newer();
  calls();
  inputs();
  ranges();
  limits();
  return failures == 0 ? 0 : 1;
}
