int clamped(int value, int most) {
  return value > most ? most : value;
}
