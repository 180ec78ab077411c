#pragma once
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Node { int value = 0; };
class Item { public: explicit Item(int n) : n_(n) {} virtual ~Item() = default; virtual int n() const {
  return n_; } protected: int n_; };
class Big : public Item { public: Big(int n, int more) : Item(n), more_(more) {} int n() const override {
  return n_ + more_; } private: int more_; };
int sum(const std::vector<int *> &all);
int nodes(std::vector<Node *> all);
void clear_nodes(std::vector<Node *> &all);
void delete_all(std::vector<Item *> all);
std::vector<Node *> made(int n);
std::vector<int *> picked(std::vector<int> &from, int k);
class Pool { public: ~Pool(); void take(std::vector<Item *> items); int total(int k) const;
  private: std::vector<Item *> items_; };
class View { public: explicit View(std::vector<Node *> nodes) : nodes_(nodes) {} int total(int k) const;
  private: std::vector<Node *> nodes_; };
class Owner { public: explicit Owner(std::vector<Node *> nodes) : nodes_(nodes) {} ~Owner() {
  for (auto *n : nodes_) delete n; } int total(int k) const; Owner(const Owner &) = delete;
  private: std::vector<Node *> nodes_; };
int mapped(const std::map<std::string, Node *> &all, int k);
int listed(std::list<const Item *> items);
Node *biggest(const std::vector<Node *> &all);
int owned(const Owner &o, int k);
int consume(std::vector<Item *> &all, int k);
int drop(std::map<int, Node *> all, int k);
int strings(const std::vector<const char *> &all);
