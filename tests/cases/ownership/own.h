#pragma once
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
class Buffer { public: explicit Buffer(int n); int at(int i) const; void set(int i, int v); int size() const {
  return size_; } private: int size_; std::unique_ptr<int[]> data_; };
class Log { public: explicit Log(File file) : file_(std::move(file)) {} int next(int k); private: File file_; };
class Owner { public: explicit Owner(NodePtr node) : node_(std::move(node)) {} int value(int k) const;
  void change(int k); private: NodePtr node_; };
struct Plain { std::unique_ptr<int[]> data; std::shared_ptr<void> user; int n; };
int plain(const Plain &p, int k);
int uses(Buffer &b, Owner &o);
