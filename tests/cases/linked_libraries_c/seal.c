#include "seal.h"

#include <crypt.h>
#include <stddef.h>

int seal(const char *word, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds && i < 3; ++i) {
    const char *hash = crypt(word, i % 2 == 0 ? "ab" : "cd");
    if (hash == NULL) {
      return -1;
    }
    sum += hash[2 + i];
  }
  return sum;
}
