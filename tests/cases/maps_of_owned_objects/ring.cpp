#include "ring.h"
#include "row.h"
Ring::Ring() {}
Ring::Ring(int size) : size(size) {}
