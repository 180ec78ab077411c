#include "mixer.h"

float complex turned(float complex sample, float by) {
  return sample * by + I * by;
}

void mixer_push(struct mixer *mixer, double complex tap) {
  mixer->taps[1] = mixer->taps[0];
  mixer->taps[0] = tap;
  mixer->count++;
}

void mix(struct mixer *mixer, const float complex *samples, unsigned length, float complex *out) {
  for (unsigned i = 0; i < length; i++) {
    out[i] = i == 2 ? conjf(samples[i]) : samples[i] + mixer->phase;
    mixer->phase *= I;
  }
}

int is_left(double complex point) {
  return creal(point) < -2.0 && cimag(point) == 3.0;
}
