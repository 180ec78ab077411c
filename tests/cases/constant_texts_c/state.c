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
