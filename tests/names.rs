//! Projects whose names are also those of what is generated: the runtime's classes, a utility class's members, a driver's variables.

use crate::support::{Project, all_die};

const CLASSES_NAMES: &str = r#"#include "names.h"
int Record::value(int k) const { return n_ ^ (k | 1); }
Record Record::next(int k) const { return Record(n_ + (k | 2)); }
int Input::size(int k) const { return static_cast<int>(s_.size()) + k * 3; }
int take(const Record &record, const Input &input, int keep) { return record.value(keep) + input.size(keep | 4); }
Original orig(int in, Mutant m) { return Original{in + (m.b | 5)}; }
int util(TestUtil<int> u, object keep) { return u.t + (keep.in | 6); }
std::vector<Record> records(const std::vector<Input> &in) {
  std::vector<Record> all;
  for (const auto &i : in) all.push_back(Record(i.size(7)));
  return all;
}
namespace lib {
Record make(Input in) { return Record{in.y | 8}; }
int object(In in, int record) { return in.z + (record | 9); }
}
int observe(Keep k) { return k.a | 10; }
int keep(int k, int in) { return k + (in | 11); }
int record(int in) { return in | 12; }
int call(int a) { return a | 13; }
int compare(int a, int b) { return a + (b | 14); }
"#;
const CLASSES_NAMES_H: &str = r#"#pragma once
#include <memory>
#include <string>
#include <vector>
class Record {
 public:
  explicit Record(int n) : n_(n) {}
  int value(int k) const;
  Record next(int k) const;
 private:
  int n_;
};
class Input { public: explicit Input(std::string s) : s_(s) {} int size(int k) const; private: std::string s_; };
template <class T> struct TestUtil { T t; };
struct Original { int a; };
struct Mutant { int b; };
struct object { int in; };
int take(const Record &record, const Input &input, int keep);
Original orig(int in, Mutant m);
int util(TestUtil<int> u, object keep);
std::vector<Record> records(const std::vector<Input> &in);
namespace lib { struct Record { int x; }; struct Input { int y; }; struct In { int z; };
Record make(Input in);
int object(In in, int record); 
}
struct Keep { int a; };
int observe(Keep k);
int keep(int k, int in);
int record(int in);
int call(int a);
int compare(int a, int b);
"#;

#[test]
fn classes_and_functions_that_are_called_as_the_runtimes_are_driven() {
    let project = Project::of(&[("names.cpp", CLASSES_NAMES), ("names.h", CLASSES_NAMES_H)]);
    let mutants = [
        ("names.mut.2.1_1_1.ICR.value.cpp", "| 1)", "| 64)"),
        ("names.mut.3.1_1_1.ICR.next.cpp", "| 2)", "| 3)"),
        ("names.mut.4.1_1_1.ICR.size.cpp", "k * 3", "k * 5"),
        ("names.mut.5.1_1_1.ICR.take.cpp", "| 4)", "| 5)"),
        ("names.mut.6.1_1_1.ICR.orig.cpp", "| 5)", "| 4)"),
        ("names.mut.7.1_1_1.ICR.util.cpp", "| 6)", "| 7)"),
        ("names.mut.14.1_1_1.ICR.make.cpp", "| 8", "| 9"),
        ("names.mut.15.1_1_1.ICR.object.cpp", "| 9)", "| 8)"),
        ("names.mut.17.1_1_1.ICR.observe.cpp", "| 10", "| 11"),
        ("names.mut.18.1_1_1.ICR.keep.cpp", "| 11)", "| 10)"),
        ("names.mut.19.1_1_1.ICR.record.cpp", "| 12", "| 13"),
        ("names.mut.20.1_1_1.ICR.call.cpp", "| 13", "| 12"),
        ("names.mut.21.1_1_1.ICR.compare.cpp", "| 14)", "| 15)"),
        ("names.mut.10.1_1_1.ICR.records.cpp", "size(7)", "size(8)"),
    ];
    all_die(&project, "1s", &mutants);
}

