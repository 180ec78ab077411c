#pragma once

enum link_state { LINK_IDLE, LINK_ASKED, LINK_OPEN, LINK_PAUSED, LINK_CLOSING };

struct link {
  enum link_state state;
  unsigned lane : 3;
  unsigned room;
  unsigned sum;
  unsigned char *bytes;
};

void link_init(struct link *it, unsigned char *bytes, unsigned room);

// Takes a byte; the state says what it means.
unsigned link_take(struct link *it, unsigned char byte);
