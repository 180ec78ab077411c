#include "state.h"

static int check_least(state_t *state, int least) {
  if (state->value >= least) return 1;
  state->problem = "too small";
  return 0;
}

int state_check(state_t *state, int most) {
  if (!check_least(state, 3)) return 0;
  if (state->value <= most) return 1;
  state->problem = "too large";
  return 0;
}

/* No text: nothing ends it. */
static const char digits[8] = {'0', '1', '2', '3', '4', '5', '6', '7'};

void state_digits(state_t *state) {
  state->problem = digits;
  state->value = state->value * 2;
}
