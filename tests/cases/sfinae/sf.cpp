#include "sf.h"
int unused(int n) { return n + 2048; }
