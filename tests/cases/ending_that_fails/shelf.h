#ifndef SHELF_H
#define SHELF_H
struct shelf;
struct shelf *shelf_new(void);
void shelf_free(struct shelf *shelf);
int shelf_put(struct shelf *shelf, int amount);
#endif
