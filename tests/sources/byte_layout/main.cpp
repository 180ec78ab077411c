// Drives units by seeds (`UNIT BYTES`, a line each, the bytes in hexadecimal) and writes what the runtime took, where:
// for each seed the bytes that were asked for, then offset, width, count and role of each call.
#include "together.cpp"

#include "motif_internal.h"
#include "units.inc"

#include <cstdio>
#include <iostream>

int main() {
  static motif_input in;
  static motif_record record;
  static motif_field fields[MOTIF_FIELDS_MOST];
  if (motif_input_create(&in) || motif_record_create(&record, 1 << 20)) return 1;
  in.fields = fields;
  std::size_t unit = 0;
  std::string digits;
  while (std::cin >> unit >> digits) {
    std::vector<unsigned char> bytes;
    for (std::size_t i = 1; i + 1 < digits.size(); i += 2) {
      bytes.push_back(static_cast<unsigned char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    }
    motif_input_reset(&in, bytes.data(), bytes.size());
    motif_record_reset(&record);
    units[unit]->original(&in, &record);
    std::printf("%zu", in.offset);
    for (unsigned i = 0; i < in.field_count; ++i) {
      std::printf(" %u,%u,%u,%u", fields[i].offset, fields[i].width, fields[i].count, fields[i].role);
    }
    std::printf("\n");
  }
}
