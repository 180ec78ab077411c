#include "port.h"

int header_read(struct header *h, port *p) {
  unsigned char block[6];
  size_t i;
  if (port_word(p) != 0x4d42) return -1;
  if (port_failed(p)) return -2;
  h->width = port_word(p) * 3u;
  if (!port_block(p, block, sizeof block)) return -3;
  h->sum = 0;
  for (i = 0; i < sizeof block; i++) h->sum = (unsigned char)(h->sum + block[i]);
  return 0;
}

int pairs_fetch(port_fetch fetch, void *user) {
  unsigned char pairs[3][2] = {{0}};
  if (fetch(pairs, 2, 3, user) != 3) return -1;
  /* The last byte is there only if all pieces were filled. */
  if (pairs[2][1] < 200) return 0;
  return pairs[2][1] + 7;
}
