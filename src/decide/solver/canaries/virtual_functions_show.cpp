// The base's function is another one.
extern "C" int nondet_int();
struct Shape {
  virtual ~Shape() {}
  virtual int area(int a) const { return a & 7; }
};
struct Square : Shape {
  int area(int a) const override { return a & 15; }
};
int main() {
  Square square;
  Shape plain;
  const Shape &one = square, &other = plain;
  int a = nondet_int();
  __ESBMC_assert(one.area(a) == other.area(a), "motif: same");
}
