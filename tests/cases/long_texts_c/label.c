#include <string.h>

int label_kind(const char *label);
int label_kind(const char *label) {
  if (strlen(label) > 120) return 2;
  return label[0] == 'x';
}
