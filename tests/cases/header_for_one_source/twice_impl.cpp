#define TWICE_IMPLEMENTATION
#include "twice.h"
