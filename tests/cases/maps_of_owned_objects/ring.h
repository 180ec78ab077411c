#pragma once
#include <map>
#include <memory>
#include "marks.h"
class Row;
class Ring {
 public:
  Ring();
  explicit Ring(int size);
  int size = 0;
  std::unique_ptr<Row> row;
};
class Edge {
 public:
  void join(const Ring &ring);
  Marks marks;
};
int sum(std::map<int, std::unique_ptr<Marks>> &all);
