#ifndef MIXER_H
#define MIXER_H

#include <complex.h>

struct mixer {
  float complex phase;
  double complex taps[2];
  unsigned count;
};

float complex turned(float complex sample, float by);
void mixer_push(struct mixer *mixer, double complex tap);
void mix(struct mixer *mixer, const float complex *samples, unsigned length, float complex *out);
int is_left(double complex point);

#endif
