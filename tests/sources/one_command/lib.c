int clamp(int value, int low, int high) {
  if (value < low) {
    return low;
  }
  return value > high ? high : value;
}
int twice(int n) {
  return n * 2;
}
int idle(int n) {
  return n + 7;
}
int weights[4] = {5, 6, 7, 8};
int weight(unsigned i) {
  return i < 4 ? weights[i & 3] : weights[0];
}
