#include <math.h>
double weighted(int points, double scale, const double *x, const double *w) {
  double s = 0;
  int i;
  if (points <= 0) return -1;
  for (i = 0; i < points; ++i) s += w[i] * x[i];
  return s * scale;
}
static void axpy(int m, double by, const double *from, double *to) {
  int k;
  for (k = 0; k < m; k++) to[k] += by * from[k];
}
int step(double dt, double *state, const double *rate, int dimension) {
  axpy(dimension, dt, rate, state);
  return dimension > 2 ? 1 : 0;
}
double trace(const double *a, int rows, int columns) {
  double s = 0;
  int r;
  for (r = 0; r < rows && r < columns; r++) s += a[r * columns + r];
  return s;
}
double norm3(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
int largest(int *n, const float *x) {
  int i, at = 0;
  for (i = 1; i < *n; ++i)
    if (x[i] > x[at]) at = i;
  return at;
}
