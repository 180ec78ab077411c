int twice(int); int clamp(int, int, int);
int main(void) { return twice(4) != 8 || clamp(5, 1, 10) != 5; }
