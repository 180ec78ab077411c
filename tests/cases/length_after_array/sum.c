struct text { const unsigned char *bytes; unsigned long length; double weight; };
int sum(const struct text *it) {
  int all = 0;
  unsigned long at;
  for (at = 0; at < it->length; at++) all += it->bytes[at];
  return all + 1;
}
double lift(const struct text *it, double by) {
  return it->weight * 0 + by * 0 - 0.0;
}
