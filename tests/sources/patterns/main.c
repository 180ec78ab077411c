
#include "motif_pattern.h"
#include <stdio.h>
int main(int count, char **texts) {
  uint64_t state = 1;
  for (int n = 1; n < count; ++n) {
    for (int round = 0; round < 300; ++round) {
      uint8_t bytes[PATTERN_BYTES];
      for (int i = 0; i < PATTERN_BYTES; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = round == 0 ? 0 : round == 1 ? 255 : (uint8_t)(state >> 56);
      }
      char out[PATTERN_LONGEST + 1];
      pattern_make(texts[n], bytes, out);
      printf("%d %s\n", n - 1, out);
    }
  }
  return 0;
}
