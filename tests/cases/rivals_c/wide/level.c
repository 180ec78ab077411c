struct range {
  int low, high;
};
int scale(const struct range *range);
int level(int low, int high) {
  const struct range range = {low, high};
  return scale(&range) + 7;
}
