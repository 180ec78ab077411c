//! Containers of addresses: what they lead to lives as long as the call needs it, and is the callee's where the callee deletes it.

use crate::support::{Project, all_die};

const ADDRESSES_ADDR: &str = r#"#include "addr.h"
int sum(const std::vector<int *> &all) { int s = 1; for (int *p : all) s += *p; return s; }
int nodes(std::vector<Node *> all) { int s = 2; for (Node *p : all) { s += p->value; p->value = 4; } return s; }
void clear_nodes(std::vector<Node *> &all) { for (Node *p : all) p->value = 8; if (all.size() > 1) all.pop_back(); }
void delete_all(std::vector<Item *> all) { for (Item *p : all) delete p; }
std::vector<Node *> made(int n) { std::vector<Node *> all; for (int i = 0; i < (n & 3); ++i) { all.push_back(new Node); all.back()->value = n | 16; } return all; }
std::vector<int *> picked(std::vector<int> &from, int k) { std::vector<int *> all; for (int &v : from) if (v > (k | 32)) all.push_back(&v); return all; }
Pool::~Pool() { for (Item *item : items_) delete item; }
void Pool::take(std::vector<Item *> items) { for (Item *item : items) if (item->n() > 64) items_.push_back(item); else delete item; }
int Pool::total(int k) const { int s = k | 128; for (Item *item : items_) s += item->n(); return s; }
int View::total(int k) const { int s = k | 256; for (Node *n : nodes_) s += n->value; return s; }
int Owner::total(int k) const { int s = k | 512; for (Node *n : nodes_) s += n->value; return s; }
int mapped(const std::map<std::string, Node *> &all, int k) { int s = k | 1024; for (auto &p : all) s += p.second->value; return s; }
int listed(std::list<const Item *> items) { int s = 2048; for (auto *i : items) s += i->n(); return s; }
Node *biggest(const std::vector<Node *> &all) { Node *best = nullptr; for (Node *n : all) if (!best || n->value > best->value) best = n; return best; }
int owned(const Owner &o, int k) { return o.total(k) + 4096; }
int strings(const std::vector<const char *> &all) { int s = 0; for (auto *c : all) s += static_cast<int>(std::string(c).size()) + 8192; return s; }
int consume(std::vector<Item *> &all, int k) { int s = k | 16384; for (Item *p : all) { s += p->n(); delete p; } all.clear(); return s; }
int drop(std::map<int, Node *> all, int k) { int s = k | 65536; for (auto &p : all) { s += p.second->value; delete p.second; } return s; }
"#;
const ADDRESSES_ADDR_H: &str = r#"#pragma once
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Node { int value = 0; };
class Item { public: explicit Item(int n) : n_(n) {} virtual ~Item() = default; virtual int n() const { return n_; } protected: int n_; };
class Big : public Item { public: Big(int n, int more) : Item(n), more_(more) {} int n() const override { return n_ + more_; } private: int more_; };
int sum(const std::vector<int *> &all);
int nodes(std::vector<Node *> all);
void clear_nodes(std::vector<Node *> &all);
void delete_all(std::vector<Item *> all);
std::vector<Node *> made(int n);
std::vector<int *> picked(std::vector<int> &from, int k);
class Pool { public: ~Pool(); void take(std::vector<Item *> items); int total(int k) const; private: std::vector<Item *> items_; };
class View { public: explicit View(std::vector<Node *> nodes) : nodes_(nodes) {} int total(int k) const; private: std::vector<Node *> nodes_; };
class Owner { public: explicit Owner(std::vector<Node *> nodes) : nodes_(nodes) {} ~Owner() { for (auto *n : nodes_) delete n; } int total(int k) const; Owner(const Owner &) = delete; private: std::vector<Node *> nodes_; };
int mapped(const std::map<std::string, Node *> &all, int k);
int listed(std::list<const Item *> items);
Node *biggest(const std::vector<Node *> &all);
int owned(const Owner &o, int k);
int consume(std::vector<Item *> &all, int k);
int drop(std::map<int, Node *> all, int k);
int strings(const std::vector<const char *> &all);
"#;

#[test]
fn what_containers_lead_to_outlives_the_call_or_is_the_callees_to_delete() {
    let project = Project::of(&[("addr.cpp", ADDRESSES_ADDR), ("addr.h", ADDRESSES_ADDR_H)]);
    let mutants = [
        ("addr.mut.2.1_1_1.ICR.sum.cpp", "int s = 1;", "int s = 3;"),
        ("addr.mut.3.1_1_1.ICR.nodes.cpp", "p->value = 4", "p->value = 5"),
        ("addr.mut.4.1_1_1.ICR.clear_nodes.cpp", "p->value = 8", "p->value = 9"),
        ("addr.mut.6.1_1_1.ICR.made.cpp", "n | 16", "n | 17"),
        ("addr.mut.7.1_1_1.ICR.picked.cpp", "k | 32", "k & 32"),
        ("addr.mut.9.1_1_1.ICR.take.cpp", "> 64", "> 0"),
        ("addr.mut.10.1_1_1.ICR.total.cpp", "k | 128", "k | 129"),
        ("addr.mut.11.1_1_1.ICR.total.cpp", "k | 256", "k | 257"),
        ("addr.mut.12.1_1_1.ICR.total.cpp", "k | 512", "k | 513"),
        ("addr.mut.13.1_1_1.ICR.mapped.cpp", "k | 1024", "k | 1025"),
        ("addr.mut.14.1_1_1.ICR.listed.cpp", "s = 2048", "s = 2049"),
        ("addr.mut.15.1_1_1.ICR.biggest.cpp", "n->value > best", "n->value < best"),
        ("addr.mut.16.1_1_1.ICR.owned.cpp", "+ 4096", "+ 4097"),
        ("addr.mut.17.1_1_1.ICR.strings.cpp", "+ 8192", "+ 8193"),
        ("addr.mut.18.1_1_1.ICR.consume.cpp", "s += p->n()", "s -= p->n()"),
        ("addr.mut.19.1_1_1.ICR.drop.cpp", "s += p.second->value; delete", "s -= p.second->value; delete"),
    ];
    all_die(&project, "1s", &mutants);
}
