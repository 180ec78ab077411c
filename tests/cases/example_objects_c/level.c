#include "mixer.h"
#include <stdlib.h>

int mixer_level(const mixer *m, int sample) {
    int level = mixer_rate(m) / 100;
    for (int channel = 1; channel <= 8; channel++) {
        level += mixer_gain(m, channel) * (sample & 15);
    }
    return level;
}

static unsigned sealed(const int *beats, int count) {
    unsigned seal = 2166136261u;
    for (int at = 0; at < count; at++) seal = (seal ^ (unsigned)beats[at]) * 16777619u;
    return seal;
}

void track_begin(struct track *t, const int *beats, int count) {
    t->count = count > 0 && count < 100 ? count : 0;
    t->beats = calloc((size_t)t->count + 1, sizeof *beats);
    for (int at = 0; at < t->count; at++) t->beats[at] = beats[at];
    t->seal = sealed(t->beats, t->count);
}

int track_span(const struct track *t, int scale) {
    if (t->count > 50 || t->seal != sealed(t->beats, t->count)) return -1;
    int span = 0;
    for (int at = 1; at < t->count; at++) {
        span += (t->beats[at] & 255) - (scale & 3);
    }
    return span;
}
