#ifndef READER_H
#define READER_H

/* What users see: the beginning of what it is. */
struct reader {
  int (*next)(struct reader *reader, unsigned char step);
};

/* Nobody but reader.c knows what is in it. */
struct handle;

int reader_next(struct reader *reader, unsigned char step);
struct handle *handle_create(void);
void handle_destroy(struct handle *handle);
void handle_raise(struct handle *handle, unsigned char level);

#endif
