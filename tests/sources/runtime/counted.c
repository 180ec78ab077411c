/* A unit by hand that looks for a sign behind the first of so many bytes, which its mutant does not find. */
#include "by_hand.h"

#include <string.h>

static int found(const unsigned char *bytes, size_t count) {
  return count > 1 && memchr(bytes + 1, '"', count - 1) && motif_mutant != 1 ? (int)count : -1;
}

static void drive(motif_input *in, motif_record *record) {
  unsigned char bytes[20] = {0}, others[8] = {0};
  size_t count;
  int result;
  motif_take_array(in, MOTIF_UINT8, bytes, 1, 20);
  count = (size_t)motif_take_size(in, 0, 20);
  motif_take_array(in, MOTIF_UINT8, others, 1, 8);
  motif_enter(record);
  result = found(bytes, count);
  motif_leave(record);
  record_result(record, result);
}

const motif_unit motif_the_unit = {MOTIF_ABI, "found", 1, drive, drive, compare};
