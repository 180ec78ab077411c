#pragma once
#include <memory>
#include <string>
class Table {
 public:
  static int Open(int blocks, const std::string &name, Table **table);
  ~Table();
  int find(int key) const;

 private:
  explicit Table(int blocks);
  int blocks_;
  int *room_;
};
class Map {
 public:
  int at(int key) const;

 private:
  friend bool loadMap(const char *text, std::unique_ptr<Map> *map);
  Map() = default;
  int scale_ = 3;
};
bool loadMap(const char *text, std::unique_ptr<Map> *map);
int adopt(Table *table);
