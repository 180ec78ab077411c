typedef double (*shape)(double);
double up(double x) { return x + 1; }
double down(double x) { return x - 1; }
double apply(shape f, double x) {
  return f(x) + 2;
}
