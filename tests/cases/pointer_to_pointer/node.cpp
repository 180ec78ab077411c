class Node {
 public:
  virtual int id() const = 0;
 protected:
  friend class Shop;
  Node() = default;
  virtual ~Node() = default;
};
class Leaf : public Node {
  friend class Shop;
  Leaf() = default;
  int id() const override { return 2; }
};
class Shop {
  Leaf leaf_;
 public:
  Leaf *leaf() { return &leaf_; }
};
int pick(Node **out, int k) {
  if (*out != nullptr) k += (*out)->id() + 1;
  *out = nullptr;
  return k;
}
