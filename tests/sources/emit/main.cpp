static int twice(int value) { return value * 2; }

int main() { return twice(0); }
