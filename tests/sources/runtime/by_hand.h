/* What units by hand have in common: which mutant is active, and that they return one number. */
#include "motif.h"

int motif_mutant;
void motif_set_mutant(int mutant);
void motif_set_mutant(int mutant) { motif_mutant = mutant; }

static void record_result(motif_record *record, int result) {
  motif_open(record, "return", MOTIF_OUTPUT);
  motif_value(record, MOTIF_INT32, &result, sizeof result);
  motif_close(record);
}

static int compare(motif_record *original, motif_record *mutant) {
  return motif_differences(original, mutant, NULL, 0);
}
