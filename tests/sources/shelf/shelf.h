// A library whose objects say little by themselves: a book stands among others, on a shelf that is open or not.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace shelf {

enum class Order { loose, sorted };

class Shelf;

class Book {
 public:
  Book *next() const;
  void setPages(int pages) { pages_ = pages; }
  int pages() const { return pages_; }
  // What its neighbours have together; nothing on a shelf that is not open.
  long between() const;

 private:
  friend class Shelf;
  Book(const Shelf &shelf, const std::string &title) : shelf_(shelf), title_(title) {}

  const Shelf &shelf_;
  std::string title_;
  int pages_ = 1;
  Book *left_ = nullptr;
  Book *right_ = nullptr;
};

class Shelf {
 public:
  Shelf() = default;
  Shelf(const Shelf &) = delete;
  Shelf &operator=(const Shelf &) = delete;

  bool load(const char *text, Order order = Order::loose);
  void unlock(const std::string &word);
  Book *first() { return books_.empty() ? nullptr : books_.front().get(); }
  bool isOpen() const { return open_; }
  Shelf &operator<<(int pages);
  int weigh(int per) const;

 private:
  std::vector<std::unique_ptr<Book>> books_;
  bool open_ = false;
};

}  // namespace shelf
