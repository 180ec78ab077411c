#include "extract.h"

int extract(struct extractor *extractor, const char *name) {
  struct files *files = extractor->files;
  struct file *file = files->open(files, name, 3);
  if (!file) return -1;
  char bytes[4];
  if (files->read(file, bytes, 4) != 4) return -2;
  return bytes[0] + bytes[1];
}
