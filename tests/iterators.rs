//! Iterators of a project's own are the ends of ranges in one container: through the real command, to tests that are proved.

use crate::support::{Project, all_die};

const RING: &str = r#"#pragma once
#include <cstddef>
namespace n {
class Ring {
  int values[8];
  std::size_t count;
 public:
  class iterator {
    Ring *ring;
    std::size_t at;
    friend class Ring;
    iterator(Ring *ring, std::size_t at) : ring(ring), at(at) {}
   public:
    iterator() : ring(nullptr), at(0) {}
    int &operator*() const { return ring->values[at % 8]; }
    iterator &operator++() { at += 1; return *this; }
    bool operator==(const iterator &other) const;
    bool operator!=(const iterator &other) const { return !(*this == other); }
    long operator-(const iterator &other) const;
  };
  Ring() : values(), count(0) {}
  void push(int value) { if (count < 8) values[count++] = value; }
  iterator begin() { return iterator(this, 0); }
  iterator end() { return iterator(this, count); }
};
template <typename T>
struct List {
  struct Node { T value; Node *next; };
  class const_iterator {
    const Node *node;
   public:
    explicit const_iterator(const Node *node) : node(node) {}
    const T &operator*() const { return node->value; }
    const_iterator &operator++() { node = node->next; return *this; }
    bool operator==(const const_iterator &other) const { return node == other.node; }
  };
  Node *head = nullptr;
  List() = default;
  ~List() { while (head) { Node *next = head->next; delete head; head = next; } }
  List(const List &) = delete;
  List &operator=(const List &) = delete;
  void add(const T &value) { head = new Node{value, head}; }
  const_iterator begin() const { return const_iterator(head); }
  const_iterator end() const { return const_iterator(nullptr); }
};
int sum(Ring::iterator first, Ring::iterator last);
int halved(Ring::iterator it);
double most(List<double>::const_iterator from, List<double>::const_iterator to);
template <typename It>
int even(It first, It last) {
  int n = 0;
  for (; first != last; ++first) {
    if (*first % 2 == 0) n += 1;
  }
  return n;
}
int use(Ring &ring);
}
"#;

const SOURCE: &str = r#"#include "ring.h"
namespace n {
bool Ring::iterator::operator==(const iterator &other) const {
  return ring == other.ring && at == other.at;
}
long Ring::iterator::operator-(const iterator &other) const {
  return static_cast<long>(at) - static_cast<long>(other.at);
}
int sum(Ring::iterator first, Ring::iterator last) {
  int all = 0;
  for (; first != last; ++first) all += *first & 0xff;
  return all;
}
int halved(Ring::iterator it) {
  *it = *it / 2;
  return 1;
}
double most(List<double>::const_iterator from, List<double>::const_iterator to) {
  double best = 0;
  for (; !(from == to); ++from) {
    if (*from > best) best = *from;
  }
  return best;
}
int use(Ring &ring) { return even(ring.begin(), ring.end()); }
}
"#;

#[test]
fn two_iterators_of_the_projects_own_are_the_ends_of_a_range_and_one_points_to_an_element() {
    let project = Project::of(&[("ring.h", RING), ("ring.cpp", SOURCE)]);
    let mutants = [
        ("ring.mut.4.1_1_1.ROR.equal.cpp", "at == other.at", "at != other.at"),
        ("ring.mut.7.1_1_1.AOR.minus.cpp", "(at) - static", "(at) + static"),
        ("ring.mut.11.1_1_1.AOR.sum.cpp", "all += *first", "all -= *first"),
        ("ring.mut.15.1_1_1.ICR.halved.cpp", "*it / 2", "*it / 3"),
        ("ring.mut.21.1_1_1.ROR.most.cpp", "*from > best", "*from < best"),
        ("ring.mut.56.1_1_1.ICR.even.h", "n += 1", "n += 2"),
    ];
    all_die(&project, "1s", &mutants);
    let driver = project.read("motif.out/drivers/n_sum/TestUtil.hpp");
    assert!(driver.contains("auto last = first_range.end();"), "{driver}");
    assert!(!driver.contains("last_range"), "{driver}");
}

#[test]
fn methods_that_take_iterators_get_such_as_point_into_their_own_object() {
    let text = "#include <list>\n#include <map>\ntemplate <typename T> class List {\n  std::list<T> held_;\n  int gone_ = 0;\n public:\n  \
                typedef typename std::list<T>::iterator Iterator;\n  typedef typename std::list<T>::const_iterator ConstIterator;\n  \
                void append(const T &x) { held_.push_back(x); }\n  Iterator begin() { return held_.begin(); }\n  \
                ConstIterator begin() const { return held_.begin(); }\n  Iterator end() { return held_.end(); }\n  \
                ConstIterator end() const { return held_.end(); }\n  Iterator erase(Iterator it);\n  T after(ConstIterator it) const;\n};\n\
                template <typename T> typename List<T>::Iterator List<T>::erase(Iterator it) {\n  gone_ += 1;\n  return held_.erase(it);\n}\n\
                template <typename T> T List<T>::after(ConstIterator it) const {\n  return *it + 1;\n}\n\
                int use(List<int> &list) { list.append(2); list.erase(list.begin()); return list.after(list.begin()); }\n\
                class Row {\n  int cells_[8];\n  int used_ = 0;\n  int last_ = 0;\n public:\n  typedef int *iterator;\n  \
                void add(int n) { if (used_ < 8) cells_[used_++] = n; }\n  iterator begin() { return cells_; }\n  \
                iterator end() { return cells_ + used_; }\n  void insert(iterator at, int n) {\n    if (at == end()) last_ = n + 1;\n    \
                if (at < cells_ + 8) *at = n;\n  }\n  void erase(iterator first, iterator last) {\n    \
                while (last != end()) *first++ = *last++;\n    used_ = first - cells_;\n  }\n};\n";
    let project = Project::of(&[("list.cpp", text)]);
    let mutants = [
        ("list.mut.18.1_1_1.AOR.erase.cpp", "gone_ += 1", "gone_ -= 1"),
        ("list.mut.22.1_1_1.AOR.after.cpp", "*it + 1", "*it - 1"),
        ("list.mut.35.1_1_1.AOR.insert.cpp", "n + 1", "n - 1"),
        ("list.mut.39.1_1_1.ROR.erase.cpp", "last != end()", "last == end()"),
    ];
    all_die(&project, "2s", &mutants);
}

#[test]
fn what_appends_to_a_base_class_is_given_an_object_of_a_class_that_derives_from_it() {
    let text = "#include <iterator>\nclass Buffer {\n public:\n  using value_type = char;\n  virtual ~Buffer() = default;\n  \
                void push_back(const char &c) { store(c); }\n protected:\n  virtual void store(char c) = 0;\n};\n\
                struct Room : Buffer {\n  char held_[8] = {};\n  int used_ = 0;\n  \
                void store(char c) override { if (used_ < 8) held_[used_++] = c; }\n};\n\
                int put(std::back_insert_iterator<Buffer> to, int n) {\n  \
                *to++ = 'a';\n  return n + 2;\n}\n";
    let project = Project::of(&[("put.cpp", text)]);
    all_die(&project, "1s", &[("put.mut.16.1_1_1.AOR.put.cpp", "n + 2", "n - 2")]);
}
