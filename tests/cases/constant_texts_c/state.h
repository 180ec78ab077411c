typedef struct {
  int value;
  const char *problem;
} state_t;

int state_check(state_t *state, int most);
void state_digits(state_t *state);
