#include "table.h"
Table::Table(int blocks) : blocks_(blocks), room_(new int[4]()) {}
Table::~Table() { delete[] room_; }
int Table::Open(int blocks, const std::string &name, Table **table) {
  *table = nullptr;
  if (name.empty()) return 1;
  *table = new Table(blocks & 0xff);
  return 0;
}
int Table::find(int key) const {
  return key > blocks_ ? -1 : key * 2;
}
bool loadMap(const char *text, std::unique_ptr<Map> *map) {
  if (!text || !*text) return false;
  map->reset(new Map());
  return true;
}
int Map::at(int key) const {
  return key * scale_;
}
int adopt(Table *table) {
  const int n = table->find(1);
  delete table;
  return n + 1;
}
