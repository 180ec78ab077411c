#include "objects.hpp"

void Counter::add(unsigned char more) {
  if (more > 0) count_ = (count_ + more) & 1023;
}

int Counter::doubled() const { return count_ * 2; }

int measure(const Square &shape, int a) {
  const Shape &base = shape;
  return base.size(a) > 4 ? 1 : 0;
}

int greatest(const std::vector<int> &values) {
  int best = 0;
  for (unsigned i = 0; i < values.size(); ++i) {
    if (values[i] > best) best = values[i];
  }
  return best;
}

int vowels(const std::string &text) {
  int count = 0;
  for (unsigned i = 0; i < text.size(); ++i) {
    if (text[i] == 'a' || text[i] == 'e') ++count;
  }
  return count;
}

int distance(Point a, Point b) {
  const int x = a.x > b.x ? (a.x & 255) - (b.x & 255) : (b.x & 255) - (a.x & 255);
  return x < 0 ? -x : x;
}

int warmth(Colour colour) {
  if (colour == Colour::red) return 2;
  if (colour == Colour::green) return 1;
  return 0;
}

long long product(int a, int b) { return static_cast<long long>(a) * b; }

int quarter(const short (&values)[4]) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += values[i];
  return sum / 4;
}

int between(int value, int low, int high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}
