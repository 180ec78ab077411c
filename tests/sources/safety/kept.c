/* A program that is started once and called often: what one call does, the next must not see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  const char *set = getenv("SET");
  FILE *left = fopen("left/file", "r");
  printf("call %d of %s, %s, file %s, ", ++calls, what, set ? set : "unset", left ? "there" : "gone");
  if (left) fclose(left);
  printf("process %s\n", fork() < 0 ? "refused" : "made");
  fflush(stdout);
  if (!strcmp(what, "write")) {
    const int failed = mkdir("left", 0700);
    FILE *file = fopen("left/file", "w");
    return failed || !file || fclose(file);
  }
  if (!strcmp(what, "crash")) abort();
  if (!strcmp(what, "hang")) {
    for (;;) pause();
  }
  return 7;
}
