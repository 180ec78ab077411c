#include "messages.h"

#include <stdlib.h>
#include <string.h>

uint32_t message_checksum(const struct message *message) {
  uint32_t sum = 0;
  for (uint16_t i = 0; i < message->length; ++i) sum = sum * 31 + message->data[i];
  return sum;
}

void message_scramble(struct message *message, uint8_t key) {
  for (uint16_t i = 0; i < message->length; ++i) message->data[i] ^= key;
}

int series_peak(const struct series *series) {
  int peak = -40000;
  for (uint32_t i = 0; i < series->count; ++i) {
    if (series->samples[i].value > peak) peak = series->samples[i].value;
  }
  return peak;
}

void series_shift(struct series *series, int16_t by) {
  for (uint32_t i = 0; i < series->count; ++i) series->samples[i].value += by;
}

int label_is_command(const struct label *label) { return label->id > 0 && strcmp(label->text, "run") == 0; }

struct message *message_create(uint8_t first, uint8_t second) {
  struct message *message = malloc(sizeof *message + 2);
  if (message == NULL) return NULL;
  message->length = 2;
  message->data[0] = first;
  message->data[1] = second;
  return message;
}
