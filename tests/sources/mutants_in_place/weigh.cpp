#include "hub.h"
int weigh(const Hub &) { return 7; }
