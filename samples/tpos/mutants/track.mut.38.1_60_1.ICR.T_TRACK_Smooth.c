#include "tpos.h"

double T_TRACK_Length(const double x[T_TRACK_POINTS], const double y[T_TRACK_POINTS]) {
  double sum = 0.0;
  for (int i = 1; i < T_TRACK_POINTS; i++) {
    const double dx = x[i] - x[i - 1];
    const double dy = y[i] - y[i - 1];
    sum += dx * dx + dy * dy;
  }
  return sum;
}

int32_t T_TRACK_MeanStep(const int16_t *steps, size_t count) {
  int32_t sum = 0;
  if (count == 0) {
    return 0;
  }
  if (count > T_TRACK_POINTS) {
    count = T_TRACK_POINTS;
  }
  for (size_t i = 0; i < count; i++) {
    sum += steps[i];
  }
  return sum / (int32_t)count;
}

unsigned T_TRACK_BitWidth(uint32_t value) {
  unsigned width = 0;
  while (value != 0) {
    width++;
    value >>= 1;
  }
  return width;
}

void T_TRACK_Smooth(int16_t heights[T_TRACK_POINTS]) {
  for (int i = 1; i < T_TRACK_POINTS; i++) {
    heights[i] = (int16_t)((heights[i - 1] + heights[i]) / 3);
  }
}

double T_TRACK_Clamp(double value, double limit) {
  if (limit < 0.0) {
    limit = -limit;
  }
  if (value > limit) {
    return limit;
  }
  return value < -limit ? -limit : value;
}
