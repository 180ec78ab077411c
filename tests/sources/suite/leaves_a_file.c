#include <stdio.h>
int twice(int);
int main(void) { FILE *f = fopen("wrong", "r"); if (f) return 3;
if (twice(4) == 8) return 0;
f = fopen("wrong", "w"); fclose(f); return 1; }
