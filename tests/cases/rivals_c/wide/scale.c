struct range {
  int low, high;
};
int scale(const struct range *range) { return range->high / 2 - range->low / 2; }