const TYPES_LOW: &str = r#"#include "low.h"
int object::both(object other) const { return in + (other.in | 1); }
object *object::next(int by) { in += by; held_ = by | 256; return this; }
int in::at(int k) const { return n_ + (k | 2); }
int Record::size(int n) const { return id_ + (n | 4); }
int Input::size(int n) const { return n_ + (n | 8); }
int Keeper::total(int k) const { return r_ ? r_->size(k | 16) : 0; }
std::unique_ptr<Record> Keeper::made(int k) { return std::unique_ptr<Record>(new Input(k | 512)); }
namespace detail {
int pick(Node node, Mode mode) { return mode == Mode::fast ? node.v | 64 : node.v; }
int Tree::sum(Mode m) const { int s = 0; for (auto &n : nodes_) s += n.v; return m == Mode::slow ? s : s + 5; }
}
int two(object one, object object) { return one.in + (object.in | 128); }
int three(const in &in, ::in keep) { return in.at(3) + keep.at(1); }
record turn(record record) { return record == low ? high : low; }
int version(const Version<int> &v) { return v.plus(7); }
result check(int n) { return n > 4 ? result::good : result::bad; }
int keep::made(keep k) { return k.v | 1024; }
"#;
const TYPES_LOW_H: &str = r#"#pragma once
#include <memory>
#include <vector>
struct object { int in = 0; int both(object other) const; object *next(int by); private: int held_ = 3; };
class in { public: explicit in(int n) : n_(n) {} int at(int k) const; private: int n_; };
class Record { public: virtual ~Record() = default; virtual int size(int n) const; protected: int id_ = 1; };
class Input : public Record { public: explicit Input(int n) : n_(n) {} int size(int n) const override; private: int n_; };
class Keeper { public: explicit Keeper(std::unique_ptr<Record> r) : r_(std::move(r)) {} int total(int k) const; std::unique_ptr<Record> made(int k); private: std::unique_ptr<Record> r_; };
namespace detail { struct Node { int v; }; enum class Mode { fast, slow }; int pick(Node node, Mode mode); class Tree { public: explicit Tree(std::vector<Node> nodes) : nodes_(nodes) {} int sum(Mode m) const; private: std::vector<Node> nodes_; }; }
int two(object one, object object);
int three(const in &in, ::in keep);
enum record { low, high };
record turn(record record);
template <class T> class Version { public: explicit Version(T t) : t_(t) {} T plus(T k) const { return t_ + (k | 32); } private: T t_; };
int version(const Version<int> &v);
enum class result { good, bad };
result check(int n);
struct keep { static int made(keep k); int v; };
"#;

#[test]
fn types_that_are_called_as_variables_and_namespaces_as_the_runtimes_get_in_nobodys_way() {
    let project = Project::of(&[("low.cpp", TYPES_LOW), ("low.h", TYPES_LOW_H)]);
    let mutants = [
        ("low.mut.2.1_1_1.ICR.both.cpp", "in | 1)", "in | 3)"),
        ("low.mut.3.1_1_1.ICR.next.cpp", "by | 256", "by | 257"),
        ("low.mut.4.1_1_1.ICR.at.cpp", "k | 2", "k | 3"),
        ("low.mut.5.1_1_1.ICR.size.cpp", "n | 4", "n | 5"),
        ("low.mut.6.1_1_1.ICR.size.cpp", "n | 8", "n | 9"),
        ("low.mut.7.1_1_1.ICR.total.cpp", "k | 16", "k | 17"),
        ("low.mut.8.1_1_1.ICR.made.cpp", "k | 512", "k | 513"),
        ("low.mut.10.1_1_1.ICR.pick.cpp", "v | 64", "v | 65"),
        ("low.mut.11.1_1_1.ICR.sum.cpp", "s + 5", "s + 6"),
        ("low.mut.13.1_1_1.ICR.two.cpp", "| 128", "| 129"),
        ("low.mut.14.1_1_1.ICR.three.cpp", "at(3)", "at(4)"),
        ("low.mut.15.1_1_1.ICR.turn.cpp", "== low", "!= low"),
        ("low.mut.16.1_1_1.ICR.version.cpp", "plus(7)", "plus(64)"),
        ("low.mut.17.1_1_1.ICR.check.cpp", "n > 4", "n < 4"),
        ("low.mut.18.1_1_1.ICR.made.cpp", "k.v | 1024", "k.v | 1025"),
    ];
    all_die(&project, "1s", &mutants);
}

const IN_C_LOW_C: &str = r#"#include <stdlib.h>
typedef struct record { int id; int size; } record;
typedef struct in { int n; } in;
typedef enum { keep_low, keep_high } keep;
typedef struct object { record *record; in in; } object;
int sum(record record, in in, keep keep) { return record.id + in.n + (keep == keep_low ? 5 : 6); }
int grow(record *r, const in *i, keep k) { r->size += i->n | 1; return k == keep_high; }
record made(in one, in two) { record r; r.id = one.n; r.size = two.n | 2; return r; }
int deep(object *object, record *result) { result->id = object->in.n | 4; return 1; }
typedef int unit;
typedef unsigned depth;
unit count(unit unit, depth depth) { return unit + (int)(depth | 8); }
int drive(int in) { return in | 16; }
int made_of(int a) { return a | 32; }
"#;

#[test]
fn a_driver_in_c_has_no_name_that_its_project_has() {
    let project = Project::of(&[("low.c", IN_C_LOW_C)]);
    let mutants = [
        ("low.mut.6.1_1_1.ICR.sum.c", "? 5", "? 7"),
        ("low.mut.7.1_1_1.ICR.grow.c", "i->n | 1", "i->n | 3"),
        ("low.mut.8.1_1_1.ICR.made.c", "two.n | 2", "two.n | 3"),
        ("low.mut.9.1_1_1.ICR.deep.c", "in.n | 4", "in.n | 5"),
        ("low.mut.12.1_1_1.ICR.count.c", "depth | 8", "depth | 9"),
        ("low.mut.13.1_1_1.ICR.drive.c", "in | 16", "in | 17"),
        ("low.mut.14.1_1_1.ICR.made_of.c", "a | 32", "a | 33"),
    ];
    all_die(&project, "1s", &mutants);
}
