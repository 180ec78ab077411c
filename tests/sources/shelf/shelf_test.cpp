#include "shelf.h"

#include "check.h"

namespace {

const char *const kTitles = "Emma|Ulysses|Walden";

TEST(Book, StandsBetweenTwoOthers) {
  shelf::Shelf shelf;
  EXPECT_EQ(true, shelf.load(kTitles, shelf::Order::sorted));
  shelf.unlock("xyzzy-1976");
  shelf::Book *book = shelf.first();
  book->setPages(474);
  shelf::Book *middle = book->next();
  middle->next()->setPages(352);
  EXPECT_EQ(826, middle->between());
}

TEST(Shelf, IsWeighed) {
  shelf::Shelf heavy;
  heavy.load("a|b|c");
  heavy << 301;
  heavy.unlock("xyzzy-1976");
  EXPECT_EQ(2, heavy.weigh(3));
}

}  // namespace

int main() {
  for (const auto &test : tests()) {
    test();
  }
}
