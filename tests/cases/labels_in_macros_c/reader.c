#define CHECK(it) do { if (!(it)) goto failed; } while (0)

int reader_sum(const unsigned char text[4], int count) {
  const unsigned char *p = text;
  int sum = 0;
  (void)sizeof count;
  CHECK(count >= 0);
  for (; p < text + 4; ++p) {
    CHECK(*p != 'x');
    sum += *p;
  }
  return sum;
failed:
  return sum + 1000;
}
