#include "mixer.h"
#include <stdlib.h>

struct mixer {
    int rate;
    int gains[9];
};

mixer *mixer_for_rate(int rate) {
    if (rate != 44100 && rate != 48000) return NULL;
    mixer *m = calloc(1, sizeof *m);
    m->rate = rate;
    return m;
}

int mixer_attach(mixer *m, int channel, int gain) {
    if (channel < 1 || channel > 8) return -1;
    m->gains[channel] = gain;
    return 0;
}

int mixer_rate(const mixer *m) {
    return m->rate;
}

int mixer_gain(const mixer *m, int channel) {
    return m->gains[channel];
}

void mixer_destroy(mixer *m) {
    free(m);
}
