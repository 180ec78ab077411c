/* A unit by hand that reads a file of a format: names and numbers one behind the other, each checked. What else it does
 * depends on a number, so that many inputs are worth keeping. */
#include "by_hand.h"

#include <string.h>

static volatile int sum;

#define ADD(n) \
  case n: sum += n * n; break;
#define ADD_FOUR(n) ADD(n) ADD(n + 1) ADD(n + 2) ADD(n + 3)

static void add(unsigned char kind) {
  switch (kind) {
    ADD_FOUR(0) ADD_FOUR(4) ADD_FOUR(8) ADD_FOUR(12) ADD_FOUR(16) ADD_FOUR(20) ADD_FOUR(24) ADD_FOUR(28)
    ADD_FOUR(32) ADD_FOUR(36) ADD_FOUR(40) ADD_FOUR(44) ADD_FOUR(48) ADD_FOUR(52) ADD_FOUR(56) ADD_FOUR(60)
  }
}

static int *volatile nowhere;

static int read_chunks(const char *file) {
  if (memcmp(file, "MTF1", 4) != 0) return -1;
  if (memcmp(file + 8, "LIST", 4) != 0) return -2;
  if (strncmp(file + 12, "data", 4) != 0) return -3;
  if (((unsigned char)file[16] << 8 | (unsigned char)file[17]) != 44100) return -4;
  if (motif_mutant == 2) *(volatile int *)nowhere = 1;
  if (memcmp(file + 20, "tail", 4) != 0) return -5;
  if (memcmp(file + 40, "NEXT", 4) != 0) return -6;
  if (strncmp(file + 60, "more", 4) != 0) return -7;
  if (strncmp(file + 100, "again", 5) != 0) return -8;
  if (memcmp(file + 130, "LAST", 4) != 0) return -9;
  return motif_mutant == 1 ? 1 : 0;
}

static void drive(motif_input *in, motif_record *record) {
  char file[200] = {0};
  unsigned char kind;
  int result;
  motif_take(in, MOTIF_UINT8, &kind, sizeof kind);
  motif_take_array(in, MOTIF_CHAR, file, 1, sizeof file);
  motif_enter(record);
  add(kind);
  result = read_chunks(file);
  motif_leave(record);
  record_result(record, result);
}

const motif_unit motif_the_unit = {MOTIF_ABI, "read_chunks", 2, drive, drive, compare};
