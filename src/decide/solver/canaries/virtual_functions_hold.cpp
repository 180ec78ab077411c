// What is called depends on the object, not on the pointer.
extern "C" int nondet_int();
struct Shape {
  virtual ~Shape() {}
  virtual int area(int a) const { return a; }
};
struct Square : Shape {
  int area(int a) const override { return a & 7; }
};
int main() {
  Square square;
  const Shape &shape = square;
  int a = nondet_int();
  __ESBMC_assert(shape.area(a) == (a & 7), "motif: same");
}
