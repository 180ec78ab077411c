#include <cstdlib>
namespace n {
int *table(int first) {
  static int made[3];
  made[0] = first;
  made[1] = 2;
  made[2] = 3;
  return made;
}
int fill(int **out, int first) {
  static int made[3];
  made[0] = first;
  made[1] = 5;
  *out = made;
  return 2;
}
int lend(int *&out, int first) {
  static int made[3];
  made[0] = first;
  made[1] = 7;
  out = made;
  return 2;
}
}
