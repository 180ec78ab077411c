#include <cstdlib>
#include <cstring>

unsigned total(unsigned count) {
  count &= 7;
  unsigned char *steps = new unsigned char[count + 1];
  unsigned sum = 0;
  for (unsigned i = 0; i <= count; ++i) steps[i] = static_cast<unsigned char>(i * 3);
  for (unsigned i = 0; i <= count; ++i) sum += steps[i];
  delete[] steps;
  return sum;
}

unsigned last(unsigned seed) {
  unsigned char *bytes = static_cast<unsigned char *>(malloc(24));
  if (!bytes) return 0;
  memset(bytes, static_cast<int>(seed & 15), 24);
  unsigned found = bytes[20];
  free(bytes);
  return found + (seed & 1 ? 1 : 0);
}

int once(int value) {
  int *kept = static_cast<int *>(malloc(sizeof(int)));
  if (!kept) return 0;
  *kept = value;
  const int result = *kept;
  if (value > 10) free(kept);
  else free(kept);
  return result;
}

struct Pair {
  int one, other;
  int sum() const { return one + other; }
};

int half(int value) { return value / 2; }

int numbers(int value, Pair pair) { return half(value) + pair.sum() * 0 + 1; }

unsigned place(unsigned at) {
  unsigned char *row = new unsigned char[23]();
  const unsigned index = (at * 7u + 5u) % 23u;
  row[index] = 1;
  const unsigned found = row[index];
  delete[] row;
  return found;
}

int faulty(int at) {
  char *text = new char[4];
  memset(text, 1, 4);
  const int index = at & 7;
  volatile char found = text[index];
  const int result = found * 0 + index;
  delete[] text;
  return result;
}
