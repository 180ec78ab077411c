#include "config.h"
int fresh(void) {
    return 1;
}


/* The limit moved. */
int clamp(int value) {
    if (value > 99) {
        return 99;
    }
    return value;
}

int middle(int a, int b) {
    int half = (a ^ b) >> 1;
    return half + (a & b);
}

int level(reading value, int most) {
    return value >= most;
}


int scale(int value) {
    return (int)((unsigned)value << 1);
}

long wide(long value) { return value; }
