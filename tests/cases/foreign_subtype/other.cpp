#include "order.h"
struct handle : Order {
  int rank(int n) const override { return n; }
};
handle *handle_create() { return new handle; }
namespace {
struct Usual : Order {
  int rank(int n) const override { return n / 3; }
};
}
const Order *usual() {
  static Usual one;
  return &one;
}
