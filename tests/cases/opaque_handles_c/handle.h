#ifndef HANDLE_H
#define HANDLE_H

struct handle;

struct handle *handle_create(void);
void handle_destroy(struct handle *handle);
void handle_raise(struct handle *handle, unsigned char level);
int handle_level(const struct handle *handle);

/* What users of it do. */
void raise_twice(struct handle *handle, unsigned char level);
int level_and(const struct handle *handle, unsigned char by);

#endif
