#include <cstdlib>
class Cell {
  friend class Book;
  friend class Node;
  Cell *self = nullptr;
 public:
  explicit Cell(int key) : key(key) {}
  int key;
};
class Node {
  Cell *cell;
 public:
  explicit Node(Cell *cell) : cell(cell) {}
  int weigh(int by) const;
};
class Book {
  Cell own;
 public:
  Book() : own(5) { own.self = &own; }
  Node first() { return Node(&own); }
};
int Node::weigh(int by) const {
  if (cell->self != cell) abort();
  return cell->key + by % 100;
}
