#include "addr.h"
int sum(const std::vector<int *> &all) { int s = 1; for (int *p : all) s += *p; return s; }
int nodes(std::vector<Node *> all) { int s = 2; for (Node *p : all) { s += p->value; p->value = 4; } return s; }
void clear_nodes(std::vector<Node *> &all) { for (Node *p : all) p->value = 8; if (all.size() > 1) all.pop_back(); }
void delete_all(std::vector<Item *> all) { for (Item *p : all) delete p; }
std::vector<Node *> made(int n) { std::vector<Node *> all; for (int i = 0; i < (n & 3); ++i) {
  all.push_back(new Node); all.back()->value = n | 16; } return all; }
std::vector<int *> picked(std::vector<int> &from, int k) { std::vector<int *> all;
  for (int &v : from) if (v > (k | 32)) all.push_back(&v); return all; }
Pool::~Pool() { for (Item *item : items_) delete item; }
void Pool::take(std::vector<Item *> items) {
  for (Item *item : items) if (item->n() > 64) items_.push_back(item); else delete item; }
int Pool::total(int k) const { int s = k | 128; for (Item *item : items_) s += item->n(); return s; }
int View::total(int k) const { int s = k | 256; for (Node *n : nodes_) s += n->value; return s; }
int Owner::total(int k) const { int s = k | 512; for (Node *n : nodes_) s += n->value; return s; }
int mapped(const std::map<std::string, Node *> &all, int k) { int s = k | 1024;
  for (auto &p : all) s += p.second->value; return s; }
int listed(std::list<const Item *> items) { int s = 2048; for (auto *i : items) s += i->n(); return s; }
Node *biggest(const std::vector<Node *> &all) { Node *best = nullptr;
  for (Node *n : all) if (!best || n->value > best->value) best = n; return best; }
int owned(const Owner &o, int k) { return o.total(k) + 4096; }
int strings(const std::vector<const char *> &all) { int s = 0;
  for (auto *c : all) s += static_cast<int>(std::string(c).size()) + 8192; return s; }
int consume(std::vector<Item *> &all, int k) { int s = k | 16384; for (Item *p : all) { s += p->n(); delete p; }
  all.clear(); return s; }
int drop(std::map<int, Node *> all, int k) { int s = k | 65536; for (auto &p : all) {
  s += p.second->value; delete p.second; } return s; }
