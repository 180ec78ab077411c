/* Runs a unit on what libFuzzer finds: its driver makes the values of the bytes, and calls. */
#include "motif.h"
#include "motif_internal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static motif_input input;
  static motif_record record;
  static int is_ready;
  if (!is_ready) {
    if (motif_input_create(&input) || motif_record_create(&record, (size_t)1 << 20)) abort();
    is_ready = 1;
  }
  motif_input_reset(&input, data, size);
  motif_record_reset(&record);
  motif_the_unit.original(&input, &record);
  return 0;
}
