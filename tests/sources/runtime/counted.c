/* A unit by hand that looks for a sign behind the first of so many bytes, which its mutant does not find. */
#include "motif.h"

#include <string.h>

int motif_mutant;
void motif_set_mutant(int mutant);
void motif_set_mutant(int mutant) { motif_mutant = mutant; }

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
  motif_open(record, "return", MOTIF_OUTPUT);
  motif_value(record, MOTIF_INT32, &result, sizeof result);
  motif_close(record);
}

static int compare(motif_record *original, motif_record *mutant) {
  return motif_differences(original, mutant, NULL, 0);
}

const motif_unit motif_the_unit = {MOTIF_ABI, "found", 1, drive, drive, compare};
