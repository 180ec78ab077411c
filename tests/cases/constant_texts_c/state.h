typedef struct {
  int value;
  const char *problem;
} state_t;

int state_check(state_t *state, int most);
