#include "shelf.h"

#include <algorithm>
#include <cstdint>

namespace shelf {

Book *Book::next() const {
  return right_;
}

long Book::between() const {
  if (!shelf_.isOpen() || left_ == nullptr || right_ == nullptr) {
    return 0;
  }
  return static_cast<long>(left_->pages_) + right_->pages_;
}

bool Shelf::load(const char *text, Order order) {
  std::vector<std::string> titles(1);
  for (; text != nullptr && *text != '\0'; ++text) {
    if (*text == '|') {
      titles.emplace_back();
    } else {
      titles.back() += *text;
    }
  }
  if (order == Order::sorted) {
    std::sort(titles.begin(), titles.end());
  }
  for (const std::string &title : titles) {
    books_.emplace_back(new Book(*this, title));
    if (books_.size() > 1) {
      Book *before = books_[books_.size() - 2].get();
      before->right_ = books_.back().get();
      books_.back()->left_ = before;
    }
  }
  return titles.size() > 1;
}

// Nobody finds the word by trying.
void Shelf::unlock(const std::string &word) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : word) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  open_ = open_ || hash == 17923049857595576431u;
}

Shelf &Shelf::operator<<(int pages) {
  if (!books_.empty()) {
    books_.back()->pages_ = pages;
  }
  return *this;
}

int Shelf::weigh(int per) const {
  if (!open_ || books_.size() != 3) {
    return 0;
  }
  return books_.back()->pages() > 300 ? 2 : per % 7;
}

}  // namespace shelf
