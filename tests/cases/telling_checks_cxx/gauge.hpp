#pragma once

#include <iostream>
#include <list>
#include <map>
#include <stdexcept>
#include <string>

namespace gauge {

// Of an empty text it is zero, of which only the sign may differ.
double reading(const char *text);

// A division by zero is the first that a search finds.
class Meter {
 public:
  Meter(double total, double hours) : total_(total), hours_(hours) {}
  double average() const;

 private:
  double total_;
  double hours_;
};

// What a caller sees stands in the stream; how much was written is beside it.
class Printer {
 public:
  explicit Printer(std::ostream &out) : out_(out) {}
  void flag(bool on);
  unsigned long size() const { return size_; }

 private:
  void text(const std::string &text);

  std::ostream &out_;
  unsigned long size_ = 0;
};

// Where it is said by the exception, nobody has to look into the reader.
class Trouble : public std::runtime_error {
 public:
  explicit Trouble(int position) : std::runtime_error("no digit"), position_(position) {}
  int position() const { return position_; }

 private:
  int position_;
};

class Reader {
 public:
  int number(const std::string &text);

 private:
  int at_ = 0;
};

// An entry is seen through the container that it is in.
class Entry {
 public:
  explicit Entry(bool fixed = false) : fixed_(fixed) {}
  bool isFixed() const { return fixed_; }

 private:
  bool fixed_;
};

class Table {
 public:
  void define(const std::string &name, bool fixed);
  const std::map<std::string, Entry> &entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;
};

// What a test calls an exception may be a parameter's name.
struct Report {
  int code = 0;
};

void load(const std::string &text, Report &error);

// Two calls give two lists.
class Board {
 public:
  void mark(int number) { marks_.push_back(number); }
  std::list<int> marks() const { return marks_; }

 private:
  std::list<int> marks_;
};

}  // namespace gauge
