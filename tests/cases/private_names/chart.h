class Chart {
  typedef double real;
  struct Cell { int width, height; };

 public:
  void square(real x, real &out) const;
  int area(const Cell *given) const;
};
