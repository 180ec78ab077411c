#include "ring.h"

#include <stdlib.h>

#define ITEM signed char
#define RING(name) ring_small##name
#include "ring.part.c"
#undef ITEM
#undef RING

#define ITEM short
#define RING(name) ring_large##name
#include "ring.part.c"
