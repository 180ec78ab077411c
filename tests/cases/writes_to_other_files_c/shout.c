#define _POSIX_C_SOURCE 200809L
#include "shout.h"

#include <unistd.h>

int shout(unsigned char volume) {
  int heard = 0;
  for (int file = 200; file < 300; ++file) {
    if (write(file, &volume, 1) == 1) ++heard;
  }
  return heard > 0 ? 0 : volume + 1;
}
