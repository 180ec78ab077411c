static int twice(int n) { return n + n + 1; }
int b_twice(int n) { return twice(n) + 2; }
