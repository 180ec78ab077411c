#ifndef ORDER_H
#define ORDER_H
struct Order {
  virtual ~Order() {}
  virtual int rank(int n) const = 0;
};
struct handle;
handle *handle_create();
const Order *usual();
#endif
