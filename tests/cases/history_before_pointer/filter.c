void filter_residual(const int *data, int count, int *residual) {
  for (int i = 0; i < count; i++) residual[i] = data[i] - (2 * data[i - 1] - data[i - 2]);
}

void filter_predict(const short *x, int count, int order, long *predicted) {
  for (int i = 0; i < count; i++) {
    predicted[i] = 0;
    for (int j = 0; j < order; j++) predicted[i] += x[i - j - 1];
  }
}

int filter_rises(const int *a, int count) {
  for (int k = 1; k < count; k++)
    if (a[k] > a[k - 1]) return k;
  return 0;
}
