// Functions of which a solver cannot read all that they call.
#include <errno.h>
#include <math.h>

// A thousand rounds of products.
static unsigned mix(unsigned x) {
  for (int i = 0; i < 1000; ++i) x = (x ^ (x >> 7)) * 1664525u + 1013904223u;
  return x;
}

// Writes two parts, or one: the other stays what it was.
static void split(unsigned x, unsigned *parts) {
  parts[0] = mix(x);
  if (parts[0] & 1u) parts[1] = mix(parts[0]);
}

static unsigned weight(unsigned x, int scaled) { return scaled ? x * 3u : x; }

// For one value it says something that is no result.
static unsigned checked(unsigned x) {
  if (x * 2654435761u == 2485173284u) errno = EDOM;
  return mix(x);
}

unsigned sum_of_parts(unsigned x) {
  unsigned parts[2] = {0, 0};
  if (x <= 100u) return mix(x);
  split(x, parts);
  return parts[0] + parts[1];
}

unsigned second_part(unsigned x) {
  unsigned parts[2];
  parts[1] = 7u;
  split(x, parts);
  return parts[1];
}

unsigned chosen(unsigned x, unsigned y) { return mix(x > y ? x : y); }

unsigned load(unsigned x) { return weight(mix(x), 1); }

// What a file has for itself is no result, and a table of functions may lead to it.
static unsigned tick(unsigned x) {
  static unsigned ticks;
  ticks += x * 2654435761u == 2485173284u;
  return ticks;
}

static unsigned (*const table[1])(unsigned) = {tick};

static unsigned through(unsigned x) { return table[0](x) & 0u; }

unsigned ticked(unsigned x) {
  through(x);
  return tick(0u);
}

// Writes what its caller takes for constant.
static unsigned cut(const unsigned *x) {
  if (*x == 3735928558u) *(unsigned *)x = mix(1u);
  return 0u;
}

unsigned shortened(unsigned x) {
  unsigned y = x;
  cut(&y);
  return y;
}

static void fold(unsigned many, unsigned *of) {
  if (of[0] == 3735928558u) of[0] = of[many - 1u];
}

unsigned folded(unsigned x) {
  unsigned few[2] = {x, 1u}, more[4] = {x, x, x, 3u};
  if (x & 1u) fold(2u, few);
  else fold(4u, more);
  return few[0] ^ more[0];
}

static void raise(unsigned *x) { *x = *x * 3u + 1u; }

unsigned raised(unsigned x) {
  unsigned y = 3u;
  y = x + 2u;
  unsigned r = x & 1u ? 1u : x * y;
  r &= 1u;
  raise(&y);
  return (y == 3735928558u) + r;
}

// It does not return from every call.
static unsigned counted(unsigned to) {
  unsigned i = 0;
  while (i != to && mix(i) != 7u) i += 2;
  return 0;
}

unsigned even(unsigned x) {
  if (x > 1000u) return 1;
  return counted(x * 2u) & mix(x);
}

int is_wrong(unsigned x) {
  errno = 0;
  checked(x);
  return errno != 0;
}

double longest(double a, double b) { return sqrt(a < b ? b : a); }

// Tables that nobody made constant, and nobody writes.
static short steps[8] = {1, 2, 4, 8, 16, 32, 48, 64};

static unsigned place(unsigned x, short *limits, unsigned many) {
  for (unsigned i = 0; i < many; ++i)
    if (x < (unsigned)limits[i]) return i;
  return many;
}

unsigned looked_up(unsigned x) { return (unsigned)steps[x & 7u]; }

unsigned placed(unsigned x) { return place(x & 63u, steps, 8u); }
