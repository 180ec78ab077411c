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

/* Of the hardware, and by chance of the library as well. */
int crypt_checksalt(const char *setting);

int is_ready(const char *setting) {
  return crypt_checksalt(setting) > 40 ? 7 : 8;
}
