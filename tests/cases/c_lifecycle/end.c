#include "end.h"
#include <stdlib.h>
void list_free(struct list *it) {
  free(it);
}
