#include "outline.hpp"

int main() {
  Outline *made = Outline::parse("r4");
  int sum = made->width();
  made->release();
  return sum;
}
