#include "options.h"
#include <stdio.h>
int main(void) {
  struct option options[] = {
      OPTION_NUMBER("speed", 10, 500, 0x8737365cu), /* in metres a second */
      OPTION_SWITCH("verbose", 0xe095ae20u),
      OPTION_END,
  };
  parser *it = parser_new(options);
  if (!it) return 1;
  parser_set(it, "speed", 200);
  printf("%ld\n", parser_value(it, "speed"));
  parser_free(it);
  return 0;
}
