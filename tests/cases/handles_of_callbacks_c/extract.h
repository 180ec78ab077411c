#ifndef EXTRACT_H
#define EXTRACT_H

struct file {
  int dummy;
};

struct files {
  struct file *(*open)(struct files *files, const char *name, int mode);
  int (*read)(struct file *file, void *buffer, int bytes);
};

struct extractor {
  struct files *files;
};

int extract(struct extractor *extractor, const char *name);

#endif
