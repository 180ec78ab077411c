// Runs a unit on what libFuzzer finds: its driver makes the values of the bytes, and calls. An exception is how the
// code refuses what it is given, so it is no fault.
#include "motif.h"
#include "motif_internal.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static motif_input input;
  static motif_record record;
  static bool is_ready = false;
  if (!is_ready) {
    if (motif_input_create(&input) || motif_record_create(&record, size_t{1} << 20)) std::abort();
    is_ready = true;
  }
  motif_input_reset(&input, data, size);
  motif_record_reset(&record);
  try {
    motif_the_unit.original(&input, &record);
  } catch (...) {
  }
  return 0;
}
