//! Iterators of a project's own are the ends of ranges in one container: through the real command, to tests that are
//! proved.

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
