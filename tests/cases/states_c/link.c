#include "link.h"

#include <string.h>

void link_init(struct link *it, unsigned char *bytes, unsigned room) {
  memset(it, 0, sizeof *it);
  it->bytes = bytes;
  it->room = room;
}

unsigned link_take(struct link *it, unsigned char byte) {
  switch (it->state) {
    case LINK_IDLE:
      if (byte == 'C') it->state = LINK_ASKED;
      return 0;
    case LINK_ASKED:
      if (byte == 'L') it->state = LINK_OPEN;
      return 1;
    case LINK_OPEN:
      if (it->room) it->bytes[--it->room] = byte;
      if (byte == 'P') it->state = LINK_PAUSED;
      it->lane = (it->lane + 1u) & 7u;
      return it->lane == 5;
    case LINK_PAUSED:
      if (byte == 'X') it->state = LINK_CLOSING;
      return 3;
    case LINK_CLOSING:
      it->state = LINK_IDLE;
      return it->sum + 7;
  }
  return 9;
}
