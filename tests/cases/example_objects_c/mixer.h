#ifndef MIXER_H
#define MIXER_H

/* A mixer makes a sound from its rate on, and once something is attached. */
typedef struct mixer mixer;

mixer *mixer_for_rate(int rate);
int mixer_attach(mixer *m, int channel, int gain);
int mixer_rate(const mixer *m);
int mixer_gain(const mixer *m, int channel);
void mixer_destroy(mixer *m);
int mixer_level(const mixer *m, int sample);

/* A track is the caller's own, and sealed by what it begins with. */
struct track {
    int *beats;
    int count;
    unsigned seal;
};

void track_begin(struct track *t, const int *beats, int count);
int track_span(const struct track *t, int scale);

#endif
