/* A unit by hand whose mutant asks for one element among many, and one character of a text. */
#include "motif.h"

#include <string.h>

int motif_mutant;
void motif_set_mutant(int mutant) { motif_mutant = mutant; }

static int found(int most, const char *text) { return most > 50 && strchr(text, 'x') != NULL; }
static int mut_found(int most, const char *text) { return motif_mutant == 1 ? 0 : found(most, text); }

#define DRIVE(function)                                                            \
  int most = 0, left, result;                                                      \
  char *text;                                                                      \
  for (left = (int)motif_take_size(in, 0, 7); left > 0; --left) {                  \
    int pair[2];                                                                   \
    motif_take(in, MOTIF_INT32, &pair[0], sizeof pair[0]);                         \
    motif_take(in, MOTIF_INT32, &pair[1], sizeof pair[1]);                         \
    if (pair[0] > most) most = pair[0];                                            \
  }                                                                                \
  text = motif_take_cstring(in, 16);                                               \
  motif_enter(record);                                                             \
  result = function(most, text);                                                   \
  motif_leave(record);                                                             \
  motif_open(record, "return", MOTIF_OUTPUT);                                      \
  motif_value(record, MOTIF_INT32, &result, sizeof result);                        \
  motif_close(record)

static void original(motif_input *in, motif_record *record) { DRIVE(found); }
static void copy(motif_input *in, motif_record *record) { DRIVE(mut_found); }

const motif_unit motif_the_unit = {MOTIF_ABI, "found", 1, original, copy, 0};
