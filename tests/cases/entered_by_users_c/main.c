#include "tariff.h"
#include <stdio.h>

int main(int argc, char **argv) {
  printf("%d\n", argc > 1 ? tariff_score(argv[1], argc) : 0);
  return 0;
}
