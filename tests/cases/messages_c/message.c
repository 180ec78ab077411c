#include "message.h"

#include <stdio.h>

enum { POSITION = 460 };

void print_name(const struct message *message) {
  for (int i = 0; i < message->length; ++i) {
    putchar(message->name[i]);
  }
}

int position_of(const struct message *message) {
  if (message->length != POSITION) {
    return -1;
  }
  if (message->bytes[308] == 0) {
    return 0;
  }
  return message->bytes[300] + 2 * message->bytes[308];
}
