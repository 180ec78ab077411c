int scale(int value) { return value * 3; }
