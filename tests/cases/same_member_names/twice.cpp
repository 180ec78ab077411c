#include "twice.h"
std::unique_ptr<Base> made(int k) { auto d = std::make_unique<Far>(1); d->near(k + 3); return d; }
Both both(int k) { Both b; b.Right::n = k | 128; return b; }
void change(Far &far, int k) { far.both(k + 7); }
