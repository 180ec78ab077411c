int scale(int value);
int adjust(int value) { return value > 8 ? scale(value - 8) : value; }
