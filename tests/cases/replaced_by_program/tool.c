#include <stdio.h>

int pool_level(void);

int pool_noise(void) { return 4; }

int tool_sum(int count) {
  int sum = 0;
  for (int i = 0; i < count && i < 9; ++i) sum = sum + pool_level() + pool_noise();
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%d\n", tool_sum(argc));
  return 0;
}
