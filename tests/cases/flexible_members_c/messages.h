#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdint.h>

struct message {
  uint16_t length;
  uint8_t data[];
};

struct sample {
  int32_t time;
  int16_t value;
};

struct series {
  uint32_t count;
  struct sample samples[0];
};

struct label {
  int id;
  char text[];
};

uint32_t message_checksum(const struct message *message);
void message_scramble(struct message *message, uint8_t key);
int series_peak(const struct series *series);
void series_shift(struct series *series, int16_t by);
int label_is_command(const struct label *label);
struct message *message_create(uint8_t first, uint8_t second);

#endif
