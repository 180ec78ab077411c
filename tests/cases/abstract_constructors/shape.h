class Shape {
 public:
  explicit Shape(int sides);
  virtual ~Shape() {}
  virtual double area() const = 0;
  int corners;
};

class Tile : public Shape {
 public:
  Tile() : Shape(4) {}
  double area() const override { return 1; }
};

class Prism : public Shape {
 public:
  Prism() : Shape(3) {}
  double area() const override { return 2; }
};
