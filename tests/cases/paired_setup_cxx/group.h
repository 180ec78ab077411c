#pragma once
#include <map>
#include <string>
struct Member {
  int weight = 0;
  Member *next = nullptr;
};
class Group {
 public:
  void add(Member *member);
  void remove(Member *member);
  void setRank(const std::string &name, double rank);
  bool hasRank(const std::string &name) const;

 private:
  Member *first_ = nullptr;
  int count_ = 0;
  std::map<std::string, double> ranks_;
};
class Attribute {
 public:
  int length() const;

 private:
  friend class Element;
  Attribute() = default;
  std::string value_;
  const Attribute *before_ = nullptr;
};
class Element {
 public:
  explicit Element(const std::string &name) : name_(name) {}
  Element(const Element &) = delete;
  ~Element() { delete attribute_; }
  void setAttribute(const char *value);
  Attribute *attribute() { return attribute_; }

 private:
  std::string name_;
  Attribute *attribute_ = nullptr;
};
class Owner {
 public:
  ~Owner() { delete kept_; }
  void insert(Member *member);
  int erase(Member *member);

 private:
  Member *kept_ = nullptr;
};
