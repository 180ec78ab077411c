#include <stdlib.h>
int *steps(int first) {
  int *made = malloc(3 * sizeof(int));
  if (made != NULL) {
    made[0] = first;
    made[1] = 2;
    made[2] = 3;
  }
  return made;
}
