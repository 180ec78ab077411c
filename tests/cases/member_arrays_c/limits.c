struct limits { const double *least; int strict; };
static int is_below(const struct limits *limits, const double *x, int dimension) {
  int i;
  for (i = 0; i < dimension; ++i)
    if (x[i] < limits->least[i]) return 1 + i;
  return 0;
}
int checked(const struct limits *limits, int dimension, double by, const double *x) {
  int found = is_below(limits, x, dimension);
  return limits->strict ? found : by * found > 2;
}
