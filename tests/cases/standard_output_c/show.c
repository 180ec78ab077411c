#include "show.h"
#include <stdio.h>
static void line(const char *key, int value) { printf("%s: %d\n", key, value); }
void gauge_dump(const struct gauge *gauge, int verbose) {
  line("id", gauge->id);
  if (verbose) {
    printf("level: %.2f\n", gauge->level);
    if (gauge->level > 90.0) puts("high");
  }
}
int gauge_print(int level) {
  if (level < 0) return -1;
  for (int i = 0; i < level && i < 40; ++i) putchar('#');
  putchar('\n');
  return 0;
}
void gauge_address(const struct gauge *gauge, int level) {
  fprintf(stdout, "%p %d\n", (const void *)gauge, level + 1);
}
