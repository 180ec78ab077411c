#ifndef RING_H
#define RING_H

/* Either is defined by ring.part.c. */
typedef struct ring_small *ring_small;
typedef struct ring_large *ring_large;

ring_small ring_small_create(unsigned char room);
void ring_small_destroy(ring_small ring);
void ring_small_push(ring_small ring, int value);
int ring_small_sum(ring_small ring);

ring_large ring_large_create(unsigned char room);
void ring_large_destroy(ring_large ring);
void ring_large_push(ring_large ring, int value);
int ring_large_sum(ring_large ring);

int above(ring_small ring, int level);

#endif
