#include "co.h"
int unused(int n) { return n + 2048; }
