#include "order.h"
int twice(const Order *order, int n) {
  return order->rank(n) + order->rank(20);
}
