#include "own.h"
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
