#pragma once
#include <memory>
#include <vector>
struct object { int in = 0; int both(object other) const; object *next(int by); private: int held_ = 3; };
class in { public: explicit in(int n) : n_(n) {} int at(int k) const; private: int n_; };
class Record { public: virtual ~Record() = default; virtual int size(int n) const; protected: int id_ = 1; };
class Input : public Record { public: explicit Input(int n) : n_(n) {} int size(int n) const override;
  private: int n_; };
class Keeper { public: explicit Keeper(std::unique_ptr<Record> r) : r_(std::move(r)) {} int total(int k) const;
  std::unique_ptr<Record> made(int k); private: std::unique_ptr<Record> r_; };
namespace detail { struct Node { int v; }; enum class Mode { fast, slow }; int pick(Node node, Mode mode);
  class Tree { public: explicit Tree(std::vector<Node> nodes) : nodes_(nodes) {} int sum(Mode m) const;
  private: std::vector<Node> nodes_; }; }
int two(object one, object object);
int three(const in &in, ::in keep);
enum record { low, high };
record turn(record record);
template <class T> class Version { public: explicit Version(T t) : t_(t) {} T plus(T k) const {
  return t_ + (k | 32); } private: T t_; };
int version(const Version<int> &v);
enum class result { good, bad };
result check(int n);
struct keep { static int made(keep k); int v; };
