/* The project's own small test suite: green on the original, and too weak to notice most of the mutants. */
#include "tpos.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(int holds, const char *what) {
  if (!holds) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

int main(void) {
  T_POS position = {.kind = longitude_PRESENT, .u.longitude = 6.1};
  int error = -1;
  check(T_POS_IsConstraintValid(&position, &error) && error == ERR_NONE, "Luxembourg has a valid longitude");
  position.u.longitude = 200.0;
  check(!T_POS_IsConstraintValid(&position, &error) && error == ERR_T_POS_LONGITUDE, "200 degrees east is nowhere");

  T_POS label = {.kind = label_PRESENT, .u.label = {3, "LUX"}};
  check(T_POS_IsConstraintValid(&label, &error), "a label in capitals is valid");

  uint8_t buffer[T_POS_ENCODED_MAX];
  size_t written = 0;
  T_POS sent = {.kind = anInt_PRESENT, .u.anInt = 42};
  T_POS received;
  memset(&received, 0, sizeof received);
  check(T_POS_Encode(&sent, buffer, sizeof buffer, &written) == ERR_NONE && written == 7, "an integer is encoded");
  check(T_POS_Decode(&received, buffer, written) == ERR_NONE && received.u.anInt == 42, "what was encoded is decoded");
  buffer[3] ^= 1;
  check(T_POS_Decode(&received, buffer, written) == ERR_T_POS_CHECKSUM, "a flipped bit is noticed");

  const double x[T_TRACK_POINTS] = {0, 1, 1, 1, 1};
  const double y[T_TRACK_POINTS] = {0, 0, 1, 1, 1};
  check(T_TRACK_Length(x, y) == 2.0, "two unit steps");
  const int16_t steps[] = {2, 4};
  check(T_TRACK_MeanStep(steps, 2) == 3, "the mean of two steps");
  check(T_TRACK_BitWidth(0) == 0, "nothing has no bits");
  check(T_TRACK_Clamp(0.5, 1.0) == 0.5, "what is within the limit is kept");
  check(T_STATS_Total() == 10, "one report of seven bytes was sent");
  return failures == 0 ? 0 : 1;
}
