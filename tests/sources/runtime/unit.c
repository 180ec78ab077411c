/* A unit by hand, as the generator would write it: one function, mutants that fall in every way there is. */
#include "motif.h"

#include <stdlib.h>

int motif_mutant;
void motif_set_mutant(int mutant) { motif_mutant = mutant; }

static double table[4] = {1, 2, 3, 4};

static double clamp(double value, int limit) {
  if (value > limit) return limit;
  if (value < -table[0]) return -1;
  return value * 2;
}

static double mut_clamp(double value, int limit) {
  switch (motif_mutant) {
    case 1: /* a boundary that only one value tells */
      if (value >= limit) return limit;
      if (value < -table[0]) return -1;
      return value * 2;
    case 2: /* a crash */
      if (value == 1234.5) return *(volatile double *)8;
      return clamp(value, limit);
    case 3: /* a hang */
      while (value > limit && *(volatile int *)&motif_mutant) {
      }
      return clamp(value, limit);
    case 4: /* an exit */
      if (value < 0) exit(3);
      return clamp(value, limit);
    case 5: /* equivalent */
      if (!(value <= limit) && value == value) return limit;
      if (value < -table[0]) return -1;
      return value * 2;
    case 6: /* a sign */
      if (value > limit) return -limit;
      if (value < -table[0]) return -1;
      return value * 2;
    case 7: /* an abort */
      if (value > limit) abort();
      return clamp(value, limit);
    case 8: /* a literal of 32 bits */
      if (limit == 20030417) return 0;
      return clamp(value, limit);
    default: return clamp(value, limit);
  }
}

#define DRIVE(function)                                                \
  double value;                                                        \
  int limit;                                                           \
  double result;                                                       \
  motif_take(in, MOTIF_DOUBLE, &value, sizeof value);                  \
  motif_take(in, MOTIF_INT32, &limit, sizeof limit);                   \
  motif_enter(record);                                                 \
  result = function(value, limit);                                     \
  motif_leave(record);                                                 \
  motif_open(record, "return", MOTIF_OUTPUT);                          \
  motif_value(record, MOTIF_DOUBLE, &result, sizeof result);           \
  motif_close(record)

static void original(motif_input *in, motif_record *record) { DRIVE(clamp); }
static void copy(motif_input *in, motif_record *record) { DRIVE(mut_clamp); }

const motif_unit motif_the_unit = {MOTIF_ABI, "clamp", 8, original, copy, 0};
