#include <new>
#include "ring.h"
int lab::weigh(const ring<int> &all) {
  int sum = 0, place = 0;
  for (int value : all) sum += ++place > 4 ? value & 7 : 1;
  return sum;
}
lab::ring<int> lab::doubled(const ring<int> &all) {
  ring<int> result;
  for (int value : all) result.append(value / 4 * 2);
  return result;
}
