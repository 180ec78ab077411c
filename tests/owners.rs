//! Smart pointers to arrays, to files and to what nobody can name, and those that end what they own by a function.

use crate::support::{Project, all_die};

const OWNERS_OWN: &str = r#"#include "own.h"
Node *node_new(int v) { Node *n = new Node; n->value = v; return n; }
void node_free(Node *n) { delete n; }
int total(const std::unique_ptr<int[]> &row) { return row ? row[0] | 1 : 0; }
int shared(std::shared_ptr<int[]> row, int k) { return row ? (row[0] | 4) + k : 0; }
int anything(std::shared_ptr<void> any, int k) { return any ? k | 8 : k; }
int free_it(NodePtr node, int k) { return node ? node->value + (k | 16) : 0; }
NodePtr give(int k) { return NodePtr(node_new(k | 32), node_free); }
int del(std::unique_ptr<Node, NodeDeleter> node, int k) { return node ? node->value + (k | 64) : 0; }
int read(File file, int k) { return file ? std::fgetc(file.get()) + (k | 128) : 0; }
int read2(File2 file, int k) { return file ? std::fgetc(file.get()) + (k | 256) : 0; }
int fn(std::unique_ptr<Node, std::function<void(Node *)>> node, int k) { return node ? node->value + (k | 512) : 0; }
int nodes(std::unique_ptr<Node[]> nodes, int k) { return nodes ? nodes[0].value + (k | 1024) : 0; }
std::unique_ptr<int[]> row(int k) { return std::unique_ptr<int[]>(k > 5 ? new int[2]{k, k} : nullptr); }
std::shared_ptr<void> any(int k) { return k > 6 ? std::make_shared<int>(k) : nullptr; }
std::unique_ptr<char[]> text(int k) { return k > 7 ? std::unique_ptr<char[]>(new char[4]{'a'}) : nullptr; }
Buffer::Buffer(int n) : size_(n & 15), data_(new int[16]()) {}
int Buffer::at(int i) const { return i >= 0 && i < size_ ? data_[i] : 3; }
void Buffer::set(int i, int v) { if (i >= 0 && i < size_) data_[i] = v | 2048; }
int Owner::value(int k) const { return node_ ? node_->value + (k | 4096) : 0; }
void Owner::change(int k) { if (node_) node_->value = k | 8192; }
int plain(const Plain &p, int k) { return p.n + (k | 16384); }
int uses(Buffer &b, Owner &o) { return b.size() + o.value(9); }
int Log::next(int k) { return file_ ? std::fgetc(file_.get()) + (k | 65536) : k; }
"#;
const OWNERS_OWN_H: &str = r#"#pragma once
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>
struct Node { int value = 0; };
Node *node_new(int v); void node_free(Node *n);
struct Closer { void operator()(FILE *f) const { std::fclose(f); } };
struct NodeDeleter { void operator()(Node *n) const { node_free(n); } };
using File = std::unique_ptr<FILE, Closer>;
using File2 = std::unique_ptr<FILE, int (*)(FILE *)>;
using NodePtr = std::unique_ptr<Node, void (*)(Node *)>;
int total(const std::unique_ptr<int[]> &row);
int shared(std::shared_ptr<int[]> row, int k);
int anything(std::shared_ptr<void> any, int k);
int free_it(NodePtr node, int k);
NodePtr give(int k);
int del(std::unique_ptr<Node, NodeDeleter> node, int k);
int read(File file, int k);
int read2(File2 file, int k);
int fn(std::unique_ptr<Node, std::function<void(Node *)>> node, int k);
int nodes(std::unique_ptr<Node[]> nodes, int k);
std::unique_ptr<int[]> row(int k);
std::shared_ptr<void> any(int k);
std::unique_ptr<char[]> text(int k);
class Buffer { public: explicit Buffer(int n); int at(int i) const; void set(int i, int v); int size() const { return size_; } private: int size_; std::unique_ptr<int[]> data_; };
class Log { public: explicit Log(File file) : file_(std::move(file)) {} int next(int k); private: File file_; };
class Owner { public: explicit Owner(NodePtr node) : node_(std::move(node)) {} int value(int k) const; void change(int k); private: NodePtr node_; };
struct Plain { std::unique_ptr<int[]> data; std::shared_ptr<void> user; int n; };
int plain(const Plain &p, int k);
int uses(Buffer &b, Owner &o);
"#;

#[test]
fn what_owns_arrays_files_or_memory_and_what_ends_it_by_a_function_is_made() {
    let project = Project::of(&[("own.cpp", OWNERS_OWN), ("own.h", OWNERS_OWN_H)]);
    let mutants = [
        ("own.mut.4.1_1_1.ICR.total.cpp", "row[0] | 1", "row[0] | 3"),
        ("own.mut.5.1_1_1.ICR.shared.cpp", "| 4)", "| 5)"),
        ("own.mut.6.1_1_1.ICR.anything.cpp", "k | 8 :", "k | 9 :"),
        ("own.mut.7.1_1_1.ICR.free_it.cpp", "| 16)", "| 17)"),
        ("own.mut.8.1_1_1.ICR.give.cpp", "node_new(k | 32)", "node_new(k | 33)"),
        ("own.mut.9.1_1_1.ICR.del.cpp", "| 64)", "| 65)"),
        ("own.mut.10.1_1_1.ICR.read.cpp", "| 128)", "| 129)"),
        ("own.mut.11.1_1_1.ICR.read2.cpp", "| 256)", "| 257)"),
        ("own.mut.12.1_1_1.ICR.fn.cpp", "| 512)", "| 513)"),
        ("own.mut.13.1_1_1.ICR.nodes.cpp", "| 1024)", "| 1025)"),
        ("own.mut.14.1_1_1.ICR.row.cpp", "k > 5", "k < 5"),
        ("own.mut.15.1_1_1.ICR.any.cpp", "k > 6", "k < 6"),
        ("own.mut.16.1_1_1.ICR.text.cpp", "k > 7", "k < 7"),
        ("own.mut.18.1_1_1.ICR.at.cpp", ": 3", ": 4"),
        ("own.mut.19.1_1_1.ICR.set.cpp", "v | 2048", "v | 2049"),
        ("own.mut.20.1_1_1.ICR.value.cpp", "| 4096)", "| 4097)"),
        ("own.mut.21.1_1_1.ICR.change.cpp", "k | 8192", "k | 8193"),
        ("own.mut.22.1_1_1.ICR.plain.cpp", "| 16384)", "| 16385)"),
        ("own.mut.23.1_1_1.ICR.uses.cpp", "value(9)", "value(8192)"),
        ("own.mut.24.1_1_1.ICR.next.cpp", "| 65536", "| 65537"),
    ];
    all_die(&project, "1s", &mutants);
}
