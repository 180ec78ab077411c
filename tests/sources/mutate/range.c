int clamp(int value, int low, int high) {
  if (value < low) {
    return low;
  }
  return value > high ? high : value;
}

int twice(int value) {
  int sum = value + value;
  return sum;
}
