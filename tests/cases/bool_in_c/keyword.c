/* The keyword, in a file that never includes <stdbool.h>. */
int speed_behind(_Bool open, int wanted) {
  if (open && wanted > 3) {
    return wanted * 2;
  }
  return wanted - 1;
}
