#include "odd.h"
int weigh(const Odd &) { return 7; }
