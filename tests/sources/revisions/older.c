#include "config.h"
static int twice(int value) {
    return (int)(2u * (unsigned)value);
}

int stale(void) { return 1; }

int clamp(int value) {
    if (value > 100) {
        return 100;
    }
    return value;
}

int middle(int a, int b) {
    return (a & b) + ((a ^ b) >> 1);
}

int level(reading amount, int limit) {
    return amount > limit;
}

int scale(int value) { return twice(value); }

int wide(int value) { return value; }
