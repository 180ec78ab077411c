#pragma once
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
