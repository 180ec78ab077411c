static int twice(int n) { return n * 2; }
int a_twice(int n) { return twice(n) + 1; }
