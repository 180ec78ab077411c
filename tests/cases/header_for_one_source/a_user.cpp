#include "twice.h"
int use(int n) { return twice(n) + 1; }
