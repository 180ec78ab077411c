struct State {
  int count;
  unsigned flag;
  int items[];
};

struct StateEqual {
  bool operator()(const State *one, const State *other) const {
    if (one->count != other->count) return false;
    return one->flag == other->flag + 4;
  }
};

bool same(const State *one, const State *other) { return StateEqual()(one, other); }
