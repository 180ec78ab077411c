/* Two numbers that must agree, and two mutants that crash for reasons of their own, on what the same input may have. */
#include "by_hand.h"

static int fault(void) {
  int *volatile nowhere = 0;
  return *nowhere;
}

static int agree(double one, double other, int left, int right) {
  if (left > 50 && motif_mutant == 1) return fault();
  if (right > 70 && motif_mutant == 2) return fault();
  return one == other && one > 1.5 && motif_mutant == 3 ? 1 : 0;
}

static void drive(motif_input *in, motif_record *record) {
  double one = 0, other = 0;
  int left = 0, right = 0;
  int result;
  motif_take(in, MOTIF_DOUBLE, &one, sizeof one);
  motif_take(in, MOTIF_DOUBLE, &other, sizeof other);
  motif_take(in, MOTIF_INT32, &left, sizeof left);
  motif_take(in, MOTIF_INT32, &right, sizeof right);
  motif_enter(record);
  result = agree(one, other, left, right);
  motif_leave(record);
  record_result(record, result);
}

const motif_unit motif_the_unit = {MOTIF_ABI, "agree", 3, drive, drive, compare};
