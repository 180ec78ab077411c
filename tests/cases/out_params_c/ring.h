#ifndef RING_H
#define RING_H
struct ring;
int ring_create(int room, struct ring **out);
int ring_room(const struct ring *ring, int less);
void ring_destroy(struct ring *ring);
#endif
