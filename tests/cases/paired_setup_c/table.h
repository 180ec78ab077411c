#ifndef TABLE_H
#define TABLE_H
#include <stddef.h>
struct table;
struct table *table_new(void);
void table_free(struct table *t);
int table_set(struct table *t, const char *key, int value);
int table_get(const struct table *t, const char *key);
struct handler { int priority; struct handler *next; };
struct bus { struct handler *first; size_t count; };
void bus_register_handler(struct bus *bus, struct handler *handler);
int bus_unregister_handler(struct bus *bus, struct handler *handler);
#endif
