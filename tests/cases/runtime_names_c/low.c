#include <stdlib.h>
typedef struct record { int id; int size; } record;
typedef struct in { int n; } in;
typedef enum { keep_low, keep_high } keep;
typedef struct object { record *record; in in; } object;
int sum(record record, in in, keep keep) { return record.id + in.n + (keep == keep_low ? 5 : 6); }
int grow(record *r, const in *i, keep k) { r->size += i->n | 1; return k == keep_high; }
record made(in one, in two) { record r; r.id = one.n; r.size = two.n | 2; return r; }
int deep(object *object, record *result) { result->id = object->in.n | 4; return 1; }
typedef int unit;
typedef unsigned depth;
unit count(unit unit, depth depth) { return unit + (int)(depth | 8); }
int drive(int in) { return in | 16; }
int made_of(int a) { return a | 32; }
